"""The generation lesson: the text is the seed's, the draw is the model's, a copy ends with its sentence."""

import json
import re

import pytest

from core.models.generation.sampling import Settings, generate
from core.models.n_grams.circle import first_circle
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import kneser_ney, maximum_likelihood
from core.models.n_grams.ngram_text import END, count_text
from core.text.samples.shelf import sample
from pages.n_grams.ngram_generation import ASKED
from tests.lessons.lesson_page import (
    frames,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    sent,
    table_with,
)
from tests.lessons.n_grams.three_texts import SAM, THREE


def test_the_generated_text_is_that_of_the_seed():
    app = open_lesson("ngram_generation", SAM, n="2", seed="7", length="10", smoothing="none")
    counted = count_text(SAM, order=5)
    model = maximum_likelihood(counted.counts, 2)
    steps = generate(model, [], 10, Settings(), 7)
    shared = sent(app, "steps")["shared"]
    assert shared["before"] + "".join(shared["pieces"]) == counted.text(step.token for step in steps)


def test_an_unseen_beginning_has_no_next_token_without_smoothing():
    app = open_lesson("ngram_generation", SAM, words_prompt="green Sam", n="3", smoothing="none")
    assert "no next token" in said(app)
    assert {"The code that ran", "Take it away", "Sources"} <= {each.label for each in app.tabs}
    app = open_lesson("ngram_generation", SAM, words_prompt="green Sam", n="3", smoothing="Kneser-Ney")
    assert not app.warning


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_always_the_likeliest_keeps_the_model_s_own_probabilities(text):
    app = open_lesson("ngram_generation", text, n="2", smoothing="Kneser-Ney", greedy=True, length="100")
    counted = count_text(text or sample("hamlet").read().text, order=5)
    model = kneser_ney(counted.counts, 2, 0.75)
    p = model.scores([])
    first = frames(app)[0]
    assert f"he likeliest is taken, “{counted.name(p.argmax())}”, p = {p.max():.3g}" in first["said"]
    assert first["picture"]["p"][0] == pytest.approx(p.max(), rel=1e-3)
    assert "u" not in first["picture"]
    assert table_with(app, "cumulative")["p"][0] == pytest.approx(p.max())


def test_of_several_likeliest_the_first_is_taken_and_the_page_says_so():
    app = open_lesson(
        "ngram_generation", "Der Hund bellt. Die Katze schläft.", n="2", smoothing="none", greedy=True
    )
    assert (
        "he first of the likeliest is taken, “der”, p = 0.5; by rank number 1 of 2" in frames(app)[0]["said"]
    )


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
def test_without_chance_the_text_goes_in_circles(text):
    settings = {"n": "2", "length": "100"}
    whole = open_lesson("ngram_generation", text, **settings)
    broken = open_lesson("ngram_generation", text, greedy=True, **settings)
    counted = count_text(text or sample("hamlet").read().text, order=5)
    model = maximum_likelihood(counted.counts, 2)
    tokens = [step.token for step in generate(model, [], 100, Settings(temperature=0), seed=1)]
    first, again = first_circle(model, [], tokens)
    assert f"from there on “{counted.write(tokens[first:again])}” comes round" in said(broken)
    shown = metrics(broken)
    assert int(shown["Different tokens, whole"]) > int(shown["Different tokens, broken"]) == len(set(tokens))
    assert frames(whole) != frames(broken)


def test_where_no_context_comes_back_the_page_says_so():
    app = open_lesson("ngram_generation", greedy=True, n="5", length="5")
    assert "no circle is closed" in said(app)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
@pytest.mark.parametrize("smoothing", ["none", "Kneser-Ney"])
def test_each_step_shows_what_its_token_was_drawn_from(text, smoothing):
    app = open_lesson("ngram_generation", text, n="3", seed="7", length="12", smoothing=smoothing)
    counted = count_text(text or sample("hamlet").read().text, order=5)
    fit = maximum_likelihood if smoothing == "none" else lambda counts, n: kneser_ney(counts, n, 0.75)
    model = fit(counted.counts, 3)
    shared = sent(app, "steps")["shared"]
    tokens = []
    for step, shown in zip(generate(model, [], 12, Settings(), 7), frames(app), strict=True):
        p, drawn = step.trace.probabilities, shown["picture"]
        can = int((p > 0).sum())
        order = step.trace.order[: len(drawn["ids"])]
        assert [shared["names"][i] for i in drawn["ids"]] == [counted.name(token) for token in order]
        assert drawn["p"] == pytest.approx(p[order].tolist(), rel=1e-3)
        assert drawn.get("others", 0) == can - len(order)
        assert sum(drawn["p"]) + drawn.get("rest", 0) == pytest.approx(1, abs=1e-3)
        assert drawn["u"] == pytest.approx(step.u, abs=1e-5)
        assert (
            f"p = {p[step.token]:.3g}; by rank number {step.trace.rank[step.token]} of {can:,} "
            in shown["said"]
        )
        tokens.append(step.token)
    assert shared["before"] + "".join(shared["pieces"]) == counted.text(tokens)


def test_the_longest_text_is_sent_within_its_bounds():
    app = open_lesson("ngram_generation", smoothing="Kneser-Ney", length="100")
    assert len(json.dumps(sent(app, "steps"), ensure_ascii=False).encode()) < 60_000


def test_a_copy_is_counted_within_a_sentence_and_without_its_end():
    app = open_lesson("ngram_generation")
    counted = count_text(sample("hamlet").read().text, order=5)
    end = counted.vocabulary[END]
    shown = re.findall(r"n = (\d): longest copy (\d+) of (\d+) tokens", said(app))
    sentences = counted.write(counted.training).split(END)
    for n, length, words in shown:
        model = maximum_likelihood(counted.counts, int(n))
        tokens = [step.token for step in generate(model, [], 30, Settings(), 1)]
        assert (int(length), int(words)) == (
            longest_copy(tokens, counted.training, end)[1],
            sum(token != end for token in tokens),
        )
        start, found = longest_copy(tokens, counted.training, end)
        copy = counted.write(tokens[start : start + found])
        assert any(f" {copy} " in f" {sentence.strip()} " for sentence in sentences)


def test_no_token_is_sent_before_it_was_guessed():
    app = open_lesson("ngram_generation", SAM, predict="true", n="2", seed="7")
    for guessed in range(ASKED):
        assert len(frames(app)) == guessed
        assert not app.dataframe
        assert not app.get("plotly_chart")
        assert not any("longest copy" in caption.value for caption in app.caption)
        if guessed:
            assert len(sent(app, "steps")["shared"]["pieces"]) == guessed
        options = question(app).options
        assert options == sorted(options)
        guess(app)
    assert len(frames(app)) == 30
    assert any("longest copy" in caption.value for caption in app.caption)


def test_where_chance_is_taken_out_no_luck_is_spoken_of():
    assert "the same luck at every n" in said(open_lesson("ngram_generation", SAM))
    assert "always the likeliest at every n" in said(open_lesson("ngram_generation", SAM, greedy="true"))


@pytest.mark.parametrize("text", THREE)
def test_the_tour_s_draw_has_tokens_to_choose_from(text):
    shown = said(open_lesson("ngram_generation", THREE[text], step=2, beat="ngram_generation.2"))
    before, can = re.search(r"After “([^”]+)” ([\d,]+) tokens can come", shown).groups()
    assert before.startswith("<s> ") and int(can.replace(",", "")) > 1
