"""The console script `broadloom`: the program that comes with the package.

It stands beside the package, which takes a tenth of a second to import.
"""

import importlib.util
import os
import sys


def main() -> int:
    package = importlib.util.find_spec("broadloom")
    folder = package.submodule_search_locations[0]
    program = os.path.join(folder, "bin", "broadloom")
    if any(word.endswith(".pt2") for word in sys.argv[1:]):
        from broadloom.torch import _command

        return _command.run(program, sys.argv[1:])
    try:
        os.execv(program, ["broadloom", *sys.argv[1:]])
    except OSError as error:
        print(f"broadloom: error: {program} cannot be run: {error.strerror}", file=sys.stderr)
        return 2
