"""N-gram counts: the story's numbers are counted again here with a Counter; the lab meets any text."""

import json
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.models.documents.sign_test import sign_test
from core.models.n_grams.guesses import guess_each
from core.models.n_grams.ngram_text import count_text, hold_out_every, tokenized
from core.models.n_grams.rarity import rarity, runs_over_ends, without_ends
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import (
    document,
    figures,
    frames,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.n_grams.three_texts import PASTED, SAM, THREE, numbers

NAME = "ngram_counts"
IGNORED = "ends ignored"
EACH_TEXT = pytest.mark.parametrize("text", THREE.values(), ids=THREE)


# The story. `pairs` and `triples` are counted by hand: of each sentence, with its end.


@pytest.fixture(scope="module")
def sentences():
    return tokenized(sample("hamlet").read().text, "words")


def runs(sentences, n):
    """Count the runs of n tokens, with n - 1 starts before each sentence."""
    padded = [["<s>"] * (n - 1) + each for each in sentences]
    return Counter(tuple(each[i : i + n]) for each in padded for i in range(len(each) - n + 1))


def after(sentences, *context):
    """Count what follows a context within a sentence."""
    found = runs(sentences, len(context) + 1)
    return Counter({run[-1]: count for run, count in found.items() if run[:-1] == context})


def rows(data, panel=0):
    return {row["token"]: row for row in data["panels"][panel]["rows"]}


def test_the_bars_are_what_follows_my_in_the_play(sentences):
    counted, drawn = after(sentences, "my"), rows(picture(NAME, "bars"))
    assert counted.most_common(1) == [("lord", 180)] and counted.total() == 514
    assert {
        name: int(row["text"]) for name, row in drawn.items() if name in counted
    }.items() <= counted.items()
    assert sum(int(row["text"]) for row in drawn.values()) == 514
    assert "lord follows 180 times" in said_in(document(NAME, "bars"))


def test_the_window_counts_each_pair_in_the_whole_play(sentences):
    data, counted = picture(NAME, "window"), runs(sentences, 2)
    line = "to be or not to be".split()
    assert data["sides"][0]["texts"] == [str(counted[pair]) for pair in pairwise(line)]
    assert [i for i, row in enumerate(data["rows"]) if row["lit"]] == [0, 4]
    assert [[cell["kind"] for cell in row["cells"]].index("target") for row in data["rows"]] == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert "the play 34 times" in said_in(document(NAME, "window"))


def test_the_shares_are_counts_over_the_context_s_count_and_fill_the_line():
    panel = picture(NAME, "shares")["panels"][0]
    assert panel["rows"][0]["p"] == pytest.approx(180 / 514)
    assert sum(row["p"] for row in panel["rows"]) == pytest.approx(1)
    segments = panel["line"]["segments"]
    assert segments[0]["from"] == 0 and segments[-1]["to"] == pytest.approx(1)
    assert all(one["to"] == pytest.approx(other["from"]) for one, other in pairwise(segments))


def test_a_second_word_of_context_is_hidden_until_the_guess(sentences):
    counted = after(sentences, "good", "my")
    assert counted == {"lord": 15, "brother": 1}
    before, revealed = document(NAME, "longer"), document(NAME, "longer", True)
    assert len(before["picture"]["data"]["panels"]) == 1
    assert "94%" not in json.dumps(before) and "brother" not in json.dumps(before)
    assert "15 of 16 cases, 94% instead of 35%" in said_in(revealed) and revealed["ask"]["answer"] == "most"
    assert rows(revealed["picture"]["data"], 1)["lord"]["text"] == "94%"


def test_starts_and_ends_of_sentences_are_counted(sentences):
    told, begins = said_in(document(NAME, "ends")), Counter(each[0] for each in sentences)
    words, ends = sum(len(each) - 1 for each in sentences), len(sentences)
    assert f"{words:,} words and {ends:,} ends, together {words + ends:,} tokens" in told
    assert after(sentences, "my", "lord")["</s>"] == 90 and "the sentence ends in 50%" in told
    first = picture(NAME, "ends")["panels"][0]["rows"][0]
    assert (first["token"], first["p"]) == ("i", pytest.approx(begins["i"] / ends))


def test_without_ends_why_follows_my_lord_and_in_the_play_it_never_does(sentences):
    endless = ["<s>", "<s>", *(token for each in sentences for token in each[:-1])]
    triples = Counter(zip(endless, endless[1:], endless[2:], strict=False))
    assert triples["my", "lord", "why"] == 6 and not after(sentences, "my", "lord")["why"]
    data, told = picture(NAME, "across"), said_in(document(NAME, "across"))
    assert "why" not in rows(data, 0) and rows(data, 1)["why"]["text"] == "6"
    place = int(re.search(r"row\.1\.(\d)", document(NAME, "across")["words"])[1])
    assert data["panels"][1]["rows"][place]["token"] == "why"
    over = set(triples) - set(runs(sentences, 3))
    assert f"In all, {len(over):,} of {len(triples):,} different trigrams" in told


def test_95_percent_of_the_trigrams_occur_once(sentences):
    told, traces = said_in(document(NAME, "rare")), picture(NAME, "rare")["figure"]["data"]
    for n in range(1, 6):
        counted = runs(sentences, n)
        once = sum(count == 1 for count in counted.values())
        assert [trace["y"][n - 1] for trace in traces] == [once, len(counted) - once]
        assert n > 3 or f"{once / len(counted):.1%}" in told
    assert "22 million possible bigrams" in told


def predicted(sentences, n):
    """Return, of each held-out token, whether the most frequent one after its context is right, and whether there is one."""
    held, training = hold_out_every(10, list(map(tuple, sentences)))
    best, known = {}, {token for each in training for token in each}
    for run, count in runs(map(list, training), n).items():
        best.setdefault(run[:-1], Counter())[run[-1]] += count
    leaders = {}
    for context, follows in best.items():
        most = max(follows.values())
        leaders[context] = [token for token, count in follows.items() if count == most]
    found = []
    for each in held:
        padded = ["<s>"] * (n - 1) + [token if token in known else "<unk>" for token in each]
        for i in range(len(each)):
            tied = leaders.get(tuple(padded[i : i + n - 1]))
            found.append((bool(tied), bool(tied) and each[i] in tied and 1 / len(tied)))
    return np.array(found)


def test_one_word_of_context_gets_the_most_held_out_words_right(sentences):
    told = said_in(document(NAME, "test", True))
    counted = count_text(sample("hamlet").read().text, order=5, hold_out=10)
    found = [guess_each(counted.counts, counted.held_out, n) for n in range(1, 6)]
    for n, each in enumerate(found, 1):
        oracle = predicted(sentences, n)
        assert each.known.mean() == pytest.approx(oracle[:, 0].mean())
        # Of equally frequent tokens the oracle gives each its share; with no ties it is the same.
        assert each.right.mean() == pytest.approx(oracle[:, 1].mean(), abs=0.015)
    rights = [each.right.mean() for each in found]
    assert np.argmax(rights) == 1 and document(NAME, "test", True)["ask"]["answer"] == "one"
    for other in (0, 2):  # as the fold says
        assert sign_test(found[1].right, found[other].right).p < 0.001
    assert "gets 9.5% right" in told and "No context gets 6.3%" in told and "55% of these contexts" in told
    assert (
        counted.vocabulary.types[counted.counts.continuations([])[0][0]] == "</s>"
    )  # what it predicts every time


def test_what_is_right_is_not_drawn_before_the_guess():
    before, revealed = (picture(NAME, "test", each)["figure"] for each in (False, True))
    assert [trace["name"] for trace in before["data"]] == ["a guess is made", "context never counted"]
    assert [trace["name"] for trace in revealed["data"]] == ["right", "wrong", "context never counted"]
    assert "9.5%" not in json.dumps(before)
    np.testing.assert_allclose(np.sum([trace["x"] for trace in revealed["data"]], axis=0), 1)


def test_the_last_screen_compares_what_was_counted_with_what_was_not():
    told = said_in(document(NAME, "answer"))
    assert "89% of the tokens they were made from, but only 2.0% of new ones" in told
    counted, new = (numbers(trace["y"]) for trace in picture(NAME, "answer")["figure"]["data"])
    assert (np.diff(counted) > 0).all() and new.argmax() == 1 and (np.diff(new[1:]) < 0).all()


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("good my", "2 different tokens follow. lord leads with 15 of 16."),
        ("zebra", "Hamlet never has “zebra”, so there is nothing to count."),
        ("lord good king", "Nothing follows “lord good king” in Hamlet"),
        ("to be or", "only once, with not. One case is too few"),
        ("هل أنت", "never has “هل”"),
        ("the rest is silence", "“the rest is silence”"),
    ],
)
def test_own_words_get_an_honest_sentence(typed, told):
    done = document(NAME, "own", typed=typed)["done"]
    assert told in re.sub(r"<[^>]+>", "", done).replace("\\", "")


def test_own_words_are_counted_in_the_chosen_play():
    data = picture(NAME, "own", typed="my lord", play="othello")
    expected = after(tokenized(sample("othello").read().text, "words"), "my", "lord")
    assert int(data["panels"][1]["rows"][0]["text"]) == expected.most_common(1)[0][1]


# The lab.


def test_the_lab_draws_the_continuations_of_the_path():
    app = open_lesson(NAME, SAM, words_path="i", n="2")
    data = sent(app)
    found = {row["token"]: (row["count"], row["share"]) for row in data["columns"][1]["children"]}
    assert found == {"am": (2, 2 / 3), "do": (1, 1 / 3)}
    assert any(r"\frac{2}{3}" in latex.value for latex in app.latex)  # the p of the sentence above it
    assert "After “i”, “am” is the most frequent: 2 of 3 times, p = 0.667." in said(app)


def test_the_lab_opens_on_a_path_that_is_walked_already():
    assert len(sent(open_lesson(NAME))["columns"]) == 3  # any token, after my, after my lord
    assert len(sent(open_lesson(NAME, SAM))["columns"]) == 2


def walked():
    import streamlit as st

    from core.models.n_grams.ngram_text import count_text
    from pages.n_grams.ngram_counts import LESSON
    from pages.n_grams.ngram_counts.page import walk

    counted = count_text("I am Sam. Sam I am. I do not like green eggs and ham.", order=5)
    walk(counted, [*counted.read("i am"), 999])
    st.text(LESSON.get_state("words_path"))


def test_a_click_in_the_tree_goes_into_the_field():
    assert AppTest.from_function(walked, default_timeout=60).run().text[0].value == "i am"


@EACH_TEXT
def test_endless_text_has_runs_that_nobody_wrote(text):
    kept, ignored = (open_lesson(NAME, text, crossing=crossing) for crossing in (False, True))
    counted = count_text(text or sample("hamlet").read().text, order=5)
    different, frequent = runs_over_ends(counted, without_ends(counted), 3)
    assert IGNORED not in metrics(kept)
    assert metrics(ignored)["ends counted"] == "0"
    assert metrics(ignored)[IGNORED] == f"{different:,}"
    assert different > 0
    assert counted.write(frequent.tokens) in said(ignored)
    assert sent(kept)["columns"] != sent(ignored)["columns"]  # the main picture
    tokens = [row["token"] for row in sent(ignored)["columns"][0]["children"]]
    assert "</s>" not in tokens


@EACH_TEXT
def test_the_window_reaches_over_the_end_where_the_sentence_has_none(text):
    second = {"sentence": "2", "n": "3"}
    kept, ignored = (
        sent(open_lesson(NAME, text, crossing=c, **second), "steps")["shared"]["tokens"]
        for c in (False, True)
    )
    counted = count_text(text or sample("hamlet").read().text, order=5)
    words = counted.text(counted.training).split("\n")
    assert kept[:3] == ["<s>", "<s>", words[1].split()[0]]
    assert ignored[:3][-2:] == [words[0].split()[-1], words[1].split()[0]]
    assert not any("s>" in token for token in ignored[1:])


def test_the_window_counts_what_the_text_without_ends_has():
    steps = frames(open_lesson(NAME, PASTED, crossing=True, sentence="2", n="2"))
    told = "“late the” is counted once more: 1 in this sentence so far, 1 in the whole text."
    assert steps[0]["said"] == told


def test_a_run_that_comes_again_in_its_sentence_is_counted_again():
    steps = frames(open_lesson(NAME, "the cat and the cat sat. a dog.", sentence="1", n="2"))
    told = [step["said"] for step in steps if step["said"].startswith("“the cat”")]
    assert [each.split(": ")[1] for each in told] == [
        f"{n} in this sentence so far, 2 in the whole text." for n in (1, 2)
    ]


def test_all_steps_together_are_small():
    assert len(json.dumps(sent(open_lesson(NAME), "steps"))) < 60_000


def test_one_sentence_has_no_end_to_reach_over_and_none_to_hold_out_and_the_page_says_so():
    app = open_lesson(NAME, "only one sentence here", crossing=True)
    assert "no new n-gram is made" in said(app)
    assert "only one sentence, so none can be held out" in said(app)
    assert metrics(app)[IGNORED] == "0"


@EACH_TEXT
def test_the_longer_the_rarer_is_said_where_it_is_so(text):
    shares = rarity(count_text(text or sample("hamlet").read().text, order=5).counts).shares
    app = open_lesson(NAME, text)
    written = re.findall(r"([\d.]+)% for n = \d", said(app))
    assert [float(each) for each in written] == pytest.approx([100 * share for share in shares], abs=0.5)
    assert len(set(written)) == len(set(shares)), "shares that differ are written alike"
    assert f"**{written[2]}%** were seen only once" in said(app)
    assert ("the longer, the rarer" in said(app)) == (sorted(set(shares)) == shares)
    assert ("does not grow" in said(app)) != ("the longer, the rarer" in said(app))


@EACH_TEXT
def test_the_lab_tests_the_guesses_on_held_out_sentences(text):
    counted = count_text(text or sample("hamlet").read().text, order=5, hold_out=10)
    rights = [guess_each(counted.counts, counted.held_out, n).right.mean() for n in range(1, 6)]
    app = open_lesson(NAME, text)
    drawn = next(each for each in figures(app) if each["data"][0]["name"] == "right")
    np.testing.assert_allclose(numbers(drawn["data"][0]["x"]), rights)
    assert ("too few tokens" in said(app)) == (len(counted.held_out) < 1000)


def test_the_answer_is_nowhere_before_the_guess():
    app = open_lesson(NAME, SAM, predict="true", words_path="i")
    assert question(app).options == ["am", "do"]
    assert not any(proto.component_name.endswith("ngram_tree") for proto in mounted(app))
    assert not any("in the whole text" in step["said"] for step in frames(app))
    assert len(app.dataframe) == 0 and len(app.latex) == 0
    guess(app, "do")
    assert "You said do; it is am" in said(app)
    table = table_with(app, "c(hw)").set_index(["context", "next"])
    assert table.loc[("<s> i", "am"), "p"] == 1 / 2


def test_a_token_is_the_most_frequent_only_where_no_other_is_as_frequent():
    app = open_lesson(NAME, "The cat sat. The dog sat.", words_path="the", n="2")
    assert "After “the”, no token is more frequent than “cat”: 1 of 2 times, p = 0.5." in said(app)
    assert "None of these is more frequent than" in said(open_lesson(NAME, SAM, crossing="true"))


def test_a_text_without_ends_has_its_last_word_at_the_end_of_the_text():
    assert "at the end of a sentence, or not at all" in said(open_lesson(NAME, SAM, words_path="</s>"))
    app = open_lesson(NAME, "one word", words_path="word", crossing="true")
    assert "Nothing follows “word”: your text has it only at the end of the text, or not at all." in said(app)
