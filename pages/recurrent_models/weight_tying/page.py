"""Weight tying: what the story shows of one character LSTM and of large models, and the lab on sizes and on one row."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import LABELS
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.parameter_counts import counts_by_window, first_above, parameter_count, saved_by_tying
from core.models.recurrent_language_model import RecurrentConfig
from core.models.recurrent_models.weight_tying import (
    bits_with,
    bits_without_row,
    grouped,
    next_probability,
    recurrent_parameters,
    without_row,
)
from core.models.recurrent_models.weighted_sum import GATES
from core.models.stored import load_json
from core.models.stored_language_models import (
    BITS,
    character_models,
    encode,
    stored_language_model,
)
from core.models.transformers.published_shapes import published_shapes
from core.models.transformers.transformer_size import parameters
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.words.numbers import plain_number
from pages.recurrent_models.shared.recurrent_reading import Sentence, beginning, choose_reading
from pages.recurrent_models.weight_tying import LESSON
from pages.recurrent_models.weight_tying.figures import (
    change,
    draw_bars,
    draw_formula,
    draw_logit,
    draw_tables,
    jobs_figure,
    parts_figure,
    row_figure,
    size_figure,
    worked_logit,
    worked_position_size,
    worked_recurrent_size,
    worked_window_size,
)

WORDS = LESSON.words
EXAMPLES = ("My lord, I will not go to Rom",)
MODEL, NEXT, PLAY = "char_lstm", "e", "hamlet"
READ_OF_PLAY = 4000  # characters of its last tenth, which no stored model was trained on
SIZES = (63, 1000, 5000, 10_000, 50_257, 128_256)  # vocabularies that the story's learner drags through
STORY_V, STORY_H = 10_000, 160
MUCH = 0.4  # saved by tying: what the learner looks for
LARGEST = ("tables", "cell", "biases")
HARMED = ("predicting", "following", "both")
PUBLISHED = ("GPT-2 small", "GPT-2 XL", "Llama 3.1 8B", "GPT-3")
WINDOWS = [1, 2, 4, 8, 16, 24, 32, 48, 64]  # the counts between them lie on the same straight lines
NETWORKS = {"feed_forward": ("feed-forward", "char_feedforward"), "gpt": ("gpt", "char_gpt")}
MEASURED_ON = 1500
JOBS = ("whole", "read", "written", "both")  # what a row is gone from, in the order of bits_without_row

SIZE = Choice("size", str(SIZES[0]), tuple(map(str, SIZES)))
WAS = {"63 characters": "63", "1,000 words": "1000", "10,000 words": "10000", "50,000 words": "50000"}
VOCABULARY = Choice("vocabulary", "10000", tuple(WAS.values()), WAS)
WIDTH = Slider("width", STORY_H, 16, 1024, 16)
GONE = Switch("gone")
LAB = (VOCABULARY, WIDTH, GONE)


# The story: what each beat shows.


@cache
def reading() -> dict[str, object]:
    """Return what the stored LSTM makes of the story's line: h, the row of the next character, its logit, all p."""
    torch.set_num_threads(1)
    model = stored_language_model(MODEL)
    ids = torch.tensor((model.start, *encode(MODEL, EXAMPLES[0]).ids))
    E, token = model.network.embedding.weight, model.vocabulary.index(NEXT)
    state, p = next_probability(model.network, ids, token, E)
    row, bias = E[token].detach().double().numpy(), float(model.network.output_bias[token].item())
    with torch.inference_mode():
        logits = E.double().numpy() @ state + model.network.output_bias.double().numpy()
    powers = np.exp(logits - logits.max())
    return {
        "state": state,
        "row": row,
        "all": powers / powers.sum(),
        "vocabulary": model.vocabulary,
        "V": len(model.vocabulary),
        "H": len(row),
        "VH": len(model.vocabulary) * len(row),
        "last": EXAMPLES[0][-1],
        "next": NEXT,
        "line": EXAMPLES[0],
        "sum": float(row @ state),
        "bias": bias,
        "logit": float(row @ state) + bias,
        "p": p,
    }


def show_tables(settings: Settings) -> Part:
    """The machine with two tables, each with a row for every character."""
    found = reading()
    return Part("machine", draw_tables(False, found["vocabulary"], found["all"], found), found)


def show_tied(settings: Settings) -> Part:
    """The same machine with one table that does both jobs."""
    found = reading()
    return Part("machine", draw_tables(True, found["vocabulary"], found["all"], found), found)


def show_logit(settings: Settings) -> Part:
    """One row at its second job: its product with the state is the logit."""
    found = reading()
    return Part("machine", draw_logit(found["row"], found["state"], found), found)


def sizes_of(V: int, H: int = STORY_H) -> dict[str, int]:
    """Return how many parameters the story's LSTM has, part by part, without and with tying."""
    parts = recurrent_parameters(RecurrentConfig(V, "lstm", H), tied=False)
    untied = sum(parts.values())
    cell = untied - parts["embedding"] - parts["output matrix"] - parts["output bias"]
    tied = untied - parts["output matrix"]
    return {
        "V": V,
        "H": H,
        "embedding": parts["embedding"],
        "output": parts["output matrix"],
        "cell": cell,
        "biases": parts["output bias"],
        "untied": untied,
        "tied": tied,
        "share": (untied - tied) / untied,
    }


def ask_parts(settings: Settings) -> Part:
    """The parts of an LSTM on 10,000 words without their bars; the answer draws them."""
    sizes = sizes_of(STORY_V)
    rows = [
        (part, sizes[part] if settings.revealed else 0, f"{sizes[part]:,}" if settings.revealed else "?")
        for part in ("embedding", "output", "cell", "biases")
    ]
    values = {**sizes, "tables": 2 * sizes["embedding"] / sizes["untied"], "revealed": settings.revealed}
    title = WORDS.label("title.untied", **values)
    picture = draw_bars((title, 1.35 * sizes["embedding"], rows))
    return Part("layer_bars", picture, values, choices=LARGEST, answer="tables")


def show_saved(settings: Settings) -> Part:
    """The same parts, tied: the output matrix has no parameters of its own."""
    sizes = sizes_of(STORY_V)
    texts = {part: f"{sizes[part]:,}" for part in ("embedding", "cell", "biases")}
    texts["output"] = WORDS.label("shared")
    rows = [
        (part, sizes[part] if part != "output" else 0, texts[part])
        for part in ("embedding", "output", "cell", "biases")
    ]
    notes = {part: WORDS.label(f"count.{part}", **sizes) for part in ("embedding", "cell", "biases")}
    title = WORDS.label("title.tied", **sizes)
    picture = draw_bars((title, 1.35 * sizes["embedding"], rows), notes=notes)
    return Part("layer_bars", picture, sizes)


def show_vocabulary(settings: Settings) -> Part:
    """What share of the untied model tying saves, at the vocabulary that the learner drags to."""
    sizes = sizes_of(int(settings.size))
    first = next(V for V in SIZES if sizes_of(V)["share"] > MUCH)
    rest = sizes["cell"] + sizes["biases"]
    counts = {"embedding": sizes["embedding"], "saved": sizes["output"], "cell": rest}
    rows = [
        (part, count / sizes["untied"], f"{count / sizes['untied']:.0%}") for part, count in counts.items()
    ]
    values = {**sizes, "found": sizes["V"] == first, "early": sizes["V"] < first, "much": MUCH}
    return Part("layer_bars", draw_bars((WORDS.label("title.size", **values), 1.15, rows)), values)


@cache
def row_gone() -> dict[str, object]:
    """Return bits where the character comes next and where it was just read, with its row gone from either job."""
    torch.set_num_threads(1)
    model, text = stored_language_model(MODEL), sample(PLAY).read().text[-READ_OF_PLAY:]
    ids, token = torch.tensor((model.start, *encode(MODEL, text).ids)), model.vocabulary.index(NEXT)
    places = {"predicting": ids[1:] == token, "following": ids[:-1] == token}
    bits = bits_without_row(model.network, ids, token)
    found = {
        where: {job: float(each[place].mean()) for job, each in zip(JOBS, bits.values(), strict=True)}
        for where, place in places.items()
    }
    return {**found, "times": int(places["predicting"].sum()), "read": len(ids) - 1, "character": NEXT}


def ask_gone(settings: Settings) -> Part:
    """Bits with the row in place; the answer adds those with the row gone from reading, and from writing."""
    found = row_gone()
    jobs = ("whole", "read", "written") if settings.revealed else ("whole", "read")
    panels = []
    for where in ("predicting", "following"):
        known = {job: found[where][job] if settings.revealed or job == "whole" else 0 for job in jobs}
        rows = [(f"job.{job}", bits, f"{bits:.2f}" if bits else "?") for job, bits in known.items()]
        panels.append((WORDS.label(f"title.{where}", **found), 15, rows))
    hues = {"job.whole": "grey", "job.read": "blue", "job.written": "vermillion"}
    values = {**found, "revealed": settings.revealed}
    picture = draw_bars(*panels, hues=hues)
    return Part("layer_bars", picture, values, {"gone": True}, choices=HARMED, answer="following")


def a_place(network: str) -> int:
    """Return by how many parameters a stored model grows with one more character of context."""
    kind, name = NETWORKS[network]
    one, two = counts_by_window(kind, load_json(name, "network")["shape"], [1, 2])
    return two - one


def show_window(settings: Settings) -> Part:
    """What one more character of context costs each kind of model."""
    costs = {**{network: a_place(network) for network in NETWORKS}, "lstm": 0}
    shapes = {network: load_json(name, "network")["shape"] for network, (_, name) in NETWORKS.items()}
    rows = [(network, cost, f"+{cost:,}" if cost else "0") for network, cost in costs.items()]
    values = {**costs, "shape": shapes["feed_forward"], "width": shapes["gpt"]["width"]}
    notes = {network: WORDS.label(f"note.{network}", **values) for network in costs}
    hues = {"feed_forward": "pink", "gpt": "blue", "lstm": "green"}
    title = WORDS.label("title.window")
    picture = draw_bars((title, 1.3 * costs["feed_forward"], rows), notes=notes, hues=hues)
    return Part("layer_bars", picture, values)


def show_models(settings: Settings) -> Part:
    """Which share of an untied model the second matrix is, or would be, in published models."""
    models = {each.name: each.shape for each in published_shapes()}
    shares, notes, hues = {}, {}, {}
    for i, name in enumerate(PUBLISHED):
        shape = models[name]
        second = shape.vocabulary_size * shape.width
        shares[f"model.{i}"] = second / (parameters(shape) + (second if shape.tied else 0))
        notes[f"model.{i}"] = WORDS.label("note.tied" if shape.tied else "note.untied")
        hues[f"model.{i}"] = "blue" if shape.tied else "vermillion"
    rows = [(key, share, f"{share:.1%}") for key, share in shares.items()]
    values = {"small": shares["model.0"], "llama": shares["model.2"], "largest": shares["model.3"]}
    picture = draw_bars((WORDS.label("title.models"), 0.3, rows), notes=notes, hues=hues)
    return Part("layer_bars", picture, values)


def show_answer(settings: Settings) -> Part:
    """What a tied LSTM has: its words, its cell, and no second matrix."""
    sizes = sizes_of(STORY_V)
    return Part("machine", draw_formula(sizes), sizes)


STORY = (
    look("tables", show_tables),
    look("one", show_tied),
    look("logit", show_logit),
    ask("parts", ask_parts),
    look("saving", show_saved),
    do("vocabularies", show_vocabulary, SIZE),
    ask("erased", ask_gone),
    look("window", show_window),
    look("models", show_models),
    end("answer", show_answer),
)


# The lab: sizes with and without tying, windows, the stored models, and one row at its two jobs.


def lab() -> None:
    """What tying saves; what a longer window costs; what the stored models reach; one row at its two jobs."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        sentence = choose_reading(LESSON, document, notes, EXAMPLES[0])
        V, H = int(LESSON.draw(VOCABULARY)), LESSON.draw(WIDTH)
        LESSON.options()
    cell = sentence.cell
    config = RecurrentConfig(V, cell.lower(), H)
    parts = {key: recurrent_parameters(config, key == "yes") for key in ("yes", "no")}
    tied, untied = (sum(each.values()) for each in parts.values())
    with stage:
        choices = [f"{V:,} · {H} = {V * H:,}", f"{H} · {H} = {H * H:,}", f"{V:,} + {H} = {V + H:,}"]
        question = WORDS.label("guess", V=V, H=H)
        if revealed := LESSON.ask(question, choices, choices[0], f"{V}_{H}"):
            show_parts(cell, parts)
    if revealed:
        counts = sizes(V, cell, tied, untied)
        if box := LESSON.fold("windows"):
            with box:
                show_windows(cell, counts)
        if box := LESSON.fold("reached"):
            with box:
                show_measured()
        table = WORDS.label("table.parameters")
        LESSON.every_number(table, size_table, counts, V, H, len(GATES[cell.lower()]))
    token = first_token(sentence)
    if box := LESSON.fold("row"):
        with box:
            token = choose_token(sentence)
            gone = LESSON.draw(GONE)
            show_row(sentence, token, gone)
            if gone:
                show_jobs(sentence, document, token)
    LESSON.close_lab(
        code=[
            *(recurrent_parameters, parameter_count, counts_by_window, first_above),
            *(next_probability, without_row, bits_with, bits_without_row),
        ],
        parameters={
            "name": f"char_{cell.lower()}",
            "text": sentence.prompt.text,
            "token": token,
        },
        prompts={
            "many": {"vocabulary": "50000"},
            "few": {"cell": "LSTM", "vocabulary": "63", "width": 320},
            "space": {"row": True, "gone": True, "token": "␣"},
        },
    )


def show_parts(cell: str, parts: Mapping[str, Mapping[str, int]]) -> None:
    """Draw the parts of the model tied and untied, and say what tying saves."""
    tied, untied = (sum(parts[key].values()) for key in ("yes", "no"))
    values = {"cell": cell, "tied": tied, "untied": untied, "share": (untied - tied) / untied}
    drawn = {WORDS.label(f"tied.{key}"): grouped(each) for key, each in parts.items()}
    LESSON.figure("parts", parts_figure(drawn), WORDS.label("parts.bars.alt", **values))
    LESSON.say("says.parts", values)
    one, two = st.columns(2)
    one.metric(WORDS.label("metric.tied", **values), f"{tied:,}")
    of = WORDS.label("metric.of", **values)
    two.metric(WORDS.label("metric.saved"), f"{untied - tied:,}", of, "off", delta_arrow="off")


def shape(name: str, vocabulary_size: int) -> dict:
    """Return a stored model's shape with another vocabulary."""
    return {**load_json(name, "network")["shape"], "vocabulary_size": vocabulary_size}


@cache
def growing(network: str, vocabulary_size: int) -> list[int]:
    """Return a stored model's parameters at every window of WINDOWS, had it another vocabulary."""
    kind, name = NETWORKS[network]
    return counts_by_window(kind, shape(name, vocabulary_size), WINDOWS)


def sizes(vocabulary_size: int, cell: str, tied: int, untied: int) -> dict[str, list[int]]:
    """Return each model's parameters at every window of WINDOWS; a recurrent model has no window, so no growth."""
    names = {network: WORDS.label(f"row.{network}") for network in NETWORKS}
    return {
        **{name: growing(network, vocabulary_size) for network, name in names.items()},
        WORDS.label("recurrent.tied", cell=cell): [tied] * len(WINDOWS),
        WORDS.label("recurrent.untied", cell=cell): [untied] * len(WINDOWS),
    }


def show_windows(cell: str, counts: Mapping[str, list[int]]) -> None:
    """Draw the sizes against the window, and say what a longer window costs and whether the lines cross."""
    LESSON.figure("sizes", size_figure(WINDOWS, counts), WORDS.label("sizes.alt"))
    feed_forward, tied = (
        counts[WORDS.label("row.feed_forward")],
        counts[WORDS.label("recurrent.tied", cell=cell)],
    )
    st.metric(WORDS.label("metric.place"), f"+{feed_forward[1] - feed_forward[0]:,}")
    first = first_above(WINDOWS, feed_forward, tied[0])
    values = {"cell": cell, "first": first, "least": WINDOWS[0], "most": WINDOWS[-1]}
    st.markdown(WORDS.markdown("cross", **values))
    st.caption(WORDS.label("slopes"))


def show_measured() -> None:
    """Show the stored character models with their sizes, what tying saves, and what they were measured to reach."""
    cards = character_models()
    networks = [load_json(card.model, "network") for card in cards]
    saved = [saved_by_tying(each["network"], each["shape"]) if "shape" in each else 0 for each in networks]
    columns = {
        "model": [LABELS.get(card.model, card.model) for card in cards],
        "parameters": [card.quality["parameters"] for card in cards],
        "saved": saved,
        "bits": [card.quality[BITS] for card in cards],
    }
    table = pd.DataFrame({WORDS.label(f"column.{name}"): column for name, column in columns.items()})
    many = st.column_config.NumberColumn(format="localized")
    config = {WORDS.label(f"column.{name}"): many for name in ("parameters", "saved")}
    st.dataframe(table, hide_index=True, alt=WORDS.label("measured.alt"), column_config=config)
    st.caption(WORDS.label("measured"))


def size_table(
    counts: Mapping[str, list[int]], vocabulary_size: int, width: int, gates: int
) -> tuple[pd.DataFrame, Formula]:
    """Return every count, and the formula of a cell."""
    places = shape("char_feedforward", vocabulary_size), shape("char_gpt", vocabulary_size)["width"]
    window, untied = WORDS.label("column.window"), list(counts)[-1]

    def formula(row: int, column: str) -> str | None:
        """Fill in a count."""
        if column == window:
            return None
        if column == WORDS.label("row.feed_forward"):
            return worked_window_size(places[0], WINDOWS[row], counts[column][row])
        if column == WORDS.label("row.gpt"):
            return worked_position_size(places[1], WINDOWS[row], counts[column][row])
        return worked_recurrent_size(vocabulary_size, width, gates, column != untied)

    return pd.DataFrame({window: WINDOWS, **counts}), formula


def first_token(sentence: Sentence) -> int:
    """Return the id of the story's character, of the first one where the model does not know it."""
    names = list(sentence.chosen.names)
    return names.index(NEXT) if NEXT in names else 0


def choose_token(sentence: Sentence) -> int:
    """Draw the choice of a character of the model's vocabulary and return its id."""
    names = [label_token(name) for name in sentence.chosen.names]
    return names.index(LESSON.select("token", WORDS.label("token"), names, first_token(sentence)))


def show_row(sentence: Sentence, token: int, gone: bool) -> None:
    """Draw a token's row as it is read and as it is written, or 0 where it is gone, and the logit that it gives."""
    network, name = sentence.network, label_token(sentence.chosen.names[token])
    E = network.embedding.weight
    state, p = next_probability(network, sentence.ids, token, without_row(E, token) if gone else E)
    row = E[token].detach().double().numpy()
    row = row * 0 + 0 if gone else row  # 0 times a number below 0 would be written −0
    LESSON.figure("row_heat", row_figure(row, state, name), WORDS.label("heat.alt", name=name))
    st.markdown(WORDS.markdown("two_jobs"))
    st.latex(worked_logit(row, state, network.output_bias[token].item(), name))
    st.text(WORDS.label("says.next", p=plain_number(p)))


@cached(60, 12, shared=no_typed_words)
def measured_jobs(
    label: str, digest: str, token: int, _sentence: Sentence, _document: Document
) -> tuple[int, dict]:
    """Return the characters read, and the bits of each with a row gone: over all, where the token is next, after it."""
    torch.set_num_threads(1)
    prompt = beginning(_sentence.chosen, _document, MEASURED_ON)
    if not prompt.ids:
        return 0, {}
    ids = torch.tensor((_sentence.chosen.model.start, *prompt.ids))
    places = {"all": slice(None), "predicting": ids[1:] == token, "following": ids[:-1] == token}
    bits = bits_without_row(_sentence.network, ids, token)
    return len(prompt.ids), {
        where: {job: values[place].mean().item() for job, values in zip(JOBS, bits.values(), strict=True)}
        for where, place in places.items()
        if len(bits["whole"][place])
    }


def show_jobs(sentence: Sentence, document: Document, token: int) -> None:
    """Show what it costs when the row is gone from reading, from writing, or from both."""
    count, bits = measured_jobs(sentence.chosen.label, document.digest, token, sentence, document)
    if not bits:
        st.info(WORDS.label("nothing_read"))
        return
    if "predicting" not in bits:
        st.info(WORDS.label("absent"))
    name, whole = label_token(sentence.chosen.names[token]), bits["all"]
    costs = {job: change(whole[job] - whole["whole"]) for job in ("read", "written")}
    st.text(WORDS.label("says.gone", name=name, n=count, **costs))
    LESSON.compare("gone", whole["whole"], whole["both"], ".3f", more_is_better=False)
    said = {WORDS.label(f"where.{where}", name=name): each for where, each in bits.items()}
    LESSON.figure("jobs", jobs_figure(said), WORDS.label("jobs.alt"))
