"""Operations that users add from texts (sf-5, sf-7), against NumPy."""

import os
import struct

import broadloom
import numpy as np
import pytest
from broadloom import DONE, GUARD_FAILED

FOLDER = os.path.join(broadloom.ROOT, "examples", "user-operations")


def run(tmp_path, program, library, inputs, *options):
    """The status, the error and the first result."""
    arguments = []
    for i, value in enumerate(inputs):
        if not isinstance(value, str):
            np.save(tmp_path / f"in{i}.npy", value)
            value = str(tmp_path / f"in{i}.npy")
        arguments.append(f"--input={value}")
    output = tmp_path / "out.npy"
    outcome = broadloom.call(
        "run",
        os.path.join(FOLDER, program),
        f"--shape-library={os.path.join(FOLDER, library)}",
        f"--output={output}",
        *arguments,
        *options,
    )
    return outcome.status, outcome.error, np.load(output) if outcome.status == DONE else None


@pytest.mark.parametrize("strategy", ["default", "rfc"])
@pytest.mark.parametrize("rows, columns", [(1, 1), (5, 1), (4, 7), (0, 3), (33, 1000)])
def test_sf5_own_operations(tmp_path, rows, columns, strategy):
    random = np.random.default_rng(1)
    matrix = random.normal(size=(rows, columns)).astype(np.float32)
    scale = random.normal(size=rows).astype(np.float32)
    status, error, got = run(tmp_path, "program.mlir", "mine.mlir", [matrix, scale], f"--strategy={strategy}")
    assert status == DONE, error
    expected = 10 * np.tanh(np.exp(matrix.astype(np.float64) * scale[:, None]) / 10)
    np.testing.assert_allclose(got, expected, rtol=1e-5)


@pytest.mark.parametrize("size", [0, 1, 7, 1000])
def test_sf7_filter(tmp_path, size):
    values = np.random.default_rng(2).normal(size=size).astype(np.float32)
    status, error, got = run(tmp_path, "filter_program.mlir", "filter.mlir", [values])
    assert status == DONE, error
    np.testing.assert_allclose(got, np.exp(values[values > 0]), rtol=1e-6)


@pytest.mark.parametrize("rows, columns", [(2, 3), (1, 1), (0, 4), (300, 5)])
def test_sf7_read_a_file(tmp_path, rows, columns):
    """The shape comes from the head of the file alone."""
    matrix = np.random.default_rng(3).integers(0, 256, (rows, columns), np.uint8)
    path = tmp_path / "matrix.idx"
    path.write_bytes(bytes([0, 0, 8, 2]) + struct.pack(">II", rows, columns) + matrix.tobytes())
    status, error, got = run(tmp_path, "read_idx_program.mlir", "read_idx.mlir", [f"bytes:{path}"])
    assert status == DONE, error
    np.testing.assert_array_equal(got, matrix.astype(np.float32).sum(axis=1, keepdims=True))
    head = tmp_path / "head.idx"
    head.write_bytes(path.read_bytes()[:12])
    status, error, got = run(tmp_path, "read_idx_program.mlir", "read_idx.mlir", [f"bytes:{head}"], "--function=shape")
    assert status == DONE, error
    assert got.tolist() == [rows, columns]


@pytest.mark.parametrize(
    "content, message",
    [
        (bytes(5), "'idx.extents': the file has 5 bytes, not even a head of 12"),
        (bytes([0, 0, 13, 2]) + bytes(8), "'idx.extents': the file has elements of kind 13, expected 8"),
        (bytes([0, 0, 8, 3]) + bytes(8), "'idx.extents': the file has 3 axes, expected 2"),
        (
            bytes([0, 0, 8, 2]) + struct.pack(">II", 2, 3) + bytes(5),
            "'idx.read': the file has 17 bytes, but its head tells of 18",
        ),
        (bytes([0, 0, 8, 2]) + b"\xff" * 8 + bytes(5), "'idx.read': the file has 17 bytes, but its head tells of"),
    ],
)
def test_sf7_damaged_files(tmp_path, content, message):
    path = tmp_path / "damaged.idx"
    path.write_bytes(content)
    status, error, _ = run(tmp_path, "read_idx_program.mlir", "read_idx.mlir", [f"bytes:{path}"])
    assert status == GUARD_FAILED and message in error, error


@pytest.mark.parametrize("rows", [1, 6])
def test_s25_lists(tmp_path, rows):
    # S-25
    random = np.random.default_rng(4)
    a, b = (random.normal(size=(rows, 4)).astype(np.float32) for _ in range(2))
    status, error, got = run(tmp_path, "lists_program.mlir", "lists.mlir", [a, b])
    assert status == DONE, error
    np.testing.assert_allclose(got, 2 * (a + b), rtol=1e-5, atol=1e-6)
