"""A vision transformer: a picture cut into patches, each a token; a class token reads them all.

    patch_i = the numbers of patch i in one row                             N patches of P numbers
    x_0 = class token + p_0;   x_i = W patch_i + b + p_i                    p: learned positions
    x = x + attention(norm(x));  x = x + feed_forward(norm(x))              in each of L blocks
    logits = W_c norm(x)_0 + b_c                                            only the class token is asked

Source: Dosovitskiy et al. (2021), An Image is Worth 16x16 Words. Written for reading; the weights of transformers' ViT
fit it (see its tests).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.models.self_attention.attention import AttentionTrace, attend, concatenate_heads
from core.models.stored import load_json, load_weights
from core.models.stored_network import with_weights


@dataclass(frozen=True)
class VisionConfig:
    """The shape of a vision transformer: square pictures of `side` pixels, patches of `patch` pixels, C numbers a token."""

    side: int
    patch: int
    channels: int
    classes: int
    layers: int = 4
    heads: int = 4
    width: int = 64

    @property
    def across(self) -> int:
        """How many patches stand side by side."""
        return self.side // self.patch

    @property
    def patches(self) -> int:
        """N, how many patches a picture has."""
        return self.across**2

    @property
    def numbers(self) -> int:
        """P, how many numbers a patch has."""
        return self.channels * self.patch**2


def patches_of(pictures: Tensor, patch: int) -> Tensor:
    """Return the patches of pictures (..., c, S, S), row by row from the top left, each one row: (..., N, P).

    A patch's numbers stand channel by channel, in each line by line: P = c patch^2, N = (S / patch)^2.

    >>> patches_of(torch.arange(16).view(1, 4, 4), patch=2).tolist()
    [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]
    """
    across = pictures.shape[-1] // patch
    cut = pictures.unflatten(-1, (across, patch)).unflatten(
        -3, (across, patch)
    )  # (..., c, rows, p, columns, p)
    n = cut.ndim
    order = (*range(n - 5), n - 4, n - 2, n - 5, n - 3, n - 1)
    return cut.permute(order).flatten(-3).flatten(-3, -2)


class SelfAttention(nn.Module):
    """softmax(QK^T / sqrt(d)) V, per head; every token may look at every other."""

    def __init__(self, config: VisionConfig):
        super().__init__()
        self.heads = config.heads
        self.to_query_key_value = nn.Linear(config.width, 3 * config.width)
        self.project = nn.Linear(config.width, config.width)

    def query_key_value(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values, each (..., H, T, d), of x (..., T, C); d = C / H."""
        parts = self.to_query_key_value(x).unflatten(-1, (3, self.heads, -1))  # (..., T, 3, H, d)
        return parts.movedim(-3, 0).transpose(-3, -2).unbind(0)

    def forward(self, x: Tensor) -> Tensor:
        """Return what each token gathered, (..., T, C)."""
        context = functional.scaled_dot_product_attention(*self.query_key_value(x))
        return self.project(context.transpose(-3, -2).flatten(-2))

    def heads_of(self, x: Tensor) -> AttentionTrace:
        """Return the trace of all heads reading x (T, C); H stands in front."""
        q, k, v = self.query_key_value(x)
        return attend(q, k, v, q.shape[-1] ** -0.5)


class Block(nn.Module):
    """Attention, then the feed-forward network; each reads a normalised copy and adds to the stream."""

    def __init__(self, config: VisionConfig):
        super().__init__()
        self.norm_before_attention = nn.LayerNorm(config.width)
        self.attention = SelfAttention(config)
        self.norm_before_feed_forward = nn.LayerNorm(config.width)
        self.widen = nn.Linear(config.width, 4 * config.width)
        self.narrow = nn.Linear(4 * config.width, config.width)

    def feed_forward(self, x: Tensor) -> Tensor:
        """Return W2 gelu(W1 norm(x) + b1) + b2, (..., T, C)."""
        return self.narrow(functional.gelu(self.widen(self.norm_before_feed_forward(x))))

    def forward(self, x: Tensor) -> Tensor:
        """Return the stream after this block, (..., T, C)."""
        x = x + self.attention(self.norm_before_attention(x))
        return x + self.feed_forward(x)


class VisionTransformer(nn.Module):
    """Patches in, one logit a class out; every position is a learned row of a table, the class token's first."""

    def __init__(self, config: VisionConfig):
        super().__init__()
        self.config = config
        self.patch_embedding = nn.Linear(config.numbers, config.width)
        self.class_embedding = nn.Parameter(torch.randn(config.width) * 0.02)
        self.position_embedding = nn.Parameter(torch.randn(config.patches + 1, config.width) * 0.02)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.final_norm = nn.LayerNorm(config.width)
        self.output = nn.Linear(config.width, config.classes)

    def tokens(self, patches: Tensor, places: Tensor | None = None, positions: bool = True) -> Tensor:
        """Return the tokens of patches (B, n, P), (B, n + 1, C), the class token first.

        `places` (n,) says which place of the grid each patch is said to stand in, all in order unless given; without
        `positions` no token is told where it stands.
        """
        x = self.patch_embedding(patches)  # (B, n, C)
        first = self.class_embedding.expand(len(x), 1, -1)
        x = torch.cat((first, x), dim=1)
        if not positions:
            return x
        places = torch.arange(patches.shape[1]) if places is None else places
        return x + self.position_embedding[torch.cat((torch.zeros(1, dtype=torch.long), places + 1))]

    def read(self, x: Tensor) -> Tensor:
        """Return the logits, (B, classes), of tokens x (B, n + 1, C)."""
        for block in self.blocks:
            x = block(x)
        return self.output(self.final_norm(x[:, 0]))

    def forward(self, patches: Tensor, places: Tensor | None = None, positions: bool = True) -> Tensor:
        """Return the logits of each picture's class, (B, classes), of its patches (B, n, P)."""
        return self.read(self.tokens(patches, places, positions))


@dataclass(frozen=True)
class VisionTrace:
    """A whole reading of one picture with n patches in sight.

    projected (n, C): W patch + b; tokens (n + 1, C): the class token first, positions added; each layer's heads, weights
    (H, n + 1, n + 1); final (n + 1, C): the last stream; logits and probabilities (classes,).
    """

    patches: Tensor
    projected: Tensor
    tokens: Tensor
    heads: tuple[AttentionTrace, ...]
    final: Tensor
    logits: Tensor
    probabilities: Tensor

    @property
    def weights(self) -> Tensor:
        """The attention weights of all layers, (L, H, n + 1, n + 1)."""
        return torch.stack([each.weights for each in self.heads])


@torch.inference_mode()
def trace_vision_transformer(
    model: VisionTransformer, patches: Tensor, places: Tensor | None = None, positions: bool = True
) -> VisionTrace:
    """Return everything that reading one picture's patches (n, P) computes."""
    tokens = model.tokens(patches[None], places, positions)[0]
    x, heads = tokens, []
    for block in model.blocks:
        each = block.attention.heads_of(block.norm_before_attention(x))
        x = x + block.attention.project(concatenate_heads(each.context))
        x = x + block.feed_forward(x)
        heads.append(each)
    logits = model.output(model.final_norm(x[0]))
    projected = model.patch_embedding(patches)
    return VisionTrace(patches, projected, tokens, tuple(heads), x, logits, logits.softmax(0))


@dataclass(frozen=True)
class StoredVision:
    """A stored vision transformer, and what its classes are called, in their order."""

    name: str
    network: VisionTransformer
    classes: tuple[str, ...]


@cache
def stored_vision(name: str) -> StoredVision:
    """Return a stored vision transformer, ready to read. Raises StoredModelError when it is missing."""
    shape = load_json(name, "shape")
    network = with_weights(VisionTransformer(VisionConfig(**shape["config"])), load_weights(name))
    return StoredVision(name, network, tuple(shape["classes"]))


def shape_of(network: VisionTransformer, classes: list[str]) -> dict:
    """Return what is stored beside the weights to build the network again."""
    return {"config": asdict(network.config), "classes": classes}
