"""Activation patching: the story's numbers by hooks on the network alone, and the lab shows what core computes."""

import re

import numpy as np
import pytest
import torch

from core.figures.machine import bare
from core.lesson.choices.transformer_choice import vocabulary_named
from core.lesson.story import story_of, take_event
from core.models.self_attention.attentive_models import BACK, attentive_model
from core.models.transformers.patching import (
    ATTENTION,
    STREAM,
    PatchedPart,
    contrast_readings,
    partners,
    restored_by_head,
    restored_by_place,
)
from pages.transformers.patching import LESSON, OWN_A, OWN_B, UNRELATED, A, B
from pages.transformers.patching.page import KIND, MODEL
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
    try_prompt,
)

WORDS = LESSON.words
CHANGED, LAST = 4, 5  # places of both lines


# The story: hooks on the network's blocks, without the module that patches.


def token(name):
    return attentive_model("word_gpt").vocabulary.index(f" {name}")


def run(text, put=None, keep=None):
    """Return the logits after a text, and what each kept module puts out; `put(name, output)` may change an output."""
    model = attentive_model("word_gpt")
    network, ids, kept, hooks = model.network, model.read(text, keep or 400).ids, {}, []

    def hook(name):
        def change(_, inputs, output):
            one = output[0] if isinstance(output, tuple) else output
            changed = put(name, one.clone()) if put else one
            kept[name] = changed.clone()
            return (changed, *output[1:]) if isinstance(output, tuple) else changed

        return change

    def hook_input(_, inputs):
        one = inputs[0]
        changed = put("context.2", one.clone()) if put else one
        kept["context.2"] = changed.clone()
        return (changed, *inputs[1:])

    for layer, block in enumerate(network.blocks, 1):
        for kind, module in (
            ("stream", block),
            ("attention", block.attention),
            ("feed_forward", block.feed_forward),
        ):
            hooks.append(module.register_forward_hook(hook(f"{kind}.{layer}")))
    hooks.append(network.blocks[1].attention.project.register_forward_pre_hook(hook_input))
    with torch.no_grad():
        logits = network(ids[None])[0][0, -1].double()
    for each in hooks:
        each.remove()
    return logits, kept


def copied(name, place, donor=A, columns=slice(None)):
    """Return B's logits with what a module puts out at a place (None: everywhere) replaced by the donor's."""
    _, kept = run(donor)

    def put(this, output):
        if this == name:
            where = slice(None) if place is None else place
            flat, own = output.reshape(-1, output.shape[-1]), kept[name].reshape(-1, output.shape[-1])
            flat[where, columns] = own[where, columns]
        return output

    return run(B, put)[0]


def difference(logits):
    return float(logits[token("death")] - logits[token("the")])


def restored(logits):
    low, high = (difference(run(each)[0]) for each in (B, A))
    return (difference(logits) - low) / (high - low)


def words(beat, revealed=False, **changes):
    return said_in(document("patching", beat, revealed, **changes))


def nodes(beat, revealed=False):
    return {each["key"]: each for each in picture("patching", beat, revealed)["nodes"]}


def bars(beat, key, revealed=False):
    return {each["name"]: each["text"] for each in nodes(beat, revealed)[key]["bars"]}


def cells(beat, revealed=False, **changes):
    rows = picture("patching", beat, revealed, **changes)["rows"]
    return [[each["text"] for each in row["cells"]] for row in rows]


def done(**changes):
    return re.sub("<[^>]*>", "", document("patching", "own", **changes)["done"])


def test_both_lines_have_the_predictions_of_the_network():
    for side, text, answer in (("A", A, "death"), ("B", B, "the")):
        p = run(text)[0].softmax(-1)
        assert int(p.argmax()) == token(answer)
        for name, told in bars("two", f"{side}.bars").items():
            assert float(told.strip("<%")) == pytest.approx(100 * float(p[token(name)]), abs=0.51)
    assert "predicts death with 64%" in words("two") and "death has only 1%" in words("two")


def test_a_vector_of_the_changed_word_brings_the_answer_and_one_of_the_last_token_does_not():
    p = copied("stream.1", CHANGED).softmax(-1)
    assert int(p.argmax()) == token("death") and f"death with {p.max():.0%}" in words("copy")
    assert bars("copy", "next")["death"] == f"{p.max():.0%}"
    logits = copied("stream.1", LAST)
    assert int(logits.argmax()) == token("the")
    told = words("last", True)
    assert f"only {restored(logits):.0%} is restored" in told and "only 6%" in told
    assert document("patching", "last", True)["ask"]["answer"] == "b"
    assert nodes("last")["next"]["bars"] == [] and nodes("last")["next"]["title"] == "?"


def test_cells_that_depend_on_the_copy_have_its_hue():
    drawn = nodes("copy")
    for layer in range(5):
        for t in range(5):
            reached = layer > 1 and t >= CHANGED - 1
            copy = (layer, t) == (1, CHANGED - 1)
            assert (drawn[f"B.{layer}.{t}"]["hue"] == "ochre") == (reached or copy)


def test_the_scale_is_worked_from_the_logits():
    low, high, d = difference(run(B)[0]), difference(run(A)[0]), difference(copied("stream.1", CHANGED))
    drawn = picture("patching", "scale")
    shown = {row["mark"]: row["to"] for row in drawn["panels"][0]["rows"]}
    assert [shown[f"row.{each}"] for each in ("B", "A", "patched")] == pytest.approx([low, high, d], abs=1e-3)
    assert pytest.approx((d - low) / (high - low), abs=0.005) == (1.58 + 3.20) / (1.81 + 3.20)  # by hand
    assert drawn["sum"].endswith("= 96%") and "That is 96% of the way" in words("scale")


def test_in_layer_2_the_answer_moves_from_the_changed_word_to_the_last_token():
    drawn = cells("map")
    for layer in range(1, 5):
        for t in (CHANGED, LAST):
            share = restored(copied(f"stream.{layer}", t))
            assert float(drawn[layer][t - 1].strip("%")) == pytest.approx(100 * share, abs=0.51)
    assert all(row[t] == "0%" for row in drawn for t in range(3))
    told = words("map")
    assert "sent restores 96% and to only 6%" in told and "sent restores 23% and to 74%" in told


def test_one_head_alone_restores_more_than_half():
    d = attentive_model("word_gpt").network.config.width // 4
    share = restored(copied("context.2", None, columns=slice(0, d)))
    drawn = cells("heads", True)
    assert drawn[1][0] == f"{share:.0%}" == "71%" and "restores 71%" in words("heads", True)
    others = sorted(float(each.strip("%").replace("−", "-")) for row in drawn for each in row)[:-1]
    assert max(others) == 29 and "The next one restores 29%" in words("heads", True)
    assert sum(each <= 5 for each in others) > 8, "most restore nothing"
    assert cells("heads") == [["?"] * 4] * 4
    assert document("patching", "heads", True)["ask"]["answer"] == "one"


def test_that_head_attends_to_the_changed_word():
    model = attentive_model("word_gpt")
    with torch.no_grad():
        block = model.network.blocks[1]
        x = block.norm_before_attention(run(A)[1]["stream.1"].reshape(6, -1))
        q, k, _ = block.attention.to_query_key_value(x).chunk(3, -1)
        d = q.shape[-1] // 4
        weights = (q[LAST, :d] @ k[:, :d].T / d**0.5).softmax(-1)
    drawn = picture("patching", "link")
    assert [each["value"] for each in drawn["rows"][0]["bars"]] == pytest.approx(weights.tolist(), abs=1e-3)
    assert f"with weight {weights[CHANGED]:.2f}" in words("link") and drawn["links"][0]["to"] == CHANGED


def test_parts_at_the_last_token_restore_more_than_all_together():
    drawn = picture("patching", "parts")["panels"]
    for panel, kind in zip(drawn, ("attention", "feed_forward"), strict=True):
        for layer, row in enumerate(panel["rows"], 1):
            share = restored(copied(f"{kind}.{layer}", LAST))
            assert float(row["text"].strip("%")) == pytest.approx(100 * share, abs=0.51)
    assert "Attention in layer 2 restores 70%" in words("parts")
    assert "layer 3 restores 58%" in words("parts")


def test_an_unrelated_vector_restores_much_without_the_answer():
    _, kept = run(UNRELATED, keep=6)
    vector = kept["stream.3"].reshape(6, -1)[LAST]

    def put(name, output):
        if name == "stream.3":
            output.reshape(6, -1)[LAST] = vector
        return output

    logits = run(B, put)[0]
    p = logits.softmax(-1)
    assert f"restores {restored(logits):.0%}" in words("control") and f"{restored(logits):.0%}" == "82%"
    assert bare(attentive_model("word_gpt").vocabulary[int(p.argmax())]) in words("control")
    assert f"death has only {p[token('death')]:.1%}" in words("control")


def test_the_answer_shows_both_tokens_and_the_head():
    drawn = nodes("answer")
    assert [drawn[f"cell.{layer}.0"]["title"] for layer in range(5)] == [row[3] for row in cells("map")]
    assert [drawn[f"cell.{layer}.1"]["title"] for layer in range(5)] == [row[4] for row in cells("map")]
    assert "head 1 of layer 2" in words("answer").lower() and "restores 71% alone" in words("answer")


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        (OWN_A, OWN_B, "The last token takes over after layer 3."),
        (A, A, "both lines are the same"),
        ("Let him be put to", "Let him be put in", "It is the last token, so nothing has to move."),
        ("silver", "and gold and silver", "different lengths"),
        ("my father and my", "my son and my", "Both lines have the same prediction."),
        ("word " * 12, "words " * 12, "Only the first tokens"),
        ("مرحبا", "🦜", "restores most"),
        ("x", "y", "restores most"),
    ],
)
def test_of_any_two_lines_the_story_says_where_the_last_token_takes_over(a, b, told):
    assert told in done(a=a, b=b)


def test_the_pictures_of_the_story_report_nothing():
    assert all(take_event(beat, "pick", 3) == {} for beat in story_of("pages.transformers.patching"))


# The lab.


def read(name, A, B):
    model = attentive_model(name)
    ids = [model.read(each).ids for each in (A, B)]
    return contrast_readings(model.network, *ids), partners(*(each.tolist() for each in ids))


@pytest.fixture(scope="module")
def default():
    return open_lesson("patching", heads="true")


def drawn(app, place=0):
    """Return the numbers of a heat map, nan where it is blank."""
    return np.array(figures(app)[place]["data"][0]["z"], dtype=float)


def test_the_heat_map_the_bars_and_the_sentence_are_core_s(default):
    assert not default.exception
    found, pairs = read("word_gpt", OWN_A, OWN_B)
    expected = restored_by_place(found, STREAM, pairs, 0, found.A)
    np.testing.assert_allclose(drawn(default), expected, atol=1e-6)
    names = vocabulary_named("word_gpt")
    after = found.patched(PatchedPart(STREAM, 1, [(4, 4)]), found.A).double().softmax(-1)
    assert f"B then predicts “{names[int(after.argmax())]}” ({after.max():.1%})" in said(default)
    assert f"**{expected[1, 4]:.1%}** of the difference is restored" in said(default)
    before, patched = figures(default)[1]["data"]
    assert set(before["customdata"]) >= {names[found.a], names[found.b]}
    place = patched["customdata"].index(names[found.a])
    assert numbers(patched["y"])[place] == pytest.approx(float(after[found.a]))


def test_on_the_opening_sentences_the_answer_moves_from_the_changed_word_to_the_last_token(default):
    shares = drawn(default)
    assert shares[0].argmax() == 4
    assert shares[0, 4] == pytest.approx(1, abs=1e-4)
    assert shares[-1].argmax() == 5
    assert shares[-1, 5] == pytest.approx(1, abs=1e-4)
    assert "Layers 0 to" in said(default)
    assert "“5 ␣bread”" in said(default) and "“6 ␣and”" in said(default)


def test_the_table_counts_each_share_from_b_to_a(default):
    found, _ = read("word_gpt", OWN_A, OWN_B)
    table = table_with(open_lesson("patching"), "restored")
    low, high = found.ends
    np.testing.assert_allclose(table["restored"], (table["z_a − z_b"] - low) / (high - low))
    assert table["taken from"][4] == "␣silver"
    assert table["token of B"][4] == "␣bread"
    np.testing.assert_allclose(drawn(default).flatten(), table["restored"], atol=1e-6)


def test_the_heads_are_core_s_and_the_best_is_named(default):
    expected = restored_by_head(*read("word_gpt", OWN_A, OWN_B))
    np.testing.assert_allclose(drawn(default, 2), expected, atol=1e-6)
    layer, head = np.unravel_index(expected.argmax(), expected.shape)
    assert f"Head {head + 1} of layer {layer + 1} restores most alone: **{expected.max():.1%}**" in said(
        default
    )


def test_sentences_of_two_lengths_leave_places_blank_and_say_so():
    A, B = "Thou wil", "Then they wil"
    app = open_lesson("patching", a=A, b=B, model=BACK[1], kind="attention", layer=2)
    assert not app.exception
    found, pairs = read("char_gpt", A, B)
    np.testing.assert_allclose(
        drawn(app), restored_by_place(found, ATTENTION, pairs, 0, found.A), atol=1e-5, equal_nan=True
    )
    without = set(range(14)) - {here for here, _ in pairs}
    assert len(without) == 5
    assert "have no partner" in said(app)
    app = open_lesson("patching", a=A, b=B, model=BACK[1], place=min(without) + 1)
    assert "has no partner, so there is nothing to copy" in said(app)


def test_an_unrelated_text_is_read_in_a_s_place():
    app = open_lesson("patching", unrelated="true")
    values = list(metrics(app).values())
    found, pairs = read("word_gpt", OWN_A, OWN_B)
    model = attentive_model("word_gpt")
    assert values[0] == f"{restored_by_place(found, STREAM, pairs, 0, found.A)[1, 4]:.1%}"
    assert values[0] != values[1]
    table = table_with(app, "restored")
    donor = list(table["taken from"][:6])
    assert donor[0] == "↵" and donor[4:] != ["␣silver", "␣and"]
    ids = torch.tensor(
        [model.vocabulary.index(token.replace("␣", " ").replace("↵", "\n")) for token in donor]
    )
    other = model.trace(ids)
    expected = restored_by_place(found, STREAM, pairs, 0, other)
    np.testing.assert_allclose(drawn(app), expected, atol=1e-5)


def test_where_both_have_one_answer_it_is_said_who_speaks_for_them():
    A, B = "The king said to the", "The queen said to the"
    found, _ = read("word_gpt", A, B)
    app = open_lesson("patching", a=A, b=B)
    assert found.same == ("Both sentences lead to" in said(app))
    assert not found.same or "which gains most in A" in said(app)


def test_the_numbers_appear_after_the_guess():
    app = open_lesson("patching", predict="true")
    assert not figures(app)
    assert "of the difference is restored" not in said(app)
    assert not any("restored" in table.value for table in app.dataframe)
    found, pairs = read("word_gpt", OWN_A, OWN_B)
    shares = restored_by_place(found, STREAM, pairs, 0, found.A)
    right = question(app).options[[4, 5].index(int(np.nanargmax(shares[2])))]
    app = guess(app, right)
    assert "Right" in said(app)
    assert len(figures(app)) == 3


@pytest.mark.parametrize(
    "query",
    [
        {"a": "", "b": ""},
        {"a": "", "b": "x"},
        {"a": "x", "b": "", "kind": "head", "layer": 0, "head": 9},
        {"a": "same", "b": "same", "unrelated": "true"},
        {"a": "早上好 👍🏽", "b": "<b>$a$ `c`</b> 早上", "unrelated": "true", "place": 99},
        {"a": "word " * 60, "b": "words " * 60, "kind": "feed_forward", "layer": 9},
    ],
    ids=lambda query: str(query)[:40],
)
def test_no_sentence_and_no_end_of_a_control_breaks_the_page(query):
    name = "char_gpt" if "word " * 60 in query["a"] else "word_gpt"
    app = open_lesson("patching", model=name, heads="true", **query)
    assert not app.exception
    if query["a"] == query["b"]:
        assert "there is nothing to copy" in said(app)
        assert not figures(app)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_lesson("patching"), "patching", number).run()
    assert not app.exception and figures(app)
    assert bool(metrics(app)) == (number == 4)


@pytest.mark.parametrize("old", [*KIND.was, *MODEL.was])
def test_an_old_address_with_a_label_still_opens(old):
    of = KIND if old in KIND.was else MODEL
    app = open_lesson("patching", **{of.name: old})
    assert not app.exception and app.session_state[f"patching_{of.name}"] == of.was[old]
