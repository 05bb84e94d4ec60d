"""The console script `broadloom`: the program that comes with the package.

It stands beside the package, which takes a tenth of a second to import.
"""

import importlib.util
import os
import sys


def main() -> int:
    package = importlib.util.find_spec("broadloom")
    assert package is not None and package.submodule_search_locations is not None
    program = os.path.join(package.submodule_search_locations[0], "bin", "broadloom")
    _name_converters()
    try:
        os.execv(program, ["broadloom", *sys.argv[1:]])
    except OSError as error:
        print(f"broadloom: error: {program} cannot be run: {error.strerror}", file=sys.stderr)
        return 2


def _name_converters() -> None:
    """Names the converters that were installed with this script: its folder need not be in PATH."""
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))
    for kind in ("onnx", "torch"):
        converter = os.path.join(folder, f"broadloom-{kind}")
        if os.access(converter, os.X_OK):
            os.environ.setdefault(f"BROADLOOM_{kind.upper()}_CONVERTER", converter)
