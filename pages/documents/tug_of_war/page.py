"""Naive Bayes against logistic regression: a story of one review and two sums; the lab on any labelled documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st

from core.figures.layer_bars import join_panels
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.stored_classifiers import COPIES, PENALTIES, StoredClassifiers, stored_classifiers
from core.models.documents.tug_of_war import (
    Pulls,
    duplicate_features,
    how_sure,
    log_ratios,
    mean_cross_entropy,
    pulls,
)
from core.text.tokenization.tokens import words
from core.words.numbers import percent, signed
from pages.documents.shared.labelled_source import (
    EXAMPLE,
    WORDS_AT_MOST,
    both_names,
    choose_class,
    sample_reviews,
    split_of,
)
from pages.documents.shared.learnt import held_out_number, naive_bayes_against_rest, regression_of, sure_of
from pages.documents.shared.learnt_source import (
    Learnt,
    credits_of,
    files_of,
    learnt_source,
    type_words,
    words_of,
)
from pages.documents.tug_of_war import LESSON
from pages.documents.tug_of_war.figures import (
    HUES,
    LETTERS,
    METHODS,
    draw_classifiers,
    draw_panel,
    name_of,
    pulls_figure,
    pulls_table,
    repeated_figure,
    score_rows,
    shown_words,
)

WORDS = LESSON.words
OWN_EXAMPLE = "I love the handle, but the lid is dull"
TWICE = "Great great great, but the handle is flimsy"
EXAMPLES = (EXAMPLE, OWN_EXAMPLE, TWICE)
TIMES = np.arange(11)
FILMS = "classify_movies"  # real reviews, stored as counts and weights
WORD = "love"  # of the story's review
GROWS = ("third", "same", "triples")
UNREAD = 3  # words that no classifier knows, which the story names
NORMAL = 1.96  # standard errors at each side of a 95% interval

ALPHA = Slider("alpha", 1.0, 0.1, 5.0, 0.1)
COPIED = Switch("copies")
SENTENCE = Text("sentence", EXAMPLE, 2000)
OWN = Text("sentence", OWN_EXAMPLE, 300)
LAB = (ALPHA, COPIED, SENTENCE)


# The story: what each beat shows.


@cache
def story_pulls(text: str, copies: int = 1) -> Pulls:
    """Return what the words of a course text add to both scores of "positive"."""
    return read_text(text, copies)


def read_text(text: str, copies: int = 1) -> Pulls:
    """Return what the first words of any text add to both scores of "positive"."""
    source = sample_reviews()
    index = split_of(source)[0].index
    return pulls(*both_of(source, 1, 1.0, 1.0, copies), index, words(text)[:WORDS_AT_MOST], copies)


def described(pulled: Pulls) -> dict[str, object]:
    """Return both scores and probabilities, and where the scores begin, for the words."""
    return {
        name: dict(zip(METHODS, map(float, each), strict=True))
        for name, each in (("z", pulled.z), ("p", pulled.p), ("begin", pulled.begin))
    }


def word_terms(pulled: Pulls) -> dict[str, dict[str, float]]:
    """Return what each word of a course text adds, {method: {word: number}}."""
    return {
        method: dict(zip(pulled.tokens, map(float, terms), strict=True))
        for method, terms in zip(METHODS, pulled.terms, strict=True)
    }


def score_panels(
    pulled: Pulls,
    methods: Sequence[str] = METHODS,
    most: float = 0.0,
    key: str = "score",
    places: Sequence[int] | None = None,
) -> list[dict]:
    """Return a panel for each method: where its score begins, what its words add, and the score."""
    places = shown_words(pulled) if places is None else places
    found = {method: score_rows(pulled, METHODS.index(method), places) for method in METHODS}
    far = max(most, *(abs(value) for rows in found.values() for _, value in rows))
    return [
        draw_panel(
            WORDS.label(f"title.{key}", method=name_of(method)),
            (-1.6 * far, 1.6 * far),
            [(name, value, signed(value, 2, plus="+")) for name, value in found[method]],
            HUES[method],
            total=True,
        )
        for method in methods
    ]


def show_verdicts(settings: Settings) -> Part:
    """One review, two classifiers, two verdicts."""
    values = {**described(story_pulls(EXAMPLE)), "review": EXAMPLE}
    return Part("machine", draw_classifiers("verdict", values), values)


def show_counts(settings: Settings) -> Part:
    """The score of naive Bayes, word by word."""
    pulled, source = story_pulls(EXAMPLE), sample_reviews()
    learnt = split_of(source)[0]
    n = learnt.X[:, learnt.index[WORD]].toarray()[:, 0]
    values = {**described(pulled), "word": WORD, "term": word_terms(pulled)}
    values |= {"positive": int(n[learnt.y == 1].sum()), "negative": int(n[learnt.y == 0].sum())}
    return Part("layer_bars", join_panels(*score_panels(pulled, METHODS[:1])), values)


def show_weights(settings: Settings) -> Part:
    """Both scores side by side, word by word."""
    pulled = story_pulls(EXAMPLE)
    values = {**described(pulled), "word": WORD, "term": word_terms(pulled)}
    return Part("layer_bars", join_panels(*score_panels(pulled)), values)


def ask_copies(settings: Settings) -> Part:
    """The words of naive Bayes once; the answer draws those of a table in which every word has three columns."""
    once, copies = story_pulls(EXAMPLE), story_pulls(EXAMPLE, COPIES)
    most = float(np.abs(copies.terms[0]).max())
    panels = [
        score_panels(once, METHODS[:1], most, "once")[0],
        score_panels(copies, METHODS[:1], most, "copies", shown_words(once))[0],
    ]
    if not settings.revealed:
        for row in panels[1]["rows"]:
            row.update(to=0.0, text="?")
    values = {"once": described(once), "copies": described(copies), "revealed": settings.revealed}
    values |= {"word": WORD, "one": word_terms(once)["bayes"], "three": word_terms(copies)["bayes"]}
    return Part("layer_bars", join_panels(*panels), values, {"copies": True}, choices=GROWS, answer="triples")


def show_shared(settings: Settings) -> Part:
    """What each of three columns of one word adds in either method, and all three together."""
    once, copies = (word_terms(story_pulls(EXAMPLE, n)) for n in (1, COPIES))
    most, panels = 1.35 * copies["bayes"][WORD], []
    for method in METHODS:
        one, three = once[method][WORD], copies[method][WORD]
        rows = [(WORDS.label("row.alone"), one, signed(one, 2, plus="+"))]
        rows += [
            (WORDS.label("row.copy", n=n), three / COPIES, signed(three / COPIES, 2, plus="+"))
            for n in range(1, COPIES + 1)
        ]
        rows.append((WORDS.label("row.together"), three, signed(three, 2, plus="+")))
        title = WORDS.label("title.word", method=name_of(method), word=WORD)
        panels.append(draw_panel(title, (0, most), rows, HUES[method], total=True))
    values = {"once": once, "copies": copies, "word": WORD}
    return Part("layer_bars", join_panels(*panels), values, {"copies": True})


@cache
def losses() -> dict[str, dict[int, float]]:
    """Return the mean loss of both methods on held-out reviews, with one column per word and with three."""
    found = {n: sure_of(sample_reviews(), 1, 1.0, 1.0, n)[:, 2] for n in (1, COPIES)}
    return {method: {n: float(each[i]) for n, each in found.items()} for i, method in enumerate(METHODS)}


def show_loss(settings: Settings) -> Part:
    """The mean loss on held-out reviews, before and after the copies."""
    found = losses()
    panels = [
        draw_panel(
            WORDS.label("title.loss", method=name_of(method)),
            (0, 0.9),
            [(WORDS.label(f"row.columns.{n}"), loss, f"{loss:.2f}") for n, loss in found[method].items()],
            HUES[method],
            total=False,
        )
        for method in METHODS
    ]
    values = {"loss": {method: list(each.values()) for method, each in found.items()}}
    values["held"] = held_out_number(sample_reviews())
    return Part("layer_bars", join_panels(*panels), values, {"copies": True})


@cache
def real_confidence() -> dict[str, object]:
    """Return accuracy and mean confidence of both on held-out sentences of real film reviews."""
    source = stored_classifiers(FILMS)
    found = source.sure(1, 1.0, 1.0)
    n = source.held_out
    return {
        **{
            method: {"right": float(each[0]), "sure": float(each[1]), "gap": float(each[1] - each[0])}
            for method, each in zip(METHODS, found, strict=True)
        },
        "held": n,
        "margin": NORMAL * float(np.sqrt(found[0, 0] * (1 - found[0, 0]) / n)),
    }


def show_confidence(settings: Settings) -> Part:
    """How confident both are on real film reviews, and how often they are right."""
    found = real_confidence()
    panels = [
        draw_panel(
            name_of(method),
            (0, 1.2),
            [
                (WORDS.label(f"row.{key}"), found[method][key], percent(found[method][key], 0))
                for key in ("sure", "right")
            ],
            HUES[method],
            total=False,
        )
        for method in METHODS
    ]
    return Part("layer_bars", join_panels(*panels), found)


def show_own(settings: Settings) -> Part:
    """Both scores of the learner's sentence."""
    tokens, pulled = words(settings.sentence), read_text(settings.sentence)
    read = tokens[:WORDS_AT_MOST]
    unread = list(dict.fromkeys(each[:LETTERS] for each in read if each not in pulled.tokens))
    values = {
        **described(pulled),
        "known": len(pulled.tokens),
        "unread": [f"“{each}”" for each in unread[:UNREAD]],
        "more": max(0, len(unread) - UNREAD),
        "written": len(tokens),
        "most": WORDS_AT_MOST,
        "agree": bool((pulled.z[0] > 0) == (pulled.z[1] > 0)),
    }
    return Part("layer_bars", join_panels(*score_panels(pulled)), values)


def show_answer(settings: Settings) -> Part:
    """Both classifiers, each with where its numbers come from and what copies do to it."""
    once, copies = described(story_pulls(EXAMPLE)), described(story_pulls(EXAMPLE, COPIES))
    values = {"once": once, "copies": copies}
    return Part("machine", draw_classifiers("answer", values), values)


STORY = (
    look("verdicts", show_verdicts),
    look("counts", show_counts),
    look("weights", show_weights),
    ask("copied", ask_copies),
    look("shared", show_shared),
    look("loss", show_loss),
    look("confidence", show_confidence),
    do("yours", show_own, OWN),
    end("answer", show_answer),
)


# The lab: both sums on any labelled documents, copied features, a repeated word, confidence.


def lab() -> None:
    """Both sums, word by word; copied features; a repeated word; confidence and accuracy."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        source = learnt_source(LESSON)
        c = choose_class(LESSON, source)
        tokens = type_words(LESSON, source)
        with LESSON.options():
            alpha = LESSON.draw(ALPHA)
            l2 = LESSON.select_slider("penalty", WORDS.label("penalty"), PENALTIES, value=1.0)
        broken = LESSON.draw(COPIED)
    learnt, both = words_of(source), both_names(source, c)
    n = COPIES if broken else 1
    bayes, regression = both_of(source, c, alpha, l2, n)
    pulled = pulls(bayes, regression, learnt.index, tokens, n)
    with stage:
        about = f"{source.digest[:16]}_{c}_{hash(tuple(tokens))}_{alpha}_{l2}_{n}"
        names = [name_of(method) for method in METHODS]
        surer = names[int(abs(pulled.z[1]) > abs(pulled.z[0]))]
        if revealed := LESSON.ask(WORDS.label("guess"), names, surer, about):
            show_pulls(pulled, both, tokens)
    if broken:
        show_copies(source, c, alpha, l2)
    if revealed and pulled.tokens and (box := LESSON.fold("again")):
        with box:
            show_repeated(pulled, both, source.own)
    if box := LESSON.fold("sure"):
        with box:
            show_sure(source, c, alpha, l2, n)
    if revealed:
        table = WORDS.label("table.sums")
        LESSON.every_number(table, pulls_table, pulled, bayes, learnt.index, both, n)
    stored = isinstance(source, StoredClassifiers)
    LESSON.close_lab(
        code=[
            log_ratios,
            pulls,
            Pulls.said,
            duplicate_features,
            mean_cross_entropy,
            how_sure,
            NaiveBayes,
            LogisticRegression,
        ],
        parameters={
            "stored": source.name if stored else "",
            "own": bool(source.own),
            "c": c,
            "alpha": alpha,
            "penalty": l2,
            "copies": n,
            "tokens": list(tokens),
        },
        prompts={
            ("write" if source.own or stored else "again"): {}
            if source.own or stored
            else {"sentence": TWICE, "again": True},
            "strong": {"penalty": 100.0},
            "copies": {"copies": True},
        },
        credits=credits_of(source),
        files=files_of(source),
    )


def both_of(
    source: Learnt, c: int, alpha: float, l2: float, copies: int
) -> tuple[NaiveBayes, LogisticRegression]:
    """Return both classifiers of class c (1) against the rest (0), with so many columns per word."""
    return naive_bayes_against_rest(source, c, alpha, copies), regression_of(source, c, l2, copies)


def show_pulls(pulled: Pulls, both: Sequence[str], tokens: Sequence[str]) -> None:
    """Draw both sums' terms; say the sums, where they differ most, and which words were left out."""
    place = int(np.abs(pulled.terms[0] - pulled.terms[1]).argmax()) if pulled.tokens else -1
    values = {
        **described(pulled),
        "name": both[1],
        "word": pulled.tokens[place] if pulled.tokens else "",
        "terms": pulled.terms[:, place].tolist() if pulled.tokens else [],
        "agree": bool((pulled.z[0] > 0) == (pulled.z[1] > 0)),
    }
    LESSON.figure("pulls", pulls_figure(pulled, both[1]), WORDS.label("pulls.alt", **values))
    LESSON.say("says.pulls", values)
    unread = list(dict.fromkeys(each for each in tokens if each not in pulled.tokens))
    if unread:
        st.text(WORDS.label("unread", n=len(unread), words=[f"“{each[:LETTERS]}”" for each in unread]))


def show_copies(source: Learnt, c: int, alpha: float, l2: float) -> None:
    """Measure what both lose on held-out documents when every word has three columns."""
    found = np.stack([sure_of(source, c, alpha, l2, n)[:, 2] for n in (1, COPIES)])
    LESSON.compare("loss", *found[:, 0], ".3f", more_is_better=False)
    values = {"copies": COPIES, "before": float(found[0, 1]), "after": float(found[1, 1])}
    st.markdown(WORDS.markdown("says.copies", **values))


def show_repeated(pulled: Pulls, both: Sequence[str], own: bool) -> None:
    """Draw both probabilities against how often the document has a word, and say what each time adds."""
    names = list(pulled.tokens)
    first = int(np.abs(pulled.each[0]).argmax())
    draw = LESSON.answer if own else LESSON.select  # a word of a learner's documents is not for the address
    token = draw("own_word" if own else "word", WORDS.label("word"), names, first)
    place = names.index(token)
    p = pulled.said(place, TIMES)
    values = {
        "word": token,
        "most": int(TIMES[-1]),
        "name": both[1],
        "each": pulled.each[:, place].tolist(),
        "p": [percent(each) for each in p[:, -1]],
    }
    figure = repeated_figure(TIMES, p, both[1], token)
    LESSON.figure("repeated", figure, WORDS.label("repeated.alt", **values))
    LESSON.say("says.repeated", values)


def show_sure(source: Learnt, c: int, alpha: float, l2: float, n: int) -> None:
    """Compare confidence with accuracy on held-out documents, with a 95% interval of the accuracy."""
    held, found = held_out_number(source), sure_of(source, c, alpha, l2, n)
    for method, (right, sure, _) in zip(METHODS, found, strict=True):
        margin = NORMAL * float(np.sqrt(right * (1 - right) / held))
        values = {"method": name_of(method), "right": percent(right), "sure": percent(sure), "n": held}
        values |= {"margin": 100 * margin, "gap": 100 * (sure - right), "clear": abs(sure - right) > margin}
        st.markdown(WORDS.markdown("says.sure", **values))
