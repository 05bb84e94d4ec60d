#!/usr/bin/env python3
"""Random programs of many operations, judged by NumPy and against themselves.

  scripts/fuzz programs                          2 minutes
  scripts/fuzz programs --count 1000 --seed 7
  scripts/fuzz programs --seed 7 --index 41      one of them

One program is one (seed, index) pair. What is found is made small and written
to a folder with its inputs and the command that runs it. The last line counts
programs, calls and findings by kind; the exit status is 1 where there are any.
"""

import multiprocessing
import os
import queue
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

# Several threads of NumPy's are slower on arrays this small.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "program"), str(HERE.parent / "e2e")]

import fuzzing  # noqa: E402
import names  # noqa: E402
import report  # noqa: E402
from calls import callsOf  # noqa: E402
from generator import generate  # noqa: E402
from judge import Judge  # noqa: E402
from operations.user import LIBRARY  # noqa: E402
from runner import Runner  # noqa: E402
from shrinker import Shrinker  # noqa: E402
from trial import Form, Trial  # noqa: E402
from typed import observeShapes  # noqa: E402

MODES = ("static", "dynamic", "dynamic", "mixed", "mixed", "unranked", "inferred")
# A signature that was met this often is not shrunk again.
MOST_OF_ONE = 2
ALL = 1 << 40
# Of so many programs LLVM optimises the machine code of one.
OPTIMISED_EACH = 8


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
    form = Form(
        mode,
        dice.randrange(1, 1 << 30),
        strategy,
        dice.choice([0, 0, 1]) and dice.randrange(1, 1 << 30),
        "run",
        dice.random() < 0.15,
        optimise=index % OPTIMISED_EACH == 0,
    )
    calls = callsOf(program, inputs, f"{seed}/{index}")
    yield Trial(program, calls, form)
    if dice.random() < 0.25:
        yield Trial(program, calls, Form(form.mode, form.seed, question="shapes"))
    if dice.random() < 0.12:
        yield Trial(
            program, calls, Form(dice.choice(["static", "mixed"]), form.seed, question="erased", optimise=form.optimise)
        )
    if dice.random() < 0.06:
        yield Trial(program, calls[:1], Form(form.mode, form.seed, strategy, question="repeated"))


class Worker:
    """Judges programs one after the other; the state of one process."""

    def __init__(self, options):
        self.options = options
        self.judge = Judge(Runner(options.runner))
        self.seen = Counter()
        self.times = Counter()

    def timed(self, name, function, *arguments):
        """Adds up processor time, of this process and of the runner."""
        runner = self.judge.runner
        start, compiling = time.process_time(), runner.spent + runner.seconds()
        try:
            return function(*arguments)
        finally:
            self.times[name] += time.process_time() - start
            if name != "shrinking":
                self.times["compiling and running"] += runner.spent + runner.seconds() - compiling

    def one(self, index):
        """The report of what is wrong with one program, or None."""
        seed = self.options.seed
        try:
            for trial in self.timed("making", lambda: list(trialsOf(seed, index))):
                finding = self.timed("judging", self.judge.judge, trial)
                if finding:
                    return self.reportOf(trial, finding, index)
        except Exception:  # A fault of the fuzzer's own is a finding, too.
            return report.ofFuzzer(traceback.format_exc(), seed, index)
        return None

    def reportOf(self, trial, finding, index):
        signature = finding.signature()
        self.seen[signature] += 1
        # Does it depend on what the same process did before?
        self.judge.runner.stop()
        again = self.timed("judging", self.judge.judge, trial)
        if again is None or again.kind != finding.kind:
            finding.kind = f"unstable {finding.kind}"
        elif self.seen[signature] <= MOST_OF_ONE and self.options.shrink_limit > 0:
            shrinker = Shrinker(self.judge.judge, self.options.shrink_limit)
            trial, finding = self.timed("shrinking", shrinker.shrink, trial, finding)
        return report.of(trial, finding, self.options.seed, index)


def work(options, number, numbers, end, results):
    worker = Worker(options)
    done = 0
    for index in range(options.first + number, options.first + options.count, numbers):
        if time.monotonic() > end:
            break
        found = worker.one(index)
        if found:
            results.put(found)
        done += 1
    worker.judge.runner.stop()
    results.put(
        {"programs": done, "compilations": worker.judge.compiled, "calls": worker.judge.calls, "times": worker.times}
    )


def parse(arguments=None):
    parser = fuzzing.parser(__doc__)
    parser.add_argument("--count", type=int, help="number of programs; then there is no limit of time")
    parser.add_argument("--index", type=int, help="only this program")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: %(default)s)")
    parser.add_argument("--folder", help="where findings are written (default: fuzz/SEED in the build)")
    parser.add_argument("--runner", help="the program that compiles and calls")
    parser.add_argument(
        "--shrink-limit",
        type=int,
        default=1000,
        help="programs to try in making a finding small (default: %(default)s)",
    )
    options = fuzzing.parse(parser, arguments)
    if options.count or options.index is not None:
        options.minutes = 1e6
    options.count = options.count or ALL
    if options.index is not None:
        options.first, options.count, options.jobs = options.index, 1, 1
    options.runner = options.runner or os.path.join(options.build, "bin", "broadloom-fuzz-runner")
    options.folder = options.folder or os.path.join(options.build, "fuzz", str(options.seed))
    return options


def main(arguments=None):
    options = parse(arguments)
    if not os.path.exists(options.runner):
        sys.exit(f"fuzz programs: {options.runner} is not there; scripts/build makes it")
    start = time.monotonic()
    results = multiprocessing.Queue()
    workers = [
        multiprocessing.Process(target=work, args=(options, i, options.jobs, start + 60 * options.minutes, results))
        for i in range(max(1, options.jobs))
    ]
    for worker in workers:
        worker.start()
    log = report.Log(options)
    left = len(workers)
    while left:
        try:
            item = results.get(timeout=5)
        except queue.Empty:
            if any(w.is_alive() for w in workers):
                continue
            log.add(report.ofFuzzer("a process of the fuzzer has died", options.seed, options.first))
            break
        if isinstance(item, report.Report):
            log.add(item)
        else:
            log.count(item)
            left -= 1
    for worker in workers:
        worker.join()
    return log.close(time.monotonic() - start)


if __name__ == "__main__":
    sys.exit(main())
