"""Compiles the models of unseen.py and of its kin once, each in a process of its own, and compares them with eager mode.

test/torch/survey.py                   prints the table
test/torch/survey.py bert swin_t       of these models alone
test/torch/survey.py --write           writes it into docs/pytorch-models.md; with names, the rows of these
"""

import multiprocessing
import os
import re
import sys
from unittest import mock

import conftest  # noqa: F401  # It finds Broadloom's build.

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "docs", "pytorch-models.md")
BLOCK = re.compile(r"(<!-- models: begin -->\n).*?(<!-- models: end -->)", re.S)
#: Seconds for a model.
LIMIT = 900


def list_models():
    """All models, by their names."""
    import unseen
    import unseen_images
    import unseen_newest
    import unseen_others
    import unseen_sounds
    import unseen_texts

    modules = (unseen, unseen_texts, unseen_images, unseen_sounds, unseen_others, unseen_newest)
    return {name: model for module in modules for name, model in module.MODELS.items()}


def tensors_of(result):
    """The tensors in a result, in order."""
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, (list, tuple)):
        return [tensor for part in result for tensor in tensors_of(part)]
    return [result] if hasattr(result, "dtype") else []


def check(name):
    """What is wrong with a model; None where it passes."""
    import broadloom as bl
    import torch
    from broadloom import _compile

    torch.manual_seed(0)
    make, inputs = list_models()[name]
    model = make().eval()
    compiled, parts = [], []
    compile = _compile.compile
    f = bl.torch.compile(model)
    with (
        torch.no_grad(),
        # The rows are of what is compiled how often, and not of its speed.
        mock.patch.object(_compile, "compile", lambda *a, **k: compiled.append(0) or compile(*a, **k, optimise=False)),
    ):
        for given in inputs():
            args, kwargs = ((), given[0]) if isinstance(given[0], dict) else (given, {})
            found, expected = tensors_of(f(*args, **kwargs)), tensors_of(model(*args, **kwargs))
            assert len(found) == len(expected), "it gives other results"
            for x, y in zip(found, expected):
                torch.testing.assert_close(x, y, rtol=1e-3, atol=1e-3)
            parts.append(len(compiled))
    first, last = parts[0], parts[-1]
    if first != last:
        return f"{last} compilations" if first == 1 else f"{first} parts, {last} compilations"
    return None if first == 1 else f"{first} parts, each compiled once"


def prepare():
    """Imports what all models import. What is started from here on has it."""
    import torch

    list_models()
    # Dynamo imports most of itself when it compiles.
    torch.compile(lambda x: (x @ x.T).relu(), backend="aot_eager", dynamic=True)(torch.randn(3, 3))
    torch._dynamo.reset()


def answer(name, results):
    """Puts the row of a model into a queue."""
    try:
        problem = check(name)
    except Exception as error:
        problem = explain(error)
    results.put(problem or "one compilation")


def run(name):
    """Checks a model in a process of its own, which may crash."""
    forks = multiprocessing.get_context("fork")
    results = forks.SimpleQueue()
    process = forks.Process(target=answer, args=(name, results))
    process.start()
    process.join(LIMIT)
    if process.is_alive():
        process.kill()
        return f"it takes more than {LIMIT} s"
    return f"it crashes, with status {process.exitcode}" if process.exitcode or results.empty() else results.get()


def explain(error):
    """An exception in a line of a table."""
    inner = getattr(error, "inner_exception", None) or error
    # Dynamo says behind the first line what PyTorch does not take.
    told = re.search(r"got \w+Error\(['\"](.*)['\"]\)$", str(inner), re.M)
    reasons = [text for text in (told[1] if told else str(inner)).splitlines() if text.strip()] or [""]
    # An error of several operations lists them behind its first line.
    listed = [re.sub(r"^\S*?:\d+: ", "", text) for text in reasons[1:]] if reasons[0].endswith(":") else []
    text = "; ".join(dict.fromkeys(listed)) or reasons[0]
    return f"{type(inner).__name__}: {text}".replace("|", "\\|")[:300]


def main():
    names = [name for name in sys.argv[1:] if name != "--write"] or list(list_models())
    prepare()
    for name in names:
        row = run(name)
        print(f"| {name} | {row} |", flush=True)
        if "--write" in sys.argv:
            write(name, row)


def write(name, row):
    """Sets the row of a model in the page. Those of one compilation come first."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    rows = dict(re.findall(r"^\| (\w+) \| (.*) \|$", BLOCK.search(text)[0], re.M)) | {name: row}
    ordered = sorted(rows.items(), key=lambda pair: (pair[1] != "one compilation", pair[0]))
    lines = ["| model | |", "|---|---|", *(f"| {one} | {found} |" for one, found in ordered)]
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(BLOCK.sub(lambda match: match[1] + "\n".join(lines) + "\n" + match[2], text))


if __name__ == "__main__":
    main()
