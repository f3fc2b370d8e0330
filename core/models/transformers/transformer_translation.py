"""Translating with a transformer: greedy search, one more word a step, and how often it is right.

    greedy    y_t = argmax p(y | y_<t, x)          the decoder reads <start>, y_1 .. y_{t-1} and says what comes next
    right     greedy search writes the reference  <=>  argmax p(y | y*_<t, x) = y*_t  at every t, <end> too

The second line tells of a whole sentence by one pass of the decoder, for any model that sees no later word: as long as
it is right, what it has written is what it was given. It holds for the recurrent translators too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from core.models.stored import load_card, load_json, load_weights
from core.models.stored_network import with_weights
from core.models.transformers.encoder_decoder import (
    Added,
    Decoded,
    Encoded,
    EncoderDecoder,
    EncoderDecoderConfig,
)
from core.models.translation.alignment import misaligned
from core.models.translation.fit_translation import encoded_pairs, pad_sentences, right_words, words_before
from core.models.translation.seq2seq import END, PADDING, START
from core.models.translation.translate import Translator
from core.text.grammar.pairs import Pair, TranslationVocabulary


def stored_transformer(name: str) -> Translator:
    """Return one of the trained transformers of assets/models, such as "transformer_french", with its vocabularies."""
    words, shape = load_json(name, "vocabulary"), load_card(name).config["shape"]
    source, target = (TranslationVocabulary(tuple(words[side])) for side in ("source", "target"))
    model = EncoderDecoder(EncoderDecoderConfig(len(source), len(target), **shape))
    return Translator(with_weights(model, load_weights(name)), source, target)


@dataclass(frozen=True)
class Written:
    """A translation of one sentence: word ids with <end>, the encoder's work, and the decoder's at every step.

    `steps[t]` is all that the decoder computed to write word t, of the t + 1 words <start>, y_1 .. y_t.
    """

    words: list[int]
    encoded: Encoded
    steps: list[Decoded]

    @property
    def finished(self) -> bool:
        """Whether <end> was written before the limit."""
        return self.words[-1] == END

    def probability(self, t: int) -> float:
        """Return p(y_t | y_<t, x) of the word that was written at step t."""
        return float(self.steps[t].logits[0, -1].softmax(-1)[self.words[t]])

    def cross(self, layer: int, head: int) -> np.ndarray:
        """Return one head's cross-attention, (T, S): row t as it was when word t was written."""
        return np.stack([step.cross[layer].weights[0, head, -1].numpy() for step in self.steps])


@torch.inference_mode()
def greedy(model: EncoderDecoder, source: Sequence[int], limit: int = 60) -> Written:
    """Return the translation that takes the most probable word at every step; at most `limit` words."""
    encoded, previous, steps = model.encode(torch.tensor([list(source)])), [START], []
    while len(steps) < limit and previous[-1] != END:
        steps.append(model.decode(torch.tensor([previous]), encoded))
        previous.append(int(steps[-1].logits[0, -1].argmax()))
    return Written(previous[1:], encoded, steps)


@torch.inference_mode()
def added_by(model: EncoderDecoder, made: Written, t: int, layer: int) -> tuple[Tensor, Added]:
    """Return the stream at the newest word before decoder block `layer`, (C,), and what its parts add to it, (C,) each.

    The newest word is the one from which word t is written: <start> for t = 0.
    """
    y = model.target_embedding(torch.tensor([[START, *made.words[:t]]]))  # (1, t + 1, C)
    mask = model.own_mask(t + 1)
    for block in model.decoder[:layer]:
        y, *_ = block(y, mask, made.encoded)
    added, *_ = model.decoder[layer].added(y, mask, made.encoded)
    return y[0, -1], Added(*(each[0, -1] for each in added))


@torch.inference_mode()
def greedy_all(model: EncoderDecoder, source: Tensor, limit: int = 60) -> Tensor:
    """Return greedy translations of many sentences at once, ids (B, T), 0 after <end>; `source` is (B, S)."""
    encoded, previous = model.encode(source), torch.full((len(source), 1), START)
    ended = torch.zeros(len(source), dtype=torch.bool)
    while previous.shape[1] <= limit and not ended.all():
        word = model.decode(previous, encoded).logits[:, -1].argmax(-1).masked_fill(ended, PADDING)
        ended |= word == END
        previous = torch.cat((previous, word[:, None]), 1)
    return previous[:, 1:]


def written_right(
    model: EncoderDecoder, pairs: Sequence[Pair], source: TranslationVocabulary, target: TranslationVocabulary
) -> list[bool]:
    """Return for each pair whether greedy search writes its translation word for word; the pairs are one batch."""
    sources, targets = (pad_sentences(ids) for ids in encoded_pairs(pairs, source, target))
    words = greedy_all(model, sources, limit=targets.shape[1] + 5).tolist()
    return [target.decode(row) == list(pair.target) for row, pair in zip(words, pairs, strict=True)]


@torch.inference_mode()
def given_right(
    model: EncoderDecoder, pairs: Sequence[Pair], source: TranslationVocabulary, target: TranslationVocabulary
) -> list[bool]:
    """Return what `written_right` does of a model that sees no later word, by one pass of its decoder."""
    sources, targets = (pad_sentences(ids) for ids in encoded_pairs(pairs, source, target))
    return right_words(model(sources, words_before(targets)), targets).tolist()


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs as one model does them: which are right, in the pairs' order, and how many of their words gold aligns.

    `misaligned` (L, H) is how many of those words each head misaligns when the right words are given, (1, 1) for a
    recurrent model.
    """

    right: list[bool]
    aligned: int
    misaligned: np.ndarray


@torch.inference_mode()
def judge_pairs(
    model: nn.Module,
    pairs: Sequence[Pair],
    source: TranslationVocabulary,
    target: TranslationVocabulary,
    batch: int = 100,
) -> JudgedPairs:
    """Return how a transformer or a recurrent translator does on pairs, by one pass of its decoder."""
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].source))
    right, wrong = [False] * len(pairs), 0
    for begin in range(0, len(order), batch):
        part = [pairs[i] for i in order[begin : begin + batch]]
        sources, targets = (pad_sentences(ids) for ids in encoded_pairs(part, source, target))
        decoded = model(sources, words_before(targets))
        for i, same in zip(order[begin : begin + batch], right_words(decoded, targets).tolist(), strict=True):
            right[i] = same
        wrong = wrong + misaligned_by_head(heads_of(decoded), part)
    return JudgedPairs(right, sum(len({t for t, _ in pair.links}) for pair in pairs), wrong)


def heads_of(decoded) -> np.ndarray:
    """Return the weights of all heads that look at the input, (B, L, H, T, S); a recurrent model has one."""
    if not hasattr(decoded, "cross"):
        return decoded.weights[:, None, None].numpy()
    return torch.stack([trace.weights for trace in decoded.cross], 1).numpy()


def misaligned_by_head(weights: np.ndarray, pairs: Sequence[Pair]) -> np.ndarray:
    """Return how many aligned words of the pairs each head misaligns, (L, H); `weights` is (B, L, H, T, S).

    >>> pair = Pair(("a", "b"), ("c", "d"), frozenset({(0, 0), (1, 1)}))
    >>> misaligned_by_head(np.array([[[[[0.9, 0.1], [0.8, 0.2]], [[0.9, 0.1], [0.2, 0.8]]]]]), [pair]).tolist()
    [[1, 0]]
    """
    return np.array(
        [
            [
                sum(
                    len(misaligned(rows[: len(pair.target), : len(pair.source)], pair.links))
                    for rows, pair in zip(weights[:, layer, head], pairs, strict=True)
                )
                for head in range(weights.shape[2])
            ]
            for layer in range(weights.shape[1])
        ]
    )
