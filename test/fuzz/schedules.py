#!/usr/bin/env python3
"""Random schedules of random loop nests over memory, compared with lists of their iterations.

  scripts/fuzz schedules                          2 minutes
  scripts/fuzz schedules --count 10000 --seed 7
  scripts/fuzz schedules --seed 7 --index 41      one of them

One schedule is one (seed, index) pair: a program, a script of some edits, and calls of what it
makes. An edit that is accepted changes nothing that meets, and one that is refused would. The last
line counts schedules, edits and findings; the exit status is 1 where there are any.
"""

import itertools
import os
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "nests")]

import fuzzing  # noqa: E402


def main(arguments=None):
    options = fuzzing.parser(__doc__)
    options.add_argument("--count", type=int, help="number of schedules; then there is no limit of time")
    options.add_argument("--index", type=int, help="only this schedule")
    options.add_argument("--first", type=int, default=0, help="number of the first schedule")
    values = fuzzing.parse(options, arguments)
    sys.path.insert(0, os.path.join(values.build, "python"))
    from schedule_cases import Generator
    from schedule_judge import Judge

    end = time.monotonic() + 60 * values.minutes
    numbers = itertools.count(values.first)
    if values.index is not None:
        numbers = [values.index]
    elif values.count is not None:
        numbers = range(values.first, values.first + values.count)
    failures = {}
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(Path(folder))
        for index in numbers:
            if values.count is None and values.index is None and time.monotonic() > end:
                break
            case = Generator(values.seed, index).case()
            finding = judge.judge(case)
            if finding:
                name = f"scripts/fuzz schedules --seed {values.seed} --index {index}"
                failures[name] = f"{finding}\n{case.program}\n{case.schedule}"
        return fuzzing.finish("schedules", values, dict(judge.counts), failures)


if __name__ == "__main__":
    sys.exit(main())
