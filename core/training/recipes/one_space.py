"""Two small encoders, one of pictures and one of sentences, that end in one space: the contrastive loss made them agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from core.models.descent import Descent, adam_and_muon
from core.models.fit_language_model import FitConfig, rate
from core.models.images.contrastive_loss import contrast
from core.models.images.naming import names_right
from core.models.images.one_space import (
    OneSpace,
    SpaceConfig,
    describe_one_space,
    read_sentence,
    stored_space,
)
from core.models.images.retrieval import (
    MEASURED_PAIRS,
    TWINS,
    products_of,
    ranks,
    told_apart,
    twin_cosines,
    twins,
)
from core.models.stored import sha256_of_text
from core.pictures.described_scenes import FIRST_LEARNT, NUMBERS, OPPOSITE, SHAPES, described_scene
from core.pictures.scenes import COLOURS
from core.pictures.scenes_in_words import DrawnScene, drawn_sentence, gallery, learned_pair, twin
from core.training.language_models import fit_with_checkpoints
from core.training.recipe import Progress, Trained
from core.training.vision import measure_accuracy

DESCRIPTION = "A picture encoder and a sentence encoder that end in one space of 64 numbers, fitted to agree."
CREDITS = [
    "Radford et al. (2021), Learning Transferable Visual Models From Natural Language Supervision",
    "Yuksekgonul et al. (2023), When and Why Vision-Language Models Behave like Bags-of-Words, for the twins in a batch",
    "Scenes drawn and described by this course, core/pictures/described_scenes.py",
]
CONFIG = {
    "shape": {"across": 4, "words": 10, "layers": 2, "heads": 4, "width": 64, "space": 64},
    "open": 0.1,
    "blind": 0.1,
    "cycles": [8000, 4000],
    "minutes of one core": 38,
    "fit": {"batch": 112, "muon_rate": 0.01, "adam_rate": 0.002, "cool_down": 0.7},
}
HELD_OUT = 1000
MIRRORED = "mirrored"


def vocabulary() -> tuple[str, ...]:
    """Return every word of the sentences but the articles, the empty word first."""
    kinds = [f"{shape}{'es' if shape.endswith('s') else 's'}" for shape in SHAPES]
    places = dict.fromkeys(word for place in OPPOSITE for word in place.split())
    return ("", *NUMBERS[1:], *COLOURS, *SHAPES, *kinds, *places, "is", "are", "and")


def drawn_batch(step: int, steps: int, batch: int) -> list[DrawnScene]:
    """Return the scenes of one of `steps` steps, each followed by its twin: no step draws the seed of another.

    >>> [each.scene.caption for each in drawn_batch(step=0, steps=10, batch=2)]
    ['three green circles above two blue squares', 'three green circles left of two blue squares']
    """
    half = batch // 2
    return [each for i in range(half) for each in learned_pair(step * half + i, steps * batch)]


def learned_captions(captions: Collection[str], n: int) -> int:
    """Return how many captions are also those of scenes among the n that are learned from.

    >>> learned_captions(["three green circles above two blue squares", "a red dog"], 4)
    1
    """
    left = set(captions)
    for place in range(n // 2):
        scene = described_scene(FIRST_LEARNT + place)
        left -= {scene.caption, twin(scene, FIRST_LEARNT + place).caption}
        if not left:
            break
    return len(captions) - len(left)


def restarted(step: int, config: FitConfig, cycles: Sequence[int]) -> float:
    """Return the share of the full rate at a step: up, level and down in each cycle anew (Loshchilov and Hutter, 2017).

    >>> [round(restarted(step, FitConfig(steps=8, warm_up=1), (4, 4)), 2) for step in (0, 3, 4, 7)]
    [1.0, 0.5, 1.0, 0.5]
    """
    for steps in cycles:
        if step < steps:
            return rate(step, replace(config, steps=steps))
        step -= steps
    return 0.0


class SpaceFitting(Descent):
    """Both encoders on their way down the contrastive loss.

    Half of a batch are the other half's twins, which differ from them in the order of the words alone, or in the relation:
    of scenes drawn apart hardly two are so near that the order would be needed to tell them (Yuksekgonul et al., 2023).

    In a share of the steps, `blind`, the sentences' encoder is not told where its words stand: what it makes of a mere bag
    of words is then something that it has learnt too. All that a step draws depends on the seed and the step alone.
    """

    def __init__(self, model: OneSpace, config: FitConfig, words: tuple[str, ...], rest: dict):
        optimisers = adam_and_muon(model, config.adam_rate, config.muon_rate)
        super().__init__(model, optimisers, lambda step: restarted(step, config, rest["cycles"]))
        self.config, self.words, self.rest = config, words, rest

    @property
    def done(self) -> bool:
        """Whether all steps have been taken."""
        return self.step_count >= self.config.steps

    def batch(self, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
        """Return pictures (B, 3, S, S) and their sentences' ids, no two scenes with the same caption."""
        drawn = drawn_batch(self.step_count, self.config.steps, self.config.batch)
        scenes = list({each.scene.caption: each for each in drawn}.values())
        sentences = [drawn_sentence(each.scene, rng, self.rest["open"]) for each in scenes]
        n = self.model.config.words
        ids = torch.tensor([read_sentence(each, self.words, n).ids for each in sentences])
        return torch.from_numpy(np.stack([each.picture for each in scenes])), ids

    def loss(self) -> Tensor:
        """Return the loss of the step to come, in nats."""
        rng = np.random.default_rng((self.config.seed, self.step_count))
        positions = bool(rng.random() >= self.rest["blind"])
        pictures, ids = self.batch(rng)
        u = functional.normalize(self.model.pictures(pictures))
        v = functional.normalize(self.model.sentences(ids, positions))
        return contrast(u, v, self.model.scale).loss

    def step(self) -> float:
        """Take one step and return the loss before it."""
        return super().step(self.loss)


def train(config: dict, seed: int, checkpoint: Path, progress: Progress) -> Trained:
    """Fit both encoders to scenes that are drawn for one step each."""
    torch.manual_seed(seed)
    words = vocabulary()
    network = OneSpace(SpaceConfig(len(words), **config["shape"]))
    fit = FitConfig(sum(config["cycles"]), **config["fit"], seed=seed)
    fitting = SpaceFitting(network, fit, words, config)
    fit_with_checkpoints(fitting, checkpoint, progress)
    weights = {name: tensor.half().numpy() for name, tensor in network.state_dict().items()}
    n = fit.steps * fit.batch
    corpus = {
        "name": "described scenes of core/pictures/described_scenes.py",
        "split": "by the seeds of the scenes; combinations of UNSEEN are in no training scene",
        "training_pictures": n,
        "held_out_pictures": HELD_OUT,
        "held_out_captions_in_training": learned_captions(
            [each.scene.caption for each in gallery(HELD_OUT, 0)], n
        ),
        "sha256": sha256_of_text(learned_pair(0, n)[0].picture.tobytes().hex()),
    }
    return Trained(weights, corpus, {"shape": describe_one_space(network, words)})


def measure() -> dict:
    """Return what is found of held-out scenes, of unseen combinations, and of pairs that differ in word order alone."""
    model = stored_space.__wrapped__()
    return measure_one_space(model)


def measure_one_space(model) -> dict:
    """Return the measures of a model."""
    quality: dict[str, float] = {}
    for unseen, which in ((False, "held out"), (True, "combination never seen")):
        products = products_of(model, gallery(HELD_OUT, 0, unseen))
        for k in (1, 5):
            quality |= measure_accuracy(hits(products, k), f"picture to sentence, recall@{k}, {which}")
            quality |= measure_accuracy(hits(products.T, k), f"sentence to picture, recall@{k}, {which}")
    for name, change in TWINS.items():
        pairs = twins(gallery(HELD_OUT, 0), change)[:MEASURED_PAIRS]
        for positions, how in ((True, ""), (False, ", no positions")):
            right = told_apart(twin_cosines(model, pairs, positions))
            quality |= measure_accuracy(right.numpy(), f"told apart, {name}{how}")
    blind = products_of(model, gallery(HELD_OUT, 0), positions=False)
    quality |= measure_accuracy(hits(blind.T, 1), "sentence to picture, recall@1, held out, no positions")
    return quality | measure_accuracy(names_right(model, HELD_OUT), "named by a sentence, one shape alone")


def hits(products: Tensor, k: int) -> np.ndarray:
    """Return which rows have their own column among their k first, (B,)."""
    return (ranks(products) <= k).numpy()
