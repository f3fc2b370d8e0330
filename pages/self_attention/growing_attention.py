"""From a plain average to attention in named steps, on a trained layer, down to the numbers that the layer adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from math import log2

import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.self_attention.causal_mask import matrix_figure
from core.figures.self_attention.growing_attention import step_picture, worked_pair
from core.figures.self_attention.heads import names_of
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import choose_head, choose_read_text
from core.lesson.chosen_text import TYPED
from core.lesson.footer import source_of
from core.lesson.lesson import Lesson
from core.lesson.predict_first import Question
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import mean_bits, windows
from core.models.self_attention.attention import (
    attend,
    average_of_all,
    dot_product_attention,
    multi_head,
    multi_head_attention,
    query_key_value_attention,
    scaled_dot_product_attention,
    symmetric_attention,
)
from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.attentive_models import BOTH, AttentiveModel, attentive_model
from core.models.self_attention.gpt import GPT
from core.models.self_attention.growing_attention import (
    Grown,
    GrownStep,
    asymmetry,
    grow,
    matrices,
    pair_through,
    same_both_ways,
    themselves_most,
    with_one_matrix,
)
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="From averages to attention",
    question="How does attention grow out of a plain average?",
    icon="combine",
)
TOKENS = 20
EXAMPLE = "The king saw the queen."
KING_AND_QUEEN = {"source": TYPED, "typed": EXAMPLE, "a": 2, "b": 5, "one_matrix": False}
WINDOWS = 4
WAYS = {
    "a plain average": "Every token gets the same: the mean of all. No weight depends on what stands there.",
    "dot products": "Tokens whose vectors point the same way look at each other. Attention has no matrices of its own "
    "here. But x is learned: it is what the trained model made of the tokens before this layer.",
    "one learned matrix": "A matrix W decides what “alike” means. This is the head's W_q, on a job that it was not "
    "trained for: it was trained to ask keys that have a matrix of their own. So look at what no single matrix can do, "
    "whatever was learned: a cannot score b unlike b scores a.",
    "query, key and value": "Asking and offering part: a may look at b while b does not look back. A third matrix says "
    "what is handed on. The three were trained together, but with the root of d that comes next.",
    "scaled": "Divided by the root of d the scores are smaller, and the softmax softer. This is the trained head.",
    "several heads": "The layer does this several times side by side, each time with other matrices.",
    "concatenated and projected": "The heads' contexts stand side by side, and one more matrix mixes them. These are "
    "the numbers that the layer adds to its stream.",
}
BROKEN_WAYS = {  # what the steps that the break changes are then
    "query, key and value": "Broken: keys are made with W_q too, so a scores b as b scores a, whatever was learned. The "
    "weights may still differ, for each row is divided by a sum of its own.",
    "scaled": "Divided by the root of d the scores are smaller, and the softmax softer. Still broken: keys are made with "
    "W_q.",
}
STEPS = list(WAYS)
FUNCTIONS = (
    average_of_all,
    dot_product_attention,
    symmetric_attention,
    query_key_value_attention,
    scaled_dot_product_attention,
    multi_head,
    multi_head_attention,
)
KEYS_APART = STEPS.index("query, key and value")  # from here on keys have a matrix of their own


def picture() -> Figure:
    """A trained head's weights on five words, from its queries and keys."""
    model = attentive_model(BOTH)
    read = model.read("the king saw the queen")
    weights = grow(model.network, read.ids, layer=0, head=0).steps[-1].trace.weights
    return small(matrix_figure(weights.double().numpy(), names_of(read.tokens)))


def page() -> None:
    """A trained layer, step by step from the mean of all tokens; what one matrix cannot do; one pair all the way."""
    LESSON.open(
        r"\operatorname{softmax}(0)\,x \;\to\; \operatorname{softmax}(x x^\top)\,x \;\to\; "
        r"\operatorname{softmax}(x W (x W)^\top)\,x \;\to\; \operatorname{softmax}(Q K^\top)\,V \;\to\; "
        r"\operatorname{softmax}\!\left(\tfrac{Q K^\top}{\sqrt d}\right) V \;\to\; [\text{head}_1; \dots]\,W_o",
        "$x$: what the layer reads, a row a token. $W$: one learned matrix. $Q = x W_q$, $K = x W_k$, $V = x W_v$: the "
        "queries, keys and values, each with a matrix of its own. $d$: numbers in a query. $W_o$ mixes the heads. All "
        "matrices, and $x$, are those of a trained layer. It was trained as the last steps have it; for the step with "
        "one matrix its $W_q$ stands in.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    model = attentive_model(BOTH)
    with controls:
        document = text_source()
        broken = LESSON.break_it(
            "one_matrix",
            "Break it: one matrix for queries and keys",
            "In every head of the trained model keys are then made with W_q, as queries are.",
        )
        read = choose_read_text(LESSON, notes, document, model, EXAMPLE, most=TOKENS)
        layer, head = choose_head(LESSON, model)
        if not len(read.ids):
            notes.info("There is no token to look at yet. Until you type one you see an example.")
            read = model.read(EXAMPLE, TOKENS)
        a, b = choose_pair(read.tokens, notes)
    ids = tuple(read.ids.tolist())
    found = grown(ids, layer, head, broken)
    whole = grown(ids, layer, head, False) if broken else None
    about = f"{hash(ids)}_{layer}_{head}_{a}_{b}_{broken}"
    with stage:
        steps = LESSON.ask_in_turn(len(STEPS), partial(question_of, found, a, b, about))
        LESSON.steps(
            [frame_of(found, place, head, a, b, read.tokens, whole) for place in range(steps)], len(STEPS)
        )
    if broken:
        if steps > KEYS_APART:
            now, before = (step_at(each, KEYS_APART).trace.scores for each in (found, whole))
            measure = "A score less the one back"
            consequence(measure, asymmetry(before), asymmetry(now), more_is_better=True)
            st.caption(f"Of all pairs, the largest difference, from step {KEYS_APART + 1} on.")
        bits_lost(document)
    if steps:
        st.header("One pair through all steps", anchor=False)
        one_pair(found, steps, a, b, read.tokens)
    LESSON.closing(
        code=[
            grow,
            attend,
            *FUNCTIONS,
            matrices,
            pair_through,
            entropy,
            themselves_most,
            *([with_one_matrix, asymmetry, mean_bits] if broken else []),
        ],
        notebook=notebook(read.prompt.text, layer, head, broken),
        plot=(
            "from core.figures.self_attention.causal_mask import matrix_figure\n\n"
            "tokens = [model.vocabulary[i] for i in ids]\n"
            "draw(matrix_figure(grown.steps[-1].trace.weights.double().numpy(), tokens))"
        ),
        try_this=[
            ("Dot products alone: whom does a token look at most?", KING_AND_QUEEN | {"step": 2}),
            ("Queries and keys part: who looks without being looked at?", KING_AND_QUEEN | {"step": 4}),
            (
                "One matrix for both: are the scores of king and queen now alike both ways? And the weights?",
                KING_AND_QUEEN | {"step": 4, "one_matrix": True},
            ),
            ("The last step: the very numbers of the layer", KING_AND_QUEEN | {"step": 7}),
        ],
        sources=[
            "Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.2.",
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015) for scores by dot product and by a learned "
            "matrix.",
        ],
    )


def choose_pair(tokens: Sequence[str], notes: DeltaGenerator) -> tuple[int, int]:
    """Draw the choice of two places, say in `notes` what stands there, and return them counted from 0."""
    last, names = len(tokens), names_of(tokens)
    a, b = (
        min(LESSON.number(name, name, 1, TOKENS, at, width=80), last) - 1 for name, at in (("a", 2), ("b", 5))
    )
    notes.text(f"a is {a + 1} {names[a]}, b is {b + 1} {names[b]}")
    return a, b


@lru_cache(maxsize=1)
def symmetric() -> GPT:
    """Return the masked model with one matrix for queries and keys in every head."""
    return with_one_matrix(attentive_model(BOTH).network)


@cached(32, 8, "The model reads", shared=no_typed_words)
def grown(ids: tuple[int, ...], layer: int, head: int, one_matrix: bool) -> Grown:
    """Return the steps of one head of the masked model, as it was trained or with one matrix for queries and keys."""
    torch.set_num_threads(1)
    network = symmetric() if one_matrix else attentive_model(BOTH).network
    return grow(network, torch.tensor(ids), layer, head)


def step_at(found: Grown, place: int) -> GrownStep:
    """Return the step of one head at a place; the last places, of all heads, keep this head's last step."""
    return found.steps[min(place, len(found.steps) - 1)]


def question_of(found: Grown, a: int, b: int, about: str, place: int) -> Question:
    """Return what is asked before a step: whether the scores of the pair are the same both ways."""
    return Question(
        f"“{STEPS[place]}”: is the score from a to b the same as from b to a?",
        ["yes", "no"],
        "yes" if same_both_ways(step_at(found, place).trace.scores, a, b) else "no",
        f"{about}_{place}",
    )


def frame_of(
    found: Grown, place: int, head: int, a: int, b: int, tokens: Sequence[str], whole: Grown | None
) -> dict:
    """Return one step as it is shown; `whole` are the steps before the break, if it is broken."""
    name, names = STEPS[place], names_of(tokens)
    way, notes = WAYS[name], []
    if whole:
        way, notes = BROKEN_WAYS.get(name, way), [moved_by_one_matrix(found, whole, place)]
    alt = f"The weights of the step: {name}"
    if place >= len(found.steps):
        alt = f"All heads of the layer; the one that was grown is head {head + 1}"
    if place == len(STEPS) - 1:
        alt = "The heads' contexts side by side, and the layer's output"
        difference = (found.together.output - found.gathered).abs().max().item()
        notes = [f"Largest difference from what the network itself computed here: {difference:.1g}.", *notes]
    return frame(
        name,
        step_picture(found, place, names),
        alt,
        said_of_step(found, place, a, b, tokens),
        [way, *notes],
        [pair_formula(found, place, a, b, tokens)],
        source_of(FUNCTIONS[place]),
    )


def said_of_step(found: Grown, place: int, a: int, b: int, tokens: Sequence[str]) -> str:
    """Return the sentence about one step: what a and b give each other, and how soft or selfish the rows are."""
    weights, T = step_at(found, place).trace.weights, len(tokens)
    one, other = (names_of(tokens)[t] for t in (a, b))
    pair = f"“{one}” gives “{other}” a weight of {weights[a, b]:.3f} and gets {weights[b, a]:.3f} from it"
    if place == 0:
        return (
            f"{pair}: one of {T} equal shares, for every pair."
            if T > 1
            else f"{pair}: there is one token only."
        )
    if place == 1:
        n = themselves_most(weights)
        return f"{pair}; {n} of {T} tokens {'looks most at itself' if n == 1 else 'look most at themselves'}."
    if place == STEPS.index("scaled"):
        before = float(entropy(found.steps[place - 1].trace.weights).mean())
        after = float(entropy(weights).mean())
        return f"{pair}; the mean entropy of a row goes from {before:.2f} to {after:.2f} bits, of {log2(T):.2f} at most."
    return f"{pair}."


def pair_formula(found: Grown, place: int, a: int, b: int, tokens: Sequence[str]) -> str:
    """Return one pair's numbers in a step, filled in; the steps of all heads show those of the head that was grown."""
    step = step_at(found, place)
    return worked_pair(step.name, step.trace, a, b, names_of(tokens))


def moved_by_one_matrix(found: Grown, whole: Grown, place: int) -> str:
    """Say what one matrix for both moves in a step, and where there is nothing in it to break."""
    now, before = (step_at(each, place).trace for each in (found, whole))
    moved = (now.weights - before.weights).abs().max().item()
    if place >= KEYS_APART:
        return f"The weights of this head move by up to {moved:.3f}."
    return (
        f"Step {place + 1} has no keys of its own yet, so there is nothing in it to break: from the trained model "
        f"its weights differ by at most {moved:.3f}"
        + (", by what the layers before have made of x." if moved else ".")
        + f" Go to step {KEYS_APART + 1}."
    )


def one_pair(found: Grown, steps: int, a: int, b: int, tokens: Sequence[str]) -> None:
    """Show the scores and weights of a pair both ways in the first steps, and the entropy of a's row in bits."""
    names = names_of(tokens)
    LESSON.set_values(a=names[a], b=names[b], T=len(tokens))
    for place, step in enumerate(found.steps[:steps], 1):
        there, back = (step.trace.weights[pair].item() for pair in ((a, b), (b, a)))
        LESSON.set_values(**{f"there_{place}": f"{there:.3f}", f"back_{place}": f"{back:.3f}"})
    st.caption(
        "The last two steps keep this head's weights: they put other heads beside it, and mix what all have gathered."
    )
    rows = [asdict(step) for step in pair_through(found.steps[:steps], a, b)]
    table = pd.DataFrame(rows).rename(columns=lambda name: name.replace("_", " "))
    st.dataframe(table.round(4), hide_index=True, alt="Scores and weights of one pair, step by step")
    LESSON.every_number(
        "one pair",
        lambda: (
            table,
            lambda row, column: pair_formula(found, row, a, b, tokens) if column.endswith("a to b") else None,
        ),
    )


@cached(32, 8, "The model reads your text twice", shared=no_typed_words)
def bits_with_one_matrix(digest: str, _text: str) -> tuple[float, float, int]:
    """Return the masked model's bits a hidden token on a text, whole and with one matrix, and on how many tokens."""
    torch.set_num_threads(1)
    model: AttentiveModel = attentive_model(BOTH)
    texts = windows(model, _text, WINDOWS)
    return mean_bits(model, texts), mean_bits(model, texts, symmetric()), sum(map(len, texts))


def hidden_of(n: int) -> str:
    """Return which of so many tokens are hidden, one after another."""
    return "The one token" if n == 1 else f"Each of the first {n:,} tokens"


def bits_lost(document: Document) -> None:
    """Show what the masked model loses on the learner's text when every head has one matrix for both."""
    whole, broken, n = bits_with_one_matrix(document.digest, document.text)
    st.markdown(
        f"In every head the keys are now made with $W_q$ too. {hidden_of(n)} of your text is hidden once and guessed from "
        "the others. The model was trained with two matrices: this is what it loses without one "
        "of them, not what a model trained with one could do."
    )
    consequence("Bits per hidden token", whole, broken, more_is_better=False)


def notebook(text: str, layer: int, head: int, broken: bool) -> list[str]:
    """Return the notebook's cells that grow the head on the text that was read."""
    network = "with_one_matrix(model.network)" if broken else "model.network"
    return [
        "from core.models.self_attention.attentive_models import attentive_model\n"
        "from core.models.self_attention.growing_attention import grow, with_one_matrix\n\n"
        f"model = attentive_model({BOTH!r})\nids = model.read({text!r}, most={TOKENS}).ids",
        f"grown = grow({network}, ids, layer={layer}, head={head})\n"
        "for step in grown.steps:\n    print(step.name, step.trace.weights)",
        "print((grown.together.output - grown.gathered).abs().max())",
    ]
