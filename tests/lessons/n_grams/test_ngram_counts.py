"""The counting lesson: its tree, its window and its shares are the text's own, with and without sentences' ends."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from core.models.n_grams.ngram_text import count_text
from core.models.n_grams.rarity import rarity, runs_over_ends, without_ends
from core.text.samples.shelf import sample
from tests.lessons.lesson_page import (
    frames,
    guess,
    metrics,
    mounted,
    open_lesson,
    question,
    said,
    sent,
    table_with,
)
from tests.lessons.n_grams.three_texts import PASTED, SAM, THREE

NEW = "Different 3-grams that stand in no sentence"
EACH_TEXT = pytest.mark.parametrize("text", THREE.values(), ids=THREE)


def test_the_counts_page_draws_the_continuations_of_the_path():
    app = open_lesson("ngram_counts", SAM, words_path="i", n="2")
    data = sent(app)
    rows = {row["token"]: (row["count"], row["share"]) for row in data["columns"][1]["children"]}
    assert rows == {"am": (2, 2 / 3), "do": (1, 1 / 3)}
    assert any(r"\frac{2}{3}" in latex.value for latex in app.latex)  # the p of the sentence above it
    assert "After “i”, “am” is the most frequent: 2 of 3 times, p = 0.667." in said(app)


def walked():
    import streamlit as st

    from core.models.n_grams.ngram_text import count_text
    from pages.n_grams.ngram_counts import LESSON, walk

    counted = count_text("I am Sam. Sam I am. I do not like green eggs and ham.", order=5)
    walk(counted, [*counted.read("i am"), 999])
    st.text(LESSON.get_state("words_path"))


def test_a_click_in_the_tree_goes_into_the_field():
    assert AppTest.from_function(walked, default_timeout=60).run().text[0].value == "i am"


@EACH_TEXT
def test_endless_text_has_runs_that_nobody_wrote(text):
    whole, broken = (open_lesson("ngram_counts", text, crossing=crossing) for crossing in (False, True))
    counted = count_text(text or sample("hamlet").read().text, order=5)
    different, frequent = runs_over_ends(counted, without_ends(counted), 3)
    assert NEW not in metrics(whole)
    assert metrics(broken)[f"{NEW}, whole"] == "0"
    assert metrics(broken)[f"{NEW}, broken"] == f"{different:,}"
    assert different > 0
    assert counted.write(frequent.tokens) in said(broken)
    assert sent(whole)["columns"] != sent(broken)["columns"]  # the main picture
    tokens = [row["token"] for row in sent(broken)["columns"][0]["children"]]
    assert "</s>" not in tokens


@EACH_TEXT
def test_the_window_reaches_over_the_end_where_the_sentence_has_none(text):
    second = {"sentence": "2", "n": "3"}
    whole, broken = (
        sent(open_lesson("ngram_counts", text, crossing=c, **second), "steps")["shared"]["tokens"]
        for c in (False, True)
    )
    counted = count_text(text or sample("hamlet").read().text, order=5)
    words = counted.text(counted.training).split("\n")
    assert whole[:3] == ["<s>", "<s>", words[1].split()[0]]
    assert broken[:3][-2:] == [words[0].split()[-1], words[1].split()[0]]
    assert not any("s>" in token for token in broken[1:])


def test_the_window_counts_what_the_text_without_ends_has():
    steps = frames(open_lesson("ngram_counts", PASTED, crossing=True, sentence="2", n="2"))
    told = "“late the” is counted once more: 1 in this sentence so far, 1 in the whole text."
    assert steps[0]["said"] == told


def test_a_run_that_comes_again_in_its_sentence_is_counted_again():
    steps = frames(open_lesson("ngram_counts", "the cat and the cat sat. a dog.", sentence="1", n="2"))
    told = [step["said"] for step in steps if step["said"].startswith("“the cat”")]
    assert [each.split(": ")[1] for each in told] == [
        f"{n} in this sentence so far, 2 in the whole text." for n in (1, 2)
    ]


def test_all_steps_together_are_small():
    assert len(json.dumps(sent(open_lesson("ngram_counts"), "steps"))) < 60_000


def test_one_sentence_has_no_end_to_reach_over_and_the_page_says_so():
    app = open_lesson("ngram_counts", "only one sentence here", crossing=True)
    assert "no new run is made" in said(app)
    assert metrics(app)[f"{NEW}, broken"] == "0"


@EACH_TEXT
def test_the_longer_the_rarer_is_said_where_it_is_so(text):
    shares = rarity(count_text(text or sample("hamlet").read().text, order=5).counts).shares
    app = open_lesson("ngram_counts", text)
    written = re.findall(r"([\d.]+)% for n = \d", said(app))
    assert [float(each) for each in written] == pytest.approx([100 * share for share in shares], abs=0.5)
    assert len(set(written)) == len(set(shares)), "shares that differ are written alike"
    assert f"**{written[2]}%** were seen only once" in said(app)
    assert ("the longer, the rarer" in said(app)) == (sorted(set(shares)) == shares)
    assert ("does not grow" in said(app)) != ("the longer, the rarer" in said(app))


def test_longer_runs_are_rarer_in_a_play():
    shares = rarity(count_text(sample("hamlet").read().text, order=5).counts).shares
    assert shares == sorted(shares)
    assert shares[0] < 0.6 < 0.95 < shares[4]


def test_the_answer_is_nowhere_before_the_guess():
    app = open_lesson("ngram_counts", SAM, predict="true", words_path="i")
    assert question(app).options == ["am", "do"]
    assert not any(proto.component_name.endswith("ngram_tree") for proto in mounted(app))
    assert not any("in the whole text" in step["said"] for step in frames(app))
    assert len(app.dataframe) == 0
    assert len(app.latex) == 1  # the lesson's own formula
    guess(app, "do")
    assert "You said do; it is am" in said(app)
    table = table_with(app, "c(hw)").set_index(["context", "next"])
    assert table.loc[("<s> i", "am"), "p"] == 1 / 2


def test_a_token_is_the_most_frequent_only_where_no_other_is_as_frequent():
    app = open_lesson("ngram_counts", "The cat sat. The dog sat.", words_path="the", n="2")
    assert "After “the”, no token is more frequent than “cat”: 1 of 2 times, p = 0.5." in said(app)
    assert "None of these is more frequent than" in said(open_lesson("ngram_counts", SAM, crossing="true"))


def test_a_text_without_ends_has_its_last_word_at_the_end_of_the_text():
    assert "at the end of a sentence, or not at all" in said(
        open_lesson("ngram_counts", SAM, words_path="</s>")
    )
    app = open_lesson("ngram_counts", "one word", words_path="word", crossing="true")
    assert "Nothing follows “word”: your text has it only at the end of the text, or not at all." in said(app)
