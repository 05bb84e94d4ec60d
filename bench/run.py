"""Broadloom beside NumPy, ONNX Runtime, XLA, torch.compile, IREE and loops
written by hand, in one run on one machine. scripts/bench calls this.

Each system has a process of its own; they take turns, several times for each
case, so that a change of the machine's mood meets all. Every result is compared
with NumPy's. cases.py has the cases, peers/ the systems.
"""

import argparse
import fnmatch
import json
import os
import statistics
import sys
import tempfile

import arrays as memory
import cases
import numpy as np
import oracle
import peers
import report
from remote import Failed, Remote

HERE = os.path.dirname(os.path.realpath(__file__))


class Run:
    """The measurements of one kind: "1" and "2" are numbers of threads; "1 fresh"
    makes a new result in each call."""

    def __init__(self, kind, options, log, versions):
        self.options, self.remotes = options, {}
        threads, self.isFresh = int(kind.split()[0]), kind.endswith(" fresh")
        for name in peers.NAMES:
            if options.peers and name not in options.peers.split(","):
                continue
            try:
                self.remotes[name] = Remote(name, threads, self.isFresh, log)
                versions[name] = self.remotes[name].version
            except Failed as error:
                versions[name] = f"{peers.TITLES[name]} is missing: {error}"
                print(f"bench: {versions[name]}", flush=True)

    def measure(self, case, folder):
        """{peer: {min, median} in ns, or {error}}, and `limits`."""
        times, samples = {}, {}
        for name, remote in self.remotes.items():
            try:
                remote.request("prepare", case.group, case.name)
                remote.request("sample", 0.01)
                samples[name] = []
            except Failed as error:
                times[name] = {"error": str(error)}
        slice_s = self.options.seconds / self.options.rounds
        limits = []
        for _ in range(self.options.rounds):
            if "hand" in self.remotes:
                limits.append(self.remotes["hand"].request("limits", slice_s / 3))
            for name in list(samples):
                try:
                    samples[name] += self.remotes[name].request("sample", slice_s)
                except Failed as error:
                    times[name] = {"error": str(error)}
                    del samples[name]
        for name in samples:
            times[name] = {"min": min(samples[name]), "median": statistics.median(samples[name])}
            times[name]["calls"] = len(samples[name])
            try:
                problem = self.check(case, name, folder)
            except Failed as error:
                problem = str(error)
            if problem:
                if name == "broadloom":
                    sys.exit(f"bench: {name} computes {case.name} ({case.group}) wrongly: {problem}")
                times[name] = {"error": f"wrong: {problem}"}
        if "broadloom" in samples and not self.isFresh:
            try:
                times["static"] = self.remotes["broadloom"].request("compare", self.options.pairs)
            except Failed as error:
                sys.exit(f"bench: {case.name} ({case.group}) with static types: {error}")
        if limits:
            # The sizes are the same in every turn, the times are not.
            times["limits"] = {key: min(each[key] for each in limits) for key in limits[0]}
        for remote in self.remotes.values():
            if remote.process is not None:
                remote.request("release")
        return times

    def check(self, case, name, folder):
        path = os.path.join(folder, "result.npy")
        self.remotes[name].request("result", path)
        got = np.load(path)
        return oracle.difference(case, got.view(memory.DTYPES[case.dtype]))

    def stop(self):
        for remote in self.remotes.values():
            remote.stop()


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.6, help="time for each system in each case")
    parser.add_argument("--rounds", type=int, default=4, help="turns into which that time is cut")
    parser.add_argument(
        "--pairs", type=float, default=1, help="seconds in each case for static and dynamic types in turns"
    )
    parser.add_argument(
        "--kinds",
        default="1,2,1 fresh",
        help="numbers of threads; with results that each call makes where 'fresh' follows",
    )
    parser.add_argument("--only", default="*", help="cases, as a pattern of 'group: name'")
    parser.add_argument("--peers", default="", help="systems, by name; all where empty")
    parser.add_argument("--no-write", action="store_true", help="leave bench/README.md as it is")
    parser.add_argument(
        "--results", default=os.path.join(HERE, "..", "build", "bench.json"), help="where the figures go"
    )
    options = parser.parse_args()
    chosen = [c for c in cases.CASES if fnmatch.fnmatch(f"{c.group}: {c.name}", options.only)]
    results = {"versions": {}, "machine": report.machine(), "cases": {}}
    kinds = options.kinds.split(",")
    os.makedirs(os.path.dirname(options.results) or ".", exist_ok=True)
    logPath = os.path.join(os.path.dirname(options.results), "bench.log")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder, open(logPath, "w", encoding="utf-8") as log:
        runs = {k: Run(k, options, log, results["versions"]) for k in kinds}
        hand = runs[kinds[0]].remotes.get("hand")
        clocks = [hand.request("clock")] if hand else []
        for case in chosen:
            for kind, run in runs.items():
                if run.isFresh and case.group not in cases.FRESH:
                    continue
                times = run.measure(case, folder)
                results["cases"].setdefault(f"{case.group}: {case.name}", {})[kind] = times
                print(report.line(case, kind, times), flush=True)
            oracle.forget()
            if hand:
                clocks.append(hand.request("clock"))
        results["machine"]["clock"] = [min(clocks), max(clocks)] if clocks else []
        for run in runs.values():
            run.stop()
    with open(options.results, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    if not options.no_write:
        report.write(results)


if __name__ == "__main__":
    main()
