"""The methods of an array under bl.jit that are functions of NumPy's."""

from __future__ import annotations

from typing import Any, NoReturn

from . import _trace
from ._array import TracedArray
from ._functions import NAMED

#: Methods with the same arguments as the function.
SAME = (
    "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "diagonal", "max", "mean", "min",
    "nonzero", "prod", "ptp", "round", "searchsorted", "squeeze", "std", "sum", "trace", "var",
)  # fmt: skip


def _define(name: Any, function: Any) -> None:
    function.__name__ = name
    function.__qualname__ = f"TracedArray.{name}"
    function.__doc__ = f"numpy.{name} of it."
    setattr(TracedArray, name, function)


def _several(first: Any, rest: Any) -> Any:
    """Returns one tuple for x.reshape(2, 3) and x.reshape((2, 3))."""
    return (first, *rest) if rest or not isinstance(first, (tuple, list)) else first


def define_methods() -> None:
    """Gives TracedArray its methods."""
    for name in SAME:
        _define(name, lambda x, *a, f=NAMED[name], **k: f(x, *a, **k))
    _define("astype", lambda x, dtype, copy=True, **_: NAMED["astype"](x, dtype, copy=copy))
    _define("conj", lambda x: x)
    _define("conjugate", lambda x: x)
    _define("copy", lambda x, order="C": x if x._is_number() else NAMED["copy"](x))
    _define("dot", lambda x, other: NAMED["dot"](x, other))
    _define("reshape", lambda x, shape, *rest, order="C": NAMED["reshape"](x, _several(shape, rest), order))
    _define("ravel", lambda x, order="C": NAMED["ravel"](x, order))
    _define("flatten", lambda x, order="C": NAMED["copy"](NAMED["ravel"](x, order)))
    _define("fill", lambda x, value: x.__setitem__(..., value))
    _define("compress", lambda x, condition, axis=None: NAMED["compress"](condition, x, axis))
    _define("swapaxes", lambda x, a, b: NAMED["swapaxes"](x, a, b))
    _define("take", lambda x, indices, axis=None, mode="raise": NAMED["take"](x, indices, axis, mode=mode))
    _define("repeat", lambda x, repeats, axis=None: NAMED["repeat"](x, repeats, axis))

    def transpose(x: Any, *axes: Any) -> Any:
        return NAMED["transpose"](x, _several(axes[0], axes[1:]) if axes and axes[0] is not None else None)

    _define("transpose", transpose)

    def missing(name: Any) -> None:
        def method(x: Any, *_: Any, **__: Any) -> NoReturn:
            raise _trace.refuse(f"the method '{name}'", "help(broadloom.jit) lists what is supported")

        _define(name, method)

    for name in ("sort", "argpartition", "partition", "put", "resize", "view", "tobytes", "choose"):
        missing(name)
