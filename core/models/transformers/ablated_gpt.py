"""GPTs with a piece left out, or with their norms elsewhere, to be trained so from the start.

    whole (pre-norm)    x = x + f(norm(x))            f: attention, then the feed-forward network, in each block
    post-norm           x = norm(x + f(x))
    no residual         x = f(norm(x))
    no norm             x = x + f(x)
    no feed-forward     f is attention alone
    no positions        x_0 = token embedding alone

All begin from the same random numbers where they have the same parts. After post-norm's last block stands no other
norm: its stream is normalised already.

Sources: Vaswani et al. (2017), Attention Is All You Need, has post-norm; Radford et al. (2019) pre-norm; Xiong et al.
(2020), On Layer Normalization in the Transformer Architecture, compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.models.self_attention.gpt import GPT, Block, Cache, GPTConfig


@dataclass(frozen=True)
class Form:
    """Which pieces a GPT has; `norm` is "pre", "post" or "none"."""

    norm: str = "pre"
    residual: bool = True
    feed_forward: bool = True
    positions: bool = True


WHOLE = "whole (pre-norm)"
FORMS = {
    WHOLE: Form(),
    "post-norm": Form(norm="post"),
    "no residual": Form(residual=False),
    "no norm": Form(norm="none"),
    "no feed-forward": Form(feed_forward=False),
    "no positions": Form(positions=False),
}


class AblatedBlock(Block):
    """A block of a form: attention, then the feed-forward network if it has one."""

    def __init__(self, config: GPTConfig, form: Form):
        super().__init__(config)
        self.form = form

    def forward(self, x: Tensor, past: Cache | None = None) -> tuple[Tensor, Cache]:
        """Return the stream after this block, (B, T, C), and the block's keys and values."""
        gathered, cache = self.attention(self.read(x, self.norm_before_attention), past)
        x = self.write(x, gathered, self.norm_before_attention)
        if self.form.feed_forward:
            fed_forward = self.feed_forward(self.read(x, self.norm_before_feed_forward))
            x = self.write(x, fed_forward, self.norm_before_feed_forward)
        return x, cache

    def read(self, x: Tensor, norm: nn.Module) -> Tensor:
        """Return what a part sees of the stream x: norm(x) in pre-norm, else x."""
        return norm(x) if self.form.norm == "pre" else x

    def write(self, x: Tensor, added: Tensor, norm: nn.Module) -> Tensor:
        """Return the stream after a part: x + added, normalised in post-norm; without a residual, `added` alone."""
        x = x + added if self.form.residual else added
        return norm(x) if self.form.norm == "post" else x


class AblatedGPT(GPT):
    """A GPT of a form. It is made whole and then cut, so that all forms draw the same random numbers.

    >>> config = GPTConfig(vocabulary_size=5, context=4, layers=1, heads=1, width=4)
    >>> AblatedGPT(config, Form(positions=False)).position_embedding.weight.count_nonzero().item()
    0
    """

    def __init__(self, config: GPTConfig, form: Form):
        super().__init__(config)
        self.form = form
        self.blocks = nn.ModuleList(AblatedBlock(config, form) for _ in range(config.layers))
        self.apply(self._initialise)
        self._cut()

    @torch.no_grad()
    def _cut(self) -> None:
        """Take out what this form lacks."""
        for block in self.blocks:
            if not self.form.feed_forward:
                block.feed_forward = block.norm_before_feed_forward = nn.Identity()
            if self.form.norm == "none":
                block.norm_before_attention = block.norm_before_feed_forward = nn.Identity()
        if self.form.norm != "pre":
            self.final_norm = nn.Identity()
        if not self.form.positions:
            self.position_embedding.weight.zero_().requires_grad_(False)
