"""Values of 'memref.global' that are resources of the file (mem-14)."""

import re

import broadloom
import numpy as np
import pytest
from memory_programs import refuses

RESOURCE = """\
memref.global "private" constant @g : memref<{type}> = dense_resource<{name}>
func.func @main(%a: memref<{type}>) {{
  %g = memref.get_global @g : memref<{type}>
  memref.copy %g, %a : memref<{type}> to memref<{type}>
  return
}}
{{-#
  dialect_resources: {{
    builtin: {{
      given: "0x{data}"
    }}
  }}
#-}}
"""
# How bytes of a resource begin: with their alignment.
ALIGNED = "04000000"


@pytest.mark.parametrize(
    "type, data, printed",
    [
        ("2x2xf32", "0000803F000000400000404000008040", "[[1. 2.]\n [3. 4.]]"),
        ("3xi1", "010001", "[ True False  True]"),
        ("2xindex", "0300000000000000FFFFFFFFFFFFFFFF", "[ 3 -1]"),
        ("1xi16", "0500", "[5]"),
        ("4xi8", "07070707", "[7 7 7 7]"),
        ("2xf16", "003C0040", "[1. 2.]"),
    ],
)
def test_globals_of_resources(tmp_path, type, data, printed):
    (tmp_path / "p.mlir").write_text(RESOURCE.format(type=type, name="given", data=ALIGNED + data))
    zeros = " ".join("0" * int(np.prod([int(e) for e in re.findall(r"(\d+)x", type)])))
    outcome = broadloom.call("run", tmp_path / "p.mlir", f"--input={type.replace('index', 'i64')}={zeros}")
    assert outcome.out == f"argument 'a':\n{printed}\n", outcome.error


def test_globals_of_resources_without_values(tmp_path):
    told = {
        "given": "refers to the resource 'given', which has 4 bytes, but 'tensor<2xf32>' needs 8",
        "gone": "refers to the resource 'gone', whose data is not in the file",
        "__elided__": "let --fill-elided make up values",
    }
    for name, words in told.items():
        text = RESOURCE.format(type="2xf32", name=name, data=ALIGNED + "0000803F")
        assert words in refuses(tmp_path, text)
    outcome = broadloom.call("run", tmp_path / "p.mlir", "--fill-elided", "--input=2xf32=7 7")
    assert outcome.status == broadloom.DONE and "7." not in outcome.out
