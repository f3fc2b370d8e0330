"""Temperature, top-k and top-p: what the story shows beat by beat, and the lab on any prompt and model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
import torch

from core.figures.generation.sampling import next_token_figure, settings_figure
from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import (
    ChosenModel,
    Continuation,
    continuation,
    next_logits,
)
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import DO, Beat, Part, ask, end, look
from core.lesson.text_source import text_source
from core.models.generation.degeneration import repeated_cycle
from core.models.generation.sampling import (
    SamplingSettings,
    SamplingTrace,
    count_sampled_tokens,
    distribution,
    draw_next_token,
    generate,
    misses,
    not_renormalised,
    scale,
    softmax,
    top_k,
    top_p,
)
from core.models.neural_language_model import read
from core.models.stored_language_models import Prompt, decode_ids, encode, stored_language_model
from core.text.reading.documents import Document
from core.words.numbers import format_share
from core.words.plain import plain
from pages.generation.sampling import LESSON
from pages.generation.sampling.figures import (
    DRAWS,
    RARE,
    SHOWN,
    colour_tokens,
    draw_line,
    draw_panel,
    draw_picture,
    draw_text,
    sampling_payload,
    sampling_table,
)
from pages.generation.shared.chosen_model import (
    MODEL,
    OWN_MODELS,
    choose_prompt,
    model_ids,
    notebook_of,
    open_model,
    say_what_goes_in,
)
from pages.generation.shared.shown_tokens import name_token

WORDS = LESSON.words
NAME = "word_gpt"  # the story's model
UNSURE, SURE = "I love", "Good my lord, I beseech"
EXAMPLES = ("My lord, I will not", SURE)
SEED, PAST_THE_END = 24, 5  # seeds; the second one's first number is near 1
WRITTEN, GREEDY = 40, 60  # tokens of a text in the story
FEW = 5  # bars in each of four small charts

TYPED = Text("typed", UNSURE, 2000)
OWN_PROMPT = Text("typed", UNSURE, 200)
TEMPERATURE = Slider("temperature", 1.0, 0.0, 2.0, 0.1)
TOP_K = Slider("top_k", 0, 0, 50)
TOP_P = Slider("top_p", 1.0, 0.0, 1.0, 0.01)
KEPT = Slider("top_k", SHOWN, 1, 50)
SEED_FIELD = Slider("seed", 1, 0, 9999)
RENORMALIZED = Switch("renormalized")
RULE = Choice("rule", "top_p", ("top_p", "top_k"))

BROKEN = Switch("broken")
LAB = (TYPED, TEMPERATURE, TOP_K, TOP_P, SEED_FIELD, BROKEN)

PLACES, LENGTH = 40, 90  # of the lab: new tokens whose distribution is shown, tokens of a text
LEAST_PLACES, LOGITS = (
    4,
    20_000,
)  # of a large vocabulary so many logits are sent, for as many tokens as that makes
MOST = 1000.0  # the highest temperature
FIVE = {
    "greedy": SamplingSettings(temperature=0.0),
    "cold": SamplingSettings(temperature=0.5),
    "plain": SamplingSettings(),
    "top_p": SamplingSettings(top_p=0.9),
    "hot": SamplingSettings(temperature=2.0),
}


# The story: what each beat shows.


def show_distribution(settings: Settings) -> Part:
    """Every token's probability after the prompt."""
    place = read_place(settings)
    panel = place.panel(SamplingSettings(), prompt=settings.typed, line=False)
    p = place.trace().probabilities
    values = {**describe(place, place.trace()), "rest": share(p, place.order[SHOWN:])}
    return Part("next_token", draw_picture([panel]), values)


def show_draw(settings: Settings) -> Part:
    """The same bars end to end on the line from 0 to 1, and a random number that falls on one."""
    place, u = read_place(settings), first_number(settings.seed)
    panel = place.panel(SamplingSettings(), u=u, prompt=settings.typed)
    hit = draw_next_token(place.trace(), u)
    values = {**describe(place, place.trace()), "u": u, "hit": place.name(hit)}
    return Part("next_token", draw_picture([panel], stairs=True), values)


def ask_colder(settings: Settings) -> Part:
    """The bars at T = 1; the answer draws them at a lower temperature."""
    place, u = read_place(settings), first_number(settings.seed)
    colder = SamplingSettings(temperature=settings.temperature if settings.revealed else 1.0)
    panel = place.panel(colder, u=u, before=settings.revealed, prompt=settings.typed)
    key = ["before"] if settings.revealed else []
    own, cold = place.trace(), place.trace(SamplingSettings(settings.temperature))
    first = place.order[0]
    change = np.sign(cold.probabilities[first] - own.probabilities[first])
    values = {
        **describe(place, own),
        "u": u,
        "cold": format_share(cold.probabilities[first]),
        "rest": share(own.probabilities, place.order[SHOWN:]),
        "cold_rest": share(cold.probabilities, place.order[SHOWN:]),
        "perplexity": own.perplexity,
        "cold_perplexity": cold.perplexity,
        "cold_hit": place.name(draw_next_token(cold, u)),
        "revealed": settings.revealed,
    }
    choices = {1: "gains", 0: "same", -1: "loses"}
    return Part(
        "next_token",
        draw_picture([panel], key=key),
        values,
        choices=tuple(choices.values()),
        answer=choices[change],
    )


def show_greedy(settings: Settings) -> Part:
    """Temperature 0, and the text that always taking the first token writes."""
    place = read_place(settings)
    text = write(settings.typed, SamplingSettings(temperature=0.0), settings.seed, GREEDY)
    again, times = most_repeated(text)
    pieces = [(piece, "again" if token == again else "") for token, piece in text.pieces()]
    panel = place.panel(SamplingSettings(temperature=0.0), before=True, prompt=settings.typed)
    written = draw_text(WORDS.label("text.greedy"), settings.typed, pieces)
    values = {**describe(place, place.trace()), "again": place.name(again), "times": times, "length": GREEDY}
    return Part("next_token", draw_picture([panel], [written], ["before", "again"]), values)


def show_hotter(settings: Settings) -> Part:
    """A temperature above 1, and a text that it writes."""
    place, hot = read_place(settings), SamplingSettings(settings.temperature)
    own, trace = place.trace(), place.trace(hot)
    panel = place.panel(hot, u=first_number(settings.seed), before=True, prompt=settings.typed)
    text, plainer = (
        write(settings.typed, each, settings.seed, WRITTEN) for each in (hot, SamplingSettings())
    )
    values = {
        **describe(place, own),
        "rest": share(own.probabilities, place.order[SHOWN:]),
        "hot_rest": share(trace.probabilities, place.order[SHOWN:]),
        "rare": sum(text.rare),
        "plain_rare": sum(plainer.rare),
        "length": WRITTEN,
        "least": RARE,
    }
    texts = [
        text.drawn(settings.typed, hot, settings.seed),
        plainer.drawn(settings.typed, SamplingSettings(), settings.seed),
    ]
    return Part("next_token", draw_picture([panel], texts, ["before", "rare"]), values)


def show_top_k(settings: Settings) -> Part:
    """The k most probable tokens, renormalized; the others are cut."""
    place, cut = read_place(settings), SamplingSettings(top_k=settings.top_k)
    own, trace = place.trace(), place.trace(cut)
    panel = place.panel(cut, u=first_number(settings.seed), before=True, prompt=settings.typed)
    values = {
        **describe(place, own),
        "cut": int((~trace.kept).sum()),
        "lost": format_share(trace.tail_mass),
        "kept_mass": 1 - trace.tail_mass,
        "now": format_share(trace.probabilities[place.order[0]]),
    }
    return Part("next_token", draw_picture([panel], key=["before"]), values)


def show_top_p(settings: Settings) -> Part:
    """What top-p, or top-k, keeps where the model is unsure and where it is sure."""
    unsure, sure = read_place(settings), read_place(settings, SURE)
    by_p, by_k = SamplingSettings(top_p=settings.top_p), SamplingSettings(top_k=settings.top_k)
    rule = by_p if settings.rule == "top_p" else by_k
    kept = {place: int(place.trace(by_p).kept.sum()) for place in (unsure, sure)}
    panels = [
        place.panel(
            rule,
            prompt=place.prompt,
            note=WORDS.label("note.kept", n=int(place.trace(rule).kept.sum())),
            cut_at=settings.top_p if rule is by_p else None,
            colours=colour_tokens(unsure.order),
            before=True,
            small=True,
        )
        for place in (unsure, sure)
    ]
    values = {"many": kept[unsure], "few": kept[sure], "prompt": UNSURE, "sure": SURE, "p": settings.top_p}
    lab = {"top_k": 0} if rule is by_p else {"top_p": TOP_P.default}
    return Part("next_token", draw_picture(panels, key=["before"]), values, lab)


def show_lost(settings: Settings) -> Part:
    """What is kept, not renormalized: the line ends before 1, and a random number falls on no token."""
    place, u = read_place(settings), first_number(settings.seed)
    cut = place.trace(SamplingSettings(top_k=settings.top_k))
    trace = cut if settings.renormalized else not_renormalised(cut)
    panel = place.panel_of(trace, u=u, before=True, prompt=settings.typed)
    values = {
        "u": u,
        "kept_mass": 1 - cut.tail_mass,
        "lost": format_share(cut.tail_mass),
        "hit": place.name(draw_next_token(cut, u)),
    }
    lab = {"broken": not settings.renormalized}
    return Part("next_token", draw_picture([panel], key=["before"], stairs=True), values, lab)


def show_own(settings: Settings) -> Part:
    """The learner's own prompt under a temperature and a top-p, with the text that they write."""
    place, decoding = read_place(settings), SamplingSettings(settings.temperature, 0, settings.top_p)
    trace = place.trace(decoding)
    panel = place.panel(decoding, before=True, cut_at=settings.top_p, drag=True, prompt=place.prompt)
    text = write(place.prompt, decoding, settings.seed, WRITTEN)
    values = {
        "kept": int((trace.probabilities > 0).sum()),
        "V": len(trace.logits),
        "perplexity": trace.perplexity,
        "rare": sum(text.rare),
        "length": WRITTEN,
    }
    texts = [text.drawn(place.prompt, decoding, settings.seed)]
    return Part("next_token", draw_picture([panel], texts, ["before", "rare"]), values)


def show_answer(settings: Settings) -> Part:
    """Four small charts of one distribution: colder, hotter, top-k and top-p."""
    place = read_place(settings)
    four = {
        "cold": SamplingSettings(0.5),
        "hot": SamplingSettings(1.5),
        "top_k": SamplingSettings(top_k=3),
        "top_p": SamplingSettings(top_p=0.5),
    }
    panels = [
        place.panel(
            each,
            before=True,
            prompt=WORDS.label(f"panel.{name}", T=each.temperature, k=each.top_k, p=each.top_p),
            note="",
            most=FEW,
            line=False,
            small=True,
        )
        for name, each in four.items()
    ]
    return Part("next_token", draw_picture(panels, key=["before"]), describe(place, place.trace()))


def move_top_p(value: object) -> dict[str, object]:
    """Return the setting that dragging p along the line changes."""
    return {"top_p": value}


STORY = (
    look("distribution", show_distribution, typed=UNSURE),
    look("draw", show_draw, typed=UNSURE, seed=SEED),
    ask("colder", ask_colder, typed=UNSURE, seed=SEED, temperature=0.5),
    look("greedy", show_greedy, typed=UNSURE, seed=SEED, temperature=0.0),
    look("hotter", show_hotter, typed=UNSURE, seed=SEED, temperature=1.5),
    look("keep_k", show_top_k, KEPT, typed=UNSURE, seed=SEED, top_k=SHOWN),
    look("keep_p", show_top_p, RULE, typed=UNSURE, seed=SEED, top_k=SHOWN, top_p=0.9),
    look("lost", show_lost, RENORMALIZED, typed=UNSURE, seed=PAST_THE_END, top_k=SHOWN),
    Beat(
        "own",
        DO,
        show_own,
        (OWN_PROMPT, TEMPERATURE),
        {"typed": EXAMPLES[0], "seed": SEED, "temperature": 1.0},
        holds=(TOP_P,),
        on={"top_p": move_top_p},
    ),
    end("answer", show_answer, typed=UNSURE, seed=SEED),
)


@dataclass(frozen=True, eq=False)
class Place:
    """A prompt as the story's model reads it, and the logits of its next token, (V,)."""

    prompt: str
    logits: np.ndarray

    def trace(self, decoding: SamplingSettings | None = None) -> SamplingTrace:
        """Return the next-token distribution, at T = 1 with nothing cut where no `decoding` is given."""
        return distribution(self.logits, decoding or SamplingSettings())

    @property
    def order(self) -> np.ndarray:
        """The tokens, the most probable first."""
        return self.trace().order

    def name(self, token: int) -> str:
        """Return a token as words show it."""
        return name_token(vocabulary()[token])

    def panel(self, decoding: SamplingSettings, **options) -> dict:
        """Return the chart of the distribution under `decoding`, which stands above it where it changes something."""
        return self.panel_of(self.trace(decoding), **{"note": note_settings(decoding), **options})

    def panel_of(
        self,
        trace: SamplingTrace,
        prompt: str,
        note: str = "",
        u: float | None = None,
        before: bool = False,
        cut_at: float | None = None,
        drag: bool = False,
        most: int = SHOWN,
        colours: Mapping | None = None,
        line: bool = True,
        small: bool = False,
    ) -> dict:
        """Return the chart of a distribution, with the line from 0 to 1 where a number or a cut falls on it."""
        colours = colours or colour_tokens(trace.order)
        panel = draw_panel(trace, vocabulary(), colours, prompt, note, most, before, small)
        return {**panel, "line": draw_line(panel, trace, u, cut_at, drag) if line else None}


def note_settings(decoding: SamplingSettings) -> str:
    """Return the settings that differ from sampling from the model as it is.

    >>> note_settings(SamplingSettings(temperature=0.5, top_k=10)), note_settings(SamplingSettings())
    ('T = 0.5, top-k, k = 10', '')
    """
    changed = {
        "T": decoding.temperature if decoding.temperature != 1 else None,
        "k": decoding.top_k or None,
        "p": decoding.top_p if decoding.top_p < 1 else None,
    }
    named = [WORDS.label(f"note.{name}", x=x) for name, x in changed.items() if x is not None]
    return WORDS.label("note.and").join(named)


@dataclass(frozen=True)
class Written:
    """A text that the story's model wrote: its tokens, and which of them the model itself found rare."""

    tokens: tuple[int, ...]
    rare: tuple[bool, ...]

    def pieces(self) -> list[tuple[int, str]]:
        """Return each token with its letters; what is no letter by itself, a byte of one, is shown as it is."""
        return [(token, decode_ids(NAME, (token,))) for token in self.tokens]

    def drawn(self, prompt: str, decoding: SamplingSettings, seed: int) -> dict:
        """Return the text as the view draws it, its rare tokens marked."""
        kinds = ("rare" if rare else "" for rare in self.rare)
        pieces = [(piece, kind) for (_, piece), kind in zip(self.pieces(), kinds, strict=True)]
        label = WORDS.label("text.sampled", T=decoding.temperature, p=decoding.top_p, seed=seed)
        return draw_text(label, prompt, pieces)


def vocabulary() -> tuple[str, ...]:
    """Return the tokens of the story's model, by id."""
    return stored_language_model(NAME).vocabulary


def is_stored_prompt(text: str, *_) -> bool:
    """Return whether a prompt is one of the story's own, which everybody may share; what was typed is kept for nobody."""
    return text in (UNSURE, *EXAMPLES)


def read_place(settings: Settings, prompt: str | None = None) -> Place:
    """Return the place after a prompt. A space at its end, which would be a token of its own, is left out."""
    text = (settings.typed if prompt is None else prompt).rstrip()
    return Place(text, logits_after(text))


@cached(16, 2, shared=is_stored_prompt)
def logits_after(text: str) -> np.ndarray:
    """Return the logits of the token after a text, (V,)."""
    torch.set_num_threads(1)  # one token is too little work to share
    return read(stored_language_model(NAME), encode(NAME, text).ids).logits


@cached(64, 2, shared=is_stored_prompt)
def write(text: str, decoding: SamplingSettings, seed: int, length: int) -> Written:
    """Return how the story's model goes on after a text, with the same numbers u as the lab with this seed."""
    torch.set_num_threads(1)
    steps = list(
        generate(stored_language_model(NAME), encode(NAME, text.rstrip()).ids, length, decoding, seed)
    )
    rare = tuple(bool(softmax(step.trace.logits)[step.token] < RARE) for step in steps)
    return Written(tuple(step.token for step in steps), rare)


def first_number(seed: int) -> float:
    """Return the random number that draws the first token after a prompt."""
    return float(np.random.default_rng(seed).random())


def share(p: np.ndarray, tokens: Sequence[int]) -> str:
    """Return the probability of some tokens together, as it is shown."""
    return format_share(float(p[tokens].sum()))


def most_repeated(text: Written) -> tuple[int, int]:
    """Return the word of at least three letters that a text holds most often, as its token, and how often."""
    words = [
        token
        for token in text.tokens
        if len(vocabulary()[token].strip()) > 2 and vocabulary()[token][1:].isalpha()
    ]
    return Counter(words).most_common(1)[0]


def describe(place: Place, trace: SamplingTrace) -> dict:
    """Return what the words may say of a distribution: its first token, and how many tokens there are."""
    first = int(place.order[0])
    return {
        "prompt": place.prompt,
        "V": len(trace.logits),
        "shown": SHOWN,
        "others": len(trace.logits) - SHOWN,
        "first": place.name(first),
        "p": format_share(float(trace.probabilities[first])),
    }


# The lab: any prompt, any model, every number.


def lab() -> None:
    """The next token's probabilities as bars, every column behind them, and texts that the settings make."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        model, (document, prompt_text) = LESSON.draw(MODEL), choose_prompt(LESSON, TYPED)
        chosen = open_model(model, document)
        broken = LESSON.draw(BROKEN)
        with LESSON.options():
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, SEED_FIELD.default)
            settings = type_settings(len(chosen.names))
    prompt = chosen.encode(prompt_text)
    places = min(PLACES, max(LEAST_PLACES, LOGITS // len(chosen.names)))
    made = opened(chosen.label, document.digest, prompt.ids, places, settings, seed, chosen)
    about = f"{hash((prompt.ids, settings))}_{chosen.label}_{seed}_{broken}"
    with stage:
        text, bars = st.container(), st.container()
        seen = LESSON.ask_in_turn(
            places, lambda place: question_of(made.trace(place, settings, broken), chosen, seed, place, about)
        )
        with text:
            show_written(chosen, prompt, made.tokens if seen == places else made.tokens[:seen])
        said = made.said_of_cut if broken else made.said
        if seen < places:
            with bars:
                show_bars(made.trace(seen, settings, broken), softmax(made.logits[seen]), chosen.names)
                LESSON.caption(plain(said[seen]))
        if seen:
            known = made.logits[:seen], said[:seen]
            payload = sampling_payload(*known, chosen.names, settings, seed, places, renormalise=not broken)
            LESSON.stepped_view("sampling", payload, on={"settings": take_settings})
        say_what_goes_in(LESSON, chosen, prompt)
        say_the_space(chosen, prompt)
    if broken:
        say_what_is_lost(*(made.trace(0, settings, cut) for cut in (False, True)), seed)
    if seen:
        if five := LESSON.fold("settings"):
            with five:
                compare_settings(chosen, document, prompt.ids, seed)
        if every := LESSON.fold("every"):
            with every:
                ask_every_model(model, document, prompt.text, settings, seed)
        LESSON.every_number(
            WORDS.label("table"),
            lambda: sampling_table(
                [made.trace(place, settings, broken) for place in range(seen)], settings, chosen.names, seed
            ),
        )
    LESSON.close_lab(
        code=[
            distribution,
            scale,
            softmax,
            top_k,
            top_p,
            not_renormalised,
            draw_next_token,
            misses,
            count_sampled_tokens,
        ],
        parameters={
            **notebook_of(model),
            "prompt": prompt_text,
            "temperature": settings.temperature,
            "k": settings.top_k,
            "p": settings.top_p,
            "seed": seed,
            "length": LENGTH,
        },
        prompts={
            "circle": {"typed": EXAMPLES[0], "temperature": 0.0, "top_k": 0, "top_p": 1.0},
            "tail": {"temperature": 2.0, "top_k": 0, "top_p": 1.0},
            "five": {"temperature": 2.0, "top_k": 5, "top_p": 1.0},
            "spelling": {"model": "char_gpt", "temperature": 1.5, "top_k": 0, "top_p": 0.9},
        },
    )


def type_settings(V: int) -> SamplingSettings:
    """Draw the fields for T, k and p, which the sliders in the view move too, and return the settings."""
    if LESSON.get_state("top_k", 0) > V:
        LESSON.set_state("top_k", 0)  # another model, with fewer tokens: nothing to cut
    st.caption(WORDS.label("exactly"))
    temperature = LESSON.number("temperature", WORDS.label("exact.temperature"), 0.0, MOST, 1.0, step=0.05)
    k = LESSON.number("top_k", WORDS.label("exact.top_k"), 0, V, 0)
    p = LESSON.number("top_p", WORDS.label("exact.top_p"), 0.0, 1.0, 1.0, step=0.01)
    return SamplingSettings(temperature, k, p)


def say_the_space(chosen: ChosenModel, prompt: Prompt) -> None:
    """Say that a prompt's last space is a token of its own, where the model has tokens that begin with one."""
    if chosen.names and prompt.ids and chosen.names[prompt.ids[-1]] == " " and " the" in chosen.names:
        st.caption(WORDS.label("space"))


@dataclass(frozen=True)
class Opened:
    """What a model writes; of the first new tokens the logits (places, V), and what is said of each, whole and cut."""

    tokens: tuple[int, ...]
    logits: np.ndarray
    said: tuple[str, ...]
    said_of_cut: tuple[str, ...]

    def trace(self, place: int, settings: SamplingSettings, broken: bool) -> SamplingTrace:
        """Return the distribution of the new token at a place."""
        whole = distribution(self.logits[place], settings)
        return not_renormalised(whole) if broken else whole


@cached(60, 30, shared=no_typed_words)
def opened(
    label: str,
    digest: str,
    ids: tuple[int, ...],
    places: int,
    settings: SamplingSettings,
    seed: int,
    _chosen: ChosenModel,
) -> Opened:
    """Return what the model writes, with the distributions of the first `places` new tokens."""
    torch.set_num_threads(1)  # one token is too little work to share
    steps = list(generate(_chosen.model, ids, LENGTH, settings, seed))
    traces, names = [step.trace for step in steps[:places]], _chosen.names
    return Opened(
        tuple(step.token for step in steps),
        np.stack([trace.logits for trace in traces]),
        tuple(say_what_is_left(trace, names) for trace in traces),
        tuple(say_what_is_left(not_renormalised(trace), names) for trace in traces),
    )


def question_of(trace: SamplingTrace, chosen: ChosenModel, seed: int, place: int, about: str) -> Question:
    """Return the question before the token at a place is drawn: on which token the seed's number falls."""
    u, missed = float(np.random.default_rng(seed).random(place + 1)[-1]), WORDS.label("no_token")
    answer = missed if misses(trace, u) else label_token(chosen.names[draw_next_token(trace, u)])
    first = [label_token(chosen.names[i]) for i in trace.order[:5]]
    none = [missed] if trace.probabilities.sum() < 1 - 1e-9 else []
    return Question(
        WORDS.label("question", u=u), list(dict.fromkeys([*first, answer, *none])), answer, f"{about}_{place}"
    )


def bar_labels() -> tuple[str, ...]:
    """Return the names of the axis of bars, of the model's own bars, and of those with the settings."""
    return tuple(WORDS.label(key) for key in ("axis.p", "bars.own", "bars.now"))


def show_bars(trace: SamplingTrace, model: np.ndarray, names: Sequence[str]) -> None:
    """Draw the most probable tokens, before the draw is guessed."""
    alt = WORDS.label("alt.bars", p=float(trace.probabilities.max()))
    LESSON.figure("bars", next_token_figure(trace, model, names, bar_labels()), alt)


def show_written(chosen: ChosenModel, prompt: Prompt, tokens: Sequence[int]) -> None:
    """Write the prompt and what the settings make of it, above the bars, where a change of theirs is seen."""
    st.caption(WORDS.label("written"))
    st.code(chosen.decode((*prompt.ids, *tokens)) or " ", language=None, wrap_lines=True, height=104)


def take_settings(moved: Mapping[str, float] | None) -> None:
    """Carry the settings that were moved in the view over to the fields that the address knows."""
    if moved:
        for name, kind in (("temperature", float), ("top_k", int), ("top_p", float)):
            LESSON.set_state(name, kind(moved[name]))


def say_what_is_left(trace: SamplingTrace, names: Sequence[str]) -> str:
    """Return the sentence below the bars: the first token, how many are left, and how uncertain the draw is."""
    first, total = trace.order[0], float(trace.probabilities.sum())
    return WORDS.label(
        "says.left",
        first=label_token(names[first]),
        p=float(trace.probabilities[first]),
        kept=int((trace.probabilities > 0).sum()),
        V=len(names),
        five=float(trace.probabilities[trace.order[:5]].sum()),
        lost=total < 1 - 1e-9,
        total=total,
        perplexity=trace.perplexity,
    )


def say_what_is_lost(whole: SamplingTrace, trace: SamplingTrace, seed: int) -> None:
    """Show the sum of what is left, before and after, and how many draws of the seed fall on no token."""
    lost = int(misses(trace, np.random.default_rng(seed).random(DRAWS)).sum())
    st.markdown(WORDS.markdown("says.lost", lost=lost, draws=DRAWS))
    LESSON.compare("broken", float(whole.probabilities.sum()), float(trace.probabilities.sum()), ".4f")
    if whole.kept.all():
        st.info(WORDS.label("says.nothing_cut"))


def show_text(chosen: ChosenModel, made: Continuation) -> None:
    """Write a continuation, the mean entropy of its tokens' distributions, and whether it ends in a loop."""
    st.code(chosen.decode(made.tokens), language=None, wrap_lines=True)
    cycle = repeated_cycle(made.tokens)
    entropy = float(np.mean(made.entropies))
    st.caption(WORDS.label("says.entropy", entropy=entropy, loop=cycle.start + 1 if cycle else 0))


def compare_settings(chosen: ChosenModel, document: Document, ids: tuple[int, ...], seed: int) -> None:
    """Draw the prompt's next-token distribution under five settings, and how the model goes on with each."""
    st.markdown(WORDS.markdown("fold.settings"))
    logits = next_logits(chosen.label, document.digest, ids, chosen.model)
    traces = {WORDS.label(f"five.{name}"): distribution(logits, each) for name, each in FIVE.items()}
    LESSON.figure(
        "five", settings_figure(traces, chosen.names, WORDS.label("axis.p")), WORDS.label("alt.five")
    )
    for column, (name, each) in zip(st.columns(len(FIVE)), FIVE.items(), strict=True):
        with column:
            st.markdown(f"**{WORDS.label(f'five.{name}')}**")
            show_text(chosen, continue_text(chosen, document, ids, each, seed))


def ask_every_model(model: str, document: Document, text: str, settings: SamplingSettings, seed: int) -> None:
    """Let every model go on from the same prompt with the same settings and seed."""
    if LESSON.get_state("source", "typed") == "typed" and model not in OWN_MODELS:
        document = text_source()  # the n-gram models below are made of it
    for each in model_ids():
        chosen = open_model(each, document)
        made = continue_text(chosen, document, chosen.encode(text).ids, settings, seed)
        st.markdown(
            WORDS.markdown("every.model", label=LESSON.label_of(f"model.{each}", each), V=len(chosen.names))
        )
        show_text(chosen, made)


def continue_text(
    chosen: ChosenModel, document: Document, ids: Sequence[int], settings: SamplingSettings, seed: int
) -> Continuation:
    """Return how a model goes on after the ids with these settings."""
    return continuation(chosen.label, document.digest, tuple(ids), LENGTH, settings, seed, chosen.model)
