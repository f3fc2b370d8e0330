"""The lesson on writing shows the cache as it is, what it saves, and whether a model copies."""

import numpy as np
import pytest

from core.figures.transformers.gpt_writes import INDUCTION, ROWS
from core.figures.transformers.model_size import in_words
from core.models.generation.sampling import Settings
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.cached_writing import bits_without_past, write, writing_operations
from core.models.transformers.copier import stored_copier
from core.models.transformers.copying import copying, copying_without, repeated, twice, with_mark
from pages.transformers.gpt_writes import RANDOM, RANDOM_T, START, shape_of
from tests.lessons.lesson_page import figures, frames, metrics, open_lesson, said, table_with, unpacked

SETTINGS = Settings(temperature=0.7)
GPT = attentive_model("word_gpt")


def opened(text=None, **query):
    app = open_lesson("gpt_writes", text, **query)
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def first():
    return opened(below="Every number")


def test_the_steps_show_a_head_s_cache_row_by_row(first):
    ids = GPT.read(START).ids.tolist()
    written = write(GPT.network, ids, 8, SETTINGS, seed=1)
    shown = frames(first)
    assert len(shown) == 8
    for frame, each in zip(shown, written, strict=True):
        keys = each.cache[0][0][0, 0].numpy()
        panel = frame["picture"]["panels"][0]
        np.testing.assert_allclose(unpacked(panel["values"]).reshape(-1, panel["width"]), keys[-ROWS:])
        assert f"With {len(keys)} rows of keys and of values in each of 4 layers" in frame["said"]


def test_the_operations_are_those_of_core_and_so_is_how_many_times_as_many(first):
    operations = writing_operations(shape_of("word_gpt"), len(GPT.read(START).ids), 8)
    kept, anew = (sum(counts) for counts in operations.values())
    assert f"{in_words(kept)} operations with the cache, {in_words(anew)} without" in said(first)
    table = table_with(first, "with the cache")
    assert table["without"].tolist() == operations["without"]
    assert table["with the cache"].tolist() == operations["with the cache"]


@pytest.mark.parametrize("text", [None, "It was late. The cat sat on the mat. The dog sat on the cat."])
def test_without_the_cache_a_token_stands_alone_and_the_prompt_costs_more(text):
    app = opened(text, no_cache="true")
    prompt = START if text is None else "It was late. The cat sat on the mat. The dog sat on the cat."
    read = table_with(app, "with the cache") if app.dataframe else None
    assert read is None or len(read) == 8
    whole, alone = bits_without_past(GPT.network, GPT.read(prompt, 40).ids)
    assert metrics(app)["Bits per token of the prompt, whole"] == f"{whole:.3f}"
    assert metrics(app)["Bits per token of the prompt, broken"] == f"{alone:.3f}"
    assert "With 1 row of keys and of values" in frames(app)[-1]["said"]
    assert "if all were read anew" in frames(app)[-1]["said"]


def test_a_prompt_given_twice_costs_what_the_model_makes_of_it(first):
    found = copying(GPT.network, twice(GPT, GPT.encode(START).ids))
    costs = f"The first time a token costs {found.first.mean():.2f} bits, the second time {found.second.mean():.2f}"
    assert f"{costs}, on this one text of {len(GPT.encode(START).ids)} tokens" in said(first)


@pytest.mark.parametrize(
    ("name", "label"), [("word_gpt", "GPT, byte pairs"), ("char_gpt", "GPT, characters")]
)
def test_whether_there_is_an_induction_head_is_said_by_the_scores(name, label):
    app, model = opened(given=RANDOM, head_off="true", model=label), attentive_model(name)
    x = with_mark(model, repeated(len(model.vocabulary), RANDOM_T))
    found = copying(model.network, x)
    drawn = next(each for each in figures(app) if each["data"][0]["type"] == "heatmap")
    assert drawn["data"][0]["text"] == [[f"{score:.2f}" for score in row] for row in found.scores]
    text = said(app).replace("**", "")
    assert (f"An induction head: in {label}" in text) == (found.scores.max() >= INDUCTION)
    assert (f"No induction head: in {label}" in text) == (found.scores.max() < INDUCTION)
    without = copying_without(model.network, x, [found.best])
    assert metrics(app)["Bits per token, second time, whole"] == f"{found.second.mean():.3f}"
    assert metrics(app)["Bits per token, second time, broken"] == f"{without.second.mean():.3f}"


@pytest.mark.parametrize("text", [None, "It was late. The cat sat on the mat.", "早上好 to you, Zoë 👍🏽"])
def test_the_copier_copies_what_it_is_given_and_not_without_its_head(text):
    query = {"reader": "the copier", "head_off": "true", "typed": START if text is None else text}
    app, reader = opened(**query), stored_copier()
    ids = reader.encode(query["typed"]).ids
    head = copying(reader.network, with_mark(reader, repeated(len(reader.vocabulary), RANDOM_T))).best
    whole = copying(reader.network, twice(reader, ids))
    without = copying_without(reader.network, twice(reader, ids), [head])
    assert metrics(app)["Bits per token, second time, whole"] == f"{whole.second.mean():.3f}"
    assert metrics(app)["Bits per token, second time, broken"] == f"{without.second.mean():.3f}"
    assert whole.second.mean() < whole.first.mean() - 2 < without.second.mean()
    assert f"on this one text of {len(ids)} tokens" in said(app)
    V = stored_copier().network.config.vocabulary_size
    assert f"To guess among all {V} tokens alike costs {np.log2(V):.2f} bits" in said(app)


def test_of_three_readers_the_copier_alone_has_an_induction_head_and_a_long_prompt_is_cut_for_it():
    app = opened(reader="the copier", typed="the king " * 30)
    text = said(app).replace("**", "")
    assert "An induction head: in the copier, layer 2, head 2 puts 9" in text
    assert text.count("induction head: in") == 3
    assert "here the first 64 of 270" in text
    assert "on this one text of 64 tokens" in text


def test_until_the_guess_neither_text_nor_work_is_shown():
    app = opened(predict="true")
    assert not frames(app)
    assert "It writes" not in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "x", "length": "1", "no_cache": "true", "head_off": "true"},
        {"typed": "早上好 👍🏽", "model": "GPT, characters"},
        {"typed": "the king " * 60, "length": "16", "temperature": "0", "layer": "9", "head": "9"},
    ],
    ids=str,
)
def test_no_prompt_and_no_end_of_a_control_breaks_the_page(query):
    app = opened(**query)
    if query["typed"] in ("", "x"):
        assert "At least three tokens are needed" in said(app)
    if query.get("length") == "1":
        assert "The first token needs no cache" in said(app)
        assert "Without a past" not in said(app)
