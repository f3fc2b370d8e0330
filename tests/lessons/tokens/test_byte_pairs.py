"""The page on byte pairs says what core measures, on three texts, asks before it tells, and takes any text and word."""

from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from core.models.tokens.byte_pairs import PIECES, learn_merges, merged
from core.text.samples.course_pairs import written_in
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import (
    figure,
    frames,
    guess,
    metrics,
    numbers,
    open_lesson,
    question,
    said,
    sent,
    table_with,
)
from tests.lessons.tokens.texts import EVERY_TEXT, PASTED, TEXTS


@cache
def opened(text, **query):
    app = open_lesson("byte_pairs", TEXTS[text], **query)
    assert not app.exception
    return app


@cache
def own(text):
    return learn_merges(TEXTS[text], 1000)


def shown(text):
    return text.replace(" ", "␣").replace("\n", "↵")


def per_word(pairs, text):
    words = [piece for piece in PIECES.findall(text) if any(map(str.isalnum, piece))]
    lengths = {piece: len(pairs.encode(piece)) for piece in set(words)}
    return np.mean([lengths[piece] for piece in words])


@EVERY_TEXT
def test_each_step_is_the_merge_of_the_pair_that_is_most_frequent_when_all_are_counted_anew(text):
    frequency = Counter(PIECES.findall(TEXTS[text]))
    words = {piece: list(piece.encode()) for piece in frequency}
    stepped = frames(opened(text))
    assert stepped[0]["picture"]["rivals"] is None
    for number, frame in enumerate(stepped[1:4]):
        count = Counter()
        for piece, ids in words.items():
            for pair in pairwise(ids):
                count[pair] += frequency[piece]
        ranked = sorted(count.items(), key=lambda item: (-item[1], item[0]))
        values = frame["picture"]["rivals"]["columns"][0]["values"]
        assert values == [times for _, times in ranked[: len(values)]]
        best, times = ranked[0]
        assert best == own(text).merges[number]
        assert f"are neighbours {times:,} times" in frame["said"]
        assert ("more often than any other pair" in frame["said"]) == (ranked[1][1] < times)
        words = {piece: merged(ids, best, 256 + number) for piece, ids in words.items()}
        total = sum(len(ids) * frequency[piece] for piece, ids in words.items())
        assert f"your text {total:,} token" in frame["notes"][0]
        assert f"= {total}" in frame["formulas"][1]


@EVERY_TEXT
def test_the_passage_of_a_step_is_cut_by_the_merges_so_far_and_what_the_last_made_is_marked(text):
    for number, frame in enumerate(frames(opened(text))):
        words = frame["picture"]["words"]
        pairs, passage = own(text).first(number), "".join("".join(word) for word in words)
        ids = pairs.encode(passage.replace("␣", " "))
        assert [name for word in words for name in word] == [shown(pairs.tokens[i]) for i in ids]
        marked = [place for place, i in enumerate(ids) if number and i == 255 + number]
        assert frame["picture"]["fresh"] == marked


@EVERY_TEXT
def test_what_the_merges_save_is_counted_in_the_text_encoded(text):
    pairs, content = own(text), TEXTS[text]
    half = len(pairs.merges) // 2
    lengths = [len(pairs.first(k).encode(content)) for k in (0, half, len(pairs.merges))]
    early, late = lengths[0] - lengths[1], lengths[1] - lengths[2]
    app = opened(text)
    assert (
        f"{lengths[2]:,} tokens; a word with its space is {per_word(pairs, content):.2f} on average."
        in said(app)
    )
    assert (
        f"The first {half:,} save {early:,}, the other {len(pairs.merges) - half:,} save {late:,}."
        in said(app)
    )
    curve = figure(app)["data"][0]
    drawn = numbers(curve["y"])
    assert (drawn[0], drawn[-1]) == (lengths[0], lengths[2])
    assert drawn == sorted(drawn, reverse=True)
    assert set(numbers(figure(app)["data"][1]["y"])) == {len(PIECES.findall(content))}
    ends = f"After {len(pairs.merges):,} merges no pair occurs twice" in said(app)
    assert ends == (len(pairs.merges) < 1000)


@EVERY_TEXT
@pytest.mark.parametrize("word", ["unhappiest", "🦜"])
def test_a_word_is_encoded_by_the_earliest_of_the_possible_merges(text, word):
    app, pairs = opened(text, word=word), own(text)
    rows = sent(app, "attend_token_rows")["rows"]
    ids = list(f" {word}".encode())
    for row in rows:
        assert [token[1] for token in row["tokens"]] == ids
        possible = [pairs.merges.index(pair) for pair in pairwise(ids) if pair in pairs.merges]
        if not possible:
            assert "no merge is possible any more" in row["said"]
            break
        made = min(possible)
        assert f"merge {made + 1:,}:" in row["said"]
        ids = merged(ids, pairs.merges[made], 256 + made)
    assert row is rows[-1]
    n = len(ids)
    assert f"goes from {len(word.encode()) + 1} bytes to {n} token{'' if n == 1 else 's'}:" in said(app)


@pytest.mark.parametrize(("text", "where"), [*((text, "French") for text in TEXTS), ("pasted", "Macbeth")])
def test_merges_learned_elsewhere_are_compared_at_one_size(text, where):
    app, content = opened(text, elsewhere="true", where=where), TEXTS[text]
    elsewhere = (
        written_in("English–French", "fr", 1500) if where == "French" else sample("macbeth").read().text
    )
    other = learn_merges(elsewhere, 1000)
    k = min(len(other.merges), len(own(text).merges))
    whole, broken = own(text).first(k), other.first(k)
    found = metrics(app)
    assert found["Tokens a word in your text, whole"] == f"{per_word(whole, content):.2f}"
    assert found["Tokens a word in your text, broken"] == f"{per_word(broken, content):.2f}"
    N, M = len(whole.encode(content)), len(broken.encode(content))
    more = round(100 * (M / N - 1))
    assert (
        f"{M:,} tokens, {abs(more)}% {'more' if more > 0 else 'fewer'} than the {N:,} with its own"
        in said(app)
    )
    assert f"Both vocabularies have {256 + k:,} tokens." in said(app)
    stepped = frames(app)[1]["picture"]["rivals"]["columns"][0]
    assert stepped["title"] == f"times in {where}"
    assert stepped["values"][0] == broken.counts[0]


@EVERY_TEXT
def test_the_tour_names_as_many_merges_of_both_as_are_compared_and_where_the_others_come_from(text):
    k = min(len(learn_merges(sample("macbeth").read().text, 1000).merges), len(own(text).merges))
    told = said(opened(text, elsewhere="true", where="Macbeth", beat="byte_pairs.6"))
    assert f"learned on Macbeth: {k:,} merges, and as many of its own" in told
    broken = f"{per_word(learn_merges(sample('macbeth').read().text, k), TEXTS[text]):.2f}"
    assert f"with its own, {broken} with those of Macbeth." in told


@EVERY_TEXT
def test_merges_are_asked_for_one_after_another_and_the_next_is_not_on_the_page(text):
    app = open_lesson("byte_pairs", TEXTS[text], predict="true")
    assert len(frames(app)) == 1
    assert not app.get("plotly_chart")
    answer = " and ".join(shown(own(text).tokens[i]) for i in own(text).merges[0])
    options = [option.replace("\\", "") for option in question(app).options]
    assert answer in options
    app = guess(app, answer)
    assert "Right" in said(app)
    assert len(frames(app)) >= 2
    assert not app.get("plotly_chart"), "the curve and the table wait for the last guess"


def test_one_merge_is_no_two_halves():
    shown_of_one = said(open_lesson("byte_pairs", "ab ab"))
    assert (
        "Of the text's 5 bytes 1 merge makes 3 tokens; a word with its space is 1.50 on average."
        in shown_of_one
    )
    assert "The first 0" not in shown_of_one


def test_the_table_holds_every_merge():
    table = table_with(opened("pasted", below="Every number"), "tokens after")
    pairs = own("pasted")
    assert table["counted"].tolist() == list(pairs.counts)
    assert table["left"].tolist() == [shown(pairs.tokens[left]) for left, _ in pairs.merges]
    lengths = [len(pairs.first(k + 1).encode(PASTED)) for k in range(len(pairs.merges))]
    assert table["tokens after"].tolist() == lengths


def test_later_merges_can_be_stepped_and_a_short_text_ends_at_its_last():
    assert frames(opened("Hamlet", **{"from": 501}))[1]["name"].startswith("merge 501,")
    stepped = frames(opened("pasted", **{"from": 901}))
    assert stepped[-1]["name"].startswith(f"merge {len(own('pasted').merges)},")


@pytest.mark.parametrize("text", ["", "a", "abc", "🦜"])
@pytest.mark.parametrize("elsewhere", ["false", "true"])
def test_a_text_in_which_no_pair_comes_twice_is_answered_with_a_sentence(text, elsewhere):
    app = open_lesson("byte_pairs", text, elsewhere=elsewhere)
    assert not app.exception
    assert "there is nothing to merge" in said(app)


@pytest.mark.parametrize(
    "text",
    [
        "aa aa",
        "aaaa",
        "🦜🦜 🦜🦜",
        "早上好。早上好？",
        "مرحبا مرحبا",
        "<b>x</b> $a$ `c` ![i](j) <b>x</b>",
        "\n\n\n\n",
    ],
)
@pytest.mark.parametrize("elsewhere", ["false", "true"])
def test_no_text_breaks_the_page(text, elsewhere):
    assert not open_lesson("byte_pairs", text, elsewhere=elsewhere, below="Every number").exception


def test_a_move_sends_little():
    app = opened("Hamlet", elsewhere="true")
    total = sum(len(each.proto.json) for each in app.get("bidi_component"))
    total += sum(len(chart.proto.spec) for chart in app.get("plotly_chart"))
    assert total < 60_000
