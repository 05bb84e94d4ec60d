"""Loops without end over memory and over scalars: Ctrl-C and `cancel` end them,
and recursion without end is an error (abi-6, rt-12)."""

import os
import signal
import threading

import broadloom as bl
import numpy as np
import pytest

MANY = 2**62
STATE = "memory that it writes to has what was written until then"


@pytest.fixture(autouse=True)
def interrupts():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def over_memory(body):
    return f"""func.func @main(%a: memref<1024xf64>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %size = arith.constant 1024 : index
  %one = arith.constant 1.0 : f64
{body}
}}"""


# The body of a loop of %i that LLVM cannot do without.
STORE = """\
    %at = arith.remui %i, %size : index
    %x = memref.load %a[%at] : memref<1024xf64>
    %y = arith.addf %x, %one : f64
    memref.store %y, %a[%at] : memref<1024xf64>
"""
LOOPS = {
    "affine": over_memory(f"  affine.for %i = 0 to %n {{\n{STORE}  }}\n  return"),
    "scf, of a step": over_memory(f"  scf.for %i = %c0 to %n step %c3 {{\n{STORE}  }}\n  return"),
    "nest": over_memory(f"  affine.for %k = 0 to %n {{\n  affine.for %i = 0 to 1000 {{\n{STORE}  }}\n  }}\n  return"),
    "vectors": over_memory(
        "  scf.for %k = %c0 to %n step %c1 {\n  affine.for %i = 0 to 1024 {\n"
        "    %x = affine.load %a[%i] : memref<1024xf64>\n    %y = arith.addf %x, %one : f64\n"
        "    affine.store %y, %a[%i] : memref<1024xf64>\n  }\n  }\n  return"
    ),
    "chain": over_memory(
        "  %r = affine.for %i = 0 to %n iter_args(%s = %one) -> (f64) {\n"
        "    %t = arith.mulf %s, %s : f64\n    %u = arith.addf %t, %one : f64\n    affine.yield %u : f64\n  }\n"
        "  memref.store %r, %a[%c0] : memref<1024xf64>\n  return"
    ),
    "while": over_memory(
        "  %r = scf.while (%i = %c0) : (index) -> index {\n"
        f"{STORE}    %p = arith.cmpf one, %y, %x : f64\n    scf.condition(%p) %i : index\n  }} do {{\n"
        "  ^bb0(%i: index):\n    %j = arith.addi %i, %c1 : index\n    scf.yield %j : index\n  }\n  return"
    ),
    "blocks": over_memory("  cf.br ^again\n^again:\n  cf.br ^again"),
    "blocks with two entries": over_memory(
        "  %p = arith.cmpi sgt, %n, %c0 : index\n  cf.cond_br %p, ^x(%c0 : index), ^y(%c0 : index)\n"
        f"^x(%i: index):\n{STORE}    cf.br ^y(%at : index)\n"
        "^y(%j: index):\n    %k = arith.addi %j, %c1 : index\n    cf.br ^x(%k : index)"
    ),
    "callee": over_memory("  func.call @f(%a, %n) : (memref<1024xf64>, index) -> ()\n  return")
    + f"""
func.func private @f(%a: memref<1024xf64>, %n: index) {{
  %size = arith.constant 1024 : index
  %one = arith.constant 1.0 : f64
  affine.for %i = 0 to %n {{
{STORE}  }}
  return
}}""",
}
SCALARS = """func.func @main(%a: tensor<4xf64>, %n: index) -> tensor<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract %a[%c0] : tensor<4xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %t = arith.mulf %s, %s : f64
    %u = arith.addf %t, %x : f64
    scf.yield %u : f64
  }
  %t = tensor.from_elements %r : tensor<f64>
  return %t : tensor<f64>
}"""
SCALARS_WHILE = """func.func @main(%a: tensor<4xf64>, %n: index) -> tensor<f64> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<4xf64>
  %r = scf.while (%s = %x) : (f64) -> f64 {
    %p = arith.cmpf one, %s, %x : f64
    %q = arith.cmpf oeq, %s, %x : f64
    %any = arith.ori %p, %q : i1
    scf.condition(%any) %s : f64
  } do {
  ^bb0(%s: f64):
    %t = arith.negf %s : f64
    scf.yield %t : f64
  }
  %t = tensor.from_elements %r : tensor<f64>
  return %t : tensor<f64>
}"""


@pytest.mark.parametrize("case", LOOPS)
def test_an_interrupt_ends_a_loop_over_memory(case):
    f, a = bl.compile(LOOPS[case]), np.zeros(1024)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        f(a, MANY)
    assert raised.value.__notes__ == [f"the call was cancelled; {STATE}"]
    if "memref.store %y" in LOOPS[case] or case == "vectors":
        assert a.any()
    # The next call begins anew.
    if "%n" in LOOPS[case].split("%one", 1)[1] and "two entries" not in case:
        assert f(a, 1) is None


def test_an_interrupt_ends_few_long_iterations():
    """The innermost loop fills memory at once."""
    f = bl.compile("""func.func @main(%a: memref<?xf64>, %count: memref<i64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : i64
  %n = memref.dim %a, %c0 : memref<?xf64>
  affine.for %i = 0 to 90 {
    affine.for %j = 0 to 90 {
      affine.for %k = 0 to %n {
        affine.store %zero, %a[%k] : memref<?xf64>
      }
      %before = affine.load %count[] : memref<i64>
      %after = arith.addi %before, %one : i64
      affine.store %after, %count[] : memref<i64>
    }
  }
  return
}""")
    count = np.zeros((), np.int64)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        f(np.zeros(1 << 23), count)
    assert count < 8100


@pytest.mark.parametrize("form", ["f32", "f64"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_call_that_pauses_keeps_its_values(form, threads):
    """Vectors of every width are alive where the flag is read."""
    wide = "f64"
    extended = f"arith.extf %y : {form} to {wide}" if form != wide else "arith.addf %y, %zero : f64"
    f = bl.compile(
        f"""func.func @main(%a: memref<?x{form}>, %b: memref<?xf64>, %alpha: {form}, %n: index, %m: index) {{
  %zero = arith.constant 0.0 : f64
  affine.for %k = 0 to %m {{
    affine.for %i = 0 to %n {{
      %x = affine.load %a[%i] : memref<?x{form}>
      %z = affine.load %b[%i] : memref<?xf64>
      %y = arith.mulf %x, %alpha : {form}
      %e = {extended}
      %w = arith.addf %e, %z : f64
      affine.store %w, %b[%i] : memref<?xf64>
    }}
  }}
  return
}}""",
        threads=threads,
    )
    number = {"f32": np.float32, "f64": np.float64}[form]
    a, b = np.ones(20000, number), np.zeros(20000)
    f(a, b, number(3), len(a), 60000)
    assert (b == 180000).all()


def count_while(guard, start, step, relation="ne"):
    """A loop that goes on while the next number has the relation to %n."""
    return f"""func.func @main(%a: memref<1xi64>, %n: i64) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %mask = arith.constant -4 : i64
  %limit = arith.constant 100 : i64
  %factor = arith.constant 6364136223846793005 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant {step} : i64
  %isIn = arith.cmpi {guard} : i64
  scf.if %isIn {{
    %start = {start} : i64
    %r:2 = scf.while (%i = %start, %s = %one) : (i64, i64) -> (i64, i64) {{
      %p = arith.muli %s, %factor : i64
      %q = arith.xori %p, %i : i64
      %t = arith.muli %q, %factor : i64
      %next = arith.addi %i, %step : i64
      %more = arith.cmpi {relation}, %next, %n : i64
      scf.condition(%more) %next, %t : i64, i64
    }} do {{
    ^bb0(%i: i64, %s: i64):
      scf.yield %i, %s : i64, i64
    }}
    memref.store %r#1, %a[%c0] : memref<1xi64>
  }}
  return
}}"""


@pytest.mark.parametrize(
    "guard, start, step, ends, n",
    [
        ("sge, %n, %zero", "arith.andi %n, %mask", 1, 7, 8),
        ("ult, %n, %limit", "arith.constant 0", 1, 3, 0),
        ("ult, %n, %limit", "arith.constant 10", 1, 12, 2),
        ("ult, %n, %limit", "arith.constant 0", 2, 6, 3),
        ("ult, %n, %limit", "arith.constant 0", -2, None, 4),
    ],
)
def test_an_interrupt_ends_a_loop_that_begins_behind_its_bound_or_passes_it(guard, start, step, ends, n):
    f, a = bl.compile(count_while(guard, start, step)), np.zeros(1, np.int64)
    if ends is not None:
        first = ends & -4 if "andi" in start else int(start.split()[-1])
        factor, value, wrap = 6364136223846793005, 1, 2**64
        for i in range(first, ends, step):
            value = (value * factor % wrap ^ i) * factor % wrap
        f(a, ends)
        assert int(a[0]) % wrap == value
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        f(a, n)


@pytest.mark.parametrize(
    "relation, start, step, n, ends",
    [
        ("slt", 2**63 - 9, 3, 2**63 - 2, False),
        ("slt", 2**63 - 8, 3, 2**63 - 2, True),
        ("slt", 2**63 - 90000, 3, 2**63 - 1, False),
        ("slt", 2**63 - 90001, 3, 2**63 - 1, True),
        ("sle", 2**63 - 9, 1, 2**63 - 1, False),
        ("sle", 2**63 - 9, 4, 2**63 - 1, False),
        ("sle", 2**63 - 9, 4, 2**63 - 2, True),
        ("sgt", 8 - 2**63, -3, -(2**63), False),
        ("sgt", 9 - 2**63, -3, -(2**63), True),
        ("sge", 9 - 2**63, -1, -(2**63), False),
        ("ult", -9, 3, -1, False),
        ("ult", -10, 3, -1, True),
        ("ule", -9, 2, -1, False),
        ("ugt", 9, -2, 0, False),
        ("uge", 90001, -2, 1, False),
    ],
)
def test_an_interrupt_ends_a_loop_that_wraps_as_it_passes_its_bound(relation, start, step, n, ends):
    text = count_while("eq, %zero, %zero", f"arith.constant {start}", step, relation)
    f, a = bl.compile(text), np.zeros(1, np.int64)
    if ends:
        factor, value, wrap = 6364136223846793005, 1, 2**64
        compare = {"t": lambda x: step * (n - x) > 0, "e": lambda x: step * (n - x) >= 0}[relation[2]]
        while True:
            value = (value * factor % wrap ^ start % wrap) * factor % wrap
            start += step
            if not compare(start):
                break
        f(a, n)
        assert int(a[0]) % wrap == value
        return
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        f(a, n)


@pytest.mark.parametrize("text", [SCALARS, SCALARS_WHILE])
def test_an_interrupt_ends_a_loop_over_scalars(text):
    f = bl.compile(text)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        f(np.ones(4), MANY)
    assert raised.value.__notes__ == ["the call was cancelled"]


@pytest.mark.parametrize("case", ["affine", "nest", "blocks"])
def test_cancel_ends_a_loop_of_another_thread(case):
    f = bl.compile(LOOPS[case])
    told = []

    def work():
        with pytest.raises(bl.CancelledError) as raised:
            f(np.zeros(1024), MANY)
        told.append(str(raised.value))

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        f.cancel()
        thread.join(0.01)
    assert told == [f"the call was cancelled; {STATE}"]


def test_handlers_run_meanwhile():
    """One that raises nothing lets the call go on, and may call functions itself."""
    f, a, seen = bl.compile(LOOPS["affine"]), np.zeros(1024), []

    def handle(*_):
        seen.append(f(np.zeros(1024), 10))
        if len(seen) == 2:
            raise TimeoutError("long enough")

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        with pytest.raises(TimeoutError, match="long enough"):
            f(a, MANY)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(seen) == 2


RECURSION = """func.func @main(%a: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  BODY
  %x = memref.load %a[%c0] : memref<4xf64>
  func.call @main(%a) : (memref<4xf64>) -> ()
  memref.store %x, %a[%c0] : memref<4xf64>
  return
}"""


@pytest.mark.parametrize(
    "body", ["", "%s = memref.alloca() : memref<100xf64>\n  memref.store %x0, %s[%c0] : memref<100xf64>"]
)
def test_recursion_without_end(body):
    text = RECURSION.replace("BODY", "%x0 = memref.load %a[%c0] : memref<4xf64>\n  " + body)
    with pytest.raises(bl.ShapeError, match="calls of 'main' inside each other go deeper than the stack allows"):
        bl.compile(text)(np.zeros(4))
    # The stack of another thread is shorter.
    told = []

    def work():
        with pytest.raises(bl.ShapeError) as raised:
            bl.compile(text)(np.zeros(4))
        told.append(raised)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told


def test_loops_of_other_counts():
    """Chunks of iterations change no result: up and down, by any step, with an
    exit in between."""
    f = bl.compile("""func.func @main(%a: memref<?xi64>, %first: index, %last: index, %step: index, %limit: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%i = %first, %s = %zero) : (index, i64) -> (index, i64) {
    %more = arith.cmpi slt, %i, %last : index
    %small = arith.cmpi slt, %s, %limit : i64
    %p = arith.andi %more, %small : i1
    scf.condition(%p) %i, %s : index, i64
  } do {
  ^bb0(%i: index, %s: i64):
    %k = arith.index_cast %i : index to i64
    %x = memref.load %a[%c0] : memref<?xi64>
    %y = arith.xori %k, %x : i64
    %t = arith.addi %s, %y : i64
    %j = arith.addi %i, %step : index
    scf.yield %j, %t : index, i64
  }
  return %r#1 : i64
}""")
    g = bl.compile("""func.func @main(%first: index, %last: index, %step: index) -> i64 {
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %first to %last step %step iter_args(%s = %zero) -> (i64) {
    %k = arith.index_cast %i : index to i64
    %t = arith.xori %s, %k : i64
    %u = arith.addi %t, %k : i64
    scf.yield %u : i64
  }
  return %r : i64
}""")

    def counted(first, last, step):
        s = 0
        for i in range(first, last, step):
            s = (s ^ i) + i
        return s

    for first, last, step in [
        (0, 0, 1),
        (0, 1, 1),
        (5, -5, 1),
        (0, 8191, 1),
        (0, 8192, 1),
        (0, 8193, 1),
        (-20000, 20001, 3),
        (0, 100000, 7),
        (2**63 - 30000, 2**63 - 1, 2),
        (-(2**63), -(2**63) + 20000, 1),
        (-(2**63), 2**63 - 1, 2**61),
    ]:
        expected = (counted(first, last, step) + 2**63) % 2**64 - 2**63
        assert g(first, last, step) == expected
    a = np.array([3])
    for limit in (0, 10, 10**6, 10**9, 2**62):
        s = 0
        for i in range(0, 50000, 2):
            if s >= limit:
                break
            s += i ^ 3
        assert f(a, 0, 50000, 2, limit) == s


PRODUCT = """func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        %y = affine.load %b[%l, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y fastmath<fast> : f32
        %s = arith.addf %z, %p fastmath<fast> : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}"""


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_product(threads):
    f = bl.compile(PRODUCT, threads=threads)
    a, c = np.ones((8000, 8000), np.float32), np.zeros((8000, 8000), np.float32)
    # Behind the copies of the factors, and long before the end.
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        f(a, a, c)
    assert raised.value.__notes__ == [f"the call was cancelled; {STATE}"]
    assert not c.all()
    # The next call, also of the same extents, begins anew.
    part, sums = a[:300, :300], np.zeros((300, 300), np.float32)
    f(np.ascontiguousarray(part), np.ascontiguousarray(part), sums)
    assert (sums == 300).all()
