"""Translation quality: what its story shows of exact match, BLEU and chrF, and its lab on any translation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st

from core.lesson.settings import Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.held_out import wilson
from core.models.translation.bleu import (
    Bleu,
    corpus_bleu,
    count_ngrams,
    match_ngrams,
    sentence_bleu,
)
from core.models.translation.chrf import Chrf, corpus_chrf
from core.models.translation.recorded_outputs import COUNT, recorded_outputs, references
from core.text.grammar.pairs import sentence_of, tokenise_sentence
from pages.translation.translation_quality import ENGLISH, LESSON, REFERENCE, WRITTEN
from pages.translation.translation_quality.figures import (
    HUES,
    draw_bleu,
    draw_letters,
    draw_lines,
    draw_ngrams,
    draw_scores,
    draw_translators,
    format_score,
    judged_table,
    ngrams_table,
    orders_table,
    tell_matches,
)

WORDS = LESSON.words
RIGHT = "The king did not open the old door."
REVERSED, REPHRASED = "The king did open the old door.", "The king left the old door closed."
OWN = "The cat sat on the mat.", "The cat is sitting on the mat."
STARTED, REPEATED = "The king did not", "the the the the the the the the"
EXAMPLES = (RIGHT, REVERSED, REPHRASED, STARTED, REPEATED, *OWN)
ENDING, PLURAL, LETTERS = (
    "nouvelle",
    "nouvelles",
    3,
)  # two forms of a word, and the n of their character n-grams
BEST = "additive"  # the translator whose translations are cut
WITHOUT = "none"  # the translator without attention
NEGATION = {"ne", "n'", "pas"}
IN_STORY, IN_LAB, WORDS_AT_MOST = 90, 400, 60
OFFERED = ("0.10", "0.50", "1.00")

FIRST, SECOND = Text("right", OWN[0], IN_STORY), Text("written", OWN[1], IN_STORY)
SOURCE, TARGET = Text("reference", REFERENCE, IN_LAB), Text("translation", WRITTEN, IN_LAB)
NO_PENALTY, NO_CLIPPING = Switch("no_penalty"), Switch("no_clipping")
LAB = (SOURCE, TARGET, NO_PENALTY, NO_CLIPPING)


# The story: what each beat shows.


def lab_of(reference: str, translation: str, **more: object) -> dict[str, object]:
    """Return the settings of the lab that show the same two lines."""
    return {"reference": reference, "translation": translation, **more}


def read_line(text: str) -> list[str]:
    """Return the words and punctuation marks of a line.

    >>> read_line("The cat sat.")
    ['the', 'cat', 'sat', '.']
    """
    return tokenise_sentence(text)[:WORDS_AT_MOST]


def judge(hypothesis: Sequence[str], reference: Sequence[str]) -> dict[str, float]:
    """Return the three scores of one translation, from 0 to 1."""
    return {
        "exact": float(list(hypothesis) == list(reference)),
        "bleu": sentence_bleu(hypothesis, reference).score,
        "chrf": corpus_chrf([" ".join(hypothesis)], [" ".join(reference)]).score,
    }


def describe(hypothesis: Sequence[str], reference: Sequence[str]) -> dict:
    """Return what the words may say of a translation: its scores and its matches."""
    bleu = sentence_bleu(hypothesis, reference)
    return {
        **{name: format_score(score) for name, score in judge(hypothesis, reference).items()},
        "matches": bleu.matches,
        "totals": bleu.totals,
        "words": len(hypothesis),
        "english": ENGLISH,
    }


def score_rows(scores: dict[str, float]) -> list[tuple[str, float | None, str]]:
    """Return scores as rows of bars."""
    return [(WORDS.label(f"score.{name}"), score, HUES[name]) for name, score in scores.items()]


def show_exact(settings: Settings) -> Part:
    """A translation with one wrong word, and its three scores."""
    reference, written = read_line(REFERENCE), read_line(WRITTEN)
    lines = {WORDS.label("line.written"): written}
    data = draw_lines(reference, lines, score_rows(judge(written, reference)))
    return Part("word_pairs", data, describe(written, reference), lab_of(REFERENCE, WRITTEN))


def ask_clipped(settings: Settings) -> Part:
    """Both lines; the answer draws a line for each word that finds its partner."""
    reference, written = read_line(REFERENCE), read_line(WRITTEN)
    lines = {WORDS.label("line.written"): written}
    data = draw_lines(reference, lines, matched=settings.revealed, links=settings.revealed)
    values = {"words": len(written), "english": ENGLISH}
    matched = sum(place is not None for place in match_ngrams(written, reference, 1))
    over = count_ngrams(written, 1) - count_ngrams(reference, 1)
    values["word"] = next(iter(over))[0]
    if settings.revealed:
        values["matched"] = matched
    choices = [str(len(written) - k) for k in (2, 1, 0)]
    return Part("word_pairs", data, values, lab_of(REFERENCE, WRITTEN), choices, str(matched))


def show_ngrams(settings: Settings) -> Part:
    """Which runs of one to four words are in the reference."""
    reference, written = read_line(REFERENCE), read_line(WRITTEN)
    data = draw_ngrams(written, reference, sentence_bleu(written, reference))
    return Part("token_grid", data, describe(written, reference), lab_of(REFERENCE, WRITTEN))


def show_bleu(settings: Settings) -> Part:
    """The precisions, their mean and BLEU."""
    reference, written = read_line(REFERENCE), read_line(WRITTEN)
    bleu = sentence_bleu(written, reference)
    return Part("layer_bars", draw_bleu(bleu), describe(written, reference), lab_of(REFERENCE, WRITTEN))


def ask_short(settings: Settings) -> Part:
    """The BLEU of whole translations; the answer adds that of half of each, without and with the penalty."""
    whole, half = cut_translations()
    values = {"n": COUNT, "whole": format_score(whole.score)}
    if settings.revealed:
        values |= {"without": format_score(half.mean_precision), "with_it": format_score(half.score)}
    rows = [
        (WORDS.label("cut.whole"), whole.score, HUES["bleu"]),
        (WORDS.label("cut.without"), half.mean_precision if settings.revealed else None, "vermillion"),
        (WORDS.label("cut.with"), half.score if settings.revealed else None, HUES["bleu"]),
    ]
    answer = min(OFFERED, key=lambda each: abs(float(each) - half.mean_precision))
    return Part("layer_bars", draw_scores(rows), values, {"no_penalty": True}, OFFERED, answer)


def show_letters(settings: Settings) -> Part:
    """The character n-grams of two forms of a word."""
    matched = sum(place is not None for place in match_ngrams(ENDING, PLURAL, LETTERS))
    values = {"written": ENDING, "reference": PLURAL, "n": LETTERS, "matched": matched}
    values["of"] = len(PLURAL) - LETTERS + 1
    values["chrf"] = format_score(corpus_chrf([ENDING], [PLURAL]).score)
    return Part("token_grid", draw_letters(ENDING, PLURAL, LETTERS), values, lab_of(PLURAL, ENDING))


def show_translators(settings: Settings) -> Part:
    """Two translators by three measures."""
    judged = judge_translators()
    right = round(judged[WITHOUT]["exact"] * COUNT)
    values = {
        "n": COUNT,
        **{name: format_score(score) for name, score in judged[WITHOUT].items()},
        "right": right,
        "interval": wilson(right, COUNT),
    }
    shown = {name: judged[name] for name in (WITHOUT, BEST)}
    return Part("layer_bars", draw_translators(shown), values)


def ask_meaning(settings: Settings) -> Part:
    """Two translations of one sentence, one of which says the opposite; the answer gives their BLEU."""
    reference = read_line(RIGHT)
    lines = {"a": read_line(REVERSED), "b": read_line(REPHRASED)}
    scores = {name: judge(words, reference)["bleu"] for name, words in lines.items()}
    named = {WORDS.label(f"line.{name}"): words for name, words in lines.items()}
    shown = [
        (WORDS.label(f"bleu.{name}"), score if settings.revealed else None, HUES["bleu"])
        for name, score in scores.items()
    ]
    data = draw_lines(reference, named, shown, matched=settings.revealed)
    values: dict[str, object] = {}
    if settings.revealed:
        negated, without = drop_negations()
        values = {name: format_score(score) for name, score in scores.items()}
        values |= {"dropped": format_score(without.score), "negated": negated}
    answer = max(scores, key=scores.__getitem__)
    return Part("word_pairs", data, values, lab_of(RIGHT, REVERSED), tuple(lines), answer)


def do_own(settings: Settings) -> Part:
    """The learner's reference and translation, with the matches between them."""
    reference, written = read_line(settings.right), read_line(settings.written)
    lines = {WORDS.label("line.written"): written}
    data = draw_lines(reference, lines, score_rows(judge(written, reference)), links=True)
    values = describe(written, reference)
    return Part("word_pairs", data, values, lab_of(settings.right, settings.written))


def show_answer(settings: Settings) -> Part:
    """The three scores of a translation that is right, of one that is nearly right, and of one that says the opposite."""
    reference = read_line(RIGHT)
    lines = {name: read_line(text) for name, text in (("a", REVERSED), ("b", REPHRASED))}
    judged = {name: judge(words, reference) for name, words in lines.items()}
    named = {WORDS.label(f"line.{name}"): words for name, words in lines.items()}
    rows = [
        (WORDS.label(f"{measure}.{name}"), judged[name][measure], HUES[measure])
        for measure in ("bleu", "chrf")
        for name in lines
    ]
    data = draw_lines(reference, named, rows)
    return Part("word_pairs", data, {}, lab_of(RIGHT, REPHRASED))


STORY = (
    look("exact", show_exact),
    ask("clipped", ask_clipped),
    look("ngrams", show_ngrams),
    look("bleu", show_bleu),
    ask("short", ask_short),
    look("letters", show_letters),
    look("translators", show_translators),
    ask("meaning", ask_meaning),
    do("own", do_own, FIRST, SECOND),
    end("answer", show_answer),
)


@cache
def judge_translators() -> dict[str, dict[str, float]]:
    """Return the exact match, BLEU and chrF of each translator on the held-out sentences."""
    targets = [pair.target for pair in references()]
    lines = [" ".join(target) for target in targets]
    return {
        name: {
            "exact": sum(one == other for one, other in zip(made, targets, strict=True)) / COUNT,
            "bleu": corpus_bleu(made, targets).score,
            "chrf": corpus_chrf([" ".join(each) for each in made], lines).score,
        }
        for name, made in recorded_outputs().items()
    }


@cache
def cut_translations() -> tuple[Bleu, Bleu]:
    """Return BLEU of the best translator's translations, and of the first half of each."""
    made, targets = recorded_outputs()[BEST], [pair.target for pair in references()]
    return corpus_bleu(made, targets), corpus_bleu([each[: len(each) // 2] for each in made], targets)


@cache
def drop_negations() -> tuple[int, Bleu]:
    """Return how many references say "not", and the BLEU of the same sentences without it."""
    negated = [pair.target for pair in references() if "pas" in pair.target]
    return len(negated), corpus_bleu(
        [[word for word in target if word not in NEGATION] for target in negated], negated
    )


# The lab: a reference and a translation; the matches, the scores without a part of BLEU, the course's translators.


def lab() -> None:
    """The matches and scores of any translation; BLEU without clipping or penalty; the course's translators."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        right, translation = LESSON.draw(SOURCE, width=360), LESSON.draw(TARGET, width=360)
        no_penalty, no_clipping = LESSON.draw(NO_PENALTY), LESSON.draw(NO_CLIPPING)
        LESSON.options()
    reference = read_line(right) or read_line(REFERENCE)  # a text of spaces alone has no words
    written = read_line(translation) or read_line(WRITTEN)
    bleu, unclipped = (sentence_bleu(written, reference, clipped) for clipped in (True, False))
    scores = judge(written, reference)
    with stage:
        bands = {name: WORDS.label(f"band.{name}") for name in ("low", "middle", "high")}
        truth = bands["low" if scores["bleu"] < 1 / 3 else "middle" if scores["bleu"] < 2 / 3 else "high"]
        about = f"{' '.join(reference)}_{' '.join(written)}"
        if LESSON.ask(WORDS.label("guess"), list(bands.values()), truth, about):
            alt = tell_matches(written, reference, bleu)
            LESSON.view("token_grid", draw_ngrams(written, reference, bleu), "matches", alt=alt)
            LESSON.say("says.scores", {**describe(written, reference), "same": scores["exact"] == 1})
            if no_clipping:
                LESSON.compare("clipping", bleu.precisions[0], unclipped.precisions[0], ".2f", None)
            if no_penalty:
                LESSON.compare("penalty", bleu.score, bleu.mean_precision, ".2f", None)
            chrf = corpus_chrf([" ".join(written)], [" ".join(reference)])
            LESSON.every_number(WORDS.label("table.orders"), orders_table, bleu, chrf)
            LESSON.every_number(WORDS.label("table.ngrams"), ngrams_table, written, reference, bleu)
    if box := LESSON.fold("judged"):
        with box:
            show_judged()
    LESSON.close_lab(
        code=[match_ngrams, corpus_bleu, sentence_bleu, Bleu, corpus_chrf, Chrf],
        parameters={"reference": reference, "translation": written},
        prompts={
            "short": lab_of(RIGHT, STARTED, no_penalty=True),
            "repeat": lab_of(RIGHT, REPEATED, no_clipping=True),
            "meaning": lab_of(RIGHT, REPHRASED),
        },
    )


def show_judged() -> None:
    """Show the scores of the course's translators, and the sentence of the worst one with the lowest BLEU."""
    judged = judge_translators()
    LESSON.every_number(WORDS.label("table.judged"), judged_table, judged)
    pairs = zip(references(), recorded_outputs()[WITHOUT], strict=True)
    pair, made = min(pairs, key=lambda each: sentence_bleu(each[1], each[0].target).score)
    values = {name: format_score(score) for name, score in judged[WITHOUT].items()}
    values |= {
        "n": COUNT,
        "english_line": sentence_of(pair.source, "en"),
        "right_line": sentence_of(pair.target, "fr"),
        "written_line": sentence_of(made, "fr"),
        "lowest": format_score(sentence_bleu(made, pair.target).score),
    }
    LESSON.say("says.judged", values)
    st.markdown(WORDS.markdown("says.lowest", **values))
    _, half = cut_translations()
    LESSON.compare("cut", half.score, half.mean_precision, ".2f", more_is_better=None)
