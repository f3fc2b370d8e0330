"""The sampling lesson shows what core computes, and says what a model cannot read of a prompt."""

import base64
import json

import numpy as np
import pytest

from core.lesson.choices.language_model_choice import OWN, model_labels, tokens_read
from core.models.generation.sampling import Settings, distribution, generate, sample
from core.models.n_grams.ngram import kneser_ney
from core.models.n_grams.ngram_text import count_text
from core.models.neural_language_model import read
from core.models.stored_language_models import encode, stored_language_model
from core.text.samples.shelf import sample as sample_of
from tests.lessons.lesson_page import (
    figure,
    guess,
    metrics,
    mounted,
    open_lesson,
    prompts,
    question,
    said,
    sent,
    table_with,
)

TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
WORDS = next(label for label, unit in OWN.items() if unit == "words")
CHARACTERS = next(label for label, name in model_labels().items() if name.startswith("char"))


def open_with(text=TEXT, **query):
    return open_lesson("sampling", text, **query)


def numbers_of(app):
    """Return the rows of the first new token in the table under "Every number"."""
    table = table_with(app, "cut by")
    return table[table["new token"] == 1].reset_index(drop=True)


def test_the_table_is_core_s_distribution_over_the_whole_vocabulary():
    app = open_with(model=CHARACTERS, typed="O, ", temperature="1.3", top_k="12", top_p="0.7", seed="5")
    name = model_labels()[CHARACTERS]
    model = stored_language_model(name)
    trace = distribution(read(model, encode(name, "O, ").ids).logits, Settings(1.3, 12, 0.7))
    table, order = numbers_of(app), trace.order
    assert len(table) == len(model.vocabulary)
    np.testing.assert_allclose(table["p"], trace.probabilities[order])
    np.testing.assert_allclose(table["z / T"], trace.scaled[order])
    assert list(table["cut by"]) == list(trace.cut_by[order])
    assert list(table["drawn of 500"]) == sample(trace, 500, 5)[order].tolist()


def test_an_n_gram_of_the_learner_s_text_is_sampled_too():
    app = open_with(model=WORDS, typed="the", temperature="1", top_p="1")
    model = kneser_ney(count_text(TEXT, "words", order=5).counts, 3)
    p = np.exp(model.log_probabilities(count_text(TEXT, "words", order=5).encode("the", end=False)))
    np.testing.assert_allclose(numbers_of(app)["p"].sort_values(), np.sort(p))
    assert "ln p stands in" in said(app)


def logits_of(app):
    """Return the logits that the view was sent, (places, V)."""
    data = sent(app, "sampling")
    values = np.frombuffer(base64.b64decode(data["logits"]), "<f8" if data["exact"] else "<f4")
    return values.reshape(len(data["said"]), -1)


def test_the_view_has_every_step_s_own_logits_and_the_seed_s_numbers():
    app = open_with(model=CHARACTERS, typed="", seed="9")
    name = model_labels()[CHARACTERS]
    model = stored_language_model(name)
    steps = list(generate(model, (), 40, Settings(), seed=9))
    np.testing.assert_array_equal(logits_of(app), [step.trace.logits for step in steps])
    np.testing.assert_array_equal(logits_of(app)[0], read(model, ()).logits)
    assert sent(app, "sampling")["uniforms"] == np.random.default_rng(9).random(500).tolist()
    assert "The prompt is empty" in said(app)


def test_what_an_n_gram_says_is_sent_to_the_last_digit():
    app = open_with(model=WORDS, typed="the")
    model = kneser_ney(count_text(TEXT, "words", order=5).counts, 3)
    ids = count_text(TEXT, "words", order=5).encode("the", end=False)
    np.testing.assert_array_equal(logits_of(app)[0], read(model, ids).logits)


def test_all_steps_together_are_small():
    app = open_lesson("sampling")
    assert len(json.dumps(sent(app, "sampling"))) < 60_000
    assert len(sent(app, "sampling")["said"]) == 40
    assert table_with(app, "cut by")["new token"].max() == 40


def test_what_a_model_cannot_read_is_said():
    app = open_with(model=CHARACTERS, typed="caf\u00e9 \U0001f44d \u0645")
    assert not app.exception
    assert "\u00e9 as e" in said(app)
    assert "\U0001f44d" in said(app)
    assert "unk" in said(open_with(model=WORDS, typed="zebra"))


def test_a_prompt_longer_than_the_context_is_said():
    app = open_with(model=WORDS, typed="the cat sat the dog")
    assert "looks back at the last 2 of them" in said(app)


def test_how_much_a_window_holds_is_what_the_network_is_given():
    class Network:
        context = 8

        def read(self, context):
            raise NotImplementedError

    # The start token stands before the prompt; past the window its later half is read.
    assert [tokens_read(Network(), n) for n in (1, 7, 8, 11, 12)] == [1, 7, 5, 8, 5]


@pytest.mark.parametrize(
    "settings",
    [
        {"temperature": "0.0"},
        {"temperature": "1000.0", "top_p": "1.0"},
        {"top_k": "1"},
        {"top_p": "0.0"},
        {"source": "from your text"},
        {"broken": "true", "top_p": "0.5"},
        {"predict": "true"},
        {"every": "true"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(model=WORDS, typed="the", **settings).exception


@pytest.mark.parametrize("text", [None, "play", TEXT], ids=["default", "play", "short"])
def test_cutting_without_renormalising_loses_the_mass_that_was_cut_everywhere_on_the_page(text):
    text = sample_of("hamlet").read().text[:20_000] if text == "play" else text
    settings = {"model": WORDS, "typed": "the", "temperature": "1.0", "top_p": "0.5"}
    whole, app = open_with(text, **settings), open_with(text, **settings, broken="true")
    table = numbers_of(app)
    kept = table["softmax"][table["cut by"] == ""].sum()
    assert 0.5 <= kept < 1
    assert table["p"].sum() == pytest.approx(kept)
    assert table["cumulative"].max() == pytest.approx(kept)
    assert metrics(app) == {"Sum of all p, whole": "1.0000", "Sum of all p, broken": f"{kept:.4f}"}
    lost = (np.random.default_rng(1).random(500) >= kept).sum()
    assert f"**{lost}** fall past the end" in said(app)
    assert table["drawn of 500"].sum() == 500 - lost
    assert sent(app, "sampling")["renormalise"] is False
    assert sent(whole, "sampling")["renormalise"] is True
    assert f"no more than {kept:.1%}" in sent(app, "sampling")["said"][0]


def test_nothing_is_lost_where_nothing_is_cut():
    assert "Nothing is cut now" in said(open_with(model=WORDS, typed="the", broken="true"))


def test_it_opens_at_a_temperature_of_one_with_nothing_cut_as_bars_of_the_model_s_own_probabilities():
    app = open_with(model=CHARACTERS, typed="O, ")
    assert sent(app, "sampling")["settings"] == {"temperature": 1.0, "top_k": 0, "top_p": 1.0}
    np.testing.assert_allclose(numbers_of(app)["p"], numbers_of(app)["softmax"])


def test_a_prediction_hides_all_that_gives_the_token_away():
    app = open_with(model=WORDS, typed="the", predict="true")
    assert not mounted(app)
    assert not app.dataframe
    assert "the" in {code.value.strip() for code in app.code}
    assert "**Five settings, one prompt, one seed**" not in {section.label for section in app.expander}
    assert prompts(app)
    (bars,) = figure(app)["data"]
    app = guess(app)
    assert len(sent(app, "sampling")["said"]) == 1
    assert bars["text"] == [f"{p:.2g}" for p in numbers_of(app)["p"][:16]]
    assert len(sent(guess(app), "sampling")["said"]) == 2
    assert "**Five settings, one prompt, one seed**" in {section.label for section in app.expander}


def test_a_number_that_falls_on_no_token_is_an_answer_where_nothing_is_renormalised():
    app = open_with(model=WORDS, typed="the", top_k="1", broken="true", predict="true")
    assert "no token" in question(app).options


@pytest.mark.parametrize("text", ["one", "早上好。你好吗？", "مرحبا. كيف الحال؟", "👍🏽 <b>$a$ `c`"])
def test_no_text_breaks_the_page(text):
    assert not open_with(text, model=WORDS, source="from your text").exception


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"top_k": 1}, "only one left of 63 tokens."),
        ({"top_k": 1, "broken": "true"}, "with no more than 16.3% in all."),
        ({"top_k": 2, "broken": "true"}, "the 2 tokens left have no more than 32.5% together."),
        ({}, "the 5 likeliest of the 63 tokens have"),
        ({"top_k": 9}, "the 5 likeliest of the 9 tokens left have"),
    ],
    ids=str,
)
def test_what_is_left_is_said_in_words_that_fit_how_much_is_left(settings, sentence):
    assert sentence in sent(open_lesson("sampling", **settings), "sampling")["said"][0]


def test_the_tour_says_how_many_tokens_top_p_leaves_of_one_and_of_many():
    left = []
    for typed in ("It was", "My lord, I will not "):
        app = open_with(typed=typed, top_p="0.9", beat="sampling.6")
        left.append(int((numbers_of(app)["p"] > 0).sum()))
        assert f"Here {left[-1]} of 63 {'is' if left[-1] == 1 else 'are'} left." in said(app)
    assert left[0] == 1 < left[1]
