"""Beam search: the story's numbers are recomputed here; the lab draws core's tree and compares texts truthfully."""

import json
import re
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import torch

from core.figures.token_label import label_token
from core.lesson.choices.language_model_choice import OWN, model_labels, without_last_word
from core.models.generation.beam_search import beam_search
from core.models.generation.sampling import SamplingSettings, generate
from core.models.language_model import sequence_log_probability
from core.models.neural_language_model import read
from core.models.stored_language_models import decode_ids, encode, stored_language_model
from core.text.samples.shelf import plays, shelf
from core.text.tokenization.tokens import sentences
from core.words.numbers import signed
from pages.generation.beam_search.page import ASKED, BEGINNINGS, ENDED, MAIN
from tests.lessons.lesson_page import (
    document,
    figure,
    guess,
    open_lesson,
    picture,
    prompts,
    question,
    said,
    said_in,
    sent,
    table_with,
    views,
)
from tests.lessons.n_grams.three_texts import THREE

# The story. The oracle is a search of its own over torch's softmax, one text at a time.

GPT = stored_language_model("word_gpt")


def ln_p(ids):
    return torch.log_softmax(torch.tensor(np.array(read(GPT, ids).logits), dtype=torch.float64), 0).numpy()


def search(prompt, width, length):
    """Return the kept and the pruned texts of each step, [([(tokens, ln p)], [(tokens, ln p)])], the best first."""
    ids, kept, steps = encode("word_gpt", prompt).ids, [((), 0.0)], []
    for _ in range(length):
        offers = []
        for tokens, total in kept:
            after = ln_p([*ids, *tokens])
            offers += [((*tokens, int(t)), total + after[t]) for t in np.argsort(-after)[:width]]
        offers.sort(key=lambda offer: -offer[1])
        kept = offers[:width]
        steps.append((kept, offers[width:]))
    return steps


def best(prompt, width, length=5):
    return search(prompt, width, length)[-1][0][0]


def boxes(data):
    """Return the boxes of a picture, {(depth, tokens): (number, kind)}."""
    found = {}
    for node in data["nodes"][1:]:
        tokens = tuple(int(each) for each in node["key"].split("/")[1:])
        found[tokens] = (node["number"], node["kind"])
    return found


def drawn_of(steps, kinds=("plain", "faint"), most=4):
    """Return the boxes that a search must have."""
    found = {}
    for kept, pruned in steps:
        for texts, kind in ((kept, kinds[0]), (pruned[: max(0, most - len(kept))], kinds[1])):
            found |= {tokens: (signed(total), kind) for tokens, total in texts}
    return found


def text(tokens):
    return decode_ids("word_gpt", tokens).strip()


def test_the_greedy_text_leads_at_the_first_token_and_is_seventeen_times_less_probable_at_the_last():
    data, said_there = picture("beam_search", "greedy"), said_in(document("beam_search", "greedy"))
    (greedy, low), (found, high) = best(MAIN, 1), best(MAIN, 2)
    drawn = boxes(data)
    assert drawn[greedy][0] == signed(low) == "−13.88" and drawn[found] == (signed(high), "best")
    assert float(drawn[greedy[:1]][0].replace("−", "-")) > float(drawn[found[:1]][0].replace("−", "-"))
    assert (text(greedy), text(found)) == ("not seen the world,", "been in the way of")
    assert f"is {np.exp(high - low):.0f} times as probable" in said_there and "17 times" in said_there


def test_two_tokens_are_kept_and_the_next_two_are_pruned():
    after = ln_p(encode("word_gpt", MAIN).ids)
    order = np.argsort(-after)[:4]
    assert boxes(picture("beam_search", "two")) == {
        (int(token),): (signed(after[token]), "plain" if row < 2 else "faint")
        for row, token in enumerate(order)
    }


@pytest.mark.parametrize(("beat", "width", "step"), [("four", 2, 2), ("lost", 3, 4)])
def test_a_lattice_has_the_kept_texts_and_the_best_pruned_ones(beat, width, step):
    assert boxes(picture("beam_search", beat)) == drawn_of(search(MAIN, width, step))


def test_both_texts_of_the_favourite_are_pruned_at_the_second_step():
    kept, pruned = search(MAIN, 2, 2)[1]
    assert [tokens[0] for tokens, _ in kept] == [kept[0][0][0]] * 2
    assert {tokens[0] for tokens, _ in pruned} == {best(MAIN, 1)[0][0]}
    assert "4 candidates" in said_in(document("beam_search", "four")) and len(kept + pruned) == 4


def test_the_third_step_keeps_none_of_the_leader_s_candidates_and_does_not_show_it_before_the_answer():
    before, after = picture("beam_search", "third"), picture("beam_search", "third", True)
    steps = search(MAIN, 2, 3)
    assert boxes(after) == drawn_of(steps)
    leader = steps[1][0][0][0]
    assert not any(tokens[:2] == leader for tokens, _ in steps[2][0])
    last = [node for node in before["nodes"] if node["depth"] == 3]
    assert {node["kind"] for node in last} == {"open"}
    parents = [node["parent"] for node in sorted(last, key=lambda node: node["row"])]
    assert parents == sorted(parents, key=parents.index) and parents[0].endswith(str(leader[-1]))
    answer = document("beam_search", "third", True)
    assert answer["ask"]["answer"] == "second" and said_in(answer).startswith("0 candidates")


def test_the_whole_search_scores_eighteen_candidates_and_its_best_text_stands_out():
    data, said_there = picture("beam_search", "whole"), said_in(document("beam_search", "whole"))
    steps, (found, total) = search(MAIN, 2, 5), best(MAIN, 2)
    assert sum(len(kept) + len(pruned) for kept, pruned in steps) == 18 and "18 candidates" in said_there
    drawn = boxes(data)
    assert {tokens: number for tokens, (number, _) in drawn.items()} == {
        tokens: number for tokens, (number, _) in drawn_of(steps).items()
    }
    assert {tokens for tokens, (_, kind) in drawn.items() if kind == "best"} == {
        found[:i] for i in range(1, 6)
    }
    assert signed(total) in said_there and f"{2048**5:.1e}" == "3.6e+16" and "3.6·10¹⁶" in said_there


def test_a_beam_of_three_finds_a_less_probable_text_than_a_beam_of_two():
    answer, before = document("beam_search", "wider", True), document("beam_search", "wider")
    totals = {width: best(MAIN, width)[1] for width in range(1, 7)}
    rows = answer["picture"]["data"]["panels"][0]["rows"]
    np.testing.assert_allclose(
        [row["to"] for row in rows], [np.exp(t - totals[1]) for t in totals.values()], rtol=1e-3
    )
    assert totals[1] < totals[3] < totals[2] < totals[6] and answer["ask"]["answer"] == "less"
    shown_before = before["picture"]["data"]["panels"][0]["rows"]
    assert [row["text"] for row in shown_before] == ["1 ×", "17 ×", "?"] and shown_before[2]["kind"] == "open"
    said_there = said_in(answer)
    assert (
        "only 12 times" in said_there and "after 17 times" in said_there and "reaches 42 times" in said_there
    )
    assert [row["text"] for row in rows[1:3]] == ["17 ×", "12 ×"]


def test_the_narrower_beam_s_winner_is_pruned_as_the_fourth_of_step_four():
    kept, pruned = search(MAIN, 3, 4)[3]
    winner = best(MAIN, 2)[0]
    assert pruned[0][0] == winner[:4]
    said_there = said_in(document("beam_search", "lost"))
    assert f"by {kept[-1][1] - pruned[0][1]:.2f} in" in said_there and "rank 4" in said_there
    p = np.exp(ln_p([*encode("word_gpt", MAIN).ids, *winner[:4]])[winner[4]])
    assert f"would have {p:.0%}" in said_there
    assert [text(tokens[:3]) for tokens, _ in kept[:2]] == ["no more than"] * 2
    assert text(kept[2][0]) == "been in the law" and "2 texts that begin with no more than" in said_there
    assert kept[0][0][0] not in [tokens[0] for tokens, _ in search(MAIN, 2, 1)[0][0]]


def finished(prompt, width, length, penalty):
    """Return the best text that may end at a full stop, and its score."""
    ids, stop = encode("word_gpt", prompt).ids, GPT.vocabulary.index(".")
    live, ended = [((), 0.0)], []
    for depth in range(1, length + 1):
        offers = []
        for tokens, total in live:
            after = ln_p([*ids, *tokens])
            offers += [((*tokens, int(t)), total + after[t]) for t in np.argsort(-after)[:width]]
        offers = sorted(offers, key=lambda offer: -offer[1])[:width]
        ended += [offer for offer in offers if offer[0][-1] == stop or depth == length]
        live = [offer for offer in offers if offer[0][-1] != stop]
    return max(
        ((tokens, total / len(tokens) ** penalty) for tokens, total in ended), key=lambda each: each[1]
    )


@pytest.mark.parametrize(("penalty", "words"), [(0.0, "2 tokens wins: “thee.”"), (1.0, "wins with 8 tokens")])
def test_without_a_penalty_a_text_of_two_tokens_wins_and_with_the_mean_one_of_eight(penalty, words):
    found = document("beam_search", "ends", False, penalty=penalty)
    tokens, score = finished(ENDED, 4, 8, penalty)
    ends = {end["node"]: end for end in found["picture"]["data"]["ends"]}
    winner = next(end for end in ends.values() if end["strong"])
    assert winner["node"].split("/")[1:] == [str(token) for token in tokens]
    assert winner["lines"] == [f"{len(tokens)} tokens", f"score {signed(score)}"]
    assert words in said_in(found)


@pytest.mark.parametrize(
    ("typed", "width", "words"),
    [
        ("Come,", 4, "times as probable as the greedy text"),
        ("I never", 4, "The greedy text, saw a parle, is 1.4 times as probable"),
        ("I have a", 3, "finds the greedy text"),
        ("Come,", 1, "Width 1 is greedy decoding"),
        ("🦜 مرحبا", 2, "finds"),
        ("Heute war es", 2, "finds"),
    ],
)
def test_the_learner_s_own_beam_is_the_search_s(typed, width, words):
    found = document("beam_search", "own", False, typed=typed, width=width)
    tokens, total = best(typed, width)
    drawn = boxes(found["picture"]["data"])
    assert drawn[tokens] == (signed(total), "best")
    assert words in re.sub("<[^>]+>", "", found["done"])
    if "times" in words and "greedy text, saw" not in words:
        assert f"It is {np.exp(total - best(typed, 1)[1]):.1f} times" in re.sub("<[^>]+>", "", found["done"])


def test_the_answer_counts_the_beginnings():
    counts = {"more": 0, "same": 0, "less": 0}
    for prompt in BEGINNINGS:
        (found, high), (greedy, low) = best(prompt, 4), best(prompt, 1)
        counts["same" if found == greedy else "more" if high > low else "less"] += 1
    rows = picture("beam_search", "answer")["panels"][0]["rows"]
    assert (
        {row["mark"].removeprefix("bar."): row["to"] for row in rows}
        == counts
        == {"more": 14, "same": 4, "less": 2}
    )
    said_there = said_in(document("beam_search", "answer"))
    assert "in 14 cases" in said_there and "in 4 the same text, in 2 a less" in said_there


@pytest.mark.parametrize("beat", ["four", "whole", "lost", "own"])
def test_the_lab_that_a_beat_opens_has_the_same_candidates(beat):
    found = document("beam_search", beat)
    fields = {
        key.removeprefix("beam_search_"): values[0]
        for key, values in parse_qs(urlsplit(found["lab"]).query).items()
        if key != "lab"
    }
    steps = sent(open_lesson("beam_search", **fields))["beam"]["steps"]
    nodes = [node for node in found["picture"]["data"]["nodes"] if node["depth"]]
    for depth in range(1, max(node["depth"] for node in nodes) + 1):
        numbers = [node["number"] for node in nodes if node["depth"] == depth]
        assert [row[3] for row in steps[depth - 1]["level"]][: len(numbers)] == numbers


# The lab.

TEXT = "The cat sat. The dog sat. The cat ran. A dog ran to the cat and sat."
CHARACTERS = next(label for label, name in model_labels().items() if name == "char_feedforward")
NAME, PROMPT = model_labels()[CHARACTERS], "The king "
MODEL, IDS = stored_language_model(NAME), encode(NAME, PROMPT).ids
STOP = MODEL.vocabulary.index(".")


def open_with(text=TEXT, **query):
    return open_lesson("beam_search", text, **{"model": CHARACTERS, "typed": PROMPT, "length": 12, **query})


def test_a_step_shows_core_s_candidates_and_which_of_them_are_kept():
    app = open_with(width=3)
    level = [node for node in beam_search(MODEL, IDS, 3, 12, 1.0, STOP).nodes if node.depth == 5]
    level.sort(key=lambda node: (not node.kept, -node.score))
    every = table_with(app, "kept")
    table = every[every["step"] == 5]
    assert list(table["ln p"]) == pytest.approx([node.total for node in level])
    assert list(table["score"]) == pytest.approx([node.score for node in level])
    assert list(table["kept"]) == [node.kept for node in level]
    step = sent(app)["beam"]["steps"][4]
    rows = step["level"]
    assert [row[3] for row in rows] == [signed(node.total) for node in level][: len(rows)]
    assert [row[5] > 0 for row in rows] == [node.kept for node in level][: len(rows)]
    assert (step["candidates"], step["kept"]) == (len(level), sum(node.kept for node in level))


def test_the_path_in_the_picture_leads_to_the_best_text_at_the_last_step():
    app = open_with(width=3, end="its full length")
    found = beam_search(MODEL, IDS, 3, 12)
    steps = sent(app)["beam"]["steps"]
    depth, row = steps[-1]["best"]
    assert depth == len(steps) == 12
    path = []
    for step in reversed(steps):
        parent, token, *_ = step["level"][row]
        path.insert(0, token)
        row = parent
    assert path == [label_token(MODEL.vocabulary[token]) for token in found.winning_path]
    total = found.nodes[found.best].total
    assert any(f"ln p = \N{MINUS SIGN}{-total:.3f}" in each.value for each in app.text)


def test_the_comparison_scores_each_text_by_its_own_ln_p():
    app = open_with(width=2, seed=7, end="its full length")
    table = table_with(app, "found by").set_index("found by")
    sampled = [step.token for step in generate(MODEL, IDS, 12, SamplingSettings(), 8)]
    ln_p = sequence_log_probability(MODEL, [*IDS, *sampled]).log_probabilities[len(IDS) :]
    assert table.loc["sampled, seed 8", "ln p"] == pytest.approx(ln_p.sum(), abs=1e-4)
    assert table.loc["sampled, seed 8", "ln p per token"] == pytest.approx(ln_p.mean(), abs=1e-5)
    assert set(table["tokens"]) == {12}
    assert len([node for node in views(app)[1]["nodes"] if node["end"]]) == len(set(table["text"]))


def test_a_text_that_ends_at_a_full_stop_is_compared_until_there():
    app = open_with(length=60, end="a full stop")
    table = table_with(app, "found by")
    for text, n in zip(table["text"], table["tokens"], strict=True):
        assert len(text) == n
        assert "." not in text[:-1]


TEXTS = {"the default": None, "a play": plays()[7].text(), "a short text": TEXT}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_without_a_length_penalty_no_text_is_longer_and_the_page_says_what_became_of_it(text):
    pages = [
        open_with(text, source="from your text", length=40, unfair=broken) for broken in ("false", "true")
    ]
    ids = encode(NAME, without_last_word(sentences(text or next(iter(shelf())).read().text)[0])).ids
    fair, unfair = (len(beam_search(MODEL, ids, 4, 40, a, STOP).winning_path) for a in (1.0, 0.0))
    assert [metric.value for metric in pages[1].metric] == [str(fair), str(unfair)]
    assert unfair <= fair
    assert ("the same length wins with" if unfair == fair else f"{fair - unfair} tokens shorter") in said(
        pages[1]
    )
    assert sent(pages[0])["beam"] != sent(pages[1])["beam"], "the scores in the picture"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"end": "its full length"}, "All texts have the same length here"),
        ({"penalty": 0}, "Your length penalty is 0 already"),
    ],
)
def test_where_no_penalty_can_change_nothing_the_page_says_so(settings, sentence):
    assert sentence in said(open_with(unfair="true", **settings))


@pytest.mark.parametrize(("width", "length"), [(1, 12), (4, 12), (4, 40)])
def test_the_sentence_below_the_picture_compares_with_greedy_search(width, length):
    best, greedy = (beam_search(MODEL, IDS, w, length, 1.0, STOP) for w in (width, 1))
    scores = [tree.nodes[tree.best].score for tree in (best, greedy)]
    words = said(open_with(width=width, length=length))
    same = best.winning_path == greedy.winning_path
    assert ("finds the greedy text" in words) == same
    assert ("a better text than greedy" in words) == (scores[0] > scores[1] and not same)
    assert same or f"**{signed(scores[0], 3)}** vs {signed(scores[1], 3)}" in words


def test_the_widths_are_each_searched_and_greedy_s_loss_is_said():
    app = open_with(end="its full length")
    scores = [tree.nodes[tree.best].score for tree in (beam_search(MODEL, IDS, w, 12) for w in range(1, 9))]
    assert figure(app)["data"][0]["y"] == pytest.approx(scores, abs=1e-6)
    assert f"**{max(scores) - scores[0]:.3f}**" in said(app)
    rose, fell = (sum(sign * (b - a) > 1e-5 for a, b in pairwise(scores)) for sign in (1, -1))
    times = ["once" if n == 1 else f"{n} times" for n in (rose, fell, 7 - rose - fell)]
    assert "rose {}, fell {} and stayed the same {}".format(*times) in said(app)
    missed = max(scores) - scores[0]
    greedy = (
        "**already has the best" if missed < 5e-4 else f"misses the best of these scores by **{missed:.3f}**"
    )
    assert f"width 1, {greedy}" in said(app)


def steps_sent(app):
    return next((view["beam"]["steps"] for view in views(app) if "beam" in view), [])


def test_predicting_sends_no_step_before_its_best_candidate_was_guessed():
    app = open_with(width=2, predict="true")
    for guessed in range(ASKED):
        steps = steps_sent(app)
        assert len(steps) == guessed
        assert all(row[5] <= guessed for step in steps for row in step["level"]), "nothing of later steps"
        assert not app.dataframe, "neither the candidates nor the texts that were found"
        assert not any("ln p =" in each.value for each in app.text)
        assert prompts(app)
        assert f"Which candidate of step {guessed + 1} " in question(app).label
        guess(app)
    deepest = max(node.depth for node in beam_search(MODEL, IDS, 2, 12, 1.0, STOP).nodes)
    assert len(steps_sent(app)) == deepest > ASKED
    assert any("ln p =" in each.value for each in app.text)
    assert not open_with(width=1, length=2, predict="true").exception


def test_what_is_sent_of_the_longest_and_widest_search_is_within_its_bounds():
    app = open_with(
        width=8, length=60, end="its full length", typed="O, that this too too solid flesh would melt"
    )
    assert len(json.dumps(sent(app), ensure_ascii=False).encode()) < 60_000


@pytest.mark.parametrize(
    "settings",
    [
        {"width": 1, "length": 2},
        {"penalty": 2.0},
        {"penalty": 0.0},
        {"typed": ""},
        {"end": "the end of a sentence"},
    ],
    ids=str,
)
def test_no_end_of_a_control_breaks_the_page(settings):
    assert not open_with(**settings).exception


@pytest.mark.parametrize("text", ["one", "早上好。你好吗？", "مرحبا. كيف الحال؟", "👍🏽 <b>$a$ `c`"])
def test_no_text_breaks_the_page(text):
    for label in OWN:
        assert not open_with(text, model=label, source="from your text").exception


def test_a_beam_of_one_has_one_candidate():
    step = sent(open_lesson("beam_search", width=1, length=4))["beam"]["steps"][0]
    assert (step["candidates"], step["kept"]) == (1, 1)


@pytest.mark.parametrize("text", THREE.values(), ids=THREE)
@pytest.mark.parametrize("unfair", ["false", "true"])
def test_the_sum_and_the_number_of_tokens_give_the_mean_beside_them(text, unfair):
    app = open_lesson("beam_search", text, unfair=unfair)
    line = next(each.value for each in app.text if "ln p =" in each.value).replace("\N{MINUS SIGN}", "-")
    total, tokens, mean = (part.split(" ") for part in line.split("ln p = ")[1].split(", "))
    assert float(total[0]) / int(tokens[0]) == pytest.approx(float(mean[0]), abs=6e-4)
    assert tokens[1] == ("token" if tokens[0] == "1" else "tokens")


def test_an_older_address_opens_with_its_labels():
    old = open_with(end="a full stop", source="typed", model="GPT, byte pairs")
    new = open_with(end="stop", source="typed", model="word_gpt")
    assert sent(old)["beam"] == sent(new)["beam"]
