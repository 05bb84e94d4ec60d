"""The order of nodes: each behind those whose results it reads."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from ._model import Graph, Node


def read_by(node: Node) -> set[str]:
    """Returns the names that a node reads, with those that its graphs read from around them."""
    names = set(node.inputs)
    for value in node.attributes.values():
        for graph in value if isinstance(value, list) else [value]:
            if isinstance(graph, Graph):
                own = {name for name, _ in graph.inputs} | set(graph.constants)
                own |= {name for inner in graph.nodes for name in inner.outputs}
                names |= set(graph.outputs).union(*map(read_by, graph.nodes)) - own
    return names - {""}


def order_nodes(nodes: Sequence[Node]) -> list[Node]:
    """Returns nodes in the order of the file where that does, as ONNX requires, and else each as soon as what it reads
    is there: converters put nodes at the end. Those on a cycle, and behind it, are last."""
    givers = {name: at for at, node in enumerate(nodes) for name in node.outputs if name}
    needs = [{givers[name] for name in read_by(node) if name in givers} for node in nodes]
    if all(other < at for at, found in enumerate(needs) for other in found):
        return list(nodes)
    readers: list[list[int]] = [[] for _ in nodes]
    for at, found in enumerate(needs):
        for other in found:
            readers[other].append(at)
    counts = [len(found) for found in needs]
    ready = [at for at, count in enumerate(counts) if not count]
    ordered: list[int] = []
    while ready:
        at = heapq.heappop(ready)
        ordered.append(at)
        for reader in readers[at]:
            counts[reader] -= 1
            if not counts[reader]:
                heapq.heappush(ready, reader)
    left = set(range(len(nodes))).difference(ordered)
    return [nodes[at] for at in (*ordered, *sorted(left))]
