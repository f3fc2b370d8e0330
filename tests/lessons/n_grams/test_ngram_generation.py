"""The generation lesson: the text is the seed's, the draw is the model's, a copy ends with its sentence."""

import re

import pytest

from core.models.generation.sampling import Settings, generate
from core.models.n_grams.circle import first_circle
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import kneser_ney, maximum_likelihood
from core.models.n_grams.ngram_text import END, count_text
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import figure, guess, metrics, open_lesson, question, said, table_with
from tests.lessons.n_grams.three_texts import SAM, THREE, numbers


def test_the_generated_text_is_that_of_the_seed():
    app = open_lesson("ngram_generation", SAM, n="2", seed="7", length="10", smoothing="none")
    counted = count_text(SAM, order=5)
    model = maximum_likelihood(counted.counts, 2)
    steps = generate(model, [], 10, Settings(), 7)
    assert counted.text(step.token for step in steps) in [code.value for code in app.code]


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
    assert f"the likeliest is taken, “{counted.name(p.argmax())}”, p = {p.max():.3g}" in said(app)
    assert numbers(figure(app)["data"][0]["x"])[0] == pytest.approx(p.max())
    assert table_with(app, "cumulative")["p"][0] == pytest.approx(p.max())


def test_of_several_likeliest_the_first_is_taken_and_the_page_says_so():
    app = open_lesson(
        "ngram_generation", "Der Hund bellt. Die Katze schläft.", n="2", smoothing="none", greedy=True
    )
    assert "the first of the likeliest is taken, “der”, p = 0.5; by rank number 1 of 2" in said(app)


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
    assert whole.code[-1].value != broken.code[-1].value or figure(whole) != figure(broken)


def test_where_no_context_comes_back_the_page_says_so():
    app = open_lesson("ngram_generation", greedy=True, n="5", length="5")
    assert "no circle is closed" in said(app)


def test_the_others_are_nought_where_all_is_spent():
    app = open_lesson("ngram_generation", SAM, n="3", smoothing="none", words_prompt="I do")
    assert figure(app)["data"][0]["text"][-1] == "0"
    assert "e-1" not in str(figure(app)["data"][0]["text"])


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


def test_the_token_is_hidden_until_the_guess():
    app = open_lesson("ngram_generation", SAM, predict="true", n="2", seed="7")
    assert not app.dataframe
    assert not app.get("plotly_chart")
    assert not any("longest copy" in caption.value for caption in app.caption)
    options = question(app).options
    assert options == sorted(options)
    guess(app, "i")
    assert app.get("plotly_chart")


def test_where_chance_is_taken_out_no_luck_is_spoken_of():
    assert "the same luck at every n" in said(open_lesson("ngram_generation", SAM))
    assert "always the likeliest at every n" in said(open_lesson("ngram_generation", SAM, greedy="true"))
