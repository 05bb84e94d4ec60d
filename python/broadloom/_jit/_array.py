"""Arrays without values, which a user's function computes with while it is traced."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .. import _program as program
from .._program import _types
from . import _integers, _trace
from ._extent import to_python
from ._int64 import to_shape
from ._trace import Trace

if TYPE_CHECKING:
    from ._memory import Memory, Place


def element_of(dtype: np.dtype[Any]) -> str:
    """Returns the element type of a NumPy type; an error where programs have none."""
    element = _types.from_numpy(np.dtype(dtype))
    if element is None:
        raise TypeError(
            f"{_trace.spell_location()}arrays of NumPy's type {np.dtype(dtype)!s} cannot be computed with; "
            f"{_trace.spell_types(np.dtype(dtype))}"
        )
    return element


#: What to write in place of attributes.
_ATTRIBUTES = {
    "flat": "use x.ravel()",
    "base": "leave it out",
    "strides": "use the functions that are supported",
}
_NUMBER_INSTEAD = (
    "leave it an array; bl.fori_loop(0, x, body, init) is a loop over range(x), np.stack(list)[x] is list[x] of "
    "arrays, np.take(table, x, axis=0) is table[x] of an np.memmap, and what is written to begins as an array of the "
    "trace, as np.zeros_like(x, shape=(3,))"
)
_OF_FLOAT = (
    "extents stay numbers of shapes and slices in integers: n // 2 is int(n / 2), -(-n // 2) is math.ceil(n / 2), "
    "and n * 4 // 5 is int(0.8 * n); where floats do, NumPy's functions take it: np.sqrt, np.floor"
)
_BY_VALUE = "its values are known when the function is called, and one trace serves all calls; "


class TracedArray:
    """An array of a trace. It has an element type, a rank and extents, and no values.

    Operators, NumPy's functions and those of `__array_namespace__()` take it.
    """

    __array_priority__ = 1000
    __slots__ = (
        "_trace",
        "_made",
        "_weak",
        "_is_argument",
        "_is_kept",
        "_memory",
        "_place",
        "_writes",
        "_scope",
        "_origin",
        "__weakref__",
    )

    # `_define_operators` makes these.
    __add__: Any
    __radd__: Any
    __sub__: Any
    __rsub__: Any
    __mul__: Any
    __rmul__: Any
    __truediv__: Any
    __eq__: Any
    __ne__: Any
    __lt__: Any
    __le__: Any
    __gt__: Any
    __ge__: Any

    def __init__(
        self,
        trace: Trace,
        value: program.Value,
        *,
        weak: type | None = None,
        argument: bool = False,
        kept: bool | str = False,
    ) -> None:
        self._trace = trace
        self._value = value
        # float or int for what has the type of what it meets.
        self._weak = weak
        self._is_argument = argument
        # Whether its memory is, for NumPy, also that of an array which is not in the trace. 'carried' and
        # 'given' are of loops.
        self._is_kept: bool | str = argument or kept
        # The region of the program, as the body of a loop, that it was made in.
        self._scope = trace.builder.scope
        # The elements that it shares with other arrays of the trace.
        self._memory: Memory | None = None
        # How it is computed of these; None where that is not known.
        self._place: Place | None = None
        # How many writes to these its value has seen.
        self._writes = 0
        # The array of NumPy's that it was made of, as it is then.
        self._origin: NDArray[Any] | None = None

    @property
    def _value(self) -> program.Value:
        _trace.require_open(self._trace, self._made.name)
        if self._memory is not None:
            self._memory.require_unchanged(self._trace)
            if self._writes != self._memory.writes:
                return self._memory.read(self)
        return self._made

    @_value.setter
    def _value(self, value: program.Value) -> None:
        self._made = value

    # What is known of it.

    @property
    def _extents(self) -> list[program.Extent | int]:
        """Its extents, which no write changes."""
        _trace.require_open(self._trace, self._made.name)
        return program.extents(self._made)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Its element type."""
        return _types.to_numpy(self._made.element)

    @property
    def ndim(self) -> int:
        """Its rank."""
        return self._made.rank

    @property
    def shape(self) -> tuple[Any, ...]:
        """Its extents: numbers, or what takes part in arithmetic like one."""
        _trace.enter(self._trace)
        return to_shape(tuple(to_python(self._trace, _integers.of_extent(e)) for e in self._extents))

    @property
    def size(self) -> Any:
        """How many elements it has."""
        _trace.enter(self._trace)
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> Any:
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def device(self) -> str:
        """'cpu'."""
        return "cpu"

    @property
    def T(self) -> Any:
        """Its axes in the other order."""
        return np.transpose(self)

    @property
    def mT(self) -> Any:
        """Its last two axes in the other order."""
        return np.swapaxes(self, -1, -2)

    @property
    def real(self) -> Any:
        """Itself."""
        return self

    @property
    def imag(self) -> TracedArray:
        """Zeros."""
        return np.imag(self)

    def __getattr__(self, name: str) -> Any:
        # An array of NumPy's has it, so that hasattr must not be false.
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        raise _trace.refuse(
            f"the attribute '{name}'", _ATTRIBUTES.get(name, "help(broadloom.jit) lists what is supported")
        )

    def __repr__(self) -> str:
        shape = ", ".join("?" if not isinstance(e, int) else str(e) for e in self._made.extents)
        return f"<an array under bl.jit: {self.dtype.name}[{shape}]>"

    # NumPy's protocols.

    def __array_namespace__(self, *, api_version: Any = None) -> Any:
        from . import _namespace

        return _namespace

    def __array_ufunc__(
        self,
        ufunc: np.ufunc,
        method: Any,
        *inputs: Any,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        **keywords: Any,
    ) -> Any:
        from . import _functions, _ufuncs

        if ufunc is np.power:
            _trace.forget_probe(_functions.find_trace(inputs))
        if out is not None and any(isinstance(o, np.ndarray) for o in out):
            raise _trace.refuse(
                "a write to an array of NumPy's, as by c += x,", f"make an array of it: c = np.{ufunc.__name__}(c, x)"
            )
        if out is not None:
            raise _trace.refuse(f"out= of '{ufunc.__name__}'", "use the result")
        is_reduction = method == "reduce" and ufunc.__name__ in _ufuncs.REDUCTIONS
        if where is not True and not is_reduction:
            raise _trace.refuse(f"where= of '{ufunc.__name__}'", "use np.where on the result")
        if method == "at" and ufunc.__name__ in ("add", "multiply", "maximum", "minimum"):
            from ._writing import accumulate_at

            return accumulate_at(ufunc, *inputs)
        if method == "accumulate" and ufunc.__name__ in _ufuncs.RUNNING:
            return _functions.accumulate(ufunc, *inputs, dtype=dtype, **keywords)
        if method == "outer" and ufunc.nin == 2 and not keywords:
            return _functions.outer_of(ufunc, *inputs, dtype=dtype)
        unknown = set(keywords) - ({"axis", "keepdims", "initial"} if method == "reduce" else {"casting"})
        if unknown:
            raise _trace.refuse(f"{min(unknown)}= of '{ufunc.__name__}'", "leave it out")
        if method == "__call__":
            return _ufuncs.apply(ufunc, inputs, dtype, casting=keywords.get("casting"))
        if is_reduction:
            reduction = _functions.NAMED[_ufuncs.REDUCTIONS[ufunc.__name__]]
            keywords.setdefault("axis", 0)
            if where is not True:
                keywords["where"] = where
            if dtype is not None:
                keywords["dtype"] = dtype
            return reduction(*inputs, **keywords)
        raise _trace.refuse(f"'{ufunc.__name__}.{method}'", "write it with other functions")

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        from . import _functions

        found = _functions.NUMPY.get(function)
        if found is None:
            raise _trace.error(
                f"'{_functions.name_of(function)}' is not supported under bl.jit; help(broadloom.jit) lists what is"
            )
        return found(*arguments, **keywords)

    # What would need values.

    def __bool__(self) -> NoReturn:
        raise _trace.refuse(
            "a decision by an array's values", _BY_VALUE + "use np.where(condition, a, b), and bl.while_loop for a loop"
        )

    def __float__(self) -> None:
        if self._weak is float:
            raise _trace.refuse(
                "a number of Python's from a float that is computed of extents", _OF_FLOAT, in_passing=True
            )
        raise _trace.refuse("a number of Python's from an array", _BY_VALUE + _NUMBER_INSTEAD, in_passing=True)

    def __round__(self, digits: Any = None) -> Any:
        if self._weak is float and digits is None:
            raise _trace.refuse("a rounded float that is computed of extents", _OF_FLOAT)
        if digits is None or self.ndim:
            raise _trace.refuse("round()", "use np.round, which gives an array")
        return np.round(self, digits)

    __int__ = __complex__ = __index__ = __float__

    def __format__(self, form: Any) -> str:
        if form:
            raise _trace.refuse("a number of an array as text", _BY_VALUE + "print the result of the function")
        return str(self)

    def item(self, *_: Any) -> NoReturn:
        """Raises TraceError."""
        raise _trace.refuse("item()", _BY_VALUE + "leave it an array")

    def tolist(self) -> NoReturn:
        """Raises TraceError."""
        raise _trace.refuse("tolist()", _BY_VALUE + "leave it an array")

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        raise _trace.refuse(
            "an array of NumPy's from an array under bl.jit",
            _BY_VALUE
            + "call functions of NumPy's on it by their own names, as np.dot(table, x), and np.stack for a list of "
            "such arrays; np.concatenate and np.column_stack are np.r_ and np.c_; x.astype(np.float32) is "
            "np.float32(x)",
        )

    def __iter__(self) -> Any:
        if self._value.rank and isinstance(self._value.extents[0], int):
            return (self[i] for i in range(self._value.extents[0]))
        raise _trace.refuse(
            "a loop over an axis", "use operations on the whole axis or bl.scan, or index it: x[0], x[..., 1]"
        )

    def __len__(self) -> int:
        if self._made.rank and isinstance(self._made.extents[0], int):
            return self._made.extents[0]
        raise _trace.refuse(
            "len()",
            "use x.shape[0], which stays a number of the trace; bl.fori_loop(0, x.shape[0], body, init) is a loop "
            "over range(len(x))",
        )

    def __contains__(self, _: Any) -> NoReturn:
        raise _trace.refuse("'in'", _BY_VALUE + "use np.any(x == value)")

    def __deepcopy__(self, _: Any) -> Any:
        return self.copy()

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Any:
        return self.copy()

    def __setitem__(self, key: Any, value: Any) -> None:
        from ._writing import set_items

        set_items(self, key, value)

    # Parts of it.

    def __getitem__(self, key: Any) -> Any:
        from ._indexing import get_items

        return get_items(self, key)

    def _is_number(self) -> bool:
        """Tells whether it is, for NumPy, a number that does not change: x += 1 then makes
        another one, and other names keep theirs."""
        return self._made.rank == 0 and not self._is_kept and self._memory is None

    def _change(self, ufunc: np.ufunc, other: Any) -> Any:
        """Computes x += other: gives the array the new value, for all its names."""
        from ._writing import change, require_writeable

        if self._is_number():
            return NotImplemented
        require_writeable(self, f"make an array of it: x = np.{ufunc.__name__}(x, ...)")
        made = ufunc(self, other)
        if made.ndim != self.ndim:
            raise ValueError(
                f"{_trace.spell_location()}a result of {made.ndim} axes cannot be written to an array of {self.ndim}"
            )
        if not np.can_cast(made.dtype, self.dtype, "same_kind"):
            raise TypeError(
                f"{_trace.spell_location()}a result of {made.dtype} cannot be written to an array of {self.dtype}"
            )
        shape = program.extents(self._value)
        value = program.cast(made._value, self._value.element)
        change(self, program.require_shape(value, shape))
        return self


def _define_operators() -> None:
    """Defines the operators, and the methods that are functions of NumPy's."""
    binary = {
        "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide,
        "floordiv": np.floor_divide, "mod": np.remainder, "pow": np.power, "matmul": np.matmul,
        "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
        "lshift": np.left_shift, "rshift": np.right_shift, "divmod": np.divmod,
    }  # fmt: skip
    compared = {
        "eq": np.equal,
        "ne": np.not_equal,
        "lt": np.less,
        "le": np.less_equal,
        "gt": np.greater,
        "ge": np.greater_equal,
    }
    unary = {"neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert}

    def define(name: Any, function: Any) -> None:
        function.__name__ = name
        setattr(TracedArray, name, function)

    # The kinds of a 2 for which NumPy does: int and float, with NumPy 2.4 int alone.
    squaring = [kind for kind in (int, float) if (np.zeros(1, np.bool_) ** kind(2)).dtype == np.int8]

    def call(ufunc: np.ufunc, *operands: Any) -> Any:
        from ._ufuncs import apply, kind_of

        # Others that are arrays decide for themselves.
        if any(getattr(o, "__array_ufunc__", 0) is None for o in operands):
            return NotImplemented
        is_power = ufunc is np.power and kind_of(operands[0]) == np.bool_
        if is_power and type(operands[1]) in squaring and operands[1] == 2:
            # NumPy squares, where np.power would compute with another type.
            ufunc, operands = np.square, operands[:1]
        return apply(ufunc, operands, operator=True)

    for name, ufunc in binary.items():
        # pow() of three numbers is Python's error then, as of NumPy's arrays.
        define(f"__{name}__", lambda x, y, *modulo, f=ufunc: NotImplemented if modulo else call(f, x, y))
        define(f"__r{name}__", lambda x, y, f=ufunc: call(f, y, x))
        if name != "divmod":
            define(f"__i{name}__", lambda x, y, f=ufunc: x._change(f, y))
    for name, ufunc in compared.items():
        define(f"__{name}__", lambda x, y, f=ufunc: call(f, x, y))
    for name, ufunc in unary.items():
        define(f"__{name}__", lambda x, f=ufunc: call(f, x))


_define_operators()
