"""One system with one number of threads, in a process of its own, told by
run.py what to do: a line of JSON in, a line of JSON out.

    worker.py PEER THREADS given|fresh
"""

import gc
import importlib
import json
import os
import sys
import traceback

import arrays as memory
import cases
import numpy as np

MODES = {"prepare", "sample", "compare", "result", "release", "limits", "clock"}


class Worker:
    def __init__(self, name, threads, fresh):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])
        self.peer = importlib.import_module(f"peers.{name}").Peer(threads, fresh)

    def prepare(self, group, name):
        case = cases.find(group, name)
        self.peer.prepare(case, memory.make(case))

    def sample(self, seconds):
        return self.peer.sample(seconds)

    def compare(self, seconds):
        return self.peer.compare(seconds)

    def result(self, path):
        result = np.asarray(self.peer.result())
        np.save(path, result.view(np.uint16) if result.dtype.itemsize == 2 else result)

    def limits(self, seconds):
        return self.peer.limits(seconds)

    def clock(self):
        return self.peer.clock()

    def release(self):
        self.peer.release()
        gc.collect()


def main():
    # What libraries print goes to the log; answers to the descriptor that was stdout.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**fields):
        print(json.dumps(fields), file=answers, flush=True)

    def attempt(function, *arguments):
        try:
            answer(value=function(*arguments))
        except Exception as error:  # whatever a system throws becomes a line of the table
            traceback.print_exc()
            answer(error=f"{type(error).__name__}: {error}".strip())

    made = []
    attempt(lambda: made.append(Worker(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "fresh")) or made[0].peer.version)
    if not made:
        return
    for line in sys.stdin:
        method, *arguments = json.loads(line)
        if method not in MODES:
            raise ValueError(method)
        attempt(getattr(made[0], method), *arguments)


main()
