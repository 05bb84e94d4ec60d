"""Measures PyTorch modules in eager mode, with Inductor and with Broadloom.

    .venv-torch/bin/python bench/pytorch.py [--threads 1] [--model resnet18] [--write]

For each system it prints the time of the first call, the mean of the first calls with
each new shape, and the shortest time of each shape, their mean. Shapes come in turn, so
that a system that compiles for each shape is seen to. Each system has a process of its
own. The models are those of test/torch/models.py, at the sizes below.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import readme

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path[:0] = [os.path.join(ROOT, "build", "python"), os.path.join(ROOT, "test", "torch")]

TEXTS = [(2, 128), (3, 77), (4, 32), (5, 200), (6, 17), (2, 255)]
IMAGES = [(2, 128, 96), (3, 160, 160), (4, 96, 128), (5, 64, 64), (2, 224, 224), (6, 72, 88)]


def makeModels():
    import models
    import torch

    tokens = lambda n, s: (torch.randint(0, 97, (n, s)),)
    image = lambda n, h, w: (torch.randn(n, 3, h, w),)
    masked = lambda n, s: (*tokens(n, s), torch.ones(n, s, dtype=torch.int64))
    return {
        "bert": (lambda: models.Bert(width=256, heads=8, layers=4, longest=512), masked, TEXTS),
        "gpt2": (lambda: models.Gpt2(width=256, heads=8, layers=4, longest=512), tokens, TEXTS),
        "llama": (
            lambda: models.LlamaBlock(width=512, heads=8, groups=2, hidden=1408),
            lambda n, s: (torch.randn(n, s, 512),),
            TEXTS,
        ),
        "vit": (
            lambda: models.Vit(size=128, patch=16, width=192, heads=3, layers=6),
            lambda n: image(n, 128, 128),
            [(2,), (3,), (4,), (5,), (6,), (9,)],
        ),
        "resnet18": (lambda: models.ResNet18(width=64), image, IMAGES),
        "mobilenet2": (models.MobileNetV2, image, IMAGES),
        "unet": (lambda: models.UNet(width=16), image, [(n, h // 4 * 4, w // 4 * 4) for n, h, w in IMAGES]),
    }


def measure(system, name, threads):
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(threads)
    make, inputs, shapes = makeModels()[name]
    module = make().eval()
    if system == "inductor":
        call = torch.compile(module, dynamic=True)
    elif system == "broadloom":
        import broadloom as bl

        call = torch.compile(module, backend=bl.torch.backend, dynamic=True, options={"threads": threads})
    else:
        call = module
    first, steady = [], []
    with torch.no_grad():
        for shape in shapes:
            given = inputs(*shape)
            times = []
            for _ in range(12):
                start = time.perf_counter()
                result = call(*given)
                times.append(time.perf_counter() - start)
            first.append(times[0])
            steady.append(min(times[1:]))
            torch.testing.assert_close(result, module(*given), rtol=1e-3, atol=1e-3)
    mean = lambda numbers: sum(numbers) / len(numbers)
    return {"first": first[0], "shape": mean(first[1:]), "steady": mean(steady)}


def run(system, name, threads):
    """The times of a system in a process of its own, in the words of the table."""
    command = [sys.executable, __file__, "--only", system, "--model", name, "--threads", str(threads)]
    # Nobody finds what an earlier process has compiled.
    environment = {**os.environ, "BROADLOOM_CACHE": "0", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["it fails"])[-1][:80]
    t = json.loads(done.stdout.splitlines()[-1])
    return f"{t['first']:.2f} s, {t['shape'] * 1e3:.1f} ms, {t['steady'] * 1e3:.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, action="append", help="1 and 2 without it")
    parser.add_argument("--model", action="append")
    parser.add_argument("--only", help="one system, as JSON")
    parser.add_argument("--write", action="store_true", help="write the table to bench/README.md")
    options = parser.parse_args()
    if options.only:
        print(json.dumps(measure(options.only, options.model[0], options.threads[0])))
        return
    lines = ["| module, threads | eager | Inductor | Broadloom |", "|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    for name in options.model or makeModels():
        for threads in options.threads or (1, 2):
            cells = [run(system, name, threads) for system in ("eager", "inductor", "broadloom")]
            lines.append(f"| {name}, {threads} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    if options.write:
        readme.replace("pytorch", lines)


if __name__ == "__main__":
    main()
