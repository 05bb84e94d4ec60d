"""Language models of transformers, compiled once: the tokens of eager mode, for all batches and prompts."""

import time

import broadloom as bl
import decoders
import pytest
import torch

#: Rows and tokens of prompts.
PROMPTS = [(1, 1), (3, 7), (2, 33)]


def mask_of(tokens):
    """A mask with rows of different length."""
    mask = torch.ones_like(tokens)
    for row in range(1, len(tokens)):
        mask[row, : min(2 * row, tokens.shape[1] - 1)] = 0
    return mask


@pytest.mark.parametrize("name", decoders.DECODERS)
def test_decoders(name, compilations):
    model = decoders.make(name)
    g = bl.torch.generation.compile(model, max_length=200)
    for rows, count in PROMPTS:
        tokens = torch.randint(1, decoders.WORDS, (rows, count))
        mask = mask_of(tokens)
        expected = model.generate(tokens, attention_mask=mask, do_sample=False, max_new_tokens=128)
        assert torch.equal(g.generate(tokens, mask, max_new_tokens=128), expected)
    assert compilations == ["generate"]


@pytest.mark.parametrize("name", decoders.PAIRS)
def test_models_with_encoders(name, compilations):
    model = decoders.make(name)
    g = bl.torch.generation.compile(model, max_length=200)
    for rows, count in PROMPTS[:2]:
        tokens = torch.randint(4, decoders.WORDS, (rows, count))
        inputs, mask = decoders.inputs_of(name, rows, count + 2)
        expected = decoders.generate(model, tokens, inputs, mask, 128)
        assert torch.equal(g.generate(tokens, inputs=inputs, inputs_mask=mask, max_new_tokens=128), expected)
    assert compilations == ["generate", "generate"]


@pytest.fixture(scope="module")
def llama():
    return bl.torch.generation.compile(decoders.make("llama"), max_length=40)


def test_steps_are_those_of_the_whole(llama):
    tokens = torch.randint(1, decoders.WORDS, (2, 12))
    whole = llama.model(tokens).logits
    llama.reset()
    at = 0
    for count in (5, 1, 4, 2):
        at += count
        scores = llama.step(tokens[:, at - count : at])
        torch.testing.assert_close(scores, whole[:, at - 1], atol=1e-4, rtol=1e-4)
    assert llama.length == 12
    llama.reset()
    assert llama.length == 0


def test_rows_end(llama):
    tokens = torch.randint(1, decoders.WORDS, (3, 4))
    free = llama.generate(tokens, max_new_tokens=20)
    end = int(free[0, 8])
    text = llama.generate(tokens, max_new_tokens=20, eos_token_id=end, pad_token_id=1)
    expected = llama.model.generate(
        tokens,
        attention_mask=torch.ones_like(tokens),
        do_sample=False,
        max_new_tokens=20,
        eos_token_id=end,
        pad_token_id=1,
    )
    assert torch.equal(text, expected)


def test_a_full_cache(llama):
    tokens = torch.randint(1, decoders.WORDS, (1, 36))
    with pytest.raises(bl.ShapeError, match=r"for 40 tokens \(max_length\), of which 0 are taken, but 45 more"):
        llama.generate(tokens, max_new_tokens=10)
    first = llama.generate(tokens, max_new_tokens=5)
    assert llama.length == 40
    with pytest.raises(bl.ShapeError, match="of which 40 are taken, but 1 more are asked for"):
        llama.step(tokens[:, :1])
    assert torch.equal(llama.generate(tokens, max_new_tokens=5), first)


def test_wrong_arguments(llama):
    tokens = torch.ones((2, 3), dtype=torch.long)
    llama.reset()
    llama.step(tokens)
    with pytest.raises(bl.ShapeError, match="there are tokens of 2 rows, but 1 are given"):
        llama.step(tokens[:1])
    with pytest.raises(bl.ShapeError, match=r"attention_mask has the shape \(2, 2\), but input_ids \(2, 3\)"):
        llama.step(tokens, tokens[:, :2])
    with pytest.raises(TypeError, match="needs input_ids, and no inputs"):
        llama.generate(inputs=tokens)
    with pytest.raises(ValueError, match="max_length"):
        bl.torch.generation.compile(llama.model, max_length=0)
    with pytest.raises(TypeError, match="length"):
        bl.torch.generation.compile(llama.model, length=3)
    with pytest.raises(ValueError, match="training mode"):
        bl.torch.generation.compile(decoders.make("gpt2").train())
    # A token that there is none of is refused ahead of the cache.
    llama.reset()
    with pytest.raises(bl.ShapeError):
        llama.step(torch.full((1, 1), decoders.WORDS))
    assert llama.generate(tokens, max_new_tokens=2).shape == (2, 5)


def test_a_step_does_not_take_longer_for_more_memory():
    def best(most):
        g = bl.torch.generation.compile(decoders.make("llama"), max_length=most, threads=1)
        g.generate(torch.ones((1, 4), dtype=torch.long), max_new_tokens=4)
        times = []
        for _ in range(20):
            start = time.perf_counter()
            g.step(torch.ones((1, 1), dtype=torch.long))
            times.append(time.perf_counter() - start)
        return min(times)

    # Copies of the memory alone would take 30 ms.
    assert best(1 << 18) < 3 * best(64)
