"""What the recipes of translating transformers share: training one on the recurrent translator's pairs, and measuring both.

Exact match is that of greedy search. Where every likeliest word after the right words before it is the right word,
greedy search writes the right translation, and only there: one pass of the decoder tells. Both models read the same
held-out pairs, and sentences that are longer than any they were trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import filterfalse, islice
from pathlib import Path

import numpy as np
import torch

from core.models.documents.sign_test import sign_test
from core.models.fit_language_model import FitConfig
from core.models.transformers.encoder_decoder import EncoderDecoder, EncoderDecoderConfig
from core.models.transformers.fit_encoder_decoder import TranslationFitting
from core.models.transformers.transformer_translation import judge_pairs, stored_transformer
from core.models.translation.fit_translation import encoded_pairs
from core.models.translation.translate import stored_translator
from core.text.grammar.english_french import english_french
from core.text.grammar.pairs import Pair, TranslationVocabulary
from core.training.language_models import fit_with_checkpoints
from core.training.recipe import Progress, Trained
from core.training.translation import DUTCH, FRENCH, LONGER, harder_tests, measures_of

FIT = {"batch": 64, "cool_down": 0.6, "muon_rate": 0.02, "adam_rate": 0.004, "bfloat16": True}
CONFIG = {
    "pairs": 120_000,
    "shape": {
        "encoder_layers": 2,
        "decoder_layers": 2,
        "heads": 8,
        "width": 128,
        "farthest": 16,
        "cross_farthest": 16,
    },
    "fits": [
        {**FIT, "steps": 7500},
        {**FIT, "steps": 3000, "cool_down": 1.0, "muon_rate": 0.01, "adam_rate": 0.002},
    ],
}
CREDITS = [
    "Vaswani et al. (2017), Attention Is All You Need",
    "Xiong et al. (2020), On Layer Normalization in the Transformer Architecture, for the norm before each part",
    "Shaw, Uszkoreit and Vaswani (2018), Self-Attention with Relative Position Representations, for the cut-off",
    "Raffel et al. (2020), Exploring the Limits of Transfer Learning, for the number a head adds for a distance",
    "Press, Smith and Lewis (2022), Train Short, Test Long, for the fall with distance that a head begins with",
    "Loshchilov and Hutter (2017), SGDR: Stochastic Gradient Descent with Warm Restarts, for the second fit",
    "The sentences come from this project's own generator.",
]

CHOSEN_BY = (
    " Its shape and rates were chosen while its measures on the held-out and longer pairs were looked at; those named "
    "later_ are of pairs that were drawn when they stood."
)

HELD_OUT = 1000
LONGER_PAIRS = 275
LENGTHS = ((3, 7), (8, 12), (13, 17), (18, 21), (22, 25), (26, 28), (29, 32), (33, 36))


def train(
    config: dict, seed: int, checkpoint: Path, progress: Progress, generated: Iterator[Pair], corpus: str
) -> Trained:
    """Train on the first `config["pairs"]` of `generated`: those of the recurrent translator of the same seed.

    The rates fall to nought once for each of `config["fits"]`: a warm restart (Loshchilov and Hutter 2017, SGDR).
    """
    torch.set_num_threads(1)
    pairs = list(islice(generated, config["pairs"]))
    source = TranslationVocabulary.of(p.source for p in pairs)
    target = TranslationVocabulary.of(p.target for p in pairs)
    torch.manual_seed(seed)
    model = EncoderDecoder(EncoderDecoderConfig(len(source), len(target), **config["shape"]))
    sides = encoded_pairs(pairs, source, target)
    for number, settings in enumerate(config["fits"]):
        fitting = TranslationFitting(model, *sides, FitConfig(**settings, seed=seed + number))
        (own := checkpoint / f"fit_{number + 1}").mkdir(exist_ok=True)
        fit_with_checkpoints(fitting, own, progress)
    return Trained(
        weights={name: tensor.half().numpy() for name, tensor in model.state_dict().items()},
        corpus={corpus: measures_of(pairs)},
        files={"vocabulary": {"source": source.words, "target": target.words}},
    )


def measure(name: str, recurrent: str, language: Callable[..., Iterator[Pair]]) -> dict[str, float]:
    """Return the quality of a stored transformer and, of the same pairs, that of a recurrent translator.

    `exact_match`, `recurrent_exact_match` and `alignment_error` by head are of the held-out pairs that the recurrent
    translators' cards tell of; those named `..._LENGTHS_words` are of all pairs, the longer ones too. By these the recipe
    was chosen: those named `later_...` are of as many pairs that are none of them. `joined_right` is of the pairs whose
    structure training lacks, see `harder_tests`; nothing was chosen by them. `joined_only` are those that only the one
    gets right.
    """
    torch.set_num_threads(1)
    held_out = list(islice(language(seed=2, held_out=True), HELD_OUT))
    longer = list(islice(language(seed=2, lengths=LONGER), LONGER_PAIRS))
    later = others(language(seed=7, held_out=True), held_out)
    later_longer = others(language(seed=7, lengths=LONGER), longer)
    joined = harder_tests(FRENCH if language is english_french else DUTCH)["joined"]
    pairs, found = held_out + longer, {"held_out_pairs": HELD_OUT, "longer_pairs": LONGER_PAIRS}
    found["joined_pairs"] = len(joined)
    right, joined_right = {}, {}
    for prefix, translator in (("", stored_transformer(name)), ("recurrent_", stored_translator(recurrent))):
        sides = translator.source, translator.target
        done = judge_pairs(translator.model, held_out, *sides)
        right[prefix] = done.right + judge_pairs(translator.model, longer, *sides).right
        found[f"{prefix}exact_match"] = sum(done.right) / HELD_OUT
        found[f"later_{prefix}right"] = sum(judge_pairs(translator.model, later, *sides).right)
        found[f"later_{prefix}longer_right"] = sum(judge_pairs(translator.model, later_longer, *sides).right)
        joined_right[prefix] = np.array(judge_pairs(translator.model, joined, *sides).right)
        for (layer, head), wrong in np.ndenumerate(done.misaligned):
            where = "" if prefix else f"_layer_{layer + 1}_head_{head + 1}"
            found[f"{prefix}alignment_error{where}"] = float(wrong / done.aligned)
    apart = sign_test(joined_right[""], joined_right["recurrent_"])
    found |= {"joined_only": apart.one, "joined_recurrent_only": apart.other}
    found |= {f"joined_{prefix}right": int(each.sum()) for prefix, each in joined_right.items()}
    for shortest, longest in LENGTHS:
        chosen = [i for i, pair in enumerate(pairs) if shortest <= len(pair.source) <= longest]
        where = f"{shortest}_to_{longest}_words"
        found[f"pairs_{where}"] = len(chosen)
        for prefix, each in right.items():
            found[f"{prefix}right_{where}"] = sum(each[i] for i in chosen)
    return {metric: round(value, 5) for metric, value in found.items()}


def others(generated: Iterator[Pair], taken: list[Pair]) -> list[Pair]:
    """Return as many of the generated pairs as are taken, none of which says what one of these says."""
    known = {pair.source for pair in taken}
    return list(islice(filterfalse(lambda pair: pair.source in known, generated), len(taken)))
