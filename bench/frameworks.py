"""Measures models of torchvision and transformers beside ONNX Runtime and eager mode.

    .venv-torch/bin/python bench/frameworks.py [--model resnet18] [--threads 1] [--write]

The weights are random, and the batch and the length of texts are open: each system compiles
once for all shapes of a model. Broadloom takes the module itself (from_torch) and the file that
ONNX Runtime takes (from_onnx). A model has a process of its own, in which the systems take
turns; a cell is the shortest time. Every result is compared with eager mode's. The limit is
what `broadloom profile` counts of the model's multiply-adds, bytes and other operations, at
the rates that it measures of this machine. --write writes the part of bench/models.md for
processors with such vectors.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path[:0] = [os.path.join(ROOT, "build", "python")]
BROADLOOM = os.path.join(ROOT, "build", "bin", "broadloom")
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "models.md")
#: How long the systems take turns with one shape, calls of one turn, and the largest error in
#: parts of the largest element.
SECONDS, CALLS, TOLERANCE = 5.0, 3, 1e-4
#: Larger files take long to compile with their weights as constants, as the limit needs them.
MOST_BYTES = 150 << 20
IMAGES, ONE, TEXTS = [(1,), (4,)], [(1,)], [(1, 32), (1, 128), (4, 64)]
VISION = {
    "resnet18": ("resnet18", IMAGES),
    "mobilenet_v2": ("mobilenet_v2", IMAGES),
    "mobilenet_v3_small": ("mobilenet_v3_small", IMAGES),
    "mobilenet_v3_large": ("mobilenet_v3_large", IMAGES),
    "squeezenet1_1": ("squeezenet1_1", IMAGES),
    "googlenet": ("googlenet", IMAGES),
    "densenet121": ("densenet121", ONE),
    "regnet_y_400mf": ("regnet_y_400mf", IMAGES),
    "resnext50_32x4d": ("resnext50_32x4d", IMAGES),
    "deeplabv3_mobilenet": ("segmentation.deeplabv3_mobilenet_v3_large", ONE),
    "swin_t": ("swin_t", ONE),
    "convnext_tiny": ("convnext_tiny", ONE),
    "vit_b_16": ("vit_b_16", ONE),
}
WORDS = 4096
LANGUAGE = ["bert", "gpt2", "llama"]


def makeText(name):
    import transformers

    # Extents that torch.export cannot follow are in the other implementations.
    common = {"attn_implementation": "eager"}
    if name == "bert":
        return transformers.BertModel(transformers.BertConfig(num_hidden_layers=4, **common))
    if name == "gpt2":
        config = transformers.GPT2Config(n_layer=4, use_cache=False, **common)
        return transformers.GPT2LMHeadModel(config)
    config = transformers.LlamaConfig(
        vocab_size=WORDS,
        hidden_size=512,
        intermediate_size=1408,
        num_hidden_layers=4,
        num_attention_heads=8,
        num_key_value_heads=2,
        use_cache=False,
        **common,
    )
    return transformers.LlamaForCausalLM(config)


def makeVision(path):
    import torchvision

    make = torchvision.models
    for part in path.split("."):
        make = getattr(make, part)
    options = {"weights": None}
    if path == "googlenet":
        options |= {"init_weights": False, "aux_logits": False}
    if path.startswith("segmentation"):
        options |= {"weights_backbone": None}
    return make(**options)


def makeModel(name):
    """A module of one result."""
    import torch

    torch.manual_seed(0)
    model = (makeText(name) if name in LANGUAGE else makeVision(VISION[name][0])).eval()
    for module in model.modules():
        # Norms that are no identity.
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.uniform_(-0.2, 0.2)
            module.running_var.uniform_(0.7, 1.4)

    class First(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, x, mask=None):
            found = self.model(x) if mask is None else self.model(x, attention_mask=mask)
            return found if isinstance(found, torch.Tensor) else next(iter(found.values()))

    return First().eval()


def makeInputs(name, shape):
    import torch

    if name not in LANGUAGE:
        return (torch.randn(*shape, 3, 224, 224),)
    tokens = torch.randint(0, WORDS, shape)
    return (tokens, torch.ones(shape, dtype=torch.int64)) if name == "bert" else (tokens,)


def export(name):
    import torch
    from torch.export import Dim

    model = makeModel(name)
    example = makeInputs(name, (2, 16) if name in LANGUAGE else (2,))
    extents = {0: Dim("n", min=1, max=64)}
    if name in LANGUAGE:
        extents[1] = Dim("s", min=2, max=512)
    return model, torch.export.export(model, example, dynamic_shapes=(extents,) * len(example))


def findLimit(path, inputs):
    """The limit of all kernels together, in s; None where it is not measured."""
    if os.path.getsize(path) > MOST_BYTES:
        return None
    with tempfile.TemporaryDirectory() as folder:
        options = []
        for at, array in enumerate(inputs):
            options.append(f"--input={folder}/{at}.npy")
            np.save(f"{folder}/{at}.npy", array)
        command = [BROADLOOM, "profile", path, *options, "--threads=1", "--seconds=1", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return sum(row["time_ns"] * (row.get("of_limit") or 0) for row in json.loads(done.stdout)["rows"]) / 1e9


def measure(name, threads, folder):
    """The shortest times of each shape, and its limit."""
    import broadloom as bl
    import onnxruntime
    import torch

    warnings.filterwarnings("ignore")
    torch.set_num_threads(threads)
    model, program = export(name)
    path = os.path.join(folder, f"{name}.onnx")
    torch.onnx.export(program, dynamo=True, verbose=False).save(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_inputs()]
    fromOnnx, fromTorch = bl.from_onnx(path, threads=threads), bl.from_torch(program, threads=threads)
    arrays = lambda given: [x.numpy() for x in given]
    calls = {
        "eager": lambda x: model(*x),
        "onnxruntime": lambda x: session.run(None, dict(zip(names, arrays(x))))[0],
        "from_onnx": lambda x: fromOnnx(*arrays(x)),
        "from_torch": lambda x: fromTorch(*x),
    }
    rows = []
    with torch.no_grad():
        for shape in TEXTS if name in LANGUAGE else VISION[name][1]:
            given = makeInputs(name, shape)
            expected = np.asarray(calls["eager"](given))
            for system, call in calls.items():
                found = np.asarray(call(given))
                if np.abs(found - expected).max() > TOLERANCE * np.abs(expected).max():
                    sys.exit(f"{name}: {system} computes something else")
            best, end = dict.fromkeys(calls, float("inf")), time.monotonic() + SECONDS
            while time.monotonic() < end:
                for system, call in calls.items():
                    for _ in range(CALLS):
                        begin = time.perf_counter()
                        call(given)
                        best[system] = min(best[system], time.perf_counter() - begin)
            rows.append({"shape": shape, **best, "limit": findLimit(path, arrays(given)) if threads == 1 else None})
    return rows


def describe():
    """The kind of the processor's vectors, and a line with its name and the versions of the systems."""
    import onnxruntime
    import torch

    with open("/proc/cpuinfo", encoding="utf-8") as file:
        lines = dict(line.split(":", 1) for line in file.read().splitlines() if ":" in line)
    lines = {key.strip(): value.strip() for key, value in lines.items()}
    flags = lines.get("flags", "").split()
    vectors = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    others = "which other work used too" if os.getloadavg()[0] > 1 else "which had nothing else to do"
    return vectors, (
        f"{datetime.date.today()}, {lines.get('model name', 'unknown processor')}, {vectors}, {os.cpu_count()} cores, "
        f"{others}; PyTorch {torch.__version__}, ONNX Runtime {onnxruntime.__version__}."
    )


def spell(name, threads, row):
    peer = min(row["eager"], row["onnxruntime"])
    times = [row[k] for k in ("eager", "onnxruntime", "from_onnx", "from_torch")]
    ratios = [f"{peer / row[k]:.2f}" for k in ("from_onnx", "from_torch")]
    limit = f"{row['limit'] * 1e3:.2f}" if row["limit"] else "–"
    shape = "x".join(map(str, row["shape"]))
    cells = [name, shape, str(threads), *(f"{t * 1e3:.2f}" for t in times), *ratios, limit]
    return f"| {' | '.join(cells)} |"


INTRODUCTION = """# Models of PyTorch and ONNX

`bench/frameworks.py --write` writes the table of one kind of processor: models of torchvision (images of 224x224) and of
transformers (four layers) with random weights, of which each system has one compilation for all
shapes. The systems take turns in one process, so that other work of the machine meets all of them;
a cell is the shortest time of a call. Ratios are more certain than times. The limit is
the sum over the kernels of what their multiply-adds, their bytes or their other operations take
at the rates that `broadloom profile` measures; padding counts as multiplied, so that a time may
be below it.
"""


def readSections():
    """The sections of the table by kind of processors."""
    with open(TABLE, encoding="utf-8") as file:
        return dict(part.split("\n", 1) for part in file.read().split("\n## ")[1:])


def write(sections, vectors, text):
    """Writes the section of a kind of processors, and keeps those of others."""
    sections[vectors] = f"\n{text}\n"
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write(INTRODUCTION + "".join(f"\n## {kind}\n{sections[kind].rstrip()}\n" for kind in sorted(sections)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, action="append", help="1 without it")
    parser.add_argument("--model", action="append")
    parser.add_argument("--only", action="store_true", help="one model in this process, as JSON")
    parser.add_argument("--write", action="store_true", help="write bench/models.md")
    options = parser.parse_args()
    threads = options.threads or [1]
    if options.only:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(options.model[0], threads[0], folder)))
        return
    # Measuring takes long: a table that cannot be read is an error before it.
    sections = readSections() if options.write else {}
    vectors, head = describe()
    columns = ["model", "batch x length", "threads", "eager, ms", "ONNX Runtime, ms", "from_onnx, ms", "from_torch, ms"]
    columns += ["best peer ÷ from_onnx", "best peer ÷ from_torch", "limit, ms"]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    print(head, *lines, sep="\n", flush=True)
    for name in options.model or [*VISION, *LANGUAGE]:
        for count in threads:
            command = [sys.executable, __file__, "--only", "--model", name, "--threads", str(count)]
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "BROADLOOM_CACHE": "0"})
            if done.returncode:
                sys.exit(f"{name}: {done.stderr.strip().splitlines()[-1:]}")
            for row in json.loads(done.stdout.splitlines()[-1]):
                lines.append(spell(name, count, row))
                print(lines[-1], flush=True)
    if options.write:
        write(sections, vectors, "\n".join([head, "", *lines]))


if __name__ == "__main__":
    main()
