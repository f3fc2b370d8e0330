"""With the same weights, our GPT and transformers' GPT-2 compute the same logits."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

from core.models.self_attention.gpt import GPT, GPTConfig


def as_gpt2(model: GPT) -> GPT2LMHeadModel:
    """Return transformers' GPT-2 with the weights of ours; the biases that ours has not are nought."""
    c = model.config
    shape = {"n_embd": c.width, "n_layer": c.layers, "n_head": c.heads, "n_positions": c.context}
    theirs = GPT2LMHeadModel(GPT2Config(vocab_size=c.vocabulary_size, **shape)).eval()
    names = {
        "transformer.wte.weight": model.token_embedding.weight,
        "transformer.wpe.weight": model.position_embedding.weight,
        "transformer.ln_f.weight": model.final_norm.weight,
        "transformer.ln_f.bias": model.final_norm.bias,
        "lm_head.weight": model.token_embedding.weight,
    }
    for i, block in enumerate(model.blocks):
        names |= {
            f"transformer.h.{i}.ln_1.weight": block.norm_before_attention.weight,
            f"transformer.h.{i}.ln_1.bias": block.norm_before_attention.bias,
            f"transformer.h.{i}.attn.c_attn.weight": block.attention.to_query_key_value.weight.T,
            f"transformer.h.{i}.attn.c_proj.weight": block.attention.project.weight.T,
            f"transformer.h.{i}.ln_2.weight": block.norm_before_feed_forward.weight,
            f"transformer.h.{i}.ln_2.bias": block.norm_before_feed_forward.bias,
            f"transformer.h.{i}.mlp.c_fc.weight": block.feed_forward.widen.weight.T,
            f"transformer.h.{i}.mlp.c_proj.weight": block.feed_forward.project.weight.T,
        }
    ours = {name: tensor.detach().clone() for name, tensor in names.items()}
    left = set(theirs.load_state_dict(ours, strict=False).missing_keys)
    assert all(name.endswith("bias") for name in left)
    for name, tensor in theirs.named_parameters():
        if name in left:
            tensor.data.zero_()
    return theirs


def test_logits_are_the_same_with_copied_weights():
    torch.manual_seed(0)
    ours = GPT(GPTConfig(vocabulary_size=31, context=12, layers=3, heads=2, width=16)).eval()
    for parameter in ours.parameters():
        parameter.data += 0.2 * torch.randn_like(parameter)
    ids = torch.randint(0, 31, (2, 12))
    with torch.no_grad():
        torch.testing.assert_close(ours(ids)[0], as_gpt2(ours)(ids).logits, atol=1e-4, rtol=1e-4)
