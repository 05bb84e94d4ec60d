"""scripts/check-layers finds what it is there to find."""

import pytest


def complaintsOf(load, tmp_path, path, text):
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return list(load("check-layers").complaints(str(tmp_path)))


@pytest.mark.parametrize(
    "path, line",
    [
        ("tools/A.cpp", '#include "driver/Compiler.h"'),
        ("lower/A.cpp", '#include "lower/B.h"'),
        ("runtime/A.cpp", '#include "shape/Shape.h"'),
        ("dialect/A.cpp", '#include "mlir/IR/Builders.h"'),
        ("dialect/A.td", 'include "mlir/IR/OpBase.td"'),
        ("dialect/A.h", '#include "dialect/Ops.h.inc"'),
        ("shape/A.h", "#include <vector>"),
        ("shape/ATest.cpp", "#include <gtest/gtest.h>"),
        ("lower/A.cpp", '// #include "driver/Compiler.h"'),
        ("lower/A.cpp", '/* \n#include "driver/Compiler.h"\n*/'),
        ("test/lib/A.cpp", '#include "tools/A.h"'),
        ("tools/A.cpp", '#include "test/lib/TestDialect.h"'),
        ("infer/numbers/ATest.cpp", '#include "test/lib/numbers/NumberWordsTest.h"'),
        ("infer/analysis/A.cpp", '#include "infer/numbers/Numbers.h"'),
        ("legalize/A.cpp", '#include "infer/constraints/A.h"'),
        ("runtime/maps/A.cpp", '#include "runtime/calls/Call.h"'),
        ("codegen/kernels/A.cpp", '#include "codegen/Passes.h"'),
        ("driver/steps/A.cpp", '#include "driver/report/A.h"'),
        ("driver/saved/A.h", '#include "driver/Compiler.h"'),
        ("driver/Compiler.h", '#include "driver/CheckedProgram.h"'),
        ("tools/broadloom/A.cpp", '#include "tools/io/A.h"'),
        ("python/broadloom/_jit/_a.py", "from .._program._types import Scalar"),
        ("python/broadloom/_jit/_a.py", "from ._b import f"),
        ("python/broadloom/_jit/_a.py", "from .. import _core"),
        ("python/broadloom/_compile.py", "def f(): from .torch import Module"),
        ("python/broadloom/_program/_a.py", "import math"),
    ],
)
def test_allowed(load, tmp_path, path, line):
    assert complaintsOf(load, tmp_path, path, line + "\n") == []


@pytest.mark.parametrize(
    "path, line, message",
    [
        ("driver/A.cpp", '#include "tools/A.h"', "driver/ must not use tools/"),
        ("shape/A.h", '#include "runtime/abi/Abi.h"', "shape/ must not use runtime/"),
        ("codegen/buffers/A.cpp", '#include "codegen/kernels/A.h"', "codegen/buffers/ must not use codegen/kernels/"),
        ("dialect/A.td", 'include "lower/A.td"', "dialect/ must not use lower/"),
        ("infer/deep/A.cpp", '  # include "lower/A.h"', "infer/ must not use lower/"),
        ("infer/numbers/A.h", '#include "infer/analysis/A.h"', "infer/numbers/ must not use infer/analysis/"),
        ("infer/queries/A.h", '#include "infer/constraints/A.h"', "infer/queries/ must not use infer/constraints/"),
        ("runtime/maps/A.cpp", '#include "runtime/reductions/A.h"', "runtime/maps/ must not use runtime/reductions/"),
        ("runtime/abi/A.h", '#include "runtime/calls/Call.h"', "runtime/abi/ must not use runtime/calls/"),
        ("lower/A.cpp", '#include "test/lib/TestDialect.h"', "lower/ must not use test/"),
        ("runtime/A.cpp", '#include "llvm/ADT/ArrayRef.h"', "must not know of LLVM"),
        ("shape/A.cpp", "#include <mlir/IR/Builders.h>", "must not know of LLVM"),
        ("driver/saved/A.cpp", '#include "driver/steps/Session.h"', "driver/saved/ must not use driver/steps/"),
        ("driver/report/A.cpp", '#include "driver/saved/A.h"', "driver/report/ must not use driver/saved/"),
        ("driver/Compiler.h", '#include "driver/passes/Pipeline.h"', "driver/ must not use driver/passes/"),
        ("tools/io/A.cpp", '#include "tools/broadloom/A.h"', "tools/io/ must not use tools/broadloom/"),
        ("tools/lsp/A.cpp", '#include "tools/broadloom/A.h"', "tools/lsp/ must not use tools/broadloom/"),
        (
            "python/broadloom/_program/_a.py",
            "from .._jit._trace import Trace",
            "python/broadloom/_program/ must not use python/broadloom/_jit/",
        ),
        (
            "python/broadloom/_tensors/_a.py",
            "def f(): from .. import onnx",
            "python/broadloom/_tensors/ must not use python/broadloom/onnx/",
        ),
        (
            "python/broadloom/torch/__init__.py",
            "from ..dask import (\n    a,\n)",
            "python/broadloom/torch/ must not use python/broadloom/dask/",
        ),
        ("lower/A.cpp", '#include "B.h"', "from the root"),
        ("lower/A.cpp", '#include "../driver/B.h"', "from the root"),
    ],
)
def test_refused(load, tmp_path, path, line, message):
    found = complaintsOf(load, tmp_path, path, "\n" + line + "\n")
    assert len(found) == 1
    assert found[0].startswith(f"{path}:2: ") and message in found[0]


@pytest.mark.parametrize(
    "files, message",
    [
        (
            {"_a.py": "from . import _b", "_b.py": "def f():\n    from ._a import g"},
            "_a.py:1: imports form a circle: _a.py -> _b.py -> _a.py",
        ),
        (
            {
                "_a.py": "from . import onnx",
                "onnx/__init__.py": "def f():\n    from .._b import g",
                "_b.py": "from ._a import h",
            },
            "_a.py:1: imports form a circle: _a.py -> onnx -> _b.py -> _a.py",
        ),
        ({"_a.py": "from ._a import g"}, "_a.py:1: imports form a circle: _a.py -> _a.py"),
        (
            {"_jit/_a.py": "from ._b import f", "_jit/_b.py": "from ._a import g"},
            "_jit/_a.py:1: imports form a circle: _jit/_a.py -> _jit/_b.py -> _jit/_a.py",
        ),
        # Types that need each other.
        ({"_jit/_a.py": "from ._b import f", "_jit/_b.py": "def f():\n    from ._a import g"}, None),
        ({"_a.py": "from . import _b", "_b.py": "if TYPE_CHECKING:\n    from ._a import g"}, None),
        ({"__init__.py": "from ._a import f", "_a.py": "from . import _core", "_core.pyi": ""}, None),
        ({"__init__.py": "from ._a import f", "_a.py": "from . import f"}, "__init__.py:1: imports form a circle: "),
        ({"_a.py": "import math\nfrom ._b import f", "_b.py": "import math"}, None),
    ],
)
def test_circles_of_imports(load, tmp_path, files, message):
    root = "python/broadloom/"
    for path, text in files.items():
        found = complaintsOf(load, tmp_path, root + path, text + "\n")
    assert len(found) == (message is not None)
    if message is not None:
        assert found[0].replace(root, "").startswith(message)
