"""Language models of transformers, compiled once: the tokens of eager mode, for all batches and prompts."""

import time

import broadloom as bl
import decoders
import pytest
import torch
from broadloom.torch import _cached
from transformers import cache_utils

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


def test_masks_are_copied(llama):
    tokens = torch.tensor([[5, 6, 7], [0, 0, 8]])
    mask = torch.tensor([[1, 1, 1], [0, 0, 1]])
    expected = llama.model(torch.cat([tokens[1:, 2:], torch.tensor([[9]])], 1)).logits[0, -1]
    llama.reset()
    llama.step(tokens, mask)
    mask.fill_(1)
    scores = llama.step(torch.tensor([[9], [9]]))
    torch.testing.assert_close(scores[1], expected, atol=1e-4, rtol=1e-4)


def test_masks_of_encoders_are_copied():
    g = bl.torch.generation.compile(decoders.make("bart"), max_length=10)
    inputs, mask = decoders.inputs_of("bart", 2, 6)
    first = torch.full((2, 1), 3)
    g.encode(inputs, mask)
    expected = g.step(first)
    g.encode(inputs, mask)
    mask.fill_(1)
    assert torch.equal(g.step(first), expected)


def test_zeros_of_masks_stand_in_front(llama):
    tokens = torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0]])
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
    llama.reset()
    for call in (llama.step, llama.generate):
        with pytest.raises(ValueError, match="zeros of a shorter row stand in front of its tokens"):
            call(tokens, mask)


def test_a_refused_step_changes_nothing(llama):
    tokens = torch.randint(1, decoders.WORDS, (1, 6))
    llama.reset()
    llama.step(tokens[:, :5])
    with pytest.raises(bl.ShapeError):
        llama.step(torch.full((1, 1), decoders.WORDS))
    assert llama.length == 5
    scores = llama.step(tokens[:, 5:].to(torch.int32))
    torch.testing.assert_close(scores, llama.model(tokens).logits[:, -1], atol=1e-4, rtol=1e-4)


def test_wrong_types(llama):
    tokens = torch.ones((2, 3), dtype=torch.long)
    llama.reset()
    for call in (llama.step, llama.generate):
        with pytest.raises(ValueError, match=r"input_ids has the axes rows and tokens, .* not the shape \(3,\)"):
            call(tokens[0])
        with pytest.raises(ValueError, match=r"at least one of each, not the shape \(2, 0\)"):
            call(tokens[:, :0])
        with pytest.raises(TypeError, match=r"input_ids has tokens, which are integers, not torch\.float32"):
            call(tokens.float())
        with pytest.raises(TypeError, match="input_ids is a tensor of tokens, not list"):
            call([[1, 2]])
    with pytest.raises(ValueError, match="max_new_tokens is a number of tokens, not -1"):
        llama.generate(tokens, max_new_tokens=-1)
    for model in ("llama", torch.nn.Linear(2, 2)):
        with pytest.raises(TypeError, match="takes a language model of transformers, not"):
            bl.torch.generation.compile(model)


def test_settings_of_the_model():
    """Rows end as generation_config says; no other setting is used."""
    model = decoders.make("llama")
    g = bl.torch.generation.compile(model, max_length=40)
    tokens = torch.randint(1, decoders.WORDS, (3, 4))
    mask = torch.ones_like(tokens)
    free = g.generate(tokens, max_new_tokens=20)
    model.generation_config.eos_token_id, model.generation_config.pad_token_id = [int(free[0, 8]), 250], 1
    expected = model.generate(tokens, attention_mask=mask, do_sample=False, max_new_tokens=20)
    assert not torch.equal(expected, free[:, : expected.shape[1]])
    assert torch.equal(g.generate(tokens, max_new_tokens=20), expected)
    assert torch.equal(g.generate(tokens, max_new_tokens=20, eos_token_id=()), free)
    model.generation_config.pad_token_id = None
    expected = model.generate(tokens, attention_mask=mask, do_sample=False, max_new_tokens=20)
    assert torch.equal(g.generate(tokens, max_new_tokens=20), expected)
    model.generation_config.repetition_penalty = 3.0
    assert torch.equal(g.generate(tokens, max_new_tokens=20), expected)


@pytest.mark.parametrize("name", decoders.OTHERS)
def test_models_that_choose_by_the_number_of_tokens(name):
    advice = 'attn_implementation="sdpa"' if name == "llama-eager" else "docs/start/generate.md lists models"
    with pytest.raises(bl.UnsupportedOperations, match=advice) as caught:
        bl.torch.generation.compile(decoders.make(name), max_length=10)
    assert "it chooses by the number of tokens; it was traced for tokens.shape[1] != 1" in str(caught.value)


def test_layers_of_other_kinds():
    class Other(cache_utils.DynamicLayer):
        pass

    cache = cache_utils.DynamicCache()
    for kind in (cache_utils.DynamicLayer, Other):
        layer = kind()
        layer.update(torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 2, 4))
        cache.layers.append(layer)
    with pytest.raises(TypeError, match=r"layer 1 of the model keeps a Other; .* keep keys and values alone"):
        _cached.probe_layers(cache)


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
