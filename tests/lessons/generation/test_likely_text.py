"""The likeliest text: every measure is that of the texts shown, and the sentences say what was found."""

import numpy as np
import pytest

from core.figures.generation.judged_texts import what_they_cost
from core.figures.generation.sampling import shown
from core.lesson.choices.language_model_choice import OWN, model_labels
from core.models.generation.degeneration import distinct, repeated_cycle, written_in_every_way
from core.models.generation.generation_tree import continuation_log_probabilities
from core.models.generation.passages import CHARACTERS as LOOKED_AT
from core.models.generation.passages import PROMPT, end_of
from core.models.generation.short_memory import ShortMemory
from core.models.language_model import sequence_log_probability
from core.models.stored import load_card
from core.models.stored_language_models import decode, encode, stored_language_model
from core.text.samples.shelf import plays
from core.text.tokenization.tokens import words
from tests.lessons.lesson_page import figure, guess, open_lesson, prompts, question, said, table_with

REAL = "the real text"
TEXT = "The cat sat on the mat. The dog ran to the cat, and the cat ran away from the dog. " * 8
LABEL = next(label for label, name in model_labels().items() if name == "char_ngram")
NAME = model_labels()[LABEL]
MODEL = stored_language_model(NAME)


def open_with(text=TEXT, **query):
    return open_lesson("likely_text", text, **{"model": LABEL, "length": 40, "count": 2, **query})


def table_of(app):
    return table_with(app, "distinct-2")


def first_play():
    """Return the first passage's prompt and how the real text goes on, as ids."""
    play = plays()[0]
    ids = encode(NAME, end_of(play.text(), 0.05)).ids
    return play.title, ids[:PROMPT], list(ids[PROMPT : PROMPT + 40])


def test_each_text_is_scored_by_the_model_and_its_pairs_are_counted():
    table = table_of(open_with())
    title, prompt, real = first_play()
    every = {"the real text": real, **written_in_every_way(MODEL, prompt, 40)}
    rows = table[table["after"] == title].set_index("written by")
    assert list(rows.index) == list(every)
    for way, tokens in every.items():
        ln_p = sequence_log_probability(MODEL, [*prompt, *tokens]).log_probabilities[len(prompt) :]
        assert rows.loc[way, "ln p / tokens"] == pytest.approx(ln_p.mean(), abs=1e-6)
        pairs = distinct([words(decode(NAME, tokens))], 2)
        assert (rows.loc[way, "different pairs"], rows.loc[way, "word pairs"]) == pairs


@pytest.mark.parametrize("label", ["GPT, byte pairs", "LSTM, characters"])
@pytest.mark.parametrize("forgets", [False, True])
def test_texts_of_any_length_are_those_written_for_that_length(label, forgets):
    """The page writes the longest once and shows their beginnings; after it, texts are of another length and luck."""
    name = model_labels()[label]
    whole = stored_language_model(name)
    prompt = encode(name, end_of(plays()[0].text(), 0.05)).ids[:PROMPT]
    for length, width, seed in ((200, 4, 1), (20, 4, 1), (60, 2, 7)):
        settings = {"model": label, "length": length, "width": width, "seed": seed, "forget": forgets}
        rows = table_of(open_with(count=1, **settings)).set_index("written by")
        model = ShortMemory(whole, 3) if forgets else whole
        for way, tokens in written_in_every_way(model, prompt, length, width, seed).items():
            assert rows.loc[way, "text"] == shown(decode(name, tokens))
            ln_p = continuation_log_probabilities(model, prompt, tokens)
            assert rows.loc[way, "ln p"] == pytest.approx(ln_p.sum(), abs=1e-3)


def test_the_figure_adds_up_bits_and_rings_a_circle_where_core_finds_one():
    app = open_with(length=200, count=1)
    spec = figure(app)
    _, prompt, _ = first_play()
    greedy = written_in_every_way(MODEL, prompt, 200)["greedy"]
    cycle = repeated_cycle(greedy)
    line = next(trace for trace in spec["data"] if trace.get("name") == "greedy")
    ln_p = sequence_log_probability(MODEL, [*prompt, *greedy]).log_probabilities[len(prompt) :]
    assert cycle, "a greedy n-gram of 200 tokens is in a circle"
    rings = [trace["x"][0] for trace in spec["data"] if trace["mode"] == "markers"]
    assert cycle.start in rings
    assert f"from token {cycle.start + 1} on the same {cycle.length} tokens" in said(app)
    assert len(line["y"]) == 201 or "bdata" in line["y"]
    assert ln_p.sum() == pytest.approx(table_of(app).set_index("written by").loc["greedy", "ln p"], abs=1e-4)


def test_the_sentences_say_how_many_texts_end_in_a_circle():
    app = open_with(length=200)
    table = table_of(app)
    greedy = table[table["written by"] == "greedy"]
    circles = int((greedy["circle"] != "no circle").sum())
    assert f"greedy {circles}" in said(app)
    assert ("did not close a circle" in said(app)) == (circles == 0)


def test_the_card_s_held_out_score_stands_beside_the_texts():
    spec = figure(open_with(), 2)
    nats = load_card(NAME).quality["nats per character, held out"]
    assert spec["layout"]["shapes"][0]["x0"] == pytest.approx(-nats)


TEXTS = {"the default": None, "a play": plays()[7].text(), "a short text": TEXT}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("source", ["plays, held out", "your text"])
def test_a_short_memory_is_measured_by_where_greedy_s_circle_begins(text, source):
    pages = [open_with(text, length=150, count=1, source=source, forget=f) for f in ("false", "true")]
    tables = [table_of(app).set_index("written by") for app in pages]
    begins = [
        int(cycle.split()[2]) - 1 if cycle != "no circle" else 150
        for cycle in (table.loc["greedy", "circle"] for table in tables)
    ]
    assert [metric.value for metric in pages[1].metric] == [str(begin) for begin in begins]
    word = "sooner" if begins[1] < begins[0] else "later" if begins[1] > begins[0] else "at the same token"
    closed = tuple(table.loc["greedy", "circle"] != "no circle" for table in tables)
    sentence = {
        (True, True): f"With so little memory it begins {word} here.",
        (True, False): "With so little memory it closes none here.",
        (False, True): "Only with so little memory does it close one here.",
        (False, False): "Here neither closes a circle in 150 tokens.",
    }
    assert sentence[closed] in said(pages[1])
    assert figure(pages[0])["data"] != figure(pages[1])["data"]


def test_a_broken_text_is_written_with_the_last_three_tokens_alone():
    app = open_with(length=150, count=1, forget="true")
    _, prompt, _ = first_play()
    tokens = written_in_every_way(ShortMemory(MODEL, 3), prompt, 150)["greedy"]
    text = table_of(app).set_index("written by").loc["greedy", "text"]
    assert text == shown(decode(NAME, tokens))


def test_the_sentence_below_the_figure_has_the_mean_bits_of_a_token():
    app = open_with(count=1)
    bits = -table_of(app).set_index("written by")["ln p / tokens"] / np.log(2)
    assert (
        f"The real text costs {bits['the real text']:.2f} bits a token, {bits.idxmin()} least of all"
        in said(app)
    )
    assert f"{bits.min():.2f}; " in said(app)


@pytest.mark.parametrize("real", [1.0, 3.0])
def test_the_cheapest_text_is_named_once_and_the_real_one_not_beside_itself(real):
    sentence = what_they_cost(REAL, {"the real text": real, "greedy": 2.0}, [])
    cheapest = "the least of all" if real < 2 else "greedy least of all, 2.00"
    assert sentence == f"The real text costs {real:.2f} bits a token, {cheapest}; no text runs in a circle."


def test_two_ways_that_wrote_the_same_text_are_both_the_cheapest_and_circles_are_counted():
    cost = {"the real text": 3.0, "greedy": 2.0, "beam of 1": 2.0}
    assert "greedy and beam of 1 least of all, 2.00; one runs in a circle: greedy." in what_they_cost(
        REAL, cost, ["greedy"]
    )
    assert what_they_cost(REAL, cost, ["greedy", "beam of 1"]).endswith(
        "these run in a circle: greedy, beam of 1."
    )


def test_a_beam_of_one_is_greedy_search_in_the_sentence_and_is_one_answer_with_it():
    """Both texts are scored apart, and float32 makes of the same text a little more or less."""
    settings = {"count": 1, "width": 1, "model": "GPT, characters", "length": 60}
    assert "greedy and beam of 1 least of all" in said(open_with(**settings))
    asked = question(app := open_with(**settings, predict="true"))
    assert [each.replace("\\", "") for each in asked.options][:2] == [REAL, "greedy and beam of 1"]
    assert "Right." in said(guess(app, "greedy and beam of 1"))


def test_a_phrase_said_again_has_the_p_that_the_model_gives_it_after_itself():
    app = open_with(count=1, phrase="the real text")
    _, prompt, real = first_play()
    phrase = real[:12]
    ln_p = sequence_log_probability(MODEL, [*prompt, *phrase * 6]).log_probabilities[len(prompt) :]
    table = table_with(app, "time")
    assert list(table["ln p"]) == pytest.approx(ln_p, abs=1e-6)
    means = np.exp(ln_p.reshape(6, 12).mean(axis=1))
    assert (
        f"p = {means[0]:.3f} the first time, {means[1]:.3f} the second and {means[5]:.3f} the last"
        in said(app)
    )
    assert "nothing changes, for this model does not look so far back" in said(app)


def test_greedy_s_circle_is_its_first_choice_each_time_and_it_goes_on_in_it():
    app = open_with(length=200, count=1)
    assert table_with(app, "time")["the model's first choice"].all()
    assert "so greedy search says it again" in said(app)


def test_a_typed_phrase_is_said_again_and_one_that_cannot_be_read_is_asked_for():
    app = open_with(count=1, phrase="typed", again="so so ")
    assert list(table_with(app, "time")["token"][:6]) == list("so\u2423so\u2423")
    assert "Type a phrase" in said(open_with(count=1, phrase="typed", again="\U0001f44d"))


def test_predicting_hides_the_figure_and_the_texts():
    app = open_with(predict="true")
    assert not app.get("plotly_chart")
    assert not app.dataframe
    assert prompts(app)
    shown_texts = [code for code in app.code if code.language == "plaintext"]
    assert len(shown_texts) == 1, "the passage"
    guess(app)
    assert app.get("plotly_chart")


def test_the_learner_s_own_text_is_real_text_too():
    app = open_with(source="your text", count=1)
    table = table_of(app)
    real = table[table["written by"] == "the real text"]
    assert (real["tokens"] >= 2).all()
    shown = real["text"].iloc[0].replace("\u2423", " ")
    assert shown.strip() in TEXT
    own = next(label for label, unit in OWN.items() if unit == "characters")
    assert "no news" in said(open_with(model=own))


def test_no_more_of_a_text_s_end_is_read_than_is_needed():
    assert len(end_of("a" * 10**6, 0.5)) == LOOKED_AT


@pytest.mark.parametrize("text", ["one", "早上好。你好吗？", "مرحبا. كيف الحال؟", "👍🏽 <b>$a$ `c`"])
@pytest.mark.parametrize("label", [LABEL, *OWN])
def test_no_text_breaks_the_page(text, label):
    assert not open_with(text, model=label, source="your text").exception


@pytest.mark.parametrize("settings", [{"length": 20, "width": 1}, {"count": 6}, {"width": 8}], ids=str)
def test_no_end_of_a_control_breaks_the_page(settings):
    app = open_with(**settings)
    assert not app.exception
    assert np.isfinite(table_of(app)["ln p"]).all()


@pytest.mark.parametrize("own", ["wordy " * 300, TEXT])
def test_the_way_nearest_to_the_real_text_is_found_in_the_numbers(own):
    app = open_with(own, source="your text", count=1)
    means = table_of(app).set_index("written by")["ln p / tokens"]
    real = means.pop("the real text")
    assert f"the nearest to the real text is **{(means - real).abs().idxmin()}**" in said(app)


@pytest.mark.parametrize("own", ["x", "👍🏽"])
def test_a_text_too_short_for_a_passage_is_asked_to_be_longer(own):
    app = open_with(own, source="your text")
    assert "too short" in said(app)
    assert prompts(app)


@pytest.mark.parametrize("source", ["plays, held out", "your text"])
def test_the_tour_s_reason_is_what_the_page_says_of_the_phrase(source):
    app = open_with(source=source, beat="likely_text.4")
    sentence = next(each.value for each in app.markdown if each.value.startswith("A token of it has p = "))
    assert f"said to the model six times over. {sentence} A circle takes no more than this" in said(app)
    costs = next(each.value for each in app.markdown if each.value.startswith("The real text costs "))
    assert f"{costs} Greedy search takes" in said(open_with(source=source, beat="likely_text.2"))
