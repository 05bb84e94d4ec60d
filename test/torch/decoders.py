"""Small language models of transformers with random weights."""

import torch
import transformers as t

#: Words of their languages.
WORDS = 199
_SIZES = dict(vocab_size=WORDS, pad_token_id=0, bos_token_id=1, eos_token_id=2)
_LAYERS = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, **_SIZES)
_PAIR = dict(
    d_model=32,
    encoder_layers=2,
    decoder_layers=2,
    encoder_attention_heads=4,
    decoder_attention_heads=4,
    encoder_ffn_dim=64,
    decoder_ffn_dim=64,
    init_std=0.3,
    decoder_start_token_id=3,
    forced_eos_token_id=None,
    **_SIZES,
)
DECODERS = {
    "llama": lambda: t.LlamaForCausalLM(t.LlamaConfig(num_key_value_heads=2, initializer_range=0.3, **_LAYERS)),
    "gemma2": lambda: t.Gemma2ForCausalLM(
        t.Gemma2Config(num_key_value_heads=2, head_dim=8, sliding_window=20, initializer_range=0.3, **_LAYERS)
    ),
    "gpt2": lambda: t.GPT2LMHeadModel(t.GPT2Config(n_embd=32, n_layer=2, n_head=4, initializer_range=0.3, **_SIZES)),
}
PAIRS = {
    "whisper": lambda: t.WhisperForConditionalGeneration(
        t.WhisperConfig(max_source_positions=50, num_mel_bins=16, **_PAIR)
    ),
    "t5": lambda: t.T5ForConditionalGeneration(
        t.T5Config(
            d_model=32,
            d_kv=8,
            d_ff=64,
            num_layers=2,
            num_heads=4,
            decoder_start_token_id=3,
            tie_word_embeddings=False,
            **_SIZES,
        )
    ),
    "bart": lambda: t.BartForConditionalGeneration(t.BartConfig(max_position_embeddings=300, **_PAIR)),
}
#: Decoders that choose by the number of tokens.
OTHERS = {
    "llama-eager": lambda: t.LlamaForCausalLM(t.LlamaConfig(attn_implementation="eager", **_LAYERS)),
    "bloom": lambda: t.BloomForCausalLM(t.BloomConfig(hidden_size=32, n_layer=2, n_head=4, **_SIZES)),
}


def make(name):
    torch.manual_seed(0)
    model = {**DECODERS, **PAIRS, **OTHERS}[name]().eval()
    # No token ends a text.
    model.generation_config.eos_token_id = None
    model.generation_config.pad_token_id = 0
    return model


def inputs_of(name, rows, count):
    """Inputs of an encoder, and their mask."""
    if name == "whisper":
        return torch.randn(rows, 16, 100), None
    tokens = torch.randint(4, WORDS, (rows, count))
    mask = torch.ones_like(tokens)
    mask[1:, count // 2 :] = 0
    return tokens, mask


def generate(model, tokens, inputs, mask, count):
    """The tokens with the highest scores, by eager mode."""
    more = {} if mask is None else {"attention_mask": mask}
    states = model.get_encoder()(inputs, **more)
    cache = t.EncoderDecoderCache(t.DynamicCache(), t.DynamicCache())
    new = tokens
    for _ in range(count):
        made = model(decoder_input_ids=new, encoder_outputs=states, past_key_values=cache, use_cache=True, **more)
        new = made.logits[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, new], 1)
    return tokens
