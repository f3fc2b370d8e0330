"""Weight tying and size: what a shared matrix saves, what a window costs, and one row doing two jobs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.recurrent_models.weight_tying import (
    jobs_figure,
    parts_figure,
    row_figure,
    size_figure,
    worked_logit,
    worked_position_size,
    worked_recurrent_size,
    worked_window_size,
)
from core.figures.worked import plain_number, signed
from core.lesson.break_it import consequence
from core.lesson.choices.language_model_choice import LABELS
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.text_source import is_own, text_source
from core.models.parameter_counts import counts_by_window, first_above, parameter_count, saved_by_tying
from core.models.recurrent_language_model import RecurrentConfig
from core.models.recurrent_models.weight_tying import (
    bits_with,
    bits_without_row,
    next_probability,
    recurrent_parameters,
    without_row,
)
from core.models.recurrent_models.weighted_sum import GATES
from core.models.stored import load_json
from core.models.stored_language_models import BITS, character_models
from core.text.reading.documents import Document
from pages.recurrent_models.shared.recurrent_reading import Sentence, beginning, choose_reading

LESSON = Lesson(
    __name__,
    title="Weight tying and size",
    question="How many numbers must a language model learn?",
    icon="link",
)
VOCABULARIES = {"63 characters": 63, "1,000 words": 1000, "10,000 words": 10_000, "50,000 words": 50_000}
WINDOWS = [1, 2, 4, 8, 16, 24, 32, 48, 64]  # the counts between them lie on the same straight lines
MEASURED_ON = 1500


def picture() -> Figure:
    """An LSTM's numbers by part, tied and not, at a vocabulary of 10,000 words."""
    config = RecurrentConfig(10_000, "lstm", 160)
    return small(
        parts_figure({name: recurrent_parameters(config, name == "tied") for name in ("tied", "untied")})
    )


def page() -> None:
    """What tying saves; what a longer window costs; what the stored models reach; one row at its two jobs."""
    LESSON.open(
        r"x_t = E_{k} \qquad z_k = h_t \cdot E_{k} + b_k \qquad\qquad "
        r"\underset{\text{recurrent, tied}}{V H + g\,(2 H^2 + 2 H) + V} \qquad "
        r"\underset{\text{feed-forward}}{n\, C\,(M + V) + \dots}",
        "$E$: the embedding, one row of $H$ numbers for each of $V$ tokens. $x_t$: the row of the token just read. $h_t$: "
        "the hidden state. $z_k$: the logit of token $k$, $b_k$ its bias. **Tied**: both use the same $E$. $g$: gates with "
        "their proposal (RNN 1, GRU 3, LSTM 4). $n$: the window of a feed-forward model with $C$ numbers an embedding and "
        "$M$ hidden units.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        sentence = choose_reading(LESSON, document, notes, "My lord, I will not go to Rom")
        vocabulary_size = VOCABULARIES[LESSON.select("vocabulary", "Vocabulary V", list(VOCABULARIES), 2)]
        width = LESSON.slider("width", "Hidden units H", 16, 1024, 160, step=16)

    cell, V, H = sentence.cell, vocabulary_size, width
    config = RecurrentConfig(V, cell.lower(), H)
    parts = {name: recurrent_parameters(config, name == "tied") for name in ("tied", "untied")}
    tied, untied = (sum(each.values()) for each in parts.values())
    choices = [f"{V:,} · {H} = {V * H:,}", f"{H} · {H} = {H * H:,}", f"{V:,} + {H} = {V + H:,}"]
    with stage:
        revealed = LESSON.ask(
            f"V = {V:,}, H = {H}: how many numbers does tying save?", choices, choices[0], f"{V}_{H}"
        )
        if revealed:
            alt = f"The numbers of the {cell} by part: tied {tied:,}, untied {untied:,}"
            LESSON.figure("parts", parts_figure(parts), alt)
            share = f"{(untied - tied) / untied:.0%}"
            LESSON.caption(
                f"Tied, so that its embedding is its output matrix too, the {cell} learns {tied:,} numbers instead of "
                f"{untied:,}: {share} fewer."
            )
            LESSON.set_values(
                V=f"{V:,}", H=H, VH=f"{V * H:,}", cell=cell, g=len(GATES[cell.lower()]), share=share
            )
            LESSON.set_values(tied=f"{tied:,}", untied=f"{untied:,}", inside=f"{tied - V * H - V:,}")
            one, two = st.columns(2)
            one.metric(f"{cell}, tied", f"{tied:,}")
            two.metric(
                "Saved by tying", f"{untied - tied:,}", f"{share} of the untied", "off", delta_arrow="off"
            )
    if revealed:
        counts = sizes(V, cell, tied, untied)
        st.header("What a longer window costs", anchor=False)
        show_windows(cell, counts)
        st.header("What they reach", anchor=False)
        show_measured()
        LESSON.every_number("parameters", size_table, counts, V, H, len(GATES[cell.lower()]))

    st.header("One row, two jobs", anchor=False)
    token = choose_token(sentence)
    gone = LESSON.break_it(
        "gone", "Break it: set this row to 0", "The row is taken from reading, from writing, and from both."
    )
    show_row(sentence, token, gone)
    if gone:
        show_jobs(sentence, document, token)
    LESSON.closing(
        code=[
            *(recurrent_parameters, parameter_count, counts_by_window, first_above),
            *(next_probability, without_row, bits_with, bits_without_row),
        ],
        notebook=[
            *sentence.cells,
            "from core.models.recurrent_models.weight_tying import bits_without_row, recurrent_parameters\n\n"
            "print(recurrent_parameters(network.config), recurrent_parameters(network.config, tied=False))",
            f"{{name: bits.mean() for name, bits in bits_without_row(network, ids, token={token}).items()}}",
        ],
        plot=(
            "from core.figures.recurrent_models.weight_tying import parts_figure\n\n"
            'ways = {"tied": True, "untied": False}\n'
            "draw(parts_figure({name: recurrent_parameters(network.config, tied) for name, tied in ways.items()}))"
        ),
        try_this=[
            ("50,000 words: what share of the model is the second matrix?", {"vocabulary": "50,000 words"}),
            (
                "63 characters, 320 units: is tying still worth it?",
                {"cell": "LSTM", "vocabulary": "63 characters", "width": 320},
            ),
            ("Take the row of the space away", {"gone": True, "token": "␣"}),
        ],
        sources=[
            "Yoshua Bengio, Réjean Ducharme, Pascal Vincent and Christian Jauvin (2003), A neural probabilistic language "
            "model.",
            "Ofir Press and Lior Wolf (2017), Using the output embedding to improve language models.",
            "Hakan Inan, Khashayar Khosravi and Richard Socher (2017), Tying word vectors and word classifiers.",
        ],
    )


def shape(name: str, vocabulary_size: int) -> dict:
    """Return a stored model's shape with another vocabulary."""
    return {**load_json(name, "network")["shape"], "vocabulary_size": vocabulary_size}


@cache
def growing(network: str, name: str, vocabulary_size: int) -> list[int]:
    """Return a stored model's parameters at every window of WINDOWS, had it another vocabulary."""
    return counts_by_window(network, shape(name, vocabulary_size), WINDOWS)


def sizes(vocabulary_size: int, cell: str, tied: int, untied: int) -> dict[str, list[int]]:
    """Return each model's parameters at every window of WINDOWS; a recurrent model has no window, so no growth."""
    return {
        "feed-forward": growing("feed-forward", "char_feedforward", vocabulary_size),
        "GPT": growing("gpt", "char_gpt", vocabulary_size),
        f"{cell}, tied": [tied] * len(WINDOWS),
        f"{cell}, untied": [untied] * len(WINDOWS),
    }


def show_windows(cell: str, counts: Mapping[str, list[int]]) -> None:
    """Draw the sizes against the window, and say what a longer window costs and whether the lines cross."""
    LESSON.figure(
        "sizes",
        size_figure(WINDOWS, counts),
        "Parameters against the window: the feed-forward model grows with it, the recurrent ones do not",
    )
    one_more = counts["feed-forward"][1] - counts["feed-forward"][0]
    st.metric("One more place in the feed-forward model's window", f"+{one_more:,}")
    LESSON.set_values(one_more=f"{one_more:,}", cross=where_they_cross(cell, counts).replace("**", ""))
    st.markdown(where_they_cross(cell, counts))
    st.caption(
        "The feed-forward model and the GPT have the widths of the stored ones, with this vocabulary: compare the slopes, "
        "not the heights. Every place of a feed-forward model's window has weights of its own; in a GPT a place has one "
        "row, its position's embedding. A recurrent model uses the same weights at every step, however far back the text "
        "goes."
    )


def where_they_cross(cell: str, counts: Mapping[str, list[int]]) -> str:
    """Say from which window on the feed-forward model is larger than the tied recurrent one, if from any drawn."""
    most = first_above(WINDOWS, counts["feed-forward"], counts[f"{cell}, tied"][0])
    if most is None:
        return f"With these widths the feed-forward model stays smaller than the tied {cell}, up to window {WINDOWS[-1]}."
    if most == WINDOWS[0]:
        return f"With these widths the feed-forward model is larger than the tied {cell} at every window."
    return f"From a window of **{most}** on, with these widths, the feed-forward model is larger than the tied {cell}."


def show_measured() -> None:
    """Show the stored character models with their sizes, what tying saves, and what they were measured to reach."""
    cards = character_models()
    networks = [load_json(card.model, "network") for card in cards]
    saved = [saved_by_tying(each["network"], each["shape"]) if "shape" in each else 0 for each in networks]
    table = pd.DataFrame(
        {
            "model": [LABELS.get(card.model, card.model) for card in cards],
            "learnt numbers": [card.quality["parameters"] for card in cards],
            "saved by tying": saved,
            "bits per character": [card.quality[BITS] for card in cards],
        }
    )
    grouped = st.column_config.NumberColumn(format="localized")
    config = {"learnt numbers": grouped, "saved by tying": grouped}
    st.dataframe(table, hide_index=True, alt="The stored models, the best first", column_config=config)
    st.caption("Measured on the same held-out plays, the best first. An n-gram's numbers are counts.")


def size_table(
    counts: Mapping[str, list[int]], vocabulary_size: int, width: int, gates: int
) -> tuple[pd.DataFrame, Formula]:
    """Return every count, and the formula of a cell."""
    places = shape("char_feedforward", vocabulary_size), shape("char_gpt", vocabulary_size)["width"]

    def formula(row: int, column: str) -> str | None:
        """Fill in a count."""
        if column == "window":
            return None
        if column == "feed-forward":
            return worked_window_size(places[0], WINDOWS[row], counts[column][row])
        if column == "GPT":
            return worked_position_size(places[1], WINDOWS[row], counts[column][row])
        return worked_recurrent_size(vocabulary_size, width, gates, "untied" not in column)

    return pd.DataFrame({"window": WINDOWS, **counts}), formula


def choose_token(sentence: Sentence) -> int:
    """Draw the choice of a character of the model's vocabulary and return its id."""
    names = {shown(name): i for i, name in enumerate(sentence.chosen.names)}
    start = list(names).index("e") if "e" in names else 0
    return names[LESSON.select("token", "Character", list(names), start)]


def show_row(sentence: Sentence, token: int, gone: bool) -> None:
    """Draw a token's row as it is read and as it is written, or 0 where it is gone, and the logit that it gives."""
    network, name = sentence.network, shown(sentence.chosen.names[token])
    E = network.embedding.weight
    state, p = next_probability(network, sentence.ids, token, without_row(E, token) if gone else E)
    row = E[token].detach().double().numpy()
    row = row * 0 + 0 if gone else row  # 0 times a number below 0 would be written −0
    LESSON.figure("row", row_figure(row, state, name), f"The row of {name}, the hidden state, their products")
    st.markdown(
        "**Reading**: the row is $x_t$ when the character is read. **Writing**: the same row, times the hidden state "
        "after your sentence, is the character's logit:"
    )
    st.latex(worked_logit(row, state, network.output_bias[token].item(), name))
    LESSON.set_values(character=name, p=plain_number(p))
    st.text(f"Among all characters that is a probability of {plain_number(p)} to come next.")


def measured_jobs(
    label: str, digest: str, token: int, _sentence: Sentence, _document: Document
) -> tuple[int, dict]:
    """Return the characters read, and the bits of each with a row gone: over all, where the token is next, after it."""
    torch.set_num_threads(1)
    prompt = beginning(_sentence.chosen, _document, MEASURED_ON)
    if not prompt.ids:
        return 0, {}
    ids = torch.tensor((_sentence.chosen.model.start, *prompt.ids))
    places = {
        "whole text": slice(None),
        "it comes next": ids[1:] == token,
        "it was just read": ids[:-1] == token,
    }
    bits = bits_without_row(_sentence.network, ids, token)
    return len(prompt.ids), {
        where: {name: values[place].mean().item() for name, values in bits.items()}
        for where, place in places.items()
        if len(bits["whole"][place])
    }


jobs_of_own = st.cache_data(scope="session", max_entries=60, show_spinner="Measuring on your text")(
    measured_jobs
)
jobs_of_sample = st.cache_data(max_entries=200, show_spinner="Measuring on your text")(measured_jobs)


def show_jobs(sentence: Sentence, document: Document, token: int) -> None:
    """Show what it costs when the row is gone from reading, from writing, or from both."""
    job_bits = jobs_of_own if is_own(document) else jobs_of_sample
    count, bits = job_bits(sentence.chosen.label, document.digest, token, sentence, document)
    if not bits:
        st.info(
            "The beginning of your text has no character that the model can read, so nothing is measured on it."
        )
        LESSON.set_values(**dict.fromkeys(("read", "written", "whole", "broken"), "not measured"))
        LESSON.set_values(measure="Bits per character")
        return
    if "it comes next" not in bits:
        st.info(
            "The beginning of your text has no such character. Its logit still takes part in every softmax, so to set "
            "its row to 0 changes the probability of all the others."
        )
    name, whole = shown(sentence.chosen.names[token]), bits["whole text"]
    read, written = (
        signed(whole[f"gone when {job}"] - whole["whole"], 3, "+") for job in ("read", "written")
    )
    LESSON.set_values(read=read, written=written)
    st.text(
        f"The row of “{name}” set to 0, measured on the first {count:,} {'character' if count == 1 else 'characters'} "
        f"read of your text: gone from reading {read} bits a character, gone from writing {written}."
    )
    consequence("Bits per character", whole["whole"], whole["gone from both"], ".3f", more_is_better=False)
    said = {
        f"“{name}” {where[3:]}" if where.startswith("it ") else where: each for where, each in bits.items()
    }
    alt = "Bits per character with the row gone from either job or both"
    LESSON.figure("jobs", jobs_figure(said), alt)
