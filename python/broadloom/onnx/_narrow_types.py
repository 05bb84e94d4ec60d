"""Element types of ONNX that programs have not: integers of less than a byte, and the rarer short floats. A program
holds each element in a byte."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _program as program


@dataclasses.dataclass(frozen=True)
class Narrow:
    """An element type that a program holds in bytes."""

    #: What messages call it.
    name: str
    #: The element type of the bytes: integers with the type's own sign, or the bits of floats.
    storage: str
    #: The bits of an element.
    bits: int
    #: What the package ml_dtypes calls it.
    numpy_name: str
    #: Of floats, the bits of the fraction and what is added to the exponent; None of integers.
    fraction: int | None = None
    bias: int = 0
    #: The bits of the largest number, and those of what is no number; of a type without the latter, those of -0.
    largest: int = 0
    nan: int = 0
    #: Whether -0 is there.
    has_minus_zero: bool = True

    @property
    def is_float(self) -> bool:
        """Tells whether its elements are floats."""
        return self.fraction is not None

    @property
    def sign(self) -> int:
        """The bit of the sign; 0 where there is none."""
        return 0 if self.name == "f8E8M0FNU" else 1 << (self.bits - 1)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest integer."""
        return program.limits(self.name)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type of the elements, of the package ml_dtypes."""
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, self.numpy_name))

    @property
    def table(self) -> NDArray[np.float32]:
        """The numbers of floats, by their bits."""
        return np.arange(1 << self.bits, dtype=np.uint8).view(self.dtype).astype(np.float32)

    def to_storage(self, array: NDArray[Any]) -> NDArray[Any]:
        """Returns the bytes of an array of the type; one of bytes is checked."""
        wanted = program.to_numpy(self.storage)
        if array.dtype == self.dtype:
            return array.view(np.uint8) & np.uint8((1 << self.bits) - 1) if self.is_float else array.astype(wanted)
        if array.dtype != wanted and not (array.dtype.kind == "i" and not array.size):
            raise TypeError(f"elements of {self.name} are given as {self.numpy_name} or {wanted}, not {array.dtype}")
        low, high = (0, (1 << self.bits) - 1) if self.is_float else self.limits
        if array.size and not (low <= int(array.min()) and int(array.max()) <= high):
            raise ValueError(f"elements of {self.name} are from {low} to {high}")
        return array

    def from_storage(self, array: NDArray[Any]) -> NDArray[Any]:
        """Returns the array of the type that bytes hold."""
        return array.view(self.dtype) if self.is_float else array.astype(self.dtype)


#: By ONNX's numbers.
NARROW = {
    18: Narrow("f8E4M3FNUZ", "ui8", 8, "float8_e4m3fnuz", 3, 8, 0x7F, 0x80, False),
    20: Narrow("f8E5M2FNUZ", "ui8", 8, "float8_e5m2fnuz", 2, 16, 0x7F, 0x80, False),
    21: Narrow("ui4", "ui8", 4, "uint4"),
    22: Narrow("i4", "i8", 4, "int4"),
    23: Narrow("f4E2M1FN", "ui8", 4, "float4_e2m1fn", 1, 1, 0x7, 0x8),
    24: Narrow("f8E8M0FNU", "ui8", 8, "float8_e8m0fnu", 0, 127, 0xFE, 0xFF),
    25: Narrow("ui2", "ui8", 2, "uint2"),
    26: Narrow("i2", "i8", 2, "int2"),
    27: Narrow("f6E2M3FN", "ui8", 6, "float6_e2m3fn", 3, 1, 0x1F, 0x20),
    28: Narrow("f6E3M2FN", "ui8", 6, "float6_e3m2fn", 2, 3, 0x1F, 0x20),
}
#: By their names.
BY_NAME = {narrow.name: narrow for narrow in NARROW.values()}


def storage_of(element: str) -> str:
    """Returns the element type in which a program holds one of ONNX's."""
    return BY_NAME[element].storage if element in BY_NAME else element
