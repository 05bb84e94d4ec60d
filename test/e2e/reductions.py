"""Programs of reductions and element-wise operations, line by line."""

import broadloom
import numpy as np
from element_types import roundTo
from programs import typeText


class Text:
    """A function, line by line; `%z` is the shift of `tosa.mul`. In the mode
    `inferred`, only the types of arguments have ranks."""

    def __init__(self, kind, mode):
        self.kind, self.mode, self.count = kind, mode, 0
        self.arguments = []
        self.lines = ['  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>']

    def type(self, shape, kind=None):
        mode = "unranked" if self.mode == "inferred" else self.mode
        return typeText(shape, (kind or self.kind).name, mode)

    def argument(self, shape):
        mode = "dynamic" if self.mode == "inferred" else self.mode
        value = (f"%a{len(self.arguments)}", shape, typeText(shape, self.kind.name, mode))
        self.arguments.append(f"{value[0]}: {value[2]}")
        return value

    def emit(self, operation, operands, shape, attributes="", kind=None):
        self.count += 1
        name = f"%v{self.count}"
        result = self.type(shape, kind)
        types = [o[2] for o in operands] + ["tensor<1xi8>"] * (operation == "mul")
        names = [o[0] for o in operands] + ["%z"] * (operation == "mul")
        self.lines.append(
            f'  {name} = "tosa.{operation}"({", ".join(names)}) {{{attributes}}} : ({", ".join(types)}) -> {result}'
        )
        return name, shape, result

    def cast(self, value, kind):
        """The value as the type `kind`, given as text."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = tensor.cast {value[0]} : {value[2]} to {kind}")
        return name, value[1], kind

    def call(self, operation, *operands, kind=None):
        shape = np.broadcast_shapes(*(o[1] for o in operands))
        return self.emit(operation, operands, shape, kind=kind)

    def reduce(self, operation, value, *axes, mode=""):
        for axis in axes:
            shape = tuple(1 if i == axis else e for i, e in enumerate(value[1]))
            attributes = f"axis = {axis} : i32"
            if mode:
                attributes += f", nan_mode = {mode}"
            value = self.emit(f"reduce_{operation}", [value], shape, attributes)
        return value

    def text(self, *results):
        names, types = ", ".join(r[0] for r in results), ", ".join(r[2] for r in results)
        return "\n".join(
            [
                f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{",
                *self.lines,
                f"  return {names} : {types}",
                "}",
                "",
            ]
        )


def run(tmp_path, text, inputs, kinds, *options):
    outcome, results = broadloom.run(tmp_path, text, inputs, kinds, *options)
    assert results is not None, f"{outcome.error}\n{text}"
    return results


def wide(array):
    return array.astype(np.float64)


def assertClose(got, expected, kind, scale=1.0):
    """Within some units in the last place of the largest term."""
    assert got.shape == expected.shape
    limit = 16 * kind.eps * scale * np.maximum(np.abs(expected), kind.smallestNormal / kind.eps)
    with np.errstate(all="ignore"):
        good = (
            (np.abs(wide(got) - expected) <= limit)
            | (got == roundTo(kind, expected))
            | (np.isnan(wide(got)) & np.isnan(expected))
        )
    assert good.all(), (got[~good][:3], expected[~good][:3])
