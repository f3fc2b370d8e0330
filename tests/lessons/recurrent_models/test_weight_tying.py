"""The page on weight tying counts what the models have, and measures what one row is worth at each job."""

import pytest
import torch

from core.lesson.choices.language_model_choice import LABELS
from core.models.parameter_counts import counts_by_window
from core.models.recurrent_models.weight_tying import bits_without_row
from core.models.stored import load_json
from core.models.stored_language_models import character_models, encode, stored_language_model
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import figure, figures, metrics, numbers, open_lesson, said, table_with

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
    shown = [metrics(app)[f"Bits per character, {each}"] for each in ("whole", "broken")]
    assert shown == [f"{bits[name].mean():.3f}" for name in ("whole", "gone from both")]


def test_a_character_that_the_text_lacks_still_takes_part_in_every_softmax():
    app = open_with(cell="RNN", gone="true", token="Z")
    assert "no such character. Its logit still takes part in every softmax" in said(app)
    model = stored_language_model("char_rnn")
    ids = torch.tensor((model.start, *encode("char_rnn", TEXT[:1500]).ids))
    bits = bits_without_row(model.network, ids, model.vocabulary.index("Z"))
    assert metrics(app)["Bits per character, broken"] == f"{bits['gone from both'].mean():.3f}"
    assert (bits["gone from both"] != bits["whole"]).any()


def test_the_characters_that_were_read_are_counted():
    assert "the first 16 characters read of your text" in said(
        open_lesson("weight_tying", "He sees the sea.", cell="RNN", gone="true")
    )


ON = {"the default": None, "a play": sample("hamlet").read().text, "a short text": "He sees the sea."}


@pytest.mark.parametrize("text", ON.values(), ids=ON)
def test_a_row_set_to_nought_changes_its_picture_and_costs_bits(text):
    whole, broken = (open_lesson("weight_tying", text, cell="LSTM", gone=on) for on in ("false", "true"))
    place = [
        len(spec["data"]) == 1 and spec["data"][0]["type"] == "heatmap" for spec in figures(whole)
    ].index(True)
    assert numbers(figure(whole, place)) != numbers(figure(broken, place))
    before, after = (float(metrics(broken)[f"Bits per character, {each}"]) for each in ("whole", "broken"))
    assert after > before


def test_the_first_picture_shows_the_second_matrix_as_a_part_of_the_whole():
    app = open_with(cell="LSTM")
    bars = {trace["name"]: numbers(trace["x"]) for trace in figure(app)["data"]}
    assert bars["output matrix"] == [0, 10_000 * 160]
    tied, untied = (sum(values) for values in zip(*bars.values(), strict=True))
    assert (
        f"the LSTM learns {tied:,} numbers instead of {untied:,}: {(untied - tied) / untied:.0%} fewer"
        in said(app)
    )
    assert (untied - tied) / untied > 0.4


@pytest.mark.parametrize(
    ("cell", "width", "vocabulary"),
    [("LSTM", "320", "63 characters"), ("RNN", "16", "63 characters"), ("LSTM", "160", "50,000 words")],
)
def test_whether_the_lines_cross_is_said_as_it_is(cell, width, vocabulary):
    app = open_with(cell=cell, width=width, vocabulary=vocabulary)
    table = table_of(app)
    larger = table["window"][table["feed-forward"] > table[f"{cell}, tied"]]
    if larger.empty:
        assert "stays smaller" in said(app)
    elif len(larger) == len(table):
        assert "at every window" in said(app)
    else:
        first = int(said(app).split("From a window of **")[1].split("**")[0])
        assert table["window"][larger.index[0] - 1] < first <= larger.iloc[0]


def test_until_the_guess_no_count_is_on_the_page():
    app = open_with(predict="true")
    assert not app.metric
    assert not app.dataframe


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
