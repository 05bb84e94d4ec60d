"""The systems that are measured. Each file has a class `Peer`.

Peer(threads, fresh)  raises where the system cannot run here; `fresh`: every
                      call makes a new result, as the system does by itself,
                      instead of filling memory that is there before
version               as the table shows it
prepare(case, arrays) compiles and binds; raises what a case cannot have
sample(seconds)       times of single calls, in ns
result()              what the last call computed
release()             forgets the case
"""

import time

# In the order of the table's columns.
NAMES = ("hand", "ort", "xla", "torch", "iree_static", "iree_dynamic", "numpy", "broadloom")
TITLES = {
    "hand": "by hand",
    "ort": "ONNX Runtime",
    "xla": "XLA (JAX)",
    "torch": "torch.compile",
    "iree_static": "IREE, static",
    "iree_dynamic": "IREE, dynamic",
    "numpy": "NumPy",
    "broadloom": "Broadloom",
}
RIVALS = ("ort", "xla", "torch", "iree_static", "iree_dynamic", "numpy")
MOST_SAMPLES = 20000


class Unsupported(Exception):
    """The system has no such operation or type."""


class PythonPeer:
    """Samples `self.call` from Python, in batches of at least 20 us."""

    def sample(self, seconds):
        call, clock = self.call, time.perf_counter_ns
        begin = clock()
        call()
        batch = range(max(1, 20000 // (clock() - begin + 1)))
        end, samples = clock() + seconds * 1e9, []
        while not samples or (clock() < end and len(samples) < MOST_SAMPLES):
            begin = clock()
            for _ in batch:
                call()
            samples.append((clock() - begin) / len(batch))
        return samples

    def release(self):
        self.__dict__.pop("call", None)
