"""What is said of findings: each in a folder with what runs it again, and a last
line that counts."""

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from element_types import save
from operations.user import LIBRARY
from runner import ROOT


@dataclass
class Report:
    kind: str
    signature: str
    original: str  # the signature before shrinking
    words: str
    form: str
    text: str
    seed: str
    index: int
    inputs: list = field(default_factory=list)  # arrays
    layouts: list = field(default_factory=list)
    threads: int = 1


def of(trial, finding, seed, index, original):
    call = finding.call
    return Report(finding.kind, finding.signature(), original, finding.words, str(trial.form), finding.text, seed, index,
                  [d.low for d in call.inputs], call.layouts, call.threads)


def ofFuzzer(words, seed, index):
    """An exception in the fuzzer itself."""
    last = words.strip().split("\n")[-1]
    return Report("fuzzer", f"fuzzer: {last}", "", words, "", "", seed, index)


class Log:
    def __init__(self, options):
        self.options = options
        self.folder = Path(options.folder) if options.folder else ROOT / "build" / "fuzz" / str(options.seed)
        self.kinds = Counter()
        self.signatures = Counter()
        self.programs = self.calls = self.compiled = 0
        self.times = Counter()
        self.broken = False

    def add(self, report):
        self.kinds[report.kind] += 1
        self.signatures[report.signature] += 1
        if self.signatures[report.signature] > 1:
            return
        folder = self.folder / f"{report.index:07d}-{report.kind.replace(' ', '-')}"
        self.write(folder, report)
        print(f"found: {report.signature}\n  {folder}", flush=True)
        if not self.options.quiet:
            print(f"{(folder / 'README').read_text()}\n{report.text}", flush=True)

    def write(self, folder, report):
        os.makedirs(folder, exist_ok=True)
        (folder / "program.mlir").write_text(report.text)
        words = []
        for i, array in enumerate(report.inputs):
            save(folder / f"in{i}.npy", array)
            words.append(f"--input={folder / f'in{i}.npy'}")
        strategy = " --strategy=rfc" if "rfc" in report.form.split() else ""
        if '"fuzz.' in report.text:
            strategy += f" --shape-library={LIBRARY}"
        lines = [f"{report.kind}: {report.words}", f"form: {report.form}",
                 *(f"in{i}: {a.dtype} {a.shape} laid out as {layout}" + (f", memory of {shared}" if shared is not None else "")
                   + f"\n{np.array2string(np.asarray(a), threshold=40, edgeitems=4)}"
                   for i, (a, (layout, shared)) in enumerate(zip(report.inputs, report.layouts))),
                 f"threads: {report.threads}",
                 f"again: build/bin/broadloom run {folder / 'program.mlir'}{strategy} {' '.join(words)}",
                 f"the program before it was shrunk: scripts/fuzz programs --seed {report.seed} --index {report.index}"]
        (folder / "README").write_text("\n".join(lines) + "\n")

    def count(self, programs, calls, compiled, times):
        self.programs += programs
        self.calls += calls
        self.compiled += compiled
        self.times.update(times)

    def died(self):
        self.broken = True
        print("a process of the fuzzer has died: that is a fault of the fuzzer")

    def close(self, seconds):
        busy = sum(self.times.values()) or 1.0
        parts = ", ".join(f"{100 * t / busy:.0f} % {name}" for name, t in self.times.most_common())
        if self.programs:
            own = busy - self.times["shrink"]
            print(f"{self.programs / max(own, 1e-9):.1f} programs a second and core without shrinking; {parts}")
        for signature, count in self.signatures.most_common():
            print(f"{count:6d} {signature}")
        found = sum(self.kinds.values())
        kinds = f" ({', '.join(f'{n} {k}' for k, n in sorted(self.kinds.items()))})" if found else ""
        print(f"{self.programs} programs, {self.compiled} compiled, {self.calls} calls, {seconds:.0f} s: {found} findings{kinds}")
        return 1 if found or self.broken or not self.programs else 0
