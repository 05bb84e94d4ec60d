"""Tries a program, and returns what is found by that."""

import re
from dataclasses import dataclass, field

# What an error of a pass says; a program that is refused is refused before.
OF_PASSES = re.compile(
    r"bug in broadloom|failed to legalize|bufferiz|read-only|unrealized|LLVM ERROR|does not dominate|'llvm\.|'memref\.|"
    r"operand #\d|verif|'loom\.(map|rows)' op|'linalg\.|invalid LLVM|tensor of shape \S*-\S* is larger",
    re.IGNORECASE,
)


def isOfPass(words, text):
    """Whether `words` are an error of a pass. Operations that the program has
    itself, such as `linalg.generic`, are named by the rules, too."""
    return bool(OF_PASSES.search(re.sub(r"'([a-z]+\.\w+)'", lambda m: "" if m[1] in text else m[0], words)))


@dataclass(frozen=True)
class Form:
    """How the program of a trial is written and which questions it answers."""

    mode: str = "dynamic"
    seed: int = 0
    strategy: str = "default"
    # A seed for what the program is turned into, 0 for nothing.
    change: int = 0
    # run; shapes: `shapes` against the evaluator; erased: bits of two modes.
    question: str = "run"
    withCheck: bool = False
    # Whether LLVM optimises the machine code, which takes most of the time.
    optimise: bool = True

    def __str__(self):
        words = [self.question, self.mode, self.strategy]
        return " ".join(
            words + ["changed"] * bool(self.change) + ["check"] * self.withCheck + ["unoptimised"] * (not self.optimise)
        )


@dataclass
class Trial:
    program: object  # without types
    calls: list
    form: Form


@dataclass
class Finding:
    kind: str
    words: str
    text: str = ""
    call: object = None
    # What the variables had before the call, as Data by name.
    state: dict = field(default_factory=dict)

    def signature(self):
        """Equal for findings that are likely to have one cause."""
        words = re.sub(r"%\w+|\d+", "N", self.words.split("\n")[0])
        words = re.sub(r"[Nx?*]*N[Nx?*]*", "N", re.sub(r"'tosa\.\w+'|tensor<[^>]*>", "T", words))
        if self.kind in ("wrong", "erased"):
            words = words.split(";")[0].split(" of ")[-1]
            operations = re.findall(r"(?:tosa|scf|cf|func)\.(?!const|yield|return|func)\w+", self.text)
            words += " ".join(sorted(set(operations)))
        return f"{self.kind}: {words[:150]}"
