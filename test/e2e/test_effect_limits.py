"""Limits of what is read of effects (ffi-5, ffi-6, eff-1): beyond each one, all elements may be accessed, a
declaration is not compared, or a loop is in order, with the reason, soon, and never for sure."""

import os
import re
import subprocess

import broadloom
import pytest

OPT = os.path.join(os.path.dirname(broadloom.PROGRAM), "broadloom-opt")
ALL = '#loom.access_set<0, #loom.relation<"()[arg0_0] -> (r0) : (0 <= r0 <= arg0_0 - 1)">, [dim(0, 0)]>'


def run(tmp_path, text, *passes):
    (tmp_path / "p.mlir").write_text(text)
    return subprocess.run([OPT, tmp_path / "p.mlir", *passes], capture_output=True, text=True, timeout=60, check=False)


def infer(tmp_path, text):
    """What --loom-infer-effects writes, by function."""
    done = run(tmp_path, text, "--loom-infer-effects")
    assert done.returncode == 0, done.stderr
    return {m[1]: m[0] for m in re.finditer(r"func\.func (?:private )?@(\w+)\(.*", done.stdout)}


def warnings(tmp_path, text):
    """Why a declaration is not compared."""
    done = run(tmp_path, text, "--loom-mark-memory-functions", "--loom-bind-externals")
    assert done.returncode == 0, done.stderr
    return re.findall(r"warning: not compared with 'loom.effects' of '@f': (.*)", done.stderr)


def function(name, body, arguments="%n: index", declared="", memory="memref<?xf32>"):
    effects = f" attributes {{loom.effects = {{{declared}}}}}" if declared is not None else ""
    return f"func.func @{name}(%a: {memory}, {arguments}){effects} {{\n{body}  return\n}}\n"


def loads(count, begin=0):
    return "".join(
        f"  %c{k} = arith.constant {k} : index\n  %v{k} = memref.load %a[%c{k}] : memref<?xf32>\n"
        for k in range(begin, begin + count)
    )


def test_accesses_of_an_argument(tmp_path):
    assert "may_reads" not in infer(tmp_path, function("f", loads(128), declared=None))["f"]
    found = infer(tmp_path, function("f", loads(129), declared=None))["f"]
    # What was read before stays sure.
    assert f"may_reads = [{ALL}]" in found and found.count("r0 == 127") == 1 and "r0 == 128" not in found
    declared = 'may_reads = [#loom.access_set<0, #loom.relation<"() -> (r0) : (0 <= r0 <= 127)">>]'
    told = warnings(tmp_path, function("f", loads(129), declared=declared))
    assert len(told) == 1 and told[0].endswith("because there are more than 128 accesses of this argument"), told


def test_sets_of_a_program(tmp_path):
    """Each call reads 100 sets beyond the first four, of which there are 4,096: 40 calls and no more."""
    callee = function("g", loads(104), declared=None)
    call = "  call @g(%a, %n) : (memref<?xf32>, index) -> ()\n"
    text = callee + "".join(function(f"f{k}", call, declared=None) for k in range(60))
    found = infer(tmp_path, text)
    for k in range(60):
        assert ("may_reads" in found[f"f{k}"]) == (k >= 40), k
        assert (" reads" in found[f"f{k}"].replace("may_reads", "")) == (k < 40), k
    # Calls of functions with up to four sets are read all the same.
    small = function("h", loads(4), declared=None)
    last = small + function("last", call.replace("@g", "@h"), declared=None)
    assert "may_reads" not in infer(tmp_path, text + last)["last"]
    declared = ", ".join(f'#loom.access_set<0, #loom.relation<"() -> (r0) : (0 <= r0 <= {k})">>' for k in (102, 50))
    one = function("f", call, declared=f"may_reads = [{declared}]")
    told = warnings(tmp_path, text + one)
    assert told == [
        (
            "'func.call' reads elements of argument 0 that are not known, because the program's calls access too many"
            " sets of elements"
        )
    ]


def test_cases_of_conditions(tmp_path):
    def either(number, depth):
        """A condition of so many cases."""
        text = f"  %x{depth}_0 = arith.cmpi eq, %n, %c0 : index\n"
        for k in range(1, number):
            text += (
                f"  %y{depth}_{k} = arith.cmpi eq, %n, %c{k} : index\n"
                f"  %x{depth}_{k} = arith.ori %x{depth}_{k - 1}, %y{depth}_{k} : i1\n"
            )
        return text + f"  scf.if %x{depth}_{number - 1} {{\n"

    constants = "".join(f"  %c{k} = arith.constant {k} : index\n" for k in range(5))
    access = "  %v = memref.load %a[%n] : memref<?xf32>\n"
    sixteen = function("f", constants + either(4, 0) + either(4, 1) + access + "  }\n  }\n", declared=None)
    assert "may_reads" not in infer(tmp_path, sixteen)["f"]
    body = constants + either(4, 0) + either(5, 1) + access + "  }\n  }\n"
    found = infer(tmp_path, function("f", body, declared=None))["f"]
    assert "may_reads" in found and " reads" not in found.replace("may_reads", "")
    told = warnings(tmp_path, function("f", body))
    assert len(told) == 1 and told[0].endswith("because there are too many cases in the conditions around it"), told


def test_a_set_with_too_many_numbers(tmp_path):
    """A relation has at most 64 names."""
    count = 70
    arguments = ", ".join(f"%n{k}: index" for k in range(count))
    body = "".join(f"  affine.if affine_set<()[n] : (n - {k} >= 0)>()[%n{k}] {{\n" for k in range(count))
    body += "  %v = affine.load %a[symbol(%n0)] : memref<?xf32>\n" + "  }\n" * count
    found = infer(tmp_path, function("f", body, arguments, declared=None))["f"]
    assert f"may_reads = [{ALL}]" in found
    told = warnings(tmp_path, function("f", body, arguments))
    assert len(told) == 1 and told[0].endswith("because of its set, there are more than 64 names"), told


def test_assumptions(tmp_path):
    """Of a function's entry block, 32 assertions and 16 accesses are assumed, and no more."""
    assertion = '  %is{0} = arith.cmpi slt, %n, %c{0} : index\n  cf.assert %is{0}, "less"\n'
    access = "  %v = memref.load %a[%n] : memref<?xf32>\n"
    declared = 'may_reads = [#loom.access_set<0, #loom.relation<"() -> (r0) : (0 <= r0 <= 7)">>]'

    def text(count):
        constants = "".join(
            f"  %c{k} = arith.constant {1000 - k if k < count - 1 else 8} : index\n" for k in range(count)
        )
        return function("f", constants + "".join(assertion.format(k) for k in range(count)) + access, declared=declared)

    passes = "--loom-mark-memory-functions", "--loom-bind-externals"
    assert run(tmp_path, text(32), *passes).returncode == 0
    assert "reads element [8]" in run(tmp_path, text(33), *passes).stderr
    # Of b, which has 8 elements, the last access says what n is.
    # What the first block has beyond that is read as in loops, with two cases each of 32.
    for count in (15, 16, 31, 32):
        body = "".join(f"  %w{k} = memref.load %b[%m] : memref<8xf32>\n" for k in range(count))
        body += "  %x = memref.load %b[%n] : memref<8xf32>\n" + access
        found = run(
            tmp_path,
            function("f", body, "%n: index, %b: memref<8xf32>, %m: index", declared + ", may_reads = []")
            .replace(", may_reads = []", "")
            .replace('7)">>]', '7)">>, #loom.access_set<2, #loom.relation<"() -> (r0) : (0 <= r0 <= 7)">>]'),
            *passes,
        )
        assert ("reads element [8]" in found.stderr) == (count == 32), found.stderr


def own(extents):
    """All elements of each argument by the extent of another one: a copy compares them."""
    return [
        f'#loom.access_set<{argument}, #loom.relation<"(d) -> (i) : (0 <= i, i < d)">, [dim({other}, 0)]>'
        for argument, other in extents
    ]


@pytest.mark.parametrize("count", [15, 16, 100])
def test_accesses_in_front_of_a_copy(tmp_path, count):
    reads, writes = own([(0, 1)]), own([(1, 0)])
    body = "".join(
        f"  %c{k} = arith.constant {k} : index\n  %x{k} = memref.load %c[%c{k}] : memref<?xf32>\n" for k in range(count)
    )
    declared = f"reads = {reads}, may_reads = {own([(2, 2)])}, writes = {writes}".replace("'", "")
    body += "  memref.copy %a, %b : memref<?xf32> to memref<?xf32>\n"
    assert not warnings(tmp_path, function("f", body, "%b: memref<?xf32>, %c: memref<?xf32>", declared))


@pytest.mark.parametrize("count", [63, 64, 200])
def test_calls_in_front_of_a_copy(tmp_path, count):
    """More calls than are assumed: the last one is read as those in loops are, or nothing is decided."""
    copy = function("g", "  memref.copy %a, %b : memref<?xf32> to memref<?xf32>\n", "%b: memref<?xf32>", None)
    call = "  call @g({}) : (memref<?xf32>, memref<?xf32>) -> ()\n"
    reads, writes = own([(0, 1)]), own([(1, 0)])
    declared = f"reads = {reads}, may_reads = {own([(2, 2)])}, writes = {writes}, may_writes = {own([(3, 3)])}"
    arguments = "%b: memref<?xf32>, %p: memref<?xf32>, %q: memref<?xf32>"
    body = call.format("%p, %q") * count + call.format("%a, %b")
    told = warnings(tmp_path, copy + function("f", body, arguments, declared.replace("'", "")))
    assert all("it is not known which calls fail" in text for text in told) and (count > 64 or not told), told


def test_calls_that_fail_in_loops(tmp_path):
    """Where there are too many checks in loops, a copy's set is not decided."""
    relation = '#loom.relation<"()[n, e] -> (r0) : (0 <= r0 < e, 1 <= n)">'

    def text(count):
        copies = "".join(f"    memref.copy %a, %b{k} : memref<?xf32> to memref<?xf32>\n" for k in range(count))
        writes = ", ".join(f"#loom.access_set<{k + 2}, {relation}, [1, dim({k + 2}, 0)]>" for k in range(count))
        arguments = "%n: index" + "".join(f", %b{k}: memref<?xf32>" for k in range(count))
        declared = f"reads = [#loom.access_set<0, {relation}, [1, dim(0, 0)]>], writes = [{writes}]"
        return function("f", "  affine.for %i = 0 to %n {\n" + copies + "  }\n", arguments, declared)

    # Each has two cases, of which there may be 32.
    assert not warnings(tmp_path, text(16))
    told = warnings(tmp_path, text(18))
    assert told and all(
        text.endswith("is not decided, because it is not known which calls fail where extents are compared")
        for text in told
    ), told


@pytest.mark.parametrize("count", [64, 65])
def test_accesses_of_a_loop(tmp_path, count):
    body = "".join(f"    %v{k} = affine.load %a[%i + {k}] : memref<?xf32>\n" for k in range(count - 1))
    body += "    affine.store %v0, %b[%i] : memref<?xf32>\n"
    text = function("main", f"  affine.for %i = 0 to %n {{\n{body}  }}\n", "%n: index, %b: memref<?xf32>", None)
    assert_order(tmp_path, text, "" if count == 64 else "it has more than 64 accesses")


@pytest.mark.parametrize("count", [11, 12])
def test_pairs_of_accesses(tmp_path, count):
    body = "".join(f"    affine.store %x, %a[{count} * %i + {k}] : memref<?xf32>\n" for k in range(count))
    text = function(
        "main", f"  %x = arith.constant 1.0 : f32\n  affine.for %i = 0 to %n {{\n{body}  }}\n", declared=None
    )
    assert_order(tmp_path, text, "" if count == 11 else "it has too many pairs of accesses to one memory")


def test_accesses_of_a_called_function(tmp_path):
    for count in (32, 33):
        callee = function(
            "g", loads(count - 1) + "  memref.store %v0, %b[%n] : memref<?xf32>\n", "%n: index, %b: memref<?xf32>", None
        )
        body = "  affine.for %i = 0 to %n {\n    func.call @g(%a, %i, %b) : (memref<?xf32>, index, memref<?xf32>) -> ()\n  }\n"
        text = callee + function("main", body, "%n: index, %b: memref<?xf32>", None)
        assert_order(tmp_path, text, "" if count == 32 else "it has 'func.call'")


def assert_order(tmp_path, text, reason):
    """Whether `check` has the loop of main as parallel, without a reason, or in order."""
    (tmp_path / "p.mlir").write_text(text)
    outcome = broadloom.call("check", tmp_path / "p.mlir", "--function=main")
    told = " ".join(outcome.out.split("\nloops\n")[1].split("\nby operation\n")[0].split())
    assert ("in order because " + reason if reason else "parallel because") in told, told


@pytest.mark.parametrize("declared", ["0 <= i, i < m", "0 <= i, i <= m", "0 <= i, i < 2*m", "i == m"])
@pytest.mark.parametrize("kind", ["i32", "i64", "index"])
def test_what_a_declared_set_asserts_of_its_scalars(tmp_path, kind, declared):
    """The assertion that a declared set's numbers fit is read in a loop around the call (ffi-4)."""
    row = "memref<?xf64, strided<[1], offset: ?>>"
    effects = (
        f'deterministic, reentrant, writes = [#loom.access_set<0, #loom.relation<"(m) -> (i) : ({declared})">, [1]>]'
    )
    text = f"""func.func private @ext(%a: {row}, %m: {kind}) attributes {{loom.effects = {{{effects}}}}}
func.func @main(%a: memref<?x?xf64>, %m: {kind}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  affine.for %i = 0 to %n {{
    %v = memref.subview %a[%i, 0] [1, %k] [1, 1] : memref<?x?xf64> to {row}
    func.call @ext(%v, %m) : ({row}, {kind}) -> ()
  }}
  return
}}
"""
    assert_order(tmp_path, text, "")
