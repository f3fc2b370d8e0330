"""Forcing attention, words and beginnings: the story's numbers, and a lab that shows what core translates then."""

import base64
import json
import re

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.lesson.choices.translator_choice import DATES, FRENCH, TASKS, held_out_pairs, translator_of
from core.models.translation.fit_translation import pad_sentences
from core.models.translation.translate import greedy, greedy_all, onto, rescored
from core.models.translation.what_if import WhatIf, changed_places, changes
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences
from core.words.numbers import signed
from pages.translation.translation_what_if import LESSON, LINE
from pages.translation.translation_what_if.figures import compared_steps, worked_probability
from pages.translation.translation_what_if.page import (
    MEASURED,
    forced_in,
    marked_sentence,
    pin,
    split_counts,
    wrong_looks,
)
from tests.lessons.lesson_page import (
    document,
    guess,
    open_lesson,
    picture,
    prompts,
    said,
    said_in,
    table_with,
    views,
)

EXAMPLE = TASKS[FRENCH].example
NAME = "translate_french_additive"
WORDS = tuple("the woman does not buy the red car .".split())
SENTENCE = " ".join(WORDS)

# The story. An oracle of its own: the decoder run step by step, its context put together here.

MODEL = translator_of(NAME)
READ = "the rich queen does not sell the white cars .".split()
FREE = "la reine riche ne vend pas les voitures blanches . <end>".split()


@torch.inference_mode()
def by_hand(forced=None, beginning=(), words=READ):
    """Return the output words, with the context of a forced step replaced by one encoder state."""
    model, forced = MODEL.model, forced or {}
    encoded = model.encode(torch.tensor([MODEL.source.encode(words)]))
    state, previous, written, chances = model.first_state(encoded), 1, [], []
    while previous != 2 and len(written) < 60:
        step = model.decode(torch.tensor([[previous]]), state, encoded)
        state, c, t = step.state[:, 0], step.context[0, 0], len(written)
        if t in forced:
            c = encoded.states[0, forced[t]]
        p = model.W_s(torch.tanh(model.W_c(torch.cat((c, state[0]))))).softmax(0)
        previous = MODEL.target.ids[beginning[t]] if t < len(beginning) else int(p.argmax())
        chances.append(float(p[previous]))
        written.append(MODEL.target.words[previous])
    return written, chances


def bold(beat, revealed=False, /, **changes):
    found = document("translation_what_if", beat, revealed, **changes)
    return re.search(r"<strong>(.*?)</strong>", found.get("done") or found["words"])[1]


def words_of(beat, revealed=False, /, **changes):
    return said_in(document("translation_what_if", beat, revealed, **changes))


def column(beat, key, revealed=False, /, **changes):
    """Return the words of one column of a picture, and which of them have the colour of what changed."""
    nodes = [
        n for n in picture("translation_what_if", beat, revealed, **changes)["nodes"] if n["kind"] == "token"
    ]
    found = [node for node in nodes if node["key"].startswith(f"{key}.")]
    return [node["title"] for node in found], [node["title"] for node in found if node["hue"] == "vermillion"]


def test_without_force_the_story_s_sentence_comes_out_right():
    assert by_hand()[0] == FREE == [*TASKS[FRENCH].reference(tuple(READ)).target, "<end>"]
    assert TASKS[FRENCH].read(LINE) == READ


def test_forced_onto_queen_one_word_changes():
    written, _ = by_hand({7: 2})
    assert column("force", "out") == (written, ["reine"]) and column("force", "was")[0] == FREE
    assert [a for a, b in zip(written, FREE, strict=True) if a != b] == ["reine"] and bold("force") == "1"


def test_forced_onto_rich_it_writes_the_plural_and_until_the_guess_no_word_is_sent():
    written, chances = by_hand({7: 1})
    assert written[7] == "riches" and bold("form", True) == f"{chances[7]:.0%}" == "44%"
    assert column("form", "out", True) == (written, ["riches"])
    assert column("form", "out")[0] == [*FREE[:7], "?"]
    assert "44%" not in json.dumps(document("translation_what_if", "form"))


def test_the_form_follows_the_article_that_the_decoder_has_read():
    before = FREE[:6]
    made = {article: by_hand({7: 3}, (*before, article))[0][7] for article in ("la", "le", "les")}
    assert made == {"la": "école", "le": "médecin", "les": "arbres"}
    assert by_hand({7: 1}, (*before, "le"))[0][7] == "riche"


def test_ten_input_words_give_ten_words_and_odd_ones_are_less_probable():
    made = [by_hand({7: s}) for s in range(10)]
    written, p = [each[0][7] for each in made], [each[1][7] for each in made]
    assert column("each", "out")[0] == written and bold("each") == str(len(set(written))) == "10"
    assert (written[3], written[9], written[5]) == ("arbres", "chaises", "vendent")
    assert max(p[3], p[9]) < 0.35 < min(p[s] for s in (1, 2, 5, 7, 8))


def test_pas_is_written_wherever_three_of_nine_other_words_take_its_attention():
    made = [by_hand({5: s}) for s in range(10)]
    others = [each[0][5] for s, each in enumerate(made) if s != 4]
    assert made[2][0] == FREE and f"{made[2][1][5]:.0%}" == "93%" and "93%" in words_of("stays", True)
    assert bold("stays", True) == str(others.count("pas")) == "3" and others.count("jamais") == 3
    assert column("stays", "out")[0] == [*FREE[:5], "?"] and column("stays", "out", True) == (FREE, [])


def test_forced_onto_the_full_stop_the_sentence_ends():
    assert by_hand({2: 9})[0] == "la reine . <end>".split() == column("spread", "out")[0]
    assert bold("spread") == "7" and "“La reine.”" in words_of("spread")


def test_a_forced_first_word_makes_the_verb_a_plural_that_still_attends_to_sell():
    written, _ = by_hand(beginning=("les",))
    assert column("beginning", "out") == (written, ["vendent"]) and bold("beginning") == "2"
    steps = rescored(MODEL.model, MODEL.source.encode(READ), MODEL.target.encode(written)).steps
    assert written[0] == "les" and READ[int(steps.weights[0, 4].argmax())] == "sell"
    assert f"({float(steps.weights[0, 4].max()):.0%})" in words_of("beginning")


def test_the_grid_counts_what_each_of_a_hundred_edits_changes():
    counts = np.array([[changes(FREE, by_hand({t: s})[0]) for s in range(10)] for t in range(10)])
    shown = picture("translation_what_if", "grid")["figure"]["data"][0]
    assert shown["text"] == [[str(n) for n in row] for row in counts]
    own = [0, 2, 1, 4, 5, 4, 6, 8, 7, 9]
    moved = np.delete(counts, np.ravel_multi_index((range(10), own), (10, 10)))
    assert (
        len(moved) == 90
        and bold("grid") == str((moved == 1).sum())
        and f"{(moved == 0).sum()} change nothing" in (words_of("grid"))
    )
    assert (counts == 0).sum(1).argmax() == 5 and counts.max() == 7
    damage = counts.sum(0)
    assert set(np.argsort(-damage)[:2]) == {0, 9}, "the first word and the full stop do most damage"
    assert (counts > 5).any(), "an edit that changes more than five words can be found"


@pytest.mark.parametrize(("at", "onto"), [(3, 10), (6, 3), (8, 9), (10, 5), (1, 1)])
def test_the_learner_s_edit_is_what_the_decoder_does_then(at, onto):
    written, _ = by_hand({at - 1: onto - 1})
    done = document("translation_what_if", "own", at=str(at), onto=str(onto))["done"]
    n = changes(FREE, written)
    assert f"<strong>{n} word{'' if n == 1 else 's'}</strong> {'changes' if n == 1 else 'change'}" in done
    assert column("own", "out", at=str(at), onto=str(onto))[0] == written


def test_one_forced_step_changes_86_of_100_sentences_and_later_words_only_through_its_own():
    chance, found = np.random.default_rng(1), {"stay": 0, "one": 0, "many": 0}
    for pair in held_out_pairs(FRENCH, 3, MEASURED):
        before = WhatIf(pair.source).translated(MODEL)
        weights = before.weights
        t = int(chance.integers(len(weights)))
        s = int(chance.choice([s for s in range(len(pair.source)) if s != int(weights[t].argmax())]))
        free, forced = before.outputs, by_hand({t: s}, words=pair.source)[0]
        assert free == forced or free[t] != forced[t]
        rest = free[:t] + free[t + 1 :] == forced[:t] + forced[t + 1 :]
        found["stay" if free == forced else "one" if rest else "many"] += 1
    assert found == split_counts(FRENCH, NAME) == {"stay": 14, "one": 29, "many": 57}
    assert "in 86 of 100 sentences" in words_of("answer")


# The lab.


def open_with(**query):
    return open_lesson("translation_what_if", **query)


def test_nothing_forced_changes_nothing():
    app = open_with(text_fr=SENTENCE)
    before, after = views(app)
    assert before["outputs"] == after["outputs"]
    assert before["heads"] == after["heads"]
    assert ":orange-background" not in said(app)


def test_a_forced_step_looks_at_its_word_alone_and_the_page_shows_what_core_writes_then():
    app = open_with(text_fr=SENTENCE, forced="4:3")
    translator = translator_of(NAME)
    made = greedy(translator.model, translator.source.encode(WORDS), forced={3: onto(2, len(WORDS))})
    _, after = views(app)
    assert after["outputs"] == [translator.target.words[i] for i in made.words]
    assert after["marked"] == [[3, 2]]
    unforced = rescored(translator.model, translator.source.encode(WORDS), made.words)
    values = [metric.value for metric in app.metric]
    assert values[1:] == [signed(made.log_probability, 3), signed(unforced.log_probability, 3)]


@given(t=st.integers(0, 9), s=st.integers(0, len(WORDS) - 1))
@settings(max_examples=25, deadline=None)
def test_forced_attention_changes_only_what_follows(t, s):
    translator = translator_of(NAME)
    before = WhatIf(WORDS).translated(translator)
    after = WhatIf(WORDS, forced={t: s}).translated(translator)
    assert after.outputs[:t] == before.outputs[:t]
    np.testing.assert_allclose(after.weights[:t], before.weights[:t], atol=1e-6)


def test_many_sentences_forced_at_once_come_out_as_one_by_one():
    translator, words = translator_of(NAME), [WORDS, ("the", "old", "cat", "sleeps", ".")]
    sources = [translator.source.encode(each) for each in words]
    forced = torch.full((2, 60, len(WORDS)), torch.nan)
    forced[0, 3], forced[1, 1] = onto(2, len(WORDS)), onto(1, len(WORDS))
    together, _ = greedy_all(translator.model, pad_sentences(sources), 60, forced)
    for row, source, (t, s) in zip(together.tolist(), sources, ((3, 2), (1, 1)), strict=True):
        alone = greedy(translator.model, source, forced={t: onto(s, len(source))}).words
        assert row[: len(alone)] == alone


def test_buttons_force_one_step_after_another_and_reset_takes_all_back():
    app = open_with(text_fr=SENTENCE, at="4 achète", onto="3 does")
    press(app, "Force it")
    assert app.text_input(key="translation_what_if_forced").value == "4:3"
    app.selectbox(key="translation_what_if_at").set_value(6).run()
    press(app, "Force it")
    assert app.text_input(key="translation_what_if_forced").value == "4:3, 7:3"
    press(app, "Reset")
    assert app.text_input(key="translation_what_if_forced").value == ""
    before, after = views(app)
    assert before["outputs"] == after["outputs"]


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception


def test_a_cell_pinned_in_the_picture_is_what_will_be_forced():
    LESSON.set_state("at", None)
    pin(
        [0, 1, None, 2], {"output": 3, "input": 2}
    )  # the third row is empty: a word that only the other side has
    assert (LESSON.get_state("at"), LESSON.get_state("onto")) == (2, 2)
    for nowhere in (None, {"output": 2, "input": 0}, {"output": 9, "input": 0}):
        pin([0, 1, None, 2], nowhere)
        assert (LESSON.get_state("at"), LESSON.get_state("onto")) == (2, 2)


def test_a_replaced_word_is_read_in_place_of_the_old_one():
    app = open_with(text_fr=SENTENCE, replace="2 woman", by="women")
    assert views(app)[0]["inputs"][1] == "woman"
    assert views(app)[1]["inputs"] == [*WORDS[:1], "women", *WORDS[2:]]
    assert "The women does not buy the red car." in said(app)


def test_a_forced_beginning_is_written_first_and_a_word_that_cannot_be_is_named():
    app = open_with(text_fr=SENTENCE, prefix="elle est xyzzy")
    assert views(app)[1]["outputs"][:2] == ["elle", "est"]
    assert "“xyzzy”" in said(app)
    assert app.text_input(key="translation_what_if_prefix").value == "elle est xyzzy"


def test_two_sentences_are_compared():
    app = open_with(text_fr=SENTENCE, compare="true", text_fr_2="the men buy the red cars .")
    assert views(app)[1]["inputs"] == "the men buy the red cars .".split()


def test_what_is_measured_is_core_s():
    shares = wrong_looks(FRENCH, NAME)
    counts = split_counts(FRENCH, NAME)
    app = open_with(measured="true")
    assert f"stays the same in **{counts['stay']}**" in said(app)
    assert sum(counts.values()) == MEASURED and counts["stay"] == round(MEASURED * shares.unchanged)


def test_pairs_that_cannot_be_forced_are_left_out():
    assert forced_in("1:1, 2 : 3", 3) == {0: 0, 1: 2}
    assert forced_in("0:1, 1:0, 1:9", 3) == {}
    assert "We leave out anything else" in said(open_with(forced="7-6, <b>, 4:99"))


def test_what_changed_is_marked_and_its_signs_are_harmless():
    assert changed_places(["a", "b"], ["a", "c", "b"]) == {1}
    assert marked_sentence(["a"], ["<end>", "a"]) == r":orange-background[**\<end\>**] a"


def test_a_prediction_hides_what_comes_after():
    app = open_with(text_fr=SENTENCE, forced="4:3", predict="true")
    assert len(views(app)) == 1
    assert not any("p after" in each.value for each in app.dataframe)
    guess(app, "nothing")
    assert len(views(app)) == 2


@pytest.mark.parametrize(
    "query",
    [
        {"task": DATES, "forced": "6:10, 7:10", "prefix": "19"},
        {"task": DATES, "prefix": "👍 مرحبا"},
        {"text_fr": "", "replace": "3 x", "forced": "999:999"},
        {"text_fr": "<b>$x$</b> 👍🏽", "prefix": "[z](w)"},
        {"source": "generated", "length": "25", "compare": "true", "source_2": "generated", "length_2": "3"},
        {"replace": "99 nothing", "by": "nothing", "at": "99", "onto": "99"},
    ],
    ids=ascii,
)
def test_no_end_of_a_control_breaks_the_page(query):
    assert not open_with(**query).exception


def test_every_task_can_be_forced():
    for task in TASKS.values():
        app = open_with(task=task.label, forced="1:1")
        assert views(app)[1]["marked"] == [[0, 0]]


PLAY = next(s for s in sentences(sample("hamlet").read().text) if 4 <= len(s) <= 8)


def test_it_opens_on_the_car_that_looks_at_tired():
    app = open_with()
    before, after = views(app)
    assert before["outputs"][6] == "voiture"
    assert after["outputs"][6] == "fatiguée"
    assert after["marked"] == [[6, 11]]
    assert (
        "Forced onto “tired”, step 7 writes “fatiguée” in place of “voiture”. In all, **1 word** of the output changed."
        in said(app)
    )


def test_another_sentence_is_not_forced_and_what_was_taken_back_stays_so_in_the_address():
    app = open_with()
    app.text_input[0].set_value("The cat sleeps.").run()
    assert app.text_input(key="translation_what_if_forced").value == ""
    assert not views(app)[1]["marked"]
    for nothing in ("", "none"):
        app = open_with(forced=nothing)
        assert not views(app)[1]["marked"]
        assert "We leave out anything else" not in said(app)


@pytest.mark.parametrize(
    "query", [{}, {"forced": "7:1"}, {"forced": "", "replace": "2 woman", "by": "women"}]
)
def test_both_pictures_offer_the_gold_alignment_or_neither_so_that_their_rows_stand_level(query):
    before, after = views(open_with(**query))
    assert bool(before["gold"]) == bool(after["gold"])
    for row, s in after["gold"]:
        assert [row, s] in before["gold"]


@pytest.mark.parametrize("query", [{}, {"forced": "7:1"}])
def test_words_that_stayed_keep_their_gold_links(query):
    before, after = views(open_with(**query))
    changed = {row for row, word in enumerate(after["outputs"]) if word != before["outputs"][row]}
    assert {tuple(link) for link in before["gold"]} - {tuple(link) for link in after["gold"]} == {
        tuple(link) for link in before["gold"] if link[0] in changed
    }


def test_rows_stay_beside_each_other_when_the_output_grows():
    app = open_with(text_fr=EXAMPLE, forced="7:1")  # la belle voiture: a word more
    before, after = views(app)
    assert len(before["outputs"]) == len(after["outputs"])
    pairs = list(zip(before["outputs"], after["outputs"], strict=True))
    assert ("", "belle") in pairs
    assert all(one == other for one, other in pairs if one)
    table = table_with(app, "p after").fillna({"before": "", "after": ""})
    assert list(zip(table["before"], table["after"], strict=True)) == pairs
    row = pairs.index(("", "belle"))
    assert after["marked"] == [[row, 0]]
    assert np.isnan(weights_of(before)[row]).all()


def weights_of(view):
    weights = np.frombuffer(base64.b64decode(view["heads"][0]["weights"]), "<f4")
    return weights.reshape(len(view["outputs"]), len(view["inputs"]))


@pytest.mark.parametrize("text", [EXAMPLE, " ".join(PLAY), "The cat sleeps."])
def test_one_wrong_look_changes_the_picture_and_the_page_says_what_came_of_it(text):
    app = open_with(text_fr=text, forced="", wrong="true")
    before, after = views(app)
    [[row, s]] = after["marked"]
    assert weights_of(after)[row, s] == 1
    assert weights_of(before)[row].argmax() != s
    count = changes([w for w in before["outputs"] if w], [w for w in after["outputs"] if w])
    assert f"In all, **{count} word" in said(app)


def test_a_single_input_cannot_be_looked_away_from():
    assert not views(open_with(text_fr="?", wrong="true"))[1]["marked"]


@pytest.mark.parametrize("label", list(TASKS))
def test_a_wrong_look_costs_every_task_some_of_its_outputs(label):
    shares = wrong_looks(label, TASKS[label].models["additive"])
    assert shares.unchanged < 0.7
    assert shares.unchanged <= min(shares.same_word, shares.same_others)


@pytest.mark.parametrize(
    ("settings", "written"),
    [
        ({"forced": "4:3"}, None),
        ({"forced": "none", "replace": "2 woman", "by": "women"}, "achètent"),
        ({"forced": "", "prefix": "elle"}, "elle"),
    ],
)
def test_the_prompts_to_try_change_the_french_example(settings, written):
    before, after = views(open_with(text_fr=EXAMPLE, **settings))
    assert before["outputs"] != after["outputs"]
    assert written is None or written in after["outputs"]


def test_a_digit_that_looks_at_its_neighbour_is_another():
    before, after = views(open_with(task=DATES, text_date=TASKS[DATES].example, forced="2:18"))
    assert before["outputs"][1] != after["outputs"][1]


def test_until_the_guess_no_row_gives_away_what_changed():
    app = open_with(text_fr=EXAMPLE, forced="7:1", predict="true")
    assert "" not in views(app)[0]["outputs"]
    assert "belle" not in said(app)
    assert prompts(app)
    assert "Right" in said(guess(app, "only one place"))


def test_the_table_s_probabilities_are_core_s_and_their_formulas_name_their_function():
    translator = translator_of(NAME)
    before, after = WhatIf(WORDS).translated(translator), WhatIf(WORDS, forced={3: 2}).translated(translator)
    table = compared_steps(LESSON.words.label, before, after)
    p = after.translation.steps.probabilities[0]
    for t, row in enumerate(i for i, step in enumerate(table["step after"]) if step == step):
        assert table["p after"][row] == pytest.approx(float(p[t, after.translation.words[t]]))
    assert "Decoded.probabilities" in worked_probability(LESSON.words.label, before, after, 0, "p before")
    assert worked_probability(LESSON.words.label, before, after, 0, "weight before") is None


def test_a_step_that_writes_the_same_as_before_is_said_to_do_so_still():
    assert "step 1 still writes “chat”. In all, **0 words** of the output changed." in said(
        open_lesson("translation_what_if", text_fr="cat", forced="1:1")
    )


def test_of_a_date_characters_change_and_not_words():
    assert "In all, **1 character** of the output changed." in said(
        open_lesson("translation_what_if", task="dates → ISO", forced="2:18")
    )


def test_a_list_whose_place_is_let_go_says_none():
    app = open_lesson("translation_what_if")
    app.selectbox(key="translation_what_if_at").set_value(6).run()
    app.button(key="translation_what_if_reset").click().run()
    assert [app.selectbox(key=f"translation_what_if_{name}").proto.raw_value for name in ("at", "onto")] == [
        "none",
        "none",
    ]
