"""Naive Bayes: what the story shows of a spam filter's counts, and the lab on any labelled documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st

from core.figures.documents.learning_curve import (
    learning_curve_figure,
    learning_curve_table,
    said_of_curve,
)
from core.figures.documents.naive_bayes import reading_frames
from core.figures.documents.naive_bayes_tables import document_table, vocabulary_table
from core.lesson.cached import cached, is_sample
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.bag_of_words import bags_of, held_out_places
from core.models.documents.held_out import judge
from core.models.documents.learning_curve import LearningCurve, learning_curve
from core.models.documents.naive_bayes import (
    NaiveBayes,
    NaiveBayesReading,
    class_counts,
    explain_words,
    normalised,
)
from core.models.documents.stored_classifiers import StoredClassifiers, stored_classifiers
from core.text.reading.labelled import LabelledDocuments
from core.text.tokenization.tokens import words
from core.words.numbers import percent
from pages.documents.naive_bayes import EXAMPLES, LESSON
from pages.documents.naive_bayes.figures import HAM, SPAM, Bar, draw_panels, draw_sum, draw_votes, hue_of
from pages.documents.shared.judging import show_judged
from pages.documents.shared.labelled_source import split_of
from pages.documents.shared.learnt import naive_bayes_judged, naive_bayes_of, silenced_of
from pages.documents.shared.learnt_source import (
    Learnt,
    credits_of,
    files_of,
    held_out_texts,
    learnt_source,
    type_words,
    words_of,
)

WORDS = LESSON.words
SMS, MESSAGE = "classify_sms", EXAMPLES[0]
LUNCH = "Are you free for lunch tomorrow?"
SCHOOL = "Sorry love, I will call you from home about the prize"
OWN = "Congratulations! Text me when you are home"
WORD, NEVER = "free", "prize"
REPEATED = (0, 1, 2, 3, 5)
CLASSES = ("ham", "spam")
GUESSES = ("zero", "half", "most")
READ_AT_MOST = 12  # words of a learner's message that are drawn
NAMED = 3  # words that were never counted
LINE = Text("line", OWN, 160)

# The lab's settings.
ALPHA = Slider("alpha", 1.0, 0.1, 5.0, 0.1)
BINARY, RAW = Switch("binary"), Switch("raw")
LEARNT = Choice(
    "learnt", "", ("", "text messages")
)  # shared/learnt_source.py draws it; a beat's link sets it
LAB = (ALPHA, BINARY, RAW, LEARNT)
COLUMNS = 3  # classes whose bars stand side by side
DENIED = "The handle is not sturdy, I cannot call it lovely"
SILENCED = "I love it, but it stopped"
IN_LAB = {"learnt": "text messages"}
PROMPTS = {  # for the reviews, and for documents of one's own or stored counts: what each sets
    False: {
        "deny": {"sentence": DENIED},
        "ten": {"sentence": " ".join(["sturdy"] * 10)},
        "nothing": {"raw": True, "sentence": SILENCED},
    },
    True: {"once": {"binary": True}, "five": {"alpha": 5.0}, "rule": {"raw": True}},
}
EXAMPLES = (*EXAMPLES, LUNCH, SCHOOL, DENIED, SILENCED)


# The story: what each beat shows.


@cache
def counted() -> StoredClassifiers:
    """Return the counts of the text messages."""
    return stored_classifiers(SMS)


@cache
def filter_of(alpha: float = 1.0) -> NaiveBayes:
    """Return the spam filter with `alpha` added to each count."""
    return counted().naive_bayes(alpha)


def read(message: str, alpha: float = 1.0) -> NaiveBayesReading:
    """Return a message read word by word."""
    return explain_words(filter_of(alpha), counted(), words(message)[:READ_AT_MOST])


def base() -> dict[str, object]:
    """Return what all beats name: how many messages, words and kinds of word were counted."""
    model = filter_of()
    ham, spam = (int(each) for each in model.documents_)
    ham_words, spam_words = (int(each) for each in model.counts_.sum(axis=1))
    return {
        "N": ham + spam,
        "ham": ham,
        "spam": spam,
        "ham_words": ham_words,
        "spam_words": spam_words,
        "V": model.counts_.shape[1],
        "prior": spam / (ham + spam),
        "message": MESSAGE,
    }


def counts_of(word: str) -> dict[str, float]:
    """Return how often both classes have a word, its probability in both, and how many times more likely it is in spam."""
    model, v = filter_of(), counted().index[word]
    ham, spam = (int(each) for each in model.counts_[:, v])
    p_ham, p_spam = (float(each) for each in np.exp(model.log_likelihood_[:, v]))
    return {"in_ham": ham, "in_spam": spam, "p_ham": p_ham, "p_spam": p_spam, "times": p_spam / p_ham}


def ask_votes(settings: Settings) -> Part:
    """The words of a message; the answer shows what each speaks for."""
    reading = read(MESSAGE)
    p = float(reading.posteriors[-1, 1])
    picture = draw_votes(reading, 7, settings.revealed)
    values = base() | {"p": p, "revealed": settings.revealed, **counts_of(NEVER)}
    return Part("layer_bars", picture, values, IN_LAB, choices=CLASSES, answer="spam" if p > 0.5 else "ham")


def show_prior(settings: Settings) -> Part:
    """How many of the messages are of each class."""
    values = base()
    bars = [
        Bar(name, WORDS.label(f"row.{name}"), 0, values[name], f"{values[name]:,}", hue)
        for name, hue in (("ham", HAM), ("spam", SPAM))
    ]
    picture = draw_panels((WORDS.label("title.prior", **values), 0, 1.25 * values["ham"], bars))
    return Part("layer_bars", picture, values, IN_LAB)


def show_word(settings: Settings) -> Part:
    """How probable one word is in each class."""
    values = base() | counts_of(WORD) | {"word": WORD}
    bars = [
        Bar(name, WORDS.label(f"row.{name}"), 0, values[f"p_{name}"], f"{values[f'p_{name}']:.2%}", hue)
        for name, hue in (("ham", HAM), ("spam", SPAM))
    ]
    picture = draw_panels((WORDS.label("title.word", **values), 0, 1.3 * values["p_spam"], bars))
    return Part("layer_bars", picture, values, IN_LAB)


def show_sum(settings: Settings) -> Part:
    """The votes of all words, added up from the prior."""
    reading = read(MESSAGE)
    sums = reading.sums[-1]
    values = base() | {"p": float(reading.posteriors[-1, 1]), "sum": float(sums[1] - sums[0])}
    values["odds"] = float(reading.log_prior[1] - reading.log_prior[0])
    return Part("layer_bars", draw_sum(reading, 3), values, IN_LAB)


def show_lunch(settings: Settings) -> Part:
    """Another message with the same word, which the others outvote."""
    reading = read(LUNCH)
    values = base() | {"p_ham_given": float(reading.posteriors[-1, 0]), "line": LUNCH, "word": WORD}
    return Part("layer_bars", draw_sum(reading, 3), values, IN_LAB)


def ask_zero(settings: Settings) -> Part:
    """p(ham) of a message with α = 1; the answer adds what is left of it with α = 0."""
    with_one, raw = read(SCHOOL), read(SCHOOL, 0.0)
    values = base() | {"line": SCHOOL, "never": NEVER, "revealed": settings.revealed}
    values |= {"one": float(with_one.posteriors[-1, 0]), "zero": float(raw.posteriors[-1, 0])}
    values |= counts_of(NEVER)
    bars = [
        Bar("one", WORDS.label("row.one"), 0, values["one"], percent(values["one"]), HAM),
        Bar(
            "zero",
            WORDS.label("row.zero"),
            0,
            values["zero"] if settings.revealed else 0,
            percent(values["zero"]) if settings.revealed else "?",
            HAM,
        ),
    ]
    picture = draw_panels((WORDS.label("title.ham"), 0, 1.7, bars))
    return Part("layer_bars", picture, values, IN_LAB | {"raw": True}, choices=GUESSES, answer="zero")


def show_naive(settings: Settings) -> Part:
    """p(spam) of one word, written more and more often."""
    model, v = filter_of(), counted().index[WORD]
    vote = float(model.log_likelihood_[1, v] - model.log_likelihood_[0, v])
    prior = float(model.log_prior_[1] - model.log_prior_[0])
    p = {n: float(1 / (1 + np.exp(-(prior + n * vote)))) for n in REPEATED}
    bars = [Bar(f"{n}", WORDS.label("row.times", n=n), 0, each, percent(each)) for n, each in p.items()]
    values = base() | {"word": WORD, "zero": p[0], "once": p[1], "twice": p[2], "five": p[5]}
    picture = draw_panels((WORDS.label("title.naive", **values), 0, 1.7, bars))
    return Part("layer_bars", picture, values, IN_LAB)


def show_right(settings: Settings) -> Part:
    """How many held-out messages of each class are given their own label."""
    found = counted().bayes_confusion(1.0)
    (ham_right, lost, _), (missed, caught, _) = found.confusion.tolist()
    low, high = found.interval
    values = base() | {
        "n": found.documents,
        "right": found.accuracy,
        "low": low,
        "high": high,
        "largest": found.largest,
        "lost": lost,
        "ham_held": ham_right + lost,
        "missed": missed,
        "caught": caught,
        "spam_held": missed + caught,
    }
    shares = {
        "bayes": (found.accuracy, SPAM, "best"),
        "always": (found.largest, "grey", "plain"),
        "ham_kept": (ham_right / (ham_right + lost), HAM, "plain"),
        "spam_caught": (caught / (missed + caught), SPAM, "plain"),
    }
    bars = [
        Bar(key, WORDS.label(f"row.{key}"), 0, share, f"{share:.1%}", hue, kind)
        for key, (share, hue, kind) in shares.items()
    ]
    return Part("layer_bars", draw_panels((WORDS.label("title.right"), 0, 1.25, bars)), values, IN_LAB)


def do_own(settings: Settings) -> Part:
    """The learner's message, word by word."""
    tokens = words(settings.line)
    readable = any(token in counted().index for token in tokens[:READ_AT_MOST])
    reading = read(settings.line if readable else OWN)
    p = float(reading.posteriors[-1, 1])
    values = base() | {
        "readable": readable,
        "spam_given": p > 0.5,
        "p_spam": percent(p),
        "p_ham": percent(1 - p),
        "unknown": [each[:20] for each in reading.unknown][:NAMED],
        "more_unknown": max(0, len(reading.unknown) - NAMED),
        "cut": len(tokens) > READ_AT_MOST,
        "most": READ_AT_MOST,
    }
    return Part("layer_bars", draw_sum(reading, 3), values, IN_LAB)


def show_answer(settings: Settings) -> Part:
    """Words of both classes that speak most for theirs, of those that are frequent."""
    model, index = filter_of(), counted().vocabulary
    votes = model.log_likelihood_[1] - model.log_likelihood_[0]
    order = np.argsort(votes)
    told = [i for i in (*order[::-1], *order) if index[i].isalpha() and len(index[i]) > 3]
    chosen = [*told[:4], *[i for i in order if index[i].isalpha() and len(index[i]) > 3][:4][::-1]]
    bars = [
        Bar(f"{k}", index[i], 0, float(votes[i]), f"{votes[i]:+.1f}".replace("-", "−"), hue_of(votes[i]))
        for k, i in enumerate(chosen)
    ]
    picture = draw_panels((WORDS.label("title.strongest"), -7, 7, bars))
    values = base() | {"most": index[chosen[0]], "least": index[chosen[-1]]}
    values["right"] = counted().bayes_confusion(1.0).accuracy
    return Part("layer_bars", picture, values, IN_LAB)


STORY = (
    ask("votes", ask_votes),
    look("prior", show_prior),
    look("word", show_word),
    look("sum", show_sum),
    look("lunch", show_lunch),
    ask("zero", ask_zero),
    look("naive", show_naive),
    look("right", show_right),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: a document read word by word; what no smoothing does; how often it is right; the words that tell most.


def lab() -> None:
    """A document read word by word; what no smoothing does; how often it is right; the words that tell most."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        source = learnt_source(LESSON)
        tokens = type_words(LESSON, source)
        chosen, binary, broken = LESSON.draw(ALPHA), LESSON.draw(BINARY), LESSON.draw(RAW)
        LESSON.options()
    alpha = 0.0 if broken else chosen
    learnt = words_of(source)
    model = naive_bayes_of(source, alpha, binary)
    reading = explain_words(model, learnt, tokens, binary)
    with stage:
        about = f"{source.digest[:16]}_{hash(tuple(tokens))}_{alpha}_{binary}"
        given, none = class_given(reading, learnt.classes), WORDS.label("none_of_them")
        answers = [*learnt.classes, *([none] if alpha == 0 else [])]
        if revealed := LESSON.ask(WORDS.label("guess"), answers, given or none, about):
            frames = reading_frames(model, reading, learnt.classes, columns_of(reading))
            LESSON.steps(frames, start=len(frames))
            LESSON.say("says.decision", decision(reading, learnt.classes))
    judged = naive_bayes_judged(source, alpha, binary)
    if broken:
        show_broken(source, chosen, binary)
    if box := LESSON.fold("judged"):
        with box:
            show_judged(LESSON, WORDS.label("method"), held_out_texts(source), judged, learnt.classes)
    show_curve(source)
    if revealed:
        table = WORDS.label("table.document")
        LESSON.every_number(table, document_table, model, reading, learnt.classes, columns_of(reading))
    LESSON.every_number(WORDS.label("table.vocabulary"), vocabulary_table, model, learnt)
    LESSON.close_lab(
        code=[
            bags_of,
            held_out_places,
            class_counts,
            NaiveBayes,
            explain_words,
            normalised,
            judge,
            learning_curve,
        ],
        parameters=notebook_parameters(source, alpha, binary, tokens),
        prompts=PROMPTS[source.own or isinstance(source, StoredClassifiers)],
        credits=credits_of(source),
        files=files_of(source),
    )


def notebook_parameters(source: Learnt, alpha: float, binary: bool, tokens: Sequence[str]) -> dict:
    """Return the notebook's parameters: which counts are stored, or the file with the learner's documents."""
    stored = isinstance(source, StoredClassifiers)
    return {
        "stored": source.name if stored else "",
        "file": "documents.tsv" if source.own else "",
        "alpha": alpha,
        "binary": binary,
        "tokens": list(tokens),
    }


@cached(4, 2, shared=is_sample)
def curve_of(documents: LabelledDocuments) -> LearningCurve:
    """Return how often both methods are right, by how many documents they have learnt from."""
    learnt, rest, _ = split_of(documents)
    return learning_curve(learnt, rest)


def show_curve(source: Learnt) -> None:
    """Draw the learning curve once the learner opens it; it takes documents to learn from."""
    if isinstance(source, StoredClassifiers):
        st.markdown(WORDS.label("no_curve"))
        return
    if not (section := LESSON.fold("curve")):
        return
    curve = curve_of(source)
    with section:
        said = said_of_curve(curve)
        LESSON.figure("learning_curve", learning_curve_figure(curve), said)
        LESSON.caption(said)
        st.caption(WORDS.label("curve.shown", both=len(curve.judged) > 1))
        LESSON.every_number(WORDS.label("table.curve"), learning_curve_table, curve)


def class_given(reading: NaiveBayesReading, classes: Sequence[str]) -> str:
    """Return the class that is chosen, nothing where all are silenced."""
    posterior = reading.posteriors[-1]
    return "" if np.isnan(posterior).any() else classes[int(posterior.argmax())]


def columns_of(reading: NaiveBayesReading) -> list[int]:
    """Return the classes that stand side by side: of two the second first, of more those with the largest sums."""
    sums = reading.sums[-1]
    return [1, 0] if len(sums) == 2 else np.argsort(-sums, kind="stable")[:COLUMNS].tolist()


def decision(reading: NaiveBayesReading, classes: Sequence[str]) -> dict[str, object]:
    """Return which class is chosen, and which word moved the logarithms of the best two apart the most."""
    chosen = class_given(reading, classes)
    values = {"chosen": chosen, "p": "", "known": bool(reading.tokens), "word": "", "second": ""}
    if not chosen:
        return values
    values["p"] = percent(reading.posteriors[-1].max())
    best, second = np.argsort(-reading.sums[-1], kind="stable")[:2]
    values["second"] = classes[second]
    if not reading.tokens:
        return values
    with np.errstate(invalid="ignore"):
        gaps = np.nan_to_num(reading.log_likelihoods[:, best] - reading.log_likelihoods[:, second], nan=0.0)
    place = int(gaps.argmax())
    return values | ({"word": reading.tokens[place]} if gaps[place] > 0 else {})


def show_broken(source: Learnt, chosen: float, binary: bool) -> None:
    """Count the held-out documents in which a word gives their own class probability 0, and who decides then."""
    silenced = [silenced_of(source, alpha, binary) for alpha in (chosen, 0.0)]
    LESSON.compare("silenced", *silenced, ".1%", more_is_better=False)
    whole, raw = (naive_bayes_judged(source, alpha, binary) for alpha in (chosen, 0.0))
    values = {"n": raw.documents, "raw": raw.right, "whole": whole.right, "undecided": raw.undecided}
    st.markdown(WORDS.markdown("broken", alpha=f"{chosen:g}", **values))
