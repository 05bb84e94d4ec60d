"""Shapes of results, and what must hold of shapes."""

import json
import warnings

import broadloom as bl
import numpy as np
import pytest
from conftest import ADD

MATMUL = """
func.func @main(%a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.matmul %a, %b, %z, %z : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xf32>,
      tensor<1xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
"""
RANK3 = ADD.replace("?x?xf32", "*xf32")
MISMATCH = """
func.func @main(%a: tensor<4x3xf32>, %b: tensor<4x2xf32>) -> tensor<4x3xf32> {
  %r = tosa.add %a, %b : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
"""


def test_symbolic():
    f = bl.compile(RANK3)
    assert f.shapes((None, "N", 3), (1, 3)) == [(None, "N", 3)]
    assert f.shapes("Bx3", "1x3") == [("B", 3)]
    assert f.shapes(np.ones((2, 3)), (1, 1)) == [(2, 3)]
    assert f.shapes((), ()) == [()]
    assert f.shapes(None, (2, 3)) == [None] or f.shapes(None, (2, 3)) == [(None, None)]
    g = bl.compile(MATMUL)
    assert g.shapes(("B", "M", "K"), ("B", "K", "N")) == [("B", "M", "N")]


def test_what_does_not_fit(add):
    with pytest.raises(bl.ShapeError, match="extents 3 and 2") as caught:
        add.shapes((4, 3), (4, 2))
    assert caught.value.operation == "tosa.add"
    assert caught.value.location == "add.mlir:3:8"
    assert caught.value.axis == 1
    assert str(caught.value).startswith("add.mlir:3:8: 'tosa.add': operands are not")
    with pytest.raises(ValueError, match="is no shape"):
        add.shapes("4x+", (1, 1))
    with pytest.raises(TypeError, match="1 argument is given, but 'main' takes 2 arguments"):
        add.shapes((4, 3))
    with pytest.raises(TypeError):
        add.shapes(3, 4)


def test_of_arrays(add):
    a, b = np.ones((2, 1), np.float32), np.ones((1, 3), np.float32)
    assert add.shapes(a, b) == [(2, 3)]
    # Numbers beside arrays are values of a call.
    with pytest.raises(bl.ShapeError):
        add.shapes(a, 3)
    with pytest.raises(TypeError):
        add.shapes(a, np.ones((1, 3)))
    with pytest.raises(bl.ShapeError, match="extents 2 and 3"):
        add.shapes(a, np.ones((3, 1), np.float32))
    with pytest.raises(TypeError, match="1 argument is given"):
        add.shapes(a)


class TestErrors:
    def test_of_a_call(self, add):
        with pytest.raises(bl.ShapeError) as caught:
            add(np.ones((2, 3), np.float32), np.ones((2, 2), np.float32))
        error = caught.value
        assert isinstance(error, ValueError) and isinstance(error, bl.Error)
        assert (error.operation, error.location, error.axis) == ("tosa.add", "add.mlir:3:8", 1)
        assert error.extents == (3, 2)
        assert error.operands == ("2x3", "2x2")
        assert str(error) == (
            "add.mlir:3:8: 'tosa.add': operands are not broadcast-compatible along axis 1: "
            "extents 3 and 2 (operand shapes 2x3 and 2x2; extent 3 is axis 1 of argument 'a', "
            "extent 2 is axis 1 of argument 'b')"
        )

    def test_of_a_shape_function(self):
        f = bl.compile(MATMUL)
        with pytest.raises(bl.ShapeError, match="a has 3 columns but b has 4 rows") as caught:
            f(np.ones((1, 2, 3), np.float32), np.ones((1, 4, 5), np.float32))
        assert caught.value.operation == "tosa.matmul"
        assert caught.value.axis is None and caught.value.operands == ()

    def test_of_a_program(self):
        with pytest.raises(bl.ShapeError, match="extents 3 and 2") as caught:
            bl.compile(MISMATCH, name="m.mlir")
        error = caught.value
        assert (error.operation, error.location, error.axis) == ("tosa.add", "m.mlir:3:8", 1)
        assert error.extents == (3, 2) and error.operands == ("4x3", "4x2")
        assert str(error).startswith("m.mlir:3:8: error: 'tosa.add' op operands are not")

    def test_they_can_be_sent_to_another_process(self, add):
        import pickle

        with pytest.raises(bl.ShapeError) as caught:
            add(np.ones((2, 3), np.float32), np.ones((2, 2), np.float32))
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is bl.ShapeError and str(again) == str(caught.value)
        assert again.extents == (3, 2)


class TestReports:
    def test_rows(self, add):
        report = add.check()
        assert isinstance(report, bl.Report) and report.accepted
        assert len(report) == 2 and report.counts["run-time"] == 2
        row = report[0]
        assert isinstance(row, bl.Row)
        assert row.function == "main" and row.operation == "tosa.add"
        assert row.location == "add.mlir:3:8" and row.axis == 0 and row.status == "run-time"
        assert "argument" in row.reason and row.constraint and row.names == ""
        assert [r.axis for r in report] == [0, 1]
        assert repr(report) == "<broadloom.Report: both constraints are checked when it runs>"
        assert report.verdict == "both constraints are checked when it runs"

    def test_forms(self, add):
        report = add.check()
        assert str(report).startswith(report.verdict + "\n")
        assert "2 constraints: none proved, 2 at run time" in str(report)
        rows = json.loads(report.to_json())
        assert [row["status"] for row in rows] == ["run-time"] * 2
        assert report.to_html().lower().startswith("<!doctype html>")
        assert "add.mlir" in report.to_html()
        assert report._repr_html_().startswith("<iframe srcdoc=")
        assert '"' not in report._repr_html_().split('srcdoc="')[1].split('"')[0]

    def test_of_what_is_refused(self):
        report = bl.check(MISMATCH)
        assert not report.accepted and report.counts["refuted"] == 1
        assert report.verdict == "1 of 4 constraints can never hold; 3 are proved" and report.verdict in repr(report)

    def test_of_no_program(self):
        with pytest.raises(OSError):
            bl.check("none.mlir")
        report = bl.check("func.func @main( {")
        assert not report.accepted

    def test_of_one_function(self):
        two = ADD + ADD.replace("@main", "@other")
        assert {row.function for row in bl.check(two)} == {"main", "other"}
        assert {row.function for row in bl.check(two, "other")} == {"other"}
        program = bl.compile_program(two)
        assert {row.function for row in program.check()} == {"main", "other"}
        assert {row.function for row in program["other"].check()} == {"other"}


# Reads the element behind each, in a loop that is too long to be followed.
BEHIND = """
#map = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.addi %i, %c1 : index
    %y = tensor.extract %b[%k] : tensor<?xf32>
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def test_what_may_fail_all_the_same_is_told():
    f = bl.compile(BEHIND)
    with pytest.warns(
        bl.CompileWarning, match="a call of 'main' may fail all the same: it has loops that are too long"
    ):
        assert f.shapes((150000,), (150000,)) == [(150000,)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f.shapes((150000,), (150001,)) == [(150000,)]
        assert f.shapes((3,), (4,)) == [(3,)]
    with pytest.raises(bl.ShapeError, match="index 3 is outside axis 0"):
        f.shapes((3,), (3,))
