"""Models of ONNX as programs (docs/onnx.md).

    f = bl.compile("model.onnx")
    f = bl.from_onnx(model, shapes={"x": ("batch", 3, None, None)})

Models are read by `_wire` and `_messages`; the package `onnx` is not needed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _compile, _source
from .. import _program as program
from .._errors import refuse_unknown
from .._mapped import require_unchanged
from .._options import CompileOptions, list_keywords
from ._function import OnnxFunction
from ._model import is_model

if TYPE_CHECKING:
    from .._core import Function
    from .._program import Written
    from ._importer import Imported

__all__ = ["OnnxFunction", "from_onnx", "is_model", "to_mlir"]


def from_onnx(
    model: Any,
    *,
    shapes: Mapping[str, Sequence[Any]] | None = None,
    constants: Mapping[str, Any] | None = None,
    weights: str = "shared",
    folder: str | os.PathLike[str] | None = None,
    check_outputs: bool = True,
    name: str | None = None,
    **options: Any,
) -> OnnxFunction | Function:
    """Compile an ONNX model once, for all extents that it allows.

        f = bl.from_onnx("model.onnx", shapes={"x": ("batch", 3, None, None)})
        y = f(x)

    model: a path, bytes, an open file, or an onnx.ModelProto.
    shapes: extents of inputs in place of the model's: a number, a name (one extent
        wherever it stands), or None for one that is open. Of an input that is a sequence, a
        list with a shape for each of its tensors; None is the model's.
    constants: values of inputs that the program then has inside, and takes no more; None
        for an optional input without a value.
    weights: with 'shared', those of 64 KiB and more are arguments, which an OnnxFunction
        holds: it compiles fast whatever the model's size. 'constant' puts them into the
        program, as `compile` does, and gives a Function that can be saved with them.
    folder: where the files with the model's weights are; that of the path by default.
        Where it is given, files that are links to elsewhere are read too.
    check_outputs: whether the outputs must have the extents that the model declares. False is for a
        model that declares others than it computes.
    name: what messages call the model.
    options: those of `compile`.

    The model's file is read at once. Files beside it with weights are mapped: leave them as they are
    while functions live. One that has changed is an error when a program is compiled, saved, pickled, checked
    or emitted; a call does not look.

    Gives an OnnxFunction, which is called as the model, or a Function; arguments and
    results are in the model's order. The tensors of a sequence are one after the other.

    Raises UnsupportedOperations (a NotImplementedError), which lists all operators that
    cannot be imported; CompileError for a damaged model; ShapeError where its shapes
    never fit; TypeError for inputs and weights of types that programs have not;
    ValueError for an input without a shape, and for names that are no inputs; OSError
    where a file is missing.
    """
    if weights not in ("constant", "shared"):
        raise ValueError(f"weights= is 'constant' or 'shared', not {weights!r}")
    options_of_compile = [option for option in list_keywords(CompileOptions) if option != "name"]
    own = ("shapes", "constants", "weights", "folder", "check_outputs", "name")
    refuse_unknown(
        "from_onnx", {k: v for k, v in options.items() if k not in options_of_compile}, [*own, *options_of_compile]
    )
    data, name, beside, _ = _source.read_model(model, name)
    largest = program.LARGE if weights == "shared" else None
    made = _import(data, name, folder or beside, shapes, constants, largest, folder is not None, check_outputs)
    function = _compile.compile(_source.written(made.written), name=_source.name_text(name), **options)
    if weights == "constant":
        return function
    require_unchanged(made.weights)
    return OnnxFunction(function, made.weights, made.written, made.narrow_inputs, made.narrow_results)


def to_mlir(
    data: bytes | memoryview,
    name: str,
    folder: str | os.PathLike[str] | None = None,
    shapes: Mapping[str, Sequence[Any]] | None = None,
    constants: Mapping[str, Any] | None = None,
    check_outputs: bool = True,
) -> str:
    """Translates a model's bytes to MLIR text, its weights being constants."""
    return translate(data, name, folder, shapes, constants, check_outputs).text


def translate(
    data: bytes | memoryview,
    name: str,
    folder: str | os.PathLike[str] | None = None,
    shapes: Mapping[str, Sequence[Any]] | None = None,
    constants: Mapping[str, Any] | None = None,
    check_outputs: bool = True,
) -> Written:
    """Translates a model's bytes, its weights being constants beside the text."""
    return _import(data, name, folder, shapes, constants, None, check_outputs=check_outputs).written


def _import(
    data: bytes | memoryview,
    name: str,
    folder: str | os.PathLike[str] | None,
    shapes: Mapping[str, Any] | None,
    constants: Mapping[str, Any] | None,
    largest: int | None,
    follows_links: bool = False,
    check_outputs: bool = True,
) -> Imported:
    from ._importer import Importer
    from ._model import read_model

    model = read_model(data, name, None if folder is None else os.fsdecode(folder), follows_links)
    importer = Importer(model, name)
    importer.largest = largest
    return importer.run(shapes or {}, constants or {}, check_outputs)


def _serialize(model: Any) -> _source.Loaded | None:
    return _source.Loaded(model.SerializeToString(), "<ModelProto>") if hasattr(model, "SerializeToString") else None


_source.register(_source.Reader(is_model, lambda model: translate(model.data, model.name, model.folder), _serialize))
