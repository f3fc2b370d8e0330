"""KV cache and induction heads: the story's numbers are recomputed here; the lab shows what core computes."""

import json
import re

import numpy as np
import pytest
import torch

from core.figures.transformers.model_size import abbreviate_count
from core.models.generation.sampling import SamplingSettings
from core.models.self_attention.attentive_models import attentive_model
from core.models.transformers.cached_writing import bits_without_past, write_with_cache, writing_operations
from core.models.transformers.copier import stored_copier
from core.models.transformers.copying import (
    INDUCTION,
    Copying,
    copying,
    copying_without,
    head_weights,
    repeated,
    twice,
    with_mark,
)
from core.models.transformers.transformer_size import reading_operations
from pages.transformers.gpt_writes.figures import COLUMNS, ROWS, cache_frames, draw_steps
from pages.transformers.gpt_writes.page import (
    QUERY,
    RANDOM_LETTERS,
    RANDOM_T,
    START,
    changed,
    shape_of,
    twice_values,
)
from tests.lessons.lesson_page import (
    document,
    figures,
    frames,
    metrics,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
    unpacked,
)

LESSON = "gpt_writes"
GREEDY = SamplingSettings(temperature=0.0)
GPT = attentive_model("word_gpt")
COPIER = stored_copier()
OPENED = {"costs": "true", "head_numbers": "true", "twice": "true"}


def opened(text=None, **query):
    app = open_lesson(LESSON, text, **{**OPENED, **query})
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def first():
    return opened(below="Every number")


def plain(html):
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


# The story: `oracle` reads the whole text again for every token.


@torch.inference_mode()
def logits_after(ids):
    return GPT.network(torch.tensor([list(ids)]))[0][0, -1].double()


def oracle(start, n, alone=False):
    """Return n greedy tokens, each after the whole text, or after the last token alone, and its probabilities."""
    ids, chances = list(start), []
    for i in range(n):
        p = torch.softmax(logits_after(ids[-1:] if alone and i else ids), 0)
        chances.append(p.numpy())
        ids.append(int(p.argmax()))
    return ids[len(start) :], chances


PROMPT = GPT.read(START).ids.tolist()
WRITTEN, CHANCES = oracle(PROMPT, 8)
NAMES = ["↵", *(GPT.vocabulary[i].strip() for i in [*PROMPT[1:], *WRITTEN])]


def kinds(data):
    return [[cell["kind"] for cell in row["cells"]] for row in data["rows"]]


def test_the_prompt_s_six_tokens_leave_24_pairs():
    data, told = picture(LESSON, "prompt"), said_in(document(LESSON, "prompt"))
    assert [each["text"] for each in data["columns"]] == NAMES[:6] and kinds(data) == [["new"] * 6] * 4
    assert GPT.network.config.layers == 4 and "That makes 24 pairs" in told and "here “the”" in told
    assert data["sum"] == f"next token: the, p = {CHANCES[0].max():.2f}"


def test_the_text_is_what_reading_everything_again_writes():
    assert NAMES[6:] == ["the", "king", ",", "Go", "back", "to", "the", "king"]
    data = picture(LESSON, "grow")
    assert [each["text"] for each in data["columns"]] == NAMES[:-1]
    assert [row["name"] for row in data["rows"]] == NAMES[6:]


def test_old_keys_and_values_stay_and_one_column_is_new():
    asked, revealed = document(LESSON, "next"), document(LESSON, "next", True)
    assert revealed["ask"]["answer"] == "one" and "answer" not in asked["ask"]
    assert kinds(asked["picture"]["data"]) == [["open"] * 7] * 4
    assert kinds(revealed["picture"]["data"]) == [["kept"] * 6 + ["new"]] * 4
    with torch.inference_mode():
        before = GPT.network(torch.tensor([PROMPT]))[1]
        after = GPT.network(torch.tensor([[*PROMPT, WRITTEN[0]]]))[1]
    for old, new in zip(before, after, strict=True):
        for one, other in zip(old, new, strict=True):
            torch.testing.assert_close(other[:, :, :6], one)
    assert "all 24 old pairs stay" in said_in(revealed)


def test_each_token_is_read_once_with_the_cache_and_without_it_again_for_every_token():
    grow, again = picture(LESSON, "grow"), picture(LESSON, "again")
    for i, (cached, uncached) in enumerate(zip(kinds(grow), kinds(again), strict=True)):
        read = 6 + i
        assert cached.count("new") == (6 if not i else 1) and cached.count("kept") == (read - 1 if i else 0)
        assert uncached.count("new") + uncached.count("again") == read and "kept" not in uncached
    assert sum(row.count("new") for row in kinds(grow)) == 13
    assert "13 readings" in said_in(document(LESSON, "grow"))
    read = sum(row.count("new") + row.count("again") for row in kinds(again))
    assert f"That makes {read} readings" in said_in(document(LESSON, "again")) and read == 76


def test_operations_count_the_last_token_s_logits_only():
    shape = shape_of("word_gpt")
    parts = [reading_operations(shape, 6 + i) for i in range(8)]
    one = 2 * shape.vocabulary_size * shape.width
    uncached = [sum(n for part, n in each.items() if part != "logits") + one for each in parts]
    whole = [sum(each.values()) for each in parts]
    cached = [uncached[0], *np.diff(whole)]
    assert [row["total"] for row in picture(LESSON, "again")["rows"]] == [f"{n / 1e6:.1f}" for n in uncached]
    assert [row["total"] for row in picture(LESSON, "grow")["rows"]] == [f"{n / 1e6:.1f}" for n in cached]
    told = said_in(document(LESSON, "again"))
    assert (
        f"{sum(uncached) / 1e6:.0f} million operations" in told
        and f"takes {sum(cached) / 1e6:.0f} million" in told
    )
    assert f"a factor of {sum(uncached) / sum(cached):.1f}" in told and "a factor of 5.0" in told
    assert "5.0 times cheaper" in said_in(document(LESSON, "again", cached=True))


def test_without_the_cache_the_last_token_alone_decides():
    panels = picture(LESSON, "forgotten")["panels"]
    written, chances = oracle(PROMPT, 8, alone=True)
    for panel, p in zip(panels, (CHANCES[1], chances[1]), strict=True):
        order = np.argsort(-p)[:5]
        assert [row["name"] for row in panel["rows"]] == [GPT.vocabulary[i].strip() for i in order]
        np.testing.assert_allclose([row["to"] for row in panel["rows"]], p[order], atol=1e-5)
    told = said_in(document(LESSON, "forgotten"))
    assert "“king” 71%" in told and "“king” gets only 6%" in told
    text = "".join(GPT.vocabulary[i] for i in written)
    assert picture(LESSON, "forgotten")["sum"].splitlines()[1] == f"from the last word alone: {text.strip()}"
    assert text == " the king of the king of the king"


def copied(phrase):
    ids = COPIER.encode(phrase).ids
    ln_p = COPIER.network(torch.tensor([[*COPIER.before, *ids, *ids]]))[0].double().log_softmax(-1)[0]
    bits = [-float(ln_p[t, token]) / np.log(2) for t, token in enumerate([*ids, *ids])]
    return bits[1 : len(ids)], bits[len(ids) + 1 :]


def test_random_letters_cost_almost_nothing_the_second_time():
    asked, revealed = document(LESSON, "twice"), document(LESSON, "twice", True)
    once, again = copied(RANDOM_LETTERS)
    hidden, shown = asked["picture"]["data"], revealed["picture"]["data"]
    assert kinds(hidden)[1] == ["none", *["open"] * 7] and revealed["ask"]["answer"] == "little"
    for row, bits in zip(shown["rows"], (once, again), strict=True):
        assert [cell["text"] for cell in row["cells"]] == ["", *(f"{each:.1f}" for each in bits)]
        assert row["total"] == f"{np.mean(bits):.2f}"
    assert np.mean(once) > 8 * np.mean(again) and np.mean(again) < 1
    assert f"the mean is {np.mean(once):.1f} bits" in said_in(
        asked
    ) and "among 63 characters costs 6.0" in said_in(asked)
    assert f"costs {np.mean(again):.1f} bits on average" in said_in(revealed)
    assert np.argmax(again) == 0  # only the beginning is uncertain
    assert "0.71" not in json.dumps(asked)


def test_the_head_attends_to_what_followed_the_same_letter():
    data, told = picture(LESSON, "head"), said_in(document(LESSON, "head"))
    x = twice(COPIER, COPIER.encode(RANDOM_LETTERS).ids)
    weights = head_weights(COPIER.network, x[0])[1, 1, QUERY].detach().numpy()
    np.testing.assert_allclose([bar["value"] for bar in data["rows"][0]["bars"]], weights, atol=1e-4)
    (link,) = data["links"]
    names = [token["text"] for token in data["tokens"]]
    assert names == ["↵", *RANDOM_LETTERS, *RANDOM_LETTERS] and link["from"] == QUERY
    assert link["to"] == QUERY - len(RANDOM_LETTERS) + 1 == weights.argmax()
    assert names[link["to"]] == names[QUERY + 1] == "W" and names[QUERY] == "q"
    assert "The head puts 97% of its attention on the W" in told


def test_only_the_copier_has_an_induction_head_and_our_gpt_is_worse_than_guessing():
    rows = picture(LESSON, "models")["panels"][0]["rows"]
    for name, row in zip(("copier", "char_gpt", "word_gpt"), rows, strict=False):
        model = COPIER if name == "copier" else attentive_model(name)
        found = copying(model.network, with_mark(model, repeated(len(model.vocabulary), RANDOM_T)))
        assert row["to"] == pytest.approx(found.scores.max(), abs=1e-6)
        assert (row["kind"] == "best") == (found.scores.max() >= INDUCTION) == (name == "copier")
        assert (found.second.mean() > np.log2(len(model.vocabulary))) == (name != "copier")
    told = said_in(document(LESSON, "models"))
    assert "In the copier it is 99%" in told and "reaches only 7%" in told
    assert "21.9 bits the second time" in plain(document(LESSON, "models")["measured"])


@pytest.mark.parametrize("phrase", ["good morning", "the king said", "xkcdQWERTYuiop"])
def test_the_learner_s_phrase_is_read_twice_and_copied_only_with_the_head(phrase):
    whole, off = (document(LESSON, "own", phrase=phrase, head_off=each) for each in (False, True))
    once, again = copied(phrase)
    assert [row["total"] for row in whole["picture"]["data"]["rows"]] == [
        f"{np.mean(once):.2f}",
        f"{np.mean(again):.2f}",
    ]
    assert f"only {np.mean(again):.1f}" in plain(whole["done"])
    ids = COPIER.encode(phrase).ids
    without = copying_without(COPIER.network, twice(COPIER, ids), [(1, 1)]).second.mean()
    assert off["picture"]["data"]["rows"][1]["total"] == f"{without:.2f}"
    assert f"costs {without:.1f} bits the second time" in plain(off["done"]) and without > 2 * np.mean(again)


@pytest.mark.parametrize(
    ("phrase", "says"),
    [
        ("x", "you see another phrase"),
        ("🦜 مرحبا", "bits"),
        ("hello", "not much of a copy"),
        ("Heute war es sehr kalt.", "The copier found it again"),
        ("aaaaaaaa", "bits"),
    ],
)
def test_any_phrase_has_a_sentence(phrase, says):
    found = document(LESSON, "own", phrase=phrase)
    assert says in plain(found["done"]), plain(found["done"])
    assert len(found["picture"]["data"]["columns"]) <= 16


def test_the_answer_counts_what_is_kept():
    data, told = picture(LESSON, "answer"), said_in(document(LESSON, "answer"))
    assert kinds(data) == [["kept"] * 13 + ["open"]] * 4
    with torch.inference_mode():
        cache = GPT.network(torch.tensor([[*PROMPT, *WRITTEN[:-1]]]))[1]
    kept = sum(part.numel() for layer in cache for part in layer)
    assert f"{kept:,} for these 13 tokens" in told and f"keeps {kept // 13:,} numbers per token" in told
    assert data["sum"] == "2 (key and value) × 4 layers × 128 dimensions = 1,024 numbers per token"


# The lab.


def test_the_first_picture_has_a_row_for_each_written_token(first):
    data = sent(first, "token_grid")
    assert [row["name"] for row in data["rows"]] == [GPT.vocabulary[i].replace(" ", "␣") for i in WRITTEN]
    assert kinds(data) == kinds(picture(LESSON, "grow"))
    operations = writing_operations(shape_of("word_gpt"), 6, 8)
    saved = sum(operations["uncached"]) - sum(operations["cached"])
    assert f"The cache saves **{abbreviate_count(saved)}** operations" in said(first)


def test_a_long_text_s_grid_has_its_newest_tokens():
    data = draw_steps([f"t{i}" for i in range(71)], 64, [1] * 7, most=COLUMNS)
    assert len(data["columns"]) == COLUMNS and data["columns"][0]["text"] == f"… {71 - COLUMNS}"
    assert all(len(row["cells"]) == COLUMNS for row in data["rows"]) and data["gap"] == 64 - (70 - COLUMNS)


def test_the_steps_show_a_head_s_cache_row_by_row_from_the_first_token_on(first):
    written = write_with_cache(GPT.network, PROMPT, 8, GREEDY, seed=1)
    shown = frames(first)
    assert len(shown) == 8
    for frame, each in zip(shown, written, strict=True):
        keys = each.cache[0][0][0, 0].numpy()
        panel = frame["picture"]["panels"][0]
        np.testing.assert_allclose(unpacked(panel["values"]).reshape(-1, panel["width"]), keys[-ROWS:])
        assert f"With {len(keys)} rows of keys and of values in each of 4 layers" in frame["said"]
    assert sent(first, "steps").get("start", 0) == 0


def test_a_frame_of_one_row_reads_well():
    (only,) = write_with_cache(GPT.network, PROMPT[:1], 1, GREEDY, seed=1)
    names = ["↵", GPT.vocabulary[only.token]]
    operations = {"cached": [2], "uncached": [2]}
    (frame,) = cache_frames([only], names, GPT.vocabulary, (0, 0), operations, 4)
    assert "With 1 row of keys" in frame["said"] and "the same without the cache" in frame["said"]


def test_the_operations_are_those_of_core_and_so_is_how_many_times_as_many(first):
    operations = writing_operations(shape_of("word_gpt"), len(PROMPT), 8)
    kept, again = (sum(counts) for counts in operations.values())
    assert f"{abbreviate_count(kept)} operations with the cache, {abbreviate_count(again)} without" in said(
        first
    )
    table = table_with(first, "with the cache")
    assert table["without"].tolist() == operations["uncached"]
    assert table["with the cache"].tolist() == operations["cached"]


@pytest.mark.parametrize("text", [None, "It was late. The cat sat on the mat. The dog sat on the cat."])
def test_without_the_cache_a_token_stands_alone_and_the_prompt_costs_more(text):
    app = opened(text, no_cache="true", **({} if text is None else {"source": "from your text"}))
    whole, alone = (float(value) for value in list(metrics(app).values())[:2])
    if text is None:
        assert (whole, alone) == pytest.approx(bits_without_past(GPT.network, GPT.read(START).ids), abs=1e-3)
    assert whole < alone
    assert all(row.count("kept") == 0 and row.count("new") == 1 for row in kinds(sent(app, "token_grid"))[1:])
    assert "With 1 row of keys and of values" in frames(app)[-1]["said"]
    assert "if everything is read again" in frames(app)[-1]["said"]


def test_a_prompt_given_twice_costs_what_the_model_makes_of_it(first):
    found = copying(GPT.network, twice(GPT, GPT.encode(START).ids))
    costs = f"The first time a token costs {found.first.mean():.2f} bits, the second time **{found.second.mean():.2f}**"
    assert f"{costs}, on this one text of {len(GPT.encode(START).ids)} tokens" in said(first)


@pytest.mark.parametrize(("name", "old"), [("word_gpt", "GPT, byte pairs"), ("char_gpt", "GPT, characters")])
def test_whether_there_is_an_induction_head_is_said_by_the_scores(name, old):
    app, model = opened(given="random tokens", head_off="true", model=old), attentive_model(name)
    x = with_mark(model, repeated(len(model.vocabulary), RANDOM_T))
    found = copying(model.network, x)
    drawn = next(each for each in figures(app) if each["data"][0]["type"] == "heatmap")
    assert drawn["data"][0]["text"] == [[f"{score:.2f}" for score in row] for row in found.scores]
    table = table_with(app, "induction head").set_index("model")
    assert table["induction head"].to_dict() == {
        "GPT, byte pairs": False,
        "GPT, characters": False,
        "copier": True,
    }
    assert table["score"][old] == pytest.approx(found.scores.max())
    without = copying_without(model.network, x, [found.best])
    assert metrics(app)["with the head"] == f"{found.second.mean():.3f}"
    assert metrics(app)["without it"] == f"{without.second.mean():.3f}"
    assert "is worse than guessing" in said(app)


@pytest.mark.parametrize("text", [None, "It was late. The cat sat on the mat.", "早上好 to you, Zoë 👍🏽"])
def test_the_copier_copies_what_it_is_given_and_not_without_its_head(text):
    query = {"reader": "the copier", "head_off": "true", "typed": START if text is None else text}
    app = opened(**query)
    ids = COPIER.encode(query["typed"]).ids
    whole = copying(COPIER.network, twice(COPIER, ids))
    without = copying_without(COPIER.network, twice(COPIER, ids), [(1, 1)])
    assert metrics(app)["with the head"] == f"{whole.second.mean():.3f}"
    assert metrics(app)["without it"] == f"{without.second.mean():.3f}"
    assert whole.second.mean() < whole.first.mean() - 2 < without.second.mean()
    assert f"on this one text of {len(ids)} tokens" in said(app)


def test_a_long_prompt_is_cut_for_the_copier():
    app = opened(reader="copier", typed="the king " * 30)
    assert "here the first 64 of 270" in said(app) and "on this one text of 64 tokens" in said(app)


def test_until_the_guess_neither_text_nor_work_is_shown():
    app = open_lesson(LESSON, predict="true")
    assert not frames(app) and not mounted(app)
    assert "It writes" not in said(app)


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "x", "length": "1", "no_cache": "true", "head_off": "true"},
        {"typed": "早上好 👍🏽", "model": "char_gpt"},
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


def test_two_means_over_sequences_are_compared_by_the_interval_of_their_difference():
    bits, scores = np.random.default_rng(0).normal(5, 0.1, (8, 6)), np.array([[0.1, 0.93]])
    spread = np.linspace(-0.289, 0.289, 8)[:, None]
    less = twice_values(Copying(bits, bits - 3 - spread, scores))
    assert less["verdict"] == "less" and (round(less["low"], 2), round(less["high"], 2)) == (2.83, 3.17)
    assert twice_values(Copying(bits, bits + 1 + spread, scores))["verdict"] == "more"
    around = bits + np.array([1, -1] * 4)[:, None]
    assert twice_values(Copying(bits, around, scores))["verdict"] == "close"
    assert twice_values(Copying(bits[:1], bits[:1], scores))["verdict"] == "single"


def test_what_a_head_was_worth_has_an_interval_over_sequences():
    rows, wobble = np.full((4, 3), 5.0), np.array([-0.1, 0.1, -0.1, 0.1])[:, None]
    assert changed(rows, rows + 1 + wobble) == pytest.approx(
        (1.0, 0.82, 1.18), abs=0.005
    )  # 3.182 * 0.1155 / 2
    assert changed(rows[:1], rows[:1] + 1) == (1.0, 0.0, 0.0)
