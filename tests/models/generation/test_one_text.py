"""Every model on one text: each score is that of the model's own probabilities, the same characters for all."""

from collections import Counter, defaultdict
from math import log2

import numpy as np
import pytest
import torch

from core.models.fit_language_model import FitConfig, Fitting
from core.models.generation import fit_characters as fit_characters_module
from core.models.generation.character_split import MEASURED, parts, start_of, vocabulary_of
from core.models.generation.fit_characters import SHAPES, fit_characters
from core.models.generation.one_text import (
    NETWORKS,
    READ_AT_MOST,
    SEED,
    STEPS,
    BoardScore,
    board_text,
    count_each,
    fit_network,
    fit_networks,
    recorded_boards,
    settings,
)
from core.models.parameter_counts import parameter_count
from core.models.stored import sha256_of_text
from core.models.stored_language_models import build
from core.models.training_error import TrainingError
from core.text.samples.shelf import sample

TEXT = (
    "the cat sat on the mat and the dog sat on the log\n" * 12 + "quite another end, with a jay: vex him.\n"
)
RECORDED = ("micro-world", "the-lighthouse", "hamlet")


def read(name):
    return sample(name).read().text[:READ_AT_MOST]


class ByHand:
    """Modified Kneser-Ney by its definition alone, over plain dictionaries; None stands before the text."""

    def __init__(self, training, types, n):
        self.V, self.n, padded = len(types), n, [None] * (n - 1) + list(training)
        runs = [tuple(padded[i - n + 1 : i + 1]) for i in range(n - 1, len(padded))]
        self.levels = []
        for k in range(1, n + 1):
            counts = Counter(run[n - k :] for run in runs)
            if k < n:  # how many different characters came before
                longer = {run[n - k - 1 :] for run in runs}
                counts = Counter(run[1:] for run in longer)
            self.levels.append((counts, self.discounts(counts.values())))

    @staticmethod
    def discounts(counts):
        n = [sum(c == i for c in counts) for i in (1, 2, 3, 4)]
        if 0 in n:
            return {1: 0.75, 2: 0.75, 3: 0.75}
        Y = n[0] / (n[0] + 2 * n[1])
        found = {i: i - (i + 1) * Y * n[i] / n[i - 1] for i in (1, 2, 3)}
        return {i: d if 0 < d <= i else 0.75 for i, d in found.items()}

    def p(self, context, token):
        p = 1 / self.V
        for k, (counts, discounts) in enumerate(self.levels, 1):
            h = tuple(context[len(context) - k + 1 :])
            after = self.after(k)[h]
            total = sum(counts[(*h, w)] for w in after)
            if not total:
                continue
            removed = sum(discounts[min(counts[(*h, w)], 3)] for w in after)
            c = counts.get((*h, token), 0)
            p = (c - (discounts[min(c, 3)] if c else 0)) / total + removed / total * p
        return p

    def after(self, k):
        if not hasattr(self, "kept"):
            self.kept = {}
        if k not in self.kept:
            self.kept[k] = defaultdict(list)
            for run in self.levels[k - 1][0]:
                self.kept[k][run[:-1]].append(run[-1])
        return self.kept[k]


@pytest.mark.parametrize(
    "text", [TEXT, sample("the-lighthouse").read().text, sample("many-scripts").read().text]
)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_an_n_gram_s_bits_are_those_of_modified_kneser_ney_counted_by_hand(text, n):
    vocabulary = vocabulary_of(text)
    training, held_out = (part.tolist() for part in parts(vocabulary.encode(text)))
    model, (score,) = ByHand(training, vocabulary.types, n), count_each(text, [n])
    start = [None] * (n - 2) + [start_of(vocabulary.types)] if n > 1 else []
    for part, measured in ((held_out, score.held_out_bits), (training, score.training_bits)):
        padded = start + part[:MEASURED]
        surprise = [
            -log2(model.p(padded[i - n + 1 : i] if n > 1 else [], padded[i]))
            for i in range(len(start), len(padded))
        ]
        assert measured == pytest.approx(np.mean(surprise), abs=1e-9)


def test_an_n_gram_keeps_the_runs_of_up_to_n_characters_that_it_counted():
    text = "ab" * 150
    assert [score.size for score in count_each(text, [1])] == [2]
    assert count_each(text, [2])[0].size > 2


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_s_bits_are_those_of_its_own_probabilities(name):
    config = settings(name, 30, 1)
    score, fit = (
        fit_network(lambda _: True, name, TEXT, config, ()),
        fit_characters(lambda _: True, TEXT, config),
    )
    model, ids = fit.model(), np.array(fit.encode(TEXT))
    training, held_out = parts(ids)
    for part, measured in ((training, score.training_bits), (held_out, score.held_out_bits)):
        read = part[:MEASURED].tolist()
        one_by_one = [model.log_probabilities(read[:i])[token] for i, token in enumerate(read[:40])]
        every = model.token_log_probabilities(read)
        np.testing.assert_allclose(every[:40], one_by_one, atol=1e-4)
        assert measured == pytest.approx(
            -every.mean() / np.log(2), abs=3e-3
        )  # the weights are kept in 16 bits
    assert score.size == fit.parameters == parameter_count(config.network, fit.shape)
    assert score.characters == 30 * 1024


def test_all_networks_read_the_same_windows_in_the_same_order():
    ids, seen = torch.arange(500) % 7, {}
    for name in NETWORKS:
        config = settings(name, 3, 5)
        shape = {"vocabulary_size": 7, **SHAPES[config.network], **config.shape}
        fit = FitConfig(config.steps, config.batch, config.window, seed=config.seed)
        fitting = Fitting(build(config.network, shape), ids, fit)
        seen[name] = []
        for _ in range(3):
            seen[name].append(fitting.batch()[0].tolist())
            fitting.step()
    assert all(windows == seen["GPT"] for windows in seen.values())


def test_the_three_recurrent_networks_have_the_cells_of_their_names():
    sizes = {
        name: fit_network(lambda _: True, name, TEXT, settings(name, 1, 1), ()).size
        for name in ("RNN", "GRU", "LSTM")
    }
    V, H = len(vocabulary_of(TEXT)), SHAPES["recurrent"]["width"]
    for name, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
        assert sizes[name] == V * H + V + gates * (2 * H * H + 2 * H)


def test_it_reports_who_is_on_its_way_and_stopping_keeps_the_networks_that_are_done(monkeypatch):
    monkeypatch.setattr(fit_characters_module, "SECONDS", 0.0)
    seen = []

    def stop_in_the_second(now):
        seen.append(now)
        return now.network == "feed-forward" or now.step < 2

    scores = fit_networks(stop_in_the_second, TEXT, steps=4, seed=1)
    assert [score.name for score in scores] == ["feed-forward"]
    assert [(now.network, now.step) for now in seen][-1] == ("RNN", 2)
    assert seen[-1].done == scores
    assert {now.steps for now in seen} == {4}


def test_stopping_before_any_network_is_done_leaves_nothing():
    assert fit_networks(lambda _: False, TEXT, steps=4, seed=1) is None


def test_all_networks_finish_when_nobody_stops_them_and_the_same_seed_gives_the_same_scores():
    one, other = (fit_networks(lambda _: True, TEXT, steps=2, seed=3) for _ in range(2))
    assert [score.name for score in one] == list(NETWORKS)
    assert [(s.held_out_loss, s.training_loss) for s in one] == [
        (s.held_out_loss, s.training_loss) for s in other
    ]
    assert all(score.seconds > 0 for score in one)


def test_a_character_that_training_never_showed_is_possible_to_every_model():
    text = "ab" * 300 + "abz" * 20
    assert board_text(text).new == ("z",)
    for score in (*count_each(text), *fit_networks(lambda _: True, text, steps=2)):
        assert 0 < score.held_out_loss < 12


def test_characters_too_rare_to_be_told_apart_are_counted():
    text = "".join(chr(0x4E00 + i % 300) for i in range(900)) + "x" * 3000
    told = board_text(text)
    assert told.kinds == 201  # 200 and the unknown one
    assert told.unknown == pytest.approx(3 * 101 / 3900, abs=1e-3)


def test_the_parts_are_nine_tenths_and_a_tenth_of_which_4_000_characters_are_measured():
    told = board_text("abc" * 20_000)
    assert (told.training, told.held_out, told.measured, told.kinds, told.new) == (
        54_000,
        6_000,
        4_000,
        3,
        (),
    )


@pytest.mark.parametrize("text", ["", "too short", "x" * 5000])
def test_a_text_with_too_little_in_it_is_refused_in_a_sentence(text):
    for asked in (board_text, count_each, lambda text: fit_networks(lambda _: True, text)):
        with pytest.raises(TrainingError, match="too little"):
            asked(text)


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_run_is_of_the_sample_s_text_with_the_lesson_s_settings(name):
    run = recorded_boards()[sha256_of_text(read(name))]
    assert (run.text, run.steps, run.seed) == (sample(name).title, STEPS, SEED)
    assert [score.name for score in run.networks] == list(NETWORKS)
    V = len(vocabulary_of(read(name)))
    for score in run.networks:
        config = settings(score.name, STEPS, SEED)
        shape = {"vocabulary_size": V, **SHAPES[config.network], **config.shape}
        assert score.size == parameter_count(config.network, shape)
        assert score.characters == STEPS * 1024
        assert 0 < score.held_out_loss < np.log(V) + 8


def test_a_recorded_network_is_what_its_recipe_makes():
    """On the text that no network overfits: elsewhere the last digits of a processor grow with the loss."""
    text = read("micro-world")
    recorded = recorded_boards()[sha256_of_text(text)].networks[0]
    again = fit_network(lambda _: True, recorded.name, text, settings(recorded.name, STEPS, SEED), ())
    assert isinstance(again, BoardScore)
    assert again.held_out_loss == pytest.approx(recorded.held_out_loss, rel=0.03)
    assert again.training_loss == pytest.approx(recorded.training_loss, rel=0.1)
