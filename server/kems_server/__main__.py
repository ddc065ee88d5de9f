"""`python -m kems_server`: the same as the command `kems-server`."""

import sys

from kems_server.cli import main

if __name__ == "__main__":
    sys.exit(main())
