"""`python -m core.training.translation_runs`: record how a small translator of dates learns where to attend.

The lesson replays the run at once and trains a new translator on the learner's pairs when asked to.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from core.models.translation.broken_attention import with_uniform_attention
from core.models.translation.fit_translation import (
    BATCH,
    Fit,
    encoded_pairs,
    loss_of,
    outcomes,
    pad_sentences,
    quality,
    words_before,
)
from core.models.translation.recorded_translator import RUN, pushes
from core.models.translation.seq2seq import Seq2Seq, Seq2SeqConfig, count_trained_numbers
from core.models.translation.translate import greedy
from core.text.grammar.pairs import Pair, TranslationVocabulary, is_held_out
from core.text.samples.course_pairs import CoursePairs
from core.text.samples.dates import links_of

WATCHED = "8 may 1945", "1945-05-08"
PAIRS, MEASURED = 6000, 500
SCORE, HIDDEN, EPOCHS, RATE, SEED = "additive", 64, 8, 2e-3, 1
OTHER_SEEDS = (2, 3)
SPLIT_AT, BOOTSTRAP = 100, 2000  # the step at which aligned characters are compared with the others
EXAMPLES, LONGEST_SHOWN = 5, 13  # shuffled pairs that are shown, and their characters at most
MOMENTS = (
    0,
    20,
    40,
    60,
    80,
    100,
    120,
    140,
    160,
    180,
    200,
    220,
    240,
    260,
    280,
    300,
    340,
    380,
    420,
    500,
    600,
    664,
)


def round_table(table: np.ndarray, digits: int) -> list:
    """Return a table as it is written: float32 would show more digits than it has.

    >>> round_table(np.float32([0.1, -0.00001]), 3)
    [0.1, 0.0]
    """
    return (table.astype(float).round(digits) + 0.0).tolist()


class TranslationRun:
    """One training, with what it is measured on."""

    def __init__(self, pairs: Sequence[Pair], seed: int):
        torch.manual_seed(seed)
        kept = [pair for pair in pairs if not is_held_out(pair.source)]
        self.held_out = [pair for pair in pairs if is_held_out(pair.source)][:MEASURED]
        self.source, self.target = (
            TranslationVocabulary.of((side(p) for p in kept), 8000)
            for side in (lambda p: p.source, lambda p: p.target)
        )
        shape = Seq2SeqConfig(len(self.source), len(self.target), HIDDEN // 2, HIDDEN, SCORE, dropout=0.1)
        self.model = Seq2Seq(shape)
        self.fit = Fit(self.model, *encoded_pairs(kept, self.source, self.target), EPOCHS, BATCH, RATE, seed)

    def moments(self) -> Iterator[int]:
        """Train; yield each step of MOMENTS once it is reached, the model ready to be measured."""
        self.model.eval()
        yield 0
        for number in range(EPOCHS):
            for step, _ in self.fit.epoch(number):
                if step in MOMENTS:
                    self.model.eval()
                    yield step
                    self.model.train()

    def measure(self) -> tuple[float, float, float]:
        """Return which share of the held-out dates is right, and of their linked characters is aligned right, and right."""
        found = outcomes(self.model, self.held_out, self.source, self.target)
        characters = self.characters().sum(0)
        shares = quality(found)["exact_match"], characters[1] / characters[0], characters[2] / characters[0]
        return tuple(round(float(share), 4) for share in shares)

    def characters(self) -> np.ndarray:
        """Return for each held-out date how many characters are linked, aligned right, right, and both, (N, 4).

        A character is right if it is the most probable one after the right beginning.
        """
        sources, targets = (
            pad_sentences(ids) for ids in encoded_pairs(self.held_out, self.source, self.target)
        )
        with torch.inference_mode():
            made = self.model(sources, words_before(targets))
        best, heaviest = (made.logits.argmax(-1) == targets).numpy(), made.weights.argmax(-1).tolist()
        counts = np.zeros((len(self.held_out), 4), int)
        for i, pair in enumerate(self.held_out):
            for t in {t for t, _ in pair.links}:
                aligned, right = (t, heaviest[i][t]) in pair.links, best[i, t]
                counts[i] += (1, aligned, right, aligned and right)
        return counts

    def watch(self) -> dict:
        """Return what the model does with the watched date: see RecordedMoment."""
        pair = Pair(*map(tuple, WATCHED), links_of(*WATCHED))
        sources, targets = (pad_sentences(ids) for ids in encoded_pairs([pair], self.source, self.target))
        encoded = self.model.encode(sources)
        free = self.model.decode(words_before(targets), self.model.first_state(encoded), encoded)
        weights = free.weights.detach().requires_grad_()
        steps = self.model.decode(words_before(targets), self.model.first_state(encoded), encoded, weights)
        logs = steps.logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1))[0, :, 0]
        gain = torch.autograd.grad(logs.sum(), weights)[0][0].numpy()
        written = greedy(self.model, self.source.encode(pair.source)).words
        own = weights.detach()[0].numpy()
        return {
            "written": "".join(self.target.decode(written)),
            "weights": round_table(own, 4),
            "p": round_table(logs.exp().detach().numpy(), 4),
            "push": round_table(pushes(own, gain), 4),
        }

    def loss(self) -> float:
        """Return the mean loss on the held-out dates, in nats per output character."""
        with torch.inference_mode():
            sides = (pad_sentences(ids) for ids in encoded_pairs(self.held_out, self.source, self.target))
            return round(float(loss_of(self.model, *sides)), 4)

    def record(self) -> list[dict]:
        """Train, and return every moment as it is written."""
        return [
            {"step": step, "loss": self.loss()}
            | dict(zip(("right", "aligned", "characters"), self.measure(), strict=True))
            | ({"split": self.split()} if step == SPLIT_AT else {})
            | self.watch()
            for step in self.moments()
        ]

    def split(self) -> dict:
        """Return which share of the aligned characters is right, and of the others, with the difference's interval."""
        counts, chance = self.characters(), np.random.default_rng(SEED)
        drawn = [counts[chance.integers(len(counts), size=len(counts))] for _ in range(BOOTSTRAP)]
        gaps = [one - other for one, other in map(right_by_alignment, drawn)]
        found = dict(zip(("aligned", "others"), right_by_alignment(counts), strict=True))
        return found | {"interval": [round(float(each), 4) for each in np.quantile(gaps, (0.025, 0.975))]}

    def course(self) -> list[tuple[int, float, float, float]]:
        """Train, and return (step, right, aligned, characters) of every moment."""
        return [(step, *self.measure()) for step in self.moments()]


def right_by_alignment(counts: np.ndarray) -> tuple[float, float]:
    """Return which share is right of the aligned characters, and of the others. `counts` is as Run.characters has it.

    >>> right_by_alignment(np.array([[10, 5, 6, 4]]))
    (0.8, 0.4)
    """
    linked, aligned, right, both = counts.sum(0)
    return round(float(both / aligned), 4), round(float((right - both) / (linked - aligned)), 4)


def shuffled_outputs(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the training pairs with each other's outputs, in random order; held-out pairs stay as they are."""
    kept = [pair for pair in pairs if not is_held_out(pair.source)]
    outputs = [pair.target for pair in kept]
    random.Random(SEED).shuffle(outputs)
    mixed = [Pair(pair.source, output) for pair, output in zip(kept, outputs, strict=True)]
    return mixed + [pair for pair in pairs if is_held_out(pair.source)]


def estimate_chance_hits(pairs: Sequence[Pair]) -> float:
    """Return which share of linked output characters a random input would hit."""
    shares = [
        sum(at == t for at, _ in pair.links) / len(pair.source)
        for pair in pairs
        for t in {at for at, _ in pair.links}
    ]
    return round(sum(shares) / len(shares), 4)


def main() -> None:
    """Train on true and on shuffled pairs, and with other seeds; write it."""
    torch.set_num_threads(1)
    pairs = list(CoursePairs("dates", PAIRS, longest=25, seed=SEED))
    run = TranslationRun(pairs, SEED)
    moments = run.record()
    uniform = outcomes(with_uniform_attention(run.model), run.held_out, run.source, run.target)
    mixed = shuffled_outputs(pairs)
    examples = [
        ["".join(each) for each in (true.source, given.target, true.target)]
        for true, given in zip((p for p in pairs if not is_held_out(p.source)), mixed, strict=False)
        if len(true.source) <= LONGEST_SHOWN
    ]
    found = {
        "source": WATCHED[0],
        "target": WATCHED[1],
        "pairs": len(run.fit.sources),
        "held_out": len(run.held_out),
        "parameters": count_trained_numbers(run.model),
        "moments": moments,
        "shuffled": TranslationRun(mixed, SEED).course(),
        "mixed": examples[:EXAMPLES],
        "uniform": round(quality(uniform)["exact_match"], 4),
        "chance": estimate_chance_hits(run.held_out),
        "seeds": {seed: TranslationRun(pairs, seed).course() for seed in OTHER_SEEDS},
    }
    text = json.dumps(found, ensure_ascii=False)
    RUN.write_text(text.replace('{"step"', '\n{"step"') + "\n", encoding="utf-8")
    for each in moments:
        print({key: each[key] for key in ("step", "loss", "right", "aligned", "characters", "written")})
    print({key: value for key, value in found.items() if key != "moments"})


if __name__ == "__main__":
    main()
