"""The official TOSA conformance suite: made by its own generator, once, and its
tests by name.
"""

import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

# What is requested of the generator.
REQUEST = ["--test-version", "1.0.2", "--profile", "all", "--extension", "all", "--output-type", "binary"]


class Test:
    """A test of the suite: its name, its folder and its description."""

    def __init__(self, root, name):
        self.name = name
        self.folder = Path(root) / name
        with open(self.folder / "desc.json", encoding="utf-8") as file:
            self.description = json.load(file)

    @property
    def operation(self):
        """The folder above, such as `add`, without the kernel of a convolution."""
        details = self.description.get("test_details", {})
        return details.get("operator", self.name.split("/")[-2]).lower()

    @property
    def isNegative(self):
        return self.description["expected_failure"]


def operators():
    """All that the generator has tests of."""
    path = Path(sysconfig.get_path("purelib")) / "conformance" / "cts-config_v1.0.json"
    with open(path, encoding="utf-8") as file:
        return sorted(name for name, entry in json.load(file).items() if "generation" in entry)


def makeStamp():
    """Returns a digest of what the tests depend on."""
    return hashlib.sha256(repr((metadata.version("tosa-tools"), REQUEST)).encode()).hexdigest()


def isGenerated(folder, name):
    stamp = Path(folder) / f"{name}.stamp"
    return stamp.exists() and stamp.read_text(encoding="utf-8") == makeStamp()


def generateOperator(folder, name):
    """Makes the tests of one operator, where they are not there yet."""
    if isGenerated(folder, name):
        return
    root = folder / name
    parts, made = folder / f"{name}.parts", folder / f"{name}.made"
    for old in (root, parts, made):
        shutil.rmtree(old, ignore_errors=True)
    tools = os.path.dirname(os.path.abspath(sys.executable))
    environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"])
    with open(folder / f"{name}.log", "wb") as log:
        done = subprocess.run(
            [
                os.path.join(tools, "tosa_verif_conformance_generator"),
                *REQUEST,
                "-j",
                "1",
                "--operators",
                name,
                "--build-directory",
                str(parts),
                "--output-directory",
                str(made),
            ],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    if done.returncode:
        raise RuntimeError(f"the generator failed for {name}; see {folder / name}.log")
    shutil.rmtree(parts, ignore_errors=True)
    root.mkdir()
    # What is under operators/GROUP: the operator, or one folder for each of its kernels.
    for found in made.glob("operators/*/*"):
        found.rename(root / found.name)
    shutil.rmtree(made, ignore_errors=True)
    (folder / f"{name}.stamp").write_text(makeStamp(), encoding="utf-8")


def generate(folder, jobs, wanted=None):
    """Makes the suite, or the wanted operators of it, where it is not there yet."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = wanted or operators()
    missing = [name for name in wanted if not isGenerated(folder, name)]
    if missing:
        print(
            f"conformance: generating the official tests of {len(missing)} operators, once; that takes some time",
            flush=True,
        )
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda name: generateOperator(folder, name), wanted))


def isComplete(folder):
    return all(isGenerated(folder, name) for name in operators())


# They have more than 1,000 tests each, which take 10 minutes and more to generate.
LARGE = ("avg_pool2d", "conv2d", "conv3d", "depthwise_conv2d", "transpose_conv2d")


def chooseOperators(folder, seed, count=5):
    """So many operators, which the seed chooses, and the large ones that are there."""
    # Of version 1.1, or of block-scaled types only.
    later = re.compile("_shape$|block_scaled|adaptive|^matmul_t|^row_gather|^dim$")
    small = [name for name in operators() if not later.search(name) and name not in LARGE]
    there = [name for name in LARGE if isGenerated(folder, name)]
    return sorted(random.Random(seed).sample(small, count) + there)


def names(folder, wanted=None):
    """The names of all tests of the operators, in order."""
    return sorted(
        os.path.relpath(path, folder)
        for name in wanted or operators()
        if isGenerated(folder, name)
        for path, _, files in os.walk(Path(folder) / name)
        if "desc.json" in files
    )


def sample(found, count, seed):
    """`count` of the names: of each operation in turn, in an order that the seed gives."""
    chance = random.Random(seed)
    groups = {}
    for name in found:
        groups.setdefault(name.split("/")[0], []).append(name)
    for group in groups.values():
        chance.shuffle(group)
    order = list(groups.values())
    chance.shuffle(order)
    picked = []
    while len(picked) < count and order:
        for group in order:
            if len(picked) < count:
                picked.append(group.pop())
        order = [group for group in order if group]
    return sorted(picked)
