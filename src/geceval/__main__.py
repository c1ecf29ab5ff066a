"""Run ``python -m geceval``, the installed command and its scripts."""

import atexit
import gc
import os
import signal
import sys

gc.set_threshold(100_000)  # what the imports make stays: looking through it for garbage takes 4 ms
atexit.register(gc.freeze)  # the process ends: nothing needs to be looked through again
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts its threads on import, which takes 15 ms

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # until a command handles it, it ends the process
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from geceval.app.main import main  # noqa: E402
from geceval.dropins import dropin  # noqa: E402

__all__ = ["dropin", "main"]

if __name__ == "__main__":
    sys.exit(main())
