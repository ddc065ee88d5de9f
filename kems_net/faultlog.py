"""Where a program of ours writes down that a fault of its own has ended it, for who is to mend it.

A fault is an error that nobody foresaw. A person is told it in one line, which names the log.
"""

import logging
import platform
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path

from kems_net import __version__

MAX_LOG_BYTES = 256 * 1024
"""Some fifty faults; then the log begins anew, and the one before is kept beside it."""


def write_down(fault: BaseException, program: str, path: Path) -> str:
    """Writes a fault with its traceback into the log; what to tell the person, without an end."""
    what = "".join(traceback.format_exception_only(fault)).strip().splitlines()[0]
    said = f"a fault of this program has ended it: {what}"
    log = logging.getLogger(program)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = RotatingFileHandler(path, maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8")
    except OSError as error:
        whole = "".join(traceback.format_exception(fault))
        return f"{said} ({path} can't be written: {error.strerror})\n{whole}".rstrip()
    file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log.addHandler(file)
    about = f"Python {platform.python_version()} on {platform.platform()}"
    log.error("%s %s, %s", program, __version__, about, exc_info=fault)
    log.removeHandler(file)
    file.close()
    return f"{said}. Please report it with what stands at the end of {path}"
