"""Code that another process compiled (BROADLOOM_CACHE)."""

import broadloom
import pytest
from broadloom import DONE

PROGRAM = """
func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {{
  %0 = tosa.{0} %a : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}}
"""


@pytest.mark.parametrize("operation", ["cos", "sin", "exp", "abs"])
def test_second_process(tmp_path, operation):
    """What it calls of other libraries is there too."""
    (tmp_path / "p.mlir").write_text(PROGRAM.format(operation))
    environment = {"BROADLOOM_CACHE": str(tmp_path / "cache"), "BROADLOOM_VERIFY_PASSES": "0"}
    outcomes = [broadloom.call("run", tmp_path / "p.mlir", "--input=3xf32=1 2 3", **environment) for _ in range(2)]
    assert list((tmp_path / "cache").iterdir()), "nothing was kept"
    for outcome in outcomes:
        assert outcome.status == DONE and not outcome.error, outcome.error
    assert outcomes[0].out == outcomes[1].out
