"""Makes trials of the fuzzer."""

from generator import generate
from typed import observeShapes


def made(seed, index):
    program, inputs = generate(seed, index)
    observeShapes(program, inputs)
    return program, inputs
