"""The kinds of elements that inputs of operators have, by the schemas of the package onnx and of ONNX Runtime.

test/onnx/kinds.py --write       writes them into python/broadloom/onnx/_kinds.py
"""

import functools
import os
import sys

import conftest  # noqa: F401  # It finds Broadloom's build.
import onnx
from broadloom.onnx import _importer  # noqa: F401
from broadloom.onnx._context import OPERATORS

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 2, "python/broadloom/onnx/_kinds.py")

#: Beside the schemas: numbers of tiles in the first version of Tile have the tensor's type, where integers mean the same.
WIDER = {"Tile": "bfi fi fi"}


def kind_of(name):
    """The letter of a type of a tensor, `tensor(int64)`; None of what programs have not, such as texts."""
    element = name.removeprefix("tensor(").removesuffix(")")
    if element == "bool":
        return "b"
    if element.startswith(("int", "uint")):
        return "i"
    return "f" if element.startswith(("float", "double", "bfloat")) else None


@functools.cache
def all_schemas():
    """All schemas, by domains and names. ONNX Runtime has operators of its own in ONNX's domain, too, some by a name of
    ONNX's."""
    from onnxruntime.capi import onnxruntime_pybind11_state

    found = {}
    for schema in onnx.defs.get_all_schemas_with_history() + onnxruntime_pybind11_state.get_all_operator_schema():
        found.setdefault((schema.domain, schema.name), []).append(schema)
    return found


def forms_of(domain, operation):
    """What all versions of an operator take: of each version, its inputs. An input is its letters, the name of its type,
    and whether it stands for any number of inputs, of one type or of several."""
    found = []
    for schema in all_schemas().get((domain, operation), []):
        types = {one.type_param_str: one.allowed_type_strs for one in schema.type_constraints}
        # ONNX Runtime and the package have other names for the fields of an input.
        fields = [(getattr(i, "typeStr", None) or i.type_str, i) for i in schema.inputs]
        form = []
        for variable, given in fields:
            names = types.get(variable, [variable])
            # Sequences and optional values are compared elsewhere.
            is_tensor = all(name.startswith("tensor(") for name in names)
            letters = {*map(kind_of, names)} - {None} if is_tensor else {*"bif"}
            is_alike = given.isHomogeneous if hasattr(given, "isHomogeneous") else given.is_homogeneous
            form.append((letters, variable, given.option.name == "Variadic", is_alike))
        found.append(form)
    return found


def describe(domain, operation):
    """The kinds of all inputs of an operator, as `_kinds.py` has them; None where each input takes all."""
    forms = forms_of(domain, operation)
    count = max(map(len, forms), default=0)
    columns = [[form[at] for form in forms if at < len(form)] for at in range(count)]
    # Older versions take more types than newer ones, or fewer.
    letters = ["".join(sorted({*"bif"} & set().union(*(one[0] for one in column)))) for column in columns]
    alike, groups = [None] * count, 0
    for at, other in ((a, b) for b in range(count) for a in range(b)):
        both = [(form[at], form[other]) for form in forms if other < len(form)]
        if alike[other] is None and all(x[1] == y[1] and y[3] for x, y in both):
            if alike[at] is None:
                alike[at], groups = groups, groups + 1
            alike[other] = alike[at]
    told = []
    for at, column in enumerate(columns):
        is_variadic = any(one[2] for one in column)
        if is_variadic and all(one[3] for one in column) and alike[at] is None:
            alike[at], groups = groups, groups + 1
        told.append(letters[at] + ("" if alike[at] is None else str(alike[at])) + ("+" if is_variadic else ""))
    is_open = all(one.rstrip("+") in ("bfi", "") for one in told)
    return None if is_open else " ".join(told)


def describe_all():
    """The kinds of the inputs of all operators that are imported, by their names."""
    rows = {}
    for domain, operation in OPERATORS:
        told = describe(domain, operation)
        if told is not None:
            rows[f"{domain}.{operation}".lstrip(".")] = told
    return dict(sorted((rows | WIDER).items()))


def write():
    with open(PAGE, encoding="utf-8") as file:
        head, mark, _ = file.read().partition("KINDS = {\n")
    lines = [f'    "{name}": "{told}",\n' for name, told in describe_all().items()]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(head + mark + "".join(lines) + "}\n")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
