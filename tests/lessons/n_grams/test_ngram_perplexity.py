"""Perplexity: the story's numbers from a second Kneser-Ney, written with a Counter, and the lab on any text."""

import json
import re
from collections import Counter
from itertools import pairwise
from math import log2

import numpy as np
import pytest

from core.models.n_grams.held_out import compare_bits, evaluate_ngrams, token_bits
from core.models.n_grams.ngram import add_alpha, kneser_ney
from core.models.n_grams.ngram_text import END, UNKNOWN, count_text, hold_out_every, tokenized
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
)
from tests.lessons.n_grams.three_texts import SAM, THREE, numbers

SEVEN = " ".join(f"Word{i % 7} word{i % 5} and word{i % 3}." for i in range(60))
GERMAN = "Der alte Hund schläft vor dem Ofen. Draußen schneit es seit Tagen. Niemand weiß, wann der Frühling kommt."

# The story. Its sentences are cut with the course's tokenizer, and everything else is counted here a second time.

HELD, TRAINING = hold_out_every(
    10, [tuple(each) for each in tokenized(sample("hamlet").read().text, "words")]
)
TIMES = Counter(word for each in TRAINING for word in each)


def known_only(sentences, least=2):
    """Return sentences in which words counted fewer times are the token for unknown words."""
    return [tuple(w if TIMES[w] >= least else UNKNOWN for w in each) for each in sentences]


class KneserNey:
    """Pairs of words by interpolated Kneser-Ney that takes 0.75 off every count, with nothing but Counters."""

    def __init__(self, least=2):
        self.pairs = Counter(p for each in known_only(TRAINING, least) for p in pairwise(("<s>", *each)))
        self.after, self.types, self.before = Counter(), Counter(), Counter()
        for (h, w), n in self.pairs.items():
            self.after[h] += n
            self.types[h] += 1
            self.before[w] += 1
        self.V = len({w for each in known_only(TRAINING, least) for w in each} | {UNKNOWN})

    def p(self, h, w):
        N = sum(self.before.values())
        single = max(self.before[w] - 0.75, 0) / N + 0.75 * len(self.before) / N / self.V
        if not self.after[h]:
            return single
        return max(self.pairs[h, w] - 0.75, 0) / self.after[h] + 0.75 * self.types[h] / self.after[h] * single

    def bits(self, sentence):
        return [-log2(self.p(h, w)) for h, w in pairwise(("<s>", *sentence))]


def bars(data, panel=0):
    """Return where the bars of a panel end, by name."""
    return [row["to"] for row in data["panels"][panel]["rows"]]


def test_the_bits_of_the_line_are_those_of_a_second_kneser_ney():
    line = ("look", "my", "lord", "it", "comes", "</s>")
    assert line in HELD and line not in TRAINING
    bits = KneserNey().bits(line)
    assert bars(picture("ngram_perplexity", "surprise")) == pytest.approx(bits)
    perplexity = round(2 ** (sum(bits) / 6))
    beat = document("ngram_perplexity", "squares")
    assert beat["heading"] == f"Like choosing among {perplexity} words" and perplexity == 47
    squares = numbers(beat["picture"]["data"]["figure"]["data"][0]["z"])
    assert (squares == 1).sum() == 47 and (squares >= 0).sum() == KneserNey().V == 1751


def test_pairs_are_best_with_a_fixed_discount_and_the_answer_waits_for_the_guess():
    bits = [b for each in known_only(HELD) for b in KneserNey().bits(each)]
    found = bars(picture("ngram_perplexity", "order", True))
    assert found[1] == pytest.approx(2 ** np.mean(bits)) and min(found) == found[1]
    assert document("ngram_perplexity", "order", True)["ask"]["answer"] == "2"
    assert len(set(bars(picture("ngram_perplexity", "order")))) == 1
    assert "120" not in json.dumps(document("ngram_perplexity", "order"))
    counted = count_text(sample("hamlet").read().text, order=5, min_count=2, hold_out=10)
    held, end = counted.held_out, counted.vocabulary[END]
    pairs = token_bits(kneser_ney(counted.counts, 2, 0.75), held)
    for n in (1, 3, 4, 5):
        _, (low, _) = compare_bits(token_bits(kneser_ney(counted.counts, n, 0.75), held), pairs, held, end)
        assert low > 0, n
    modified = [evaluate_ngrams(kneser_ney(counted.counts, n), held).perplexity for n in (2, 4)]
    assert [round(each) for each in modified] == [120, 117]
    assert f"{np.mean(held == counted.vocabulary[UNKNOWN]):.0%}" == "15%"


def test_the_interval_is_that_of_sentences_drawn_again():
    draw = np.random.default_rng(1)
    lengths = draw.integers(2, 12, 150)
    tokens = np.concatenate([[*([0] * (n - 1)), 9] for n in lengths])
    one, other = draw.gamma(2, 2, len(tokens)), draw.gamma(2, 2, len(tokens))
    mean, (low, high) = compare_bits(one, other, tokens, 9)
    assert mean == pytest.approx((one - other).mean())
    ends = np.cumsum(lengths)
    sums = np.array([(one - other)[b - n : b].sum() for b, n in zip(ends, lengths, strict=True)])
    again = [sums[chosen].sum() / lengths[chosen].sum() for chosen in draw.integers(0, 150, (4000, 150))]
    assert np.percentile(again, [2.5, 97.5]) == pytest.approx([low, high], abs=0.05 * (high - low))


def test_the_share_of_new_runs_is_counted():
    def runs(sentences, n):
        padded = [("<s>",) * (n - 1) + each for each in known_only(sentences)]
        return [each[i : i + n] for each in padded for i in range(len(each) - n + 1)]

    shares = bars(picture("ngram_perplexity", "sparse"))
    for n, share in zip(range(2, 6), shares, strict=True):
        counted, found = set(runs(TRAINING, n)), runs(HELD, n)
        assert share == pytest.approx(np.mean([each not in counted for each in found])), n


def test_on_the_counted_text_the_model_looks_far_better_and_that_waits_for_the_guess():
    new, known = bars(picture("ngram_perplexity", "training", True))
    counted = count_text(sample("hamlet").read().text, order=5, min_count=2, hold_out=10)
    model = kneser_ney(counted.counts, 5, 0.75)
    assert known == pytest.approx(evaluate_ngrams(model, counted.training).perplexity) and 2.5 < known < 3.5
    assert new == pytest.approx(evaluate_ngrams(model, counted.held_out).perplexity) and round(new) == 132
    assert "2.8" not in json.dumps(document("ngram_perplexity", "training"))


def test_the_lines_of_the_methods_end_where_their_labels_say():
    spec = picture("ngram_perplexity", "methods")["figure"]
    ends = [numbers(trace["y"])[-1] for trace in spec["data"]]
    said_at = [each["text"] for each in spec["layout"]["annotations"]]
    assert said_at[:2] == [f"one added: {ends[0]:,.0f}", f"Kneser-Ney: {ends[1]:.0f}"]
    assert ends[0] > 1400 > 200 > ends[1]


@pytest.mark.parametrize("k", [1, 3, 5])
def test_a_smaller_vocabulary_has_a_lower_perplexity_and_more_unknown_tokens(k):
    beat = document("ngram_perplexity", "vocabulary", min_count=str(k))
    model, held = KneserNey(k), known_only(HELD, k)
    p, unknown = (bars(beat["picture"]["data"], panel)[-1] for panel in (0, 1))
    assert p == pytest.approx(2 ** np.mean([b for each in held for b in model.bits(each)]))
    assert unknown == pytest.approx(np.mean([w == UNKNOWN for each in held for w in each]))
    words = said_in({"words": beat["done"]})
    assert ("a word of its own again" in words) if k == 1 else (f"only {p:.0f}" in words)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("My lord, I know not.", "predicts your sentence better than new sentences of Hamlet"),
        ("Dear maid, kind sister, sweet Ophelia!", "the model predicts new sentences of Hamlet better"),
        ("Der alte Hund schläft", "this perplexity says nothing about your words"),
        ("مرحبا بالعالم كيف الحال", "The model does not know 4 of the 5 tokens"),
        ("my lord", "only 3 tokens: too small to measure"),
        ("no " * 20, "The picture shows the first 10 tokens."),
        ("?!", "We found no word in this"),
    ],
)
def test_a_sentence_of_one_s_own_is_judged_honestly(typed, expected):
    beat = document("ngram_perplexity", "own", sentence=typed)
    assert expected in said_in({"words": beat["done"]})
    assert len(bars(beat["picture"]["data"])) <= 10


def test_the_answer_is_three_models_on_the_same_tokens():
    single, added, pairs = bars(picture("ngram_perplexity", "answer"))
    assert pairs < single < added
    words = said_in(document("ngram_perplexity", "answer"))
    assert f"have {pairs:.0f}, single words {single:.0f}, and pairs with one added {added:.0f}" in words
    assert f"On {sum(map(len, HELD)):,} tokens" in words


# The lab.


def test_a_beat_opens_the_lab_on_the_play():
    assert document("ngram_perplexity", "methods")["lab"] == (
        "ngram_perplexity?lab=true&ngram_perplexity_raw=true&text_source_sample=Hamlet"
    )
    text = said(open_lesson("ngram_perplexity"))
    assert "Lowest perplexity: Kneser-Ney, n = 2, with **120.4**" in text
    assert "It is better than Katz back-off, n = 2, with 125.2." in text
    close = said(open_lesson("ngram_perplexity", models=["Kneser-Ney", "absolute discounting"]))
    assert "absolute discounting, n = 2, has 121.4: too close to call." in close


@pytest.mark.parametrize(
    "text", [GERMAN, SAM, "مرحبا بالعالم. كيف الحال اليوم؟", "Word. " * 500 + "Another word."]
)
def test_a_text_that_is_too_small_gets_no_winner(text):
    shown = said(open_lesson("ngram_perplexity", text))
    assert "Too small to measure" in shown and "Lowest perplexity" not in shown


def test_without_smoothing_the_perplexity_is_infinite_and_said_so():
    app = open_lesson("ngram_perplexity", SAM, raw="true", min_count="1")
    assert "Finite here: for no n" in said(app)
    german = said(open_lesson("ngram_perplexity", GERMAN, raw="true"))
    assert "even lower without smoothing" in german


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_one_new_run_makes_the_unsmoothed_perplexity_infinite(text):
    whole, broken = (open_lesson("ngram_perplexity", text, raw=raw) for raw in (False, True))
    assert metrics(broken)["without smoothing"] == "∞"
    assert float(metrics(broken)["with smoothing"].replace(",", "")) < 1e4
    assert len(figure(broken)["data"]) == len(figure(whole)["data"]) + 1
    assert "∞" in json.dumps(figure(broken)["data"], ensure_ascii=False)


def test_the_best_line_is_drawn_last_so_that_none_covers_it():
    lines = [
        (trace["name"], min(numbers(trace["y"]))) for trace in figure(open_lesson("ngram_perplexity"))["data"]
    ]
    assert lines[-1] == min(lines, key=lambda each: each[1]) and lines[-1][0] == "Kneser-Ney"


def test_the_smoothing_taken_away_is_the_first_chosen_one_and_named():
    app = open_lesson("ngram_perplexity", SEVEN, raw="true", models="Katz back-off")
    table = table_with(app, "bits per token").set_index(["model", "n"])["perplexity"]
    assert "With smoothing is with Katz back-off." in said(app)
    assert metrics(app)["with smoothing"] == f"{table['Katz back-off', 3]:,.1f}"


def test_how_many_sentences_are_held_out_is_counted():
    assert "Held out: 1 of 3 different sentences." in said(open_lesson("ngram_perplexity", SAM))


def test_the_uniform_model_s_perplexity_is_the_size_of_the_vocabulary():
    found = re.search(
        r"all ([\d,]+) types of the vocabulary are equally likely, so its perplexity is ([\d,.]+)\. ",
        said(open_lesson("ngram_perplexity", SEVEN)),
    )
    assert float(found[1]) == float(found[2])


def test_the_perplexity_curve_is_that_of_the_held_out_sentences():
    counted = count_text(SEVEN, order=5, min_count=2, hold_out=10)
    expected = [
        evaluate_ngrams(kneser_ney(counted.counts, n, 0.75), counted.held_out).perplexity for n in range(1, 6)
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


def test_no_bits_per_character_where_a_token_is_unknown():
    app = open_lesson("ngram_perplexity", sample("the-lighthouse").read().text)
    assert "bits per character" not in table_with(app, "bits per token")
    assert re.search(r"No bits per character: [\d.]+% of the measured tokens are `<unk>`", said(app))


def test_bits_per_character_are_the_bits_of_all_tokens_over_all_characters():
    app = open_lesson("ngram_perplexity", SEVEN)
    counted = count_text(SEVEN, order=5, min_count=2, hold_out=10)
    written = counted.text(counted.held_out)  # words with one space between, each sentence on its line
    table = table_with(app, "bits per character")
    found = table[(table["model"] == "Kneser-Ney") & (table["n"] == 3)].iloc[0]
    spelt = len(written)
    assert f"spell {spelt:,} characters" in said(app)
    assert found["bits per character"] == pytest.approx(
        found["bits per token"] * len(counted.held_out) / spelt
    )


def test_among_characters_a_token_is_a_character():
    table = table_with(open_lesson("ngram_perplexity", unit="characters"), "bits per token")
    if "bits per character" in table:
        np.testing.assert_allclose(table["bits per character"], table["bits per token"])


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_what_is_said_of_sparsity_and_alpha_is_measured(text):
    app = open_lesson("ngram_perplexity", text, sparse="true", alpha="true")
    counted = count_text(text or sample("hamlet").read().text, order=5, min_count=2, hold_out=10)
    shares = numbers(figures(app)[1]["data"][0]["y"])
    assert shares.tolist() == sorted(shares)
    assert f"{shares[-1]:.1%} of the runs of five" in said(app)
    laplace = evaluate_ngrams(add_alpha(counted.counts, 2, 1.0), counted.held_out).perplexity
    best = re.search(r"n = 2: α = [\d.e-]+ has ([\d,.]+), and α = 1 has ([\d,.]+)[;.]", said(app))
    assert best[2].rstrip(".") == f"{laplace:,.1f}"
    assert float(best[1].replace(",", "")) <= round(laplace, 1)


def test_the_best_n_is_hidden_until_the_guess():
    app = open_lesson("ngram_perplexity", predict="true", raw="true")
    assert not figures(app)
    assert not metrics(app)
    guess(app, "5")
    assert "Lowest perplexity: Kneser-Ney, n = 2" in said(app)
