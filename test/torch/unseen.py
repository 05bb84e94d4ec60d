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


def video(name, size):
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


TEXT = functools.partial(texts, (1, 7), (3, 12), attention_mask=torch.ones_like)
PAIR = functools.partial(texts, (1, 7), (3, 12), attention_mask=torch.ones_like, decoder_input_ids=_both)
SOUNDS = dict(
    conv_dim=[8, 8],
    conv_kernel=[10, 3],
    conv_stride=[5, 2],
    num_feat_extract_layers=2,
    num_conv_pos_embeddings=16,
    num_conv_pos_embedding_groups=2,
)
BASE = dict(vocab_size=WORDS, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4)
TOKENS = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
CAUSAL = {**BASE, "num_key_value_heads": 2, **TOKENS}
PAIRED = dict(
    vocab_size=WORDS, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
    decoder_attention_heads=4, encoder_ffn_dim=48, decoder_ffn_dim=48, max_position_embeddings=64,
    decoder_start_token_id=1, **TOKENS,
)  # fmt: skip
VISION = dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, image_size=32, patch_size=8)  # fmt: skip
PIXELS = functools.partial(images, (1, 3, 32, 32), (3, 3, 32, 32))


def make_of(name, inputs, **config):
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
    "bert": make_of("Bert", TEXT, **BASE),
    "roberta": make_of("Roberta", TEXT, **BASE, pad_token_id=1),
    "distilbert": make_of("DistilBert", TEXT, vocab_size=WORDS, dim=32, hidden_dim=48, n_layers=2, n_heads=4),
    "albert": make_of("Albert", TEXT, **BASE, embedding_size=16),
    "electra": make_of("Electra", TEXT, **BASE, embedding_size=16),
    "deberta_v2": make_of(
        "DebertaV2", TEXT, **BASE, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=8
    ),
    "mpnet": make_of("MPNet", TEXT, **BASE),
    "funnel": make_of("Funnel", TEXT, vocab_size=WORDS, d_model=32, d_inner=48, n_head=4, d_head=8, block_sizes=[1, 1]),
    "xlnet": make_of("XLNet", TEXT, vocab_size=WORDS, d_model=32, n_layer=2, n_head=4, d_inner=48),
    "longformer": make_of("Longformer", TEXT, **BASE, attention_window=4),
    "big_bird": make_of("BigBird", TEXT, **BASE, attention_type="original_full"),
    "t5": make_of("T5", PAIR, vocab_size=WORDS, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4),
    "bart": make_of("Bart", PAIR, **PAIRED),
    "mbart": make_of("MBart", PAIR, **PAIRED),
    "pegasus": make_of("Pegasus", PAIR, **PAIRED),
    "gpt2": make_of("GPT2", TEXT, vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4),
    "gpt_neox": make_of("GPTNeoX", TEXT, **BASE),
    "gptj": make_of("GPTJ", TEXT, vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4, rotary_dim=4),
    "opt": make_of(
        "OPT",
        TEXT,
        vocab_size=WORDS,
        hidden_size=32,
        ffn_dim=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        word_embed_proj_dim=32,
    ),
    "bloom": make_of("Bloom", TEXT, vocab_size=WORDS, hidden_size=32, n_layer=2, n_head=4),
    "llama": make_of("Llama", TEXT, **CAUSAL),
    "mistral": make_of("Mistral", TEXT, **CAUSAL, sliding_window=4),
    "mixtral": make_of("Mixtral", TEXT, **CAUSAL, num_local_experts=4),
    "qwen2": make_of("Qwen2", TEXT, **CAUSAL),
    "qwen3": make_of("Qwen3", TEXT, **CAUSAL, head_dim=8),
    "qwen3_moe": make_of(
        "Qwen3Moe", TEXT, **CAUSAL, head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16
    ),
    "gemma": make_of("Gemma", TEXT, **CAUSAL, head_dim=8),
    "gemma2": make_of("Gemma2", TEXT, **CAUSAL, head_dim=8, sliding_window=4),
    "gemma3": make_of("Gemma3Text", TEXT, **CAUSAL, head_dim=8, sliding_window=4),
    "phi": make_of("Phi", TEXT, **CAUSAL),
    "phi3": make_of("Phi3", TEXT, **CAUSAL),
    "falcon": make_of("Falcon", TEXT, vocab_size=WORDS, hidden_size=32, num_hidden_layers=2, num_attention_heads=4),
    "mamba": make_of(
        "Mamba",
        functools.partial(texts, (1, 7), (3, 12)),
        vocab_size=WORDS,
        hidden_size=32,
        num_hidden_layers=2,
        state_size=4,
    ),
    "vit": make_of("ViT", PIXELS, **VISION),
    "deit": make_of("DeiT", PIXELS, **VISION),
    "beit": make_of("Beit", PIXELS, **VISION),
    "dinov2": make_of("Dinov2", PIXELS, **{k: v for k, v in VISION.items() if k != "intermediate_size"}),
    "yolos": make_of("Yolos", PIXELS, **{**VISION, "image_size": [32, 32]}),
    "siglip_vision": make_of("SiglipVision", PIXELS, **VISION),
    "clip_vision": make_of("CLIPVision", PIXELS, **VISION),
    "convnext": make_of(
        "ConvNext",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        hidden_sizes=[8, 16, 24, 32],
        depths=[1, 1, 1, 1],
    ),
    "swin": make_of(
        "Swin",
        functools.partial(images, (1, 3, 32, 32), (3, 3, 32, 32)),
        image_size=32,
        patch_size=4,
        embed_dim=8,
        depths=[1, 1],
        num_heads=[2, 4],
        window_size=4,
    ),
    "segformer": make_of(
        "Segformer",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        hidden_sizes=[8, 16, 16, 32],
        depths=[1, 1, 1, 1],
        decoder_hidden_size=16,
    ),
    "wav2vec2": make_of(
        "Wav2Vec2",
        functools.partial(images, (1, 900), (3, 1300)),
        **BASE,
        **SOUNDS,
    ),
    "hubert": make_of(
        "Hubert",
        functools.partial(images, (1, 900), (3, 1300)),
        **BASE,
        **SOUNDS,
    ),
    "whisper_encoder": (
        lambda: (
            t.WhisperModel(
                t.WhisperConfig(
                    **{k: v for k, v in PAIRED.items() if k != "max_position_embeddings"},
                    num_mel_bins=8,
                    max_source_positions=20,
                )
            ).encoder
        ),
        functools.partial(images, (1, 8, 40), (3, 8, 40)),
    ),
    "patchtst": make_of(
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
    "layoutlm": make_of(
        "LayoutLM",
        functools.partial(
            texts,
            (1, 7),
            (3, 12),
            attention_mask=torch.ones_like,
            bbox=lambda x: torch.zeros((*x.shape, 4), dtype=torch.long),
        ),
        **BASE,
    ),
}

#: By their names: how a model is made, and tuples of inputs, which may have a dictionary of keywords.
MODELS = {
    **{name: _classifier(name) for name in _FAMILIES},
    **{
        name: _segmenter(name) for name in ("deeplabv3_mobilenet_v3_large", "fcn_resnet50", "lraspp_mobilenet_v3_large")
    },
    "r3d_18": video("r3d_18", (4, 32, 32)),
    "s3d": video("s3d", (16, 64, 64)),
    **_TRANSFORMERS,
}
