"""The perplexity lesson: curves, bits and shares are those of sentences that were never counted."""

import re

import numpy as np
import pytest

from core.models.n_grams.held_out import held_out
from core.models.n_grams.ngram import add_alpha, kneser_ney
from core.models.n_grams.ngram_text import END, UNKNOWN, count_text, tokenized
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import figure, figures, guess, metrics, open_lesson, said, table_with
from tests.lessons.n_grams.three_texts import SAM, THREE, numbers

SEVEN = " ".join(f"Word{i % 7} word{i % 5} and word{i % 3}." for i in range(60))


def test_without_smoothing_the_perplexity_is_infinite_and_said_so():
    app = open_lesson("ngram_perplexity", SAM, raw="true", min_count="1")
    assert "Finite here: for no n" in said(app)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_one_new_run_makes_the_unsmoothed_perplexity_infinite(text):
    whole, broken = (open_lesson("ngram_perplexity", text, raw=raw) for raw in (False, True))
    assert metrics(broken)["Perplexity at n = 3, broken"] == "∞"
    assert float(metrics(broken)["Perplexity at n = 3, whole"].replace(",", "")) < 1e4
    assert len(figure(broken)["data"]) == len(figure(whole)["data"]) + 1
    assert "∞" in figure(broken)["data"][-1]["text"]


def test_the_smoothing_taken_away_is_the_first_chosen_one_and_named():
    app = open_lesson("ngram_perplexity", SEVEN, raw="true", models="Katz back-off")
    table = table_with(app, "bits a token").set_index(["model", "n"])["perplexity"]
    assert "Whole is with Katz back-off." in said(app)
    assert metrics(app)["Perplexity at n = 3, whole"] == f"{table['Katz back-off', 3]:,.1f}"


def test_how_many_sentences_are_held_out_is_counted():
    assert "Held out: 1 of 3 different sentences." in said(open_lesson("ngram_perplexity", SAM))


def test_the_uniform_model_s_perplexity_is_the_size_of_the_vocabulary():
    found = re.search(
        r"all ([\d,]+) types .* is ([\d,.]+), the size", said(open_lesson("ngram_perplexity", SEVEN))
    )
    assert float(found[1]) == float(found[2])


def test_the_perplexity_curve_is_that_of_the_held_out_sentences():
    counted = count_text(SEVEN, order=5, min_count=2, hold_out=10)
    expected = [
        held_out(kneser_ney(counted.counts, n, 0.75), counted.held_out).perplexity for n in range(1, 6)
    ]
    lines = {
        trace["name"]: numbers(trace["y"]) for trace in figure(open_lesson("ngram_perplexity", SEVEN))["data"]
    }
    np.testing.assert_allclose(lines["Kneser-Ney"], expected)


@pytest.mark.parametrize("text", ["only one sentence here", "The same. The same. The same."])
def test_one_sentence_cannot_be_held_out_and_the_page_says_so(text):
    app = open_lesson("ngram_perplexity", text)
    assert "at least two different sentences" in said(app)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}


def split_at(tokens, end):
    """Return sentences of ids, each up to and without its end."""
    found, sentence = [], []
    for token in tokens:
        if token == end:
            found.append(tuple(sentence))
            sentence = []
        else:
            sentence.append(token)
    return found


@pytest.mark.parametrize("name", ["micro-world", "hamlet"])
def test_no_held_out_sentence_was_counted(name):
    text = sample(name).read().text
    counted = count_text(text, order=2, hold_out=10)
    end = counted.vocabulary[END]
    training, held = (split_at(ids.tolist(), end) for ids in (counted.training, counted.held_out))
    assert len(training) + len(held) == len(tokenized(text, "words"))
    unknown = counted.vocabulary[UNKNOWN]
    known = {sentence for sentence in held if unknown not in sentence}
    assert known
    assert not known & set(training)
    different = {tuple(sentence) for sentence in tokenized(text, "words")}
    assert len(set(training)) == len(different) - len(different) // 10
    assert (counted.repeated > 0.9) == (name == "micro-world")


def test_the_share_of_repeated_sentences_is_shown():
    app = open_lesson("ngram_perplexity")
    assert "4.3% of the text's sentences stand in it more than once" in said(app)


def test_no_bits_a_character_where_a_token_is_unknown():
    app = open_lesson("ngram_perplexity", sample("the-lighthouse").read().text)
    assert "bits a character" not in table_with(app, "bits a token")
    assert re.search(r"No bits a character: [\d.]+% of the measured tokens are `<unk>`", said(app))


def test_bits_a_character_are_the_bits_of_all_tokens_over_all_characters():
    app = open_lesson("ngram_perplexity", SEVEN)
    counted = count_text(SEVEN, order=5, min_count=2, hold_out=10)
    written = counted.text(counted.held_out)  # words with one space between, each sentence on its line
    table = table_with(app, "bits a character")
    found = table[(table["model"] == "Kneser-Ney") & (table["n"] == 3)].iloc[0]
    spelt = len(written)
    assert f"spell {spelt:,} characters" in said(app)
    assert found["bits a character"] == pytest.approx(found["bits a token"] * len(counted.held_out) / spelt)


def test_among_characters_a_token_is_a_character():
    table = table_with(open_lesson("ngram_perplexity", unit="characters"), "bits a token")
    if "bits a character" in table:
        np.testing.assert_allclose(table["bits a character"], table["bits a token"])


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_what_is_said_of_sparsity_and_alpha_is_measured(text):
    app = open_lesson("ngram_perplexity", text)
    counted = count_text(text or sample("hamlet").read().text, order=5, min_count=2, hold_out=10)
    shares = numbers(figures(app)[1]["data"][0]["y"])
    assert shares.tolist() == sorted(shares)
    assert f"of runs of 5 {shares[-1]:.1%}" in said(app)
    laplace = held_out(add_alpha(counted.counts, 2, 1.0), counted.held_out).perplexity
    best = re.search(r"n = 2: α = [\d.e-]+, ([\d,.]+) against ([\d,.]+)[;.]", said(app))
    assert best[2].rstrip(".") == f"{laplace:,.1f}"
    assert float(best[1].replace(",", "")) <= round(laplace, 1)


def test_the_best_n_is_hidden_until_the_guess():
    app = open_lesson("ngram_perplexity", predict="true", raw="true")
    assert not figures(app)
    assert not metrics(app)
    guess(app, "5")
    assert "Best: Kneser-Ney, n = 2, with the lowest perplexity" in said(app)
