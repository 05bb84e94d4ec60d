"""The newest models of transformers, beside those of unseen.py.

There are too many to write the sizes of each: whatever a configuration calls by one of the names in `SIZES` is small.
"""

import functools

import torch
import transformers as t
from unseen import PIXELS, TEXT, WORDS, texts

SIZES = dict(
    vocab_size=WORDS, hidden_size=32, intermediate_size=48, ffn_hidden_size=48, num_hidden_layers=2,
    num_attention_heads=4, num_key_value_heads=2, head_dim=8, max_position_embeddings=64, sliding_window=4,
    pad_token_id=0, bos_token_id=1, eos_token_id=2,
    num_experts=4, num_local_experts=4, n_routed_experts=4, moe_num_experts=4, num_experts_per_tok=2, moe_topk=2,
    moe_k=2, moe_intermediate_size=16, shared_expert_intermediate_size=16, expert_ffn_hidden_size=16,
    n_shared_experts=1, num_shared_experts=1, first_k_dense_replace=1, n_group=2, topk_group=1,
    moe_layer_start_index=1,
    kv_lora_rank=8, q_lora_rank=8, qk_rope_head_dim=4, qk_nope_head_dim=8, v_head_dim=8, qk_head_dim=12,
    # With few heads, many scores are 0, of which any are the largest.
    index_topk=4, index_n_heads=16, index_head_dim=8,
    linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=8, linear_value_head_dim=8,
    mamba_n_heads=8, mamba_d_head=8, mamba_d_state=8, mamba_chunk_size=4, mamba_expand=2,
    image_size=32, patch_size=8, mlp_dim=48,
)  # fmt: skip


def small_of(kind, inputs, **more):
    """A model by the name of its kind, and what else its configuration needs."""

    def make():
        configuration = t.CONFIG_MAPPING[kind]
        usual = configuration()
        sizes = {k: v for k, v in SIZES.items() if not isinstance(getattr(usual, k, ()), (list, tuple, dict))}
        made = configuration(**(sizes | more))
        made.use_cache = False
        model = t.AutoModel.from_config(made)
        for weight in model.parameters():
            # A router of zeros takes any of its experts.
            if not weight.any():
                torch.nn.init.normal_(weight, 0, 0.2)
        return model

    return make, inputs


_DECODERS = (
    "afmoe apertus arcee bailing_hybrid cohere cohere2_moe cwm deepseek_v4 doge dots1 ernie4_5 exaone_moe flex_olmo glm "
    "granite_swa granitemoe_swa granitemoehybrid granitemoeshared hrm_text hunyuan_v1_moe hy_v3 hyperclovax jais2 laguna "
    "lfm3 mellum mimo_v2_flash minimax_m2 ministral ministral3 nanochat nemotron_h olmo olmo3 olmo_hybrid "
    "openai_privacy_filter qwen2_moe qwen3_5_moe_text seed_oss solar_open vaultgemma gpt_neox_japanese"
).split()
_ENCODERS = "camembert gte ibert jina_embeddings_v3 mra ultrabert".split()
_IMAGES = "mlcd pixio radio sapiens2".split()
#: Every head has keys of its own.
_LATENT = dict(num_key_value_heads=4)

#: As unseen.MODELS.
MODELS = {
    **{kind: small_of(kind, TEXT) for kind in _DECODERS + _ENCODERS},
    **{kind: small_of(kind, PIXELS) for kind in _IMAGES},
    "modernbert_decoder": small_of("modernbert-decoder", TEXT),
    "bert_generation": small_of("bert-generation", TEXT),
    "xlm_roberta_xl": small_of("xlm-roberta-xl", TEXT),
    "data2vec_text": small_of("data2vec-text", TEXT),
    "data2vec_vision": small_of("data2vec-vision", PIXELS),
    "aimv2_vision": small_of("aimv2_vision_model", PIXELS),
    "axk1": small_of("axk1", TEXT, **_LATENT, head_dim=4),
    "glm4_moe_lite": small_of("glm4_moe_lite", TEXT, **_LATENT),
    "glm_moe_dsa": small_of("glm_moe_dsa", TEXT, **_LATENT),
    "longcat_flash": small_of("longcat_flash", TEXT, **_LATENT, head_dim=4, num_layers=1, zero_expert_num=2),
    "minicpm3": small_of("minicpm3", TEXT, **_LATENT),
    "mistral4": small_of("mistral4", TEXT, **_LATENT),
    "youtu": small_of("youtu", TEXT, **_LATENT, head_dim=4),
    "deepseek_v32": small_of("deepseek_v32", TEXT, **_LATENT),
    "esmc": small_of("esmc", TEXT, **_LATENT),
    "zaya": small_of("zaya", TEXT, num_experts_per_tok=1),
    "lfm2_moe": small_of("lfm2_moe", TEXT, layer_types=["conv", "full_attention"]),
    "bros": small_of(
        "bros", functools.partial(texts, (1, 7), (5, 12), bbox=lambda x: torch.rand(*x.shape, 4)), hidden_size=64
    ),
}
