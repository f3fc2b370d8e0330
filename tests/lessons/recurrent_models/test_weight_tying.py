"""Weight tying: the story's counts and its row against a second reckoning; the lab counts, and measures one row."""

import numpy as np
import pytest
import torch

from core.lesson.choices.language_model_choice import LABELS
from core.models.parameter_counts import counts_by_window
from core.models.recurrent_models.weight_tying import bits_without_row
from core.models.stored import load_json
from core.models.stored_language_models import character_models, encode, stored_language_model
from core.text.samples.shelf import sample
from pages.recurrent_models.weight_tying.page import SIZES, sizes_of
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    metrics,
    numbers,
    open_lesson,
    picture,
    said,
    said_in,
    table_with,
)

TEXT = "The king sat by the sea. He saw the men and the ships come in. " * 4


FOLDS = {"windows": "true", "reached": "true", "row": "true"}


def open_with(text=TEXT, **query):
    """Return the lab with all its sections open."""
    return open_lesson("weight_tying", text, **{**FOLDS, **query})


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
    assert table["parameters"].to_dict() == cards
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
    shown = [metrics(app)[f"with the row{each}"] for each in ("", " set to 0")]
    assert shown == [f"{bits[name].mean():.3f}" for name in ("whole", "gone from both")]


def test_a_character_that_the_text_lacks_still_takes_part_in_every_softmax():
    app = open_with(cell="RNN", gone="true", token="Z")
    assert "no such character. Its logit still takes part in every softmax" in said(app)
    model = stored_language_model("char_rnn")
    ids = torch.tensor((model.start, *encode("char_rnn", TEXT[:1500]).ids))
    bits = bits_without_row(model.network, ids, model.vocabulary.index("Z"))
    assert metrics(app)["with the row set to 0"] == f"{bits['gone from both'].mean():.3f}"
    assert (bits["gone from both"] != bits["whole"]).any()


def test_the_characters_that_were_read_are_counted():
    assert "the first 16 characters of your text that we read" in said(
        open_with("He sees the sea.", cell="RNN", gone="true")
    )


ON = {"the default": None, "a play": sample("hamlet").read().text, "a short text": "He sees the sea."}


@pytest.mark.parametrize("text", ON.values(), ids=ON)
def test_a_row_set_to_nought_changes_its_picture_and_costs_bits(text):
    whole, broken = (open_with(text, cell="LSTM", gone=on) for on in ("false", "true"))
    place = [
        len(spec["data"]) == 1 and spec["data"][0]["type"] == "heatmap" for spec in figures(whole)
    ].index(True)
    assert numbers(figure(whole, place)) != numbers(figure(broken, place))
    before, after = (float(metrics(broken)[f"with the row{each}"]) for each in ("", " set to 0"))
    assert after > before


def test_the_first_picture_shows_the_second_matrix_as_a_part_of_the_whole():
    app = open_with(cell="LSTM")
    bars = {trace["name"]: numbers(trace["x"]) for trace in figure(app)["data"]}
    assert bars["output matrix"] == [0, 10_000 * 160]
    tied, untied = (sum(values) for values in zip(*bars.values(), strict=True))
    assert (
        f"the LSTM has {tied:,} parameters instead of {untied:,}: **{(untied - tied) / untied:.0%}** fewer"
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
        {"row": "false"},
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


def test_a_closed_section_leaves_the_notebook_its_first_character(notebook_cells):
    open_with(row="false")
    vocabulary = stored_language_model("char_lstm").vocabulary
    assert f"token = {vocabulary.index('e')}" in notebook_cells[1]


def test_the_notebook_erases_the_row_that_the_page_shows(notebook_cells, capsys):
    open_with(cell="GRU", token="a")
    exec("\n".join(cell for cell in notebook_cells[1:] if "draw(" not in cell), {})
    assert capsys.readouterr().out.startswith("a 25\n")


# The story: counted and computed a second time.


def beat_words(beat, *args, **changes):
    return said_in(document("weight_tying", beat, *args, **changes))


def bars_of(data):
    """Return {name: length} of every panel of the picture."""
    return [{row["name"]: row["to"] for row in panel["rows"]} for panel in data["panels"]]


def test_the_two_tables_have_a_row_for_each_character_of_the_stored_model():
    E = stored_language_model("char_lstm").network.embedding.weight
    assert tuple(E.shape) == (63, 160)
    assert "63 · 160 = 10,080" in beat_words("tables")
    for beat, tables in (("tables", {"read", "write"}), ("one", {"both"})):
        keys = {node["key"] for node in picture("weight_tying", beat)["nodes"]}
        assert keys & {"read", "write", "both"} == tables


def test_the_logit_is_the_row_times_the_state_plus_the_bias():
    model = stored_language_model("char_lstm")
    ids = torch.tensor((model.start, *encode("char_lstm", "My lord, I will not go to Rom").ids))
    logits = model.network(ids[None])[0][0, -1].double()
    e = model.vocabulary.index("e")
    nodes = {node["key"]: node for node in picture("weight_tying", "logit")["nodes"]}
    assert nodes["logit"]["title"] == f"z = {logits[e]:.2f}" and logits.argmax() == e
    assert nodes["logit"]["note"] == f"p(e) = {torch.softmax(logits, 0)[e]:.0%}"
    h, row, products = (
        [float(cell["text"].replace("−", "-")) for cell in nodes[key]["cells"]]
        for key in ("h", "row", "products")
    )
    np.testing.assert_allclose(np.multiply(h, row), products, atol=0.012)


def test_an_lstm_on_10_000_words_is_mostly_its_two_tables():
    lstm, linear = torch.nn.LSTM(160, 160), torch.nn.Linear(160, 10_000)
    cell = sum(each.numel() for each in lstm.parameters())
    output = linear.weight.numel()
    total = 2 * output + cell + linear.bias.numel()
    assert (cell, output, total) == (206_080, 1_600_000, 3_416_080)
    drawn = bars_of(picture("weight_tying", "parts", True))[0]
    assert list(drawn.values()) == [output, output, cell, 10_000]
    assert not any(bars_of(picture("weight_tying", "parts"))[0].values())
    assert f"{2 * output / total:.0%} of the parameters" in beat_words("parts", True)
    assert "1,816,080 instead of 3,416,080: 47% fewer" in beat_words("saving")
    assert bars_of(picture("weight_tying", "saving"))[0]["output matrix"] == 0


@pytest.mark.parametrize("V", SIZES)
def test_the_learner_is_told_whether_a_vocabulary_is_the_first_that_saves_more_than_two_fifths(V):
    told = document("weight_tying", "vocabularies", size=str(V))["done"]
    share = V * 160 / (2 * V * 160 + 206_080 + V)
    assert f"{share:.0%}" in told and sizes_of(V)["share"] == pytest.approx(share)
    assert ("Yes" in told) == (V == 5000)
    assert ("larger" in told) == (V < 5000)
    assert share < 0.5


def test_a_row_erased_where_it_is_read_harms_what_follows_and_where_it_is_written_what_it_predicts():
    model, play = stored_language_model("char_lstm"), sample("hamlet").read().text[-4000:]
    ids = torch.tensor((model.start, *encode("char_lstm", play).ids))
    bits = bits_without_row(model.network, ids, model.vocabulary.index("e"))
    e = torch.tensor([model.vocabulary[i] == "e" for i in ids.tolist()])
    drawn = bars_of(picture("weight_tying", "erased", True))
    for panel, place in zip(drawn, (e[1:], e[:-1]), strict=True):
        expected = [bits[job][place].mean() for job in ("whole", "gone when read", "gone when written")]
        np.testing.assert_allclose(list(panel.values()), expected)
    before, after = ([*panel.values()] for panel in drawn)
    assert after[1] > after[0] + 2 > before[1] - before[0] + 2 and before[1] < before[0] + 0.2
    assert before[2] > before[0] + 5 and after[2] < after[0] + 0.5
    covered = bars_of(picture("weight_tying", "erased"))
    assert [list(panel.values())[1] for panel in covered] == [0, 0]


def test_one_more_character_of_context_costs_what_the_stored_shapes_say():
    drawn = list(bars_of(picture("weight_tying", "window"))[0].values())
    wide, gpt = (load_json(name, "network")["shape"] for name in ("char_feedforward", "char_gpt"))
    per_place = wide["embedding"] * (wide["hidden"] + wide["vocabulary_size"])
    assert drawn == [per_place, gpt["width"], 0] == [18_400, 192, 0]


def test_the_second_matrix_of_published_models_is_that_of_their_shapes():
    drawn = list(bars_of(picture("weight_tying", "models"))[0].values())
    gpt2 = 50_257 * 768
    assert drawn[0] == pytest.approx(gpt2 / (124_439_808 + gpt2))
    assert drawn[2] == pytest.approx(128_256 * 4096 / 8_030_261_248)
    assert max(drawn) == drawn[0] and min(drawn) == drawn[3]
    assert "saves 24% by tying" in beat_words("models")


def test_the_answer_adds_up():
    titles = [node["title"] for node in picture("weight_tying", "answer")["nodes"]]
    assert titles[-1] == "1,816,080" and 1_600_000 + 206_080 + 10_000 == 1_816_080
    assert "1,816,080 instead of 3,416,080" in beat_words("answer")
