"""Models of transformers of many kinds, beside those of unseen.py."""

import functools

import torch
import transformers as t
from unseen import BASE, CAUSAL, PAIR, PAIRED, PIXELS, SOUNDS, TEXT, TOKENS, VISION, WORDS, images, make_of, texts

#: Images of two sizes, for models that take any.
PHOTOS = functools.partial(images, (1, 3, 64, 64), (5, 3, 64, 96))
WAVES = functools.partial(images, (1, 900), (5, 1300))


def _both(side, *shapes):
    """Texts and images."""
    return [
        ({"input_ids": torch.randint(3, WORDS, (n, s)), "pixel_values": torch.randn(n, 3, side, side)},)
        for n, s in shapes or ((1, 7), (5, 12))
    ]


def _with_images(token, count):
    """Texts with as many tokens of an image as it has parts, and the images."""
    made = []
    for n, s in ((1, 7), (5, 12)):
        tokens = torch.cat([torch.randint(6, WORDS, (n, s)), torch.full((n, count), token)], 1)
        pixels = torch.randn(n, 3, 32, 32)
        made.append(({"input_ids": tokens, "pixel_values": pixels, "attention_mask": torch.ones_like(tokens)},))
    return made


#: As unseen.MODELS.
MODELS = {
    # Texts.
    "roberta_prelayernorm": make_of("RobertaPreLayerNorm", TEXT, **BASE, pad_token_id=1),
    "xmod": make_of("Xmod", TEXT, **BASE, languages=["en_XX"], default_language="en_XX", pad_token_id=1),
    "xlm": make_of("XLM", TEXT, vocab_size=WORDS, emb_dim=32, n_layers=2, n_heads=4),
    "flaubert": make_of("Flaubert", TEXT, vocab_size=WORDS, emb_dim=32, n_layers=2, n_heads=4),
    "mobilebert": make_of("MobileBert", TEXT, **BASE, embedding_size=16, intra_bottleneck_size=16, true_hidden_size=16),
    "squeezebert": make_of("SqueezeBert", TEXT, **BASE, embedding_size=32),
    "rembert": make_of("RemBert", TEXT, **BASE, input_embedding_size=16, output_embedding_size=16),
    "roformer": make_of("RoFormer", TEXT, **BASE, embedding_size=32),
    "megatron_bert": make_of("MegatronBert", TEXT, **BASE),
    "ernie": make_of("Ernie", TEXT, **BASE),
    "splinter": make_of("Splinter", TEXT, **BASE),
    "yoso": make_of("Yoso", TEXT, **BASE, use_expectation=True, use_fast_hash=False),
    "markuplm": make_of("MarkupLM", TEXT, **BASE, max_depth=4),
    "lilt": make_of(
        "Lilt",
        functools.partial(
            texts, (1, 7), (5, 12), bbox=lambda x: torch.zeros((*x.shape, 4), dtype=torch.long)
        ),
        **{**BASE, "hidden_size": 48},
        channel_shrink_ratio=2,
    ),
    "nomic_bert": make_of("NomicBert", TEXT, **BASE),
    "eurobert": make_of("EuroBert", TEXT, **CAUSAL, mask_token_id=3),
    # Decoders.
    "biogpt": make_of("BioGpt", TEXT, **BASE, **TOKENS),
    "xglm": make_of("XGLM", TEXT, vocab_size=WORDS, d_model=32, ffn_dim=48, num_layers=2, attention_heads=4),
    "imagegpt": make_of("ImageGPT", TEXT, vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4),
    "gpt_bigcode": make_of("GPTBigCode", TEXT, vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4),
    "openai_gpt": make_of("OpenAIGPT", TEXT, vocab_size=WORDS, n_embd=32, n_layer=2, n_head=4),
    "starcoder2": make_of("Starcoder2", TEXT, **CAUSAL, sliding_window=4),
    "olmo2": make_of("Olmo2", TEXT, **CAUSAL),
    "granite": make_of("Granite", TEXT, **CAUSAL),
    "granitemoe": make_of("GraniteMoe", TEXT, **CAUSAL, num_local_experts=4, num_experts_per_tok=2),
    "nemotron": make_of("Nemotron", TEXT, **CAUSAL),
    "persimmon": make_of("Persimmon", TEXT, **BASE, **TOKENS),
    "glm4": make_of("Glm4", TEXT, **CAUSAL, head_dim=8),
    "glm4_moe": make_of("Glm4Moe", TEXT, **CAUSAL, head_dim=8, n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, first_k_dense_replace=1),
    "smollm3": make_of("SmolLM3", TEXT, **CAUSAL),
    "exaone4": make_of("Exaone4", TEXT, **CAUSAL, sliding_window=4, layer_types=["sliding_attention", "full_attention"]),
    "helium": make_of("Helium", TEXT, **CAUSAL, head_dim=8),
    "bitnet": make_of("BitNet", TEXT, **CAUSAL),
    "dbrx": make_of("Dbrx", TEXT, vocab_size=WORDS, d_model=32, n_heads=4, n_layers=2, attn_config=dict(kv_n_heads=2, clip_qkv=8.0, rope_theta=10000.0), ffn_config=dict(ffn_hidden_size=16, moe_num_experts=4, moe_top_k=2)),
    "jetmoe": make_of("JetMoe", TEXT, vocab_size=WORDS, hidden_size=32, num_hidden_layers=2, num_key_value_heads=2, kv_channels=8, intermediate_size=48, num_local_experts=4, num_experts_per_tok=2),
    "bamba": make_of("Bamba", TEXT, **CAUSAL, attn_layer_indices=[1], mamba_n_heads=8, mamba_d_head=8, mamba_d_state=8, mamba_chunk_size=4, mamba_expand=2),
    "zamba2": make_of("Zamba2", TEXT, **CAUSAL, layers_block_type=["mamba", "hybrid"], mamba_ngroups=1, n_mamba_heads=8, mamba_d_state=8, mamba_headdim=8, chunk_size=4, use_mem_rope=False, num_mem_blocks=1, adapter_rank=4),
    "falcon_mamba": make_of("FalconMamba", functools.partial(texts, (1, 7), (5, 12)), vocab_size=WORDS, hidden_size=32, num_hidden_layers=2, state_size=4),
    "hunyuan": make_of("HunYuanDenseV1", TEXT, **CAUSAL, head_dim=8),
    "ernie4_5_moe": make_of("Ernie4_5_Moe", TEXT, **CAUSAL, moe_num_experts=4, moe_k=2, moe_intermediate_size=16, moe_layer_start_index=1),
    "qwen3_5": make_of("Qwen3_5Text", TEXT, **CAUSAL, head_dim=8, linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=8, linear_value_head_dim=8, layer_types=["linear_attention", "full_attention"]),
    "gemma3n": make_of("Gemma3nText", TEXT, **{**CAUSAL, "num_hidden_layers": 4}, head_dim=8, sliding_window=4, layer_types=["sliding_attention", "full_attention"] * 2, num_kv_shared_layers=0, vocab_size_per_layer_input=WORDS, hidden_size_per_layer_input=8, laurel_rank=4, altup_num_inputs=2),
    # Pairs of texts.
    "blenderbot": make_of("Blenderbot", PAIR, **PAIRED),
    "plbart": make_of("PLBart", PAIR, **PAIRED),
    "mvp": make_of("Mvp", PAIR, **PAIRED),
    "fsmt": make_of("FSMT", PAIR, **{k: v for k, v in PAIRED.items() if k != "vocab_size"}, src_vocab_size=WORDS, tgt_vocab_size=WORDS, langs=["en", "de"]),
    "pegasus_x": make_of("PegasusX", PAIR, **PAIRED, block_size=4, num_global_tokens=2),
    "nllb_moe": make_of("NllbMoe", PAIR, **PAIRED, num_experts=4, encoder_sparse_step=1, decoder_sparse_step=1, expert_capacity=32),
    "bigbird_pegasus": make_of("BigBirdPegasus", PAIR, **PAIRED, attention_type="original_full"),
    "t5gemma": make_of("T5Gemma", PAIR, encoder=dict(**CAUSAL, head_dim=8, sliding_window=4), decoder=dict(**CAUSAL, head_dim=8, sliding_window=4)),
    # Images.
    "vit_msn": make_of("ViTMSN", PIXELS, **VISION),
    "dinov2_with_registers": make_of("Dinov2WithRegisters", PIXELS, **{k: v for k, v in VISION.items() if k != "intermediate_size"}),
    "dinov3_vit": make_of("DINOv3ViT", functools.partial(images, (1, 3, 32, 32), (5, 3, 48, 32)), **VISION),
    "dinov3_convnext": make_of("DINOv3ConvNext", PHOTOS, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1]),
    "convnextv2": make_of("ConvNextV2", PHOTOS, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1]),
    "resnet": make_of("ResNet", PHOTOS, embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1]),
    "regnet": make_of("RegNet", PHOTOS, embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], groups_width=4),
    "bit": make_of("Bit", PHOTOS, embedding_size=32, hidden_sizes=[128, 128, 128, 128], depths=[1, 1, 1, 1]),
    "efficientnet": make_of("EfficientNet", PHOTOS, image_size=64, width_coefficient=0.25, depth_coefficient=0.25, hidden_dim=320),
    "mobilenet_v1": make_of("MobileNetV1", PHOTOS, image_size=64, depth_multiplier=0.25),
    "mobilenet_v2_hf": make_of("MobileNetV2", PHOTOS, image_size=64, depth_multiplier=0.35),
    "mobilevitv2": make_of("MobileViTV2", PHOTOS, image_size=64, width_multiplier=0.25),
    "poolformer": make_of("PoolFormer", PHOTOS, depths=[1, 1, 1, 1], hidden_sizes=[8, 16, 16, 32]),
    "swiftformer": make_of("SwiftFormer", PHOTOS, depths=[1, 1, 1, 1], embed_dims=[8, 16, 16, 32]),
    "textnet": make_of("TextNet", PHOTOS),
    "hgnet_v2": make_of("HGNetV2:ForImageClassification", PHOTOS, stem_channels=[3, 8, 8], stage_in_channels=[8, 16, 16, 32], stage_mid_channels=[8, 8, 8, 16], stage_out_channels=[16, 16, 32, 32], stage_num_blocks=[1, 1, 1, 1], stage_numb_of_layers=[1, 1, 1, 1], hidden_sizes=[8, 16, 32, 32], depths=[1, 1, 1, 1]),
    "pvt": make_of("Pvt", functools.partial(images, (1, 3, 64, 64), (5, 3, 64, 64)), image_size=64, depths=[1, 1, 1, 1], hidden_sizes=[8, 16, 16, 32], num_attention_heads=[1, 2, 2, 4]),
    "swinv2": make_of("Swinv2", functools.partial(images, (1, 3, 32, 32), (5, 3, 32, 32)), image_size=32, patch_size=4, embed_dim=8, depths=[1, 1], num_heads=[2, 4], window_size=4),
    "donut_swin": make_of("DonutSwin", functools.partial(images, (1, 3, 32, 32), (5, 3, 32, 32)), image_size=32, patch_size=4, embed_dim=8, depths=[1, 1], num_heads=[2, 4], window_size=4),
    "ijepa": make_of("IJepa", PIXELS, **VISION),
    "vitdet": make_of("VitDet", PIXELS, **{k: v for k, v in VISION.items() if k != "intermediate_size"}, window_size=2, window_block_indices=[0], use_relative_position_embeddings=True),
    "glpn": make_of("GLPN:ForDepthEstimation", functools.partial(images, (1, 3, 64, 64), (5, 3, 64, 96)), depths=[1, 1, 1, 1], hidden_sizes=[8, 16, 16, 32], num_attention_heads=[1, 2, 2, 4], decoder_hidden_size=8),
    "upernet": (
        lambda: t.UperNetForSemanticSegmentation(t.UperNetConfig(backbone_config=t.ConvNextConfig(hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], out_features=["stage1", "stage2", "stage3", "stage4"]), hidden_size=16, auxiliary_in_channels=24, auxiliary_channels=8, num_labels=5)),
        PHOTOS,
    ),
    "maskformer": (
        lambda: t.MaskFormerModel(t.MaskFormerConfig(backbone_config=t.SwinConfig(image_size=64, patch_size=4, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[2, 2, 4, 4], window_size=4, out_features=["stage1", "stage2", "stage3", "stage4"]), decoder_config=t.DetrConfig(use_timm_backbone=False, backbone_config=t.ResNetConfig(), d_model=32, decoder_layers=1, encoder_layers=1, encoder_attention_heads=4, decoder_attention_heads=4, decoder_ffn_dim=32, encoder_ffn_dim=32, num_queries=5), fpn_feature_size=32, mask_feature_size=32)),
        PHOTOS,
    ),
    "mask2former": (
        lambda: t.Mask2FormerModel(t.Mask2FormerConfig(backbone_config=t.SwinConfig(image_size=64, patch_size=4, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[2, 2, 4, 4], window_size=4, out_features=["stage1", "stage2", "stage3", "stage4"]), feature_size=32, mask_feature_size=32, hidden_dim=32, encoder_feedforward_dim=32, dim_feedforward=32, encoder_layers=1, decoder_layers=2, num_attention_heads=4, num_queries=5)),
        PHOTOS,
    ),
    "conditional_detr": (
        lambda: t.ConditionalDetrForObjectDetection(t.ConditionalDetrConfig(use_timm_backbone=False, backbone=None, use_pretrained_backbone=False, backbone_config=t.ResNetConfig(embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage4"]), d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=32, decoder_ffn_dim=32, num_queries=6)),
        PHOTOS,
    ),
    "dab_detr": (
        lambda: t.DabDetrForObjectDetection(t.DabDetrConfig(use_timm_backbone=False, backbone=None, use_pretrained_backbone=False, backbone_config=t.ResNetConfig(embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage4"]), hidden_size=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=32, decoder_ffn_dim=32, num_queries=6)),
        PHOTOS,
    ),
    "table_transformer": (
        lambda: t.TableTransformerForObjectDetection(t.TableTransformerConfig(use_timm_backbone=False, backbone=None, use_pretrained_backbone=False, backbone_config=t.ResNetConfig(embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage4"]), d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=32, decoder_ffn_dim=32, num_queries=6)),
        PHOTOS,
    ),
    "vitpose": (
        lambda: t.VitPoseForPoseEstimation(t.VitPoseConfig(backbone_config=t.VitPoseBackboneConfig(image_size=[32, 32], patch_size=[8, 8], hidden_size=32, num_hidden_layers=2, num_attention_heads=4, mlp_ratio=2, out_indices=[2]), num_labels=5)),
        PIXELS,
    ),
    "vitmatte": (
        lambda: t.VitMatteForImageMatting(t.VitMatteConfig(backbone_config=t.VitDetConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, image_size=64, patch_size=16, num_channels=4, out_features=["stage2"]), hidden_size=32, fusion_hidden_sizes=[16, 8, 8, 8], convstream_hidden_sizes=[8, 8, 8])),
        functools.partial(images, (1, 4, 64, 64), (5, 4, 64, 96)),
    ),
    "zoedepth": (
        lambda: t.ZoeDepthForDepthEstimation(t.ZoeDepthConfig(backbone_config=t.BeitConfig(**{**VISION, "num_hidden_layers": 4}, out_indices=[1, 2, 3, 4], reshape_hidden_states=False, use_relative_position_bias=True), backbone=None, neck_hidden_sizes=[8, 8, 8, 8], fusion_hidden_size=8, bottleneck_features=8, num_relative_features=8, bin_embedding_dim=8, num_attractors=[2, 2, 1, 1])),
        PIXELS,
    ),
    "seggpt": make_of("SegGpt", lambda: [({"pixel_values": torch.randn(n, 3, 32, 32), "prompt_pixel_values": torch.randn(n, 3, 32, 32), "prompt_masks": torch.randn(n, 3, 32, 32)},) for n in (1, 5)], hidden_size=32, num_hidden_layers=4, num_attention_heads=4, image_size=[64, 32], patch_size=8, mlp_dim=48, merge_index=0, intermediate_hidden_state_indices=[0, 1, 2, 3], decoder_hidden_size=8, pretrain_image_size=32),
    # Videos.
    "videomae": make_of("VideoMAE", lambda: [(torch.randn(n, 4, 3, 32, 32),) for n in (1, 5)], **VISION, num_frames=4),
    "vjepa2": make_of("VJEPA2", lambda: [(torch.randn(n, 4, 3, 32, 32),) for n in (1, 5)], crop_size=32, patch_size=8, frames_per_clip=4, hidden_size=48, num_attention_heads=4, num_hidden_layers=2, pred_hidden_size=48, pred_num_attention_heads=4, pred_num_hidden_layers=1, pred_num_mask_tokens=2),
    # Texts with images.
    "altclip": make_of("AltCLIP", functools.partial(_both, 32), text_config=dict(**BASE, project_dim=16, pad_token_id=1), vision_config=VISION, projection_dim=16),
    "chinese_clip": make_of("ChineseCLIP", functools.partial(_both, 32), text_config=BASE, vision_config=VISION, projection_dim=16),
    "clipseg": make_of("CLIPSeg:ForImageSegmentation", functools.partial(_both, 32), text_config=dict(**BASE, **TOKENS), vision_config=VISION, projection_dim=16, extract_layers=[0, 1], reduce_dim=8, decoder_num_attention_heads=2, decoder_intermediate_size=16),
    "align": make_of("Align", functools.partial(_both, 64), text_config=BASE, vision_config=dict(image_size=64, width_coefficient=0.25, depth_coefficient=0.25, hidden_dim=80), projection_dim=80),
    "groupvit": make_of("GroupViT", functools.partial(_both, 32), text_config=dict(**BASE, **TOKENS), vision_config=dict(hidden_size=32, intermediate_size=48, depths=[1, 1], num_hidden_layers=2, num_group_tokens=[4, 0], num_output_groups=[4, 4], num_attention_heads=4, image_size=32, patch_size=8, assign_mlp_ratio=[0.5, 4]), projection_dim=16, projection_intermediate_dim=16),
    "flava": make_of("Flava", functools.partial(_both, 32), text_config=BASE, image_config=VISION, multimodal_config=dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4), hidden_size=32, projection_dim=16),
    "bridgetower": make_of("BridgeTower", functools.partial(_both, 32), hidden_size=32, num_attention_heads=4, num_hidden_layers=2, text_config=dict(**BASE), vision_config=dict(hidden_size=64, num_hidden_layers=2, image_size=32, patch_size=8)),
    "visual_bert": make_of("VisualBert", lambda: [({"input_ids": torch.randint(3, WORDS, (n, s)), "visual_embeds": torch.randn(n, 4, 16)},) for n, s in ((1, 7), (5, 12))], **BASE, visual_embedding_dim=16),
    "lxmert": make_of("Lxmert", lambda: [({"input_ids": torch.randint(3, WORDS, (n, s)), "visual_feats": torch.randn(n, 4, 16), "visual_pos": torch.rand(n, 4, 4)},) for n, s in ((1, 7), (5, 12))], vocab_size=WORDS, hidden_size=32, intermediate_size=48, num_attention_heads=4, l_layers=1, x_layers=1, r_layers=1, visual_feat_dim=16),
    "git": make_of("Git", functools.partial(_both, 32), **BASE, vision_config=VISION),
    "blip_2": make_of("Blip2:ForConditionalGeneration", lambda: _with_images(5, 4), vision_config=VISION, qformer_config=dict(**BASE, encoder_hidden_size=32), text_config=dict(model_type="opt", vocab_size=WORDS, hidden_size=32, ffn_dim=48, num_hidden_layers=2, num_attention_heads=4, word_embed_proj_dim=32), num_query_tokens=4, image_token_index=5),
    "paligemma": (
        lambda: t.PaliGemmaForConditionalGeneration(t.PaliGemmaConfig(vision_config=t.SiglipVisionConfig(**VISION), text_config=t.GemmaConfig(**CAUSAL, head_dim=8, use_cache=False), image_token_index=5, projection_dim=32)),
        lambda: _with_images(5, 16),
    ),
    "vipllava": (
        lambda: t.VipLlavaForConditionalGeneration(t.VipLlavaConfig(vision_config=t.CLIPVisionConfig(**VISION), text_config=t.LlamaConfig(**CAUSAL, use_cache=False), image_token_index=5, vision_feature_layers=[-1, -2])),
        lambda: _with_images(5, 16),
    ),
    "aya_vision": (
        lambda: t.AyaVisionForConditionalGeneration(t.AyaVisionConfig(vision_config=t.SiglipVisionConfig(**VISION), text_config=t.Cohere2Config(**CAUSAL, use_cache=False, sliding_window=4), image_token_index=5, downsample_factor=2, vision_feature_layer=-1)),
        lambda: _with_images(5, 4),
    ),
    "internvl": (
        lambda: t.InternVLForConditionalGeneration(t.InternVLConfig(vision_config=t.InternVLVisionConfig(hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, image_size=[32, 32], patch_size=[8, 8]), text_config=t.Qwen2Config(**CAUSAL, use_cache=False), image_token_id=5)),
        lambda: _with_images(5, 4),
    ),
    "trocr": (
        lambda: t.VisionEncoderDecoderModel(encoder=t.ViTModel(t.ViTConfig(**VISION)), decoder=t.TrOCRForCausalLM(t.TrOCRConfig(vocab_size=WORDS, d_model=32, decoder_layers=2, decoder_attention_heads=4, decoder_ffn_dim=48, use_cache=False))),
        lambda: [({"pixel_values": torch.randn(n, 3, 32, 32), "decoder_input_ids": torch.randint(3, WORDS, (n, s))},) for n, s in ((1, 7), (5, 12))],
    ),
    "grounding_dino": (
        lambda: t.GroundingDinoForObjectDetection(t.GroundingDinoConfig(backbone_config=t.SwinConfig(image_size=64, patch_size=4, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[2, 2, 4, 4], window_size=4, out_features=["stage2", "stage3", "stage4"]), text_config=t.BertConfig(**BASE), d_model=32, encoder_layers=1, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=32, decoder_ffn_dim=32, num_queries=6)),
        lambda: [({"pixel_values": torch.randn(n, 3, 128, w), "input_ids": torch.randint(3, WORDS, (n, s))},) for n, w, s in ((1, 128, 7), (5, 160, 12))],
    ),
    # Sounds.
    "ast": make_of("AST", lambda: [(torch.randn(n, 48, 16),) for n in (1, 5)], **{k: v for k, v in VISION.items() if k not in ("image_size", "patch_size")}, patch_size=8, num_mel_bins=16, max_length=48, frequency_stride=4, time_stride=4),
    "data2vec_audio": make_of("Data2VecAudio", WAVES, **BASE, **{k: v for k, v in SOUNDS.items() if "pos" not in k}, num_conv_pos_embeddings=2, conv_pos_kernel_size=5, num_conv_pos_embedding_groups=2),
    "unispeech_sat": make_of("UniSpeechSat", WAVES, **BASE, **SOUNDS),
    "sew_d": make_of("SEWD", WAVES, **BASE, **SOUNDS, squeeze_factor=2),
    "wav2vec2_bert": make_of("Wav2Vec2Bert", lambda: [(torch.randn(n, s, 8),) for n, s in ((1, 20), (5, 31))], **BASE, feature_projection_input_dim=8, output_hidden_size=32),
    "univnet": (
        lambda: t.UnivNetModel(t.UnivNetConfig(model_in_channels=8, model_hidden_channels=8, num_mel_bins=8, resblock_kernel_sizes=[3], resblock_stride_sizes=[4], resblock_dilation_sizes=[[1, 3]], kernel_predictor_hidden_channels=8)),
        lambda: [({"input_features": torch.randn(n, s, 8), "noise_sequence": torch.randn(n, s, 8)},) for n, s in ((1, 9), (5, 12))],
    ),
    "fastspeech2": (
        lambda: t.FastSpeech2ConformerModel(t.FastSpeech2ConformerConfig(vocab_size=WORDS, hidden_size=32, num_mel_bins=8, encoder_num_attention_heads=4, decoder_num_attention_heads=4, encoder_layers=1, decoder_layers=1, encoder_linear_units=32, decoder_linear_units=32, speech_decoder_postnet_units=8, duration_predictor_channels=8, energy_predictor_channels=8, pitch_predictor_channels=8)),
        functools.partial(texts, (1, 7), (1, 12), attention_mask=torch.ones_like),
    ),
    "musicgen_decoder": (
        lambda: t.MusicgenForCausalLM(t.MusicgenDecoderConfig(vocab_size=WORDS, hidden_size=32, num_hidden_layers=2, ffn_dim=48, num_attention_heads=4, num_codebooks=2, pad_token_id=0, bos_token_id=0, use_cache=False)),
        lambda: [({"input_ids": torch.randint(3, WORDS, (n * 2, s)), "encoder_hidden_states": torch.randn(n, 6, 32)},) for n, s in ((1, 7), (5, 12))],
    ),
    "pop2piano": make_of("Pop2Piano:ForConditionalGeneration", lambda: [({"inputs_embeds": torch.randn(n, s, 32), "decoder_input_ids": torch.randint(3, WORDS, (n, 4))},) for n, s in ((1, 7), (5, 12))], vocab_size=WORDS, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4),
    "qwen2_audio_encoder": (
        lambda: t.Qwen2AudioEncoder(t.Qwen2AudioEncoderConfig(num_mel_bins=8, d_model=32, encoder_layers=2, encoder_attention_heads=4, encoder_ffn_dim=48, max_source_positions=20)),
        functools.partial(images, (1, 8, 40), (5, 8, 40)),
    ),
    # Series.
    "timesfm": (
        lambda: t.TimesFmModel(t.TimesFmConfig(patch_length=4, context_length=16, horizon_length=8, hidden_size=32, intermediate_size=48, head_dim=8, num_hidden_layers=2, num_attention_heads=4)),
        lambda: [({"past_values": torch.randn(n, 16), "past_values_padding": torch.zeros(n, 16, dtype=torch.long), "freq": torch.zeros(n, 1, dtype=torch.long)},) for n in (1, 5)],
    ),
}  # fmt: skip
