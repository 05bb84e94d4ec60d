"""Makes the program and the calls of a finding small."""

import copy

from nest_program import Branch, Index, Loop, Name, Number, Operation, children, index


class Shrinker:
    """`judge` says what is wrong with a case, or None; a smaller one must have the same kind of finding."""

    def __init__(self, judge, most=300):
        self.judge, self.left = judge, most

    def shrink(self, case, finding):
        if finding.call is not None:
            self.try_case(case, lambda c: setattr(c, "calls", [finding.call]), finding)
        place = 0
        while self.left > 0 and place < len(list(edits(case))):
            self.left -= 1
            smaller = copy.deepcopy(case)
            list(edits(smaller))[place]()
            found = self.find(smaller)
            if found and found.kind == finding.kind:
                case, finding = smaller, found
            else:
                place += 1
        return case, finding

    def try_case(self, case, change, finding):
        calls = case.calls
        change(case)
        found = self.find(case)
        if not found or found.kind != finding.kind:
            case.calls = calls

    def find(self, case):
        """A program that is not valid is none that shows the finding."""
        try:
            return self.judge(case)
        except Exception:
            return None


def edits(case):
    """Functions that change the case, each to a smaller one."""
    for place in range(len(case.functions) - 1):
        yield lambda place=place: case.functions.pop(place)
    for function in case.functions:
        yield from block_edits(function.body)


def block_edits(body):
    for place, node in enumerate(body):
        yield lambda place=place: body.pop(place)
        for inner in inner_blocks(node):
            yield lambda place=place, inner=inner: body.__setitem__(slice(place, place + 1), inner)
            yield from block_edits(inner)
        if isinstance(node, Loop):
            if node.step != 1:
                yield lambda node=node: setattr(node, "step", 1)
            for bounds in (node.lowers, node.uppers):
                if len(bounds) > 1:
                    yield bounds.pop
                yield from list_edits(bounds)
        elif isinstance(node, Branch):
            for place, _ in enumerate(node.conditions[1:]):
                yield lambda node=node, place=place: node.conditions.pop(place)
        else:
            yield from value_edits(node)


def inner_blocks(node):
    if isinstance(node, Loop):
        return [node.body]
    return [node.then, node.otherwise] if isinstance(node, Branch) else []


def list_edits(forms):
    """Simpler bounds, subscripts or operands."""
    for place, form in enumerate(forms):
        for part in simpler(form):
            yield lambda place=place, part=part: forms.__setitem__(place, part)


def simpler(form):
    if isinstance(form, Number | Name):
        return [] if form == Number(0) else [index(0)]
    if isinstance(form, Index):
        return [part for part in (form.left, getattr(form, "right", None)) if part is not None]
    return list(form.operands) if isinstance(form, Operation) else []


def value_edits(node):
    """Of a store, a load, a view or a call: its indices and what it computes."""
    for inner in children(node):
        if isinstance(inner, list):
            yield from list_edits(inner)
            for part in inner:
                yield from value_edits(part) if not isinstance(part, Index | str) else ()
        elif not isinstance(inner, Index):
            yield from value_edits(inner)
    if hasattr(node, "value") and isinstance(getattr(node, "value", None), Operation):
        for part in node.value.operands:
            yield lambda part=part: setattr(node, "value", part)
