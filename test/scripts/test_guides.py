"""The tree is what docs/guides/ says: the files that a guide names exist,
and a file that was forgotten is an error."""

import glob
import os
import re

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def elementwiseOperations():
    """The names of the operations of scalar/TosaElementwise.def, such as bitwise_and."""
    classes = re.findall(r"^BROADLOOM_ELEMENTWISE\((\w+),", read("scalar/TosaElementwise.def"), re.M)
    # intdiv has no underscore, though its class is IntDiv.
    return [re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower().replace("int_div", "intdiv") for name in classes]


def passes():
    """The names of all passes with the folder of their library."""
    for path in sorted(glob.glob("**/Passes.td", root_dir=ROOT, recursive=True)):
        if not path.startswith(("build", "test")):
            for name in re.findall(r'Pass<"([\w-]+)"', read(path)):
                yield path.split("/")[0], name


def calls():
    """The functions that compiled code calls, as runtime/abi/Abi.def lists them."""
    return re.findall(r"^BROADLOOM_CALL\((broadloom\w+),", read("runtime/abi/Abi.def"), re.M)


def guideTable():
    """The files of the table in docs/guides/element-wise-operation.md, by row."""
    rows = re.findall(r"^\| (`.*?) \|", read("docs/guides/element-wise-operation.md"), re.M)
    return [re.findall(r"`([^`]+)`", row) for row in rows]


def test_the_table_of_the_guide_is_read():
    assert len(elementwiseOperations()) > 30 and "clz" in elementwiseOperations()
    assert ["infer/functions/TosaFamiliesTest.cpp", "infer/functions/TosaShapesTest.cpp"] in guideTable()


@pytest.mark.parametrize("operation", elementwiseOperations())
def test_an_elementwise_operation_is_in_each_file_of_the_guide(operation):
    groups = [["shapes/tosa.mlir"], ["docs/spec.md"], *guideTable()]
    for files in groups:
        # Some name the class, such as ClzOp, others the operation.
        named = re.compile(rf"\b{operation}\b|(?i:\b{operation.replace('_', '')}Op\b)")
        assert any(named.search(read(path)) for path in files), (operation, files)


@pytest.mark.parametrize("folder, name", passes())
def test_a_pass_is_run_alone_by_a_test(folder, name):
    # What these do shows in an analysis, or at the end of a pipeline alone.
    if name in ("loom-collect-report", "loom-to-llvm"):
        pytest.skip("test/tools/check.test and pipelines.test have it")
    texts = "".join(
        read(path)
        for path in glob.glob("test/**/*.*", root_dir=ROOT, recursive=True)
        if path.endswith((".mlir", ".test"))
    )
    assert re.search(rf"[-(,]{name}\b(?!-)", texts), f"{folder}/Passes.td: no lit test runs {name}"


@pytest.mark.parametrize("name", calls())
def test_a_call_is_declared_defined_and_made(name):
    assert re.search(rf"\b{name}\(", read("runtime/abi/Abi.h"))
    sources = {
        folder: "".join(read(path) for path in glob.glob(folder + "/**/*.cpp", root_dir=ROOT, recursive=True))
        for folder in ("runtime", "codegen")
    }
    assert re.search(rf"^[\w ]+\*?{name}\(", sources["runtime"], re.M)
    assert f"abi::{name}" in sources["codegen"] or name == "broadloomRelease"
