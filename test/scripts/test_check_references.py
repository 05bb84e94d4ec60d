"""scripts/check-references notices what leads nowhere."""

import pytest

RECORD = "# 5. Guards last\n\nWhy.\n"
INDEX = "| | |\n|---|---|\n| [5](0005-guards.md) | Guards last |\n"
F = "```"


@pytest.fixture
def complaints(load, tmp_path):
    """Complaints about a small tree, of which the test says what differs."""

    def check(files):
        tree = {
            "docs/decisions/0005-guards.md": RECORD,
            "docs/decisions/README.md": INDEX,
            "infer/Walk.h": "class Walk {\n  int depth;\n  bool done;\n};\n",
        }
        for path, text in {**tree, **files}.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return list(load("check-references").complaints(str(tmp_path)))

    return check


@pytest.mark.parametrize(
    "text",
    [
        "Guards are branches at the end (decision 5).\n",
        "See [the walk](../infer/Walk.h#L3), [MLIR](https://mlir.llvm.org/x.html), [here](#guards).\n",
        "`infer/Walk.h`, `infer/Walk`, `infer/`, `a/b`, `build/bin/x`.\n",
        f"{F}cpp file=infer/Walk.h\nclass Walk {{\n...\n    bool done;\n{F}\n",
        f"{F}text\n[nothing](nowhere.md) `infer/Gone.h`\n{F}\n",
    ],
)
def test_right(complaints, text):
    assert complaints({"docs/page.md": text}) == []


@pytest.mark.parametrize(
    "text, message",
    [
        ("one\nas (decision 6) says\n", "docs/page.md:2: decision 6 is cited and has no record"),
        ("by decision 14\n", "docs/page.md:1: decision 14 is cited"),
        ("\n[gone](gone.md)\n", "docs/page.md:2: the link to gone.md leads to no file"),
        ("\n[gone](gone page.md)\n", "docs/page.md:2: the link to gone page.md leads to no file"),
        ("`infer/Gone.h`\n", "docs/page.md:1: there is no infer/Gone.h"),
        (f"{F}cpp file=infer/Walk.h\nint width;\n{F}\n", "infer/Walk.h does not contain this block"),
        (f"{F}cpp file=infer/Walk.h\nbool done;\n...\nint depth;\n{F}\n", "does not contain"),
        (f"{F}cpp file=infer/Gone.h\nint depth;\n{F}\n", "infer/Gone.h, which does not exist"),
    ],
)
def test_wrong(complaints, text, message):
    found = complaints({"docs/page.md": text})
    assert len(found) == 1 and message in found[0]


def test_sources_cite_records_too(complaints):
    assert complaints({"infer/Walk.cpp": "// Not yet (decision 5).\n"}) == []
    assert len(complaints({"infer/Walk.cpp": "// Not yet (decision 7).\n"})) == 1


def test_the_index_has_each_record_under_its_title(complaints):
    assert "Guards first" in complaints({"docs/decisions/0005-guards.md": "# 5. Guards first\n"})[0]
    assert len(complaints({"docs/decisions/0002-strips.md": "# 2. Strips\n"})) == 1


def test_a_rule_is_named_by_code_and_by_a_test(complaints):
    spec = "- **rt-1** One.\n- **rt-2** Two.\n- **tosa-shape-1** Three.\n"
    code = "// rt-1 to rt-2, tosa-shape-1\n"
    tests = "TEST(Guard, rt1_entry) {}\n// rt-2\n"
    found = complaints({"docs/spec.md": spec, "infer/A.cpp": code, "infer/ATest.cpp": tests})
    assert len(found) == 1 and "docs/spec.md:3: no test names tosa-shape-1" in found[0]
    found = complaints({"infer/A.cpp": "// rt-12\n", "test/infer/a.mlir": "// tosa-shape-1\n"})
    assert [f.split(";")[0].split(": ")[1] for f in found] == [
        "no code names rt-1",
        "no code names rt-2",
        "no code names tosa-shape-1",
    ]


def test_the_index_of_documents_is_whole(complaints):
    files = {"docs/README.md": "[walk](walk.md)\n", "docs/walk.md": "", "docs/guides/pass.md": ""}
    assert complaints(files) == ["docs/README.md: there is no link to docs/guides/pass.md"]


def test_a_records_file_is_named_by_its_label(complaints):
    files = {"docs/decisions/0005-guards.md": "# 6. Guards last\n"}
    assert any("name it 0006-..." in found for found in complaints(files))


def test_the_symbol_of_the_runtimes_version_is_the_one_that_there_is(complaints):
    # Written in parts, since check-references reads this file as well.
    symbol = "broadloom" + "Abi"
    header = {"runtime/abi/Structs.h": "#define BROADLOOM_ABI_VERSION 12\n"}
    assert complaints({**header, "docs/page.md": f"`undefined symbol: {symbol}12`\n"}) == []
    assert complaints({**header, "docs/page.md": f"\n`{symbol}1`\n"}) == [
        f"docs/page.md:2: {symbol}1 is named, and BROADLOOM_ABI_VERSION is 12"
    ]
