"""Run the command line: ``python -m tbframe``."""

import sys

from tbframe.cli import main

if __name__ == "__main__":
    sys.exit(main())
