"""Promises of arguments' extents (abi-1): which extents of main's arguments are
the same, or computed from each other.

Of each axis: None, ("name", letter), ("number", n), or ("sum", letter, n).
"""

import random

from operations import Fails


def promise(function, inputs, seed):
    """Promises that hold in the call with `inputs`, for some arguments."""
    dice = random.Random(f"names/{seed}")
    letters = {}
    function.names = []
    for data in inputs:
        axes = []
        for extent in data.shape:
            if dice.random() < 0.4:
                axes.append(None)
            elif extent in letters:
                axes.append(("name", letters[extent]))
            elif dice.random() < 0.15:
                axes.append(("number", extent))
            elif letters and dice.random() < 0.3:
                base = dice.choice(sorted(letters))
                axes.append(("sum", letters[base], extent - base))
            else:
                letters[extent] = f"n{len(letters)}"
                axes.append(("name", letters[extent]))
        function.names.append(axes if any(axes) and dice.random() < 0.8 else None)
    # Each name needs an axis that is that name by itself.
    told = {a[1] for axes in function.names if axes for a in axes if a and a[0] == "name"}
    for axes in function.names:
        for i, axis in enumerate(axes or ()):
            if axis and axis[0] == "sum" and axis[1] not in told:
                axes[i] = None


def check(names, inputs):
    """Raises Fails where a promise is broken."""
    if not names:
        return
    values = {}
    for axes, data in zip(names, inputs, strict=True):
        if axes is None:
            continue
        if len(axes) != len(data.shape):
            raise Fails("another number of axes was promised")
        for axis, extent in zip(axes, data.shape):
            if axis and axis[0] == "name":
                values.setdefault(axis[1], extent)
    for axes, data in zip(names, inputs, strict=True):
        for axis, extent in zip(axes or (), data.shape):
            if axis is None:
                continue
            if axis[0] != "number" and axis[1] not in values:
                continue  # the shrinker has taken its argument away
            wanted = axis[1] if axis[0] == "number" else values[axis[1]] + (axis[2] if axis[0] == "sum" else 0)
            if extent != wanted:
                raise Fails(f"an extent of {extent} was promised to be {wanted}")


def text(axes):
    """The attribute of one argument, or None."""
    if axes is None:
        return None
    words = {
        "name": lambda a: a[1],
        "number": lambda a: str(a[1]),
        "sum": lambda a: f"{a[1]} {'-' if a[2] < 0 else '+'} {abs(a[2])}",
    }
    return f"#loom.extents<[{', '.join('?' if a is None else words[a[0]](a) for a in axes)}]>"
