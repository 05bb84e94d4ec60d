#!/usr/bin/env python3
"""Checks that calls are accepted if and only if the rules accept them.

For every operation: first all shapes with extents of 0 to 3 up to rank 3,
given to a program whose types have `?` for all extents, or no rank; then, until
the time is up, programs whose types have some static extents, chosen by the
seed, with all shapes that these allow. The rules are stated in
test/fuzz/guards/ anew. Operands and results lie between pages that cannot be
accessed, so that a read or write outside ends the program.

  scripts/fuzz guards                         what scripts/test runs
  scripts/fuzz guards --only tosa.add --all   every pattern of static extents
"""

import os
import re
import sys

import fuzzing

CRASHED = 86


class Shard:
    """One process after the other, each beginning behind the case in which the
    one before crashed."""

    def __init__(self, values, number, shards):
        self.values, self.number, self.shards = values, number, shards
        self.clock = fuzzing.Clock(values.minutes)
        self.first, self.seed = 0, values.seed * 1000 + number
        self.crashes = 0
        self.start()

    def start(self):
        command = [
            os.path.join(self.values.build, "unittests", "broadloom-guards"),
            "--seed",
            str(self.seed),
            "--seconds",
            str(self.clock.left()),
            "--shard",
            str(self.number),
            "--shards",
            str(self.shards),
            "--from",
            str(self.first),
            "--only",
            self.values.only,
        ]
        self.process = fuzzing.Background(command + (["--all"] if self.values.all else []), "stdout")

    def finish(self, counts, failures):
        """Waits for the end, and adds up what was tried and found."""
        while True:
            status, output = self.process.finish()
            for kind, name, text in re.findall(r"^(FINDING|CRASH) (.*)\n((?:.*\n)*?)END$", output, re.M):
                failures.setdefault(f"{kind.lower()}: {name} ({len(failures)})", text)
            done = re.search(r"^DONE (\d+) programs \d+ refuted (\d+) accepted (\d+) refused", output, re.M)
            if done:
                counts["programs"] += int(done[1])
                counts["calls of valid shapes"] += int(done[2])
                counts["calls of invalid ones"] += int(done[3])
                return
            if status != CRASHED:
                failures[f"shard {self.number} ended with {status}"] = output[-2000:]
                return
            # The rest of the case is not tried. After too many crashes, nothing
            # more is to be learned.
            self.first = int(re.findall(r"^AT (\d+)$", output, re.M)[-1]) + 1
            self.seed += 1
            self.crashes += 1
            if self.crashes == 20:
                return
            self.start()


def main():
    options = fuzzing.parser(__doc__)
    options.add_argument("--only", default="", help="only operations whose name has this in it")
    options.add_argument(
        "--all",
        action="store_true",
        help="every pattern of static extents instead of some; takes minutes for an operation",
    )
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: %(default)s)")
    values = fuzzing.parse(options)
    counts = {"programs": 0, "calls of valid shapes": 0, "calls of invalid ones": 0}
    failures = {}
    shards = [Shard(values, i, values.jobs) for i in range(values.jobs)]
    for shard in shards:
        shard.finish(counts, failures)
    return fuzzing.finish("guards", values, counts, failures)


if __name__ == "__main__":
    sys.exit(main())
