"""What stands behind the colon of an error about an access: the program's expression and the iteration (rt-2)."""

import re

import broadloom as bl
import numpy as np
import pytest

X = np.zeros(5)
XX = np.zeros((5, 5))

# Arguments, body from line 2 on, what is passed, and the end of the message.
CASES = {
    "shifted": (
        "%a: memref<?xf64>, %n: index",
        "affine.for %i = 0 to %n {\n%x = affine.load %a[%i - 1] : memref<?xf64>\n}",
        (X, 3),
        "index -1 is outside axis 0 of argument 'a', whose extent is 5: %i - 1 with %i = 0 (<text>:2:1)",
    ),
    "alone": (
        "%a: memref<?xf64>, %n: index",
        "affine.for %i = 0 to %n {\n%x = affine.load %a[%i] : memref<?xf64>\n}",
        (X, 7),
        "extent is 5: %i = 5 (<text>:2:1)",
    ),
    "two loops": (
        "%a: memref<?xf64>, %n: index",
        "affine.for %i = 0 to %n {\naffine.for %j = 0 to %n {\n%x = affine.load %a[%j + %i - 1] : memref<?xf64>\n}\n}",
        (X, 7),
        (
            "index -1 is outside axis 0 of argument 'a', whose extent is 5: "
            "%j + %i - 1 with %i = 0 (<text>:2:1), %j = 0 (<text>:3:1)"
        ),
    ),
    "the loop that the bound depends on": (
        "%a: memref<?xf64>, %n: index",
        (
            "affine.for %i = 0 to %n {\naffine.for %j = 0 to affine_map<(d0) -> (2 * d0)>(%i) {\n"
            "%x = affine.load %a[%j] : memref<?xf64>\n}\n}"
        ),
        (X, 7),
        "index 5 is outside axis 0 of argument 'a', whose extent is 5: %j with %i = 3 (<text>:2:1), %j = 5 (<text>:3:1)",
    ),
    "and no other loop": (
        "%a: memref<?xf64>, %n: index",
        "affine.for %i = 0 to %n {\naffine.for %j = 0 to %n {\n%x = affine.load %a[%j] : memref<?xf64>\n}\n}",
        (X, 7),
        "extent is 5: %j = 5 (<text>:3:1)",
    ),
    "a store of scf, by arith": (
        "%a: memref<?x?xf64>, %m: i64",
        (
            "%c2 = arith.constant 2 : index\n%c0 = arith.constant 0 : index\n%n = arith.index_cast %m : i64 to index\n"
            "%z = arith.constant 0.0 : f64\nscf.for %i = %c0 to %n step %c2 {\n%k = arith.muli %i, %n : index\n"
            "%l = arith.subi %k, %c2 : index\nmemref.store %z, %a[%i, %l] : memref<?x?xf64>\n}"
        ),
        (XX, 4),
        (
            "index -2 is outside axis 1 of argument 'a', whose extent is 5: "
            "%i * %m - 2 with %i = 0 (<text>:6:1), %m = 4 (argument 'm')"
        ),
    ),
    "floordiv, mod, min": (
        "%a: memref<?x?xf64>, %n: index",
        (
            "affine.for %i = 0 to 9 {\n%k = affine.min affine_map<(d0)[s0] -> (d0 mod 3 + 2, s0)>(%i)[%n]\n"
            "%x = memref.load %a[%i, %k] : memref<?x?xf64>\n"
            "%y = affine.load %a[(%i + symbol(%n)) floordiv 4, %i mod 4] : memref<?x?xf64>\n}"
        ),
        (np.zeros((9, 4)), 20),
        (
            "index 4 is outside axis 1 of argument 'a', whose extent is 4: min(%i mod 3 + 2, %n) with %i = 2 (<text>:2:1), "
            "%n = 20 (argument 'n')"
        ),
    ),
    "a quotient of a sum": (
        "%a: memref<?xf64>, %n: index",
        "affine.for %i = 0 to 9 {\n%y = affine.load %a[(%i + symbol(%n)) floordiv 4 - %i * 2] : memref<?xf64>\n}",
        (X, 3),
        (
            "index -1 is outside axis 0 of argument 'a', whose extent is 5: (%i + %n) floordiv 4 - %i * 2 with "
            "%i = 1 (<text>:2:1), %n = 3 (argument 'n')"
        ),
    ),
    "an index from memory": (
        "%a: memref<?xf64>, %at: memref<?xindex>, %n: index",
        (
            "affine.for %i = 0 to %n {\n%k = affine.load %at[%i] : memref<?xindex>\n%c1 = arith.constant 1 : index\n"
            "%l = arith.addi %k, %c1 : index\n%x = memref.load %a[%l] : memref<?xf64>\n}"
        ),
        (X, np.array([1, 4, 2]), 3),
        "index 5 is outside axis 0 of argument 'a', whose extent is 5: %k + 1 with %k = 4 (<text>:3:6)",
    ),
    "a narrow loop": (
        "%a: memref<?xf64>, %n: i32",
        (
            "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\nscf.for %i = %c0 to %n step %c1 : i32 {\n"
            "%k = arith.index_cast %i : i32 to index\n%x = memref.load %a[%k] : memref<?xf64>\n}"
        ),
        (X, 7),
        "extent is 5: %i = 5 (<text>:4:1)",
    ),
    "narrow arithmetic": (
        "%a: memref<?xf64>, %n: i32",
        (
            "%c1 = arith.constant 1 : i32\n%m = arith.addi %n, %c1 : i32\n%k = arith.index_cast %m : i32 to index\n"
            "%x = memref.load %a[%k] : memref<?xf64>"
        ),
        (X, 2**31 - 1),
        (
            "index -2147483648 is outside axis 0 of argument 'a', whose extent is 5: "
            "i32(%n + 1) with %n = 2147483647 (argument 'n')"
        ),
    ),
    "narrow arithmetic that cannot wrap": (
        "%a: memref<?xf64>, %n: i8",
        (
            "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n%c3 = arith.constant 3 : i32\n"
            "%m = arith.extsi %n : i8 to i32\nscf.for %i = %c0 to %c3 step %c1 : i32 {\n"
            "%p = arith.muli %m, %i : i32\n%q = arith.addi %p, %c3 : i32\n%k = arith.index_cast %q : i32 to index\n"
            "%x = memref.load %a[%k] : memref<?xf64>\n}"
        ),
        (X, -2),
        (
            "index -1 is outside axis 0 of argument 'a', whose extent is 5: "
            "%n * %i + 3 with %i = 2 (<text>:6:1), %n = -2 (argument 'n')"
        ),
    ),
    "a narrow loop without a sign": (
        "%a: memref<?xf64>",
        (
            "%c0 = arith.constant 0 : i8\n%c1 = arith.constant 1 : i8\n%n = arith.constant -56 : i8\n"
            "%c20 = arith.constant 20 : i8\nscf.for unsigned %i = %c0 to %n step %c1 : i8 {\n"
            "%p = arith.addi %i, %c20 : i8\n%k = arith.index_cast %p : i8 to index\n"
            "%x = memref.load %a[%k] : memref<?xf64>\n}"
        ),
        (np.zeros(200),),
        "whose extent is 200: i8(%i + 20) with %i = 108 (<text>:6:1)",
    ),
    "a narrow number that is cut": (
        "%a: memref<?xf64>, %n: index",
        (
            "%c1 = arith.constant 1 : i16\n%m = arith.index_cast %n : index to i16\n%p = arith.addi %m, %c1 : i16\n"
            "%k = arith.index_cast %p : i16 to index\n%x = memref.load %a[%k] : memref<?xf64>"
        ),
        (X, 2**16 + 6),
        "index 7 is outside axis 0 of argument 'a', whose extent is 5: i16(%m + 1) with %m = 6 (<text>:3:6)",
    ),
    "a sum that wraps": (
        "%a: memref<?xf64>, %n: index",
        "%c1 = arith.constant 1 : index\n%k = arith.addi %n, %c1 : index\n%x = memref.load %a[%k] : memref<?xf64>",
        (X, 2**63 - 1),
        (
            "index -9223372036854775808 is outside axis 0 of argument 'a', whose extent is 5: "
            "%n + 1 with %n = 9223372036854775807 (argument 'n')"
        ),
    ),
    "an argument without a name": (
        "%arg0: memref<?xf64>, %arg1: index",
        "%c3 = arith.constant 3 : index\n%k = arith.muli %arg1, %c3 : index\n%x = memref.load %arg0[%k] : memref<?xf64>",
        (X, 2),
        "index 6 is outside axis 0 of argument 0, whose extent is 5: arg1 * 3 with arg1 = 2 (argument 1)",
    ),
    "a constant": (
        "%a: memref<?xf64>, %n: index",
        "%c9 = arith.constant 9 : index\n%x = memref.load %a[%c9] : memref<?xf64>",
        (X, 2),
        "index 9 is outside axis 0 of argument 'a', whose extent is 5",
    ),
    "blocks": (
        "%a: memref<?xf64>, %n: index",
        (
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\ncf.br ^head(%c0 : index)\n^head(%i: index):\n"
            "%x = memref.load %a[%i] : memref<?xf64>\n%j = arith.addi %i, %c1 : index\n"
            "%more = arith.cmpi slt, %j, %n : index\ncf.cond_br %more, ^head(%j : index), ^end\n^end:"
        ),
        (X, 7),
        "extent is 5: %i = 5",
    ),
    "vectors": (
        "%a: memref<?xf64>, %n: index",
        "affine.for %i = 0 to %n {\n%x = affine.vector_load %a[%i * 2] : memref<?xf64>, vector<4xf64>\n}",
        (X, 7),
        "index 5 is outside axis 0 of argument 'a', whose extent is 5: %i * 2 + 3 with %i = 1 (<text>:2:1)",
    ),
    "a view": (
        "%a: memref<?xf64>, %n: index",
        (
            "affine.for %i = 0 to %n {\n%v = memref.subview %a[%i] [2] [3] : memref<?xf64> to "
            "memref<2xf64, strided<[3], offset: ?>>\n%x = affine.load %v[1] : memref<2xf64, strided<[3], offset: ?>>\n}"
        ),
        (X, 7),
        (
            "the view takes 2 elements of axis 0 of argument 'a' from 2 on in steps of 3, but the extent is 5: "
            "2 elements from %i on in steps of 3 with %i = 2 (<text>:2:1)"
        ),
    ),
    "parallel": (
        "%a: memref<?x?xf64>, %n: index",
        "affine.parallel (%i, %j) = (0, 0) to (%n, 4) {\n%x = affine.load %a[%i, %j + 2] : memref<?x?xf64>\n}",
        (XX, 3),
        "index 5 is outside axis 1 of argument 'a', whose extent is 5: %j + 2 with %j = 3 (<text>:2:1)",
    ),
    "atomic": (
        "%a: memref<?xf64>, %n: index",
        (
            "%z = arith.constant 0.0 : f64\n%c1 = arith.constant 1 : index\naffine.for %i = 0 to %n {\n"
            "%k = arith.addi %i, %c1 : index\n"
            "%x = memref.atomic_rmw addf %z, %a[%k] : (f64, memref<?xf64>) -> f64\n}"
        ),
        (X, 7),
        "index 5 is outside axis 0 of argument 'a', whose extent is 5: %i + 1 with %i = 4 (<text>:4:1)",
    ),
    "the dialect index": (
        "%a: memref<?xf64>, %n: index",
        (
            "%c2 = index.constant 2\naffine.for %i = 0 to %n {\n%k = index.mul %i, %c2\n%l = index.add %k, %n\n"
            "%x = memref.load %a[%l] : memref<?xf64>\n}"
        ),
        (X, 3),
        (
            "index 5 is outside axis 0 of argument 'a', whose extent is 5: "
            "%i * 2 + %n with %i = 1 (<text>:3:1), %n = 3 (argument 'n')"
        ),
    ),
    "a value that a loop carries": (
        "%a: memref<?xf64>, %n: index",
        (
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
            "%r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0) -> index {\n"
            "%x = memref.load %a[%p] : memref<?xf64>\n%q = arith.addi %p, %c3 : index\nscf.yield %q : index\n}"
        ),
        (X, 7),
        "extent is 5: %p = 6 (<text>:5:6)",
    ),
    "what a guard in front of the loops knows": (
        "%a: memref<?xf64>, %n: index, %m: index",
        "affine.for %i = 0 to %m {\n%x = affine.load %a[symbol(%n) * 2] : memref<?xf64>\n}",
        (X, 3, 10**9),
        "index 6 is outside axis 0 of argument 'a', whose extent is 5: %n * 2 with %n = 3 (argument 'n')",
    ),
    "a remainder that is subtracted": (
        "%a: memref<?xf64>, %n: index",
        "%x = affine.load %a[7 - symbol(%n) mod 4] : memref<?xf64>",
        (X, 5),
        "index 6 is outside axis 0 of argument 'a', whose extent is 5: -(%n mod 4) + 7 with %n = 5 (argument 'n')",
    ),
    "a factor of a quotient that is subtracted": (
        "%a: memref<?xf64>, %n: index",
        "%x = affine.load %a[symbol(%n) floordiv 2 * -3 + 4] : memref<?xf64>",
        (X, 5),
        "whose extent is 5: -(%n floordiv 2 * 3) + 4 with %n = 5 (argument 'n')",
    ),
    "a narrow number without a sign": (
        "%a: memref<?xf64>, %k: i32",
        "%l = arith.index_castui %k : i32 to index\n%x = memref.load %a[%l] : memref<?xf64>",
        (X, -1),
        "index 4294967295 is outside axis 0 of argument 'a', whose extent is 5: %l = 4294967295 (<text>:2:6)",
    ),
    "a loop that starts with another loop's value": (
        "%a: memref<?xf64>, %c: memref<?xf64>, %at: memref<?xindex>, %n: index",
        (
            "affine.for %i = 0 to %n {\n%s = affine.load %c[%i] : memref<?xf64>\n"
            "%r = affine.for %j = 0 to 5 iter_args(%t = %s) -> f64 {\n%k = affine.load %at[%j] : memref<?xindex>\n"
            "%l = arith.addi %j, %k : index\n%x = memref.load %a[%l] : memref<?xf64>\n"
            "%u = arith.addf %x, %t : f64\naffine.yield %u : f64\n}\naffine.store %r, %c[%i] : memref<?xf64>\n}"
        ),
        (X, np.zeros(5), np.ones(5, dtype=np.int64), 3),
        "whose extent is 5: %j + %k with %j = 4 (<text>:4:6), %k = 1 (<text>:5:6)",
    ),
    "two elements of the list": (
        '%a: memref<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i <= n - 1)">>, %n: index',
        (
            "affine.for %i = 0 to %n {\n%x = affine.load %a[%i, %i + 1] : "
            'memref<?x?xf64, #loom.shape<"(i, j)[n] : (0 <= j <= i, i <= n - 1)">>\n}'
        ),
        None,
        ": [%i, %i + 1] with %i = 0 (<text>:2:1)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_message(name):
    arguments, body, given, told = CASES[name]
    f = bl.compile(f"func.func @f({arguments}) {{\n{body}\nreturn\n}}\n")
    given = given or (np.zeros(15), 5)
    with pytest.raises(bl.ShapeError) as raised:
        f(*given)
    assert str(raised.value).strip().endswith(told)


class Ceiling(int):
    """`a @ Ceiling(b)` is rounded up, and binds as other quotients do."""

    def __rmatmul__(self, other):
        return -(-other // int(self))


def wrapped(number, bits):
    return (number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("op", ["minsi", "maxsi", "floordivsi", "ceildivsi"])
@pytest.mark.parametrize("outer", ["", "addi", "muli"])
def test_operands_that_wrap(op, bits, outer):
    """What the message says is evaluated as it stands, and is the index."""
    of, n = f"i{bits}", 2 ** (bits - 1) - 1
    body = f"%c = arith.constant 3 : {of}\n%s = arith.addi %n, %c : {of}\n%m = arith.{op} %s, %c : {of}\n"
    body += f"%o = arith.{outer} %m, %n : {of}\n" if outer else ""
    body += f"%k = arith.index_cast %{'o' if outer else 'm'} : {of} to index\n%x = memref.load %a[%k] : memref<?xf64>"
    f = bl.compile(f"func.func @f(%a: memref<?xf64>, %n: {of}) {{\n{body}\nreturn\n}}\n")
    for number in [n, n - 1, n - 2, n - 3, -n, -9]:
        with pytest.raises(bl.ShapeError) as raised:
            f(np.zeros(0), number)
        message = str(raised.value)
        index, text = re.search(r"index (-?\d+) is outside .*extent is 0: (.*) with %n = ", message).groups()
        text = text.replace("floordiv 3", "// 3").replace("ceildiv 3", "@ Ceiling(3)").replace("%n", f"({number})")
        names = {of: lambda value: wrapped(value, bits), "Ceiling": Ceiling, "min": min, "max": max}
        assert eval(text, names) == int(index), message


def test_long_expressions_are_left_out():
    names = [f"%n{i}" for i in range(9)]
    arguments = ", ".join(f"{name}: index" for name in names)
    body = [f"%s{i} = arith.addi {'%n0' if i == 1 else f'%s{i - 1}'}, %n{i} : index" for i in range(1, 9)]
    text = f"func.func @f(%a: memref<?xf64>, {arguments}) {{\n" + "\n".join(body)
    f = bl.compile(text + "\n%x = memref.load %a[%s8] : memref<?xf64>\nreturn\n}\n")
    with pytest.raises(bl.ShapeError, match=r"index 9 is outside axis 0 of argument 'a', whose extent is 5$"):
        f(X, *[1] * 9)


def test_numbers_that_are_used_often():
    """Each number is the double of the one before: the expression has 2^40 parts."""
    body = [f"%s{i + 1} = arith.addi %s{i}, %s{i} : index" for i in range(40)]
    text = "func.func @f(%a: memref<?xf64>, %s0: index) {\n" + "\n".join(body)
    f = bl.compile(text + "\n%x = memref.load %a[%s40] : memref<?xf64>\nreturn\n}\n")
    with pytest.raises(bl.ShapeError, match=f"index {2**40} is outside axis 0 of argument 'a', whose extent is 5"):
        f(X, 1)


def test_a_called_function():
    """The checks of a called function run at the entry of its caller."""
    f = bl.compile_program(
        """func.func private @g(%a: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i + 1] : memref<?xf64>
    affine.store %x, %a[%i] : memref<?xf64>
  }
  return
}
func.func @f(%a: memref<?xf64>, %n: index) {
  call @g(%a, %n) : (memref<?xf64>, index) -> ()
  return
}
"""
    )["f"]
    with pytest.raises(bl.ShapeError, match=r"extent is 5: %i \+ 1 with %i = 4 \(<text>:2:3\)$"):
        f(X, 7)


def test_a_public_function_that_another_calls():
    """An argument of the same name is not the caller's."""
    f = bl.compile_program(
        """func.func @g(%a: memref<?xf64>, %n: index) {
  %x = memref.load %a[%n] : memref<?xf64>
  return
}
func.func @f(%a: memref<?xf64>, %n: index) {
  %c2 = arith.constant 2 : index
  %m = arith.muli %n, %c2 : index
  call @g(%a, %m) : (memref<?xf64>, index) -> ()
  return
}
"""
    )["f"]
    with pytest.raises(bl.ShapeError, match=r"extent is 5: %n = 6 \(argument 'n' of 'g'\)$"):
        f(X, 3)


def test_loops_around_that_are_too_many():
    """The expression is told without them."""
    loops = "".join(f"affine.for %i{k} = 0 to 2 {{\n" for k in range(8))
    total = " + ".join(f"d{k}" for k in range(8))
    bound = f"affine_map<({', '.join(f'd{k}' for k in range(8))}) -> ({total} + 2)>"
    names = ", ".join(f"%i{k}" for k in range(8))
    f = bl.compile(
        f"func.func @f(%a: memref<?xf64>) {{\n{loops}affine.for %j = 0 to {bound}({names}) {{\n"
        "%x = affine.load %a[%j + 4] : memref<?xf64>\n}\n" + "}\n" * 8 + "return\n}\n"
    )
    with pytest.raises(bl.ShapeError, match=r"extent is 5: %j \+ 4 with %j = 1 \([^)]*\)$"):
        f(X)


def test_known_libraries_have_no_names():
    """Nobody wrote the loops that tell what BLAS accesses."""
    f = bl.compile(
        """func.func private @cblas_dscal(i32, f64, memref<?xf64>, i32)
func.func @f(%n: i32, %x: memref<?xf64>) {
  %two = arith.constant 2 : i32
  %zero = arith.constant 0.0 : f64
  call @cblas_dscal(%n, %zero, %x, %two) : (i32, f64, memref<?xf64>, i32) -> ()
  return
}
""",
        function="f",
        libraries=["libopenblas.so.0"],
    )
    with pytest.raises(bl.ShapeError, match=r"index \d is outside axis 0 of argument 'x' of .*, whose extent is 5$"):
        f(4, X)
