"""PyTorch's graphs as programs (docs/pytorch.md).

    torch.compile(module, backend="broadloom", dynamic=True)
    bl.torch.compile(module)
    bl.from_torch(torch.export.export(module, (x,), dynamic_shapes=...))
    bl.torch.export(module, (x,), dynamic_shapes=...)

The importer needs no torch; `_fx`, `_calls`, `_export` and `_backend` do, and are
imported by their first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Never

from .. import _source
from .._errors import UnsupportedOperations, refuse_unknown
from . import _files, generation
from ._graph import Graph, Node

if TYPE_CHECKING:
    from torch.export import ExportedProgram
    from torch.nn import Module

    from ._export import ExportedFunction

__all__ = ["UnsupportedOperations", "backend", "compile", "export", "from_torch", "generation", "refresh"]


def from_torch(
    exported: ExportedProgram, *, weights: str = "shared", threads: int = 0, name: str = "torch", **unknown: Never
) -> ExportedFunction:
    """Compile an exported PyTorch program once, for all extents that it allows.

        program = torch.export.export(module.eval(), (x,), dynamic_shapes=({0: Dim.AUTO},))
        f = bl.from_torch(program)
        y = f(x)                          # as module(x)

    exported: what torch.export.export gives. Its dynamic dimensions are named extents
        of the program; each call checks them.
    weights: 'shared' borrows the module's parameters and buffers, so that later changes
        of them count; what a product needs in another layout is laid out once, and
        again after changes that torch counts. f.refresh() tells of others.
        'constant' puts them into the program, which can then be saved with them.
    threads: the most threads that a call uses; 0 for all cores.
    name: what messages call the program.

    Raises UnsupportedOperations (a NotImplementedError), which lists all operations
    that cannot be imported with their lines of Python; ValueError for a program that
    changes its inputs, while buffers that it changes become variables (f.variables, f.reset()); TypeError for
    what is no exported program, and for element types that programs have not; BufferError for tensors on
    another device.
    """
    refuse_unknown("from_torch", unknown, ("weights", "threads", "name"))
    _source.check_threads(threads=threads)
    try:
        from ._export import compile_exported
    except ModuleNotFoundError as error:
        raise _files.explain_missing(error, "from_torch takes what torch.export.export gives") from None
    return compile_exported(exported, weights, threads, name)


def backend(
    graph: Graph, inputs: Sequence[Node], *, mode: str | None = None, options: Mapping[str, Any] | None = None
) -> Any:
    """The backend of torch.compile, which finds it by the name 'broadloom'.

        f = torch.compile(module.eval(), backend="broadloom", dynamic=True)
        with torch.no_grad():
            y = f(x)

    options: 'threads', the most threads of a call; 'fallback': 'eager' runs operations
        that cannot be imported by PyTorch itself, and says so in the log
        'broadloom.torch'. Without it they are an error.
    """
    from ._backend import compile_graph

    return compile_graph(graph, inputs, mode=mode, options=options)


def compile(
    module: Callable[..., Any], *, threads: int = 0, fallback: str | None = None, **unknown: Never
) -> Callable[..., Any]:
    """Compile a module at its first call, for all extents.

        f = bl.torch.compile(module.eval())
        y = f(x)                          # as module(x), without gradients

    It is torch.compile(module, backend="broadloom", dynamic=True) with what PyTorch notes of the first
    call turned off: that extents of 0 and 1 are constants, and that equal extents, as the height and the
    width of a square image, are one. So batches of 1 and 5, square and oblong images have one program.

    threads: the most threads that a call uses; 0 for all cores.
    fallback: 'eager' runs operations that cannot be imported by PyTorch itself.
    """
    refuse_unknown("compile", unknown, ("threads", "fallback"))
    _source.check_threads(threads=threads)
    try:
        from ._compiled import compile_once
    except ModuleNotFoundError as error:
        raise _files.explain_missing(error, "broadloom.torch.compile takes modules of PyTorch") from None
    options: dict[str, Any] = {"threads": threads} | ({"fallback": fallback} if fallback is not None else {})
    return compile_once(module, backend, options)


def export(
    module: Module, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None, **more: Any
) -> ExportedProgram:
    """Export a module as torch.export.export does, with more extents left open.

        program = bl.torch.export(module.eval(), (x,), dynamic_shapes=({0: Dim.AUTO, 1: Dim.AUTO},))
        f = bl.from_torch(program)

    The number of steps of recurrent layers (LSTM, GRU, RNN) is open; torch.export.export fixes it to that of the
    example. And an extent of 0 or 1 of the example is as open as others. The program is one of torch.export.

    module, args, kwargs, more: as torch.export.export has them, dynamic_shapes and strict among these.
    """
    try:
        from ._compiled import export_open
    except ModuleNotFoundError as error:
        raise _files.explain_missing(error, "broadloom.torch.export takes modules of PyTorch") from None
    return export_open(module, args, kwargs, more)


#: What torch.compile calls it in its own messages.
backend.__name__ = "broadloom"


def refresh() -> None:
    """Lay out the weights of all compiled modules again at their next calls.

    Needed after changes of weights that torch does not count: those through `.data`
    (module.weight.data.mul_(2)), `.numpy()`, or torch._fused_adam_ and its like. It counts all others, and the steps
    of optimizers are noticed, fused ones too.
    """
    import sys

    calls = sys.modules.get(f"{__name__}._calls")
    if calls is not None:
        calls.refresh()


_source.register(_source.Reader(_files.is_archive, lambda model: _files.read_exported(model.data, model.name)))
