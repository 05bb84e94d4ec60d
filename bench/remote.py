"""The driver's end of a worker: starts it, sends it requests, survives its death. Out of its
turn it is stopped: threads of its pool that look out for work would take a core
from the other workers."""

import atexit
import json
import os
import select
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
PATIENCE_S = 300


class Failed(Exception):
    """The system cannot do this; the text says why."""


class Remote:
    def __init__(self, name, threads, fresh, log):
        self.name, self.threads, self.fresh, self.log = name, threads, fresh, log
        self.process = None
        atexit.register(self.stop)
        self.version = self.start()

    def start(self):
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": str(self.threads),
            "OPENBLAS_NUM_THREADS": "1",
            "XLA_FLAGS": f"--xla_cpu_multi_thread_eigen={'true' if self.threads > 1 else 'false'}",
        }
        if not self.fresh:
            # Whoever allocates gets huge pages too, and keeps them between calls.
            environment["GLIBC_TUNABLES"] = (
                f"glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold={1 << 40}"
            )
        self.process = subprocess.Popen(
            [
                sys.executable,
                os.path.join(HERE, "worker.py"),
                self.name,
                str(self.threads),
                "fresh" if self.fresh else "given",
            ],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            bufsize=1,
        )
        return self._answer()

    def request(self, *message):
        if self.process is None:
            self.start()
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except OSError:
            self.stop()
            raise Failed("the process ended") from None
        return self._answer()

    def _answer(self):
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_S)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            status = self.process.poll()
            self.stop()
            raise Failed(f"no answer within {PATIENCE_S} s" if not ready else f"the process ended, status {status}")
        self.process.send_signal(signal.SIGSTOP)
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["value"]

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
