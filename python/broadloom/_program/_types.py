"""Element types, by their names in MLIR: 'f32', 'i1', 'i64', 'ui8', 'bf16'."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

#: Floats and their bits.
_FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f8E4M3FN": 8, "f8E5M2": 8}
_INTEGERS = ("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")

#: What NumPy calls an element type.
_NUMPY = {
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64",
    "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2",
}  # fmt: skip
_FROM_NUMPY = {name: element for element, name in _NUMPY.items()}

#: A number as a program has it.
Scalar = bool | int | float


def is_float(element: str) -> bool:
    """Tells whether elements are floats."""
    return element in _FLOATS


def is_integer(element: str) -> bool:
    """Tells whether elements are integers; those of i1 are none."""
    return element in _INTEGERS and element != "i1"


def is_unsigned(element: str) -> bool:
    """Tells whether elements are integers without a sign."""
    return element.startswith("ui")


def is_float8(element: str) -> bool:
    """Tells whether elements are floats of eight bits, which are computed with in f32."""
    return is_float(element) and width(element) == 8


def width(element: str) -> int:
    """Returns the bits of an element."""
    return _FLOATS.get(element) or int(element.lstrip("ui"))


def signless(element: str) -> str:
    """Returns the type of values inside a program, where operations have the sign."""
    return element.removeprefix("u")


def compute_type(element: str) -> str:
    """Returns the type in which scalar code computes: f32 for shorter floats."""
    return "f32" if is_float(element) and width(element) < 32 else signless(element)


def round_float8(number: float, element: str) -> float:
    """Returns the number of a type of eight bits that is nearest, as a cast gives it."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.float32(number).astype(to_numpy(element)))


def largest_float(element: str) -> float:
    """Returns the largest finite number of a float type."""
    dtype = to_numpy(element)
    if dtype.kind == "f" and dtype.itemsize > 1:
        return float(np.finfo(dtype).max)
    import ml_dtypes

    return float(ml_dtypes.finfo(dtype).max)  # type: ignore[no-untyped-call]


def limits(element: str) -> tuple[int, int]:
    """Returns the least and the greatest integer of an element type."""
    bits = width(element)
    return (0, 2**bits - 1) if is_unsigned(element) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def check_element(element: str) -> str:
    """Returns `element`; raises an error that lists the element types unless it is one."""
    if element not in _FLOATS and element not in _INTEGERS:
        raise TypeError(f"there is no element type {element!r}; there are: {', '.join(_NUMPY)}")
    return element


def to_numpy(element: str) -> np.dtype[Any]:
    """Returns NumPy's type of the elements; of ml_dtypes where NumPy has none."""
    name = _NUMPY[check_element(element)]
    if name.startswith(("bfloat", "float8")):
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(name)


def from_numpy(dtype: np.dtype[Any]) -> str | None:
    """Returns the element type of a NumPy type; None where programs have none."""
    return _FROM_NUMPY.get(dtype.name) if dtype.isnative else None


def spell_float(number: float) -> str:
    """Returns a float as text, in Python's grammar but for 'inf' and 'nan'. It reads as the same number: all that
    writes a float uses this, since other ways leave out digits."""
    return repr(float(number))


def spell(number: Scalar, element: str) -> str:
    """Returns a number as a constant of the type, which must hold it."""
    if element == "i1":
        return "true" if number else "false"
    if not is_float(element):
        if number != int(number):
            raise TypeError(f"{number} is no integer, but the element type is {element}")
        number, bits = int(number), width(element)
        low, high = limits(element)
        if not low <= number <= high:
            raise OverflowError(f"{number} is outside the range of {element}, {low} to {high}")
        # Values are signless.
        return str(number - 2**bits if number >= 2 ** (bits - 1) else number)
    number = float(number)
    if math.isfinite(number) and element in ("f32", "f64"):
        rounded = float(np.float32(number)) if element == "f32" else number
        if math.isfinite(rounded):
            text = spell_float(rounded)
            return text if "." in text or "inf" in text else text.replace("e", ".0e")
    with np.errstate(over="ignore"):
        data = np.array(number, np.float64).astype(to_numpy(element)).tobytes()
    return f"0x{int.from_bytes(data, 'little'):0{width(element) // 4}X}"
