"""BERT's second task: the masked model goes on with [CLS], [SEP] and segment vectors, on pairs of sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from core.models.fit_language_model import FitConfig
from core.models.pretraining.pair_measures import (
    ASKED,
    FITTED_KINDS,
    MAJORITY,
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    TRUE,
    VECTORS,
    PairVectors,
    Quadruple,
    drawn_quadruples,
    linear_probe,
    pair_vectors,
    rarities,
    shared_word_counts,
)
from core.models.pretraining.pair_training import PairFitting, Passages
from core.models.pretraining.sentence_pairs import (
    BREAKS,
    MARKS,
    STORED,
    PairInput,
    PairNetwork,
    SentencePairs,
    pair_input,
    stored_sentence_pairs,
)
from core.models.self_attention.masked_language_model import stored_masked_model
from core.models.stored import load_card, load_json
from core.text.tokenization.tokens import words
from core.training import word_text
from core.training.language_models import fit_with_checkpoints
from core.training.pair_text import books_of_text, split_books
from core.training.recipe import Progress, Trained

DESCRIPTION = (
    "The masked model, trained on with [CLS], [SEP] and segment vectors: it fills gaps in pairs of sentences and says "
    "whether the second follows the first."
)
CREDITS = [*word_text.CREDITS, "Devlin et al. (2019), BERT, for the second task and its pairs of sentences"]
BEGINS_AS = "word_masked"
FITTED, TESTED, BROKEN = 1200, 800, 400  # held-out sentences, each with its next one and with drawn ones
CONFIG = {
    "begins as": BEGINS_AS,
    "hidden share": 0.15,
    "drawn from the same book": 0.0,
    "weight of the next sentence": 10.0,
    "fit": {
        "steps": 2400,
        "batch": 48,
        "cool_down": 0.6,
        "muon_rate": 0.02,
        "adam_rate": 0.004,
    },
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Put the marks and the segments into the masked model, and train it on pairs."""
    model = stored_masked_model(config["begins as"])
    text = split_books(books_of_text()[0], model.pairs)
    shape = {**load_json(config["begins as"], "encoder"), "vocabulary_size": len(model.pairs) + len(MARKS)}
    torch.manual_seed(seed)
    network = begun(shape, model.network.state_dict())
    fitting = PairFitting(
        network,
        text,
        FitConfig(**config["fit"], seed=seed),
        tuple(len(model.pairs) + place for place in range(len(MARKS))),
        config["hidden share"],
        config["drawn from the same book"],
        config["weight of the next sentence"],
    )
    network = fit_with_checkpoints(fitting, checkpoint, progress)
    weights = {name: tensor.half().numpy() for name, tensor in network.state_dict().items()}
    merges = [list(pair) for pair in model.pairs.merges]
    ((source, read),) = load_card(BEGINS_AS).corpus.items()
    read = {key: value for key, value in read.items() if key != "measured sha256"}  # other pieces are
    return Trained(weights, {source: read}, {"encoder": shape, "merges": merges})


def begun(shape: dict, weights: dict[str, torch.Tensor]) -> PairNetwork:
    """Return a network with the masked model's weights; the rows of the new marks, the segments and the head are fresh."""
    network = PairNetwork(shape)
    fresh = network.encoder.token_embedding.weight.detach()
    rows = weights["token_embedding.weight"]
    widened = torch.cat((rows, fresh[len(rows) :]))
    network.encoder.load_state_dict({**weights, "token_embedding.weight": widened})
    return network


@threadpool_limits.wrap(
    limits=1
)  # on a busy machine threads that wait for each other cost far more than they save
def measure() -> dict:
    """Return what the stored model is worth on the held-out tenth: next or not by kind of pair, gaps, and probes.

    The baseline and the probes are fitted to the pairs of every second held-out book; all else is measured on the
    others. The answers at a place are drawn with a seed.
    """
    model, (_, texts, bibles) = stored_sentence_pairs.__wrapped__(STORED), books_of_text()
    held_out = split_books(texts, model.pairs)
    draw = np.random.default_rng(7)
    fitted, tested = (
        drawn_quadruples(held_out, np.arange(half, len(texts), 2), most, draw)
        for half, most in ((0, FITTED), (1, TESTED))
    )
    read = {
        kind: pair_vectors(model, inputs(model, held_out, tested, kind))
        for kind in (TRUE, SAME_BOOK, OTHER_BOOK, SWAPPED)
    }
    quality = measured_kinds(model, held_out, fitted, tested, read)
    quality |= measured_breaks(model, held_out, tested[:BROKEN])
    quality |= measured_gaps(model, held_out, tested[:BROKEN])
    quality |= measured_probes(model, held_out, fitted, tested, bibles, draw, read)
    return quality | {"parameters": sum(each.numel() for each in model.network.parameters())}


def inputs(
    model: SentencePairs, held_out: Passages, quadruples: list[Quadruple], kind: str, **broken
) -> list[PairInput]:
    """Return the pairs of a kind as the network is given them."""
    places = [each.pair(kind) for each in quadruples]
    return [pair_input(held_out.ids[i], held_out.ids[j], model.cls, model.sep, **broken) for i, j in places]


def measured_kinds(
    model: SentencePairs,
    held_out: Passages,
    fitted: list[Quadruple],
    tested: list[Quadruple],
    read: dict[str, PairVectors],
) -> dict:
    """Return how many pairs of each kind are called next, by the model and by words that are counted."""
    written = [words(model.pairs.decode(each)) for each in held_out.ids]
    rarity = rarities([written[place] for each in fitted for place in each.pair(TRUE)])

    def counts(quadruples: list[Quadruple], kind: str) -> np.ndarray:
        places = [each.pair(kind) for each in quadruples]
        return np.array([shared_word_counts(written[i], written[j], rarity) for i, j in places])

    shown = [counts(fitted, kind) for kind in FITTED_KINDS]
    follows = np.repeat([kind == TRUE for kind in FITTED_KINDS], len(fitted))
    baseline = make_pipeline(StandardScaler(), LogisticRegression()).fit(np.concatenate(shown), follows)
    quality: dict[str, float] = {"pairs of each kind, held out": len(tested)}
    for kind in (TRUE, SAME_BOOK, OTHER_BOOK, SWAPPED):
        quality[f"{kind}: called next"] = float((read[kind].p > 0.5).mean())
        quality[f"{kind}: called next by shared words"] = float(baseline.predict(counts(tested, kind)).mean())
    return quality


def measured_breaks(model: SentencePairs, held_out: Passages, tested: list[Quadruple]) -> dict:
    """Return how many true pairs and how many of another book are called next when a piece of the input is out."""
    quality: dict[str, float] = {"pairs of each kind, broken": len(tested)}
    for name, broken in BREAKS.items():
        for kind in (TRUE, OTHER_BOOK):
            p = pair_vectors(model, inputs(model, held_out, tested, kind, **broken)).p
            quality[f"{name}, {kind}: called next"] = float((p > 0.5).mean())
    return quality


@torch.inference_mode()
def measured_gaps(model: SentencePairs, held_out: Passages, tested: list[Quadruple]) -> dict:
    """Return nats a hidden token of true pairs, a seventh of each hidden: before this training, and after it.

    Before, the model knew neither marks nor segments, and reads the sentences one after the other; the hidden tokens
    are the same.
    """
    before = stored_masked_model(BEGINS_AS)
    generator = torch.Generator().manual_seed(7)
    nats, n = np.zeros(2), 0
    for pair in inputs(model, held_out, tested, TRUE):
        ids, segments = torch.tensor(pair.ids), torch.tensor(pair.segments)
        words_only = ids < model.mask
        places = words_only & (torch.rand(len(ids), generator=generator) < 0.15)
        h = model.network(ids.masked_fill(places, model.mask)[None], segments[None])[0]
        after = model.network.token_logits(h[places])[:, : model.mask + 1]
        plain = ids[words_only].masked_fill(places[words_only], model.mask)
        logits = before.network(plain[None])[0][0, places[words_only]]
        for row, found in enumerate((logits, after)):
            ln_p = found.double().log_softmax(-1)
            nats[row] -= ln_p.gather(1, ids[places][:, None]).sum().item()
        n += int(places.sum())
    names = ("nats per hidden token, before", "nats per hidden token, after")
    return {"hidden tokens": n, **dict(zip(names, (nats / n).tolist(), strict=True))}


def measured_probes(
    model: SentencePairs,
    held_out: Passages,
    fitted: list[Quadruple],
    tested: list[Quadruple],
    bibles: int,
    draw: np.random.Generator,
    read: dict[str, PairVectors],
) -> dict:
    """Return how often linear probes of several vectors of the pairs are right about what the pairs are like."""

    def found_and_asked(quadruples: list[Quadruple]) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        chosen = [FITTED_KINDS[i % len(FITTED_KINDS)] for i in range(len(quadruples))]
        places = np.array([each.pair(kind) for each, kind in zip(quadruples, chosen, strict=True)])
        if quadruples is tested:  # all of these were read already
            rows = [(read[kind], i) for i, kind in enumerate(chosen)]
            found = PairVectors(
                *(
                    np.stack([getattr(each, name)[i] for each, i in rows])
                    for name in ("first", "c", "mean", "p")
                )
            )
        else:
            pairs = [inputs(model, held_out, [q], k)[0] for q, k in zip(quadruples, chosen, strict=True)]
            found = pair_vectors(model, pairs)
        a, b = places.T
        asked = (
            np.array([kind == TRUE for kind in chosen]),
            held_out.books[a] == held_out.books[b],
            held_out.books[a] < bibles,
            held_out.lengths[b] > held_out.lengths[a],
            np.array([model.pairs.decode(held_out.ids[j]).rstrip().endswith("?") for j in b]),
        )
        random = draw.normal(size=found.c.shape)
        return dict(zip(ASKED, asked, strict=True)), dict(
            zip(VECTORS, (found.c, found.first, found.mean, random), strict=True)
        )

    (asked, vectors), (answers, unseen) = found_and_asked(fitted), found_and_asked(tested)
    quality: dict[str, float] = {"probed pairs": len(tested)}
    for name, labels in asked.items():
        commonest = bool(labels.mean() > 0.5)
        quality[f"{name}: {MAJORITY}"] = float((answers[name] == commonest).mean())
        for vector in VECTORS:
            right = linear_probe(vectors[vector], labels, unseen[vector], answers[name])
            quality[f"{name}: {vector}"] = float(right.mean())
    return quality
