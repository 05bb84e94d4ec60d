"""Arrays for other libraries, whatever their element type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core

_CPU = (1, 0)


class Exported:
    """An array that libraries with `from_dlpack` take without a copy."""

    def __init__(self, array: NDArray[Any]):
        self._array = array

    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Returns a capsule: of version 1 where `max_version` says that the caller takes it."""
        if stream is not None:
            raise BufferError(f"stream is {stream!r}; the processor's memory has none")
        if dl_device is not None and tuple(dl_device) != _CPU:
            raise BufferError(f"dl_device is {tuple(dl_device)}; the array is in the processor's memory, {_CPU}")
        array = self._array.copy() if copy else self._array
        versioned = max_version is not None and max_version[0] >= 1
        return _core._export_dlpack(array, versioned, bool(copy))

    def __dlpack_device__(self) -> tuple[int, int]:
        """Returns the processor's memory."""
        return _CPU


def as_dlpack(array: NDArray[Any]) -> Exported:
    """Wrap `array` for another library's `from_dlpack`, without a copy.

    NumPy's own arrays do that too, but not with the element types of ml_dtypes:

        torch.from_dlpack(bl.as_dlpack(f(x)))   # bfloat16
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"as_dlpack takes a NumPy array, not {type(array).__name__}")
    return Exported(array)
