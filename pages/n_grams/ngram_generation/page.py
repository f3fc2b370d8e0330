"""Generating text with n-grams: what the story shows of a text drawn from Hamlet's counts, and the lab on any text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
import streamlit as st

from core.figures.frame import frame
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    NO_SMOOTHING,
    ORDER_AT_MOST,
    SMOOTHINGS,
    UNITS,
    ChosenSmoothing,
    choose_counts,
    choose_order,
    choose_smoothing,
    counts_of,
)
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.models.n_grams.circle import first_circle
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import NgramModel, discounted_level
from core.models.n_grams.ngram_text import END, CountedText
from core.models.n_grams.written_text import Drawn, random_numbers, write, writing
from core.text.reading.documents import Document
from pages.n_grams.ngram_generation import LESSON
from pages.n_grams.ngram_generation.figures import (
    copies_figure,
    draw_panel,
    draw_picture,
    draw_text,
    draw_windows,
    name_token,
    next_table,
    split_text,
    step_picture,
)
from pages.n_grams.shared.story_play import PLAY, model_of, play
from pages.n_grams.shared.typed_tokens import say_unknown, type_tokens

WORDS = LESSON.words
PROMPT, OWN = "my lord", "the king"
SEED, LENGTH = 16, 40  # of the story's text
STORY_N = 3
SMOOTHED = "Kneser-Ney"
WINDOWS = 5  # draws that the last picture shows

OWN_PROMPT = Text("typed", OWN, 60)
ORDER = Slider("n", STORY_N, 1, ORDER_AT_MOST)

UNIT = Choice("unit", UNITS[0], UNITS)
BEGINNING = Text("words_prompt", "", 300)
SMOOTHING = Choice("smoothing", NO_SMOOTHING.name, tuple(SMOOTHINGS))
TOKENS = Slider("length", 30, 5, 100)
SEED_FIELD = Slider("seed", 35, 0, 9999)  # with it each drawn token of the first text has a bar
GREEDY = Switch("greedy")
LAB = (UNIT, BEGINNING, ORDER, SMOOTHING, TOKENS, SEED_FIELD, GREEDY)

CHOICES_AT_MOST = 5  # tokens beside the one that was drawn
ASKED = 5  # tokens that are guessed


@dataclass(frozen=True)
class Request:
    """What is to be written, by whichever model: after which tokens, how many, always the likeliest or not, the seed."""

    prompt: Sequence[int]
    length: int
    greedy: bool
    seed: int

    def tokens(self, model: NgramModel) -> list[int]:
        """Return the tokens that a model writes; none after an unseen context."""
        return write(model, self.prompt, self.length, self.seed, self.greedy)

    def drawn(self, model: NgramModel) -> list[Drawn]:
        """Return the same tokens, each with what it was drawn from."""
        return list(writing(model, self.prompt, self.length, self.seed, self.greedy))


# The story: what each beat shows.


def show_text(settings: Settings) -> Part:
    """What can follow the prompt, and the text that is written after it."""
    drawn = draws_of(STORY_N)
    values = {"possible": drawn[0].possible, "first": name_of(drawn[0].likeliest[0])}
    return show([draw_panel(play(), drawn[0], PROMPT, hit=False)], values, written(STORY_N))


def show_draw(settings: Settings) -> Part:
    """The bars end to end, and where the first random number falls."""
    step = draws_of(STORY_N)[0]
    values = {
        "u": step.u,
        "token": name_of(step.token),
        "p": step.chance,
        "begin": step.cumulative - step.chance,
    }
    return show([draw_panel(play(), step, PROMPT, u=True)], {**values, "end": step.cumulative}, stairs=True)


def ask_next(settings: Settings) -> Part:
    """The window has moved on: the bars of the second token; the answer draws where its random number falls."""
    first, step = draws_of(STORY_N)[:2]
    prompt = f"{PROMPT} {name_of(first.token)}"
    names = [name_of(token) for token in step.likeliest[:3]]
    panel = draw_panel(play(), step, prompt, u=True, hit=settings.revealed)
    values = {
        "u": step.u,
        "token": name_of(step.token),
        "context": prompt.split(" ", 1)[1],
        "p": step.chance,
        "possible": step.possible,
        "first_p": float(step.p[0]),
        "first": names[0],
    }
    return show([panel], values, stairs=True, choices=names, answer=name_of(step.token))


def show_none(settings: Settings) -> Part:
    """What a model without context draws from, and what it writes."""
    step, text = draws_of(1)[0], written(1)
    values = {"n": 1, "possible": step.possible, "copied": copy_of(1)[1], "of": words_in(tokens_of(1))}
    return show([draw_panel(play(), step, WORDS.label("any"), hit=False)], values, text, n=1)


def ask_copy(settings: Settings) -> Part:
    """How long the longest copy is for each n; the answer draws it for n = 5."""
    orders = range(1, ORDER_AT_MOST + 1)
    copies, lengths = [copy_of(n)[1] for n in orders], [words_in(tokens_of(n)) for n in orders]
    figure = copies_figure(copies, lengths, len(copies) if settings.revealed else len(copies) - 1)
    values = {"copies": copies, "lengths": lengths, "revealed": settings.revealed}
    choices = {"few": 5, "half": lengths[-1] / 2, "all": lengths[-1]}
    answer = min(choices, key=lambda each: abs(choices[each] - copies[-1]))
    data = {"figure": figure.to_dict()}
    return Part("figure", data, values, link_lab(ORDER_AT_MOST), tuple(choices), answer)


def show_copied(settings: Settings) -> Part:
    """The text of a model of order n, its longest copy marked."""
    n = settings.n
    begin, copied = copy_of(n)
    step = draws_of(n)[0]
    values = {"copied": copied, "of": words_in(tokens_of(n)), "alone": alone(n), "length": len(tokens_of(n))}
    text = written(n, range(begin, begin + copied))
    return show([draw_panel(play(), step, PROMPT)], values, text, key="copy", n=n)


def show_greedy(settings: Settings) -> Part:
    """The text without chance, one round of its loop marked."""
    model, prompt = model_of(NO_SMOOTHING.name, 2), encode(PROMPT)
    tokens = write(model, prompt, LENGTH, SEED, greedy=True)
    first, again = first_circle(model, prompt, tokens)
    loop = " ".join(play().name(token) for token in tokens[first:again])
    label = WORDS.label("text.greedy", n=2)
    text = draw_text(play(), label, prompt, tokens, range(first, again))
    step = next(writing(model, prompt, 1, SEED, greedy=True))
    words = loop.replace(END, "").strip()
    values = {
        "loop": words,
        "different": len(set(tokens)),
        "length": len(tokens),
        "chance": len(set(tokens_of(2))),
    }
    return show([draw_panel(play(), step, PROMPT.split()[-1])], values, text, key="loop", n=2, greedy=True)


def show_smoothed(settings: Settings) -> Part:
    """What a smoothed model draws from, and which words of its text never follow the two before them."""
    model, prompt = model_of(SMOOTHED, STORY_N), encode(PROMPT)
    drawn = list(writing(model, prompt, LENGTH, SEED))
    tokens = [step.token for step in drawn]
    seen = [token for token, _ in play().counts.continuations(prompt)]
    mass = float(1 - model.scores(prompt)[seen].sum())
    new = [i for i in range(len(tokens)) if is_new([*prompt, *tokens[: i + 1]])]
    unseen = (drawn[0].possible - len(seen), mass)
    panel = draw_panel(play(), drawn[0], PROMPT, hit=False, unseen=unseen)
    label = WORDS.label("text.smoothed", n=STORY_N)
    text = draw_text(play(), label, prompt, tokens, new, "rare")
    values = {"mass": mass, "unseen": unseen[0], "new": len(new), "length": len(tokens)}
    return show([panel], values, text, key="new", smoothing=SMOOTHED)


def show_own(settings: Settings) -> Part:
    """What a model of order n writes after the learner's words, its longest copy marked."""
    n, typed = settings.n, settings.typed if encode(settings.typed) else OWN
    prompt, model = encode(typed), model_of(NO_SMOOTHING.name, settings.n)
    drawn = list(writing(model, prompt, LENGTH, SEED))
    tokens = [step.token for step in drawn]
    begin, copied = longest_copy(tokens, play().training, play().vocabulary[END])
    text = draw_text(play(), WORDS.label("text.drawn", n=n), prompt, tokens, range(begin, begin + copied))
    context = " ".join(typed.split()[-(n - 1) :]) if n > 1 else WORDS.label("any")
    panel = draw_panel(play(), drawn[0] if drawn else None, context)
    values = {
        "typed": typed,
        "unknown": play().unknown(typed),
        "copied": copied,
        "of": words_in(tokens),
        "wrote": bool(tokens),
        "alone": sum(step.possible == 1 for step in drawn),
        "length": len(tokens),
    }
    lab = {"words_prompt": typed, "n": n}
    return Part("next_token", draw_picture([panel], [text], "copy"), values, {**link_lab(n), **lab})


def show_answer(settings: Settings) -> Part:
    """The first draws as windows: two tokens of context, the token that is drawn, u and p."""
    drawn = draws_of(STORY_N)[:WINDOWS]
    values = {"copies": [copy_of(n)[1] for n in (1, ORDER_AT_MOST)], "of": words_in(tokens_of(ORDER_AT_MOST))}
    return Part("staircase", draw_windows(play(), encode(PROMPT), drawn), values, link_lab(STORY_N))


STORY = (
    look("text", show_text),
    look("draw", show_draw),
    ask("next", ask_next),
    look("none", show_none),
    ask("copy", ask_copy),
    look("copied", show_copied, ORDER, n=ORDER_AT_MOST),
    look("loop", show_greedy),
    look("smoothed", show_smoothed),
    do("own", show_own, OWN_PROMPT, ORDER),
    end("answer", show_answer),
)


@cache
def draws_of(n: int) -> tuple[Drawn, ...]:
    """Return what the story's model of order n draws after the prompt."""
    return tuple(writing(model_of(NO_SMOOTHING.name, n), encode(PROMPT), LENGTH, SEED))


@cache
def copy_of(n: int) -> tuple[int, int]:
    """Return where the longest copy in the story's text of order n begins, and its length."""
    return longest_copy(tokens_of(n), play().training, play().vocabulary[END])


def tokens_of(n: int) -> list[int]:
    """Return the story's text of order n."""
    return [step.token for step in draws_of(n)]


def alone(n: int) -> int:
    """Return at how many draws of the story's text only one token could come."""
    return sum(step.possible == 1 for step in draws_of(n))


def encode(text: str) -> list[int]:
    """Return the ids of a beginning."""
    return play().encode(text, end=False)


def name_of(token: int) -> str:
    """Return a token of the play as words show it."""
    return name_token(play(), token)


def words_in(tokens: Sequence[int]) -> int:
    """Return how many tokens are no sentence end."""
    return sum(token != play().vocabulary[END] for token in tokens)


def is_new(tokens: Sequence[int]) -> bool:
    """Return whether the play never has the last token after the two before it."""
    context = play().counts.look_back(tokens[:-1], STORY_N - 1)
    return play().counts.count([*context, tokens[-1]]) == 0


def written(n: int, marked: Collection[int] = ()) -> dict:
    """Return the story's text of order n as the view shows it."""
    return draw_text(play(), WORDS.label("text.drawn", n=n), encode(PROMPT), tokens_of(n), marked)


def show(
    panels: Sequence[dict],
    values: dict,
    text: dict | None = None,
    key: str = "",
    stairs: bool = False,
    n: int = STORY_N,
    choices: Sequence[str] = (),
    answer: str = "",
    **lab: object,
) -> Part:
    """Return a beat's picture: charts of next tokens, and a text; `lab` are more settings of the lab."""
    data = draw_picture(panels, [text] if text else [], key, stairs)
    return Part("next_token", data, values, {**link_lab(n), **lab}, tuple(choices), answer)


def link_lab(n: int) -> dict:
    """Return the settings of the lab that write the story's text of order n."""
    return {"words_prompt": PROMPT, "n": n, "seed": SEED, "length": LENGTH}


# The lab.


def lab() -> None:
    """A text as it is drawn token by token; what it copies; the same from one token of context to five."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source(PLAY)
        counted = choose_counts(LESSON, document, remarks)
        typed = type_tokens(LESSON, counted, "prompt", WORDS.label("typed"), at_most=300)
        order = choose_order(LESSON, STORY_N)
        smoothing = choose_smoothing(LESSON, NO_SMOOTHING.name)
        length, greedy = LESSON.draw(TOKENS, width=180), LESSON.draw(GREEDY)
        with LESSON.options():
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, SEED_FIELD.default)
    with remarks:
        say_unknown(counted, typed, WORDS.label("read"))
    request = Request(tuple(counted.encode(typed, end=False)), length, greedy, seed)
    way = counted.unit, smoothing.name, tuple(smoothing.arguments.items())
    drawn = drawn_from(document, *way, order, request)
    if drawn:
        model, tokens = smoothing.fit(counted.counts, order), [step.token for step in drawn]
        about = f"{request.prompt}_{order}_{smoothing.name}_{seed}_{greedy}_{document.digest[:16]}"
        with stage:
            reached = LESSON.ask_in_turn(len(drawn), partial(question_of, counted, drawn, about))
            revealed = reached == len(drawn)
            frames, shared = draw_frames(counted, request, drawn[:reached], order)
            LESSON.steps(frames, len(drawn), shared=shared)
        if revealed and greedy:
            say_circles(counted, request, model, tokens)
        if revealed:
            LESSON.every_number(WORDS.label("table"), next_table, counted, model, request.prompt, drawn)
            if box := LESSON.fold("orders"):
                with box:
                    show_orders(document, counted, way, request)
    else:
        stage.warning(WORDS.label("nothing"))
    LESSON.close_lab(
        code=[
            *(SMOOTHINGS[smoothing.name].fit, discounted_level, NgramModel.scores),
            *(writing, random_numbers, longest_copy, first_circle),
        ],
        parameters={
            "sample": sample_in_use(),
            "unit": counted.unit,
            "beginning": typed,
            "n": order,
            "method": SMOOTHINGS[smoothing.name].fit.__name__,
            "arguments": dict(smoothing.arguments),
            "length": length,
            "seed": seed,
            "greedy": greedy,
        },
        prompts={
            "salad": {"n": 1},
            "letters": {"unit": "characters", "n": 5, "length": 100},
            "loop": {"greedy": True, "n": 2},
        },
    )


@cached(32, 8, shared=is_sample)
def drawn_from(
    document: Document, unit: str, smoothing: str, arguments: tuple, n: int, request: Request
) -> list[Drawn]:
    """Return what the model of order n draws, token by token; nothing after an unseen context."""
    return request.drawn(ChosenSmoothing(smoothing, dict(arguments)).fit(counts_of(document, unit).counts, n))


def question_of(counted: CountedText, drawn: Sequence[Drawn], about: str, place: int) -> Question | None:
    """Return the question before one of the first tokens: which it is, among the likeliest."""
    if place >= ASKED:
        return None
    step = drawn[place]
    answer = counted.name(step.token)
    likeliest = [counted.name(token) for token in step.likeliest[:CHOICES_AT_MOST]]
    before = counted.name(drawn[place - 1].token) if place else ""
    question = WORDS.label("question", before=before, place=place + 1)
    return Question(question, sorted({*likeliest, answer}), answer, f"{about}_{place}")


def draw_frames(
    counted: CountedText, request: Request, drawn: Sequence[Drawn], order: int
) -> tuple[list[dict], dict]:
    """Return a step for each drawn token, and what they share: the names of tokens and the text."""
    number, frames, context = {}, [], list(request.prompt)
    for place, step in enumerate(drawn, start=1):
        h = counted.counts.look_back(context, order - 1)
        said = say_drawn(counted, h, step, request.greedy)
        picture = step_picture(step, number, not request.greedy) | {"place": place - 1}
        name, alt = (WORDS.label(f"step.{each}", place=place) for each in ("name", "alt"))
        frames.append(frame(name, picture, alt, said))
        context.append(step.token)
    pieces = split_text(counted, request.prompt, [step.token for step in drawn])
    names = [counted.name(token) for token in number]
    return frames, {"names": names, "before": counted.text(request.prompt), "pieces": pieces}


def say_drawn(counted: CountedText, h: tuple[int, ...], step: Drawn, greedy: bool) -> str:
    """Say where the random number fell among the tokens that can come after h."""
    return WORDS.label(
        "says.drawn",
        context=counted.write(h) if h else "",
        token=counted.name(step.token),
        u=step.u,
        p=step.chance,
        rank=step.rank,
        possible=step.possible,
        greedy=greedy,
        alone=bool(np.isclose(step.p, step.p[0], atol=0).sum() == 1),
    )


def say_circles(counted: CountedText, request: Request, model: NgramModel, tokens: Sequence[int]) -> None:
    """Say where a text without chance loops, and how many different tokens it has against one with chance."""
    circle = first_circle(model, request.prompt, tokens)
    first, again = circle or (0, 0)
    values = {
        "first": first + 1,
        "again": again + 1,
        "loop": counted.write(tokens[first:again]),
        "n": len(tokens),
    }
    st.markdown(WORDS.markdown("says.loop" if circle else "says.no_loop", **values))
    drawn = replace(request, greedy=False).tokens(model)
    LESSON.compare("greedy", len(set(drawn)), len(set(tokens)), "d")


@cached(128, 32, shared=is_sample)
def text_of(
    document: Document, unit: str, smoothing: str, arguments: tuple, n: int, request: Request
) -> tuple[list[int], int]:
    """Return what the model of order n writes, and how long a run of it stands in a sentence of the text."""
    counted = counts_of(document, unit)
    tokens = request.tokens(ChosenSmoothing(smoothing, dict(arguments)).fit(counted.counts, n))
    return tokens, longest_copy(tokens, counted.training, counted.vocabulary[END])[1]


def show_orders(document: Document, counted: CountedText, way: tuple, request: Request) -> None:
    """Show the text that every order writes, and how long a run of it stands in a sentence of the learner's text."""
    st.markdown(WORDS.markdown("fold.orders", greedy=request.greedy))
    end = counted.vocabulary[END]
    for n in range(1, ORDER_AT_MOST + 1):
        tokens, copied = text_of(document, *way, n, request)
        st.caption(WORDS.label("says.copy", n=n, copied=copied, of=sum(token != end for token in tokens)))
        st.code(counted.write(tokens) or WORDS.label("nothing.short"), language=None, wrap_lines=True)
