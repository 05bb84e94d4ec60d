#!/usr/bin/env python3
"""Compares reading, writing and printing of tensors with NumPy itself.

usage: numpy-agreement.py PROGRAM [SEED [ROUNDS]]

PROGRAM is the test program of tools/io/EchoMain.cpp. Exit status 77 (skipped)
where NumPy is missing, or prints otherwise than the release that
tools/io/PrintTensor.h follows.
"""

import io
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: there is no numpy")
    sys.exit(77)

NAMES = {
    "i1": "?",
    "i8": "i1",
    "i16": "i2",
    "i32": "i4",
    "i64": "i8",
    "ui8": "u1",
    "ui16": "u2",
    "ui32": "u4",
    "ui64": "u8",
    "f16": "f2",
    "f32": "f4",
    "f64": "f8",
}


def random_extents(rng):
    rank = rng.integers(0, 6)
    return tuple(
        int(rng.choice([0, 1, 2, 3, 5, 7, 8, 30, 200, 1100], p=[0.02, 0.1, 0.2, 0.2, 0.18, 0.1, 0.1, 0.05, 0.03, 0.02]))
        for _ in range(rank)
    )


def random_bits(rng, extents, dtype):
    """Any pattern: all magnitudes, subnormals, infinities and NaNs."""
    bits = rng.integers(0, 256, size=(*extents, dtype.itemsize), dtype=np.uint8)
    if dtype.kind == "b":
        bits &= 1
    return bits.view(dtype).reshape(extents)


def random_array(rng, dtype):
    extents = random_extents(rng)
    if rng.random() < 0.25 or dtype.kind == "b":
        return random_bits(rng, extents, dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        most = int(min(info.max, 10 ** int(rng.integers(0, 19))))
        least = max(info.min, -most) if rng.random() < 0.5 else 0
        return rng.integers(least, most, size=extents, dtype=dtype, endpoint=True)
    scale = 10.0 ** rng.integers(-6, 10)
    array = np.asarray(rng.normal(size=extents) * scale)
    kind = rng.integers(0, 5)
    if kind == 0:
        array = np.round(array)
    elif kind == 1:
        array = np.round(array, int(rng.integers(0, 12)))
    elif kind == 2:
        # Magnitudes far apart.
        array = array * 10.0 ** rng.integers(-3, 4, size=extents)
    elif kind == 3:
        # Powers of two lie nearer to the next number below than above.
        array = 2.0 ** rng.integers(-30, 30, size=extents)
    array = np.asarray(array)
    for special in (np.nan, np.inf, -np.inf, -0.0, 0.0):
        if rng.random() < 0.15:
            array[rng.random(size=extents) < 0.2] = special
    return array.astype(dtype)


class Program:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def request(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        for answer in self.process.stdout:
            if answer == "--\n":
                return "\n".join(lines)
            lines.append(answer[:-1])
        raise SystemExit(f"the program ended at: {line}")


def expect(what, expected, actual):
    if expected != actual:
        print(f"{what}: expected\n{expected}\nbut got\n{actual}")
        sys.exit(1)


def check_array(program, rng, name, array, folder):
    source, target = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
    stored = array
    if rng.random() < 0.2:
        stored = array.astype(array.dtype.newbyteorder(">"))
    if rng.random() < 0.3:
        stored = np.array(stored, order="F")
    np.save(source, stored)
    what = f"{name} {array.shape}"
    expect(what, str(array), program.request(f"{name} {source}"))
    expect(what, "", program.request(f"{name} {source} -> {target}"))
    canonical = io.BytesIO()
    np.save(canonical, np.ascontiguousarray(array).reshape(array.shape))
    with open(target, "rb") as file:
        expect(what + " file", canonical.getvalue(), file.read())


def check_damaged(program, rng, folder):
    """A file cut, or with bytes changed, is read as NumPy reads it, or is an
    error; never a crash (which `request` reports)."""
    path = os.path.join(folder, "damaged.npy")
    whole = io.BytesIO()
    np.save(whole, np.arange(12, dtype="<i4").reshape(3, 4))
    damaged = bytearray(whole.getvalue())
    if rng.random() < 0.3:
        del damaged[int(rng.integers(0, len(damaged))) :]
    else:
        for _ in range(int(rng.integers(1, 4))):
            damaged[int(rng.integers(0, 70))] = int(rng.choice(list(b"0123456789<>|,()[]{}' fFuibVOL\x00\xff")))
    with open(path, "wb") as file:
        file.write(damaged)
    answer = program.request(f"- {path}")
    if not answer.startswith("error: "):
        expect("damaged", str(np.load(path)), answer)


def main():
    old = str(np.array([2000, 1000], np.float16)) != "[2.e+03 1.e+03]"
    if old:
        print(f"skipped: numpy {np.__version__} prints f16 otherwise")
        sys.exit(77)
    program = Program(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        for _ in range(rounds):
            for name, code in NAMES.items():
                check_array(program, rng, name, random_array(rng, np.dtype(code)), folder)
            for _ in range(10):
                check_damaged(program, rng, folder)
    print(f"agrees with numpy {np.__version__}")


main()
