"""Writes the findings: each in a folder with what runs it again, and a last
line that counts."""

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import fuzzing
import numpy as np
from element_types import save
from operations.user import LIBRARY


@dataclass
class Report:
    kind: str
    signature: str
    words: str
    form: str
    text: str
    seed: int
    index: int
    inputs: list = field(default_factory=list)  # arrays
    layouts: list = field(default_factory=list)
    threads: int = 1
    state: dict = field(default_factory=dict)  # arrays by name of the variable


def of(trial, finding, seed, index):
    call = finding.call
    return Report(
        finding.kind,
        finding.signature(),
        finding.words,
        str(trial.form),
        finding.text,
        seed,
        index,
        [d.low for d in call.inputs],
        call.layouts,
        call.threads,
        {name: data.low for name, data in finding.state.items()},
    )


def ofFuzzer(words, seed, index):
    """A fault of the fuzzer itself."""
    return Report("fuzzer", f"fuzzer: {words.strip().splitlines()[-1]}", words, "", "", seed, index)


def readme(report, folder):
    """Describes what was found, with what, and what repeats it."""
    files = [f"--state={folder / 'state'}"] * bool(report.state) + [
        f"--input={folder / f'in{i}.npy'}" for i in range(len(report.inputs))
    ]
    options = " --strategy=rfc" if "rfc" in report.form.split() else ""
    if '"fuzz.' in report.text:
        options += f" --shape-library={LIBRARY}"
    lines = [f"{report.kind}: {report.words}", f"form: {report.form}"]
    for i, (array, (layout, shared)) in enumerate(zip(report.inputs, report.layouts)):
        memory = "" if shared is None else f", in the memory of in{shared}"
        lines.append(f"in{i}: {array.dtype} {array.shape} laid out as {layout}{memory}")
        lines.append(np.array2string(np.asarray(array), threshold=40, edgeitems=4))
    lines += [
        f"threads: {report.threads}",
        f"again: broadloom run {folder / 'program.mlir'}{options} {' '.join(files)}",
        f"before it was shrunk: scripts/fuzz programs --seed {report.seed} --index {report.index}",
    ]
    return "\n".join(lines) + "\n"


class Log:
    def __init__(self, options):
        self.options = options
        self.kinds = Counter()
        self.signatures = Counter()
        self.counts = Counter()
        self.times = Counter()
        self.failures = {}

    def add(self, report):
        self.kinds[report.kind] += 1
        self.signatures[report.signature] += 1
        if self.signatures[report.signature] > 1:
            return
        folder = Path(self.options.folder) / f"{report.index:07d}-{report.kind.replace(' ', '-')}"
        os.makedirs(folder, exist_ok=True)
        (folder / "program.mlir").write_text(report.text)
        for i, array in enumerate(report.inputs):
            save(folder / f"in{i}.npy", array)
        if report.state:
            os.makedirs(folder / "state", exist_ok=True)
        for name, array in report.state.items():
            save(folder / "state" / f"{name}.npy", array)
        words = readme(report, folder)
        (folder / "README").write_text(words)
        print(f"found: {report.signature}\n  {folder}", flush=True)
        self.failures[report.signature] = f"{words}\n{report.text}"

    def count(self, counts):
        self.times.update(counts.pop("times"))
        self.counts.update(counts)

    def close(self, seconds):
        busy = sum(self.times.values()) - self.times["shrinking"]
        parts = ", ".join(f"{t:.0f} s {name}" for name, t in self.times.most_common())
        print(
            f"{self.counts['programs'] / max(busy, 1e-9):.1f} programs a second and core without shrinking; "
            f"{parts}; {seconds:.0f} s in all"
        )
        for signature, count in self.signatures.most_common():
            print(f"{count:6d} {signature}")
        if self.kinds:
            print(f"found: {', '.join(f'{n} {k}' for k, n in sorted(self.kinds.items()))}")
        return fuzzing.finish("programs", self.options, dict(self.counts), self.failures)
