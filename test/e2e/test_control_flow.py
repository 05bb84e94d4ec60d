"""Random programs of calls, branches and loops against NumPy (sf-8, bcast-7):
extents that are static behind a cast, or open, and guards that hold or fail only
on paths that are taken."""

import random
import re

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED, REJECTED

TENSOR = "tensor<?x?xf32>"
LARGEST = 20000
# An operation whose operands do not fit, with their extents.
MISFIT = re.compile(
    r"'tosa\.add': operands are not broadcast-compatible along axis [01]: extents (\S+) and (\S+) |"
    r"'tosa\.concat': input 1 has (\S+) along axis [01] but input 0 has (\S+) "
)


def assertMisfit(outcome, first):
    """The error is about operands that do not fit. A failing call names the first of
    them, or one behind it whose guard stands earlier (rt-1)."""
    # What fails for all extents is an error of the compiler.
    assert outcome.status in (GUARD_FAILED, REJECTED)
    told = MISFIT.search(outcome.error)
    assert told, outcome.error
    if outcome.status == GUARD_FAILED and first not in outcome.error:
        m, n = (int(extent) for extent in told.groups() if extent is not None)
        assert m != n and (told[0].startswith("'tosa.concat'") or 1 not in (m, n)), outcome.error


class GuardFails(Exception):
    """NumPy's run comes to operands that do not fit."""


class TooLarge(Exception):
    """Loops have made a tensor that is not worth the time."""


def types(count):
    return ", ".join([TENSOR] * count)


class Program:
    """Writes a program; with each text goes what it does to an environment, a
    dictionary from names to arrays."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.functions = []
        self.texts = []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def constant(self, value):
        name = self.name()
        return name, f"{name} = arith.constant {value} : index\n"

    def block(self, values, depth, length):
        """Adds to `values`; the text and the steps."""
        text, steps = "", []
        kinds = [self.reverse, self.concat, self.add]
        if depth:
            kinds += [self.branch, self.loop, self.call]
        for _ in range(length):
            made, more, step = self.random.choice(kinds)(values, depth - 1)
            text += more
            steps.append(step)
            values += made
        return text, steps

    def yields(self, values, count):
        names = [self.random.choice(values) for _ in range(count)]
        return names, f"scf.yield {', '.join(names)} : {types(count)}\n"

    def reverse(self, values, _):
        a, axis, v = self.random.choice(values), self.random.randrange(2), self.name()

        def step(env):
            env[v] = np.flip(env[a], axis)

        return [v], f"{v} = tosa.reverse {a} {{axis = {axis} : i32}} : ({TENSOR}) -> {TENSOR}\n", step

    def concat(self, values, _):
        a, b = self.random.choice(values), self.random.choice(values)
        axis, v = self.random.randrange(2), self.name()

        def step(env):
            m, n = env[a].shape[1 - axis], env[b].shape[1 - axis]
            if m != n:
                raise GuardFails(f"'tosa.concat': input 1 has {n} along axis {1 - axis} but input 0 has {m} ")
            if env[a].size > LARGEST:
                raise TooLarge
            env[v] = np.concatenate([env[a], env[b]], axis)

        return [v], (f"{v} = tosa.concat {a}, {b} {{axis = {axis} : i32}} : ({types(2)}) -> {TENSOR}\n"), step

    def add(self, values, _):
        a, b, v = self.random.choice(values), self.random.choice(values), self.name()

        def step(env):
            for axis, (m, n) in enumerate(zip(env[a].shape, env[b].shape)):
                if m != n and 1 not in (m, n):
                    raise GuardFails(
                        f"'tosa.add': operands are not broadcast-compatible along axis {axis}: extents {m} and {n} "
                    )
            env[v] = env[a] + env[b]

        return [v], f"{v} = tosa.add {a}, {b} : ({types(2)}) -> {TENSOR}\n", step

    def branch(self, values, depth):
        a, axis, extent = self.random.choice(values), self.random.randrange(2), self.random.choice([1, 2, 3, 4, 6])
        count, result = self.random.randint(1, 2), self.name()
        sides, texts = [], []
        for _ in range(2):
            inner = list(values)
            text, steps = self.block(inner, depth, self.random.randint(0, 3))
            names, end = self.yields(inner, count)
            sides.append((steps, names))
            texts.append(text + end)
        (i, t0), (n, t1), d, p = self.constant(axis), self.constant(extent), self.name(), self.name()
        text = (
            f"{t0}{t1}{d} = tensor.dim {a}, {i} : {TENSOR}\n{p} = arith.cmpi eq, {d}, {n} : index\n"
            f"{result}:{count} = scf.if {p} -> ({types(count)}) {{\n{texts[0]}}} else {{\n{texts[1]}}}\n"
        )
        made = [f"{result}#{k}" for k in range(count)]

        def step(env):
            steps, names = sides[0 if env[a].shape[axis] == extent else 1]
            for inner in steps:
                inner(env)
            env.update(zip(made, [env[name] for name in names]))

        return made, text, step

    def loop(self, values, depth):
        count, turns, result = self.random.randint(1, 2), self.random.randint(0, 3), self.name()
        start = [self.random.choice(values) for _ in range(count)]
        carried = [self.name() for _ in range(count)]
        inner = values + carried
        body, steps = self.block(inner, depth, self.random.randint(0, 3))
        names, end = self.yields(inner[-6:], count)
        (lo, t0), (hi, t1), (by, t2) = (self.constant(k) for k in (0, turns, 1))
        arguments = ", ".join(f"{x} = {y}" for x, y in zip(carried, start))
        text = (
            f"{t0}{t1}{t2}{result}:{count} = scf.for {self.name()} = {lo} to {hi} step {by} "
            f"iter_args({arguments}) -> ({types(count)}) {{\n{body}{end}}}\n"
        )
        made = [f"{result}#{k}" for k in range(count)]

        def step(env):
            current = [env[name] for name in start]
            for _ in range(turns):
                env.update(zip(carried, current))
                for inner in steps:
                    inner(env)
                current = [env[name] for name in names]
            env.update(zip(made, current))

        return made, text, step

    def call(self, values, depth):
        if not self.functions or self.random.random() < 0.5:
            parameters = [self.name() for _ in range(self.random.randint(1, 2))]
            inner = list(parameters)
            body, steps = self.block(inner, depth, self.random.randint(1, 3))
            result = self.random.choice(inner[-3:])
            name = f"f{self.count}"
            arguments = ", ".join(f"{p}: {TENSOR}" for p in parameters)
            self.texts.append(
                f"func.func private @{name}({arguments}) -> {TENSOR} {{\n{body}return {result} : {TENSOR}\n}}\n"
            )
            self.functions.append((name, parameters, steps, result))
        name, parameters, steps, result = self.random.choice(self.functions)
        given, v = [self.random.choice(values) for _ in parameters], self.name()

        def step(env):
            own = dict(zip(parameters, [env[a] for a in given]))
            for inner in steps:
                inner(own)
            env[v] = own[result]

        return [v], (f"{v} = func.call @{name}({', '.join(given)}) : ({types(len(given))}) -> {TENSOR}\n"), step


@pytest.mark.parametrize("seed", range(60))
def test_sf8_against_numpy(tmp_path, seed):
    program = Program(seed)
    rng = program.random
    pool = [rng.choice([1, 2, 3]), rng.choice([2, 3, 4])]
    shapes = [[rng.choice(pool), rng.choice(pool)] for _ in range(rng.randint(1, 3))]
    hidden = [rng.random() < 0.5 for _ in shapes]
    values = [f"%{'h' if h else 'a'}{i}" for i, h in enumerate(hidden)]
    declared = [f"tensor<{s[0]}x{s[1]}xf32>" if h else TENSOR for s, h in zip(shapes, hidden)]
    casts = "".join(f"%h{i} = tensor.cast %a{i} : {t} to {TENSOR}\n" for i, t in enumerate(declared) if hidden[i])
    made = list(values)
    text, steps = program.block(made, 2, rng.randint(2, 6))
    result = made[-1]
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(declared))
    path = tmp_path / "program.mlir"
    path.write_text(
        f"{''.join(program.texts)}func.func @main({arguments}) -> {TENSOR} {{\n"
        f"{casts}{text}return {result} : {TENSOR}\n}}\n"
    )
    for _ in range(2):
        env = {name: np.random.default_rng(seed).random(shape, np.float32) for name, shape in zip(values, shapes)}
        inputs = []
        for i, name in enumerate(values):
            np.save(tmp_path / f"{i}.npy", env[name])
            inputs.append(f"--input={tmp_path / f'{i}.npy'}")
        try:
            for step in steps:
                step(env)
            fails = None
        except GuardFails as misfit:
            fails = str(misfit)
        except TooLarge:
            return
        outcome = broadloom.call("run", path, *inputs, f"--output={tmp_path / 'out.npy'}")
        if fails:
            assertMisfit(outcome, fails)
        else:
            assert outcome.status == DONE, outcome.error + path.read_text()
            np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), env[result])
        # Again with other extents, where types leave them open.
        shapes = [s if h else [rng.choice(pool), rng.choice(pool)] for s, h in zip(shapes, hidden)]
