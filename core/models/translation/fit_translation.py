"""Fitting an encoder-decoder: teacher forcing, cross-entropy, Adam.

    loss = -1/n sum_t ln p(y_t | y_<t, x)          y_<t are the right words, whatever the model would have said

Sentences of like length are put in one batch, so that little is padding. The learning rate rises over the
first twentieth of the steps and falls to zero along a cosine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn

from core.models.translation.alignment import misaligned
from core.models.translation.seq2seq import END, PADDING, START, Seq2Seq, Seq2SeqConfig
from core.models.translation.translate import Translator, greedy, greedy_all, translator
from core.text.grammar.pairs import Pair, TranslationVocabulary, is_held_out

BATCH = 64  # pairs a step


@dataclass(frozen=True)
class Snapshot:
    """Where training stands: share done, step, mean loss since the last, one sentence's greedy translation.

    `weights` (T, S) are its attention, None without attention.
    """

    share: float
    step: int
    loss: float
    source: list[str]
    output: list[str]
    weights: np.ndarray | None


@dataclass(frozen=True)
class Fitted:
    """What fitting leaves: the model's arrays and shape, both vocabularies, all snapshots, and the quality."""

    config: dict
    weights: dict[str, np.ndarray]
    source: TranslationVocabulary
    target: TranslationVocabulary
    snapshots: list[Snapshot] = field(default_factory=list)
    held_out: dict[str, float] = field(default_factory=dict)

    def translator(self) -> Translator:
        """Return the fitted model with its vocabularies, ready to translate."""
        return translator(self.weights, self.source, self.target, **self.config)


def pad_sentences(sentences: Sequence[Sequence[int]]) -> Tensor:
    """Return sentences of ids as one tensor (B, longest), 0 after the end.

    >>> pad_sentences([[5, 2], [7]])
    tensor([[5, 2],
            [7, 0]])
    """
    return nn.utils.rnn.pad_sequence([torch.tensor(s) for s in sentences], batch_first=True)


def batch_by_length(lengths: Sequence[int], size: int, generator: np.random.Generator) -> list[np.ndarray]:
    """Return indices in batches of like length, in random order.

    >>> sorted(len(batch) for batch in batch_by_length([3, 9, 3, 9, 3], 2, np.random.default_rng(0)))
    [1, 2, 2]
    """
    jitter = np.asarray(lengths) + generator.random(len(lengths))
    order = jitter.argsort()
    parts = [order[i : i + size] for i in range(0, len(order), size)]
    return [parts[i] for i in generator.permutation(len(parts))]


def words_before(target: Tensor) -> Tensor:
    """Return the word before each of `target` (B, T), <start> before the first.

    >>> words_before(torch.tensor([[7, 5, 2]])).tolist()
    [[1, 7, 5]]
    """
    return torch.cat((torch.full_like(target[:, :1], START), target[:, :-1]), 1)


def right_words(decoded, targets: Tensor) -> Tensor:
    """Return for each sentence whether its right words, given, are the likeliest at every step, (B,); targets (B, T)."""
    return ((decoded.logits.argmax(-1) == targets) | (targets == PADDING)).all(1)


def loss_of(model: nn.Module, source: Tensor, target: Tensor) -> Tensor:
    """Return -1/n sum_t ln p(y_t | y_<t, x) over the words of `target` (B, T), <end> included, padding not."""
    logits = model(source, words_before(target)).logits
    return nn.functional.cross_entropy(logits.flatten(0, 1).float(), target.flatten(), ignore_index=PADDING)


def _rate(step: int, steps: int, peak: float) -> float:
    warm = max(1, steps // 20)
    return peak * min((step + 1) / warm, 0.5 * (1 + math.cos(math.pi * step / steps)))


@dataclass
class Fit:
    """Training under way: what must be kept to go on after an interruption is in `state`."""

    model: Seq2Seq
    sources: list[list[int]]
    targets: list[list[int]]
    epochs: int
    batch: int
    rate: float
    seed: int

    def __post_init__(self):
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=self.rate)
        self.steps = self.epochs * math.ceil(len(self.sources) / self.batch)

    def epoch(self, number: int):
        """Take one pass through the pairs; yield (step, loss) after each batch. Seeded by its number."""
        self.model.train()
        torch.manual_seed(self.seed * 1000 + number)
        generator = np.random.default_rng([self.seed, number])
        step = number * math.ceil(len(self.sources) / self.batch)
        for chosen in batch_by_length([len(s) for s in self.sources], self.batch, generator):
            for group in self.optimiser.param_groups:
                group["lr"] = _rate(step, self.steps, self.rate)
            loss = loss_of(
                self.model,
                pad_sentences([self.sources[i] for i in chosen]),
                pad_sentences([self.targets[i] for i in chosen]),
            )
            self.optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimiser.step()
            step += 1
            yield step, float(loss.detach())


def encoded_pairs(
    pairs: Sequence[Pair], source: TranslationVocabulary, target: TranslationVocabulary
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the ids of both sides; the target ends with <end>."""
    return [source.encode(p.source) for p in pairs], [[*target.encode(p.target), END] for p in pairs]


@dataclass(frozen=True)
class Outcome:
    """How one pair went: translated word for word or not; its aligned words, and those aligned wrongly.

    `words` are its target words, <end> included, and `likeliest` those that are the likeliest after the right words.
    """

    right: bool
    aligned: int
    misaligned: int
    words: int = 0
    likeliest: int = 0


def outcomes(
    model: Seq2Seq,
    pairs: Sequence[Pair],
    source: TranslationVocabulary,
    target: TranslationVocabulary,
    batch: int = 128,
) -> list[Outcome]:
    """Return the outcome of each pair: greedy translation, and alignment when the right words are forced."""
    model.eval()
    found: list[Outcome | None] = [None] * len(pairs)
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].source))
    for begin in range(0, len(order), batch):
        part = order[begin : begin + batch]
        sources, targets = (
            pad_sentences(ids) for ids in encoded_pairs([pairs[i] for i in part], source, target)
        )
        words, _ = greedy_all(model, sources, limit=targets.shape[1] + 5)
        with torch.inference_mode():
            decoded = model(sources, words_before(targets))
        likeliest = ((decoded.logits.argmax(-1) == targets) & (targets != PADDING)).sum(1).tolist()
        for row, i in enumerate(part):
            right = target.decode(words[row].tolist()) == list(pairs[i].target)
            aligned = _alignment(decoded.weights, row, pairs[i])
            found[i] = Outcome(right, *aligned, len(pairs[i].target) + 1, likeliest[row])
    return found


def _alignment(weights: Tensor | None, row: int, pair: Pair) -> tuple[int, int]:
    """Return how many words of a pair are aligned, and how many of them wrongly; none without attention."""
    if weights is None:
        return 0, 0
    own = weights[row, : len(pair.target), : len(pair.source)].numpy()
    return len({t for t, _ in pair.links}), len(misaligned(own, pair.links))


def quality(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return `exact_match`, the share translated word for word, and `alignment_error` where it can be measured.

    That is the share of aligned words whose heaviest input word is wrong; it takes attention and gold links.

    >>> quality([Outcome(True, 9, 0), Outcome(False, 1, 1)])
    {'exact_match': 0.5, 'alignment_error': 0.1}
    """
    aligned = sum(outcome.aligned for outcome in outcomes)
    found = {"exact_match": sum(outcome.right for outcome in outcomes) / len(outcomes)}
    wrong = sum(outcome.misaligned for outcome in outcomes)
    return found | ({"alignment_error": wrong / aligned} if aligned else {})


def snapshot(
    model: Seq2Seq, words: Sequence[str], source: TranslationVocabulary, target: TranslationVocabulary, *where
) -> Snapshot:
    """Return a Snapshot of one sentence's greedy translation; `where` is (share, step, loss)."""
    model.eval()
    translation = greedy(model, source.encode(words))
    weights = translation.steps.weights
    output = [target.words[i] for i in translation.words]
    return Snapshot(*where, list(words), output, None if weights is None else weights[0].numpy())


def fit_translation(
    report: Callable[[Snapshot], bool],
    pairs: Iterable[Pair],
    watched: Sequence[str],
    score: str = "additive",
    hidden: int = 128,
    embedding: int = 64,
    epochs: int = 10,
    seed: int = 1,
    bidirectional: bool = True,
) -> Fitted:
    """Fit a model to pairs and return it with snapshots of the `watched` sentence; for a worker process.

    One pair in eight is held out and measured at the end. `report(snapshot)` is called about every second;
    fitting ends early, with what has been learnt, when it returns False. At most 8,000 words a side are kept,
    the rest become <unknown>.
    """
    pairs = list(pairs)
    torch.manual_seed(seed)
    held_out = [pair for pair in pairs if is_held_out(pair.source)]
    kept = [pair for pair in pairs if not is_held_out(pair.source)] or list(pairs)
    source, target = (
        TranslationVocabulary.of((side(p) for p in kept), 8000)
        for side in (lambda p: p.source, lambda p: p.target)
    )
    config = {
        "embedding": embedding,
        "hidden": hidden,
        "score": score,
        "bidirectional": bidirectional,
        "dropout": 0.1,
    }
    model = Seq2Seq(Seq2SeqConfig(len(source), len(target), **config))
    fit = Fit(model, *encoded_pairs(kept, source, target), epochs, BATCH, 2e-3, seed)
    snapshots = list(_watch(fit, report, watched, source, target))
    measured = quality(outcomes(model, held_out[:500], source, target)) if held_out else {}
    weights = {name: array.numpy() for name, array in model.state_dict().items()}
    return Fitted(config, weights, source, target, snapshots, measured)


def _watch(fit: Fit, report, watched, source, target):
    """Yield a snapshot at the start, about every second and at the end, until done or told to stop."""
    yield (shown := snapshot(fit.model, watched, source, target, 0.0, 0, math.nan))
    losses, last = [], time.monotonic()
    if not report(shown):
        return
    for number in range(fit.epochs):
        for step, loss in fit.epoch(number):
            losses.append(loss)
            if step < fit.steps and time.monotonic() - last < 1.0:
                continue
            shown = snapshot(
                fit.model, watched, source, target, step / fit.steps, step, float(np.mean(losses))
            )
            yield shown
            if not report(shown):
                return
            losses, last = [], time.monotonic()
            fit.model.train()
