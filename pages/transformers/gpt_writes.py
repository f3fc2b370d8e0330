"""GPT writes: token by token beside a cache that grows, what is saved by it, and whether the model copies what it read."""

from __future__ import annotations

from functools import cache
from math import log2

import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.self_attention.heads import names_of
from core.figures.transformers.gpt_writes import (
    cache_frames,
    copying_figure,
    cost_figure,
    heads_said,
    scores_figure,
    switched_off_said,
    twice_said,
    twice_table,
    writing_said,
)
from core.figures.transformers.model_size import in_words
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import say_what_changed
from core.lesson.choices.transformer_choice import (
    GPTS,
    LABELS,
    choose_head,
    choose_read_text,
    vocabulary_named,
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.generation.sampling import Settings
from core.models.self_attention.ablation import Head
from core.models.self_attention.attentive_models import AttentiveModel, ReadText, attentive_model
from core.models.transformers.cached_writing import (
    CachedWriting,
    bits_without_past,
    largest_difference,
    write,
    writing_operations,
)
from core.models.transformers.copier import COPIER, Copier, CopierBlock, stored_copier
from core.models.transformers.copying import (
    SEQUENCES,
    Copying,
    copying,
    copying_without,
    looking_alike,
    repeated,
    twice,
    with_mark,
)
from core.models.transformers.encoder_decoder import Attention
from core.models.transformers.transformer_size import Shape

LESSON = Lesson(
    __name__,
    title="GPT writes",
    question="What must a model keep in mind to write the next token?",
    icon="feather",
)
START = "And the king said to"
PROMPT_MOST = 64  # tokens of a prompt
WORDS, RANDOM = "your prompt", "random tokens"
RANDOM_T = 24
ABOVE, READERS = "the model above", {name: LABELS[name] for name in GPTS.values()} | {COPIER: "the copier"}
CODE = (write, writing_operations, largest_difference, bits_without_past, repeated, copying, copying_without)
COPIER_CODE = (Copier, CopierBlock, Attention)
BINS = {"less than twice": 2.0, "2 to 5 times": 5.0, "5 to 10 times": 10.0, "over 10 times": float("inf")}


def picture() -> Figure:
    """Operations for each of eight written tokens, with and without the cache."""
    shape = Shape(vocabulary_size=63, context=256, layers=4, heads=6, width=192, biases=False)
    return small(cost_figure(writing_operations(shape, 6, 8), list("and she ")))


def page() -> None:
    """The text written step by step beside one head's cache; what the cache saves; what is given twice."""
    LESSON.open(
        r"K \leftarrow \begin{bmatrix} K \\ x_t W_K \end{bmatrix} \quad V \leftarrow \begin{bmatrix} V \\ x_t W_V "
        r"\end{bmatrix} \qquad \text{out}_t = \operatorname{softmax}\!\left(\frac{q_t K^T}{\sqrt d}\right) V \qquad "
        r"\text{score} = \frac{1}{T - 1} \sum_{t=T+1}^{2T-1} w_{t,\,t-T+1}",
        "$x_t$: what a layer reads of the newest token, $q_t = x_t W_Q$. Its key and its value become the last rows of $K$ "
        "and $V$; all rows above stay as they are, because no token looks ahead. **Score** of a head, on a text of "
        "$T$ tokens given twice: the mean weight from each token of the second half on the token that followed it in the "
        "first.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_attentive_gpt(notes)
        read = choose_read_text(LESSON, notes, document, model, START, PROMPT_MOST)
        broken = LESSON.break_it(
            "no_cache", "Break it: throw the cache away", "And read nothing again: each token stands alone."
        )
        with LESSON.more():
            length = LESSON.slider("length", "Tokens to write", 1, 16, 8)
            layer, head = choose_head(LESSON, model)
            settings, seed = choose_sampling(len(model.vocabulary))
    made = written(model.name, tuple(read.ids.tolist()), length, settings, seed, not broken)
    with stage:
        times = round(made.times, 1)  # as the page writes it
        answer = next(name for name, end in BINS.items() if times < end)
        many = "1 token" if len(made.tokens) == 1 else f"{len(made.tokens)} tokens"
        question = f"{many} without the cache, all read again each time: how many times the work?"
        about = f"{model.name}_{len(read.ids)}_{len(made.tokens)}"
        if guessed := LESSON.ask(question, list(BINS), answer, about):
            show_writing(model, read, made, (layer, head), broken)
    if guessed:
        if broken:
            show_forgetting(model, read)
        st.header("What the cache saves", anchor=False)
        show_costs(model, made)
    st.header("Given twice: does it copy?", anchor=False)
    copier = show_copying(model, read)
    LESSON.closing(
        code=[*CODE, *(COPIER_CODE if copier else ())],
        notebook=cells(model, read, length, settings, seed, not broken, copier),
        plot=(
            "from core.figures.transformers.gpt_writes import scores_figure\n\ndraw(scores_figure(found.scores))"
        ),
        try_this=[
            ("Throw the cache away: what does it write now?", {"no_cache": True}),
            ("Random tokens twice: does the course's GPT copy?", {"given": RANDOM}),
            (
                "Switch off the head that copies, in a model made to copy",
                {"given": RANDOM, "reader": READERS[COPIER], "head_off": True},
            ),
        ],
        sources=[
            "Reiner Pope et al. (2022), Efficiently Scaling Transformer Inference.",
            "Nelson Elhage et al. (2021), A Mathematical Framework for Transformer Circuits.",
            "Catherine Olsson et al. (2022), In-context Learning and Induction Heads.",
        ],
    )


def choose_attentive_gpt(notes) -> AttentiveModel:
    """Draw the choice of one of the course's GPTs and return it."""
    model = attentive_model(GPTS[LESSON.select("model", "Model", list(GPTS), width=165)])
    config = model.network.config
    notes.caption(f"{config.layers} layers of {config.heads} heads. {model.about}")
    return model


def choose_sampling(V: int) -> tuple[Settings, int]:
    """Draw the fields for temperature, top-k, top-p and the seed, and return what they say."""
    if LESSON.get_state("top_k", 0) > V:
        LESSON.set_state("top_k", 0)  # another model, with fewer tokens: nothing to cut
    temperature = LESSON.number("temperature", "T: 0 is greedy", 0.0, 1000.0, 0.7, step=0.05)
    k = LESSON.number("top_k", "k: 0 keeps all", 0, V, 0)
    p = LESSON.number("top_p", "p: 1 keeps all", 0.0, 1.0, 1.0, step=0.01)
    return Settings(temperature, k, p), LESSON.number("seed", "Seed", 0, 9999, 1)


@cached(24, 6, "The model writes", shared=no_typed_words)
def written(
    name: str, ids: tuple[int, ...], length: int, settings: Settings, seed: int, keep: bool
) -> CachedWriting:
    """Return what a model writes, what that takes, and the largest difference of a logit from reading all anew."""
    torch.set_num_threads(1)
    network = attentive_model(name).network
    tokens = tuple(write(network, ids, length, settings, seed, keep))
    operations = writing_operations(shape_of(name), len(ids), len(tokens))
    return CachedWriting(tokens, operations, largest_difference(network, ids, tokens))


def shape_of(name: str) -> Shape:
    """Return the shape of one of the course's GPTs, as its operations are counted from it."""
    config = attentive_model(name).network.config
    sizes = (config.vocabulary_size, config.context, config.layers, config.heads, config.width)
    return Shape(*sizes, biases=False)


def show_writing(
    model: AttentiveModel, read: ReadText, made: CachedWriting, head: tuple[int, int], broken: bool
) -> None:
    """Draw the steps, and say what was written, with what work, and that the logits are the same."""
    vocabulary, new = vocabulary_named(model.name), [each.token for each in made.tokens]
    names = [*names_of(read.tokens), *(vocabulary[token] for token in new)]
    layers = model.network.config.layers
    operations = made.operations
    if broken:  # nothing is kept, and nothing is read again: each token costs what the first row costs
        alone = writing_operations(shape_of(model.name), 1, 1)["without"]
        first = operations["without"][0]
        operations = {**operations, "with the cache": [first, *alone * (len(new) - 1)]}
    LESSON.steps(
        cache_frames(made.tokens, names, vocabulary, head, operations, layers, not broken), start=len(new)
    )
    text = "".join(f"[{name}]" for name in names[len(read.ids) :])
    rows = "1 row" if made.tokens[-1].rows == 1 else f"{made.tokens[-1].rows} rows"
    prompt = "1 token" if len(read.ids) == 1 else f"{len(read.ids)} tokens"
    LESSON.set_values(rows=rows, layers=layers, text=text, prompt=prompt)
    saved = sum(operations["without"]) - sum(operations["with the cache"])
    LESSON.caption(plain(writing_said(text, len(new), saved, made.off, broken)))


def show_forgetting(model: AttentiveModel, read: ReadText) -> None:
    """Say what the prompt costs when each of its tokens is foretold from the one before it alone."""
    if len(read.ids) < 2:
        st.info("The prompt has no token to foretell: nothing is measured.")
        return
    whole, alone = bits_without_past(model.network, read.ids)
    consequence("Bits per token of the prompt", whole, alone, ".3f", more_is_better=False)


def show_costs(model: AttentiveModel, made: CachedWriting) -> None:
    """Draw the operations before each token, and say how many times as many there are without the cache."""
    names = [shown(model.vocabulary[each.token]) for each in made.tokens]
    LESSON.figure("costs", cost_figure(made.operations, names), "Operations before each written token")
    kept, anew = (sum(counts) for counts in made.operations.values())
    st.markdown(
        f"For {len(names)} {'token' if len(names) == 1 else 'tokens'}: {in_words(kept)} operations with the cache, "
        f"{in_words(anew)} without, **{made.times:.1f} times** as many. "
        "The first costs the same either way: the prompt must be read for it."
    )
    LESSON.set_values(kept=in_words(kept), anew=in_words(anew), times=f"{made.times:.1f}")
    LESSON.every_number("operations", pd.DataFrame, {"token": names, **made.operations})


# Given twice.


def show_copying(model: AttentiveModel, read: ReadText) -> bool:
    """Give a text or random tokens twice; draw what each token costs, where heads look; return if the copier reads."""
    controls, below = LESSON.stage("twice")
    with controls:
        copier = LESSON.choose("reader", "Read by", [ABOVE, READERS[COPIER]]) != ABOVE
        reader = stored_copier() if copier else model
        given = LESSON.choose("given", "Given twice", [WORDS, RANDOM])
        off = LESSON.break_it(
            "head_off",
            "Break it: switch off the head nearest to copying",
            "The head with the highest score hands on nothing.",
        )
    random, random_without = of_random_tokens(reader.name)
    with below:
        ids = read_again(reader, read)
        if given == WORDS and len(ids) < 3:
            st.info("At least three tokens are needed: type a longer prompt, or give random tokens.")
            LESSON.set_values(copying="Nothing is measured on so short a prompt.")
        else:
            made = of_words(reader.name, ids, random.best) if given == WORDS else (random, random_without)
            names = names_of([reader.vocabulary[i] for i in ids]) if given == WORDS else None
            show_twice(READERS[reader.name], *made, names, off, random)
        alike, V = looking_alike(RANDOM_T), len(reader.vocabulary)
        judged = [heads_said(label, of_random_tokens(name)[0], alike) for name, label in READERS.items()]
        st.markdown("\n\n".join(judged))
        LESSON.set_values(heads_of=" ".join(judged).replace("**", ""))
        st.caption(
            f"To guess among all {V:,} tokens alike costs {log2(V):.2f} bits. "
            f"Scores are means over {SEQUENCES} sequences of {RANDOM_T} random tokens, each given twice. The copier: "
            f"{stored_copier().about[0].lower()}{stored_copier().about[1:]}"
        )
    return copier


def read_again(reader: AttentiveModel, read: ReadText) -> tuple[int, ...]:
    """Return the prompt's tokens without a mark; the copier reads its characters, as many as a prompt may have tokens."""
    if reader.name != COPIER:
        return tuple(read.ids.tolist()[len(reader.before) :])
    prompt = reader.encode(read.prompt.text)
    say_what_changed(prompt)
    if len(prompt.ids) > PROMPT_MOST:
        st.caption(f"The copier reads characters, here the first {PROMPT_MOST} of {len(prompt.ids):,}.")
    return prompt.ids[:PROMPT_MOST]


def show_twice(
    label: str, whole: Copying, without: Copying, names: list[str] | None, off: bool, random: Copying
) -> None:
    """Draw what each token costs the first and the second time beside the heads' scores, and say what they come to."""
    lines, heads = st.columns([3, 2], gap="medium")
    with lines:
        alt = f"Bits of each token the first and the second time, {label}"
        LESSON.figure("copying", copying_figure(without if off else whole, names), alt)
    with heads:
        LESSON.figure("scores", scores_figure(random.scores), f"Score of every head, {label}")
    said = twice_said(without if off else whole)  # of what is drawn
    LESSON.caption(said)
    LESSON.set_values(copying=said)
    if off:
        before, after = float(whole.second.mean()), float(without.second.mean())
        consequence("Bits per token, second time", before, after, ".3f", more_is_better=False)
        said = switched_off_said(whole, without)
        st.caption(said)
        LESSON.set_values(switched_off=said)
    LESSON.every_number("given twice", twice_table, whole, without)


def reader_named(name: str) -> AttentiveModel:
    """Return one of the READERS."""
    return stored_copier() if name == COPIER else attentive_model(name)


@cache
def of_random_tokens(name: str) -> tuple[Copying, Copying]:
    """Return how a model copies random tokens, whole and without its best head; everybody shares it."""
    model = reader_named(name)
    x = with_mark(model, repeated(len(model.vocabulary), RANDOM_T))
    whole = copying(model.network, x)
    return whole, copying_without(model.network, x, [whole.best])


@cached(24, 6, shared=no_typed_words)
def of_words(name: str, ids: tuple[int, ...], best: Head) -> tuple[Copying, Copying]:
    """Return how a model copies a text that it is given twice, whole and without its best head of random tokens."""
    model = reader_named(name)
    x = twice(model, ids)
    return copying(model.network, x), copying_without(model.network, x, [best])


def cells(
    model: AttentiveModel,
    read: ReadText,
    length: int,
    settings: Settings,
    seed: int,
    keep: bool,
    copier: bool,
) -> list[str]:
    """Return the notebook's cells that write the same text and measure the same copying."""
    importing = "from core.models.transformers.copier import stored_copier\n" if copier else ""
    return [
        "from core.models.generation.sampling import Settings\n"
        "from core.models.self_attention.attentive_models import attentive_model\n"
        "from core.models.transformers.cached_writing import largest_difference, write\n\n"
        f"model = attentive_model({model.name!r})\nids = {read.ids.tolist()!r}\n"
        f"written = write(model.network, ids, {length}, {settings!r}, seed={seed}, keep={keep})\n"
        "print([model.vocabulary[each.token] for each in written], largest_difference(model.network, ids, written))",
        f"{importing}from core.models.transformers.copying import copying, repeated, with_mark\n\n"
        f"reader = {'stored_copier()' if copier else 'model'}\n"
        f"found = copying(reader.network, with_mark(reader, repeated(len(reader.vocabulary), {RANDOM_T})))\n"
        "print(found.first.mean(), found.second.mean(), found.scores.max())",
    ]
