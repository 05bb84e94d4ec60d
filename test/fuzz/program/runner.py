"""Talks to the program that compiles and calls (runner/Runner.cpp): one message
for a command, one for its answer. Sees when that program dies or takes too long,
and starts it again."""

import contextlib
import os
import select
import struct
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

import numpy as np
from element_types import TYPES

# Seconds of its own that the runner may compute for one answer. On a machine with
# other work that takes longer, so what passes meanwhile counts only far beyond.
LIMIT_S = 20.0
PATIENCE = 30

# BroadloomElementType (runtime/calls/Tensor.h).
NAMES = [
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "ui8",
    "ui16",
    "ui32",
    "ui64",
    "f8E4M3FN",
    "f8E5M2",
    "f16",
    "bf16",
    "f32",
    "f64",
]
NUMBERS = {name: i for i, name in enumerate(NAMES)}
NUMBERS["index"] = NUMBERS["i64"]

OK, INVALID_ARGUMENT, OUT_OF_MEMORY, GUARD_FAILED = range(4)


COMMANDS = {
    b"C": "compiling",
    b"R": "running",
    b"H": "the shapes of a call",
    b"S": "querying shapes",
    b"K": "checking",
    b"T": "compiling again",
    b"D": "forgetting",
}


class Died(Exception):
    """The runner crashed or was killed for taking too long."""


@dataclass
class Tensor:
    """A view of a buffer: strides and offset in elements."""

    kind: str
    buffer: int
    offset: int
    extents: tuple
    strides: tuple


@dataclass
class RunAnswer:
    status: int
    message: str
    written: bool
    results: list
    outputs: dict = field(default_factory=dict)  # bytes by number of the buffer
    state: dict = field(default_factory=dict)  # arrays by name of the variable


class Message:
    def __init__(self, command):
        self.parts = [command]

    def number(self, form, value):
        self.parts.append(struct.pack("=" + form, value))
        return self

    def bytes(self, value):
        value = value.encode() if isinstance(value, str) else value
        self.parts += [struct.pack("=I", len(value)), value]
        return self

    def numbers(self, values):
        self.parts.append(struct.pack(f"=I{len(values)}q", len(values), *values))
        return self

    def tensor(self, tensor):
        self.number("B", NUMBERS[tensor.kind]).number("I", tensor.buffer).number("q", tensor.offset)
        return self.numbers(tensor.extents).numbers(tensor.strides)

    def done(self):
        return b"".join(self.parts)


class Answer:
    def __init__(self, message):
        self.rest, self.at = message, 0

    def number(self, form):
        (value,) = struct.unpack_from("=" + form, self.rest, self.at)
        self.at += struct.calcsize("=" + form)
        return value

    def bytes(self):
        count = self.number("I")
        self.at += count
        return self.rest[self.at - count : self.at]

    def text(self):
        return self.bytes().decode("utf-8", "replace")

    def numbers(self, form):
        return tuple(self.number(form) for _ in range(self.number("I")))

    def array(self):
        kind = TYPES[NAMES[self.number("B")]]
        extents = self.numbers("q")
        if kind.dtype == np.bool_:
            return (np.frombuffer(self.bytes(), np.uint8) != 0).reshape(extents)
        return np.frombuffer(self.bytes(), kind.dtype).reshape(extents)


class Runner:
    """`program` is the path of broadloom-fuzz-runner, or a command as a list."""

    def __init__(self, program, limit=LIMIT_S):
        self.command = program if isinstance(program, list) else [str(program)]
        self.limit = limit
        self.process = None
        self.errors = None
        # Seconds that processes which are gone have computed.
        self.spent = 0.0

    def start(self):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)

    def stop(self):
        if self.process:
            self.spent += self.seconds()
            self.process.kill()
            self.process.wait()
            for file in (self.process.stdin, self.process.stdout, self.errors):
                # A process that dies early leaves what it has not read in the pipe's buffer.
                with contextlib.suppress(BrokenPipeError):
                    file.close()
        self.process = None

    def ended(self):
        """It has closed its end. Waits for it, so that its exit status is its own
        and not that of a kill, but leaves it there for what it has computed."""
        os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
        self.fail("")

    def fail(self, why):
        self.spent += self.seconds()
        self.process.kill()
        status = self.process.wait()
        self.errors.seek(0)
        words = self.errors.read().decode("utf-8", "replace").strip()
        self.stop()
        what = why or (f"signal {-status}" if status < 0 else f"exit status {status}")
        raise Died(f"{self.last}: {what}\n{words[-3000:]}".strip())

    def seconds(self):
        """Returns what the process has computed so far."""
        if not self.process:
            return 0.0
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def read(self, count):
        parts, file = [], self.process.stdout.fileno()
        start = time.monotonic()
        while count:
            ready, _, _ = select.select([file], [], [], min(1.0, self.limit))
            if not ready:
                if self.seconds() - self.before > self.limit or time.monotonic() - start > PATIENCE * self.limit:
                    self.fail(f"took more than {self.limit:g} s")
                continue
            part = os.read(file, min(count, 1 << 20))
            if not part:
                self.ended()
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def request(self, message):
        if not self.process:
            self.start()
        text = message.done()
        self.last, self.before = COMMANDS[text[:1]], self.seconds()
        try:
            self.process.stdin.write(struct.pack("=I", len(text)) + text)
            self.process.stdin.flush()
        except BrokenPipeError:
            self.ended()
        (count,) = struct.unpack("=I", self.read(4))
        return Answer(self.read(count))

    @staticmethod
    def compilerOf(message, strategy, libraries, optimise=True):
        message.number("B", {"default": 0, "rfc": 1}[strategy]).number("B", optimise).number("I", len(libraries))
        for library in libraries:
            message.bytes(library)
        return message

    def compile(self, slot, text, strategy="default", libraries=(), optimise=True):
        """Returns (whether it is accepted, diagnostics, milliseconds)."""
        message = Message(b"C").number("I", slot)
        answer = self.request(self.compilerOf(message, strategy, libraries, optimise).bytes(text))
        return bool(answer.number("B")), answer.text(), answer.number("d")

    def run(self, slot, buffers, tensors, outputs=(), threads=1, function="main"):
        """`outputs` are (result, Tensor) pairs. The calls of one compiled program
        share the state of its variables."""
        message = Message(b"R").number("I", slot).bytes(function).number("i", threads).number("I", len(buffers))
        for buffer in buffers:
            message.bytes(buffer)
        message.number("I", len(tensors))
        for tensor in tensors:
            message.tensor(tensor)
        message.number("I", len(outputs))
        for result, tensor in outputs:
            message.number("I", result).number("I", tensor.buffer).tensor(tensor)
        answer = self.request(message)
        status, text = answer.number("i"), answer.text()
        found = RunAnswer(status, text, bool(answer.number("B")), [])
        found.results = [answer.array() for _ in range(answer.number("I"))]
        for _ in range(answer.number("I")):
            name = answer.text()
            found.state[name] = answer.array()
        taken = {tensor.buffer for _, tensor in outputs}
        found.outputs = {buffer: answer.bytes() for buffer in sorted(taken)}
        return found

    def resultShapes(self, slot, tensors, function="main"):
        """Returns (why there are none, status, message, [(extents, inexact)])."""
        message = Message(b"H").number("I", slot).bytes(function).number("I", len(tensors))
        for tensor in tensors:
            message.tensor(tensor)
        answer = self.request(message)
        why, status, text = answer.text(), answer.number("i"), answer.text()
        shapes = []
        for _ in range(answer.number("I")):
            inexact = answer.number("I")
            shapes.append((answer.numbers("q"), inexact))
        return why, status, text, shapes

    def shapes(self, text, arguments, strategy="default", libraries=(), function="main"):
        """Returns (whether there is an answer, diagnostics, status, message, texts)."""
        message = self.compilerOf(Message(b"S"), strategy, libraries).bytes(text).bytes(function)
        message.number("I", len(arguments))
        for argument in arguments:
            message.bytes(argument)
        answer = self.request(message)
        if not answer.number("B"):
            return False, answer.text(), None, "", []
        text, status, words = answer.text(), answer.number("i"), answer.text()
        return True, text, status, words, [answer.text() for _ in range(answer.number("I"))]

    def check(self, text, strategy="default", libraries=()):
        """Returns (is a program, is accepted, is complete, diagnostics, (proved, run-time,
        refuted, unchecked), what is not proved)."""
        answer = self.request(self.compilerOf(Message(b"K"), strategy, libraries).bytes(text))
        flags = [bool(answer.number("B")) for _ in range(3)]
        text = answer.text()
        counts = answer.numbers("i")
        return (*flags, text, counts, answer.text())

    def repeat(self, text, strategy="default", libraries=()):
        """Returns (whether it is accepted each time, where its code is another than the first time)."""
        answer = self.request(self.compilerOf(Message(b"T"), strategy, libraries).bytes(text))
        return bool(answer.number("B")), answer.text()

    def forget(self):
        self.request(Message(b"D"))
