"""The page on weight tying counts what the models have, and measures what one row is worth at each job."""

import pytest
import torch

from core.lesson.choices.language_model_choice import LABELS
from core.models.parameter_counts import counts_by_window
from core.models.recurrent_models.weight_tying import bits_without_row
from core.models.stored import load_json
from core.models.stored_language_models import character_models, encode, stored_language_model
from tests.lessons.lesson_page import open_lesson, said, table_with

TEXT = "The king sat by the sea. He saw the men and the ships come in. " * 4


def open_with(text=TEXT, **query):
    return open_lesson("weight_tying", text, **query)


def table_of(app):
    return table_with(app, "window")


@pytest.mark.parametrize(("cell", "name"), [("RNN", "char_rnn"), ("LSTM", "char_lstm"), ("GRU", "char_gru")])
def test_the_count_of_a_stored_model_is_its_own(cell, name):
    network = stored_language_model(name).network
    app = open_with(cell=cell, width=str(network.config.width), vocabulary="63 characters")
    real = sum(each.numel() for each in network.parameters())
    assert network.config.vocabulary_size == 63
    assert app.metric[0].value == f"{real:,}"
    assert app.metric[1].value == f"{63 * network.config.width:,}"


def test_the_feed_forward_line_grows_with_the_window_as_core_says():
    shape = {**load_json("char_feedforward", "network")["shape"], "vocabulary_size": 10_000}
    table = table_of(open_with(vocabulary="10,000 words"))
    assert table["feed-forward"].tolist() == counts_by_window("feed-forward", shape, list(table["window"]))


def test_a_gpt_grows_by_one_position_and_recurrent_models_by_nothing():
    table = table_of(open_with(cell="LSTM"))
    width = load_json("char_gpt", "network")["shape"]["width"]
    assert (table["GPT"].diff().dropna() == width * table["window"].diff().dropna()).all()
    assert table["LSTM, tied"].nunique() == table["LSTM, untied"].nunique() == 1


def test_the_stored_models_stand_with_what_tying_saves_in_each():
    table = table_with(open_with(), "saved by tying").set_index("model")
    cards = {LABELS[card.model]: card.quality["parameters"] for card in character_models()}
    assert table["learnt numbers"].to_dict() == cards
    network = stored_language_model("char_lstm").network
    assert table["saved by tying"]["LSTM, characters"] == network.embedding.weight.numel()
    assert table["saved by tying"]["feed-forward, characters"] == 0


def test_the_character_s_probability_is_the_model_s():
    app = open_with(cell="LSTM", typed="My lord, I will not go to Rom", token="e")
    model = stored_language_model("char_lstm")
    logits = model.network(
        torch.tensor([(model.start, *encode("char_lstm", "My lord, I will not go to Rom").ids)])
    )[0]
    p = torch.softmax(logits[0, -1].double(), dim=0)[model.vocabulary.index("e")].item()
    assert any(f"{p:.3g}" in each.value for each in app.text)


def test_a_row_set_to_nought_costs_what_core_measures():
    app = open_with(cell="RNN", gone="true", token="e")
    model = stored_language_model("char_rnn")
    ids = torch.tensor((model.start, *encode("char_rnn", TEXT[:1500]).ids))
    bits = bits_without_row(model.network, ids, model.vocabulary.index("e"))
    shown = [metric.value for metric in app.metric[3:5]]
    assert shown == [f"{bits[name].mean():.3f}" for name in ("whole", "gone from both")]


def test_a_character_that_the_text_lacks_is_said():
    assert "no such character" in said(open_with(gone="true", token="Z"))


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "\U0001f44d"},
        {"width": "16"},
        {"width": "1024", "vocabulary": "50,000 words"},
        {"source": "from your text", "predict": "true"},
        {"gone": "true", "token": "␣"},
        {"gone": "true", "token": "↵"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(query):
    assert not open_with(**query).exception


@pytest.mark.parametrize("text", ["\u65e9\u4e0a", "x"])
def test_no_text_breaks_the_page(text):
    assert not open_with(text, gone="true").exception
