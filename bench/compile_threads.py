"""How much faster several threads compile: `compile --emit=obj` with --compile-threads=1 and =2, in turns.

  python3 bench/compile_threads.py [--rounds 3] [--threads 1,2] [FILE ...]

Without files: 1,000 functions over memory of a loop nest each, and 1,000 functions over tensors, whose kernels
differ. `path` is the processor time of the thread that calls and of the busiest other one, of which one waits while
the other works: what the wall time is on a machine that does nothing else. Each figure is the least of the rounds.
Checks that the files are the same for each number of threads.
"""

import argparse
import contextlib
import os
import subprocess
import tempfile
import time

from nests import program

FUNCTIONS = ("tanh", "exp", "sigmoid", "abs")


def tensors(size):
    type = "tensor<?x?xf32>"
    return "".join(
        f"""
func.func @f{number}(%a: {type}, %b: {type}) -> {type} {{
  %c = "tosa.const"() <{{values = dense<{number}.5> : tensor<1x1xf32>}}> : () -> tensor<1x1xf32>
  %0 = tosa.add %a, %b : ({type}, {type}) -> {type}
  %1 = tosa.{FUNCTIONS[number % 4]} %0 : ({type}) -> {type}
  %2 = tosa.sub %1, %c : ({type}, tensor<1x1xf32>) -> {type}
  return %2 : {type}
}}
"""
        for number in range(size)
    )


def threads_of(process):
    """The processor time of each thread of a process in seconds, by its number."""
    folder, found = f"/proc/{process.pid}/task", {}
    for thread in os.listdir(folder):
        with open(f"{folder}/{thread}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        found[int(thread)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def compiles(broadloom, path, output, threads):
    """The wall time and the path of one compilation."""
    command = [broadloom, "compile", path, f"--compile-threads={threads}", "--emit=obj", "-o", output]
    start, times = time.monotonic(), {}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            # A thread, or the process, may just have ended.
            with contextlib.suppress(OSError):
                times.update(threads_of(process))
            time.sleep(0.01)
        if process.returncode:
            raise SystemExit(f"{path}: exit status {process.returncode}")
        calling = times.pop(process.pid, 0)
    return time.monotonic() - start, calling + max(times.values(), default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--broadloom", default="build/bin/broadloom", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", default="1,2", help="the numbers to compare; the first is the base")
    options = parser.parse_args()
    numbers = [int(number) for number in options.threads.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        if not options.files:
            for name, text in (("nests", program("simple", 1000, 1000)), ("tensors", tensors(1000))):
                path = os.path.join(folder, f"1000 {name}.mlir")
                options.files.append(path)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
        print("| program | threads | wall | path | wall ratio | path ratio |")
        print("|---|---|---|---|---|---|")
        for path in options.files:
            least = {number: (float("inf"), float("inf")) for number in numbers}
            made = set()
            for _ in range(options.rounds):
                for number in numbers:
                    output = os.path.join(folder, "out.o")
                    least[number] = tuple(map(min, least[number], compiles(options.broadloom, path, output, number)))
                    with open(output, "rb") as file:
                        made.add(file.read())
            if len(made) != 1:
                raise SystemExit(f"{path}: the files differ")
            for number in numbers:
                ratios = [base / now for base, now in zip(least[numbers[0]], least[number])]
                cells = [f"{value:.2f} s" for value in least[number]] + [f"{ratio:.2f}" for ratio in ratios]
                print(f"| {os.path.basename(path)} | {number} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
