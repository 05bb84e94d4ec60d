"""Runs a command with BROADLOOM_JIT_SYMBOLS=perf,gdb, prints what is in the file of
its process, and removes that."""

import os
import subprocess
import sys

process = subprocess.Popen(
    sys.argv[1:], stdout=subprocess.DEVNULL, env={**os.environ, "BROADLOOM_JIT_SYMBOLS": "perf,gdb"}
)
assert process.wait() == 0
path = f"/tmp/perf-{process.pid}.map"
with open(path, encoding="utf-8") as file:
    lines = file.read().splitlines()
os.remove(path)
for line in lines:
    address, size, _ = line.split(" ", 2)
    assert int(address, 16) > 0 and int(size, 16) > 0, line
print(f"perf-PID.map has {len(lines)} functions")
print("\n".join(lines))
