"""KV cache and induction heads: what the story shows of one greedy text and of a copier, and the lab for any prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import log2

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.layer_bars import join_panels
from core.figures.self_attention.heads import names_of
from core.figures.token_grid import cell
from core.figures.transformers.model_size import abbreviate_count
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import say_what_changed
from core.lesson.choices.transformer_choice import choose_head, choose_read_text, vocabulary_named
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.generation.sampling import SamplingSettings
from core.models.self_attention.ablation import Head
from core.models.self_attention.attentive_models import AttentiveModel, ReadText, attentive_model
from core.models.transformers.ablated_gpts import interval_of_mean
from core.models.transformers.cached_writing import (
    CachedWriting,
    WrittenToken,
    bits_without_past,
    largest_difference,
    write_with_cache,
    writing_operations,
)
from core.models.transformers.copier import COPIER, Copier, CopierBlock, stored_copier
from core.models.transformers.copying import (
    INDUCTION,
    SEQUENCES,
    Copying,
    copying,
    copying_without,
    head_weights,
    looking_alike,
    repeated,
    twice,
    with_mark,
)
from core.models.transformers.encoder_decoder import Attention
from core.models.transformers.transformer_size import Shape, cached_numbers
from pages.transformers.gpt_writes import LESSON
from pages.transformers.gpt_writes.figures import (
    AGAIN,
    COLUMNS,
    KEPT,
    NEW,
    NONE,
    OPEN,
    cache_frames,
    copying_figure,
    cost_figure,
    draw_bars,
    draw_grid,
    draw_steps,
    draw_twice,
    scores_figure,
    twice_table,
)
from pages.transformers.shared.attention_arrows import attention_arrows

WORDS = LESSON.words
NAME = "word_gpt"  # the story's GPT
START = "And the king said to"
WRITTEN, GREEDY = 8, SamplingSettings(temperature=0.0)
RANDOM_LETTERS = "kTqWbmRx"  # which the story gives twice
QUERY = 11  # in them, after the mark: the q of the second half
EXAMPLES = (START, RANDOM_LETTERS, "good morning")
LONGEST = 16  # characters that a learner gives twice in the story
FIVE = 5

PROMPT_MOST = 64  # tokens of a prompt
RANDOM_T = 24
READERS = (NAME, "char_gpt", COPIER)
BINS = {"less": 2.0, "two": 5.0, "five": 10.0, "ten": float("inf")}  # id -> how many times the work, at most
PHRASE = Text("phrase", EXAMPLES[2], LONGEST)
CACHED = Switch("cached")
MODEL = Choice("model", NAME, READERS[:2], {"GPT, byte pairs": NAME, "GPT, characters": "char_gpt"})
NO_CACHE = Switch("no_cache")
READER = Choice("reader", "above", ("above", COPIER), {"the model above": "above", "the copier": COPIER})
GIVEN = Choice("given", "prompt", ("prompt", "random"), {"your prompt": "prompt", "random tokens": "random"})
HEAD_OFF = Switch("head_off")
LENGTH = Slider("length", 8, 1, 16)
TYPED, TWICE = Text("typed", START, 400), Switch("twice")  # the lab's prompt; whether its fold is open
LAB = (MODEL, TYPED, NO_CACHE, LENGTH, TWICE, READER, GIVEN, HEAD_OFF)
CODE = (
    write_with_cache,
    writing_operations,
    largest_difference,
    bits_without_past,
    repeated,
    copying,
    copying_without,
)
COPIER_CODE = (Copier, CopierBlock, Attention)


# The story: what each beat shows.


@cache
def story_text(keep: bool = True) -> CachedWriting:
    """Return the story's text, written with the cache, or with nothing kept and nothing read again."""
    model = attentive_model(NAME)
    ids = model.read(START).ids.tolist()
    tokens = tuple(write_with_cache(model.network, ids, WRITTEN, GREEDY, 1, keep))
    operations = writing_operations(shape_of(NAME), len(ids), len(tokens))
    return CachedWriting(tokens, operations, largest_difference(model.network, ids, tokens))


@cache
def story_names() -> tuple[list[str], int]:
    """Return the tokens of the prompt and of the text as the pictures show them, and how many the prompt has."""
    model = attentive_model(NAME)
    read = model.read(START)
    tokens = [*read.tokens, *(model.vocabulary[each.token] for each in story_text().tokens)]
    return [name.strip("␣") or name for name in names_of(tokens)], len(read.ids)


def layer_rows(cells: Sequence[dict]) -> list[tuple[str, str, Sequence[dict]]]:
    """Return a row of the same cells for each layer."""
    layers = attentive_model(NAME).network.config.layers
    return [(WORDS.label("scores.layer", n=layer + 1), "", cells) for layer in range(layers)]


def sizes() -> dict[str, int]:
    """Return the sizes of the story's GPT that the words name."""
    config = attentive_model(NAME).network.config
    names, prompt = story_names()
    return {
        "layers": config.layers,
        "width": config.width,
        "prompt": prompt,
        "start": START,
        "written": len(names) - prompt,
        "per_token": cached_numbers(shape_of(NAME), 1),
    }


def show_prompt(settings: Settings) -> Part:
    """The keys and values that reading the prompt leaves in every layer."""
    names, prompt = story_names()
    first = story_text().tokens[0]
    p = float(softmax_of(first)[first.token])
    sum_ = WORDS.label("prompt.sum", token=names[prompt], p=p)
    data = draw_grid(
        names[:prompt], layer_rows([cell(NEW, WORDS.label("grid.pair"))] * prompt), (NEW,), sum_=sum_
    )
    values = {**sizes(), "pairs": prompt * sizes()["layers"], "first": names[prompt], "p": p}
    return Part("token_grid", data, values)


def ask_next(settings: Settings) -> Part:
    """The written token is read: which entries must be computed? The answer draws its column alone as new."""
    names, prompt = story_names()
    pair = WORDS.label("grid.pair")
    kinds = [KEPT] * prompt + [NEW] if settings.revealed else [OPEN] * (prompt + 1)
    cells = [cell(kind, pair if settings.revealed else "?") for kind in kinds]
    key = (NEW, KEPT) if settings.revealed else (OPEN,)
    data = draw_grid(names[: prompt + 1], layer_rows(cells), key, gap=prompt, hues={prompt: "vermillion"})
    values = {
        **sizes(),
        "token": names[prompt],
        "columns": prompt + 1,
        "kept": prompt * sizes()["layers"],
        "revealed": settings.revealed,
    }
    return Part("token_grid", data, values, choices=("all", "last", "one"), answer="one")


def show_steps(settings: Settings) -> Part:
    """The whole text, a row for each written token: with the cache, or with everything computed again."""
    names, prompt = story_names()
    made = story_text()
    operations = made.operations["cached" if settings.cached else "uncached"]
    data = draw_steps(names, prompt, operations, KEPT if settings.cached else AGAIN)
    readings = sum(prompt + i for i in range(len(made.tokens)))
    values = {
        **sizes(),
        "read": len(names) - 1,
        "readings": readings,
        "kept": sum(made.operations["cached"]) / 1e6,
        "again": sum(made.operations["uncached"]) / 1e6,
        "times": made.times,
        "off": made.off,
    }
    return Part("token_grid", data, values)


def show_forgotten(settings: Settings) -> Part:
    """The next token after the first written one: with the cache, and with that token alone."""
    names, prompt = story_names()
    model = attentive_model(NAME)
    panels, chances = [], []
    for key, made in (("with", story_text()), ("alone", story_text(False))):
        p = softmax_of(made.tokens[1])
        top = np.argsort(-p, kind="stable")[:FIVE]
        rows = [
            {
                "name": model.vocabulary[i].strip() or names_of([model.vocabulary[i]])[0],
                "mark": f"{key}.{place}",
                "to": float(p[i]),
                "text": f"{p[i]:.0%}",
                "hue": "blue" if key == "with" else "vermillion",
                "kind": "plain" if place else "best",
            }
            for place, i in enumerate(top.tolist())
        ]
        panels.append(draw_bars(WORDS.label(f"forgotten.{key}", first=names[0], token=names[prompt]), rows))
        chances.append(float(p[top[0]]))
    texts = [
        "".join(model.vocabulary[each.token] for each in made.tokens)
        for made in (story_text(), story_text(False))
    ]
    values = {
        "token": names[prompt],
        "start": START,
        "next": panels[0]["rows"][0]["name"],
        "p": chances[0],
        "alone": chances[1],
        "text": texts[0].strip(),
        "broken": texts[1].strip(),
    }
    sum_ = WORDS.label("forgotten.sum", **values)
    return Part("layer_bars", join_panels(*panels, sum_=sum_), values, {"no_cache": True})


def ask_twice(settings: Settings) -> Part:
    """Random letters given twice: bits of each the first time; the answer shows the second."""
    found, _, names = given_twice(RANDOM_LETTERS)
    data = draw_twice(names, found, guess_of(COPIER), hidden=not settings.revealed)
    values = {
        "first": float(found.first.mean()),
        "second": float(found.second.mean()),
        "guess": guess_of(COPIER),
        "V": len(stored_copier().vocabulary),
        "n_letters": len(names),
        "revealed": settings.revealed,
    }
    lab = {"reader": COPIER, "twice": True, "typed": RANDOM_LETTERS}
    return Part("token_grid", data, values, lab, choices=("same", "little", "more"), answer="little")


def show_head(settings: Settings) -> Part:
    """Where one head of the copier attends from a letter of the second half."""
    model = stored_copier()
    names = names_of([model.vocabulary[i] for i in model.encode(RANDOM_LETTERS).ids])
    x = twice(model, model.encode(RANDOM_LETTERS).ids)[0]
    layer, head = best_head(COPIER)
    weights = head_weights(model.network, x)[layer, head, QUERY].numpy()
    best, tokens = int(weights.argmax()), [WORDS.label("start"), *names, *names]
    before = QUERY - len(names)
    hues = {before: "ochre", QUERY: "ochre", best: "blue", best + len(names): "blue"}
    data = attention_arrows(tokens, weights, QUERY, best, hues)
    values = {
        "query": tokens[QUERY],
        "key": tokens[best],
        "weight": float(weights[best]),
        "layer": layer + 1,
        "head": head + 1,
        "place": QUERY,
        "best": best,
    }
    return Part("attention_arrows", data, values, {"reader": COPIER, "twice": True, "typed": RANDOM_LETTERS})


def show_models(settings: Settings) -> Part:
    """The highest score of any head in three models, and that of uniform attention."""
    rows, scores = [], {}
    for name in (COPIER, "char_gpt", NAME):
        scores[name] = float(of_random_tokens(name)[0].scores.max())
        layer, head = best_head(name)
        rows.append(
            {
                "name": WORDS.label(f"reader.{name}"),
                "mark": f"model.{name}",
                "to": scores[name],
                "text": f"{scores[name]:.0%}",
                "note": WORDS.label("models.head", layer=layer + 1, head=head + 1),
                "kind": "best" if scores[name] >= INDUCTION else "plain",
            }
        )
    uniform = looking_alike(RANDOM_T)
    rows.append(
        {
            "name": WORDS.label("models.uniform"),
            "mark": "uniform",
            "to": uniform,
            "text": f"{uniform:.0%}",
            "hue": "grey",
        }
    )
    found = of_random_tokens(NAME)[0]
    values = {
        "copier": scores[COPIER],
        "ours": scores[NAME],
        "uniform": uniform,
        "second": float(found.second.mean()),
        "guess": guess_of(NAME),
        "sequences": SEQUENCES,
        "T": RANDOM_T,
    }
    return Part("layer_bars", join_panels(draw_bars(WORDS.label("models.title"), rows)), values)


def show_own(settings: Settings) -> Part:
    """The learner's phrase, given twice to the copier, whole or without its induction head."""
    found = given_twice(settings.phrase)
    short = found is None
    whole, without, names = found or given_twice(EXAMPLES[2])
    drawn = without if settings.head_off else whole
    values = {
        "short": short,
        "n": len(names),
        "off": settings.head_off,
        "first": float(drawn.first.mean()),
        "second": float(drawn.second.mean()),
        "whole": float(whole.second.mean()),
        "copied": float(drawn.second.mean()) < float(drawn.first.mean()) / 2,
        "guess": guess_of(COPIER),
    }
    lab = {"reader": COPIER, "twice": True, "typed": EXAMPLES[2] if short else settings.phrase}
    return Part("token_grid", draw_twice(names, drawn, guess_of(COPIER)), values, lab)


def show_answer(settings: Settings) -> Part:
    """All that is kept before the last token is written."""
    names, _ = story_names()
    n = len(names)
    cells = [*([cell(KEPT)] * (n - 1)), cell(OPEN)]
    found = sizes()
    sum_ = WORDS.label("answer.sum", **found)
    data = draw_grid(names, layer_rows(cells), (KEPT, "unread"), gap=found["prompt"], sum_=sum_)
    values = {**found, "n": n - 1, "numbers": cached_numbers(shape_of(NAME), n - 1)}
    return Part("token_grid", data, values)


STORY = (
    look("prompt", show_prompt),
    ask("next", ask_next),
    look("grow", show_steps, cached=True),
    look("again", show_steps, CACHED, cached=False),
    look("forgotten", show_forgotten),
    ask("twice", ask_twice),
    look("head", show_head),
    look("models", show_models),
    do("own", show_own, PHRASE, HEAD_OFF, phrase=EXAMPLES[2]),
    end("answer", show_answer),
)


def softmax_of(written: WrittenToken) -> np.ndarray:
    """Return the probabilities at temperature 1 that a token was chosen from, (V,)."""
    p = np.exp(written.logits - written.logits.max())
    return p / p.sum()


def guess_of(name: str) -> float:
    """Return the bits that a blind guess among a model's tokens costs."""
    return log2(len(reader_named(name).vocabulary))


def best_head(name: str) -> Head:
    """Return the head with the highest score on random tokens."""
    return of_random_tokens(name)[0].best


def given_twice(phrase: str) -> tuple[Copying, Copying, list[str]] | None:
    """Return how the copier copies a phrase, whole and without its best head, and its characters; None if too short."""
    model = stored_copier()
    ids = model.encode(phrase[:LONGEST]).ids
    if len(ids) < 3:
        return None
    return (*of_words(COPIER, tuple(ids), best_head(COPIER)), names_of([model.vocabulary[i] for i in ids]))


# The lab: any prompt.


def lab() -> None:
    """The text written step by step with what is kept; what the cache saves; one head's numbers; what comes twice."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_gpt(notes)
        read = choose_read_text(LESSON, notes, document, model, START, PROMPT_MOST)
        broken = LESSON.draw(NO_CACHE)
        with LESSON.options():
            length = LESSON.draw(LENGTH)
            decoding, seed = choose_sampling(len(model.vocabulary))
    made = written(model.name, tuple(read.ids.tolist()), length, decoding, seed, not broken)
    with stage:
        guessed = ask_times(model, read, made)
        if guessed:
            show_writing(model, read, made, broken)
            if broken:
                show_forgetting(model, read)
    if guessed:
        if box := LESSON.fold("costs"):
            with box:
                show_costs(model, made)
        if box := LESSON.fold("head_numbers"):
            with box:
                show_numbers(model, read, made, broken)
    copier = False
    if box := LESSON.fold("twice"):
        with box:
            copier = show_copying(model, read)
    LESSON.close_lab(
        code=[*CODE, *(COPIER_CODE if copier else ())],
        parameters={
            "name": model.name,
            "ids": read.ids.tolist(),
            "length": length,
            "temperature": decoding.temperature,
            "k": decoding.top_k,
            "p": decoding.top_p,
            "seed": seed,
            "keep": not broken,
            "reader": COPIER if copier else model.name,
            "T": RANDOM_T,
        },
        prompts={
            "cache": {"no_cache": True},
            "random": {"twice": True, "given": "random"},
            "off": {"twice": True, "given": "random", "reader": COPIER, "head_off": True},
        },
    )


def choose_gpt(notes) -> AttentiveModel:
    """Draw the choice of one of the course's GPTs and return it."""
    model = attentive_model(LESSON.draw(MODEL))
    config = model.network.config
    notes.caption(WORDS.markdown("about", layers=config.layers, heads=config.heads, about=model.about))
    return model


def choose_sampling(V: int) -> tuple[SamplingSettings, int]:
    """Draw the fields for temperature, top-k, top-p and the seed, and return what they say."""
    if LESSON.get_state("top_k", 0) > V:
        LESSON.set_state("top_k", 0)  # another model, with fewer tokens: nothing to cut
    temperature = LESSON.number("temperature", WORDS.label("temperature"), 0.0, 1000.0, 0.0, step=0.05)
    k = LESSON.number("top_k", WORDS.label("top_k"), 0, V, 0)
    p = LESSON.number("top_p", WORDS.label("top_p"), 0.0, 1.0, 1.0, step=0.01)
    return SamplingSettings(temperature, k, p), LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1)


@cached(24, 6, shared=no_typed_words)
def written(
    name: str, ids: tuple[int, ...], length: int, settings: SamplingSettings, seed: int, keep: bool
) -> CachedWriting:
    """Return what a model writes, what that takes, and the largest difference of a logit from reading all again."""
    torch.set_num_threads(1)
    network = attentive_model(name).network
    tokens = tuple(write_with_cache(network, ids, length, settings, seed, keep))
    operations = writing_operations(shape_of(name), len(ids), len(tokens))
    return CachedWriting(tokens, operations, largest_difference(network, ids, tokens))


def shape_of(name: str) -> Shape:
    """Return the shape of one of the course's GPTs, as its operations are counted from it."""
    config = attentive_model(name).network.config
    sizes = (config.vocabulary_size, config.context, config.layers, config.heads, config.width)
    return Shape(*sizes, biases=False)


def ask_times(model: AttentiveModel, read: ReadText, made: CachedWriting) -> bool:
    """Ask how many times the work is without the cache; return whether the answer may be shown."""
    times = round(made.times, 1)  # as the page writes it
    labels = {name: WORDS.label(f"bin.{name}") for name in BINS}
    answer = labels[next(name for name, most in BINS.items() if times < most)]
    about = f"{model.name}_{len(read.ids)}_{len(made.tokens)}"
    return LESSON.ask(WORDS.label("question", n=len(made.tokens)), list(labels.values()), answer, about)


def all_names(model: AttentiveModel, read: ReadText, made: CachedWriting) -> list[str]:
    """Return the names of the prompt's tokens and of all that were written."""
    vocabulary = vocabulary_named(model.name)
    return [*names_of(read.tokens), *(vocabulary[each.token] for each in made.tokens)]


def spent(model: AttentiveModel, made: CachedWriting, broken: bool) -> dict[str, list[int]]:
    """Return the operations before each token; where nothing is kept and nothing read again, those of single tokens."""
    if not broken:
        return made.operations
    alone = writing_operations(shape_of(model.name), 1, 1)["uncached"]
    first = made.operations["uncached"][0]
    return {**made.operations, "cached": [first, *alone * (len(made.tokens) - 1)]}


def show_writing(model: AttentiveModel, read: ReadText, made: CachedWriting, broken: bool) -> None:
    """Draw what is kept before each token, and say what was written, with what work, and that the logits are the same."""
    names = all_names(model, read, made)
    operations = spent(model, made, broken)
    kind = NONE if broken else KEPT
    data = draw_steps(names, len(read.ids), operations["cached"], kind, COLUMNS)
    LESSON.view("token_grid", data, "kept")
    saved = sum(operations["uncached"]) - sum(operations["cached"])
    text = "".join(f"[{name}]" for name in names[len(read.ids) :])
    values = {
        "text": text,
        "n": len(made.tokens),
        "saved": abbreviate_count(saved),
        "off": made.off,
        "broken": broken,
    }
    LESSON.say("says.writing", values)


def show_forgetting(model: AttentiveModel, read: ReadText) -> None:
    """Say what the prompt costs when each of its tokens is predicted from the one before it alone."""
    if len(read.ids) < 2:
        st.info(WORDS.markdown("forgetting.none"))
        return
    whole, alone = bits_without_past(model.network, read.ids)
    LESSON.compare("no_cache", whole, alone, ".3f", more_is_better=False)


def show_costs(model: AttentiveModel, made: CachedWriting) -> None:
    """Draw the operations before each token, and say how many times as many there are without the cache."""
    names = names_of([model.vocabulary[each.token] for each in made.tokens])
    LESSON.figure("operations", cost_figure(made.operations, names), WORDS.label("costs.alt"))
    kept, again = (abbreviate_count(sum(counts)) for counts in made.operations.values())
    LESSON.say("says.costs", {"n": len(names), "kept": kept, "again": again, "times": made.times})
    columns = {WORDS.label(f"costs.{key}"): counts for key, counts in made.operations.items()}
    LESSON.every_number(
        WORDS.label("table.operations"), pd.DataFrame, {WORDS.label("table.written"): names, **columns}
    )


def show_numbers(model: AttentiveModel, read: ReadText, made: CachedWriting, broken: bool) -> None:
    """Step through the keys and values of one head, with the likeliest next tokens."""
    controls, below = LESSON.stage("head_numbers")
    with controls:
        head = choose_head(LESSON, model)
    frames = cache_frames(
        made.tokens,
        all_names(model, read, made),
        vocabulary_named(model.name),
        head,
        spent(model, made, broken),
        model.network.config.layers,
        not broken,
    )
    with below:
        LESSON.steps(frames)


# Given twice.


def show_copying(model: AttentiveModel, read: ReadText) -> bool:
    """Give a text or random tokens twice; draw what each token costs, where heads look; return if the copier reads."""
    controls, below = LESSON.stage("twice")
    with controls:
        copier = LESSON.draw(READER) == COPIER
        reader = stored_copier() if copier else model
        given = LESSON.draw(GIVEN)
        off = LESSON.draw(HEAD_OFF)
    random, random_without = of_random_tokens(reader.name)
    with below:
        ids = read_again(reader, read)
        if given == "prompt" and len(ids) < 3:
            st.info(WORDS.markdown("twice.short"))
        else:
            words = given == "prompt"
            made = of_words(reader.name, ids, random.best) if words else (random, random_without)
            names = names_of([reader.vocabulary[i] for i in ids]) if words else None
            show_twice(reader.name, *made, names, off, random)
        LESSON.table("heads", heads_table(), WORDS.label("heads.alt"))
        values = {
            "uniform": looking_alike(RANDOM_T),
            "sequences": SEQUENCES,
            "T": RANDOM_T,
            "least": INDUCTION,
        }
        st.caption(WORDS.markdown("heads.measured", **values, about=stored_copier().about))
    return copier


def heads_table() -> pd.DataFrame:
    """Return for each reader its highest score and its head, and what random tokens cost it twice."""
    rows = []
    for name in READERS:
        found, (layer, head) = of_random_tokens(name)[0], best_head(name)
        score = float(found.scores.max())
        rows.append(
            {
                "model": WORDS.label(f"reader.{name}"),
                "head": WORDS.label("models.head", layer=layer + 1, head=head + 1),
                "score": score,
                "induction": score >= INDUCTION,
                "first": float(found.first.mean()),
                "second": float(found.second.mean()),
                "guess": guess_of(name),
            }
        )
    return pd.DataFrame(rows).rename(columns={name: WORDS.label(f"heads.{name}") for name in rows[0]})


def read_again(reader: AttentiveModel, read: ReadText) -> tuple[int, ...]:
    """Return the prompt's tokens without a mark; the copier reads its characters, as many as a prompt may have tokens."""
    if reader.name != COPIER:
        return tuple(read.ids.tolist()[len(reader.before) :])
    prompt = reader.encode(read.prompt.text)
    say_what_changed(prompt)
    if len(prompt.ids) > PROMPT_MOST:
        st.caption(WORDS.markdown("copier.cut", most=PROMPT_MOST, n=len(prompt.ids)))
    return prompt.ids[:PROMPT_MOST]


def show_twice(
    name: str, whole: Copying, without: Copying, names: list[str] | None, off: bool, random: Copying
) -> None:
    """Draw what each token costs the first and the second time next to the heads' scores, and say both means."""
    drawn, label = without if off else whole, WORDS.label(f"reader.{name}")
    lines, heads = st.columns([3, 2], gap="medium")
    with lines:
        figure = copying_figure(drawn, names, guess_of(name))
        LESSON.figure("copying", figure, WORDS.label("copying.alt", model=label))
    with heads:
        LESSON.figure("scores", scores_figure(random.scores), WORDS.label("scores.alt", model=label))
    LESSON.say("says.twice", {**twice_values(drawn), "guess": guess_of(name), "model": label})
    if off:
        before, after = float(whole.second.mean()), float(without.second.mean())
        LESSON.compare("head_off", before, after, ".3f", more_is_better=False)
        changes = [changed(whole.first, without.first), changed(whole.second, without.second)]
        st.caption(WORDS.markdown("says.off", first=changes[0], second=changes[1], n=len(whole.first)))
    LESSON.every_number(WORDS.label("table.twice"), twice_table, whole, without)


def twice_values(found: Copying) -> dict[str, object]:
    """Return what a token costs the first and the second time, and which is less, where there are several sequences."""
    saved = (found.first - found.second).mean(1)  # by sequence
    values = {
        "first": float(found.first.mean()),
        "second": float(found.second.mean()),
        "n": len(saved),
        "tokens": found.first.shape[1] + 1,
        "low": 0.0,
        "high": 0.0,
        "verdict": "single",
    }
    if len(saved) == 1:
        return values
    between = interval_of_mean(saved)
    verdict = "close" if between.low <= 0 <= between.high else "less" if between.low > 0 else "more"
    low, high = sorted((abs(between.low), abs(between.high)))
    return {**values, "low": low, "high": high, "verdict": verdict}


def changed(before: np.ndarray, after: np.ndarray) -> tuple[float, float, float]:
    """Return by how many bits a token costs more, and the ends of its 95% interval over sequences, 0 for one of them."""
    more = (after - before).mean(1)
    if len(more) == 1:
        return float(more[0]), 0.0, 0.0
    between = interval_of_mean(more)
    return between.mean, between.low, between.high


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
