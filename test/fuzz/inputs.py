#!/usr/bin/env python3
"""Gives damaged inputs to the readers of inputs, with libFuzzer under
AddressSanitizer and UndefinedBehaviorSanitizer.

  npy       .npy files
  text      the texts of --input
  extents   the language of loom.extents
  library   texts of shape functions and operations (--shape-library)
  tosa      TOSA files
  program   programs as text
  bytecode  programs as bytecode

Each has a corpus, test/fuzz/corpus/TARGET/, and a list of words,
test/fuzz/corpus/TARGET.dict, where that helps. `program` and `bytecode` need
the whole compiler with sanitizers, which takes long to build, and see no further
than this project's code: MLIR's libraries come without coverage. So they are
tried only when they are named.

  scripts/fuzz inputs                          what scripts/test runs
  scripts/fuzz inputs --target program --minutes 60
  scripts/fuzz inputs --target npy --repeat FILE
"""

import os
import re
import subprocess
import sys
import tempfile

import fuzzing

CHEAP = ["npy", "text", "extents", "library", "tosa"]
TARGETS = [*CHEAP, "program", "bytecode"]
CORPUS = os.path.join(fuzzing.ROOT, "test", "fuzz", "corpus")
# As in scripts/test: MLIR's libraries come without sanitizers.
SANITIZERS = (
    "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0:alloc_dealloc_mismatch=0:"
    "allocator_may_return_null=1"
)


def build(targets):
    subprocess.run(
        [
            os.path.join(fuzzing.ROOT, "scripts", "build"),
            "--preset",
            "fuzz",
            *(f"broadloom-fuzz-{target}" for target in targets),
        ],
        check=True,
    )


def command(target, *arguments):
    # libFuzzer watches the memory with a thread of its own. Bytecode is read by
    # a fork first, and that only where a process has one thread.
    memory = 0 if target == "bytecode" else 6144
    words = os.path.join(CORPUS, f"{target}.dict")
    return [
        os.path.join(fuzzing.ROOT, "build-fuzz", "fuzz", f"broadloom-fuzz-{target}"),
        "-timeout=25",
        f"-rss_limit_mb={memory}",
        "-max_len=4096",
        *([f"-dict={words}"] if os.path.exists(words) else []),
        *arguments,
    ]


def environment():
    return {
        **os.environ,
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", SANITIZERS),
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def cause(output):
    """Returns what is the same for inputs that find the same: the first function of the
    project in the stack, or what libFuzzer says."""
    summary = re.search(r"^SUMMARY: (.*)$", output, re.M)
    frame = re.search(
        r" in (broadloom::\S+|\S+)\S* \S*/(?:shape|runtime|dialect|poly|scalar|read|infer|legalize|lower|codegen|driver|tools)/",
        output,
    )
    return f"{summary[1] if summary else 'ended'}{' in ' + frame[1] if frame else ''}"


class Target:
    """Runs one fuzzer until its time is up, again after each finding."""

    def __init__(self, name, seed, minutes, findings):
        self.name, self.seed, self.clock, self.findings = name, seed, fuzzing.Clock(minutes), findings
        # What is learned on the way is not kept: each run depends on its seed.
        self.learned = tempfile.TemporaryDirectory()
        self.inputs, self.failures = 0, {}
        self.start()

    def start(self):
        seconds = max(1, round(self.clock.left()))
        corpus = os.path.join(CORPUS, self.name)
        self.process = fuzzing.Background(
            command(
                self.name,
                f"-seed={self.seed % 2**32 or 1}",
                f"-max_total_time={seconds}",
                "-print_final_stats=1",
                f"-artifact_prefix={self.findings}/{self.name}-",
                self.learned.name,
                *([corpus] if os.path.isdir(corpus) else []),
            ),
            "stderr",
            quiet=True,
            env=environment(),
        )

    def finish(self):
        while True:
            status, output = self.process.finish()
            executed = re.search(r"stat::number_of_executed_units: *(\d+)", output)
            self.inputs += int(executed[1]) if executed else 0
            if status == 0:
                return
            path = re.search(r"Test unit written to (\S+)", output)
            text = (
                f"{output[-3000:]}\nrepeat with: scripts/fuzz inputs --target {self.name} --repeat {path and path[1]}"
            )
            self.failures.setdefault(f"{self.name}: {cause(output)}", text)
            self.seed += 1
            # Beyond some findings, mending is what helps.
            if not self.clock or len(self.failures) == 5:
                return
            self.start()


def main():
    options = fuzzing.parser(__doc__)
    options.add_argument(
        "--target",
        action="append",
        choices=[*TARGETS, "all"],
        help=f"only this reader, or all of them (default: {', '.join(CHEAP)})",
    )
    options.add_argument("--repeat", metavar="FILE", help="run the target once, on this input")
    options.add_argument(
        "--findings",
        default=os.path.join(fuzzing.ROOT, "build-fuzz", "findings"),
        help="where inputs that find something are kept (default: %(default)s)",
    )
    values = fuzzing.parse(options)
    targets = values.target or CHEAP
    if "all" in targets:
        targets = TARGETS
    build(targets)
    if values.repeat:
        return subprocess.run(command(targets[0], values.repeat), env=environment()).returncode
    os.makedirs(values.findings, exist_ok=True)
    # As many at once as there are cores; all together take the time that is given.
    at_once = max(1, os.cpu_count() or 1)
    rounds = -(-len(targets) // at_once)
    inputs, failures = 0, {}
    for i in range(0, len(targets), at_once):
        running = [
            Target(name, values.seed, values.minutes / rounds, values.findings) for name in targets[i : i + at_once]
        ]
        for target in running:
            target.finish()
            inputs += target.inputs
            failures.update(target.failures)
    return fuzzing.finish("inputs", values, {"inputs": inputs}, failures)


if __name__ == "__main__":
    sys.exit(main())
