"""A language model that is compiled once, for prompts and for single tokens (docs/start/generate.md)."""

import broadloom as bl
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=256,
    hidden_size=64,
    intermediate_size=128,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    initializer_range=0.3,
    eos_token_id=None,
)
model = LlamaForCausalLM(config).eval()

g = bl.torch.generation.compile(model, max_length=64)

# Two prompts, of which the second is shorter: zeros of the mask stand in front.
tokens = torch.tensor([[7, 3, 9, 4], [0, 0, 5, 8]])
mask = torch.tensor([[1, 1, 1, 1], [0, 0, 1, 1]])
text = g.generate(tokens, mask, max_new_tokens=16)
print(text.shape)

# As transformers has it.
expected = model.generate(
    tokens, attention_mask=mask, max_new_tokens=16, do_sample=False, eos_token_id=None, pad_token_id=0
)
print(torch.equal(text, expected))

# Tokens of one's own choice, for another number of rows.
g.reset()
scores = g.step(torch.tensor([[1, 2, 3]]))
for _ in range(3):
    chosen = torch.multinomial(scores.softmax(-1), 1)
    scores = g.step(chosen)
print(scores.shape, g.length)

try:
    g.generate(tokens, max_new_tokens=100)
except bl.ShapeError as error:
    print(error)
