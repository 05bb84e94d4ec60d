"""Loop nests without any check, compiled by MLIR's own passes and run under
AddressSanitizer. Around each row of a memory lies memory that nobody may touch, so that
every access outside of its axes faults, and not only one that leaves the memory."""

import os
import shutil
import subprocess

from nest_text import write

TOOLS = ("mlir-opt-22", "mlir-translate-22", "clang-22")
LOWERING = (
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-math-to-llvm",
    "--expand-strided-metadata",
    "--lower-affine",
    "--finalize-memref-to-llvm=use-generic-functions=0",
    "--convert-func-to-llvm=use-bare-ptr-memref-call-conv=1",
    "--convert-arith-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)
# Each call has a process, which ends with a status of its own where it faults.
HARNESS = """
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define N {extent}L
#define AROUND {around}L
#define WIDTH (N + 2 * AROUND)

static double *make(int rank) {{
  long count = 1;
  for (int i = 0; i < rank; ++i)
    count *= WIDTH;
  double *memory = malloc(count * sizeof(double));
  for (long i = 0; i < count; ++i)
    memory[i] = 1 + i % 7;
  __asan_poison_memory_region(memory, count * sizeof(double));
  long start = 0;
  for (int i = 0; i < rank; ++i)
    start = start * WIDTH + AROUND;
  for (long i = 0; i < (rank > 2 ? N : 1); ++i)
    for (long j = 0; j < (rank > 1 ? N : 1); ++j)
      __asan_unpoison_memory_region(
          memory + start + (i * WIDTH + j) * WIDTH, N * sizeof(double));
  return memory + start;
}}

{declarations}

static int run(void (*call)(void)) {{
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {{
    freopen("/dev/null", "w", stderr);
    call();
    _exit(0);
  }}
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}}

int main(void) {{
{calls}
  return 0;
}}
"""


def missing():
    """What of the tools is not installed."""
    return [tool for tool in TOOLS if not shutil.which(tool)]


def strided(text, function, extent, width):
    """The text with the distances of rows in its types."""
    for rank in {len(m.extents) for m in function.memories}:
        shape = "x".join([str(extent)] * rank)
        strides = ", ".join(str(width**power) for power in reversed(range(rank)))
        text = text.replace(f"memref<{shape}xf64>", f"memref<{shape}xf64, strided<[{strides}]>>")
    return text


def command(*arguments, given=None):
    # Whoever runs the tests may have turned poisoned memory off for the sanitizer.
    environment = {**os.environ, "ASAN_OPTIONS": ""}
    done = subprocess.run(list(map(str, arguments)), input=given, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, f"{' '.join(map(str, arguments))}\n{done.stderr[:4000]}"
    return done.stdout


def faults(functions, extent, folder):
    """For functions with that extent in their types: whether a call of each goes outside."""
    around = 2 * extent + 4
    texts = [strided(write([f])[0], f, extent, extent + 2 * around) for f in functions]
    lowered = command("mlir-opt-22", *LOWERING, given="".join(texts))
    code = command("mlir-translate-22", "--mlir-to-llvmir", given=lowered)
    # AddressSanitizer looks at the functions that say so.
    code = code.replace(") {\n", ") sanitize_address {\n")
    declarations, calls = [], []
    for function in functions:
        memories = ", ".join(f"make({len(m.extents)})" for m in function.memories)
        kinds = ", ".join(["double *"] * len(function.memories) + ["long"])
        declarations.append(
            f"void {function.name}({kinds});\nstatic void call_{function.name}(void) {{ {function.name}({memories}, N); }}"
        )
        calls.append(f'  printf("%d\\n", run(call_{function.name}));')
    harness = HARNESS.format(extent=extent, around=around, declarations="\n".join(declarations), calls="\n".join(calls))
    (folder / "nests.ll").write_text(code)
    (folder / "harness.c").write_text(harness)
    command(
        "clang-22",
        "-g0",
        "-O1",
        "-fsanitize=address",
        "-w",
        folder / "nests.ll",
        folder / "harness.c",
        "-lm",
        "-o",
        folder / "run",
    )
    statuses = [int(line) for line in command(folder / "run").split()]
    assert len(statuses) == len(functions) and set(statuses) <= {0, 1}, statuses
    return [status == 1 for status in statuses]
