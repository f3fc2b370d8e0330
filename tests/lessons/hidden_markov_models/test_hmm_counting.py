"""Training an HMM by counting: the story's counts can be made by hand; the lab counts whatever is typed or uploaded."""

import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import isclose, prod

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode
from core.models.hidden_markov_models.hmm_tables import count_tagged, estimate
from core.models.hidden_markov_models.leave_one_out import held_out_log_probabilities
from core.models.hidden_markov_models.suffix_model import SuffixModel
from core.models.hidden_markov_models.tagger import load_counts
from core.text.reading.tagged import read_tagged
from pages.hidden_markov_models.hmm_counting import EXAMPLES, TEXT
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    said,
    said_in,
)

# The story. Its numbers are counted here a second time, with nothing but a Counter.

PAIRS = [[tuple(pair.split("/")) for pair in line.split()] for line in TEXT.splitlines()]
STEPS = Counter(step for line in PAIRS for step in pairwise(["start", *(tag for _, tag in line), "end"]))
TAGS = Counter(tag for line in PAIRS for _, tag in line)
EMITTED = Counter((tag, word) for line in PAIRS for word, tag in line)
COLUMNS = len(TAGS) + 1  # the tags and the end


def rows_of(data, panel=0):
    return {row["name"]: row for row in data["panels"][panel]["rows"]}


def test_the_text_is_eight_sentences_and_32_words_that_keep_their_hue():
    data = picture("hmm_counting", "text")
    shown = [[(token["word"], token["tag"]) for token in each["tokens"]] for each in data["sentences"]]
    assert shown == PAIRS and sum(TAGS.values()) == 32
    assert "these 32 words" in said_in(document("hmm_counting", "text"))
    hues = {token["tag"]: token["hue"] for each in data["sentences"] for token in each["tokens"]}
    assert len(set(hues.values())) == len(TAGS)
    panels = [*picture("hmm_counting", "divided")["panels"], *picture("hmm_counting", "own")["panels"]]
    assert all(
        row["hue"] == hues[row["name"]] for each in panels for row in each["rows"] if row["name"] in hues
    )


def test_the_marked_steps_are_as_many_as_the_blocks():
    data = picture("hmm_counting", "steps")
    kinds = Counter(token["kind"] for each in data["sentences"] for token in each["tokens"])
    assert kinds["from"] == kinds["to"] == rows_of(data)["NOUN"]["count"] == STEPS["DET", "NOUN"] == 6
    for each in data["sentences"]:
        for one, other in pairwise(each["tokens"]):
            marked = (one["kind"], other["kind"]) == ("from", "to")
            assert marked == ((one["tag"], other["tag"]) == ("DET", "NOUN"))
    assert "We find 6 such steps" in said_in(document("hmm_counting", "steps"))


def test_a_count_is_divided_by_its_row_and_not_before_the_answer():
    asked = document("hmm_counting", "divided")
    assert not any(row["p"] for each in asked["picture"]["data"]["panels"] for row in each["rows"])
    assert "/" not in "".join(
        row["text"] for each in asked["picture"]["data"]["panels"] for row in each["rows"]
    )
    assert [each["label"] for each in asked["ask"]["choices"]] == ["6 / 9", "6 / 10", "6 / 32"]
    assert (TAGS["DET"], TAGS["NOUN"]) == (9, 10)
    answered = document("hmm_counting", "divided", True)
    assert answered["ask"]["answer"] == "row" and "which is 0.667" in said_in(answered)
    panels = answered["picture"]["data"]["panels"]
    for name, panel in zip(["start", "DET", "NOUN", "VERB", "ADJ", "PRON"], panels, strict=True):
        counted = {after: n for (before, after), n in STEPS.items() if before == name}
        assert {row["name"]: row["count"] for row in panel["rows"]} == counted
        total = sum(counted.values())
        assert all(row["text"] == f"{row['count']} / {total}" for row in panel["rows"])
        assert isclose(sum(float(row["p"]) for row in panel["rows"]), 1, abs_tol=0.002)


def test_the_words_of_a_tag_are_divided_by_the_tag_and_two_tags_have_bark():
    data = picture("hmm_counting", "emissions")
    for i, tag in enumerate(("NOUN", "VERB")):
        counted = {word: n for (each, word), n in EMITTED.items() if each == tag}
        assert {name: row["count"] for name, row in rows_of(data, i).items()} == counted
        assert rows_of(data, i)["bark"]["kind"] == "now"
    told = said_in(document("hmm_counting", "emissions"))
    assert "dog is 4 of 10 nouns" in told and "= 0.4" in told and "with 0.1 and 0.125" in told
    assert (EMITTED["NOUN", "bark"], EMITTED["VERB", "bark"], TAGS["VERB"]) == (1, 1, 8)


def factors(alpha):
    """Return the story's nine factors from the counts alone."""
    words, path = EXAMPLES[1].split(), ["DET", "NOUN", "VERB", "NOUN"]
    found = []
    for (before, after), word in zip(pairwise(["start", *path, "end"]), [*words, None], strict=True):
        total = sum(n for (each, _), n in STEPS.items() if each == before)
        columns = COLUMNS - (before == "start")  # no sentence ends before it begins
        found.append(float((STEPS[before, after] + Fraction(alpha)) / (total + columns * Fraction(alpha))))
        if word:
            found.append(EMITTED[after, word] / TAGS[after])
    return found


@pytest.mark.parametrize(("beat", "alpha"), [("zero", 0), ("add_one", 1)])
def test_the_factors_of_the_sentence_are_the_counts_and_their_product_is_said(beat, alpha):
    chain = picture("hmm_counting", beat)["chain"]
    shown = [float(text) for step in chain["steps"] for text in (step["into"], step["down"]) if text]
    assert np.allclose(shown, factors(alpha), rtol=0.002)
    product = prod(factors(alpha))
    model = estimate(count_tagged(PAIRS), alpha, 0)
    decoded = decode(model, EXAMPLES[1].split())
    if alpha:
        assert chain["total"] == "product of all = 6.13·10⁻⁶" and isclose(product, 6.13e-6, rel_tol=0.001)
        assert isclose(np.exp(decoded.viterbi.log_probability), product)
    else:
        assert chain["total"] == "product of all = 0" and product == 0
        assert decoded.forward.log_probability == -np.inf, "no other path makes the sentence possible"
    assert [step["kind"] for step in chain["steps"]] == ["", "", "", "now", ""]


def test_add_one_makes_the_step_possible_and_another_one_cheaper():
    told = said_in(document("hmm_counting", "add_one"))
    assert "The row had 8 counts. Now it has 8 + 6 · 1, and NOUN gets (0 + 1) / 14 = 0.0714" in told
    assert "DET falls from 0.5 to 0.357" in told
    assert isclose(5 / 14, 0.357, abs_tol=0.0005) and isclose(1 / 14, 0.0714, abs_tol=0.0001)
    rows = rows_of(picture("hmm_counting", "add_one"))
    assert {row["added"] for row in rows.values()} == {1} and rows["NOUN"]["count"] == 0


@pytest.mark.parametrize(
    ("alpha", "often", "says"),
    [
        ("0.1", 6.1 / 9.6, "NOUN after VERB has 0.0116, NOUN after DET 0.635."),
        ("0", 6 / 9, "the step from VERB to NOUN is impossible again"),
        ("2", 8 / 21, "NOUN after VERB has 0.1, NOUN after DET 0.381."),
    ],
)
def test_the_learner_s_alpha_is_worked_out(alpha, often, says):
    found = document("hmm_counting", "own", alpha=alpha)
    assert f"= {often:.3f}".rstrip("0") in said_in(found)
    assert says in re.sub(r"<[^>]+>", "", found["done"])
    assert float(rows_of(found["picture"]["data"], 1)["NOUN"]["p"]) == pytest.approx(often, abs=0.0006)


def test_seven_of_eight_left_out_sentences_are_possible_and_all_with_smoothing():
    possible = np.isfinite(held_out_log_probabilities(PAIRS, 0, 0))
    assert possible.tolist() == [True] * 6 + [False, True]
    assert np.isfinite(held_out_log_probabilities(PAIRS, 0.1, 0)).all()
    data = picture("hmm_counting", "held_out")
    assert [each["noted"] == "good" for each in data["sentences"]] == possible.tolist()
    told = said_in(document("hmm_counting", "held_out"))
    assert "works for 7 of 8. It fails for “the bark helps”" in told and "all 8 are possible" in told
    others = [line for place, line in enumerate(PAIRS) if place != 6]
    assert {tag for line in others for word, tag in line if word == "bark"} == {"VERB"}
    assert ("DET", "VERB") not in STEPS


def test_seven_of_eight_words_in_s_are_verbs():
    ending = Counter(tag for line in PAIRS for word, tag in line if word.endswith("s"))
    assert ending == {"VERB": 7, "NOUN": 1}
    data = picture("hmm_counting", "unseen")
    assert {name: row["count"] for name, row in rows_of(data).items()} == ending
    outlined = [
        token["word"] for each in data["sentences"] for token in each["tokens"] if token["kind"] == "both"
    ]
    assert len(outlined) == 8 and all(word.endswith("s") for word in outlined)
    found = document("hmm_counting", "unseen")
    assert "7 of 8 times" in said_in(found) and "runs" not in {word for _, word in EMITTED}
    counts = count_tagged(PAIRS)
    p = SuffixModel().fit(counts.vocabulary, counts.emission).guess("runs").tag_probabilities.max()
    assert f"for the ending -s {p:.3f}" in re.sub(r"<[^>]+>", "", found["measured"])


def test_the_answer_compares_the_row_with_the_brown_corpus():
    counts = load_counts()
    det = counts.states.index("DET")
    row = counts.transition[det]
    p = row[counts.states.index("NOUN")] / (row.sum() + counts.end[det])
    told = said_in(document("hmm_counting", "answer"))
    assert f"NOUN has 0.667 in our 32 words and {p:.3f} in the 1,044,499 words" in told
    bars = rows_of(picture("hmm_counting", "answer"), 1)
    assert set(bars) == {"NOUN", "ADJ", "VERB", "ADV", "DET"} and bars["NOUN"]["added"] == pytest.approx(p)


# The lab.

CONLLU = b"# text = Dogs bark\n1\tDogs\tdog\tNOUN\t_\n2\tbark\tbark\tVERB\t_\n\n1\tBark\tbark\tVERB\t_\n"


def type_in(app, text):
    return app.text_area(key="hmm_counting_text").set_value(text).run()


def counts_of(app):
    table = app.dataframe[0].value
    return {(row["from"], row["to"]): row["count"] for _, row in table.iterrows()}


def test_the_counts_are_those_of_the_typed_text():
    text = "a/X b/Y\na/X a/X"
    shown, counts = counts_of(type_in(open_lesson("hmm_counting"), text)), count_tagged(read_tagged(text))
    assert shown["X", "Y"] == counts.transition[0, 1] == 1
    assert shown["⟨start⟩", "X"] == counts.initial[0] == 2


def test_an_uploaded_conllu_file_is_counted():
    app = open_lesson("hmm_counting")
    app = app.file_uploader(key="hmm_counting_file").upload("x.conllu", CONLLU, "text/plain").run()
    assert counts_of(app)["NOUN", "VERB"] == 1
    assert counts_of(app)["⟨start⟩", "VERB"] == 1


@pytest.mark.parametrize("text", ["", "no tags here", "a/", "🦜", "x" * 5000])
def test_text_without_tags_is_explained_and_kept(text):
    app = type_in(open_lesson("hmm_counting"), text)
    assert not app.exception
    assert app.warning
    assert app.text_area(key="hmm_counting_text").value == text


def test_binary_uploads_are_refused_in_a_sentence():
    app = open_lesson("hmm_counting")
    app = (
        app.file_uploader(key="hmm_counting_file").upload("x.txt", bytes(range(256)) * 4, "text/plain").run()
    )
    assert not app.exception
    assert app.warning


def test_without_smoothing_left_out_sentences_become_impossible():
    app = open_lesson("hmm_counting", raw="true")
    assert metrics(app) == {"with smoothing": "8", "without smoothing": "7"}
    assert "We leave out 8 sentences in turn" in said(app)


def test_a_tag_that_ends_every_sentence_needs_no_other_follower():
    app = type_in(open_lesson("hmm_counting", raw="true"), "a/X b/Y")
    assert not app.exception


def test_a_text_of_two_hundred_words_is_a_table_that_scrolls():
    text = "\n".join(f"word{i}/N runs/V" for i in range(200))
    assert not type_in(open_lesson("hmm_counting"), text).exception


TEXTS = [None, "a/X b/Y\nb/Y a/X\na/X a/X b/Y", "\n".join(f"word{i}/N runs/V slowly/ADV" for i in range(30))]


@pytest.mark.parametrize("text", TEXTS, ids=["example", "short", "many words"])
def test_without_smoothing_the_table_changes_and_no_more_sentences_are_possible(text):
    whole, broken = open_lesson("hmm_counting"), open_lesson("hmm_counting", raw="true")
    if text is not None:
        whole, broken = type_in(whole, text), type_in(broken, text)
    assert figures(whole)[0] != figures(broken)[0]
    shares = list(map(float, metrics(broken).values()))
    assert shares[1] <= shares[0]
    assert "impossible" in said(broken) or "Every one of" in said(broken)


def test_the_answer_waits_for_the_guess_and_the_closing_does_not():
    app = open_lesson("hmm_counting", predict="true")
    assert not figures(app) and not app.dataframe
    assert "The code that ran" in [tab.label for tab in app.tabs]
    assert figures(guess(app, "NOUN"))


def test_one_step_that_never_occurs_is_one():
    page = said(type_in(open_lesson("hmm_counting"), "a/X b/Y\nb/Y a/X\na/X a/X b/Y"))
    assert "**1** of the 6 steps from a tag to a tag or to the end never occurs in 7 words" in page
    assert "but α = 0.1 leaves it possible" in page
    assert "How each tag emits the 2 different words" in page


def test_a_sentence_is_tagged_with_the_tables_and_its_unseen_words_are_explained():
    app = open_lesson("hmm_counting", decode="true", sentence="the runs helps dogs")
    assert any("runs" in text.value and "“s”" in text.value for text in app.text)
    assert len(figures(app)) >= 3


def test_a_beat_opens_the_lab_at_its_smoothing():
    assert document("hmm_counting", "add_one")["lab"] == "hmm_counting?lab=true&hmm_counting_alpha=1.0"
