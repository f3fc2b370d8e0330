"""Next-token prediction: what the story shows of one short question, and the lab on the learner's own text."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
import torch

from core.figures.frame import frame
from core.figures.generation.characters import expected_bars, shared_window
from core.figures.token_label import label_token
from core.lesson.break_it import as_shown
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import LABELS, ChosenModel, language_model, model_labels
from core.lesson.chosen_text import FROM_TEXT
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.fit_language_model import next_token_loss, shifted
from core.models.generation.cut_context import log_probabilities_at_each, window_log_probabilities
from core.models.generation.shifted_window import (
    ContextWorth,
    ScoredWindow,
    context_worth,
    last_token_only,
    score_window,
)
from core.models.language_model import LanguageModel, bits
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from pages.generation.next_character import LESSON
from pages.generation.next_character.figures import (
    draw_expected,
    draw_window,
    draw_worth,
    format_share,
    window_table,
)
from pages.generation.shared.character_text import EXAMPLE, READ_AT_MOST, characters_of, choose_characters

WORDS = LESSON.words
NAME = "char_gpt"  # the story's model
QUESTION, OWN_EXAMPLE = "What is the question?", "My lord, I love you"
EXAMPLES = (QUESTION, OWN_EXAMPLE, EXAMPLE)
Q, U = 11, 12  # the columns whose targets are the q and the u of question
PLAY, WORTH, MOST, MARKED = (
    "hamlet",
    24,
    800,
    4,
)  # characters of context, windows, the position named in the picture
LONGEST = 25  # characters of a text in the story

FORGETFUL = Switch("forgetful")
OWN_TEXT = Text("typed", OWN_EXAMPLE, LONGEST)
MODEL = Choice(
    "model",
    NAME,
    lambda _: tuple(name for name in model_labels().values() if name.startswith("char_")),
    {label: name for name, label in LABELS.items()},
)
SOURCE = Choice("source", "text", ("text", "typed"), {FROM_TEXT: "text"})
TYPED = Text("typed", EXAMPLE, 400)
WINDOW = Slider("window", 12, 1, 40)
LAB = (MODEL, FORGETFUL, SOURCE, TYPED, WINDOW)
STORED = {"source": "typed", "typed": QUESTION, "window": len(QUESTION) - 1}  # the lab on the story's text
ASKED = 5  # characters that are guessed in the lab


# The story: what each beat shows.


def show_pairs(settings: Settings) -> Part:
    """The text above the same text moved by one, an arrow in each column."""
    scored = read_text(QUESTION)
    values = {"n": len(scored.x), "first": letter(scored.x[0]), "second": letter(scored.y[0])}
    return Part("shifted_text", draw_window(scored, vocabulary(), arrows=True), values, STORED)


def show_context(settings: Settings) -> Part:
    """One column: everything until it is the context, the next character the target."""
    scored = read_text(QUESTION)
    values = {"n": Q + 1, "before": QUESTION[: Q + 1], "target": letter(scored.y[Q])}
    return Part("shifted_text", draw_window(scored, vocabulary(), at=Q), values, STORED)


def ask_next(settings: Settings) -> Part:
    """The text until the q, which is hidden; the answer draws what the model expects there."""
    scored, ln_p = read_text(QUESTION), expected(QUESTION)[Q]
    order = np.argsort(-ln_p, kind="stable")
    target = int(scored.y[Q])
    choices = [letter(i) for i in (*order[:3], target)]
    values = {
        "before": QUESTION[: Q + 1].rstrip(),
        "V": len(ln_p),
        "first": choices[0],
        "target": choices[-1],
        "p_first": format_share(float(np.exp(ln_p[order[0]]))),
        "p": format_share(float(np.exp(ln_p[target]))),
        "revealed": settings.revealed,
    }
    options = {"choices": tuple(sorted(choices)), "answer": choices[0]}
    if settings.revealed:
        picture = draw_expected(ln_p, vocabulary(), QUESTION[: Q + 1], target)
        return Part("next_token", picture, values, STORED, **options)
    return Part("shifted_text", draw_window(scored, vocabulary(), at=Q, known=Q), values, STORED, **options)


def show_sure(settings: Settings) -> Part:
    """What the model expects one character later, after the q."""
    scored, ln_p = read_text(QUESTION), expected(QUESTION)[U]
    target = int(scored.y[U])
    picture = draw_expected(ln_p, vocabulary(), QUESTION[: U + 1], target)
    values = {
        "before": letter(scored.x[U]),
        "target": letter(target),
        "p": format_share(float(np.exp(ln_p[target]))),
    }
    return Part("next_token", picture, values, STORED)


def show_losses(settings: Settings) -> Part:
    """The loss of every target as a bar, the q's the highest."""
    scored = read_text(QUESTION)
    picture = draw_window(scored, vocabulary(), at=Q, losses=len(scored.x))
    values = {
        "target": letter(scored.y[Q]),
        "sure": letter(scored.y[U]),
        "p": float(np.exp(scored.log_probabilities[Q])),
        "loss": float(-scored.log_probabilities[Q]),
    }
    return Part("shifted_text", picture, values, STORED)


def show_mean(settings: Settings) -> Part:
    """The same bars, and their mean: the loss of the text."""
    scored = read_text(QUESTION)
    picture = draw_window(scored, vocabulary(), losses=len(scored.x), mean=True)
    values = {
        "n": len(scored.x),
        "loss": scored.loss,
        "V": len(vocabulary()),
        "perplexity": np.exp(scored.loss),
    }
    return Part("shifted_text", picture, values, STORED)


def show_forgetting(settings: Settings) -> Part:
    """The bars of a model that is shown the last character alone, above the outlines of the whole context."""
    whole = read_text(QUESTION)
    short = last_token_only(stored_language_model(NAME), whole)
    scored = short if settings.forgetful else whole
    picture = draw_window(
        scored,
        vocabulary(),
        at=len(scored.x) - 2,
        losses=len(scored.x),
        mean=True,
        before=whole,
        first=len(scored.x) - 2 if settings.forgetful else 0,
    )
    return Part("shifted_text", picture, {"loss": whole.loss, "short": short.loss}, STORED)


def show_worth(settings: Settings) -> Part:
    """The mean loss of Hamlet's characters by how many characters of context there are."""
    worth = worth_of_play()
    gain = worth.loss[0] - worth.loss[-1]
    values = {
        "one": float(worth.loss[0]),
        "some": float(worth.loss[MARKED - 1]),
        "all": float(worth.loss[-1]),
        "n": MARKED,
        "T": WORTH,
        "windows": worth.windows,
        "part": float((worth.loss[0] - worth.loss[MARKED - 1]) / gain),
    }
    return Part("figure", {"figure": draw_worth(worth, MARKED).to_dict()}, values)


def show_own(settings: Settings) -> Part:
    """The losses of the learner's own words."""
    text = settings.typed
    read_ = len(encode(NAME, text).ids) > 1
    scored = read_text(text if read_ else OWN_EXAMPLE)
    at = int(np.argmax(-scored.log_probabilities))
    picture = draw_window(scored, vocabulary(), at=at, losses=len(scored.x), mean=True)
    values = {
        "readable": read_,
        "loss": scored.loss,
        "n": len(scored.x),
        "target": letter(scored.y[at]),
        "p": format_share(float(np.exp(scored.log_probabilities[at]))),
        "blind": bool(scored.loss > np.log(len(vocabulary()))),
        "V": len(vocabulary()),
    }
    return Part("shifted_text", picture, values, {**STORED, "typed": text, "window": len(scored.x)})


def show_answer(settings: Settings) -> Part:
    """Another text with its targets, an arrow in each column, the losses and their mean."""
    scored = read_text(EXAMPLE)
    picture = draw_window(scored, vocabulary(), losses=len(scored.x), mean=True, arrows=True)
    lab = {**STORED, "typed": EXAMPLE, "window": len(scored.x)}
    return Part("shifted_text", picture, {"n": len(scored.x), "loss": scored.loss}, lab)


STORY = (
    look("pairs", show_pairs),
    look("context", show_context),
    ask("next", ask_next),
    look("sure", show_sure),
    look("losses", show_losses),
    look("mean", show_mean),
    look("forgetting", show_forgetting, FORGETFUL, forgetful=True),
    look("worth", show_worth),
    do("own", show_own, OWN_TEXT),
    end("answer", show_answer),
)


def vocabulary() -> tuple[str, ...]:
    """Return the characters of the story's model, by id."""
    return stored_language_model(NAME).vocabulary


def letter(token: int) -> str:
    """Return a character as words show it."""
    return label_token(vocabulary()[int(token)])


def is_stored_text(text: str, *_) -> bool:
    """Return whether a text is one of the story's own, which everybody may share."""
    return text in EXAMPLES


@cached(16, 4, shared=is_stored_text)
def read_text(text: str) -> ScoredWindow:
    """Return a text as one window with its targets and what the story's model gives each."""
    torch.set_num_threads(1)
    ids = encode(NAME, text).ids
    return score_window(stored_language_model(NAME), ids, 0, len(ids) - 1)


@cached(16, 4, shared=is_stored_text)
def expected(text: str) -> np.ndarray:
    """Return ln p of every character after each position of a text, (T, V)."""
    torch.set_num_threads(1)
    return log_probabilities_at_each(stored_language_model(NAME), read_text(text).x.tolist())


@cached(1, 1, shared=True)
def worth_of_play() -> ContextWorth:
    """Return what context is worth on Hamlet."""
    torch.set_num_threads(1)
    ids = encode(NAME, sample(PLAY).read().text[:READ_AT_MOST]).ids
    return context_worth(stored_language_model(NAME), ids, WORTH, MOST)


# The lab: the learner's text, any character model, every number.


def lab() -> None:
    """A window stepped position by position; its loss; what a longer context is worth over the whole text."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        chosen = open_model(LESSON.draw(MODEL), document)
        ids = choose_characters(LESSON, document, SOURCE, TYPED).ids
        with LESSON.options():
            start, window = choose_window(len(ids))
        forgetful = LESSON.draw(FORGETFUL)
    cut = ids[start : start + window + 1]
    whole = scored_window(chosen.label, cut, window, chosen.model)
    scored = of_last_token(chosen.label, cut, chosen.model, whole) if forgetful else whole
    with stage:
        ln_p = expected_at_each(chosen.label, tuple(scored.x.tolist()), forgetful, chosen.model)
        about = f"{chosen.label}_{hash(cut)}_{forgetful}"
        reached = LESSON.ask_in_turn(window, partial(question_of, chosen, scored, ln_p, forgetful, about))
        revealed = reached == window
        steps = [frame_of(chosen, scored, ln_p, forgetful, place, revealed) for place in range(reached)]
        LESSON.steps(steps, window, shared=shared_window(scored, chosen.names, reached, forgetful))
    st.markdown(WORDS.markdown("window", n=window, V=len(chosen.names)))
    if revealed:
        show_loss(scored)
        if forgetful:
            compare_forgetting(cut, whole, scored)
        LESSON.every_number(WORDS.label("table"), window_table, scored, chosen.names, forgetful)
    if worth := LESSON.fold("worth"):
        with worth:
            show_worth_of_context(chosen, document, ids)
    typed = {"source": "typed", "typed": EXAMPLE, "window": len(EXAMPLE) - 1, "start": 1}
    LESSON.close_lab(
        code=[
            shifted,
            next_token_loss,
            score_window,
            window_log_probabilities,
            log_probabilities_at_each,
            last_token_only,
            context_worth,
        ],
        parameters={"name": model_labels()[chosen.label], "text": chosen.decode(cut), "forgetful": forgetful},
        prompts={"hand": typed, "one": {"window": 1}, "forget": typed | {"forgetful": True}},
    )


def open_model(name: str, document: Document) -> ChosenModel:
    """Return the character model of an id."""
    return language_model(next(label for label, each in model_labels().items() if each == name), document)


def choose_window(n: int) -> tuple[int, int]:
    """Draw the window's length and its first character; n characters were read."""
    most = min(WINDOW.most, n - 1)
    label = WORDS.label("window_length")
    window = LESSON.slider("window", label, 1, most, min(WINDOW.default, most)) if most > 1 else 1
    return LESSON.number("start", WORDS.label("start"), 1, n - window, 1) - 1, window


@cached(120, 30, shared=no_typed_words)
def scored_window(label: str, ids: tuple[int, ...], window: int, _model: LanguageModel) -> ScoredWindow:
    """Return a window with its targets and what the model gives each of them."""
    torch.set_num_threads(1)
    return score_window(_model, ids, 0, window)


@cached(100, 30, shared=no_typed_words)
def expected_at_each(label: str, x: tuple[int, ...], forgetful: bool, _model: LanguageModel) -> np.ndarray:
    """Return ln p of what a model expects at each position of a window, (T, V)."""
    torch.set_num_threads(1)
    return log_probabilities_at_each(_model, x, alone=forgetful)


@cached(100, 30, shared=no_typed_words)
def of_last_token(
    label: str, ids: tuple[int, ...], _model: LanguageModel, _whole: ScoredWindow
) -> ScoredWindow:
    """Return a window of which each target is predicted from one character alone."""
    return last_token_only(_model, _whole)


def seen_before(chosen: ChosenModel, scored: ScoredWindow, forgetful: bool, place: int) -> tuple[str, str]:
    """Return the context that is seen at a place, and its target."""
    context = scored.x[place if forgetful else 0 : place + 1]
    return "".join(label_token(chosen.names[i]) for i in context), label_token(chosen.names[scored.y[place]])


def question_of(
    chosen: ChosenModel, scored: ScoredWindow, ln_p: np.ndarray, forgetful: bool, about: str, place: int
) -> Question | None:
    """Return the question before one of the first positions: which of the expected characters comes next?"""
    if place >= ASKED:
        return None
    before, answer = seen_before(chosen, scored, forgetful, place)
    likely = [label_token(chosen.names[i]) for i in np.argsort(-ln_p[place], kind="stable")[:5]]
    choices = list(dict.fromkeys([*likely, answer]))
    return Question(WORDS.label("question", before=before), choices, answer, f"{about}_{place}")


def frame_of(
    chosen: ChosenModel,
    scored: ScoredWindow,
    ln_p: np.ndarray,
    forgetful: bool,
    place: int,
    revealed: bool,
) -> dict:
    """Return one position as it is shown; once all is `revealed` with what the window's loss says."""
    before, answer = seen_before(chosen, scored, forgetful, place)
    T, log_p = len(scored.x), float(scored.log_probabilities[place])
    values = {
        "before": before,
        "answer": answer,
        "p": float(np.exp(log_p)),
        "log_p": log_p,
        "n": T,
        "revealed": revealed,
        "perplexity": float(np.exp(scored.loss)),
        "blind": bool(scored.loss > np.log(len(chosen.names))),
        "V": len(chosen.names),
    }
    return frame(
        WORDS.label("frame.name", n=place + 1),
        {"kind": "shifted", "at": place},
        WORDS.label("frame.alt", **values),
        WORDS.label("frame.said", **values),
        [WORDS.label("frame.note", **values)],
        below=expected_bars(ln_p[place], chosen.names, int(scored.y[place])),
    )


def show_loss(scored: ScoredWindow) -> None:
    """Show the window's loss in nats, in bits and as a perplexity."""
    measures = {
        "nats": scored.loss,
        "bits": float(bits(-scored.loss)),
        "perplexity": float(np.exp(scored.loss)),
    }
    for column, (name, value) in zip(st.columns(3), measures.items(), strict=True):
        column.metric(WORDS.label(f"metric.{name}"), f"{value:.3f}")


def compare_forgetting(ids: tuple[int, ...], whole: ScoredWindow, forgetful: ScoredWindow) -> None:
    """Show what forgetting costs on this window, near a counted bigram, which never sees more."""
    LESSON.compare("forgetful", whole.loss, forgetful.loss, ".3f", more_is_better=False)
    cost = as_shown(forgetful.loss, ".3f") - as_shown(whole.loss, ".3f")  # of the numbers shown above
    bigram = of_last_token("char_ngram", ids, stored_language_model("char_ngram"), whole).loss
    st.info(WORDS.label("says.forgetful", cost=cost, bigram=bigram))


def show_worth_of_context(chosen: ChosenModel, document: Document, ids: tuple[int, ...]) -> None:
    """Draw the mean loss at each position of windows spread over the learner's text, with its 95% interval."""
    whole = characters_of(document.text[:READ_AT_MOST]).ids
    read_, name = (whole, document.name) if len(whole) > len(ids) else (ids, "")
    window = min(WORTH, len(read_) - 1)
    text = document.digest if read_ == whole else chosen.decode(read_)
    worth = worth_on(chosen.label, text, window, read_, chosen.model)
    st.text(WORDS.label("worth.measured_on", name=name, windows=worth.windows, n=window))
    LESSON.figure(
        "curve",
        draw_worth(worth, min(MARKED, window)),
        WORDS.label("worth.alt", one=float(worth.loss[0]), all=float(worth.loss[-1]), T=window),
    )
    if worth.half_width is not None:
        st.markdown(describe_worth(worth))


@cached(100, 10, shared=no_typed_words)
def worth_on(
    label: str, text: str, window: int, _ids: tuple[int, ...], _model: LanguageModel
) -> ContextWorth:
    """Return what context is worth on some ids; `text` is their text, or its digest where it is long."""
    torch.set_num_threads(1)
    return context_worth(_model, _ids, window)


def describe_worth(worth: ContextWorth) -> str:
    """Return what a longer context gains on a text, in a sentence made from the means and their intervals."""
    loss, half = worth.loss, worth.half_width
    gain = float(loss[0] - loss[-1])
    clear = abs(gain) > float(np.hypot(half[0], half[-1]))
    there = int(np.argmax(loss <= loss[0] - 0.75 * gain)) + 1 if gain > 0 else 0
    verdict = "same" if not clear else "better" if gain > 0 else "worse"
    values = {
        "one": float(loss[0]),
        "all": float(loss[-1]),
        "T": len(loss),
        "there": there,
        "verdict": verdict,
    }
    return WORDS.markdown("says.worth", **values)
