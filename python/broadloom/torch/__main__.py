"""The program `broadloom-torch`, which commands run to convert a file of torch.export (broadloom/_converter.py)."""

from __future__ import annotations

import sys

from .. import _converter
from .._program import Written
from ._files import read_exported


def _convert(data: bytes | memoryview, name: str, folder: str | None) -> Written:
    return read_exported(data, name)


def main() -> int:
    """Converts a file; returns 1 where it cannot be converted."""
    return _converter.convert_file("broadloom-torch", "a file of torch.export", _convert)


if __name__ == "__main__":
    sys.exit(main())
