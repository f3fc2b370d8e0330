"""The table of language models shows the cards' measures, and what core measures on the learner's text."""

import numpy as np
import pytest

from core.lesson import take_away
from core.models.stored_language_models import BITS, character_models, encode, stored_language_model
from pages.generation.parts.character_text import EXAMPLE
from pages.generation.parts.model_comparison import PIECE
from tests.lessons.lesson_page import figure, guess, open_lesson, said, sent, table_with

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


def test_tearing_the_text_is_measured_on_pieces_read_from_their_own_start():
    app = open_with(torn="true")
    table = table_of(app)
    best = character_models()[int(table["bits, your text"].argmin())].model
    read = encode(best, TEXT).text
    pieces = [bits_of(best, read[i : i + PIECE]) for i in range(0, len(read), PIECE)]
    assert app.metric[1].value == f"{np.concatenate(pieces).mean():.2f}"


def test_a_prediction_hides_bars_table_and_colours_until_it_is_guessed():
    app = open_with(predict="true")
    assert not app.get("plotly_chart")
    assert not app.get("bidi_component")
    assert not any("perplexity, held out" in each.value for each in app.dataframe)
    guess(app)
    assert len(app.get("plotly_chart")) == 1
    assert app.get("bidi_component")


@pytest.mark.parametrize("text", ["ab", "\n\n\n", "مرحبا", "👍🏽👍🏽", "<b>$a$ `c`", "x" * 9000])
def test_no_text_breaks_the_page(text):
    assert not open_with(text, characters="4000").exception


@pytest.mark.parametrize("line", ["", "a", "zzzzqqqqxxxx", EXAMPLE])
def test_no_typed_line_breaks_the_page(line):
    assert not open_with(source="typed", typed=line).exception


def test_the_notebook_prints_the_bits_on_the_page(monkeypatch, capsys):
    cells = []
    monkeypatch.setattr(take_away, "notebook", lambda title, code: cells.extend(code) or b"{}")
    table = table_of(open_with())
    exec("\n".join(cells), {})
    printed = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(printed[len(table) :], table["bits, your text"])
