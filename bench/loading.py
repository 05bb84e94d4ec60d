"""Measures how long models of torchvision take until they give their first result.

    .venv-torch/bin/python bench/loading.py [--model densenet121] [--rounds 2] [--write]

Batch, height and width are open. `export` is torch.export of the module and `from_torch` what bl.from_torch takes of
the result, compiling included; `first call` is the first call under torch.compile, of Inductor and of Broadloom. All
are seconds of CPU, those of processes that are started for it included, and the least of the rounds. Each measurement has
a process of its own, and no cache of compiled programs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import readme

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path[:0] = [os.path.join(ROOT, "build", "python")]

MODELS = ["mobilenet_v2", "mobilenet_v3_small", "densenet121", "resnext50_32x4d", "resnet18", "convnext_tiny"]
SHAPE = (2, 3, 96, 64)


def spent():
    """Seconds of CPU of this process and of those that have ended."""
    return sum(os.times()[:4])


def prepare():
    """Imports what the first compilation in a process imports."""
    import torch

    torch.compile(lambda x: (x @ x.T).relu(), backend="aot_eager", dynamic=True)(torch.randn(3, 3))
    torch._dynamo.reset()


def measure(system, name):
    """The seconds of each step."""
    import torch
    import torchvision

    torch.manual_seed(0)
    module = torchvision.models.get_model(name, weights=None).eval()
    x = torch.randn(SHAPE)
    # Imports are none of a model.
    prepare()
    with torch.no_grad():
        expected = module(x)
        if system == "inductor":
            import torch._inductor.compile_fx

            start = spent()
            result = torch.compile(module, dynamic=True)(x)
            times = {"first call": spent() - start}
        elif system == "broadloom":
            import broadloom as bl

            start = spent()
            result = bl.torch.compile(module)(x)
            times = {"first call": spent() - start}
        else:
            import broadloom as bl

            axes = dict.fromkeys((0, 2, 3), torch.export.Dim.AUTO)
            start = spent()
            program = torch.export.export(module, (x,), dynamic_shapes=(axes,))
            exported = spent()
            result = bl.from_torch(program)(x)
            times = {"export": exported - start, "from_torch": spent() - exported}
    torch.testing.assert_close(result, expected, rtol=1e-3, atol=1e-3)
    return times


def run(system, name):
    """Measures in another process."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {
            **os.environ,
            "BROADLOOM_CACHE": "0",
            "TORCHINDUCTOR_CACHE_DIR": cache,
            # In this process and its children, whose time is counted.
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
        }
        command = [sys.executable, os.path.abspath(__file__), "--measure", system, name]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout.splitlines()[-1])


def best(system, name, rounds):
    """The least time of each step."""
    found = [run(system, name) for _ in range(rounds)]
    return {step: min(times[step] for times in found) for step in found[0]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", action="append", choices=MODELS)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(*given.measure)))
        return
    lines = [
        "| model | export, s | from_torch, s | first call: Inductor, s | Broadloom, s | Inductor ÷ Broadloom |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(lines))
    for name in given.model or MODELS:
        direct, ours, theirs = (best(system, name, given.rounds) for system in ("export", "broadloom", "inductor"))
        ratio = theirs["first call"] / ours["first call"]
        times = [direct["export"], direct["from_torch"], theirs["first call"], ours["first call"]]
        lines.append(f"| {name} | {' | '.join(f'{time:.1f}' for time in times)} | {ratio:.1f} |")
        print(lines[-1], flush=True)
    if given.write:
        readme.replace("loading", lines)


if __name__ == "__main__":
    main()
