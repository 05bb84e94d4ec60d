"""Measures the time of a generated token in eager mode, with Inductor, with ONNX Runtime and with Broadloom.

    .venv-torch/bin/python bench/generate.py [--threads 1] [--model llama] [--tokens 64]

The models are those of transformers with random weights. All systems generate the same tokens, of the same prompts, with
a cache of keys and values; one after the other in one process, in turns, so that what else the machine does meets all of
them. A figure is the shortest time of a step, as a ratio of Broadloom's. ONNX Runtime and Inductor concatenate the cache
in each step, as transformers does; a system that fails has its error in place of figures.
"""

import argparse
import inspect
import os
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path.insert(0, os.path.join(ROOT, "build", "python"))

MOST = 512
SHAPES = [(1, 16), (4, 16), (1, 256)]


def make(name):
    import transformers as t

    if name == "llama":
        sizes = dict(hidden_size=512, intermediate_size=1408, num_hidden_layers=4, num_attention_heads=8)
        return t.LlamaForCausalLM(t.LlamaConfig(vocab_size=8000, num_key_value_heads=4, **sizes)).eval()
    return t.GPT2LMHeadModel(t.GPT2Config(vocab_size=8000, n_embd=512, n_layer=4, n_head=8)).eval()


class Eager:
    """A model as transformers runs it."""

    def __init__(self, model, threads):
        self.model, self.call = model, model
        self.name = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"

    def begin(self):
        import transformers

        self.cache = transformers.DynamicCache()

    def step(self, tokens):
        made = self.call(input_ids=tokens, use_cache=True, logits_to_keep=1, **{self.name: self.cache})
        return made.logits[:, -1]


class Inductor(Eager):
    def __init__(self, model, threads):
        import torch

        super().__init__(model, threads)
        self.call = torch.compile(model, dynamic=True)


class Broadloom:
    def __init__(self, model, threads):
        import broadloom as bl

        self.program = bl.torch.generation.compile(model, max_length=MOST, threads=threads)
        self.begin, self.step = self.program.reset, self.program.step


class OnnxRuntime:
    """The decoder with the cache as inputs and outputs."""

    def __init__(self, model, threads):
        import onnxruntime
        import torch
        import transformers
        from torch.export import Dim

        name = Eager(model, threads).name

        class Decoder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            def forward(self, tokens, mask, past):
                cache = transformers.DynamicCache()
                for layer, (keys, values) in enumerate(zip(past[::2], past[1::2])):
                    cache.update(keys, values, layer)
                made = self.model(
                    input_ids=tokens,
                    attention_mask=mask,
                    use_cache=True,
                    logits_to_keep=torch.tensor([-1]),
                    **{name: cache},
                )
                return made.logits[:, -1], *[part for layer in cache.layers for part in (layer.keys, layer.values)]

        probe = transformers.DynamicCache()
        model(input_ids=torch.ones((3, 6), dtype=torch.long), use_cache=True, **{name: probe})
        past = [part for layer in probe.layers for part in (layer.keys, layer.values)]
        self.shapes = [(part.shape[1], part.shape[3]) for part in past]
        batch = Dim("batch", min=1)
        axes = ({0: batch, 1: Dim.AUTO}, {0: batch, 1: Dim.AUTO}, [{0: batch, 2: Dim.AUTO}] * len(past))
        example = (torch.ones((3, 5), dtype=torch.long), torch.ones((3, 11), dtype=torch.long), past)
        from torch.fx.experimental import _config

        with tempfile.TemporaryDirectory() as folder, _config.patch(backed_size_oblivious=True):
            path = os.path.join(folder, "decoder.onnx")
            torch.onnx.export(Decoder().eval(), example, path, dynamo=True, dynamic_shapes=axes, external_data=False)
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.names = [given.name for given in self.session.get_inputs()]

    def begin(self):
        self.past, self.count = None, 0

    def step(self, tokens):
        import numpy as np
        import torch

        rows, new = tokens.shape
        self.past = self.past or [np.zeros((rows, heads, 0, size), "f4") for heads, size in self.shapes]
        self.count += new
        given = [tokens.numpy(), np.ones((rows, self.count), "i8"), *self.past]
        scores, *self.past = self.session.run(None, dict(zip(self.names, given)))
        return torch.from_numpy(scores)


SYSTEMS = {"eager": Eager, "Inductor": Inductor, "ONNX Runtime": OnnxRuntime, "Broadloom": Broadloom}


def measure(system, tokens, count):
    """The time of the prompt, the shortest time of a step, and the tokens."""
    import torch

    system.begin()
    new, made, times = tokens, [], []
    for _ in range(count):
        start = time.perf_counter()
        new = system.step(new).argmax(-1, keepdim=True)
        times.append(time.perf_counter() - start)
        made.append(new)
    return times[0], min(times[1:]), torch.cat(made, 1)


def compare(name, threads, count):
    """Prints the rows of a model."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(threads)
    model, systems, failed = make(name), {}, {}
    for system, kind in SYSTEMS.items():
        start = time.perf_counter()
        try:
            systems[system] = kind(model, threads)
        except Exception as error:
            failed[system] = f"{type(error).__name__}: {str(error).splitlines()[0][:60]}"
        print(f"{name}, {system}: {time.perf_counter() - start:.1f} s to load", file=sys.stderr, flush=True)
    for rows, length in SHAPES:
        tokens = torch.randint(1, 8000, (rows, length))
        best, texts = {}, {}
        for _ in range(3):
            for system, one in list(systems.items()):
                try:
                    first, step, texts[system] = measure(one, tokens, count)
                except Exception as error:
                    failed[system] = f"{type(error).__name__}: {str(error).splitlines()[0][:60]}"
                    del systems[system]
                    continue
                known = best.get(system, (first, step))
                best[system] = min(first, known[0]), min(step, known[1])
        same = all(torch.equal(text, texts["eager"]) for text in texts.values())
        own = best["Broadloom"]
        cells = [
            f"{best[s][0] / own[0]:.2f}, {best[s][1] / own[1]:.2f}" if s in best else failed.get(s, "-")
            for s in SYSTEMS
            if s != "Broadloom"
        ]
        ours = f"{own[0] * 1e3:.2f} ms, {own[1] * 1e3:.2f} ms"
        print(f"| {name}, {threads} | {rows} x {length} | {' | '.join(cells)} | {ours} | {'yes' if same else 'no'} |", flush=True)  # fmt: skip


def main():
    import torch

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, action="append", help="1 and 2 without it")
    parser.add_argument("--model", action="append")
    parser.add_argument("--tokens", type=int, default=64)
    options = parser.parse_args()
    print("| model, threads | prompt | eager | Inductor | ONNX Runtime | Broadloom: prompt, token | same tokens |")
    print("|---|---|---|---|---|---|---|", flush=True)
    with torch.no_grad():
        for name in options.model or ("llama", "gpt2"):
            for threads in options.threads or (1, 2):
                compare(name, threads, options.tokens)


if __name__ == "__main__":
    main()
