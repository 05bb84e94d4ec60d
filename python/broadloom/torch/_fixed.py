"""The extents that an export has fixed, which it says nowhere. Reports of the program have them
(infer/report/FixedExtents.h)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ._graph import ELEMENTS, Graph, Type


class FixedExtent(NamedTuple):
    """An axis of an argument that has one extent in all calls."""

    #: The argument, by the name that the export has for it.
    argument: str
    #: Its axis.
    axis: int
    #: The extent that each call must have.
    extent: int
    #: Whether dynamic_shapes leaves it open and the export has fixed it all the same.
    is_marked: bool
    #: 'file:line' of the Python that has fixed it; None where it is not known.
    location: str | None = None

    @property
    def reason(self) -> str:
        """Why it is so, and what to do."""
        if self.is_marked:
            return (
                "the export has fixed it, although dynamic_shapes leaves it open: what the module computes holds for "
                "this extent alone; write that part for all extents, or leave the axis out of dynamic_shapes to say "
                "that it is meant"
            )
        if self.extent < 2:
            return (
                f"the example of the export has {self.extent} there, which torch.export fixes whatever dynamic_shapes "
                "says; export with an example whose extent is 2 or more, and the axis in dynamic_shapes"
            )
        return f"dynamic_shapes does not leave it open; {{{self.axis}: Dim.AUTO}} for '{self.argument}' would"


_GUARD = re.compile(r"(L\[.+)\.size\(\)\[(\d+)\] == \d+")


def name_argument(source: str) -> str:
    """The export's name of an argument, of what its guards call it: 'more_a_0' of L['more']['a'][0]."""
    return "_".join(re.findall(r"\w+", source)[1:])


def find_fixed(graph: Graph, guards: Iterable[str], locations: Mapping[tuple[str, int], str]) -> tuple[FixedExtent, ...]:
    """The fixed extents of a graph's inputs. `guards` are the conditions that the export has noted of extents
    that were left open, in Python; `locations` has the line that has fixed an axis of an argument."""
    marked = set()
    for guard in guards:
        if found := _GUARD.fullmatch(guard):
            marked.add((name_argument(found[1]), int(found[2])))
    return tuple(
        FixedExtent(node.name, axis, extent, (node.name, axis) in marked, locations.get((node.name, axis)))
        for node in graph.nodes
        if node.target == "input" and isinstance(node.type, Type) and node.type.element in ELEMENTS
        for axis, extent in enumerate(node.type.shape)
        if isinstance(extent, int)
    )
