"""Beam search for translation: the story's numbers are recomputed here; the lab's tree and sentences are core's."""

import json
import re
from itertools import islice
from math import comb

import numpy as np
import pytest
import torch

from core.lesson.choices.translator_choice import FRENCH, TASKS, translator_of
from core.models.translation.search_errors import RUNS, recorded_search
from core.models.translation.seq2seq import END, START
from core.models.translation.translate import beam, greedy
from core.text.grammar.english_french import english_french
from pages.translation.translation_beam.page import EXAMPLE, OWN, SWAPPED, quality_of
from tests.lessons.lesson_page import (
    document,
    guess,
    metrics,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    table_with,
    views,
)

NAME = "translate_french_none"
MODEL = translator_of(NAME)
WORDS = "today I am bringing a cake to the king .".split()


# The story. The oracle is a search of its own: each partial translation is read alone, from its first word.


@torch.inference_mode()
def ln_p_after(source, words):
    """Return ln p of each next word after some output words, in float64."""
    encoded = MODEL.model.encode(torch.tensor([source]))
    steps = MODEL.model.decode(torch.tensor([[START, *words]]), MODEL.model.first_state(encoded), encoded)
    return steps.logits[0, -1].double().log_softmax(-1).numpy()


def search(text, width):
    """Return the translations that a beam ends with, [(words, ln p)], the best first."""
    source, kept = MODEL.source.encode(TASKS[FRENCH].read(text)), [((), 0.0)]
    while any(words[-1:] != (END,) for words, _ in kept):
        found = []
        for words, total in kept:
            if words[-1:] == (END,):
                found.append((words, total))
                continue
            after = ln_p_after(source, words)
            found += [((*words, int(i)), total + after[i]) for i in np.argsort(-after)[:width]]
        kept = sorted(found, key=lambda each: -each[1])[:width]
    return [(MODEL.target.decode(words), total) for words, total in kept]


def ends(view):
    """Return the lines behind each translation with the number in its last box, {lines: number}."""
    numbers = {node["key"]: node["number"] for node in view["nodes"]}
    return {" ".join(end["lines"]): numbers[end["node"]] for end in view["ends"]}


def test_greedy_search_writes_three_girls_and_misses_a_translation_twice_as_probable():
    (alone, low), *_ = search(EXAMPLE, 1)
    (best, high), *_ = search(EXAMPLE, 2)
    assert " ".join(alone) == "ma mère va apporter trois gâteaux à trois filles ."
    assert " ".join(best) == "ma mère va apporter trois gâteaux aux filles ."
    assert tuple(best) == TASKS[FRENCH].reference(TASKS[FRENCH].read(EXAMPLE)).target
    drawn = ends(picture("translation_beam", "greedy"))
    assert drawn == {
        "greedy: wrong “to three girls”": f"{np.exp(low):.0%}",
        "missed: right “to the girls”": f"{np.exp(high):.0%}",
    }
    assert (f"{np.exp(low):.0%}", f"{np.exp(high):.0%}") == ("23%", "43%")


def test_by_hand_the_word_that_led_is_second_after_its_best_next_word():
    """51% times 61% is less than 44% times 98%."""
    source = MODEL.source.encode(TASKS[FRENCH].read(EXAMPLE))
    shared = MODEL.target.encode("ma mère va apporter trois gâteaux".split())
    before = sum(ln_p_after(source, shared[:i])[word] for i, word in enumerate(shared))
    first = np.exp(before + ln_p_after(source, shared))
    a, aux, three, girls = MODEL.target.encode(["à", "aux", "trois", "filles"])
    after = [np.exp(ln_p_after(source, [*shared, word])) for word in (a, aux)]
    shown = [f"{p:.0%}" for p in (first[a], first[aux], after[0][three], after[1][girls])]
    assert shown == ["51%", "44%", "61%", "98%"]
    told = said_in(document("translation_beam", "lead", True))
    assert "44% × 98% gives 43% for aux filles, and 51% × 61% gives 31% for à trois" in told
    assert f"{first[aux] * after[1][girls]:.0%} {first[a] * after[0][three]:.0%}" == "43% 31%"
    bars = picture("translation_beam", "why")["panels"]
    assert [[row["name"] for row in panel["rows"]][:2] for panel in bars] == [
        ["trois", "l'"],
        ["filles", "femmes"],
    ]
    np.testing.assert_allclose([row["to"] for row in bars[0]["rows"]], np.sort(after[0])[::-1][:4], atol=1e-5)


def test_before_the_guess_the_candidates_show_their_own_word_only_and_none_is_pruned():
    view = picture("translation_beam", "lead")
    dashed = [node for node in view["nodes"] if node["kind"] == "open"]
    assert [node["number"] for node in dashed] == ["61%", "18%", "98%", "1.1%"]
    assert not [node for node in view["nodes"] if node["kind"] == "faint"]
    assert "43%" not in json.dumps(view)
    shown = picture("translation_beam", "lead", True)["nodes"]
    assert [node["kind"] for node in shown if node["depth"] == 2] == ["plain", "plain", "faint", "faint"]


def test_the_whole_search_scores_all_candidates_of_all_steps():
    source = MODEL.source.encode(TASKS[FRENCH].read(EXAMPLE))
    history = beam(MODEL.model, source, 2)
    scored = 2  # behind the start
    for kept in history[:-1]:
        scored += sum(1 if each.finished else 2 for each in kept)
    told = said_in(document("translation_beam", "whole"))
    assert f"scored {scored} candidates" in told and "43% against 23%" in told
    assert f"With {len(MODEL.target)} French words" in told


@pytest.fixture(scope="module")
def some():
    """Return the first of the held-out sentences of the record, with what three searches write for each, one by one."""
    pairs = list(islice(english_french(1, held_out=True, lengths=tuple(range(18, 26))), 12))
    return pairs, {w: [search(" ".join(pair.source), w)[0] for pair in pairs] for w in (1, 4)}


def test_the_record_is_what_the_searches_find(some):
    pairs, found = some
    for width, texts in found.items():
        run = recorded_search(NAME, width)
        np.testing.assert_allclose(run.log_probabilities[:12], [total for _, total in texts], atol=2e-3)
        right = [tuple(text) == pair.target for (text, _), pair in zip(texts, pairs, strict=True)]
        assert run.right[:12].tolist() == right
        assert run.words[:12].tolist() == [len(text) + 1 for text, _ in texts]
        assert run.changed[:12].tolist() == [a != b for (a, _), (b, _) in zip(texts, found[1], strict=True)]
    for pair, reference in zip(pairs, recorded_search(NAME, 1).references, strict=False):
        source, words = MODEL.source.encode(pair.source), [*MODEL.target.encode(pair.target), END]
        own = sum(ln_p_after(source, words[:i])[word] for i, word in enumerate(words))
        assert reference == pytest.approx(own, abs=2e-3)


def record():
    return json.loads(RUNS.read_text(encoding="utf-8"))


def test_a_beam_of_four_is_better_and_the_flat_sentences_stay_true():
    run = record()[NAME]
    right = {width: np.array(run[width]["right"]) for width in ("1", "2", "4", "8")}
    counts = [int(each.sum()) for each in right.values()]
    assert [row["text"] for row in picture("translation_beam", "measure", True)["panels"][0]["rows"]] == [
        str(count) for count in counts
    ]
    won, lost = int((right["4"] > right["1"]).sum()), int((right["4"] < right["1"]).sum())
    told = said_in(document("translation_beam", "measure", True))
    assert f"{counts[2]} instead of {counts[0]}, so the beam is better" in told
    assert f"corrects {won} greedy translations and spoils {lost}" in told
    p = (
        2 * sum(comb(won + lost, i) for i in range(lost + 1)) / 2 ** (won + lost)
    )  # an exact sign test by hand
    assert p < 0.001 and "p < 0.001" in re.sub(
        "<.*?>", "", document("translation_beam", "measure", True)["measured"]
    ).replace("&lt;", "<")
    assert counts[3] < 200  # more than half stay wrong
    assert len(right["1"]) == 400


def test_search_errors_fall_and_model_errors_stay():
    run = record()[NAME]
    told = said_in(document("translation_beam", "fault"))
    for width, words in (("1", "makes {} search errors in 400"), ("4", "a beam of 4 only {}.")):
        wrong = [
            (own, reference)
            for own, reference, right in zip(
                run[width]["ln_p"], run["references"], run[width]["right"], strict=True
            )
            if not right
        ]
        missed = sum(reference > own + 1e-3 for own, reference in wrong)
        assert words.format(missed) in told
        if width == "4":
            assert f"But it has {len(wrong) - missed} model errors" in told
            assert missed < 10 < len(wrong) - missed


def test_with_attention_a_beam_changes_nothing():
    changed = [sum(record()[name]["4"]["changed"]) for name in (NAME, "translate_french_dot")]
    assert changed[1] == 0 < changed[0]
    asked, told = (document("translation_beam", "attention", each) for each in (False, True))
    assert [row["text"] for row in asked["picture"]["data"]["panels"][0]["rows"]] == [str(changed[0]), "?"]
    assert "0 of 400" in said_in(told) and told["ask"]["answer"] == "0"
    one = record()["translate_french_dot"]["1"]
    assert f"{np.exp(sum(one['ln_p']) / sum(one['words'])):.2%}" in said_in(told)


def test_the_beam_s_translation_is_more_probable_than_the_greedy_one_and_wrong():
    (best, high), *_ = search(SWAPPED, 2)
    (alone, low), *_ = search(SWAPPED, 1)
    target = TASKS[FRENCH].reference(TASKS[FRENCH].read(SWAPPED)).target
    assert high > low and tuple(alone) == target != tuple(best)
    swapped = [(a, b) for a, b in zip(alone, best, strict=True) if a != b]
    assert swapped == [("grands", "petits"), ("petite", "grande")]
    drawn = ends(picture("translation_beam", "likelier"))
    assert list(drawn.values()) == [f"{np.exp(high):.1%}", f"{np.exp(low):.1%}"]


def test_the_answer_counts_sentences_by_whose_translation_is_more_probable():
    one, four = (np.array(record()[NAME][width]["ln_p"]) for width in ("1", "4"))
    more, less = int((four > one + 1e-3).sum()), int((four < one - 1e-3).sum())
    told = said_in(document("translation_beam", "answer"))
    assert f"for {more}, the same one for {400 - more - less} and a less probable one for {less}" in told
    assert more > 20 * less


def test_the_own_sentence_is_right_from_width_two_on_and_wrong_at_one():
    pair = TASKS[FRENCH].reference(TASKS[FRENCH].read(OWN))
    one, two = (search(OWN, width)[0][0] for width in (1, 2))
    assert "clés" in one and tuple(two) == pair.target and "voitures" in two
    done = {
        width: re.sub("<.*?>", "", document("translation_beam", "own", width=str(width))["done"])
        for width in (1, 4)
    }
    assert "Width 1 is greedy search" in done[1] and "The best one is wrong" in done[1]
    assert "The best one is right" in done[4]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The best one is right"),
        ("cat", "we do not know the right translation"),
        ("🦜 مرحبا", "has not learned “🦜”, “مرحبا”, so it guesses"),
        ("Heute war es sehr kalt.", "“heute”, “war”, “es” and 2 more"),
        ("1 " * 100, "has not learned “1”, so it guesses"),
        ("<b>x</b> $y$", "so it guesses there"),
    ],
)
def test_strange_sentences_get_honest_ones(text, told):
    made = document("translation_beam", "own", text_fr=text, width="4")
    assert told in re.sub("<.*?>", "", made["done"]).replace("&lt;", "<")
    numbers = [node["number"] for node in made["picture"]["data"]["nodes"] if node["parent"]]
    assert numbers and all(number.endswith("%") for number in numbers)


def test_partial_translations_that_begin_alike_share_their_boxes():
    view = picture("translation_beam", "own", width="8")
    keys = [node["key"] for node in view["nodes"]]
    assert len(set(keys)) == len(keys) and all(n["parent"] in keys for n in view["nodes"] if n["parent"])
    assert len({(node["depth"], node["row"]) for node in view["nodes"]}) == len(keys)


# The lab.


def open_lab(**query):
    return open_lesson("translation_beam", lab="true", **query)


def trace(app):
    return sent(app, "generation_tree")["beam"]


def hypotheses(app):
    return table_with(app, "ln p")


def history_of(words, width, name=NAME):
    translator = translator_of(name)
    return beam(translator.model, translator.source.encode(words), width)


def test_the_table_holds_core_s_hypotheses_best_first():
    app = open_lab(text_fr=" ".join(WORDS), width="3")
    last = history_of(WORDS, 3)[-1]
    np.testing.assert_allclose(hypotheses(app)["ln p"], [each.log_probability for each in last])
    assert hypotheses(app)["ln p"].is_monotonic_decreasing


@pytest.mark.parametrize("narrow", ["false", "true"])
def test_each_step_has_what_is_kept_and_then_what_is_pruned(narrow):
    app = open_lab(text_fr=" ".join(WORDS), narrow=narrow)
    history = history_of(WORDS, 1 if narrow == "true" else 4)
    steps = trace(app)["steps"]
    assert len(steps) == len(history) and sent(app, "generation_tree")["total"] == len(history)
    for step, kept in zip(steps, history, strict=True):
        assert step["kept"] == len(kept)
        drawn = [float(total.replace("−", "-")) for _, _, _, total, *_ in step["level"][: len(kept)]]
        np.testing.assert_allclose(drawn, [each.log_probability for each in kept], atol=0.006)
        assert all(not row[5] for row in step["level"][len(kept) :])


def test_keeping_one_partial_translation_is_greedy_search_and_is_measured():
    app = open_lab(text_fr=" ".join(WORDS), narrow="true")
    alone = greedy(MODEL.model, MODEL.source.encode(WORDS))
    np.testing.assert_allclose(hypotheses(app)["ln p"], [alone.log_probability], atol=1e-4)
    one, many = (quality_of(FRENCH, NAME, k) for k in (1, 4))
    assert f"{many.right.mean():.1%}" in str(metrics(app)) and f"{one.right.mean():.1%}" in str(metrics(app))
    won, lost = int((many.right & ~one.right).sum()), int((one.right & ~many.right).sum())
    assert f"gets {won} right that one partial translation gets wrong, and {lost} the other way" in said(app)


def test_with_attention_the_measure_is_the_same_on_both_sides():
    assert "no difference" in said(open_lab(score="additive", narrow="true"))


def test_the_lab_opens_on_the_story_s_sentence_and_says_where_the_lead_changed():
    app = open_lab(width="2")
    assert "A beam of 2 finds a more probable translation than greedy search" in re.sub(r"\*", "", said(app))
    assert "The lead changed at step 8" in said(app)
    assert "Right: Ma mère va apporter trois gâteaux aux filles." in said(app)


def test_a_prediction_hides_tree_and_table():
    app = open_lab(predict="true")
    assert "generation_tree" not in str(views(app)) and not app.dataframe
    assert "ln p =" not in said(app)
    guess(app, "yes")
    assert sent(app, "generation_tree")


@pytest.mark.parametrize(
    "query",
    [
        {"width": "8", "source": "generated", "length": "25"},
        {"task": "dates", "width": "2", "step": "99"},
        {"task": "dates → ISO"},
        {"task": "dutch", "text_nl": ""},
        {"text_fr": "👍🏽 <b>$x$</b> مرحبا"},
        {"text_fr": "cat " * 100, "narrow": "true"},
    ],
    ids=ascii,
)
def test_every_end_of_a_control_has_a_tree_with_its_hypotheses(query):
    app = open_lab(**query)
    assert not app.exception
    assert trace(app)["steps"][-1]["kept"] == len(hypotheses(app))
    assert len(json.dumps(sent(app, "generation_tree"), ensure_ascii=False).encode()) < 90_000
