"""Models of sounds and of series of transformers, beside those of unseen.py."""

import functools

import torch
import transformers as t
from unseen import BASE, PAIRED, SOUNDS, TOKENS, WORDS, images, make_of, texts

#: What makes sound of spectra.
HIFIGAN = dict(
    upsample_initial_channel=16,
    upsample_rates=[2, 2],
    upsample_kernel_sizes=[4, 4],
    resblock_kernel_sizes=[3],
    resblock_dilation_sizes=[[1, 3]],
)

#: As unseen.MODELS.
MODELS = {
    "encodec": make_of(
        "Encodec",
        lambda: [(torch.randn(n, 1, f),) for n, f in ((1, 640), (3, 960))],
        num_filters=4,
        hidden_size=16,
        codebook_size=16,
        upsampling_ratios=[4, 2],
        num_lstm_layers=1,
        target_bandwidths=[1.5],
        sampling_rate=1000,
        num_residual_layers=1,
    ),
    "dac": make_of(
        "Dac",
        lambda: [(torch.randn(n, 1, f),) for n, f in ((1, 640), (3, 960))],
        encoder_hidden_size=8,
        downsampling_ratios=[4, 2],
        decoder_hidden_size=16,
        n_codebooks=2,
        codebook_size=16,
        codebook_dim=4,
    ),
    "mimi": make_of(
        "Mimi",
        lambda: [(torch.randn(n, 1, f),) for n, f in ((1, 640), (3, 960))],
        upsample_groups=32,
        num_filters=4,
        hidden_size=32,
        codebook_size=16,
        codebook_dim=16,
        upsampling_ratios=[4, 2],
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=4,
        intermediate_size=32,
        vector_quantization_hidden_dimension=16,
        num_quantizers=4,
        num_semantic_quantizers=1,
        sampling_rate=1000,
        frame_rate=62.5,
    ),
    "clap_audio": make_of(
        "ClapAudio",
        lambda: [
            ({"input_features": torch.randn(n, 1, 64, 64), "is_longer": torch.zeros(n, 1, dtype=torch.bool)},)
            for n in (1, 3)
        ],
        spec_size=64,
        num_mel_bins=64,
        patch_size=4,
        patch_stride=[4, 4],
        patch_embeds_hidden_size=16,
        depths=[1, 1],
        num_attention_heads=[2, 4],
        hidden_size=32,
        window_size=4,
        num_hidden_layers=2,
    ),
    "whisper": make_of(
        "Whisper",
        lambda: [
            ({"input_features": torch.randn(n, 8, 40), "decoder_input_ids": torch.randint(3, WORDS, (n, s))},)
            for n, s in ((1, 5), (3, 7))
        ],
        **{k: v for k, v in PAIRED.items() if k != "max_position_embeddings"},
        num_mel_bins=8,
        max_source_positions=20,
        max_target_positions=32,
    ),
    "speech_to_text": make_of(
        "Speech2Text",
        lambda: [
            (
                {
                    "input_features": torch.randn(n, f, 8),
                    "attention_mask": torch.ones(n, f, dtype=torch.long),
                    "decoder_input_ids": torch.randint(3, WORDS, (n, s)),
                },
            )
            for n, f, s in ((1, 40, 5), (3, 52, 7))
        ],
        **{k: v for k, v in PAIRED.items() if k != "max_position_embeddings"},
        input_feat_per_channel=8,
        conv_channels=16,
        max_source_positions=200,
        max_target_positions=32,
    ),
    "speecht5_asr": make_of(
        "SpeechT5:ForSpeechToText",
        lambda: [
            ({"input_values": torch.randn(n, f), "decoder_input_ids": torch.randint(3, WORDS, (n, s))},)
            for n, f, s in ((1, 900, 5), (3, 1300, 7))
        ],
        vocab_size=WORDS,
        hidden_size=32,
        encoder_layers=2,
        encoder_attention_heads=4,
        encoder_ffn_dim=48,
        decoder_layers=2,
        decoder_attention_heads=4,
        decoder_ffn_dim=48,
        **SOUNDS,
        num_mel_bins=8,
        max_text_positions=64,
        decoder_start_token_id=1,
    ),
    "moonshine": make_of(
        "Moonshine",
        lambda: [
            ({"input_values": torch.randn(n, f), "decoder_input_ids": torch.randint(3, WORDS, (n, s))},)
            for n, f, s in ((1, 2000, 5), (3, 3000, 7))
        ],
        vocab_size=WORDS,
        hidden_size=32,
        intermediate_size=48,
        encoder_num_hidden_layers=2,
        decoder_num_hidden_layers=2,
        encoder_num_attention_heads=4,
        decoder_num_attention_heads=4,
        **TOKENS,
        decoder_start_token_id=1,
    ),
    "wavlm": make_of("WavLM", functools.partial(images, (1, 900), (3, 1300)), **BASE, **SOUNDS),
    "sew": make_of("SEW", functools.partial(images, (1, 900), (3, 1300)), **BASE, **SOUNDS, squeeze_factor=2),
    "wav2vec2_conformer": make_of(
        "Wav2Vec2Conformer", functools.partial(images, (1, 900), (3, 1300)), **BASE, **SOUNDS
    ),
    "time_series": make_of(
        "TimeSeriesTransformer",
        lambda: [
            (
                {
                    "past_values": torch.rand(n, 19),
                    "past_time_features": torch.rand(n, 19, 2),
                    "past_observed_mask": torch.ones(n, 19),
                    "future_values": torch.rand(n, 4),
                    "future_time_features": torch.rand(n, 4, 2),
                },
            )
            for n in (1, 3)
        ],
        prediction_length=4,
        context_length=12,
        num_time_features=2,
        d_model=16,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
    ),
    "autoformer": make_of(
        "Autoformer",
        lambda: [
            (
                {
                    "past_values": torch.rand(n, 19),
                    "past_time_features": torch.rand(n, 19, 2),
                    "past_observed_mask": torch.ones(n, 19),
                    "future_values": torch.rand(n, 4),
                    "future_time_features": torch.rand(n, 4, 2),
                },
            )
            for n in (1, 3)
        ],
        prediction_length=4,
        context_length=12,
        num_time_features=2,
        d_model=16,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
    ),
    "patchtsmixer": make_of(
        "PatchTSMixer",
        lambda: [(torch.randn(n, 32, 3),) for n in (1, 4)],
        context_length=32,
        patch_length=8,
        patch_stride=8,
        num_input_channels=3,
        d_model=16,
        num_layers=2,
    ),
    "speecht5_hifigan": (
        lambda: t.SpeechT5HifiGan(
            t.SpeechT5HifiGanConfig(
                model_in_dim=8,
                **HIFIGAN,
            )
        ),
        functools.partial(images, (1, 9, 8), (3, 12, 8)),
    ),
    "vits": make_of(
        "Vits",
        functools.partial(texts, (1, 7), (1, 12), attention_mask=torch.ones_like),
        vocab_size=WORDS,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        ffn_dim=16,
        flow_size=8,
        spectrogram_bins=9,
        **HIFIGAN,
        prior_encoder_num_flows=2,
        posterior_encoder_num_wavenet_layers=1,
        prior_encoder_num_wavenet_layers=1,
        noise_scale=0.0,
        noise_scale_duration=0.0,
        use_stochastic_duration_prediction=False,
    ),
}
