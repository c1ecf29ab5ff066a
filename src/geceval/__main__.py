"""``python -m geceval``."""

import sys

from geceval.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
