"""The fuzzer of programs: makes them, judges them, shrinks what goes wrong.

  scripts/fuzz programs                     2 minutes
  scripts/fuzz programs --count 1000 --seed 7
  scripts/fuzz programs --seed 7 --index 41   one of them

One program is one (seed, index) pair. The last line counts programs, calls and
findings by kind; exit status 1 where there are any.
"""

import argparse
import multiprocessing
import os
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]

import names  # noqa: E402
import report  # noqa: E402
from calls import callsOf  # noqa: E402
from generator import generate  # noqa: E402
from judge import Form, Judge, Trial  # noqa: E402
from operations.user import LIBRARY  # noqa: E402
from runner import Runner  # noqa: E402
from shrinker import Shrinker  # noqa: E402
from typed import observeShapes  # noqa: E402

MODES = ("static", "dynamic", "dynamic", "mixed", "mixed", "unranked")
# A signature that was met this often is not shrunk again.
MOST_OF_ONE = 2


def trialsOf(seed, index):
    """The trials of one program, chosen at random so that the rate holds."""
    program, inputs = generate(seed, index)
    observeShapes(program, inputs)
    program.libraries = [LIBRARY] if any(o.name.startswith("user_") for o in program.walk()) else []
    dice = random.Random(f"trials/{seed}/{index}")
    if dice.random() < 0.15:
        names.promise(program.main, inputs, f"{seed}/{index}")
    strategy = dice.choice(["default"] * 5 + ["rfc"])
    # The strategy `rfc` takes no unknown ranks.
    mode = dice.choice(MODES if strategy == "default" else ("static", "dynamic", "partial"))
    form = Form(mode, dice.randrange(1, 1 << 30), strategy,
                dice.choice([0, 0, 1]) and dice.randrange(1, 1 << 30), "run", dice.random() < 0.15)
    calls = callsOf(program, inputs, f"{seed}/{index}")
    yield Trial(program, calls, form)
    if dice.random() < 0.12:
        yield Trial(program, calls, Form(form.mode, form.seed, question="shapes"))
    if dice.random() < 0.06:
        yield Trial(program, calls[:1], Form(dice.choice(["static", "mixed"]), form.seed, question="erased"))


class Worker:
    """Judges programs one after the other; the state of one process."""

    def __init__(self, options):
        self.options = options
        self.judge = Judge(Runner(options.runner))
        self.seen = Counter()
        self.times = Counter()

    def one(self, index):
        """Reports of the findings of one program."""
        found = []
        start = time.perf_counter()
        trials = list(trialsOf(self.options.seed, index))
        self.times["make"] += time.perf_counter() - start
        for trial in trials:
            start = time.perf_counter()
            finding = self.judge.judge(trial)
            self.times["judge"] += time.perf_counter() - start
            if finding is None:
                continue
            signature = finding.signature()
            self.seen[signature] += 1
            # Does it depend on what the same process did before?
            self.judge.runner.stop()
            again = self.judge.judge(trial)
            if again is None or again.kind != finding.kind:
                finding.kind = f"unstable {finding.kind}"
                found.append(report.of(trial, finding, self.options.seed, index, finding.signature()))
                break
            if self.seen[signature] <= MOST_OF_ONE and not self.options.no_shrink:
                start = time.perf_counter()
                trial, finding = Shrinker(self.judge.judge, self.options.shrink_limit).shrink(trial, finding)
                self.times["shrink"] += time.perf_counter() - start
            found.append(report.of(trial, finding, self.options.seed, index, signature))
            break
        return found


def work(options, number, numbers, end, queue):
    worker = Worker(options)
    done = 0
    for index in range(options.first + number, options.first + options.count, numbers):
        if time.monotonic() > end:
            break
        try:
            reports = worker.one(index)
        except Exception:  # noqa: BLE001 - a fault of the fuzzer's own is a finding, too
            reports = [report.ofFuzzer(traceback.format_exc(), options.seed, index)]
        for found in reports:
            queue.put(found)
        done += 1
    worker.judge.runner.stop()
    queue.put((done, worker.judge.calls, worker.judge.compiled, dict(worker.times)))


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/fuzz programs", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="any text")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--count", type=int, default=1 << 40, help="number of programs")
    parser.add_argument("--index", type=int, help="only this program")
    parser.add_argument("--minutes", type=float, help="2, unless --count or --index is given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--folder", help="where findings are written; a new one in build/fuzz by default")
    parser.add_argument("--runner", help="the program that compiles and calls")
    parser.add_argument("--no-shrink", action="store_true", help="report what is found as it is")
    parser.add_argument("--shrink-limit", type=float, default=30.0, help="seconds for each finding")
    parser.add_argument("--quiet", action="store_true", help="findings in one line each")
    options = parser.parse_args(arguments)
    if options.minutes is None:
        options.minutes = 2.0 if options.count == 1 << 40 and options.index is None else 1e6
    if options.index is not None:
        options.first, options.count, options.jobs = options.index, 1, 1
    return options


def main(arguments):
    options = parse(arguments)
    start = time.monotonic()
    queue = multiprocessing.Queue()
    workers = [multiprocessing.Process(
        target=work, args=(options, i, options.jobs, start + 60 * options.minutes, queue))
        for i in range(max(1, options.jobs))]
    for worker in workers:
        worker.start()
    log = report.Log(options)
    left = len(workers)
    while left:
        try:
            item = queue.get(timeout=5)
        except Exception:  # noqa: BLE001 - queue.Empty of a process that has died
            if not any(w.is_alive() for w in workers):
                log.died()
                break
            continue
        if isinstance(item, report.Report):
            log.add(item)
        else:
            log.count(*item)
            left -= 1
    for worker in workers:
        worker.join()
    return log.close(time.monotonic() - start)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
