"""The trained models whose heads can be opened, behind one small interface.

GPTs look back only and predict the next token; the masked model looks both ways and fills a gap; MiniLM looks both
ways and makes vectors. Each reads a text as ids, with its own marks around it, and returns a trace of all its heads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor, nn

from core.models.self_attention import minilm
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import EditedWeights, GPTTrace, trace_gpt
from core.models.self_attention.masked_language_model import stored_masked_model
from core.models.stored import MODELS, load_card
from core.models.stored_language_models import (
    Prompt,
    byte_pairs,
    encode,
    encode_byte_pairs,
    stored_language_model,
)

BACK, BOTH, MINILM = ("word_gpt", "char_gpt"), "word_masked", "minilm"
MINILM_ABOUT = "MiniLM (Wang et al., 2020), a sentence encoder: it looks both ways and predicts no token."


@dataclass(frozen=True)
class ReadText:
    """A text as a model reads it: ids (T,) and their tokens, marks included, and how many tokens were cut off.

    A character that the model has only the bytes of is several tokens, named “ü·1/2” and “ü·2/2”.
    """

    prompt: Prompt
    ids: Tensor
    tokens: tuple[str, ...]
    cut: int


@dataclass(frozen=True)
class AttentiveModel:
    """A trained network with its tokens; `before` and `after` are the marks it puts around a text.

    `mask` is the id that hides a token from a masked model; other models have none. `names` tells ids as they are
    shown; without it, each is its token in the vocabulary. The network is a GPT, MiniLM's encoder, or the copier.
    """

    name: str
    about: str
    network: nn.Module
    vocabulary: tuple[str, ...]
    encode: Callable[[str], Prompt]
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    mask: int | None = None
    names: Callable[[Sequence[int]], list[str]] | None = None

    @property
    def causal(self) -> bool:
        """Whether a token may look back only."""
        return self.network.config.causal

    @property
    def predicts(self) -> bool:
        """Whether it gives probabilities of tokens."""
        return isinstance(self.network, GPT)

    @property
    def context(self) -> int:
        """The most tokens it reads at once, marks included."""
        return self.network.config.context

    def read(self, text: str, most: int | None = None) -> ReadText:
        """Return the first tokens of a text, at most `most` of them and no more than the context, with the marks."""
        prompt = self.encode(text)
        room = min(self.context, most or self.context) - len(self.before) - len(self.after)
        ids = (*self.before, *prompt.ids[: max(0, room)], *self.after)
        tokens = tuple(self.names(ids) if self.names else (self.vocabulary[i] for i in ids))
        return ReadText(
            prompt, torch.tensor(ids, dtype=torch.long), tokens, max(0, len(prompt.ids) - max(0, room))
        )

    @torch.no_grad()
    def trace(self, ids: Tensor, edits: EditedWeights | None = None) -> GPTTrace | minilm.EncoderTrace:
        """Return everything that reading `ids` (T,) computes; `edits` are for models that predict."""
        return trace_gpt(self.network, ids, edits) if self.predicts else self.network(ids)

    def shown(self, ids: Tensor, place: int) -> Tensor:
        """Return what the model is shown when it predicts at `place`: a masked model must not see the answer."""
        if self.mask is None:
            return ids
        hidden = ids.clone()
        hidden[place] = self.mask
        return hidden

    def shown_tokens(self, read: ReadText, place: int) -> list[str]:
        """Return the tokens of what the model is shown when it predicts at `place`."""
        here = read.tokens[place] if self.mask is None else self.vocabulary[self.mask]
        return [*read.tokens[:place], here, *read.tokens[place + 1 :]]


def attentive_models() -> tuple[str, ...]:
    """Return the names of the models that are here: stored with this course, or in an installed package."""
    stored = [name for name in (BACK[0], BOTH, BACK[1]) if (MODELS / name / "card.json").exists()]
    return (*stored, *([MINILM] if minilm.installed() else []))


@cache
def attentive_model(name: str) -> AttentiveModel:
    """Return a model of `attentive_models`, ready to read. Raises FileNotFoundError when it is not here."""
    if name == MINILM:
        return AttentiveModel(
            name, MINILM_ABOUT, minilm.minilm(), minilm.minilm_words().vocabulary, word_pieces, (101,), (102,)
        )
    about = load_card(name).description
    if name == BOTH:
        model = stored_masked_model(name)
        return AttentiveModel(
            name,
            about,
            model.network,
            model.vocabulary,
            byte_pairs_of(name),
            mask=model.mask,
            names=model.pairs.names,
        )
    model = stored_language_model(name)
    names = byte_pairs(name).names if name == BACK[0] else None
    return AttentiveModel(
        name,
        about,
        model.network,
        model.vocabulary,
        lambda text: encode(name, text),
        (model.start,),
        names=names,
    )


def word_pieces(text: str) -> Prompt:
    """Return a text as MiniLM reads it; what it has no piece for is read as [UNK]."""
    return Prompt(tuple(minilm.minilm_words().encode(text)), text, {}, ())


def byte_pairs_of(name: str) -> Callable[[str], Prompt]:
    """Return how a stored model of byte pairs reads a text."""
    return lambda text: encode_byte_pairs(byte_pairs(name), text)
