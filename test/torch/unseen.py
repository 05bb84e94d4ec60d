"""Models of torchvision and transformers with random weights, small where that is possible: how each is made, and inputs
of two shapes, which differ in all extents that are open."""

import functools

import torch
import torchvision
import transformers as t

WORDS = 99


def images(*shapes):
    return [(torch.randn(shape),) for shape in shapes]


_PHOTOS = [(1, 3, 64, 64), (5, 3, 96, 64)]
#: Those that need images of one size, or of at least this size.
_SIZES = {
    "inception_v3": [(1, 3, 96, 96), (2, 3, 112, 96)],
    "vit_b_16": [(1, 3, 224, 224), (2, 3, 224, 224)],
    "maxvit_t": [(1, 3, 224, 224), (2, 3, 224, 224)],
}
_FAMILIES = (
    "alexnet convnext_tiny densenet121 efficientnet_b0 efficientnet_v2_s googlenet inception_v3 maxvit_t mnasnet0_5 "
    "mobilenet_v2 mobilenet_v3_small regnet_y_400mf resnet18 resnext50_32x4d shufflenet_v2_x0_5 squeezenet1_1 swin_t "
    "swin_v2_t vgg11_bn vit_b_16 wide_resnet50_2"
).split()


def _classifier(name):
    more = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
    return functools.partial(torchvision.models.get_model, name, weights=None, **more), functools.partial(
        images, *_SIZES.get(name, _PHOTOS)
    )


def _segmenter(name):
    make = functools.partial(torchvision.models.get_model, name, weights=None, weights_backbone=None)
    return make, functools.partial(images, *_PHOTOS)


def _video(name, size):
    make = functools.partial(torchvision.models.get_model, name, weights=None)
    return make, functools.partial(images, (1, 3, *size), (2, 3, *size))


def texts(*shapes, **more):
    """Tokens of the shapes, and further inputs of them."""
    made = []
    for rows, count in shapes:
        tokens = torch.randint(3, WORDS, (rows, count))
        made.append(({"input_ids": tokens, **{k: f(tokens) for k, f in more.items()}},))
    return made


def _both(tokens):
    return tokens


_TEXT = functools.partial(texts, (1, 7), (3, 12), attention_mask=torch.ones_like)
_PAIR = functools.partial(texts, (1, 7), (3, 12), attention_mask=torch.ones_like, decoder_input_ids=_both)
_SOUNDS = dict(
    conv_dim=[8, 8],
    conv_kernel=[10, 3],
    conv_stride=[5, 2],
    num_feat_extract_layers=2,
    num_conv_pos_embeddings=16,
    num_conv_pos_embedding_groups=2,
)
_BASE = dict(vocab_size=WORDS, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4)
_TOKENS = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
_CAUSAL = {**_BASE, "num_key_value_heads": 2, **_TOKENS}
_PAIRED = dict(
    vocab_size=WORDS, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
    decoder_attention_heads=4, encoder_ffn_dim=48, decoder_ffn_dim=48, max_position_embeddings=64,
    decoder_start_token_id=1, **_TOKENS,
)  # fmt: skip
_VISION = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, image_size=32, patch_size=8)  # fmt: skip
_PIXELS = functools.partial(images, (1, 3, 32, 32), (3, 3, 32, 32))


def _of(name, inputs, **config):
    """A model of transformers: its name, without "Model" or with what it is for, and its configuration."""
    base, _, head = name.partition(":")
    head = head or "Model"

    def make():
        configuration = getattr(t, f"{base}Config")(**config)
        model = getattr(t, base + head)(configuration)
        # Caches are none of the results that are compared.
        configuration.use_cache = False
        return model

    return make, inputs


_TRANSFORMERS = {
    "bert": _of("Bert", _TEXT, **_BASE),
    "roberta": _of("Roberta", _TEXT, **_BASE, pad_token_id=1),
    "distilbert": _of("DistilBert", _TEXT, vocab_size=WORDS, dim=32, hidden_dim=48, n_layers=2, n_heads=4),
    "albert": _of("Albert", _TEXT, **_BASE, embedding_size=16),
    "electra": _of("Electra", _TEXT, **_BASE, embedding_size=16),
    "deberta_v2": _of(
        "DebertaV2", _TEXT, **_BASE, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=8
    ),
    "mpnet": _of("MPNet", _TEXT, **_BASE),
    "funnel": _of("Funnel", _TEXT, vocab_size=WORDS, d_model=32, d_inner=48, n_head=4, d_head=8, block_sizes=[1, 1]),
    "xlnet": _of("XLNet", _TEXT, vocab_size=WORDS, d_model=32, n_layer=2, n_head=4, d_inner=48),
    "longformer": _of("Longformer", _TEXT, **_BASE, attention_window=4),
    "big_bird": _of("BigBird", _TEXT, **_BASE, attention_type="original_full"),
    "t5": _of("T5", _PAIR, vocab_size=WORDS, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4),
    "bart": _of("Bart", _PAIR, **_PAIRED),
    "mbart": _of("MBart", _PAIR, **_PAIRED),
    "pegasus": _of("Pegasus", _PAIR, **_PAIRED),
    "gpt2": _of("GPT2", _TEXT, vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4),
    "gpt_neox": _of("GPTNeoX", _TEXT, **_BASE),
    "gptj": _of("GPTJ", _TEXT, vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4, rotary_dim=4),
    "opt": _of(
        "OPT",
        _TEXT,
        vocab_size=WORDS,
        hidden_size=32,
        ffn_dim=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        word_embed_proj_dim=32,
    ),
    "bloom": _of("Bloom", _TEXT, vocab_size=WORDS, hidden_size=32, n_layer=2, n_head=4),
    "llama": _of("Llama", _TEXT, **_CAUSAL),
    "mistral": _of("Mistral", _TEXT, **_CAUSAL, sliding_window=4),
    "mixtral": _of("Mixtral", _TEXT, **_CAUSAL, num_local_experts=4),
    "qwen2": _of("Qwen2", _TEXT, **_CAUSAL),
    "qwen3": _of("Qwen3", _TEXT, **_CAUSAL, head_dim=8),
    "qwen3_moe": _of(
        "Qwen3Moe", _TEXT, **_CAUSAL, head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16
    ),
    "gemma": _of("Gemma", _TEXT, **_CAUSAL, head_dim=8),
    "gemma2": _of("Gemma2", _TEXT, **_CAUSAL, head_dim=8, sliding_window=4),
    "gemma3": _of("Gemma3Text", _TEXT, **_CAUSAL, head_dim=8, sliding_window=4),
    "phi": _of("Phi", _TEXT, **_CAUSAL),
    "phi3": _of("Phi3", _TEXT, **_CAUSAL),
    "falcon": _of("Falcon", _TEXT, vocab_size=WORDS, hidden_size=32, num_hidden_layers=2, num_attention_heads=4),
    "mamba": _of(
        "Mamba",
        functools.partial(texts, (1, 7), (3, 12)),
        vocab_size=WORDS,
        hidden_size=32,
        num_hidden_layers=2,
        state_size=4,
    ),
    "vit": _of("ViT", _PIXELS, **_VISION),
    "deit": _of("DeiT", _PIXELS, **_VISION),
    "beit": _of("Beit", _PIXELS, **_VISION),
    "dinov2": _of("Dinov2", _PIXELS, **{k: v for k, v in _VISION.items() if k != "intermediate_size"}),
    "yolos": _of("Yolos", _PIXELS, **{**_VISION, "image_size": [32, 32]}),
    "siglip_vision": _of("SiglipVision", _PIXELS, **_VISION),
    "clip_vision": _of("CLIPVision", _PIXELS, **_VISION),
    "convnext": _of(
        "ConvNext",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        hidden_sizes=[8, 16, 24, 32],
        depths=[1, 1, 1, 1],
    ),
    "swin": _of(
        "Swin",
        functools.partial(images, (1, 3, 32, 32), (3, 3, 32, 32)),
        image_size=32,
        patch_size=4,
        embed_dim=8,
        depths=[1, 1],
        num_heads=[2, 4],
        window_size=4,
    ),
    "segformer": _of(
        "Segformer",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        hidden_sizes=[8, 16, 16, 32],
        depths=[1, 1, 1, 1],
        decoder_hidden_size=16,
    ),
    "wav2vec2": _of(
        "Wav2Vec2",
        functools.partial(images, (1, 900), (3, 1300)),
        **_BASE,
        **_SOUNDS,
    ),
    "hubert": _of(
        "Hubert",
        functools.partial(images, (1, 900), (3, 1300)),
        **_BASE,
        **_SOUNDS,
    ),
    "whisper_encoder": (
        lambda: (
            t.WhisperModel(
                t.WhisperConfig(
                    **{k: v for k, v in _PAIRED.items() if k != "max_position_embeddings"},
                    num_mel_bins=8,
                    max_source_positions=20,
                )
            ).encoder
        ),
        functools.partial(images, (1, 8, 40), (3, 8, 40)),
    ),
    "patchtst": _of(
        "PatchTST",
        functools.partial(images, (1, 32, 3), (4, 32, 3)),
        num_input_channels=3,
        context_length=32,
        patch_length=8,
        patch_stride=8,
        d_model=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        ffn_dim=16,
    ),
    "layoutlm": _of(
        "LayoutLM",
        functools.partial(
            texts,
            (1, 7),
            (3, 12),
            attention_mask=torch.ones_like,
            bbox=lambda x: torch.zeros((*x.shape, 4), dtype=torch.long),
        ),
        **_BASE,
    ),
}

#: By their names: how a model is made, and tuples of inputs, which may have a dictionary of keywords.
MODELS = {
    **{name: _classifier(name) for name in _FAMILIES},
    **{
        name: _segmenter(name) for name in ("deeplabv3_mobilenet_v3_large", "fcn_resnet50", "lraspp_mobilenet_v3_large")
    },
    "r3d_18": _video("r3d_18", (4, 32, 32)),
    "s3d": _video("s3d", (16, 64, 64)),
    **_TRANSFORMERS,
}
