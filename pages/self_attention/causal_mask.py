"""The causal mask: scores on their way through the softmax, stage by stage, edited cell by cell."""

from __future__ import annotations

from math import inf, nan

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.self_attention.causal_mask import (
    causal_mask_payload,
    leak_figure,
    matrix_figure,
    said_of_weights,
    stages_table,
    worked_weight,
)
from core.lesson.break_it import consequence, written
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import GPTS, TOKENS_AT_MOST, read_sentence
from core.lesson.chosen_text import text_is_new
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.self_attention.attention import (
    attend,
    average_of_the_past,
    causal_mask,
    from_masked,
    influence,
    padding_mask,
    sliding_window_mask,
)
from core.models.self_attention.fit_peeking import PeekConfig
from core.models.self_attention.parallel_training import in_one_pass
from core.models.self_attention.peeking import SPOILED, TOO_LATE, ZERO, leak, peeking, prediction_influence
from core.models.self_attention.score_matrix import (
    BOTH_SIDES,
    CAUSAL_AND_PADDING,
    FILLING,
    MASKS,
    PADDING,
    USED_BY,
    WINDOW,
    ScoreEdits,
    ScoreMatrix,
    attend_by_scores,
    edits_of,
    head_scores,
    mask_of,
    text_of,
    typed_matrix,
    weight_behind,
    weights_influence,
    with_edits,
)
from core.models.stored_language_models import stored_language_model
from core.text.reading.documents import Document
from core.text.tokenization.tokens import characters
from pages.self_attention.parts.peeking_bench import peeking_bench

LESSON = Lesson(
    __name__,
    title="The causal mask",
    question="How does a model that is given a whole text keep from seeing the future?",
    icon="🎭",
)
BY_HAND, HEAD = "by hand", "trained head"
OPENING = {"source": HEAD, "layer": 3, "head": 3}  # whose weights on the first text differ
SAY_WHAT = ("source", "by_hand", "word", "edits", "d_k", "sentence", "model", "layer", "head")
COUNT = 80  # pixels of a small count's field
BY_HAND_AT_MOST = 8  # tokens whose numbers the back row can read
WHY = {
    ZERO: "A score of 0 is not nothing: $e^0 = 1$, as much as any other score of 0. Only $e^{-\\infty}$ is 0.",
    TOO_LATE: "Weights that are cut after the softmax were divided by a $\\Sigma$ with the future in it, which so still "
    "decides how large the others are: every row with something hidden sums to less than 1.",
}


def picture() -> Figure:
    """Three characters and no scores: each row shares its weight among those it may see."""
    trace = average_of_the_past(torch.zeros(3, 1))
    weights = trace.weights.masked_fill(trace.masked == -inf, nan).double().numpy()
    return small(matrix_figure(weights, ["c", "a", "t"]))


def page() -> None:
    """A matrix of scores through mask and softmax; what a spoiled mask lets through, at once and after training."""
    torch.set_num_threads(1)  # small matrices: more threads would only wait for one another
    LESSON.open(
        r"\text{weight}_{ts} = \frac{e^{x_{ts}}}{\sum_{s'} e^{x_{ts'}}}, \qquad "
        r"x_{ts} = \frac{q_t \cdot k_s}{\sqrt{d_k}} + m_{ts}, \qquad "
        r"m_{ts} = \begin{cases} 0 & s \le t \\ -\infty & s > t \end{cases}",
        "Row $t$ asks (its query $q_t$), column $s$ answers (its key $k_s$): `scores` are their dot products. $d_k$: how "
        "many numbers a query has. $m$: the `mask`. $e^{-\\infty} = 0$, so what is masked gets no weight at all: those "
        "cells are blank.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        open_on_a_head()
        source = LESSON.choose("source", "Scores", [BY_HAND, HEAD], on_change=forget_edits)
        # A control's first choice is not in the address; and an address that says nothing opens on a head.
        LESSON.set_query("by_hand", "true" if source == BY_HAND else None)
        kind, padding, window = choose_mask()
        broken = LESSON.break_it("broken", "Break it: spoil the mask", "See what leaks from the future.")
        way = LESSON.select("way", "How", list(SPOILED), width=300) if broken else None
        chosen = (scores_of_head if source == HEAD else scores_by_hand)(notes, document, padding)
        edits = exact_edits(notes)
    notes.caption(USED_BY[kind])
    tokens = chosen.tokens
    mask = mask_of(kind, len(tokens), chosen.padding, window)
    scores = with_edits(chosen.scores, edits)
    trace = attend_by_scores(scores, chosen.d_k, mask, way)
    with stage:
        row = [f"{weight:.2f}" for weight in (*trace.weights[-1].tolist(), 0.0, 1.0, 1 / len(tokens))]
        choices = sorted({row[0], *row[-3:], max(row), min(row)})
        first, last = tokens[0], tokens[-1]
        question = f"How much weight does the last row, “{last}”, give to the first column, “{first}”?"
        about = str(hash((tokens, kind, window, way, chosen.name, chosen.place)))
        if guessed := LESSON.ask(question, choices, row[0], about):
            payload = causal_mask_payload(
                tokens, chosen.scores, edits, chosen.d_k, mask, way, chosen.network is not None
            )
            LESSON.view("causal_mask", payload, on={"edits": keep_edits})
            LESSON.caption(said_of_weights(trace, list(map(plain, tokens)), mask < 0, way))
            t, s = len(tokens) - 1, int(trace.weights[-1].masked_fill(mask[-1] < 0, -1.0).argmax())
            LESSON.set_values(
                row=tokens[t], column=tokens[s], weight=f"{trace.weights[t, s]:.2f}", d=chosen.d_k
            )
            LESSON.set_values(
                score=written(trace.scores[t, s], ".2f"), scaled=written(trace.scaled[t, s], ".2f")
            )
            LESSON.set_values(hidden=int((mask < 0).sum()), cells=mask.numel())
            behind = f"{weight_behind(trace.weights, mask < 0):.0%}"
            LESSON.set_values(least=f"{trace.weights.sum(-1).min():.2f}", behind=behind)
            st.caption(
                "Point at a cell, or move with the arrow keys. In the scores, click or type a number, then Enter. "
                "Page Down and Page Up go from stage to stage."
            )

    if way:
        st.header("Why −∞, and why before the softmax?", anchor=False)
        st.markdown(WHY[way])
        if chosen.network is None:
            leak_of_scores(chosen, scores, mask, way)
        else:
            leak_of_model(chosen, way)
        st.markdown(
            "**Trained** with the leak, a model can learn to use it. Does its loss in training fall lower than it should?"
        )
        peeking_bench(LESSON, document, PeekConfig(way))

    if guessed:
        LESSON.every_number(
            "the stages",
            lambda: (
                stages_table(trace, tokens, chosen.d_k, way),
                lambda cell, column: worked_weight(trace, chosen.d_k, *divmod(cell, len(tokens)), column),
            ),
        )
    spoiled = [SPOILED[way], weight_behind, influence, prediction_influence, weights_influence] if way else []
    LESSON.closing(
        code=[attend, from_masked, causal_mask, padding_mask, sliding_window_mask, *spoiled],
        notebook=notebook(chosen, edits, kind, window, way),
        plot=(
            "from core.figures.self_attention.causal_mask import matrix_figure\n\n"
            "draw(matrix_figure(trace.weights.double().numpy(), [model.vocabulary[i] for i in ids]))"
        ),
        try_this=[
            (
                "A score of 2 for the first character: how much weight do the others lose?",
                {"source": BY_HAND, "word": "cat", "edits": "3 1 2"},
            ),
            (
                "A real head of the character model: whom does each character look at?",
                {"source": HEAD, "model": "GPT, characters", "layer": 1, "head": 5},
            ),
            ("0 instead of −∞: how much weight do the hidden cells get?", {"broken": True, "way": ZERO}),
        ],
        sources=[
            "Ashish Vaswani et al. (2017), Attention is all you need, section 3.2.3: illegal connections are set to −∞.",
            "Jacob Devlin et al. (2019), BERT: pre-training of deep bidirectional transformers.",
            "Iz Beltagy, Matthew Peters and Arman Cohan (2020), Longformer: the long-document transformer.",
            "Albert Jiang et al. (2023), Mistral 7B: sliding-window attention.",
        ],
    )


def open_on_a_head() -> None:
    """Open a bare address on a trained head, and turn to a text that the learner gave just now."""
    bare = LESSON.get_state("source") is None and not any(map(LESSON.get_query, SAY_WHAT))
    new = text_is_new(LESSON, *SAY_WHAT)
    if bare:
        for name, value in OPENING.items():
            LESSON.set_state(name, value)
    elif new:
        forget_edits()
        LESSON.set_state("source", HEAD)
        LESSON.set_state("sentence", "")


def choose_mask() -> tuple[str, int, int]:
    """Draw the choice of a mask; return its kind, the tokens of filling, and the window."""
    kind = LESSON.select("mask", "Mask", MASKS, width=160)
    padding, window = 0, 1
    if kind in (PADDING, CAUSAL_AND_PADDING):
        padding = LESSON.number("padding", "Tokens of filling", 1, 4, 1, width=COUNT)
    if kind in (WINDOW, BOTH_SIDES):
        window = LESSON.number("window", "Window", 1, TOKENS_AT_MOST, 2, width=COUNT)
    return kind, padding, window


def scores_by_hand(notes: DeltaGenerator, _: Document, padding: int) -> ScoreMatrix:
    """Draw the fields for tokens and d_k; return scores of nought, which are edited in the picture."""
    typed = LESSON.text("word", "Characters, or a few words", "cat", max_chars=400, width=200)
    tokens = typed.split() if " " in typed.strip() else characters(typed.strip())
    if len(tokens) > BY_HAND_AT_MOST:
        notes.caption(
            f"The first {BY_HAND_AT_MOST} of {len(tokens)} are shown: more would be too small to read."
        )
    if not tokens:
        notes.info("Type a character or more. Until then you see “cat”.")
    tokens = (tokens or list("cat"))[:BY_HAND_AT_MOST]
    d_k = LESSON.number("d_k", "d_k, numbers in a query or key", 1, 1024, 4, width=200)
    return typed_matrix([*map(shown, tokens)], d_k, padding)


def scores_of_head(notes: DeltaGenerator, document: Document, padding: int) -> ScoreMatrix:
    """Draw the choice of a model, a head and a sentence; return the head's scores on it."""
    name = GPTS[LESSON.select("model", "Model", list(GPTS), on_change=forget_edits, width=165)]
    model = stored_language_model(name)
    config = model.network.config
    layer = LESSON.number("layer", "Layer", 1, config.layers, 1, on_change=forget_edits, width=COUNT)
    if LESSON.get_state("head", 1) > config.heads:
        LESSON.set_state("head", 1)  # the other model has fewer heads
    head = LESSON.number("head", "Head", 1, config.heads, 1, on_change=forget_edits, width=COUNT)
    ids = torch.tensor(
        [*read_sentence(LESSON, notes, document, name, forget_edits), *[model.start] * padding]
    )
    known = len(ids) - padding
    tokens = tuple(shown(model.vocabulary[i]) if t < known else FILLING for t, i in enumerate(ids.tolist()))
    place = (layer - 1, head - 1)
    scores = head_scores(model.network, ids, *place)
    return ScoreMatrix(tokens, scores, config.width // config.heads, padding, name, place, ids, model.network)


def forget_edits() -> None:
    """Take the edits back: other scores have come."""
    LESSON.set_state("edits", "")


def keep_edits(made: dict | None) -> None:
    """Put the edits that were made in the view into the field that the address knows."""
    if made:
        LESSON.set_state("edits", text_of({(int(t), int(s)): float(score) for t, s, score in made["cells"]}))


def exact_edits(notes: DeltaGenerator) -> ScoreEdits:
    """Draw the field that holds the edits and return those that can be read."""
    with LESSON.more():
        text = LESSON.text(
            "edits", "Edits: row, column, score; …", placeholder="2 1 3.5; 3 2 -1", max_chars=4000
        )
    edits, unread = edits_of(text)
    if unread:
        notes.warning(
            f"An edit is a row, a column and a score, as in 2 1 3.5. This was left out: {plain(unread)}"
        )
    return edits


def leak_of_scores(chosen: ScoreMatrix, scores: Tensor, mask: Tensor, way: str) -> None:
    """Show the influence of every token on every row's output under the right mask and under the spoiled one."""
    st.markdown(
        "Each token's key and value is a vector of its own, and the picture shows how much each row's output "
        "changes with each token's vector (the norm of the derivative). A framed cell is a leak: what the mask "
        "should have hidden still changes the output."
    )
    whole, broken = (weights_influence(scores, chosen.d_k, mask, each) for each in (None, way))
    both_influences(chosen.tokens, whole, broken, mask < 0)


@cached(48, 12, shared=no_typed_words)
def leaks(name: str, ids: tuple[int, ...], way: str) -> list[tuple[Tensor, float]]:
    """Return every token's influence on every prediction, and the loss, with a model's mask and with a spoiled one."""
    network, text = stored_language_model(name).network, torch.tensor(ids)
    both = network, peeking(network, way).requires_grad_(False)
    return [(prediction_influence(each, text), in_one_pass(each, text).mean) for each in both]


def leak_of_model(chosen: ScoreMatrix, way: str) -> None:
    """Show the influence of every token on every prediction when all heads of the model have the spoiled mask."""
    st.markdown(
        f"Now the same mistake in **every** head of the {chosen.network.config.layers} layers, with a causal mask. "
        "Row t is the model's prediction of the token after t; the picture shows how much ln p of that token "
        "changes with the embedding of each token (the norm of the derivative)."
    )
    ids = chosen.ids[: len(chosen.ids) - chosen.padding]
    if len(ids) < 3:
        st.info("Write a longer sentence: there is no future to leak from.")
        return
    (whole, before), (broken, after) = leaks(chosen.name, tuple(ids.tolist()), way)
    both_influences(chosen.tokens[: len(ids) - 1], whole, broken, broken.new_ones(broken.shape).triu(1) > 0)
    consequence("Mean −ln p of the next token", before, after, more_is_better=False)
    st.markdown(
        "These weights were trained under a right mask: they never learned to use what leaks. "
        + ("Here it disturbs them." if after > before else "Here it does not even disturb them.")
    )


def both_influences(tokens: tuple[str, ...], whole: Tensor, broken: Tensor, hidden: Tensor) -> None:
    """Draw both matrices of influence side by side, and the largest leak of each."""
    for column, (title, depends) in zip(
        st.columns(2), {"right": whole, "spoiled": broken}.items(), strict=True
    ):
        with column:
            st.markdown(f"**Influence, the {title} mask**")
            LESSON.figure(
                f"influence_{title}",
                leak_figure(depends, hidden, tokens),
                f"How much each output depends on each token, the {title} mask; largest leak "
                f"{leak(depends, hidden):.3g}",
            )
    consequence(
        "Largest influence from behind the mask", leak(whole, hidden), leak(broken, hidden), ".3g", False
    )


def notebook(chosen: ScoreMatrix, edits: ScoreEdits, kind: str, window: int, way: str | None) -> list[str]:
    """Return the notebook's cells that make the scores, edit them, and take them through the softmax."""
    T = len(chosen.tokens)
    cells = [f"import torch\n\nscores = torch.zeros({T}, {T})"]
    if chosen.network is not None:
        cells = [
            "import torch\n\nfrom core.models.self_attention.score_matrix import head_scores\n"
            "from core.models.stored_language_models import stored_language_model\n\n"
            f"model = stored_language_model({chosen.name!r})\nids = torch.tensor({chosen.ids.tolist()})\n"
            f"scores = head_scores(model.network, ids, layer={chosen.place[0]}, head={chosen.place[1]})"
        ]
    return [
        *cells,
        f"from core.models.self_attention.score_matrix import with_edits\n\nscores = with_edits(scores, {edits!r})",
        "from core.models.self_attention.score_matrix import attend_by_scores, mask_of\n\n"
        f"mask = mask_of({kind!r}, {T}, padding={chosen.padding}, window={window})\n"
        f"trace = attend_by_scores(scores, {chosen.d_k}, mask, {way!r})\n"
        "print(trace.masked, trace.exponentials, trace.row_sums, trace.weights, sep='\\n')",
    ]
