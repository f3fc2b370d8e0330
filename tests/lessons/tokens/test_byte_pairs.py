"""Byte-pair encoding: the story's numbers are counted again by hand; the lab says what core measures, on any text."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from core.models.tokens.byte_pairs import PIECES, learn_merges, merged
from core.models.tokens.gpt2_tokenizer import gpt2_pairs
from core.text.grammar.pairs import sentence_of
from core.text.samples.course_pairs import CoursePairs, written_in
from core.text.samples.shelf import sample
from pages.tokens.byte_pairs.page import ENGLISH, LINE, NEW_WORD, SIZES, play_text
from tests.lessons.lesson_page import (
    document,
    figure,
    frames,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.tokens.texts import EVERY_TEXT, PASTED, TEXTS

LESSON = "byte_pairs"
OPENED = {"lengths": "true", "new_word": "true"}


def count_pairs(words):
    """Return how often each pair of neighbours occurs in words, {tuple of tokens: how often}, counted one by one."""
    count = Counter()
    for ids, times in words.items():
        for pair in pairwise(ids):
            count[pair] += times
    return count


def replace(ids, pair):
    """Return tokens with a pair joined, found from the left in the written-out text."""
    found, i = [], 0
    while i < len(ids):
        if ids[i : i + 2] == pair:
            found.append(ids[i] + ids[i + 1])
            i += 2
        else:
            found.append(ids[i])
            i += 1
    return tuple(found)


@pytest.fixture(scope="module")
def by_hand():
    """Each of the first ten merges of the play: the counts before it, the pair, the tokens of the play after it."""
    words, found = Counter(tuple(re.findall(".", piece, re.S)) for piece in PIECES.findall(play_text())), []
    assert play_text().isascii(), "then characters are bytes"
    for _ in range(10):
        count = count_pairs(words)
        best = min(count, key=lambda pair: (-count[pair], pair))
        merged_words = Counter()
        for ids, times in words.items():
            merged_words[replace(ids, best)] += times
        words = merged_words
        found.append((count, best, sum(len(ids) * times for ids, times in words.items())))
    return found


def bars_of(beat, *revealed):
    rows = picture(LESSON, beat, *revealed)["panels"][0]["rows"]
    return {tuple(row["name"].replace("␣", " ").split(" + ")): row for row in rows}


def test_the_first_pair_is_the_most_frequent_one_and_hidden_until_the_guess(by_hand):
    count, best, N = by_hand[0]
    assert {row["text"] for row in bars_of("pair").values()} == {"?"}
    shown_rows = picture(LESSON, "pair", True)["panels"][0]["rows"]
    assert [row["to"] for row in shown_rows] == sorted(count.values(), reverse=True)[:5]
    everywhere = Counter(pairwise(play_text()))
    assert max(everywhere, key=everywhere.get) == ("e", " "), "across the cut, which no token crosses"
    assert not any(" " in token[1:] for token in learn_merges(play_text(), 1000).tokens[256:])
    assert "no token crosses a cut" in said_in(document(LESSON, "pair"))
    assert best == (" ", "t") and document(LESSON, "pair", True)["ask"]["answer"] == "space_t"
    assert shown_rows[0]["text"] == f"{count[best]:,}" == "3,518"
    told = said_in(document(LESSON, "merge"))
    assert f"= {N:,}" in told and len(play_text()) - count[best] == N


def test_what_a_merge_made_is_marked_and_nothing_else():
    def fresh(row):
        return [token[0] for token in row["tokens"] if token[3] == 2]

    assert [fresh(row) for row in picture(LESSON, "merge")["rows"]] == [[], ["␣t", "␣t"]]
    assert [fresh(row) for row in picture(LESSON, "grow", merged="9")["rows"]] == [[], ["␣the"]]
    made = [fresh(row) for row in picture(LESSON, "encode")["rows"]]
    assert made == [[], ["in"], ["es"], ["␣k"], ["ess"], ["ind"], ["ness"], ["␣kind"]]


def test_after_a_merge_its_neighbours_are_counted_again(by_hand):
    (before, _, _), (after, best, _) = by_hand[:2]
    told = said_in(document(LESSON, "recount"))
    assert f"only {after['t', 'h']:,} are left" in told
    assert f"{after[' t', 'h']:,} times" in told
    assert before["t", "h"] == after["t", "h"] + after[" t", "h"], "what is left and what moved"
    assert f"Now {' + '.join(best)} wins, with {after[best]:,}" in told
    rows = picture(LESSON, "recount")["panels"][0]["rows"]
    assert rows[0]["to"] == after[best] == max(after.values())
    assert rows[-1]["note"] == f"was {before['t', 'h']:,}"


def test_the_line_after_so_many_merges_is_joined_by_hand(by_hand):
    words = [tuple(piece) for piece in PIECES.findall(LINE)]
    for k, (_, best, _) in enumerate(by_hand, 1):
        words = [replace(ids, best) for ids in words]
        if str(k) in SIZES:
            row = picture(LESSON, "grow", merged=str(k))["rows"][-1]
            assert [token[0].replace("␣", " ") for token in row["tokens"]] == [t for w in words for t in w]
            told = document(LESSON, "grow", merged=str(k))["done"]
            assert f"<strong>{sum(map(len, words))}</strong> tokens" in told
            assert ("␣the is one token." in told) == ("the" in "".join("".join(best)) and k >= 9)


def test_the_play_shrinks_as_its_encoding_does():
    told, pairs = said_in(document(LESSON, "length")), learn_merges(play_text(), 1000)
    N = [len(pairs.first(k).encode(play_text())) for k in (0, 500, 1000)]
    assert f"save {N[0] - N[1]:,} tokens" in told and f"save only {N[1] - N[2]:,}" in told
    assert f"{N[2]:,} tokens remain, {N[0] / N[2]:.1f} bytes each" in told
    line, points = picture(LESSON, "length")["figure"]["data"]
    assert list(points["y"]) == N and len(line["y"]) == 1001, "a point for each merge"


def test_a_new_word_is_encoded_by_the_earliest_merge_and_is_not_in_the_play():
    assert NEW_WORD not in play_text().lower()
    rows, pairs = picture(LESSON, "encode")["rows"], learn_merges(play_text(), 1000)
    ids = list(f" {NEW_WORD}".encode())
    for row in rows:
        assert [token[1] for token in row["tokens"]] == ids
        made = min((pairs.merges.index(pair) for pair in pairwise(ids) if pair in pairs.merges), default=None)
        if made is not None:
            ids = merged(ids, pairs.merges[made], 256 + made)
    assert made is None and len(ids) == 2


def test_words_of_a_stem_are_counted():
    told = said_in(document(LESSON, "stems"))
    happy, last = len(re.findall("happ", play_text())), learn_merges(play_text(), 1000).counts[-1]
    assert happy < last, "what is rarer than the last merge has none"
    assert f"happ occurs only {happy} times" in told and f"a count of {last}." in told
    assert not any("happ" in token for token in learn_merges(play_text(), 1000).tokens)
    assert " unhappy" in gpt2_pairs().tokens and " unhappiest" not in gpt2_pairs().tokens
    assert [token[0] for token in picture(LESSON, "stems")["rows"][1]["tokens"]] == ["␣unh", "app", "iest"]


def test_gpt_2_needs_more_tokens_for_the_same_sentences_in_french_and_in_dutch():
    hidden = document(LESSON, "language")
    assert [row["total"] for row in hidden["picture"]["data"]["rows"]] == ["9", "?", "?"]
    shown_of = document(LESSON, "language", True)
    assert [row["total"] for row in shown_of["picture"]["data"]["rows"]] == ["9", "16", "19"]
    pairs = list(CoursePairs("English–French", 1500, longest=14, seed=1))
    texts = [[sentence_of(p.source, "en") for p in pairs], [sentence_of(p.target, "fr") for p in pairs]]
    for language in texts:
        pieces = [piece for text in language for piece in gpt2_pairs().cut.findall(text)]
        lengths = {piece: len(gpt2_pairs().encode(piece)) for piece in set(pieces)}
        words = [lengths[piece] for piece in pieces if any(map(str.isalnum, piece))]
        assert f"{np.mean(words):.2f}" in shown_of["measured"]
    assert ENGLISH in texts[0]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("🦜", "GPT-2"),
        ("zzz qqq", "GPT-2"),
        ("the", "<strong>1 token</strong> and GPT-2's <strong>1 token</strong>. Both need equally many."),
        ("早上好", "GPT-2"),
        ("thou art", "merges"),
    ],
)
def test_an_own_word_gets_a_sentence_that_fits_it(typed, told):
    assert told in document(LESSON, "own", typed=typed)["done"]


# The lab.


@cache
def opened(text, **query):
    app = open_lesson(LESSON, TEXTS[text], **OPENED, **query)
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
        assert f"occurs {times:,} times" in frame["said"]
        assert ("more often than any other pair" in frame["said"]) == (ranked[1][1] < times)
        words = {piece: merged(ids, best, 256 + number) for piece, ids in words.items()}
        total = sum(len(ids) * frequency[piece] for piece, ids in words.items())
        assert f"your text {total:,}," in frame["notes"][0]
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
        f"become {lengths[2]:,} tokens with {len(pairs.merges):,} merges. A word with its space has "
        f"**{per_word(pairs, content):.2f}** on average." in said(app)
    )
    assert (
        f"The first {half:,} merges save {early:,} tokens, the other {len(pairs.merges) - half:,} save {late:,}."
        in said(app)
    )
    curve = figure(app)["data"][0]
    drawn = numbers(curve["y"])
    assert (drawn[0], drawn[-1]) == (lengths[0], lengths[2])
    assert drawn == sorted(drawn, reverse=True)
    assert set(numbers(figure(app)["data"][1]["y"])) == {len(PIECES.findall(content))}
    ends = "After them no pair occurs twice" in said(app)
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
            assert "No learned merge fits" in row["said"]
            break
        made = min(possible)
        assert f"merge {made + 1:,}:" in row["said"]
        ids = merged(ids, pairs.merges[made], 256 + made)
    assert row is rows[-1]
    n = len(ids)
    assert f"goes from {len(word.encode()) + 1} bytes to **{n} token{'' if n == 1 else 's'}**:" in said(app)


@pytest.mark.parametrize(("text", "where"), [*((text, "French") for text in TEXTS), ("pasted", "Macbeth")])
def test_merges_learned_elsewhere_are_compared_at_one_size(text, where):
    app, content = opened(text, elsewhere="true", where=where), TEXTS[text]
    elsewhere = (
        written_in("English–French", "fr", 1500) if where == "French" else sample("macbeth").read().text
    )
    n = min(len(elsewhere), len(content))
    mine, other = (learn_merges(each[:n], 1000) for each in (content, elsewhere))
    k = min(len(other.merges), len(mine.merges))
    whole, broken = mine.first(k), other.first(k)
    found = metrics(app)
    assert found["Tokens per word, its own merges"] == f"{per_word(whole, content):.2f}"
    assert found["Tokens per word, merges from elsewhere"] == f"{per_word(broken, content):.2f}"
    N, M = len(whole.encode(content)), len(broken.encode(content))
    more = round(100 * (M / N - 1))
    assert (
        f"{M:,} tokens, {abs(more)}% {'more' if more > 0 else 'fewer'} than the {N:,} with its own"
        in said(app)
    )
    assert f"Both vocabularies have {256 + k:,} tokens and were learned from {n:,} characters." in said(app)
    stepped = frames(app)[1]["picture"]["rivals"]["columns"][0]
    assert stepped["title"] == f"count in {where}"
    assert stepped["values"][0] == broken.counts[0]


@EVERY_TEXT
def test_merges_are_asked_for_one_after_another_and_the_next_is_not_on_the_page(text):
    app = open_lesson(LESSON, TEXTS[text], predict="true", **OPENED)
    assert len(frames(app)) == 1
    assert not app.get("plotly_chart")
    answer = " + ".join(shown(own(text).tokens[i]) for i in own(text).merges[0])
    options = [option.replace("\\", "") for option in question(app).options]
    assert answer in options
    app = guess(app, answer)
    assert "Right" in said(app)
    assert len(frames(app)) >= 2
    assert not app.get("plotly_chart"), "the curve and the table wait for the last guess"


def test_one_merge_is_no_two_halves():
    shown_of_one = said(open_lesson(LESSON, "ab ab", **OPENED))
    assert (
        "The 5 bytes of your text become 3 tokens with 1 merge. A word with its space has **1.50** on average."
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
    app = open_lesson(LESSON, text, **OPENED, elsewhere=elsewhere)
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
    assert not open_lesson(LESSON, text, **OPENED, elsewhere=elsewhere, below="Every number").exception


def test_a_move_sends_little():
    app = opened("Hamlet", elsewhere="true")
    total = sum(len(each.proto.json) for each in app.get("bidi_component"))
    total += sum(len(chart.proto.spec) for chart in app.get("plotly_chart"))
    assert total < 60_000
