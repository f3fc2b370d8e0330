"""The vision transformer is transformers' ViT: with its weights copied, every head, the last stream and the logits agree."""

import torch
from transformers import ViTConfig, ViTForImageClassification

from core.models.images.vision_transformer import (
    VisionConfig,
    VisionTransformer,
    patches_of,
    trace_vision_transformer,
)

SHAPE = VisionConfig(side=12, patch=4, channels=3, classes=5, layers=2, heads=2, width=8)
NAMES = {
    "vit.layers": "blocks",
    "attention.o_proj": "attention.project",
    "layernorm_before": "norm_before_attention",
    "layernorm_after": "norm_before_feed_forward",
    "mlp.fc1": "widen",
    "mlp.fc2": "narrow",
    "vit.layernorm": "final_norm",
    "classifier": "output",
    "vit.embeddings.patch_embeddings.projection": "patch_embedding",
    "vit.embeddings.position_embeddings": "position_embedding",
    "vit.embeddings.cls_token": "class_embedding",
}


def their_network():
    config = ViTConfig(
        hidden_size=SHAPE.width,
        num_hidden_layers=SHAPE.layers,
        num_attention_heads=SHAPE.heads,
        intermediate_size=4 * SHAPE.width,
        image_size=SHAPE.side,
        patch_size=SHAPE.patch,
        num_channels=SHAPE.channels,
        layer_norm_eps=1e-5,
        num_labels=SHAPE.classes,
        attn_implementation="eager",
    )
    model = ViTForImageClassification(config).eval().requires_grad_(False)
    for parameter in model.parameters():
        parameter += 0.3 * torch.randn_like(parameter)
    return model


def with_weights_of(model):
    """Return our network with the weights of theirs; query, key and value one below the other."""
    given, ours = model.state_dict(), {}
    for name, tensor in given.items():
        if "k_proj" in name or "v_proj" in name:
            continue
        if "q_proj" in name:
            tensor = torch.cat([given[name.replace("q_proj", f"{part}_proj")] for part in "qkv"])
            name = name.replace("q_proj", "to_query_key_value")
        for theirs, our in NAMES.items():
            name = name.replace(theirs, our)
        ours[name] = tensor
    ours["patch_embedding.weight"] = ours["patch_embedding.weight"].flatten(1)  # a convolution is a product
    ours["class_embedding"] = ours["class_embedding"].flatten()
    ours["position_embedding"] = ours["position_embedding"][0]
    network = VisionTransformer(SHAPE)
    network.load_state_dict(ours)
    return network.requires_grad_(False)


def test_every_head_the_last_stream_and_the_logits_are_vit_s():
    torch.manual_seed(0)
    theirs = their_network()
    ours = with_weights_of(theirs)
    picture = torch.rand(1, SHAPE.channels, SHAPE.side, SHAPE.side)
    expected = theirs(picture, output_attentions=True, output_hidden_states=True)
    read = trace_vision_transformer(ours, patches_of(picture[0], SHAPE.patch))
    close = {"atol": 1e-5, "rtol": 1e-4}
    torch.testing.assert_close(read.tokens, expected.hidden_states[0][0], **close)
    torch.testing.assert_close(read.final, theirs.vit.layers[-1](expected.hidden_states[-2])[0], **close)
    for heads, weights in zip(read.heads, expected.attentions, strict=True):
        torch.testing.assert_close(heads.weights, weights[0], **close)
    torch.testing.assert_close(read.logits, expected.logits[0], **close)
    torch.testing.assert_close(ours(patches_of(picture, SHAPE.patch)), expected.logits, **close)
