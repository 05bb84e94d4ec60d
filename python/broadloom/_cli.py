"""The console script `broadloom`: the program that comes with the package."""

import os
import sys


def main() -> int:
    program = os.path.join(os.path.dirname(__file__), "bin", "broadloom")
    try:
        os.execv(program, ["broadloom", *sys.argv[1:]])
    except OSError as error:
        print(f"broadloom: error: {program} cannot be run: {error.strerror}", file=sys.stderr)
        return 2
