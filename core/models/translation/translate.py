"""Searching for a translation: greedy and beam, with the attention of any step or the first words forced.

    greedy   y_t = argmax p(y | y_<t, x)
    beam     keep the k beginnings with the largest log p(y_1 .. y_t | x); a finished one keeps its place

Sources: Luong et al. (2015); Graves (2012), Sequence Transduction with Recurrent Neural Networks (beam);
Strobelt et al. (2018), Seq2Seq-Vis, for what can be forced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from core.models.stored import load_card, load_json, load_weights
from core.models.stored_network import with_weights
from core.models.translation.seq2seq import END, PADDING, START, Decoded, Encoded, Seq2Seq, Seq2SeqConfig
from core.text.grammar.pairs import TranslationVocabulary


@dataclass(frozen=True)
class Translator:
    """A model with the vocabularies of both its sides."""

    model: Seq2Seq
    source: TranslationVocabulary
    target: TranslationVocabulary


def translator(
    weights: Mapping[str, np.ndarray],
    source: TranslationVocabulary,
    target: TranslationVocabulary,
    **config,
) -> Translator:
    """Return a translator with the given arrays, ready to translate; `config` is as for Seq2SeqConfig."""
    model = Seq2Seq(Seq2SeqConfig(len(source), len(target), **config))
    return Translator(with_weights(model, weights), source, target)


def stored_translator(name: str) -> Translator:
    """Return one of the trained translators of assets/models, such as "translate_french_additive"."""
    config, words = load_card(name).config, load_json(name, "vocabulary")
    source, target = (TranslationVocabulary(tuple(words[side])) for side in ("source", "target"))
    shape = {key: config[key] for key in ("embedding", "hidden", "score", "bidirectional")}
    return translator(load_weights(name), source, target, **shape)


@dataclass(frozen=True)
class Translation:
    """One translation: word ids with <end>, log p(y | x), and every decoder step that led to it (B = 1)."""

    words: list[int]
    log_probability: float
    encoded: Encoded
    steps: Decoded

    @property
    def finished(self) -> bool:
        """Whether <end> was written before the limit."""
        return bool(self.words) and self.words[-1] == END


@dataclass(frozen=True)
class Translated:
    """A translation with the input words, and the words of all that was written."""

    translator: Translator
    inputs: Sequence[str]
    translation: Translation

    @property
    def outputs(self) -> list[str]:
        """The output words, <end> as well."""
        return [self.translator.target.words[i] for i in self.translation.words]

    @property
    def written(self) -> list[str]:
        """The output words without <end>."""
        return self.translator.target.decode(self.translation.words)

    @property
    def input_names(self) -> list[str]:
        """The inputs as pictures name them: the space in a date is a mark."""
        return ["␣" if word == " " else word for word in self.inputs]

    @property
    def weights(self) -> np.ndarray:
        """The attention weights of all steps, (T, S)."""
        return self.translation.steps.weights[0].numpy()


@dataclass(frozen=True)
class Beginning:
    """A beginning that beam search kept: its words, log p, and the index of its parent among the last kept."""

    words: tuple[int, ...]
    log_probability: float
    parent: int | None

    @property
    def finished(self) -> bool:
        """Whether it ends in <end>."""
        return self.words[-1:] == (END,)


def _joined(steps: Sequence[Decoded]) -> Decoded:
    parts = {f.name: [getattr(step, f.name) for step in steps] for f in fields(Decoded)}
    return Decoded(
        **{name: None if tensors[0] is None else torch.cat(tensors, 1) for name, tensors in parts.items()}
    )


def onto(word: int, source_words: int) -> Tensor:
    """Return attention weights that rest wholly on one input word, (S,).

    >>> onto(1, 3)
    tensor([0., 1., 0.])
    """
    return torch.nn.functional.one_hot(torch.tensor(word), source_words).float()


@torch.inference_mode()
def greedy(
    model: Seq2Seq,
    source: Sequence[int],
    prefix: Sequence[int] = (),
    forced: Mapping[int, Tensor] | None = None,
    limit: int = 60,
) -> Translation:
    """Return the translation that takes the most probable word at every step.

    `source` holds the ids of the input words, `prefix` output words to begin with, whatever the model would
    have said, and `forced` maps a step (0 is the first output word) to the attention weights (S,) it must use.
    """
    encoded = model.encode(torch.tensor([list(source)]))
    state, previous, words, steps, log_probability = model.first_state(encoded), START, [], [], 0.0
    while len(words) < limit and previous != END:
        t = len(words)
        row = None if not forced or t not in forced else forced[t].view(1, 1, -1)
        step = model.decode(torch.tensor([[previous]]), state, encoded, row)
        log_p = step.logits[0, 0].log_softmax(-1)
        previous = prefix[t] if t < len(prefix) else int(log_p.argmax())
        words.append(previous)
        steps.append(step)
        log_probability += float(log_p[previous])
        state = step.state[:, 0]
    return Translation(words, log_probability, encoded, _joined(steps))


def translated(translator: Translator, words: Sequence[str]) -> Translated:
    """Return the translation of words that takes the most probable word at every step."""
    return Translated(translator, tuple(words), greedy(translator.model, translator.source.encode(words)))


@torch.inference_mode()
def rescored(model: Seq2Seq, source: Sequence[int], words: Sequence[int]) -> Translation:
    """Return a given translation with its log-probability and steps: teacher forcing of one sentence."""
    source_ids = torch.tensor([list(source)])
    encoded = model.encode(source_ids)
    steps = model.decode(torch.tensor([[START, *words[:-1]]]), model.first_state(encoded), encoded)
    log_p = steps.logits[0].log_softmax(-1)
    return Translation(list(words), float(log_p[range(len(words)), list(words)].sum()), encoded, steps)


def _repeated(encoded: Encoded, times: int) -> Encoded:
    return Encoded(
        *(
            getattr(encoded, f.name).expand(times, *[-1] * (getattr(encoded, f.name).dim() - 1))
            for f in fields(Encoded)
        )
    )


def beam(
    model: Seq2Seq, source: Sequence[int], width: int = 4, prefix: Sequence[int] = (), limit: int = 60
) -> list[list[Beginning]]:
    """Return the beginnings kept after each step, best first; the last step's are the hypotheses.

    Each names its parent, so that the search can be drawn as a tree. `rescored` gives a hypothesis's steps.
    """
    return [found[:width] for found in candidates(model, source, width, prefix, limit)]


@torch.inference_mode()
def candidates(
    model: Seq2Seq, source: Sequence[int], width: int, prefix: Sequence[int] = (), limit: int = 60
) -> list[list[Beginning]]:
    """Return all that beam search looks at in each step, best first; it keeps the first `width` of them.

    Each unfinished beginning is lengthened by its `width` likeliest words; a finished one stays as it is.
    """
    encoded = model.encode(torch.tensor([list(source)]))
    states = model.first_state(encoded)  # one row for each beginning kept
    kept, steps = [Beginning((), 0.0, None)], []
    while len(steps) < limit and not all(beginning.finished for beginning in kept):
        t = len(steps)
        previous = torch.tensor([[b.words[-1] if b.words else START] for b in kept])
        step = model.decode(previous, states, _repeated(encoded, len(kept)))
        log_p = step.logits[:, 0].log_softmax(-1)
        found = []
        for i, beginning in enumerate(kept):
            if beginning.finished:
                found.append(Beginning(beginning.words, beginning.log_probability, i))
                continue
            best = (
                [prefix[t]] if t < len(prefix) else log_p[i].topk(min(width, log_p.shape[1])).indices.tolist()
            )
            found += [
                Beginning((*beginning.words, w), beginning.log_probability + float(log_p[i, w]), i)
                for w in best
            ]
        steps.append(sorted(found, key=lambda b: -b.log_probability))
        kept = steps[-1][:width]
        states = step.state[:, 0][[b.parent for b in kept]]
    return steps


@torch.inference_mode()
def greedy_all(
    model: Seq2Seq, source: Tensor, limit: int = 60, forced: Tensor | None = None
) -> tuple[Tensor, Tensor | None]:
    """Return greedy translations of many sentences at once: words (B, T), 0 after <end>, and weights (B, T, S).

    `forced` (B, limit, S) holds attention weights that must be used; rows of NaN stay free.
    """
    encoded = model.encode(source)
    state, previous = model.first_state(encoded), torch.full((len(source), 1), START)
    ended, words, weights = torch.zeros(len(source), dtype=torch.bool), [], []
    while len(words) < limit and not ended.all():
        rows = None if forced is None else forced[:, len(words) : len(words) + 1]
        step = model.decode(previous, state, encoded, rows)
        previous = step.logits.argmax(-1).masked_fill(ended.unsqueeze(1), PADDING)
        ended = ended | (previous[:, 0] == END)
        state = step.state[:, 0]
        words.append(previous)
        weights.append(step.weights)
    return torch.cat(words, 1), None if model.score is None else torch.cat(weights, 1)
