"""Printed schedule trees (rule sch-11): the bands tell which iterations a loop runs together, and in which order."""

import itertools
import os
import random
import re
import subprocess

import broadloom
import numpy as np
import pytest
from memory_schedules import script

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
PROGRAM = """\
func.func @main(%a: memref<?x?xf64>, %b: memref<?xf64>, %x: f64) attributes {{loom.memory}} {{
  %more = arith.constant 1000 : index
  %i0 = arith.constant {i.start} : index
  %i1 = arith.constant {i.stop} : index
  %i2 = arith.constant {i.step} : index
  %j0 = arith.constant {j.start} : index
  %j1 = arith.constant {j.stop} : index
  %j2 = arith.constant {j.step} : index
  %q0 = arith.constant {q.start} : index
  %q1 = arith.constant {q.stop} : index
  %q2 = arith.constant {q.step} : index
  scf.for %i = %i0 to %i1 step %i2 {{
    scf.for %j = %j0 to %j1 step %j2 {{
      %at0 = arith.addi %i, %more : index
      %at1 = arith.addi %j, %more : index
      memref.store %x, %a[%at0, %at1] : memref<?x?xf64>
    }} {{loom.loop = "j"}}
  }} {{loom.loop = "i"}}
  scf.for %q = %q0 to %q1 step %q2 {{
    %at = arith.addi %q, %more : index
    memref.store %x, %b[%at] : memref<?xf64>
  }} {{loom.loop = "q"}}
  return
}}
"""
BAND = re.compile(r"mldim %t\d+ : (.*) \{$", re.MULTILINE)
# With up to ten brackets in each other.
ENDS = re.compile("ends " + r"\((?:[^()]|" * 9 + r"\([^()]*\)" + r")*\)" * 9)
FILTER = re.compile(r"\{([S\d,]+)\} (.*?)(?=, \{S|$)")


def flat(run):
    """What all iterations of a run have."""
    return [one for iteration in run for one in iteration]


class Loop:
    """A loop as its runs: lists of iterations, each of which is a list of the statements' instances that it runs.

    `first` is the first value of an outermost loop's variable, and `isKnown` whether it is a constant. `variable` has
    the variable of each instance, up to an edit that copies or fuses.
    """

    def __init__(self, runs, inner=(), first=0, step=1):
        self.runs, self.inner, self.first, self.step = runs, list(inner), first, step
        self.isKnown, self.texts, self.variable = True, {}, {}

    def restricted(self, kept):
        """A copy that has these instances only."""
        runs = [[own for part in run if (own := [one for one in part if one in kept])] for run in self.runs]
        return Loop([run for run in runs if run], [part.restricted(kept) for part in self.inner], step=self.step)

    def taken(self, iterations, first):
        """A copy that has these iterations of each run, which is a function from one to the other."""
        runs = [iterations(run) for run in self.runs]
        kept = {one for run in runs for one in flat(run)}
        return Loop(runs, [part.restricted(kept) for part in self.inner], first, self.step)

    def statements(self):
        return {one[0] for run in self.runs for one in flat(run)}

    def walk(self):
        yield self
        for loop in self.inner:
            yield from loop.walk()


class Bands:
    """Loops in each other, and what the functions of the printed bands are for each instance of a statement."""

    def __init__(self, i, j, q):
        all_i = [[("S1", x, y) for y in j] for x in i]
        all_q = [[("S2", x)] for x in q]
        inner = Loop([[[one] for one in part] for part in all_i], step=j.step)
        self.top = [Loop([all_i], [inner], i.start, i.step), Loop([all_q], (), q.start, q.step)]
        self.handles = {"i": self.top[0], "j": inner, "q": self.top[1]}
        self.reversals = []
        self.known = {
            "i": {one: one[1] for one in flat(all_i)},
            "j": {one: one[2] for one in flat(all_i)},
            "q": {one: one[1] for one in flat(all_q)},
        }
        for name, loop in self.handles.items():
            loop.variable = dict(self.known[name])

    def walk(self):
        return [loop for outer in self.top for loop in outer.walk()]

    def replace(self, old, *new):
        lists = [self.top, *(loop.inner for loop in self.walk())]
        place = next(place for place in lists if any(loop is old for loop in place))
        at = next(at for at, loop in enumerate(place) if loop is old)
        place[at : at + 1] = new

    def evaluate(self, text, order):
        """What a sum, quotient or remainder of what is known is. A sign belongs to what is behind it, as in Python."""
        for ends in ENDS.findall(text):
            if ends not in self.known or any(one not in self.known[ends] for one in order):
                self.learn_variable(ends)
        names = sorted((name for name in self.known if name in text), key=len, reverse=True)
        pattern = "|".join(rf"\b{name}\b" if len(name) == 1 else re.escape(name) for name in names)
        used = []
        code = re.sub(pattern, lambda found: used.append(found.group()) or f"v[{len(used) - 1}]", text)
        values = [np.array([self.known[name][one] for one in order]) for name in used]
        found = eval(code.replace(" mod ", " % "), {"floordiv": lambda a, b: a // b, "v": values})
        return dict(zip(order, found.tolist()))

    def learn(self, function, loop, texts):
        """The first number of what the band is, or the sum of the first and the last one."""
        for statement, text in texts.items():
            known = self.known.setdefault(f"{function} ({text})", {})
            for run in loop.runs:
                if own := [one for one in flat(run) if one[0] == statement]:
                    values = self.evaluate(text, own)
                    value = values[own[0]] + (values[own[-1]] if function == "ends" else 0)
                    known.update(dict.fromkeys(own, value))

    def learn_variable(self, ends):
        """The ends of a variable, whose text need be no band: those of the last loop reversed with this variable."""
        of = ends[len("ends (") : -1]
        found = [sums for variable, sums in self.reversals if self.evaluate(of, list(variable)) == variable]
        assert found, ends
        self.known.setdefault(ends, {}).update(found[-1])

    def reverse(self, loop, _):
        self.learn("ends", loop, loop.texts)
        for text in loop.texts.values() if loop.variable else ():
            if (ends := ENDS.match(text)) and text.replace(ends[0], "") in (f" - {ends[0][6:-1]}", f" - {ends[0][5:]}"):
                # What is reversed twice has no ends, and another loop may have some of the same text.
                self.known.pop(ends[0], None)
        sums = {}
        for run in loop.runs:
            values = [loop.variable[one] for one in flat(run)] if loop.variable else []
            sums.update({one: min(values) + max(values) for one in flat(run) if values})
            run.reverse()
        if sums:
            self.reversals.append((dict(loop.variable), sums))
        loop.variable = {one: sums[one] - value for one, value in loop.variable.items()}
        return [loop]

    def shift(self, loop, by):
        loop.first += by
        loop.variable = {one: value + by for one, value in loop.variable.items()}
        return [loop]

    def skew(self, outer, loop, by):
        loop.variable = {one: value + by * outer.variable[one] for one, value in loop.variable.items()}
        return [loop]

    def tile_band(self, loops, sizes):
        """Tiles of loops whose bounds, but for the first one's, depend on loops around them in the band."""
        self.learn("first", loops[0], loops[0].texts)
        keys = {one: [] for one in loops[0].variable}
        for run in loops[0].runs:
            for number, part in enumerate(run):
                for one in part:
                    keys[one].append(number // sizes[0])
        for loop, size in zip(loops[1:], sizes[1:], strict=True):
            for one, value in loop.variable.items():
                keys[one].append(value // (size * loop.step))
        for loop in loops:
            for one, value in loop.variable.items():
                keys[one].append(value)
        made, runs = [], [sorted(flat(run), key=keys.get) for run in loops[0].runs]
        for level in range(2 * len(loops)):
            parts = [[list(part) for _, part in itertools.groupby(run, lambda one: keys[one][level])] for run in runs]
            step = loops[level % len(loops)].step * (sizes[level] if level < len(loops) else 1)
            made.append(Loop(parts, [], step=step))
            runs = [part for run in parts for part in run]
        self.replace(loops[0], made[0])
        for loop, inner in itertools.pairwise(made):
            loop.inner = [inner]
        return made

    def tile(self, loop, by):
        self.learn("first", loop, loop.texts)
        chunks = [[run[at : at + by] for at in range(0, len(run), by)] for run in loop.runs]
        tiles = Loop([[flat(part) for part in run] for run in chunks], [], loop.first, loop.step * by)
        self.replace(loop, tiles)
        tiles.inner, tiles.isKnown = [loop], loop.isKnown
        for part in (part for run in chunks for part in run if loop.variable):
            tiles.variable.update(dict.fromkeys(flat(part), loop.variable[part[0][0]]))
        loop.runs = flat(chunks)
        return [tiles, loop]

    def unroll(self, loop, by):
        self.learn("first", loop, loop.texts)

        def whole(run):
            return len(run) // by * by

        copies = [loop.taken(lambda run, at=at: run[at : whole(run) : by], loop.first) for at in range(by)]
        runs = [[flat(run[at : at + by]) for at in range(0, whole(run), by)] for run in loop.runs]
        main = Loop(runs, [part for copy in copies for part in copy.inner], loop.first, loop.step * by)
        behind = loop.first + loop.step * whole(max(loop.runs, key=len, default=[]))
        rest = loop.taken(lambda run: run[whole(run) :], behind)
        main.isKnown, rest.isKnown = loop.isKnown, False
        self.replace(loop, main, rest)
        return [main, rest]

    def fuse(self, loop, second, isEqual):
        """One loop of two outermost ones, which has loops in front and behind if their bounds are not equal."""
        begin = max(loop.first, second.first)
        numbers = [range(x.first, x.first + x.step * len(x.runs[0]), x.step) for x in (loop, second)]
        common = set(numbers[0]) & set(numbers[1])

        def taken(condition):
            return [
                x.taken(lambda run, own=own: [part for part, at in zip(run, own, strict=True) if condition(at)], begin)
                for x, own in zip((loop, second), numbers, strict=True)
            ]

        x, y = taken(lambda at: at in common)
        runs = [[mine + other for mine, other in zip(x.runs[0], y.runs[0], strict=True)]]
        both = Loop(runs, x.inner + y.inner, begin, loop.step)
        made = [both]
        if isEqual:
            assert numbers[0] == numbers[1]
        else:
            before = taken(lambda at: at < begin)
            made = [*before, both, *taken(lambda at: at >= begin and at not in common)]
        self.learn("first", both, loop.texts | second.texts)
        self.replace(second)
        self.replace(loop, *made)
        return [both]

    def edit(self, kind, old, made, by, isEqual=False):
        """One of a script; whether the loops that it fuses have equal bounds is seen from their number."""
        loops = [self.handles[name] for name in old]
        if isinstance(by, list):
            new = self.tile_band(loops, by)
        else:
            new = getattr(self, kind)(*loops, isEqual if kind == "fuse" else by)
        old = old[-1:] if kind == "skew" else old
        if kind in ("unroll", "fuse"):
            # What is in a copied loop has no handle any more.
            gone = {id(part) for loop in loops for part in loop.walk()}
            self.handles = {name: loop for name, loop in self.handles.items() if id(loop) not in gone}
        self.handles = {name: loop for name, loop in self.handles.items() if name not in old}
        self.handles.update(zip(made, new, strict=True))

    def around(self, name):
        """The handles of loops around one."""
        loop = self.handles[name]
        return [x for x, outer in self.handles.items() if outer is not loop and any(y is loop for y in outer.walk())]

    def fusible(self):
        """Pairs of handles of outermost loops that count the same numbers, and have no statement twice."""
        names = {id(loop): name for name, loop in self.handles.items()}
        pairs = []
        for x, y in zip(self.top, self.top[1:]):
            isGrid = x.step == 1 or (x.isKnown and y.isKnown and (x.first - y.first) % x.step == 0)
            areDistinct = not x.statements() & y.statements()
            if isGrid and areDistinct and x.step == y.step and id(x) in names and id(y) in names:
                pairs.append([names[id(x)], names[id(y)]])
        return pairs

    def check(self, tree):
        bands = BAND.findall(tree)
        loops = self.walk()
        assert len(loops) == len(bands), tree
        for loop, band in zip(loops, bands):
            loop.texts = {name: text for names, text in FILTER.findall(band) for name in names.split(",")}
            for statement, text in loop.texts.items():
                assert not re.search(r"-[^()]* mod ", text), text
                for run in loop.runs:
                    own = [[one for one in part if one[0] == statement] for part in run]
                    values = self.evaluate(text, flat(own))
                    found = [{values[one] for one in part} for part in own if part]
                    assert all(len(part) == 1 for part in found), (text, run, tree)
                    found = [min(part) for part in found]
                    assert found == sorted(set(found)), (text, run, found, tree)


# What scripts begin with: the kind of an edit, the loops, and those that it makes.
OPENINGS = {
    "any": [],
    "skew": [("tile", "i", "t p"), ("skew", "p j", "k"), ("tile", "k", "u v")],
    "rest": [("reverse", "i", "r"), ("unroll", "r", "m n"), ("reverse", "n", "o"), ("tile", "o", "u v")],
    "fuse": [("tile", "i", "t p"), ("fuse", "t q", "f"), ("tile", "f", "u v")],
    "unequal": [("reverse", "i", "r"), ("fuse", "r q", "f"), ("reverse", "f", "o"), ("unroll", "o", "u v")],
}


def line(kind, old, made, by):
    """What a script has for an edit."""
    results, operands = (", ".join(f"%{name}" for name in names) for names in (made, old))
    sizes = by if isinstance(by, list) else [by]
    size = {"reverse": "", "fuse": "", "tile": f" by {sizes}"}.get(kind, f" by {by}")
    return f"{results} = transform.loom.{kind} {operands}{size}"


def random_edits(pick, bands, opening):
    """The edits of a script as `Bands.edit` takes them; `bands` is changed by each."""
    for kind, old, made in OPENINGS[opening]:
        # Two make the steps of the second loop.
        edit = (kind, old.split(), made.split(), 2 if opening == "fuse" and old == "i" else pick.choice([2, 3, 4]))
        bands.edit(*edit)
        yield edit
    kinds = ["reverse", "reverse", "shift", "tile", "tile", "skew", "skew"]
    # Copies of copies would take the analysis long.
    kinds += [kind for kind in ("unroll", "fuse") if all(kind != known for known, *_ in OPENINGS[opening])]
    for number in range(4):
        name, kind = pick.choice(list(bands.handles)), pick.choice(kinds)
        around, fusible = bands.around(name), bands.fusible()
        if (kind == "skew" and not around) or (kind == "fuse" and not fusible):
            continue
        if kind in ("unroll", "fuse"):
            kinds.remove(kind)
        old = pick.choice(fusible) if kind == "fuse" else [pick.choice(around), name] if kind == "skew" else [name]
        made = [f"l{number}", f"l{number}p"] if kind in ("tile", "unroll") else [f"l{number}"]
        edit = (kind, old, made, pick.choice([2, 3, 4]))
        bands.edit(*edit)
        yield edit


def aligned_edits(pick, bands, opening):
    """Edits in front of tiles of a band, which begin at multiples of their length in the variable of a loop."""
    number = itertools.count()

    def edits(*names):
        for name in names:
            for kind in pick.choices(["reverse", "shift"], k=pick.choice([0, 0, 1, 2])):
                made = f"l{next(number)}"
                yield kind, [handles[name]], [made], pick.choice([2, 3, 4])
                handles[name] = made

    def script():
        yield from edits("i")
        yield "tile", [handles["i"]], ["t", "p"], pick.choice([2, 3, 4])
        yield from edits("t", "p", "j")
        yield "skew", [handles[opening], handles["j"]], ["k"], pick.choice([1, 2, -3])
        yield from edits("k")
        band = [handles[name] for name in ("tpk" if opening == "t" else "pk")]
        made = [f"{part}{at}" for part in ("u", "v") for at in range(len(band))]
        yield "tile", band, made, [pick.choice([2, 3, 4]) for _ in band]

    handles = {name: name for name in "itpjk"}
    for edit in script():
        bands.edit(*edit)
        yield edit


@pytest.mark.parametrize("opening", [*OPENINGS, "p", "t"])
@pytest.mark.parametrize("seed", range(12))
def test_sch11_bands_behind_random_edits(tmp_path, seed, opening):
    pick = random.Random(f"{opening} {seed}")
    step, first = pick.choice([1, 2, 4]), pick.choice([0, 0, 3, -5])

    def numbers(begin, by):
        return range(begin, begin + (pick.choice([1, 7, 12, 25]) - 1) * by + 1, by)

    i, j = numbers(first, step), numbers(pick.choice([0, 3, -5]), pick.choice([1, 2, 4]))
    q = {"fuse": numbers(first, 2 * step), "unequal": numbers(first + step, step)}.get(opening)
    q = q or pick.choice([i, numbers(first + step, step), numbers(first, 2 * step)])
    edits = list((random_edits if opening in OPENINGS else aligned_edits)(pick, Bands(i, j, q), opening))
    (tmp_path / "p.mlir").write_text(PROGRAM.format(i=i, j=j, q=q))
    named = [f'%{name} = transform.loom.loop @main "{name}"' for name in "ijq"]
    (tmp_path / "s.mlir").write_text(script(*named, *(line(*edit) for edit in edits)))
    option = f"--loom-apply-schedule=file={tmp_path}/s.mlir print=true"
    told = subprocess.run([OPT, tmp_path / "p.mlir", option, "-o", os.devnull], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    # One in front of all edits, and one behind each.
    trees = told.stdout.split("schedule @main {")[1:]
    assert len(trees) == len(edits) + 1, told.stdout
    bands = Bands(i, j, q)
    bands.check(trees[0])
    for tree, edit in zip(trees[1:], edits, strict=True):
        bands.edit(*edit, isEqual=len(BAND.findall(tree)) < len(bands.walk()))
        bands.check(tree)
