"""Translation scores: the story's numbers by sacrebleu, what each part of BLEU is worth, and the lab."""

from functools import cache

import pytest
from sacrebleu.metrics import BLEU, CHRF

from core.lesson.choices.translator_choice import translator_of
from core.models.documents.held_out import wilson
from core.models.translation.recorded_outputs import COUNT, MODELS, recorded_outputs, references
from core.models.translation.translate import greedy
from core.text.grammar.pairs import is_held_out, tokenise_sentence
from pages.translation.translation_quality import ENGLISH, REFERENCE, WRITTEN
from pages.translation.translation_quality.page import OWN, REPHRASED, REVERSED, RIGHT
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent, table_with

LESSON = "translation_quality"


def line(text):
    return " ".join(tokenise_sentence(text))


def sentence_scores(made, right):
    """Return sacrebleu's BLEU and chrF of a sentence, as they are shown."""
    bleu = BLEU(tokenize="none", force=True, effective_order=True)
    return tuple(
        f"{metric.sentence_score(line(made), [line(right)]).score / 100:.2f}" for metric in (bleu, CHRF())
    )


@cache
def corpus_scores(made, right):
    """Return sacrebleu's BLEU and chrF of a corpus of lines."""
    bleu = BLEU(tokenize="none", force=True, smooth_method="none")
    return tuple(metric.corpus_score(list(made), [list(right)]).score / 100 for metric in (bleu, CHRF()))


@cache
def targets():
    return tuple(" ".join(pair.target) for pair in references())


def outputs_of(name):
    return tuple(" ".join(words) for words in recorded_outputs()[name])


def bars_of(beat, *revealed):
    return [row["bars"][0]["text"] for row in picture(LESSON, beat, *revealed)["rows"]]


def test_what_is_recorded_is_what_the_translators_write_for_sentences_that_none_was_trained_on():
    assert len(references()) == COUNT and all(is_held_out(pair.source) for pair in references())
    for score, name in MODELS.items():
        translator = translator_of(name)
        for place in (*range(3), *wrong_places(score)[:3]):
            pair = references()[place]
            words = translator.target.decode(
                greedy(translator.model, translator.source.encode(pair.source)).words
            )
            assert tuple(words) == recorded_outputs()[score][place], (score, place)


def wrong_places(score):
    return [i for i, words in enumerate(recorded_outputs()[score]) if words != references()[i].target]


def test_the_translation_of_the_story_is_what_the_translator_without_attention_writes():
    translator = translator_of(MODELS["none"])
    ids = translator.source.encode(tokenise_sentence(ENGLISH))
    assert translator.target.decode(greedy(translator.model, ids).words) == tokenise_sentence(WRITTEN)
    attends = translator_of(MODELS["additive"])
    assert attends.target.decode(greedy(attends.model, ids).words) == tokenise_sentence(REFERENCE)


def test_one_wrong_word_has_no_exact_match_but_part_marks():
    bleu, chrf = sentence_scores(WRITTEN, REFERENCE)
    assert bars_of("exact") == ["0.00", bleu, chrf] == ["0.00", "0.66", "0.71"]
    told = said_in(document(LESSON, "exact"))
    assert f"They give {bleu} and {chrf}" in told and "is one of 10" in told
    kinds = [token["kind"] for token in picture(LESSON, "exact")["sentences"][1]["tokens"]]
    assert kinds == ["near"] * 3 + ["centre"] + ["near"] * 6


def test_a_word_is_matched_once_and_the_matches_are_hidden_until_the_guess():
    before, after = document(LESSON, "clipped"), document(LESSON, "clipped", True)
    assert {token["kind"] for each in before["picture"]["data"]["sentences"] for token in each["tokens"]} == {
        "plain"
    }
    assert "links" not in before["picture"]["data"]
    made, right = line(WRITTEN).split(), line(REFERENCE).split()
    links = after["picture"]["data"]["links"]
    assert all(right[j] == made[i] for j, i in links) and len({j for j, _ in links}) == len(links) == 9
    assert after["ask"]["answer"] == "9" and made.count("ri") == 2 and right.count("ri") == 1
    assert [i for i in range(10) if i not in {i for _, i in links}] == [3], "the first ri, the wrong word"


def test_the_longer_the_run_the_fewer_match_and_bleu_is_their_mean():
    grid = picture(LESSON, "ngrams")
    scored = BLEU(tokenize="none", force=True, effective_order=True).sentence_score(
        line(WRITTEN), [line(REFERENCE)]
    )
    totals = [f"{m} of {t}" for m, t in zip(scored.counts, scored.totals, strict=True)]
    assert [row["total"] for row in grid["rows"]] == totals == ["9 of 10", "7 of 9", "5 of 8", "3 of 7"]
    for row, matches in zip(grid["rows"], scored.counts, strict=True):
        assert sum(cell["kind"] == "kept" for cell in row["cells"]) == matches
    rows = picture(LESSON, "bleu")["panels"][0]["rows"]
    product = 1.0
    for row in rows[:4]:
        product *= row["to"]
    assert (
        rows[-1]["to"]
        == pytest.approx(product**0.25, abs=1e-6)
        == pytest.approx(scored.score / 100, abs=1e-6)
    )


def test_without_the_brevity_penalty_half_a_translation_is_perfect():
    halves = tuple(" ".join(words[: len(words) // 2]) for words in recorded_outputs()["additive"])
    oracle = BLEU(tokenize="none", force=True, smooth_method="none").corpus_score(
        list(halves), [list(targets())]
    )
    rows = picture(LESSON, "short", True)["panels"][0]["rows"]
    assert rows[0]["to"] == pytest.approx(corpus_scores(outputs_of("additive"), targets())[0], abs=1e-6)
    assert rows[1]["to"] == pytest.approx(oracle.score / 100 / oracle.bp, abs=1e-6) and rows[1]["to"] > 0.99
    assert rows[2]["to"] == pytest.approx(oracle.score / 100, abs=1e-6) and rows[2]["to"] < 0.4
    hidden = picture(LESSON, "short")["panels"][0]["rows"]
    assert [row["text"] for row in hidden[1:]] == ["?", "?"] and hidden[1]["to"] == hidden[2]["to"] == 0
    assert document(LESSON, "short", True)["ask"]["answer"] == "1.00"


def test_letters_forgive_an_ending():
    grid = picture(LESSON, "letters")
    assert [row["total"] for row in grid["rows"]] == ["6 of 7", "6 of 6"]
    chrf = CHRF().sentence_score("nouvelle", ["nouvelles"]).score / 100
    assert f"This pair gets {chrf:.2f}" in said_in(document(LESSON, "letters"))
    assert sentence_scores("nouvelle", "nouvelles")[0] == "0.00", "BLEU counts a wrong word"


def test_the_translators_have_sacrebleu_s_scores():
    panels = picture(LESSON, "translators")["panels"]
    for panel, name in zip(panels, ("none", "additive"), strict=True):
        made = outputs_of(name)
        exact = sum(one == other for one, other in zip(made, targets(), strict=True)) / COUNT
        expected = [exact, *corpus_scores(made, targets())]
        assert [row["to"] for row in panel["rows"]] == pytest.approx(expected, abs=1e-6)
        assert name != "additive" or min(expected) > 0.99, "close to 1"
    exact, bleu, chrf = (row["to"] for row in panels[0]["rows"])
    assert wilson(round(exact * COUNT), COUNT)[1] < bleu < chrf
    told = said_in(document(LESSON, "translators"))
    assert f"{round(exact * COUNT)} sentences are exactly right" in told and f"is {bleu:.2f}" in told


def test_the_translation_that_says_the_opposite_scores_higher():
    reversed_, rephrased = (sentence_scores(each, RIGHT) for each in (REVERSED, REPHRASED))
    assert bars_of("meaning") == ["?", "?"]
    assert bars_of("meaning", True) == [reversed_[0], rephrased[0]] == ["0.61", "0.24"]
    assert document(LESSON, "meaning", True)["ask"]["answer"] == "a"
    assert bars_of("answer") == [reversed_[0], rephrased[0], reversed_[1], rephrased[1]]
    assert all(one > other for one, other in zip(reversed_, rephrased, strict=True)), "both prefer A"
    negated = tuple(each for each in targets() if "pas" in each.split())
    without = tuple(" ".join(w for w in each.split() if w not in ("ne", "n'", "pas")) for each in negated)
    bleu = corpus_scores(without, negated)[0]
    told = said_in(document(LESSON, "meaning", True))
    assert f"all {len(negated)} held-out references" in told and f"still {bleu:.2f}" in told and bleu > 0.6
    assert all(len(one.split()) < len(other.split()) for one, other in zip(without, negated, strict=True))


def test_two_lines_of_ones_own():
    done = document(LESSON, "own", written=OWN[0])
    assert "every score is 1" in done["done"] and bars_of("own")[0] == "0.00"
    own = document(LESSON, "own", right="A cat", written="No dog here")
    assert "0 of 3 words match" in own["done"].replace("<strong>", "") and own["picture"]["data"]["rows"]


def test_the_lab_scores_any_two_lines_and_shows_every_number():
    right, made = "Ein <b>Hund</b> 🦜 bellt laut.", "Ein Hund bellt."
    app = open_lesson(LESSON, reference=right, translation=made, below="numbers")
    assert not app.exception
    bleu, chrf = sentence_scores(made, right)
    assert f"BLEU is **{bleu}** and chrF {chrf}" in said(app)
    oracle = BLEU(tokenize="none", force=True, effective_order=True)
    counted = oracle.sentence_score(line(made), [line(right)])
    assert list(table_with(app, "precision")["matches"][:4]) == counted.counts == [4, 0, 0, 0]
    assert sent(app, "token_grid")["rows"][0]["total"] == "4 of 4"


def test_the_lab_s_break_its_measure_what_clipping_and_the_penalty_are_worth():
    repeated = "the the the the the the the the"
    app = open_lesson(LESSON, reference=RIGHT, translation=repeated, no_clipping="true")
    assert metrics(app)["with clipping"] == f"{line(RIGHT).split().count('the') / 8:.2f}" == "0.25"
    assert metrics(app)["without clipping"] == "1.00"
    app = open_lesson(LESSON, reference=RIGHT, translation="The king did not", no_penalty="true")
    assert metrics(app)["without the penalty"] == "1.00"
    assert metrics(app)["with the penalty"] == sentence_scores("The king did not", RIGHT)[0] == "0.29"
    opened = open_lesson(LESSON, judged="true")
    assert metrics(opened)["without the brevity penalty"] == "1.00"
    assert metrics(opened)["with the brevity penalty"] == "0.34"


def test_a_lab_text_of_spaces_is_read_as_none():
    assert "BLEU is **0.66**" in said(open_lesson(LESSON, reference="  ", translation="  "))
