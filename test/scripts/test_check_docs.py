"""scripts/check-docs runs what it should and notices what is wrong."""

import pytest

F = "```"


def results(load, tmp_path, text):
    document = tmp_path / "page.md"
    document.write_text(text)
    return [r[2] for r in load("check-docs").check(str(document), str(tmp_path))]


@pytest.mark.parametrize(
    "text",
    [
        f"{F}sh\ntrue\n{F}\n",
        f"{F}sh\necho a b c\n{F}\n\n{F}output\na ... c\n{F}\n",
        f"{F}sh exit=3\n(exit 3)\n{F}\n",
        f"{F}sh\necho hello >out.txt\n{F}\nthen\n{F}sh\ncat out.txt\n{F}\n{F}output\nhello\n{F}\n",
        f"{F}sh\ntest -f LICENSE && test -x scripts/test && scripts/test\n{F}\n",
    ],
)
def test_right(load, tmp_path, text):
    found = results(load, tmp_path, text)
    assert found and not any(found)


@pytest.mark.parametrize(
    "text, message",
    [
        (f"{F}sh\nfalse\ntrue\n{F}\n", "exit status 1, expected 0"),
        (f"{F}sh\nno-such-program\n{F}\n", "exit status 127"),
        (f"{F}sh exit=3\ntrue\n{F}\n", "exit status 0, expected 3"),
        (f"{F}sh\nfalse | true\n{F}\n", "exit status 1"),
        (f"{F}sh\necho a b\n{F}\n{F}output\na c\n{F}\n", "the document shows"),
    ],
)
def test_wrong(load, tmp_path, text, message):
    found = results(load, tmp_path, text)
    assert len(found) == 1 and message in found[0]


@pytest.mark.parametrize("mark", ["text", "console", "mlir", ""])
def test_only_for_reading(load, tmp_path, mark):
    assert results(load, tmp_path, f"{F}{mark}\nfalse\n{F}\n") == []


def test_unknown_mark(load, tmp_path):
    with pytest.raises(ValueError, match="exti=3"):
        results(load, tmp_path, f"{F}sh exti=3\ntrue\n{F}\n")
