"""The table of language models shows the cards' measures, and what core measures on the learner's text."""

import numpy as np
import pytest

from core.figures.generation.model_comparison import characters_read
from core.models.generation.cut_context import with_short_context
from core.models.n_grams.ngram import kneser_ney
from core.models.stored_language_models import BITS, character_models, encode, stored_language_model
from core.text.samples.shelf import sample
from pages.generation.language_models import MEMORY, READ_TO
from pages.generation.shared.character_text import EXAMPLE
from tests.lessons.lesson_page import figure, guess, mounted, open_lesson, said, sent, table_with

TEXT = "The cat sat. The dog sat. “Caf\u00e9,” he said.\nThe cat ran: a dog ran to the cat."


def open_with(text=TEXT, **query):
    return open_lesson("language_models", text, **query)


def table_of(app):
    return table_with(app, "perplexity, held out")


def bits_of(name, text):
    ids = encode(name, text).ids
    return -stored_language_model(name).token_log_probabilities(ids) / np.log(2)


def test_the_table_has_every_character_model_with_its_card_s_measures_best_first():
    table, cards = table_of(open_with()), character_models()
    assert len(table) == len(cards)
    assert table["bits, held out"].tolist() == [card.quality[BITS] for card in cards]
    assert table["parameters"].tolist() == [card.quality["parameters"] for card in cards]
    assert table["bits, held out"].is_monotonic_increasing
    np.testing.assert_allclose(table["bits, held out"], table["nats, held out"] / np.log(2))
    np.testing.assert_allclose(table["perplexity, held out"], np.exp(table["nats, held out"]))


def test_bits_on_the_learner_s_text_are_what_the_model_gives_its_characters():
    table = table_of(open_with())
    for card, bits in zip(character_models(), table["bits, your text"], strict=True):
        assert bits == pytest.approx(bits_of(card.model, TEXT).mean())


@pytest.mark.parametrize("characters", [100, READ_TO[0], READ_TO[0] + 100, READ_TO[-1]])
def test_a_part_of_a_text_costs_what_it_costs_when_no_more_is_read(characters):
    """All choices up to the next of READ_TO share one reading; what is read as others, or not at all, is in it."""
    text = "\u201cCaf\u00e9\u2026\u201d 7 早 " + sample("hamlet").read().text[:5000]
    app = open_with(text, characters=characters, torn="true")
    read, table = encode("char_gpt", text[:characters]).text, table_of(app)
    assert "".join(sent(app)["characters"]).replace("↵", "\n") == read
    for row, card in enumerate(character_models()):
        assert table["bits, your text"][row] == pytest.approx(bits_of(card.model, read).mean(), abs=1e-5)
        torn = table[f"bits, last {MEMORY} characters"][row]
        assert torn == pytest.approx(cut_bits(card.model, read).mean(), abs=1e-5)


def test_byte_pairs_are_measured_a_character_and_on_the_learner_s_text_only():
    bars = figure(open_with())["data"]
    held_out, own = (dict(zip(trace["y"], trace["text"], strict=True)) for trace in bars)
    assert "GPT, byte pairs" not in held_out
    read = encode("char_gpt", TEXT).text
    assert own["GPT, byte pairs"] == f"{bits_of('word_gpt', read).sum() / len(read):.2f}"


def test_the_view_colours_the_characters_that_were_read():
    view = sent(open_with())
    read = encode("char_gpt", TEXT).text
    assert "".join(view["characters"]).replace("↵", "\n") == read
    assert view["breaks"].index(True) == read.index("\n")
    for card, model in zip(character_models(), view["models"], strict=True):
        np.testing.assert_allclose(model["bits"], bits_of(card.model, TEXT), atol=1e-4)


def test_what_cannot_be_read_is_said():
    assert "\u00e9 as e" in said(open_with())
    assert "Shown instead" in said(open_with("早上好"))


def cut_bits(name, text):
    ids = encode(name, text).ids
    return -with_short_context(stored_language_model(name), ids, MEMORY) / np.log(2)


@pytest.mark.parametrize("text", [None, "play", TEXT], ids=["default", "play", "short"])
def test_tearing_the_context_away_costs_bits_and_changes_bars_and_colours(text):
    text = sample("hamlet").read().text[:3000] if text == "play" else text
    whole, app = open_with(text), open_with(text, torn="true")
    best = character_models()[int(table_of(app)["bits, your text"].argmin())].model
    read = "".join(sent(app)["characters"]).replace("↵", "\n")
    before, after = (float(metric.value) for metric in app.metric[:2])
    assert after == pytest.approx(cut_bits(best, read).mean(), abs=0.005)
    assert after > before
    assert len(figure(app)["data"]) == len(figure(whole)["data"]) + 1
    assert sent(app)["models"] != sent(whole)["models"]


def test_a_torn_context_is_compared_with_an_n_gram_of_equal_context_and_no_line_begins():
    app = open_with(torn="true")
    read = encode("char_gpt", TEXT).text
    ids = encode("char_ngram", TEXT).ids
    ngram = kneser_ney(stored_language_model("char_ngram").model.counts, MEMORY + 1)
    rest = ngram.token_log_probabilities(ids)[MEMORY:]
    np.testing.assert_allclose(cut_bits("char_ngram", read)[MEMORY:], -rest / np.log(2))
    torn = table_of(app)[f"bits, last {MEMORY} characters"]
    assert f"plain 4-gram and needs {cut_bits('char_ngram', read).mean():.2f}" in said(app)
    assert (torn < np.log2(63)).all()  # better than chance: read after a line end some were worse


def test_the_page_says_from_the_cards_that_the_models_were_not_given_the_same():
    app, table = open_with(), table_of(open_with())
    assert "LSTM: 216,223 parameters, 1,000 steps, 4.1 million characters read" in said(app)
    assert "GRU: 911,295 parameters, 3,000 steps, 12.3 million characters read" in said(app)
    assert "compare these models, and not the kinds" in said(app)
    for card, steps, read in zip(
        character_models(), table["steps"], table["characters read in training"], strict=True
    ):
        fit = card.config.get("fit")
        assert (fit is None) == (card.model == "char_ngram")
        if fit:
            assert (steps, read) == (fit["steps"], characters_read(card))
            assert read == fit["steps"] * fit["batch"] * fit["window"]


def test_a_famous_line_is_said_to_cost_what_it_costs():
    app = open_with(source="typed", typed=EXAMPLE)
    table = table_of(app)
    harder = int((table["bits, your text"] > table["bits, held out"]).sum())
    assert f"costs {harder} of the {len(table)} character models more bits" in said(app)
    best = bits_of(character_models()[int(table["bits, your text"].argmin())].model, EXAMPLE)
    assert f"{best[:3].mean():.2f} bits each, the rest {best[3:].mean():.2f}" in said(app)


def test_a_prediction_hides_bars_table_and_colours_until_it_is_guessed():
    app = open_with(predict="true")
    assert not app.get("plotly_chart")
    assert not mounted(app)
    assert not any("perplexity, held out" in each.value for each in app.dataframe)
    guess(app)
    assert len(app.get("plotly_chart")) == 1
    assert mounted(app)


@pytest.mark.parametrize("text", ["ab", "\n\n\n", "مرحبا", "👍🏽👍🏽", "<b>$a$ `c`", "x" * 9000])
def test_no_text_breaks_the_page(text):
    assert not open_with(text, characters="4000").exception


@pytest.mark.parametrize("line", ["", "a", "zzzzqqqqxxxx", EXAMPLE])
def test_no_typed_line_breaks_the_page(line):
    assert not open_with(source="typed", typed=line).exception


def test_the_notebook_prints_the_bits_on_the_page(notebook_cells, capsys):
    table = table_of(open_with())
    exec("\n".join(notebook_cells), {})
    printed = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(printed[len(table) :], table["bits, your text"])


def test_a_long_text_of_which_little_is_read_is_not_called_short():
    page = said(open_lesson("language_models", characters=100))
    assert "Your text is long: its first 100 characters are read." in page
    assert "Only 100 characters of it are read" in page
    assert "It is short" not in page


def test_the_n_gram_too_is_among_what_each_was_given():
    assert "n-gram: 2,159,624 numbers, counted in one pass" in said(open_lesson("language_models"))


def test_the_best_is_named_among_those_that_read_characters():
    """On the micro-world the byte pairs' bar is the shortest, and the sentence does not deny it."""
    app = open_with(None)
    own = {trace["name"]: dict(zip(trace["y"], trace["text"], strict=True)) for trace in figure(app)["data"]}
    bars = {label: float(bits) for label, bits in own["your text"].items()}
    assert min(bars, key=bars.get) == "GPT, byte pairs"
    assert "Of those that read characters, the GPT needs fewest bits a character on held-out plays" in said(
        app
    )
    best = min(bits for label, bits in bars.items() if label != "GPT, byte pairs")
    assert f"on your text it does, with {best:.2f}" in said(app)


@pytest.mark.parametrize("text", [None, TEXT], ids=["default", "short"])
def test_the_tour_names_the_best_model_as_a_noun_and_what_the_best_on_plays_was_given(text):
    table = table_of(open_with(text))
    own = table["model"][table["bits, your text"].argmin()]
    noun = "feed-forward network" if own == "feed-forward" else own
    assert f"Of these models the {noun} foresees it best" in said(open_with(text, beat="language_models.3"))
    first, given = table.loc[0], open_with(text, beat="language_models.4")
    assert (
        f"The best on held-out plays, {first['model']}: {first['parameters']:,} parameters, {first['steps']:,} steps, "
        f"{first['characters read in training'] / 1e6:.1f} million characters read." in said(given)
    )


def test_the_tour_says_how_many_models_read_how_many_characters_before_the_learner_has_guessed():
    shown = said(open_lesson("language_models", predict="true", characters="200", beat="language_models.1"))
    assert f"{len(character_models())} models of characters have learnt" in shown
    assert "the first 200 characters of your text" in shown
