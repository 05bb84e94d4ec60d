#!/usr/bin/env python3
"""Random loop nests over memory, compared with their enumeration in Python.

  scripts/fuzz nests                          2 minutes
  scripts/fuzz nests --count 100000 --seed 7
  scripts/fuzz nests --seed 7 --index 41      one of them

One nest is one (seed, index) pair: a program of one or two functions with loops,
conditions, views and calls, and calls of it with memory between pages that cannot be
accessed. What is found is made small and printed with the program and the call. The last
line counts nests, calls and findings; the exit status is 1 where there are any.
"""

import multiprocessing
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "nests")]

import fuzzing  # noqa: E402

# So many are compiled as one program, which takes a fifth of the time.
TOGETHER = 25
ALL = 1 << 40
# A nest that takes longer hangs.
PATIENCE_S = 120


def describe(case, finding):
    from nest_text import write

    text = f"{finding.text}\n{write(case.functions)[0]}"
    if finding.call:
        numbers = dict(zip(case.functions[-1].numbers, finding.call.numbers))
        text += f"{numbers}\n" + "\n".join(map(str, finding.call.arguments))
    return text


def work(values, number, at, results):
    """Judges nests from `at[0]` on, all that have this number; `at` always says which are judged."""
    # Short loops run on several threads too.
    os.environ["BROADLOOM_LEAST_PARALLEL_WORK"] = "0"
    sys.path.insert(0, os.path.join(values.build, "python"))
    from nest_generator import Generator
    from nest_judge import Judge
    from nest_shrinker import Shrinker

    judge = Judge()
    while at[0] < values.first + values.count and time.monotonic() < values.end:
        count = at[1] or TOGETHER
        indices = range(at[0], min(at[0] + count * values.jobs, values.first + values.count), values.jobs)
        cases = [Generator(values.seed, index).case() for index in indices]
        for case, finding in zip(cases, judge.judge_together(cases)):
            if finding:
                name = f"{finding.kind}: scripts/fuzz nests --seed {values.seed} --index {case.index}"
                # A program alone, without those beside it, may be right.
                if judge.judge(case):
                    case, finding = Shrinker(judge.judge, values.shrink_limit).shrink(case, finding)
                results.put((name, describe(case, finding)))
        results.put(judge.counts)
        judge.counts = dict.fromkeys(judge.counts, 0)
        at[2] = max(at[2] - len(cases), 0)
        if at[2] == 0:
            at[1] = 0
        at[0] = indices[-1] + values.jobs


class Worker:
    """A process, and what takes its place where it dies: that one judges the same nests one by one, and the next
    one goes on behind the nest with which this one dies."""

    def __init__(self, values, number, results):
        self.values, self.number, self.results = values, number, results
        # The next nest; how many are compiled together, 0 for as many as usual; how many are judged so.
        self.at = multiprocessing.Array("q", [values.first + number, 0, 0], lock=False)
        self.start()

    def start(self):
        self.seen, self.since = self.at[0], time.monotonic()
        arguments = (self.values, self.number, self.at, self.results)
        self.process = multiprocessing.Process(target=work, args=arguments)
        self.process.start()

    def poll(self, failures):
        """Whether there is more to wait for."""
        if self.at[0] != self.seen:
            self.seen, self.since = self.at[0], time.monotonic()
        if time.monotonic() - self.since > PATIENCE_S:
            self.process.kill()
            self.process.join()
        if self.process.is_alive():
            return True
        if self.process.exitcode == 0:
            return False
        if self.at[1] == 1:
            what = "hang" if self.process.exitcode == -9 else f"crash ({self.process.exitcode})"
            name = f"{what}: scripts/fuzz nests --seed {self.values.seed} --index {self.at[0]}"
            failures[name] = "the process died"
            self.at[0] += self.values.jobs
            self.at[2] -= 1
            self.at[1] = int(self.at[2] > 0)
        else:
            self.at[1], self.at[2] = 1, TOGETHER
        self.start()
        return True


def parse(arguments=None):
    options = fuzzing.parser(__doc__)
    options.add_argument("--count", type=int, help="number of nests; then there is no limit of time")
    options.add_argument("--index", type=int, help="only this nest")
    options.add_argument("--first", type=int, default=0, help="number of the first nest")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: %(default)s)")
    options.add_argument("--shrink-limit", type=int, default=300, help="tries to make a finding small (default: 300)")
    values = fuzzing.parse(options, arguments)
    if values.count or values.index is not None:
        values.minutes = 1e6
    values.count = values.count or ALL
    if values.index is not None:
        values.first, values.count, values.jobs = values.index, 1, 1
    values.end = time.monotonic() + 60 * values.minutes
    return values


def main(arguments=None):
    values = parse(arguments)
    results, failures = multiprocessing.SimpleQueue(), {}
    counts = {"nests": 0, "calls": 0, "calls that fail": 0}
    workers = [Worker(values, number, results) for number in range(max(1, values.jobs))]
    while True:
        waiting = [worker for worker in workers if worker.poll(failures)]
        while not results.empty():
            found = results.get()
            if isinstance(found, dict):
                counts = {what: number + found[what] for what, number in counts.items()}
            else:
                failures[found[0]] = found[1]
        if not waiting:
            return fuzzing.finish("nests", values, counts, failures)
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
