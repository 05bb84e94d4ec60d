"""`python -m broadloom`: the command-line program of the package."""

import sys

from _broadloom_cli import main

if __name__ == "__main__":
    sys.exit(main())
