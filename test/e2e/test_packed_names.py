"""Names of memory and loops in schedules that copy (rule sch-19), by the command line."""

import broadloom
import numpy as np
import pytest
from memory_programs import function
from memory_schedules import compile_edited, edited, refusal, script

CASTS = """\
  {memory}
  affine.for %i = 0 to %n {{
    %x = affine.load %t[%i] : memref<?xi64>
    %y = affine.load {other}[%i] : {type}
    %z = arith.addi %x, %y : i64
    affine.store %z, %b[%i] : memref<?xi64>
  }} {{loom.loop = "i"}}
  return"""


def pack_named(tmp_path, memory, name, other="%b", of="memref<?xi64>", type="memref<?xi64>", packs=None):
    body = CASTS.format(memory=memory, other=other, type=type)
    text = function(f"%a: {of}, %b: memref<?xi64>, %n: index", body)
    name = name.replace('"', '\\"')
    packs = packs or [f'%p = transform.loom.pack %i of "{name}"']
    return text, script('%i = transform.loom.loop @main "i"', *packs)


# What a cast is of has the argument's name.
@pytest.mark.parametrize("of", ["memref<8xi64>", "memref<*xi64>"])
@pytest.mark.parametrize("name", ["a", "argument 'a'"])
def test_the_name_of_a_cast(tmp_path, of, name):
    text, schedule = pack_named(tmp_path, f"%t = memref.cast %a : {of} to memref<?xi64>", name, of=of)
    a, b = np.arange(8), np.arange(8) ** 2
    after = edited(tmp_path, text, schedule, [a, b], ["i64=8"])
    np.testing.assert_array_equal(after[1], a + b)


def test_a_name_of_two_memrefs(tmp_path):
    cast = "%t = memref.cast %a : memref<8xi64> to memref<?xi64>"
    text, schedule = pack_named(tmp_path, cast, "a", other="%a", of="memref<8xi64>", type="memref<8xi64>")
    assert (
        "loop 'i' touches 2 memrefs 'a', argument 'a' of type memref<?xi64> and argument 'a' of type memref<8xi64>, "
        "but a copy is of one" in refusal(tmp_path, text, schedule)
    )


# Results need no path in their names, nor a place if there is one of the operation.
ALLOC = "%t = memref.alloc(%n) : memref<?xi64>\n  %u = memref.alloc(%n) : memref<?xi64>"
RESULT = "the result of 'memref.alloc'"


@pytest.mark.parametrize("name", ["at p.mlir:2:8", "at 2:8", "at {path}:2:8", ""])
def test_the_name_of_a_result(tmp_path, name):
    text, schedule = pack_named(tmp_path, ALLOC, f"{RESULT} {name}".rstrip().format(path=tmp_path / "p.mlir"))
    outcome = compile_edited(tmp_path, text, schedule, "-o", tmp_path / "p.o")
    assert outcome.status == broadloom.DONE, outcome.error


@pytest.mark.parametrize("name", ["%t", "t"])
def test_the_name_that_the_program_has_for_a_result(tmp_path, name):
    text, schedule = pack_named(tmp_path, ALLOC, name)
    outcome = compile_edited(tmp_path, text, schedule, "-o", tmp_path / "p.o")
    assert outcome.status == broadloom.DONE, outcome.error


@pytest.mark.parametrize("name", ["at 8", "at 12:8", "at q.mlir:2:8", "at p.mlir", "at mlir:2:8"])
def test_another_name_of_a_result(tmp_path, name):
    text, schedule = pack_named(tmp_path, ALLOC, f"{RESULT} {name}")
    expected = f"touches no memory '{RESULT} {name}', but %t ({RESULT} at p.mlir:2:8) and argument 'b'"
    assert expected in refusal(tmp_path, text, schedule)


def test_a_name_of_two_results(tmp_path):
    text, schedule = pack_named(tmp_path, ALLOC, RESULT, other="%u")
    message = refusal(tmp_path, text, schedule)
    assert (
        f"touches 2 memrefs '{RESULT}', %t ({RESULT} at p.mlir:2:8) of type memref<?xi64> and %u ({RESULT} at "
        in message
    )


# Each loop that copies has a name of its own, by which it is edited.
def test_names_of_copying_loops(tmp_path):
    names = ["i.copy0", "i.copy0.2", "i.back0.2"]
    packs = ['%p = transform.loom.pack %i of "a"', '%q = transform.loom.pack %p of "b"']
    for number, name in enumerate(names):
        packs += [f'%c{number} = transform.loom.loop @main "{name}"']
        packs += [f"%v{number} = transform.loom.vectorize %c{number} by 4"]
    text, schedule = pack_named(tmp_path, "%t = memref.cast %a : memref<?xi64> to memref<?xi64>", "", packs=packs)
    a, b = np.arange(9), np.arange(9) ** 2
    after = edited(tmp_path, text, schedule, [a, b], ["i64=9"])
    np.testing.assert_array_equal(after[1], a + b)
