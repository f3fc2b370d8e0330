"""Training in parallel: one sequence is many examples, as long as none of them can see its answer."""

from __future__ import annotations

from math import exp

import streamlit as st
import torch
from torch import Tensor

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.generation.sampling import shown
from core.figures.self_attention.parallel_training import (
    chance,
    examples_table,
    shared_examples,
    triangle,
    worked_example,
    worked_mean,
)
from core.figures.worked import plain_number
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import GPTS, read_sentence
from core.lesson.chosen_text import text_is_new
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import notebook_text, text_source
from core.models.fit_language_model import next_token_loss, shifted
from core.models.self_attention.fit_peeking import PeekConfig, both, learner, training
from core.models.self_attention.gpt import GPTConfig
from core.models.self_attention.parallel_training import (
    Losses,
    apart,
    in_one_pass,
    multiplications,
    one_by_one,
    times_by_prefixes,
)
from core.models.self_attention.peeking import NO_MASK, NO_SHIFT, WAYS, PeekingAttention, peeking
from core.models.stored_language_models import encode, stored_language_model
from pages.self_attention.shared.peeking_bench import peeking_bench

LESSON = Lesson(
    __name__,
    title="Training in parallel",
    question="How does one pass over a text train on every one of its tokens?",
    icon="fast-forward",
)


def picture() -> Figure:
    """One window of characters as its examples, with the real p of each target."""
    model = stored_language_model("char_gpt")
    ids = torch.tensor([model.start, *encode("char_gpt", "to be").ids])
    tokens = [shown(model.vocabulary[i]) for i in ids]
    return small(triangle(tokens, in_one_pass(model.network, ids).losses.tolist()))


def page() -> None:
    """A window's examples; what peeking does to training; one pass against one pass an example."""
    torch.set_num_threads(1)  # short windows: more threads would only wait for one another
    LESSON.open(
        r"L = -\frac{1}{T} \sum_{t=1}^{T} \ln p(y_t \mid x_1 \dots x_t), \qquad y_t = x_{t+1}",
        "$x$: a window of $T$ tokens. $y$: the same window, one further: the **targets**. Each $t$ is an example: "
        "a prefix and the token that comes next. $L$: the loss of the window, in nats a token.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        if text_is_new(LESSON, "sentence"):
            LESSON.set_state("sentence", "")
        name = GPTS[LESSON.select("model", "Model", list(GPTS), width=200)]
        model = stored_language_model(name)
        ids = torch.tensor(read_sentence(LESSON, notes, document, name))
        broken = LESSON.break_it(
            "broken", "Break it: take the mask away", "Every row then sees every token of x."
        )
    notes.markdown(
        ":blue[x]: what the model sees. :orange[y]: what it is to predict, one further. p(y) is the model's."
    )
    tokens, T = [shown(model.vocabulary[i]) for i in ids], len(ids) - 1
    together, alone = both_ways(name, tuple(ids.tolist()), broken)
    with stage:
        choices = [str(n) for n in sorted({1, T, T + 1, T * (T + 1) // 2})]
        question = (
            f"Of these {T + 1} tokens the model reads all but the last in one pass: the last is only a target. How many "
            "predictions does it learn from?"
        )
        if guessed := LESSON.ask(question, choices, str(T), f"{name}_{T}"):
            show_examples(tokens, together, broken)

    st.header("What if it could peek while it learns?", anchor=False)
    st.markdown(
        "Two small GPTs start from the same weights and read the same windows of a text. One has the right mask. The "
        "other makes a mistake that shows it its answers. Compare their losses in training, and then what each can do "
        "by itself."
    )
    settings, run = LESSON.stage("training")
    with settings:
        config = choose_peek()
    with run:
        peeking_bench(LESSON, document, config)

    if guessed:
        st.header("One pass, or one pass an example?", anchor=False)
        compare_passes(name, ids, broken)
        LESSON.every_number(
            "the examples",
            lambda: (
                examples_table(tokens, together.losses.tolist(), alone.losses.tolist()),
                lambda row, column: (
                    worked_example(tokens, float(together.losses[row]), row, broken)
                    if "p" in column[:4]
                    else None
                ),
            ),
        )
    LESSON.closing(
        code=[
            shifted,
            next_token_loss,
            in_one_pass,
            one_by_one,
            multiplications,
            times_by_prefixes,
            PeekingAttention,
            both,
            training,
            learner,
        ],
        notebook=[
            "import torch\n\nfrom core.models.stored_language_models import stored_language_model\n\n"
            f"model = stored_language_model({name!r})\nids = torch.tensor({ids.tolist()})",
            "from core.models.self_attention.parallel_training import in_one_pass, one_by_one\n\n"
            "in_one_pass(model.network, ids).losses, one_by_one(model.network, ids).losses",
            f"from core.models.self_attention.fit_peeking import PeekConfig, fit_peeking\n{notebook_text()}\n"
            f"fit_peeking(print, text, {config!r})",
        ],
        plot=(
            "from core.figures.self_attention.parallel_training import triangle\n\n"
            "draw(triangle([model.vocabulary[i] for i in ids], in_one_pass(model.network, ids).losses.tolist()))"
        ),
        try_this=[
            (
                "A well-known line, character by character",
                {"model": "GPT, characters", "sentence": "To be, or not"},
            ),
            ("Without the mask: do the two ways still agree?", {"broken": True}),
            ("A common bug: y is x, not shifted. How far does the training loss fall?", {"way": NO_SHIFT}),
        ],
        sources=[
            "Ashish Vaswani et al. (2017), Attention is all you need, section 3.1: masking keeps a prediction from "
            "depending on later outputs.",
            "Ronald Williams and David Zipser (1989), A learning algorithm for continually running fully recurrent "
            "neural networks: teacher forcing.",
        ],
    )


@cached(32, 8, shared=no_typed_words)
def both_ways(name: str, ids: tuple[int, ...], broken: bool) -> tuple[Losses, Losses]:
    """Return the losses of a window in one pass and in one pass an example; `broken`: without the mask."""
    whole, window = stored_language_model(name).network, torch.tensor(ids)
    network = peeking(whole, NO_MASK).requires_grad_(False) if broken else whole
    return in_one_pass(network, window), one_by_one(network, window)


def show_examples(tokens: list[str], together: Losses, peek: bool) -> None:
    """Draw every example of the window with its loss, step through them, and add their losses up."""
    losses, T = together.losses.tolist(), len(tokens) - 1
    least = max(range(T), key=losses.__getitem__)
    frames = [
        frame(
            f"{tokens[t]} is followed by {tokens[t + 1]}",
            {"kind": "examples", "at": t},
            "Training examples, one a row: what is seen, what is to be predicted, its probability, the loss",
            "",
            formulas=[worked_example(tokens, losses[t], t, peek), worked_mean(losses, t + 1)],
        )
        for t in range(T)
    ]
    LESSON.steps(frames, shared=shared_examples(tokens, losses, peek), name="examples")
    LESSON.caption(
        f"One pass over {several(T, 'token')}, {several(T, 'prediction')}"
        f"{', each made with all of x in view' if peek else ''}: the model "
        f"expected “{plain(tokens[least + 1])}” least, after “{plain(tokens[least])}”, with p = "
        f"{chance(exp(-losses[least]))}."
    )
    t = min(1, T - 1)  # the row that the tour tells of
    LESSON.set_values(target=tokens[t + 1], p=plain_number(exp(-losses[t]), 4), loss=f"{losses[t]:.2f}")
    LESSON.set_values(tokens=T + 1, T=T, mean=f"{together.mean:.4f}", least=tokens[least + 1])


def choose_peek() -> PeekConfig:
    """Draw the mistake that lets the second model peek, and the settings that both are trained with."""
    way = LESSON.select("way", "How it peeks", WAYS, width=320)
    steps = LESSON.slider("steps", "Steps", 40, 600, 240, 20, width=260)
    with LESSON.more():
        seed = LESSON.number("seed", "Seed", 0, 9999, 1)
    return PeekConfig(way, steps=steps, seed=seed)


def compare_passes(name: str, ids: Tensor, broken: bool) -> None:
    """Show both ways side by side, and their largest difference; `broken`: without the mask."""
    T, config = len(ids) - 1, stored_language_model(name).network.config
    together, alone = both_ways(name, tuple(ids.tolist()), broken)
    st.markdown(
        "A recurrent network reads token after token. A transformer reads the window at once, and the mask makes each "
        "position behave as if its prefix were all there is. With the mask the two ways must give the same losses. Both "
        "just ran:"
    )
    LESSON.set_values(read=together.tokens_read, passes=alone.tokens_read)
    measured = {
        "Loss, one pass": f"{together.mean:.4f}",
        f"Loss, {T} {'pass' if T == 1 else 'passes'}": f"{alone.mean:.4f}",
        "Tokens read": f"{together.tokens_read} / {alone.tokens_read}",
        "Multiplications, millions": " / ".join(millions(each, config) for each in (together, alone)),
    }
    for column, (label, value) in zip(st.columns(4), measured.items(), strict=True):
        column.metric(label, value)
    st.markdown(
        "Example by example, each prefix is read from its start: "
        f"{times_by_prefixes(config, T):.1f} times the multiplications for {several(T, 'token')}; for "
        f"{config.context:,} tokens, as this model was trained with, {times_by_prefixes(config, config.context):,.0f} times."
    )
    difference = apart(together, alone)
    if not broken:
        st.markdown(
            f"The largest difference between the two ways is {plain_number(difference, 2)}"
            f"{': rounding' if difference else ', to the last bit'}."
        )
        return
    rounding = apart(*both_ways(name, tuple(ids.tolist()), False))
    gone = difference > 10 * max(rounding, 1e-6)
    LESSON.set_values(
        apart=f"One pass {'no longer gives' if gone else 'still gives'} the losses of the prefixes."
    )
    consequence("Largest difference between the two ways", rounding, difference, ".6f", more_is_better=False)
    st.markdown(
        "Without the mask one pass no longer gives the predictions that the prefixes give: its rows have seen more."
        if difference > 10 * max(rounding, 1e-6)
        else "Here nothing changes: no row of this window has a later token to see."
    )


def several(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def millions(losses: Losses, config: GPTConfig) -> str:
    """Return how many million multiplications the passes took."""
    return f"{losses.multiplications(config) / 1e6:,.1f}"
