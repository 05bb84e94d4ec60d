"""Programs over memory with schedules by the command line, and what NumPy makes of products."""

import broadloom
import numpy as np
from memory_programs import fails, function, run, scalars


def script(*lines):
    body = "\n".join(f"    {line}" for line in [*lines, "transform.yield"])
    return (
        "module attributes {transform.with_named_sequence} {\n"
        f"  transform.named_sequence @__transform_main(%program: !transform.any_op) {{\n{body}\n  }}\n}}\n"
    )


def gemm(m="?", n="?", k="?"):
    a, b, c = f"memref<{m}x{k}xf32>", f"memref<{k}x{n}xf32>", f"memref<{m}x{n}xf32>"
    return function(
        f"%a: {a}, %b: {b}, %c: {c}, %m: index, %n: index, %k: index",
        f"""\
  affine.for %i = 0 to %m {{
    affine.for %j = 0 to %n {{
      affine.for %l = 0 to %k {{
        %x = affine.load %a[%i, %l] : {a}
        %y = affine.load %b[%l, %j] : {b}
        %z = affine.load %c[%i, %j] : {c}
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : {c}
      }} {{loom.loop = "l"}}
    }} {{loom.loop = "j"}}
  }} {{loom.loop = "i"}}
  return""",
    )


def edited(tmp_path, text, schedule, arrays, scalars=()):
    (tmp_path / "s.mlir").write_text(schedule)
    outcome, after = run(tmp_path, text, arrays, scalars, f"--schedule={tmp_path}/s.mlir")
    assert outcome.status == broadloom.DONE, outcome.error
    return after


def compile_edited(tmp_path, text, schedule, *options):
    (tmp_path / "p.mlir").write_text(text)
    (tmp_path / "s.mlir").write_text(schedule)
    return broadloom.call("compile", tmp_path / "p.mlir", f"--schedule={tmp_path}/s.mlir", *options)


def refusal(tmp_path, text, schedule, *options):
    outcome = compile_edited(tmp_path, text, schedule, "-o", tmp_path / "p.o", *options)
    assert outcome.status == broadloom.REJECTED, outcome.error
    assert not (tmp_path / "p.o").exists()
    return outcome.error.replace(f"{tmp_path}/", "")


def products(m, n, k, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.random(shape, np.float32) for shape in ((m, k), (k, n), (m, n))]


def in_order(a, b, c):
    """Each sum by its products, in their order and rounded, as the program has them."""
    for number in range(a.shape[1]):
        c = c + a[:, number, None] * b[None, number]
    return c


def has_same_bits(tmp_path, schedule, extents, sizes):
    """Of products of such sizes, whose extents are open or static."""
    a, b, c = products(*sizes)
    text = gemm() if extents == "?" else gemm(*sizes)
    after = edited(tmp_path, text, schedule, [a, b, c], scalars(*sizes))
    assert after[2].tobytes() == in_order(a, b, c).tobytes()
    assert after[0].tobytes() == a.tobytes() and after[1].tobytes() == b.tobytes()


def tells_the_same(tmp_path, schedule):
    """What is outside, as without a schedule."""
    (tmp_path / "s.mlir").write_text(schedule)
    arrays, numbers = products(5, 6, 7), scalars(5, 9, 7)
    error = fails(tmp_path, gemm(), arrays, numbers, f"--schedule={tmp_path}/s.mlir")
    assert error == fails(tmp_path, gemm(), arrays, numbers)
    assert "index 6 is outside axis 1 of argument" in error
