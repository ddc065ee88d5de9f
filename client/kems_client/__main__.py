"""`python -m kems_client`: the same as the command `kems-client`."""

import sys

from kems_client.cli import main

if __name__ == "__main__":
    sys.exit(main())
