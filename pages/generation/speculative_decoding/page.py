"""Speculative decoding: what its story shows of a GPT and a smaller draft of it, and its lab on any prompt."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from core.lesson.cached import cached
from core.lesson.settings import Choice, Settings, Slider, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.generation.speculative_decoding import (
    ACCEPT_ALL,
    EXACT,
    REDRAW,
    RULES,
    Round,
    Timing,
    acceptance,
    agreement,
    chance_variation,
    check,
    count_written,
    propose,
    residual,
    speculate,
    speed_up,
    time_speculation,
    tokens_per_call,
    written_distribution,
)
from core.models.neural_language_model import NeuralLanguageModel
from core.models.self_attention.ablation import total_variation
from core.models.stored_language_models import encode, stored_language_model
from core.models.transformers.model_sizes import sized_model
from pages.generation.speculative_decoding import LESSON
from pages.generation.speculative_decoding.figures import (
    calls_figure,
    draw_calls,
    draw_figure,
    draw_round,
    rounds_table,
    speed_figure,
    sum_figure,
    tell_calls,
    written_figure,
)

WORDS = LESSON.words
TARGET = "char_gpt"
DRAFTS = {
    "w16": "2 layers of 16",
    "w32": "2 layers of 32",
    "w64": "2 layers of 64",
    "w96": "3 layers of 96",
}
GOOD, BAD = "w64", "w16"
EXAMPLES = PROMPT, MINE = "I love ", "The king is dead, and "
SEED, K, LENGTH = 1, 4, 24  # of the story's text
LAB_LENGTH = 40
DEPTHS, MEASURED = (1, 2, 4, 8), 120  # the k that are measured, and the characters of each text
DRAWS, USUAL = 500, 0.95  # draws at one place; the share of samples that chance keeps below
SAMPLES = 200  # samples of so many draws
MOST = 16  # the largest k of the speed-up
CALLS, DISTRIBUTION, BOTH, NEITHER = "calls", "distribution", "both_change", "neither"

CHECKED = Slider("checked", 3, 0, K)
PLACE = Slider("place", 1, 1, 3)
DRAW_SEED = Slider("draw_seed", 1, 1, 999)
WRONG = Choice("wrong", ACCEPT_ALL, (ACCEPT_ALL, REDRAW))
COST = Slider("cost", 7, 1, 100)
OWN = Text("mine", MINE, 100)
TYPED = Text("typed", PROMPT, 100)
DRAFT = Choice("draft", GOOD, tuple(DRAFTS))
DEPTH = Slider("k", K, 1, 8)
SEED_FIELD = Slider("seed", SEED, 0, 9999)
RULE = Choice("rule", EXACT, RULES)
LAB = (TYPED, DRAFT, DEPTH, SEED_FIELD, RULE)


# The models and their runs.


def target_model() -> NeuralLanguageModel:
    """Return the model whose text is written."""
    return stored_language_model(TARGET)


def names() -> tuple[str, ...]:
    """Return the characters by id."""
    return target_model().vocabulary


def is_stored(prompt: str, *_: object) -> bool:
    """Return whether a prompt is the lesson's own."""
    return prompt in EXAMPLES


@cached(64, 8, shared=is_stored)
def run(prompt: str, draft: str, k: int, length: int, seed: int, rule: str = EXACT) -> tuple[Round, ...]:
    """Return the rounds that write so many characters after a prompt."""
    torch.set_num_threads(1)  # one token is too little work to share
    ids = encode(TARGET, prompt).ids
    return tuple(speculate(target_model(), sized_model(DRAFTS[draft]), ids, length, k, seed, rule))


@cache
def parameters(draft: str) -> int:
    """Return how many parameters a draft has."""
    return sized_model(DRAFTS[draft]).parameters


def mean_agreement(rounds: tuple[Round, ...]) -> float:
    """Return alpha, the mean overlap over all places that were checked."""
    return float(np.concatenate([each.agreements for each in rounds]).mean())


def places(rounds: tuple[Round, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return p and q where each token of some rounds is drafted."""
    return [place for each in rounds for place in zip(each.p[:-1], each.q, strict=True)]


def largest_difference(p: np.ndarray, q: np.ndarray) -> float:
    """Return by how much what the algorithm writes differs from p, at most."""
    return float(np.abs(written_distribution(p, q) - p).max())


def describe(rounds: tuple[Round, ...], k: int) -> dict:
    """Return what the words may say of a text: its characters, the target's calls, and the formula."""
    written = sum(len(each.written) for each in rounds)
    alpha = mean_agreement(rounds)
    return {
        "written": written,
        "calls": len(rounds),
        "per_call": written / len(rounds),
        "alpha": alpha,
        "formula": tokens_per_call(alpha, k),
        "k": k,
    }


def story_run(draft: str = GOOD) -> tuple[Round, ...]:
    """Return the story's text."""
    return run(PROMPT, draft, K, LENGTH, SEED)


def place_of(place: int) -> tuple[np.ndarray, np.ndarray]:
    """Return p and q where a token of the story's first draft is checked, counted from 1."""
    first = story_run()[0]
    return first.p[place - 1], first.q[place - 1]


def measure(prompt: str, draft: str, seed: int) -> tuple[dict[int, list[int]], float]:
    """Return what each call of a text wrote, by the k of DEPTHS, and alpha over all places of these texts."""
    runs = {k: run(prompt, draft, k, MEASURED, seed) for k in DEPTHS}
    counts = {k: [len(each.written) for each in rounds] for k, rounds in runs.items()}
    return counts, mean_agreement(tuple(each for rounds in runs.values() for each in rounds))


@cache
def story_measured() -> tuple[dict[int, list[int]], float]:
    """Return the same of the story's prompt and draft."""
    return measure(PROMPT, GOOD, SEED)


def sizes() -> dict:
    """Return how many parameters the target and the story's draft have."""
    return {
        "target_size": target_model().parameters / 1e6,
        "draft_size": parameters(GOOD) / 1e6,
        "part": parameters(GOOD) / target_model().parameters,
    }


# The story: what each beat shows.


def show_calls(settings: Settings) -> Part:
    """A text, a row for each call of the target."""
    rounds = story_run()
    values = describe(rounds, K) | sizes() | {"length": LENGTH}
    return Part("token_grid", draw_calls(rounds, names()), values, {"typed": PROMPT})


def show_check(settings: Settings) -> Part:
    """The first round, token by token."""
    first = story_run()[0]
    i = min(settings.checked, first.accepted + 1) - 1
    values = {
        "checked": settings.checked,
        "n": i + 1,
        "ratio": float(first.ratios[i]),
        "u": float(first.u[i]),
        "accepted": i < first.accepted,
        "own": names()[first.written[-1]],
        "k": K,
    }
    return Part("token_grid", draw_round(first, names(), settings.checked), values, {"typed": PROMPT})


def show_same(settings: Settings) -> Part:
    """What is accepted and what is redrawn at a place, stacked: their sum is p."""
    p, q = place_of(settings.place)
    off = largest_difference(p, q)
    values = {"alpha": agreement(p, q), "exact": off < 1e-12}
    return Part("figure", draw_figure(sum_figure(p, q, names())), values, {"typed": PROMPT})


def describe_draws(counts: np.ndarray, p: np.ndarray) -> dict:
    """Return the total variation of DRAWS draws from p, and the limit that most samples from p itself stay below."""
    by_chance = chance_variation(p, DRAWS, seed=1)
    usual = float(by_chance[int(USUAL * len(by_chance))])
    return {"draws": DRAWS, "off": float(total_variation(counts / DRAWS, p)), "usual": usual}


@cache
def count_above(limit: float) -> int:
    """Return how many of SAMPLES samples at the story's place have a total variation above the limit."""
    p, q = place_of(PLACE.default)
    shares = [count_written(p, q, DRAWS, seed) / DRAWS for seed in range(1, SAMPLES + 1)]
    return sum(float(total_variation(each, p)) > limit for each in shares)


def show_draws(settings: Settings) -> Part:
    """Five hundred draws at one place beside p."""
    p, q = place_of(PLACE.default)
    counts = count_written(p, q, DRAWS, settings.draw_seed)
    values = describe_draws(counts, p)
    values |= {"samples": SAMPLES, "above": count_above(values["usual"])}
    values["expected"] = round((1 - USUAL) * SAMPLES)
    data = draw_figure(written_figure(counts / DRAWS, p, q, names()))
    return Part("figure", data, values, {"typed": PROMPT})


def ask_worse(settings: Settings) -> Part:
    """The story's text; the answer shows the one of a much smaller draft."""
    good, bad = story_run(), story_run(BAD)
    off = max(largest_difference(p, q) for p, q in places(bad))
    more, changed = len(bad) > len(good), off > 1e-12
    answer = {(True, True): BOTH, (True, False): CALLS, (False, True): DISTRIBUTION}.get(
        (more, changed), NEITHER
    )
    values = describe(good, K) | {"worse_size": parameters(BAD) / 1e3, "size": parameters(GOOD) / 1e3}
    if settings.revealed:
        values |= {"worse": describe(bad, K), "both": (len(good), len(bad))}
    data = draw_calls(bad if settings.revealed else good, names())
    choices = (CALLS, DISTRIBUTION, BOTH, NEITHER)
    lab = {"typed": PROMPT, "draft": BAD if settings.revealed else GOOD}
    return Part("token_grid", data, values, lab, choices, answer)


def mean_variation(rounds: tuple[Round, ...], rule: str) -> float:
    """Return the mean total variation between what a rule writes and p, over all places of some rounds."""
    return float(np.mean([total_variation(written_distribution(p, q, rule), p) for p, q in places(rounds)]))


def show_broken(settings: Settings) -> Part:
    """What a wrong rule writes at one place, beside p."""
    p, q = place_of(PLACE.default)
    written = written_distribution(p, q, settings.wrong)
    values = {
        "off": float(total_variation(written, p)),
        "mean": mean_variation(story_run(), settings.wrong),
        "wrong": settings.wrong,
    }
    data = draw_figure(written_figure(written, p, q, names(), wrong=True))
    return Part("figure", data, values, {"typed": PROMPT, "rule": settings.wrong})


def show_speed(settings: Settings) -> Part:
    """Tokens per call by k, measured and by the formula."""
    counts, alpha = story_measured()
    values = {
        "alpha": alpha,
        "k": K,
        "measured": float(np.mean(counts[K])),
        "formula": tokens_per_call(alpha, K),
        "limit": 1 / (1 - alpha),
        "written": MEASURED,
    }
    return Part("figure", draw_figure(calls_figure(counts, alpha)), values, {"typed": PROMPT})


def do_own(settings: Settings) -> Part:
    """A text after the learner's prompt, a row for each call."""
    rounds = run(settings.mine, GOOD, K, LENGTH, SEED)
    read = encode(TARGET, settings.mine)
    values = describe(rounds, K) | {"left_out": list(read.left_out[:8]), "read": len(read.ids)}
    return Part("token_grid", draw_calls(rounds, names()), values, {"typed": settings.mine})


def show_answer(settings: Settings) -> Part:
    """The speed-up by k at a cost of the draft's call."""
    _, alpha = story_measured()
    cost = settings.cost / 100
    speeds = {k: speed_up(alpha, k, cost) for k in range(1, MOST + 1)}
    best = max(speeds, key=speeds.__getitem__)
    values = {"cost": cost, "best": best, "times": speeds[best]} | sizes()
    return Part("figure", draw_figure(speed_figure(alpha, cost, MOST)), values, {"typed": PROMPT})


STORY = (
    look("rounds", show_calls),
    look("test", show_check, CHECKED),
    look("same", show_same, PLACE),
    look("draws", show_draws, DRAW_SEED, draw_seed=2),
    ask("worse", ask_worse),
    look("broken", show_broken, WRONG),
    look("speed", show_speed),
    do("own", do_own, OWN),
    end("answer", show_answer, COST),
)


# The lab: any prompt, four drafts, any k, and the two wrong rules.


def lab() -> None:
    """The calls that write a text; the distribution of one character; speed by k; measured time; every number."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        prompt = LESSON.draw(TYPED, width=420)
        draft = LESSON.draw(DRAFT, width=300)
        k = LESSON.draw(DEPTH)
        with LESSON.options():
            seed = LESSON.draw(SEED_FIELD)
            rule = LESSON.draw(RULE)
    prompt = prompt or TYPED.default
    rounds = run(prompt, draft, k, LAB_LENGTH, seed, rule)
    read = encode(TARGET, prompt)
    values = describe(rounds, k) | {"rule": rule, "left_out": list(read.left_out[:8]), "read": len(read.ids)}
    with stage:
        truth = f"{len(rounds)}"
        about = f"{prompt} {draft} {k} {seed} {rule}"
        if LESSON.ask(WORDS.label("guess", n=LAB_LENGTH), guesses(len(rounds), LAB_LENGTH), truth, about):
            LESSON.view("token_grid", draw_calls(rounds, names()), "calls", alt=tell_calls(rounds))
            LESSON.say("says.calls", values)
            if rule != EXACT:
                LESSON.compare("bias", 0.0, mean_variation(rounds, rule), ".1%", more_is_better=False)
            LESSON.every_number(WORDS.label("table.rounds"), rounds_table, rounds, names())
    if box := LESSON.fold("distribution"):
        with box:
            show_distribution(rounds, seed, rule)
    if box := LESSON.fold("by_k"):
        with box:
            show_depths(prompt, draft, seed)
    if box := LESSON.fold("time"):
        with box:
            show_time(prompt, draft, k, seed)
    LESSON.close_lab(
        code=[speculate, propose, check, acceptance, residual, agreement, tokens_per_call, speed_up],
        parameters={"prompt": prompt, "draft": DRAFTS[draft], "k": k, "seed": seed, "rule": rule},
        prompts={
            "small": {"draft": BAD},
            "long": {"k": 8},
            "accept": {"rule": ACCEPT_ALL},
        },
    )


def guesses(calls: int, length: int) -> list[str]:
    """Return numbers of calls to choose from, the right one among them.

    >>> guesses(15, 40)
    ['8', '15', '27', '40']
    """
    others = (calls // 2 + 1, (calls + length) // 2, length)
    return [str(n) for n in sorted({calls, *others})]


def show_distribution(rounds: tuple[Round, ...], seed: int, rule: str) -> None:
    """Show 500 draws of the first character after the prompt."""
    p, q = rounds[0].p[0], rounds[0].q[0]
    counts = count_written(p, q, DRAWS, seed, rule)
    values = describe_draws(counts, p)
    figure = written_figure(counts / DRAWS, p, q, names(), wrong=rule != EXACT)
    LESSON.figure("drawn", figure, WORDS.label("distribution.alt", **values))
    LESSON.say("says.distribution", values)


def show_depths(prompt: str, draft: str, seed: int) -> None:
    """Show the tokens per call by k after the prompt."""
    counts, alpha = measure(prompt, draft, seed)
    LESSON.figure("depths", calls_figure(counts, alpha), WORDS.label("by_k.alt", alpha=alpha))
    LESSON.say("says.by_k", {"alpha": alpha, "limit": 1 / (1 - alpha)})


@cached(16, 4, shared=is_stored)
def timing(prompt: str, draft: str, k: int, seed: int) -> Timing:
    """Return how long writing takes here, with and without the draft."""
    torch.set_num_threads(1)
    ids = encode(TARGET, prompt).ids
    return time_speculation(target_model(), sized_model(DRAFTS[draft]), ids, MEASURED, k, seed)


def show_time(prompt: str, draft: str, k: int, seed: int) -> None:
    """Say how long writing took on this machine, with and without the draft."""
    found = timing(prompt, draft, k, seed)
    values = {
        "times": found.speed_up,
        "cost": found.cost,
        "part": parameters(draft) / target_model().parameters,
    }
    LESSON.say("says.time", values)
