"""Calibration: what its story shows of five models of the course, and its lab."""

from __future__ import annotations

from functools import cache

import numpy as np

from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.calibration import (
    Refusal,
    Reliability,
    bin_answers,
    divide_probabilities,
    fit_temperature,
    refuse_below,
    scale_logits,
)
from core.models.documents.held_out import wilson
from core.models.documents.held_out_answers import (
    ANSWERERS,
    BAYES,
    DIGITS,
    GPT,
    REGRESSION,
    held_out_answers,
    held_out_tokens,
    reliability_of,
)
from core.models.documents.stored_classifiers import stored_classifiers
from core.text.tokenization.tokens import words
from core.words.numbers import percent
from pages.documents.calibration import LESSON
from pages.documents.calibration.figures import (
    bins_table,
    draw_error,
    draw_refusals,
    draw_reliability,
    draw_sureness,
    reliability_figure,
)

WORDS = LESSON.words
REVIEWS = "classify_movies"  # the stored classifiers of film reviews
ALPHA = 1.0  # of naive Bayes, as its answers were stored
CERTAIN = 9  # the bin of the surest answers
LESS, SAME, MORE = "less", "same", "more"
NEAR = 0.01  # two errors that differ by less are called the same
THRESHOLDS = tuple(np.linspace(0.5, 0.99, 50).round(2).tolist())
EXAMPLE = "A funny and moving film, funny from the first scene to the last"

TEMPERATURE = Slider("temperature", 1.0, 0.5, 4.0, 0.1)
THRESHOLD = Slider("threshold", 0.8, 0.5, 0.99, 0.01)
MODEL = Choice("model", BAYES, ANSWERERS)
DIVIDED = Switch("divided")
REVIEW = Text("review", EXAMPLE, 300)
LAB = (MODEL, TEMPERATURE, THRESHOLD, DIVIDED, REVIEW)


# The story: what each beat shows.


def describe(found: Reliability) -> dict:
    """Return what the words may say of a diagram: its answers, its error, and its surest bin."""
    return {
        "answers": int(found.counts.sum()),
        "error": found.error,
        "sure": {
            "count": int(found.counts[CERTAIN]),
            "confidence": float(found.confidence[CERTAIN]),
            "right": float(found.accuracy[CERTAIN]),
            "share": float(found.shares[CERTAIN]),
            "gap": float(abs(found.gaps[CERTAIN])),
        },
    }


def picture_of(found: Reliability, **how: object) -> dict:
    """Return a diagram as the data of the view "figure"."""
    return {"figure": draw_reliability(found, **how).to_dict()}


def show_sure(settings: Settings) -> Part:
    """The surest answers of naive Bayes alone."""
    found = reliability_of(BAYES)
    return Part("figure", picture_of(found, only=(CERTAIN,)), describe(found), {"model": BAYES})


def show_diagram(settings: Settings) -> Part:
    """All bins of naive Bayes."""
    found = reliability_of(BAYES)
    over = int(((found.gaps > 0) & (found.counts > 0)).sum())
    values = describe(found) | {"over": over, "bins": int((found.counts > 0).sum())}
    return Part("figure", picture_of(found), values, {"model": BAYES})


def ask_regression(settings: Settings) -> Part:
    """The diagonal alone; the answer draws the bins of logistic regression."""
    found, other = reliability_of(REGRESSION), reliability_of(BAYES)
    gap = found.error - other.error
    answer = SAME if abs(gap) < NEAR else LESS if gap < 0 else MORE
    values = describe(found) | {
        "accuracy": float(held_out_answers(REGRESSION).right.mean()),
        "other_accuracy": float(held_out_answers(BAYES).right.mean()),
        "other_error": other.error,
    }
    data = picture_of(found, told=settings.revealed)
    return Part("figure", data, values, {"model": REGRESSION}, (LESS, SAME, MORE), answer)


def show_error(settings: Settings) -> Part:
    """The gaps of naive Bayes, each times its share of the answers, and their sum."""
    found = reliability_of(BAYES)
    return Part("layer_bars", draw_error(found), describe(found), {"model": BAYES})


def show_temperature(settings: Settings) -> Part:
    """The bins of naive Bayes with its logits divided by a temperature."""
    answers = held_out_answers(BAYES)
    found = answers.reliability(settings.temperature)
    values = describe(found) | {
        "T": settings.temperature,
        "best": answers.temperature,
        "before": answers.reliability().error,
        "after": answers.reliability(answers.temperature).error,
        "chosen_on": int((~answers.measured).sum()),
    }
    return Part("figure", picture_of(found), values, {"model": BAYES, "temperature": settings.temperature})


def ask_changed(settings: Settings) -> Part:
    """The bins before; the answer shows them after scaling, and how many answers have changed."""
    answers = held_out_answers(BAYES)
    T = answers.temperature
    before, after = (scale_logits(answers.logits[answers.measured], each) for each in (1.0, T))
    changed = int((before.argmax(axis=1) != after.argmax(axis=1)).sum())
    found = answers.reliability(T if settings.revealed else 1.0)
    n = len(answers.right)
    values = describe(found) | {"T": T, "n": n, "accuracy": float(answers.right.mean())}
    choices = (str(changed), str(n // 20), str(n // 5))
    return Part("figure", picture_of(found), values, {"model": BAYES}, choices, str(changed))


def show_digits(settings: Settings) -> Part:
    """The bins of the vision transformer, which is less sure than it could be."""
    answers = held_out_answers(DIGITS)
    found = answers.reliability()
    values = describe(found) | {
        "T": answers.temperature,
        "after": answers.reliability(answers.temperature).error,
    }
    values |= {"accuracy": float(answers.right.mean())}
    return Part("figure", picture_of(found, least=0.0), values, {"model": DIGITS})


def show_gpt(settings: Settings) -> Part:
    """The bins of a language model's next tokens."""
    found = reliability_of(GPT)
    right = held_out_tokens()[1]
    values = describe(found) | {"accuracy": float(right.mean()), "low": float(found.accuracy[1])}
    values |= {"low_sure": float(found.confidence[1])}
    return Part("figure", picture_of(found, least=0.0), values, {"model": GPT})


@cache
def refusals(name: str, temperature: float) -> tuple[Refusal, ...]:
    """Return what is left at each of THRESHOLDS."""
    confidence, right = confidence_of(name, temperature)
    return tuple(refuse_below(confidence, right, each) for each in THRESHOLDS)


def confidence_of(name: str, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the confidence of a model's measured answers, and whether each is right; a GPT's is that of T = 1."""
    if name == GPT:
        return held_out_tokens()
    answers = held_out_answers(name)
    return answers.confidence(temperature), answers.right


def show_refusal(settings: Settings) -> Part:
    """What is left where naive Bayes, after scaling, answers only what it is sure of."""
    T = held_out_answers(BAYES).temperature
    confidence, right = confidence_of(BAYES, T)
    now, all_ = (refuse_below(confidence, right, each) for each in (settings.threshold, 0.0))
    data = {"figure": draw_refusals(refusals(BAYES, T), now).to_dict()}
    values = {
        "threshold": settings.threshold,
        "coverage": now.coverage,
        "accuracy": now.accuracy,
        "whole": all_.accuracy,
    }
    return Part("figure", data, values, {"model": BAYES, "threshold": settings.threshold})


def answer_review(text: str) -> dict:
    """Return what naive Bayes makes of a review: how many words it knows, the class, how sure it is before and after."""
    stored = stored_classifiers(REVIEWS)
    read = words(text)
    columns = [stored.index[word] for word in read if word in stored.index]
    counts = np.bincount(columns, minlength=len(stored.vocabulary))
    logits = stored.naive_bayes(ALPHA).joint_log_probability(counts[None, :])[0]
    T = held_out_answers(BAYES).temperature
    before, after = (float(scale_logits(logits[None], each).max()) for each in (1.0, T))
    given = stored.classes[int(logits.argmax())]
    return {"T": T, "before": before, "after": after, "known": len(columns), "of": len(read), "given": given}


def do_own(settings: Settings) -> Part:
    """How sure naive Bayes is of the learner's review, before and after scaling."""
    values = answer_review(settings.review)
    data = draw_sureness(values["before"], values["after"], values["T"])
    return Part("layer_bars", data, values, {"review": settings.review})


def show_answer(settings: Settings) -> Part:
    """Naive Bayes after temperature scaling."""
    answers = held_out_answers(BAYES)
    found = answers.reliability(answers.temperature)
    low, high = wilson(round(found.accuracy[CERTAIN] * found.counts[CERTAIN]), int(found.counts[CERTAIN]))
    values = describe(found) | {"before": describe(answers.reliability()), "interval": (low, high)}
    return Part(
        "figure", picture_of(found), values, {"model": BAYES, "temperature": round(answers.temperature, 1)}
    )


STORY = (
    look("sure", show_sure),
    look("diagram", show_diagram),
    ask("regression", ask_regression),
    look("error", show_error),
    look("scaling", show_temperature, TEMPERATURE, temperature=1.5),
    ask("changed", ask_changed),
    look("digits", show_digits),
    look("gpt", show_gpt),
    look("refusal", show_refusal, THRESHOLD),
    do("own", do_own, REVIEW),
    end("answer", show_answer),
)


# The lab: five models, any temperature, a threshold, a review of one's own.


def lab() -> None:
    """The diagram of a model at a temperature; what is left where it may refuse; one's own review; the break-it."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        name = LESSON.draw(MODEL, width=300)
        scaled = name != GPT  # of its logits none is stored
        temperature = LESSON.draw(TEMPERATURE, disabled=not scaled)
        with LESSON.options():
            divided = LESSON.draw(DIVIDED, disabled=not scaled)
    temperature = temperature if scaled else 1.0
    confidence, right = confidence_of(name, temperature)
    if divided and scaled:
        confidence = held_out_answers(name).confidence(temperature, divide_probabilities)
    found = bin_answers(confidence, right)
    values = describe(found) | {"T": temperature, "scaled": scaled, "divided": divided and scaled}
    values |= {"best": held_out_answers(name).temperature if scaled else 1.0, "accuracy": float(right.mean())}
    with stage:
        least = 0.0 if name in (DIGITS, GPT) else 0.5
        truth = percent(found.error, 0)
        if LESSON.ask(WORDS.label("guess"), guesses(found.error), truth, f"{name}_{temperature}_{divided}"):
            LESSON.figure("diagram", reliability_figure(found, least=least), WORDS.label("lab.alt", **values))
            LESSON.say("says.error", values)
            if divided and scaled:
                answers = held_out_answers(name)
                whole = answers.reliability(answers.temperature).error
                broken = answers.reliability(answers.temperature, divide_probabilities).error
                LESSON.compare("divided", whole, broken, ".1%", more_is_better=False)
            LESSON.every_number(WORDS.label("table.bins"), bins_table, found)
    if box := LESSON.fold("refusal"):
        with box:
            show_refusals(name, temperature)
    if box := LESSON.fold("own"):
        with box:
            show_review()
    LESSON.close_lab(
        code=[bin_answers, scale_logits, divide_probabilities, fit_temperature, refuse_below],
        parameters={"name": name, "temperature": temperature},
        prompts={
            "tokens": {"model": GPT},
            "digits": {"model": DIGITS, "temperature": 0.6},
            "divided": {"model": BAYES, "temperature": 2.0, "divided": True},
        },
    )


def guesses(error: float) -> list[str]:
    """Return errors to choose from, the right one among them.

    >>> guesses(0.068)
    ['2%', '7%', '17%', '32%']
    """
    whole = round(100 * error)
    return [f"{each}%" for each in sorted({max(0, whole - 5) or whole + 5, whole, whole + 10, whole + 25})]


def show_refusals(name: str, temperature: float) -> None:
    """Show what is left of a model's answers at the threshold that is set."""
    threshold = LESSON.draw(THRESHOLD)
    now = refuse_below(*confidence_of(name, temperature), threshold)
    values = {"threshold": threshold, "coverage": now.coverage, "accuracy": now.accuracy}
    LESSON.figure(
        "refusals", draw_refusals(refusals(name, temperature), now), WORDS.label("refusal.alt", **values)
    )
    LESSON.say("says.refusal", values)


def show_review() -> None:
    """Show how sure naive Bayes is of a review, before and after scaling."""
    values = answer_review(LESSON.draw(REVIEW) or REVIEW.default)
    data = draw_sureness(values["before"], values["after"], values["T"])
    LESSON.view("layer_bars", data, "sureness", height=260)
    LESSON.say("says.own", values)
