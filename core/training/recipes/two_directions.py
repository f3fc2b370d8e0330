"""Two recurrent taggers, from the left and from both ends, on the sentences of the hidden Markov tagger."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from core.models.documents.fit_reader import ReaderFitting, steps_an_epoch
from core.models.documents.recurrent_reader import ReaderConfig, RecurrentReader
from core.models.documents.recurrent_tagger import (
    AHEAD,
    BOTH,
    DIRECTIONS,
    RecurrentTagger,
    load_recurrent_tagger,
    recurrent_tagger,
)
from core.models.documents.three_taggers import HMM
from core.models.documents.word_pieces import learn_pieces
from core.models.fit_language_model import FitConfig
from core.models.hidden_markov_models.tagger import load_tagger, tag_sentences
from core.models.stored import load_card
from core.text.samples.universal_tags import UNIVERSAL_TAGS
from core.training.language_models import fit_with_checkpoints
from core.training.recipe import Progress, Trained
from core.training.recipes import tagger as hidden_markov
from core.training.recipes.tagger import confusion_matrix, split_tagged_sentences, strip_tags

DESCRIPTION = (
    "Two recurrent part-of-speech taggers: a GRU from the left, and one from each end with half the units."
)
CREDITS = hidden_markov.CREDITS
CONFIG = {
    "sees": "a word in lower case if it was said 3 times or more, its last 1 to 4 letters, its shape",
    "least": 3,
    "longest": 4,
    "width": 32,
    "units": 128,
    "epochs": 4,
    "fit": {"batch": 256, "muon_rate": 0.02, "adam_rate": 0.006, "cool_down": 0.6},
}


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Fit the two networks, one after the other, on all training sentences."""
    training, held_out = split_tagged_sentences()
    pieces = learn_pieces(strip_tags(training), config["least"], config["longest"])
    place = {tag: i for i, tag in enumerate(UNIVERSAL_TAGS)}
    examples = [
        (pieces.of([word for word, _ in sentence]), torch.tensor([place[tag] for _, tag in sentence]))
        for sentence in training
    ]
    shape = {"tags": UNIVERSAL_TAGS, **{key: config[key] for key in ("longest", "width", "units")}}
    weights, taggers = {}, {}
    for name, directions in DIRECTIONS.items():
        network = fitted(len(pieces.names), directions, examples, config, seed, checkpoint / name, progress)
        half = {key: tensor.half().numpy() for key, tensor in network.state_dict().items()}
        taggers[name] = recurrent_tagger(half, shape, directions, pieces.names)
        weights |= {f"{name}.{key}": array for key, array in half.items()}
    progress(1.0, "confusion matrices on held-out sentences")
    guesses = guesses_of(taggers, held_out)
    files = {
        "pieces": pieces.names,
        "shape": shape,
        "confusion": {name: confusion_matrix(held_out, tags).tolist() for name, tags in guesses.items()},
        "alone": count_right_alone(held_out, guesses),
    }
    return Trained(weights, load_card("tagger").corpus, files)


def fitted(
    pieces: int,
    directions: int,
    examples: list,
    config: dict,
    seed: int,
    checkpoint: Path,
    progress: Progress,
) -> RecurrentReader:
    """Return a network of one or two directions, fitted; it goes on from its checkpoint if there is one."""
    checkpoint.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    shape = ReaderConfig(pieces, len(UNIVERSAL_TAGS), False, directions, config["width"], config["units"])
    steps = config["epochs"] * steps_an_epoch([len(labels) for _, labels in examples], config["fit"]["batch"])
    fitting = ReaderFitting(RecurrentReader(shape), examples, FitConfig(steps, **config["fit"], seed=seed))
    return fit_with_checkpoints(fitting, checkpoint, progress)


def guesses_of(taggers: dict[str, RecurrentTagger], held_out: list) -> dict[str, list[list[str]]]:
    """Return the tags that each tagger gives the held-out sentences, the hidden Markov tagger's too."""
    words = strip_tags(held_out)
    found = {HMM: tag_sentences(load_tagger(), words)}
    for name, tagger in taggers.items():
        each = tagger.tag_probabilities(words)
        found[name] = [[tagger.tags[j] for j in p.argmax(axis=1)] for p in each]
    return found


def count_right_alone(held_out: list, guesses: dict[str, list[list[str]]]) -> list[list]:
    """Return [one, other, words on which one alone is right, words on which the other alone is], for each two."""
    true = np.array([tag for sentence in held_out for _, tag in sentence])
    right = {name: np.array([tag for each in tags for tag in each]) == true for name, tags in guesses.items()}
    pairs = ((BOTH, AHEAD), (BOTH, HMM), (AHEAD, HMM))
    return [
        [one, other, int((right[one] & ~right[other]).sum()), int((right[other] & ~right[one]).sum())]
        for one, other in pairs
    ]


def measure() -> dict:
    """Return the accuracy of all held-out words, of unseen ones and of "to"; those of the hidden Markov tagger too."""
    _, held_out = split_tagged_sentences()
    model = load_tagger()
    unseen = np.concatenate([model.columns(sentence) for sentence in strip_tags(held_out)]) < 0
    true = np.array([tag for sentence in held_out for _, tag in sentence])
    to = np.array([word.lower() == "to" for sentence in held_out for word, _ in sentence])
    quality = {}
    for name, tags in guesses_of(
        {each: load_recurrent_tagger(each) for each in DIRECTIONS}, held_out
    ).items():
        right = np.array([tag for sentence in tags for tag in sentence]) == true
        quality |= {name: float(right.mean()), f"{name}, unseen words": float(right[unseen].mean())}
        quality |= {f"{name}, to": float(right[to].mean())}
    return quality | {"share of unseen words": float(unseen.mean())}
