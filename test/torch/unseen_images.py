"""Models of images and of videos of torchvision and transformers, beside those of unseen.py."""

import functools

import torch
import torchvision
import transformers as t
from unseen import BASE, CAUSAL, PIXELS, TOKENS, VISION, WORDS, images, make_of, video


def _loud(make):
    """With random weights of images alone, all that is detected is nearly equal, and its order any."""

    def made():
        model = make()
        with torch.no_grad():
            for weight in model.parameters():
                if weight.dim() > 1:
                    weight.normal_(0, 0.15)
                else:
                    weight.uniform_(0.3, 0.9)
        return model

    return made


def _detector(name, **options):
    """A detector of torchvision, which takes lists of images of any extents."""
    return (
        functools.partial(torchvision.models.get_model, name, weights=None, weights_backbone=None, **options),
        lambda: [([torch.rand(3, 96, 128)],), ([torch.rand(3, 128, 96), torch.rand(3, 112, 112)],)],
    )


def _resnet(*stages):
    """A small backbone."""
    return t.ResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 8, 16, 16],
        depths=[1, 1, 1, 1],
        layer_type="basic",
        out_features=list(stages),
    )


#: As unseen.MODELS.
MODELS = {
    "mc3_18": video("mc3_18", (4, 32, 32)),
    "r2plus1d_18": video("r2plus1d_18", (4, 32, 32)),
    "mvit_v1_b": (
        functools.partial(torchvision.models.get_model, "mvit_v1_b", weights=None),
        functools.partial(images, (1, 3, 16, 224, 224), (2, 3, 16, 224, 224)),
    ),
    "raft_small": (
        functools.partial(torchvision.models.get_model, "raft_small", weights=None),
        lambda: [
            (torch.randn(1, 3, 128, 128), torch.randn(1, 3, 128, 128)),
            (torch.randn(2, 3, 128, 160), torch.randn(2, 3, 128, 160)),
        ],
    ),
    "fasterrcnn_mobilenet_v3_large_fpn": _detector("fasterrcnn_mobilenet_v3_large_fpn", min_size=64, max_size=128),
    "maskrcnn_resnet50_fpn": _detector("maskrcnn_resnet50_fpn", min_size=64, max_size=128),
    "retinanet_resnet50_fpn": _detector("retinanet_resnet50_fpn", min_size=64, max_size=128),
    "fcos_resnet50_fpn": _detector("fcos_resnet50_fpn", min_size=64, max_size=128),
    "ssdlite320_mobilenet_v3_large": _detector("ssdlite320_mobilenet_v3_large"),
    "clip": make_of(
        "CLIP",
        lambda: [
            ({"input_ids": torch.randint(3, WORDS, (n, s)), "pixel_values": torch.randn(n, 3, 32, 32)},)
            for n, s in ((1, 7), (3, 12))
        ],
        text_config=dict(**BASE, **TOKENS),
        vision_config=VISION,
        projection_dim=16,
    ),
    "siglip": make_of(
        "Siglip",
        lambda: [
            ({"input_ids": torch.randint(3, WORDS, (n, s)), "pixel_values": torch.randn(n, 3, 32, 32)},)
            for n, s in ((1, 7), (3, 12))
        ],
        text_config=dict(**BASE),
        vision_config=VISION,
    ),
    "blip": make_of(
        "Blip",
        lambda: [
            ({"input_ids": torch.randint(3, WORDS, (n, s)), "pixel_values": torch.randn(n, 3, 32, 32)},)
            for n, s in ((1, 7), (3, 12))
        ],
        text_config=dict(**BASE),
        vision_config=VISION,
    ),
    "owlvit": make_of(
        "OwlViT:ForObjectDetection",
        lambda: [
            ({"input_ids": torch.randint(3, WORDS, (n * 2, s)), "pixel_values": torch.randn(n, 3, 32, 32)},)
            for n, s in ((1, 7), (3, 12))
        ],
        text_config=dict(**BASE, **TOKENS),
        vision_config=VISION,
        projection_dim=32,
    ),
    "vit_mae": make_of(
        "ViTMAE",
        lambda: [({"pixel_values": torch.randn(n, 3, 32, 32), "noise": torch.rand(n, 16)},) for n in (1, 3)],
        **VISION,
    ),
    "dpt": make_of(
        "DPT:ForDepthEstimation",
        PIXELS,
        **VISION,
        backbone_out_indices=[0, 1],
        neck_hidden_sizes=[8, 8],
        reassemble_factors=[2, 1],
        fusion_hidden_size=8,
        is_hybrid=False,
    ),
    "depth_anything": (
        lambda: t.DepthAnythingForDepthEstimation(
            t.DepthAnythingConfig(
                backbone_config=t.Dinov2Config(
                    **{k: v for k, v in VISION.items() if k != "intermediate_size"},
                    out_indices=[1, 2],
                    apply_layernorm=True,
                    reshape_hidden_states=False,
                ),
                reassemble_factors=[2, 1],
                neck_hidden_sizes=[8, 8],
                reassemble_hidden_size=32,
                patch_size=8,
                fusion_hidden_size=8,
            )
        ),
        functools.partial(images, (1, 3, 32, 32), (3, 3, 48, 32)),
    ),
    "detr": (
        lambda: t.DetrForObjectDetection(
            t.DetrConfig(
                use_timm_backbone=False,
                backbone_config=_resnet("stage4"),
                backbone=None,
                use_pretrained_backbone=False,
                d_model=32,
                encoder_layers=2,
                decoder_layers=2,
                encoder_attention_heads=4,
                decoder_attention_heads=4,
                encoder_ffn_dim=32,
                decoder_ffn_dim=32,
                num_queries=6,
            )
        ),
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
    ),
    "deformable_detr": (
        _loud(
            lambda: t.DeformableDetrForObjectDetection(
                t.DeformableDetrConfig(
                    use_timm_backbone=False,
                    backbone_config=_resnet("stage2", "stage3", "stage4"),
                    backbone=None,
                    use_pretrained_backbone=False,
                    d_model=64,
                    encoder_layers=2,
                    decoder_layers=2,
                    encoder_attention_heads=4,
                    decoder_attention_heads=4,
                    encoder_ffn_dim=32,
                    decoder_ffn_dim=32,
                    num_queries=6,
                )
            )
        ),
        functools.partial(images, (1, 3, 128, 128), (3, 3, 128, 160)),
    ),
    "rt_detr": (
        _loud(
            lambda: t.RTDetrForObjectDetection(
                t.RTDetrConfig(
                    backbone_config=t.RTDetrResNetConfig(
                        embedding_size=8,
                        hidden_sizes=[8, 8, 16, 16],
                        depths=[1, 1, 1, 1],
                        out_features=["stage2", "stage3", "stage4"],
                        layer_type="basic",
                    ),
                    encoder_hidden_dim=32,
                    encoder_in_channels=[8, 16, 16],
                    encoder_ffn_dim=32,
                    encoder_attention_heads=4,
                    d_model=32,
                    num_queries=6,
                    decoder_in_channels=[32, 32, 32],
                    decoder_ffn_dim=32,
                    decoder_layers=2,
                    decoder_attention_heads=4,
                    num_denoising=0,
                )
            )
        ),
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
    ),
    "sam": (
        lambda: t.SamModel(
            t.SamConfig(
                vision_config=dict(
                    num_pos_feats=8,
                    hidden_size=32,
                    output_channels=16,
                    num_hidden_layers=2,
                    num_attention_heads=4,
                    image_size=64,
                    patch_size=8,
                    window_size=4,
                    global_attn_indexes=[1],
                    mlp_dim=32,
                ),
                prompt_encoder_config=dict(hidden_size=16, image_size=64, patch_size=8, mask_input_channels=4),
                mask_decoder_config=dict(
                    hidden_size=16, mlp_dim=32, num_hidden_layers=2, num_attention_heads=2, iou_head_hidden_dim=16
                ),
            )
        ),
        lambda: [
            ({"pixel_values": torch.randn(n, 3, 64, 64), "input_points": torch.rand(n, 1, p, 2) * 64},)
            for n, p in ((1, 2), (3, 4))
        ],
    ),
    "levit": make_of(
        "Levit",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 64)),
        image_size=64,
        hidden_sizes=[16, 16, 16],
        num_attention_heads=[2, 2, 2],
        depths=[1, 1, 1],
        key_dim=[4, 4, 4],
    ),
    "hiera": make_of(
        "Hiera",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 64)),
        image_size=[64, 64],
        embed_dim=8,
        depths=[1, 1, 1],
        num_heads=[1, 2, 4],
        num_query_pool=2,
        masked_unit_size=[8, 8],
        query_stride=[2, 2],
    ),
    "pvt_v2": make_of(
        "PvtV2",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        image_size=64,
        depths=[1, 1, 1, 1],
        hidden_sizes=[8, 16, 16, 32],
        num_attention_heads=[1, 2, 2, 4],
    ),
    "swin2sr": make_of(
        "Swin2SR:ForImageSuperResolution",
        functools.partial(images, (1, 3, 32, 32), (3, 3, 32, 40)),
        image_size=32,
        embed_dim=16,
        depths=[1, 1],
        num_heads=[2, 2],
        window_size=4,
        upscale=2,
        num_feat=8,
    ),
    "cvt": make_of(
        "Cvt",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        embed_dim=[8, 16, 32],
        num_heads=[1, 2, 4],
        depth=[1, 2, 3],
    ),
    "mobilevit": make_of(
        "MobileViT",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        image_size=64,
        hidden_sizes=[16, 16, 16],
        neck_hidden_sizes=[8, 8, 8, 16, 16, 16, 32],
        num_attention_heads=4,
    ),
    "focalnet": make_of(
        "FocalNet",
        functools.partial(images, (1, 3, 64, 64), (3, 3, 64, 96)),
        image_size=64,
        embed_dim=8,
        depths=[1, 1, 1, 1],
        hidden_sizes=[8, 16, 16, 32],
    ),
    "superpoint": make_of(
        "SuperPoint:ForKeypointDetection",
        lambda: [(torch.rand(n, 3, 64, w),) for n, w in ((1, 64), (2, 96))],
        encoder_hidden_sizes=[8, 8, 8, 8],
        decoder_hidden_size=16,
        keypoint_decoder_dim=65,
        descriptor_decoder_dim=16,
    ),
    "timesformer": make_of(
        "Timesformer", lambda: [(torch.randn(n, 4, 3, 32, 32),) for n in (1, 3)], **VISION, num_frames=4
    ),
    "vivit": make_of(
        "Vivit",
        lambda: [(torch.randn(n, 4, 3, 32, 32),) for n in (1, 3)],
        **{k: v for k, v in VISION.items() if k not in ("patch_size",)},
        num_frames=4,
        tubelet_size=[2, 8, 8],
    ),
    "llava": (
        lambda: t.LlavaForConditionalGeneration(
            t.LlavaConfig(
                vision_config=t.CLIPVisionConfig(**VISION),
                text_config=t.LlamaConfig(**CAUSAL, use_cache=False),
                image_token_id=5,
                image_token_index=5,
            )
        ),
        lambda: [
            (
                {
                    "input_ids": torch.cat([torch.randint(6, WORDS, (n, s)), torch.full((n, 16), 5)], 1),
                    "pixel_values": torch.randn(n, 3, 32, 32),
                    "attention_mask": torch.ones(n, s + 16, dtype=torch.long),
                },
            )
            for n, s in ((1, 7), (3, 12))
        ],
    ),
}
