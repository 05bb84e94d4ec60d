"""The reports of `broadloom check`: what they say of real programs, that they
agree with the guards of the compiled program, and that the page is sound."""

import html.parser
import json
import os
import re

import broadloom
import pytest
from broadloom import DONE, REJECTED


def check(path, *options):
    """The rows of a program, and the exit status."""
    outcome = broadloom.call("check", path, "--format=json", *options)
    return json.loads(outcome.out), outcome


def count(rows, status):
    return sum(row["status"] == status for row in rows)


def countGuards(path, *options):
    """The guards of the compiled program."""
    outcome = broadloom.call("compile", path, "--emit=loom", *options)
    assert outcome.status == DONE, outcome.error
    return len(re.findall(r"^\s*loom\.require", outcome.out, re.M))


def write(folder, text, name="program.mlir"):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


# --- what is left for run time is what is guarded ---------------------------

GELU = os.path.join(broadloom.ROOT, "examples", "gelu_bias.mlir")
ADD = os.path.join(broadloom.ROOT, "examples", "add.mlir")

LEFT = """\
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>, %v: tensor<?x?x?xf32>, %i: tensor<?x?xi32>)
    -> (tensor<?x4xf32>, tensor<?x?x?xf32>, tensor<?x8xf32>) {
  %0 = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %1 = tosa.mul %0, %b, %s : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<1xi8>) -> tensor<?x4xf32>
  %2 = tosa.gather %v, %i : (tensor<?x?x?xf32>, tensor<?x?xi32>) -> tensor<?x?x?xf32>
  %3 = tosa.concat %0, %b {axis = 1 : i32} : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  return %1, %2, %3 : tensor<?x4xf32>, tensor<?x?x?xf32>, tensor<?x8xf32>
}
"""


@pytest.mark.parametrize("strategy", ["default", "rfc"])
@pytest.mark.parametrize("program", ["gelu", "add", "left"])
def test_sf4_each_run_time_row_is_a_guard(tmp_path, program, strategy):
    path = {"gelu": GELU, "add": ADD}.get(program) or write(tmp_path, LEFT)
    option = f"--strategy={strategy}"
    rows, outcome = check(path, option)
    assert outcome.status == DONE and outcome.error == ""
    assert count(rows, "run-time") == countGuards(path, option) > 0
    assert all(row["reason"] and row["constraint"] and row["location"] for row in rows)


# --- real programs ----------------------------------------------------------


@pytest.mark.parametrize("name", ["face_detection_short_range", "face_landmark", "hand_recrop"])
def test_real_programs_with_a_dynamic_batch(models, name):
    path = os.path.join(models, name, "dynamic_batch.mlirbc")
    rows, outcome = check(path)
    assert outcome.status == DONE, outcome.error
    assert count(rows, "refuted") == 0
    left = [row for row in rows if row["status"] == "run-time"]
    assert len(left) == countGuards(path)
    # What is left is about the batch alone, and little of the whole.
    assert len(left) < len(rows) / 50
    assert all("axis 0" in row["constraint"] or row["axis"] == 0 for row in left), left


def test_a_static_transformer_block_is_proved_whole(models):
    rows, outcome = check(os.path.join(models, "transformer_block.mlir"))
    assert outcome.status == DONE, outcome.error
    assert len(rows) > 400 and count(rows, "proved") == len(rows)


# --- the page ---------------------------------------------------------------

VOID = {"meta", "input", "br"}


class Page(html.parser.HTMLParser):
    """Reads a page; a tag that is not closed in order is an error."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.ids, self.links, self.sources = [], [], set(), set(), []
        self.lines, self.scripts, self.cell = {}, 0, None
        self.line = None
        # Lines that are folded, what folds them, and locations that are folded in a line.
        self.folded, self.summaries, self.locations = set(), [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in given:
            assert given["id"] not in self.ids
            self.ids.add(given["id"])
        if tag == "a":
            self.links.add(given["href"])
        self.sources += [given[name] for name in ("src", "data", "action") if name in given]
        self.scripts += tag == "script"
        if tag == "tr" and "thead" not in self.open:
            self.rows.append({"class": given["class"], "cells": [], "isFolded": "details" in self.open})
        if tag == "td":
            self.rows[-1]["cells"].append("")
        if tag == "li" and given.get("id", "").startswith("L"):
            self.line = given["id"]
            self.lines[self.line] = ""
            if "details" in self.open:
                self.folded.add(self.line)
        self.isLocation = given.get("class") == "loc"

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
        self.isLocation = False
        self.open.pop()

    def handle_data(self, data):
        if "td" in self.open:
            self.rows[-1]["cells"][-1] += data
        if "pre" in self.open:
            self.lines[self.line] += data
            if self.isLocation:
                self.locations.append(data)
        elif "summary" in self.open and ": " in data:
            self.summaries.append(data)


def makePage(path, *options):
    outcome = broadloom.call("check", path, "--format=html", *options)
    return Page(outcome.out), outcome


def test_the_page_has_all_rows_and_the_program(tmp_path):
    path = write(tmp_path, LEFT)
    rows, _ = check(path)
    page, outcome = makePage(path)
    assert outcome.status == DONE
    # What is not proved comes first.
    order = ["refuted", "unchecked", "run-time", "fixed", "proved"]
    rows.sort(key=lambda row: order.index(row["status"]))
    assert [row["class"] for row in page.rows] == [row["status"] for row in rows]
    assert [row["isFolded"] for row in page.rows] == [row["status"] == "proved" for row in rows]
    for shown, row in zip(page.rows, rows):
        status, function, operation, axis, constraint, reason = shown["cells"]
        assert status.endswith(row["status"]) and len(status) > len(row["status"])
        assert (function, constraint, reason) == (row["function"], row["constraint"], row["reason"])
        assert operation.startswith(row["operation"])
        assert axis == ("" if row["axis"] is None else str(row["axis"]))
    # The program's text is there, line by line, and every link leads somewhere.
    assert [page.lines[f"L{i + 1}"] for i in range(len(page.lines))] == LEFT.rstrip("\n").split("\n")
    assert all(link[0] == "#" and link[1:] in page.ids for link in page.links)


FOLDED = """\
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %one = "tosa.const"() <{values = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32> loc(#loc1)
  %two = "tosa.const"() <{values = dense_resource<two> : tensor<2xf32>}> : () -> tensor<2xf32>
  %c = arith.constant 1 : index
  %0 = tosa.add %a, %one : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc("layer/add")
  %three = "tosa.const"() <{values = dense<3.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %1 = tosa.add %0, %two : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
#loc1 = loc("model.py":1:2)
#loc2 = loc("model.py":3:4)
{-#
  dialect_resources: {
    builtin: {
      two: "0x040000000000004000000040"
    }
  }
#-}
"""


def test_the_page_folds_constants_and_locations(tmp_path):
    page, outcome = makePage(write(tmp_path, FOLDED))
    assert outcome.status == DONE, outcome.error
    assert [page.lines[f"L{i + 1}"] for i in range(len(page.lines))] == FOLDED.rstrip("\n").split("\n")
    # A single constant is not folded.
    assert page.folded == {f"L{i}" for i in (2, 3, 4, *range(10, 19))}
    assert page.summaries == ["constants: 3 lines", "locations: 2 lines", "data of constants: 7 lines"]
    assert page.locations == ["loc(#loc1)", 'loc("layer/add")']


def test_the_page_begins_with_the_verdict(tmp_path):
    for program in (LEFT, FOLDED):
        path = write(tmp_path, program)
        verdict = broadloom.call("check", path).out.split("\n")[0]
        text = broadloom.call("check", path, "--format=html").out
        assert f'<p class="verdict">{verdict}</p>' in text
        assert text.index('verdict">') < text.index("<table>") < text.index('class="listing"')


def test_the_page_needs_nothing_besides(tmp_path):
    page, outcome = makePage(write(tmp_path, LEFT))
    assert page.sources == [] and page.scripts == 1
    assert not re.search(r"https?:|url\(|@import", outcome.out)


def test_abi3_the_page_escapes_what_a_program_says(tmp_path):
    evil = "</script></style><script>alert(1)</script>&\"'<b>"
    quoted = evil.replace('"', "\\22")
    library = f'''
shape.function_library @evil {{
  shape.func @reverse(%input: !shape.value_shape) -> !shape.shape {{
    %rows, %columns = loom.extents %input, "{quoted} {{0}}"
    %two = arith.constant 2 : index
    %good = arith.cmpi eq, %rows, %two : index
    loom.constraint %good, "{quoted}"
    %shape = shape.from_extents %rows, %columns : index, index
    shape.return %shape : !shape.shape
  }}
}} mapping {{
  tosa.reverse = @reverse
}}
'''
    program = f'''// {evil}
func.func @"<script>alert(2)</script>"(%a: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {{note = "{quoted}"}} {{
  %0 = tosa.reverse %a {{axis = 0 : i32}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}}
'''
    option = f"--shape-library={write(tmp_path, library, 'library.mlir')}"
    path = write(tmp_path, program, "<img src=x>.mlir")
    rows, _ = check(path, option)
    page, outcome = makePage(path, option)
    assert outcome.status == DONE
    assert page.scripts == 1 and "<img" not in outcome.out and "<b>" not in re.sub(r"<b>\d+</b>", "", outcome.out)
    assert any(evil in row["cells"][4] for row in page.rows)
    assert len(page.rows) == len(rows)
    assert evil in page.lines["L1"]
    # Whatever bytes a file has, the page is UTF-8.
    with open(path, "ab") as file:
        file.write(b"// \xff\xfe \x01\n")
    assert "\ufffd" in makePage(path, option)[0].lines["L6"]


def test_ext2_a_page_with_errors(tmp_path):
    path = os.path.join(broadloom.ROOT, "examples", "mismatch.mlir")
    page, outcome = makePage(path)
    assert outcome.status == REJECTED
    assert [row["class"] for row in page.rows].count("refuted") == 1
    # What is not a program has a page all the same: it says why.
    path = write(tmp_path, 'func.func @f() { %0 = "tosa.add"() : () -> tensor<4xf32>\n return }\n')
    page, outcome = makePage(path)
    assert outcome.status == REJECTED
    assert "has 0 operands, but needs 2" in outcome.error
    (row,) = page.rows
    assert row["class"] == "refuted"
    assert row["cells"][4:] == ["the program can be read", "'tosa.add' op has 0 operands, but needs 2"]


def test_bytecode_is_shown_as_it_prints(models):
    path = os.path.join(models, "face_landmark", "dynamic_batch.mlirbc")
    rows, _ = check(path)
    page, outcome = makePage(path)
    assert outcome.status == DONE
    assert len(page.rows) == len(rows)
    # Each row leads to the line of its operation.
    for row, _ in zip(page.rows, sorted(link for link in page.links if link.startswith("#L"))):
        assert row["cells"][2].split("line")[0]
    assert any("tosa.conv2d" in text for text in page.lines.values())
    assert max(map(len, page.lines.values())) < 1000
