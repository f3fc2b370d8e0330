"""Weight tying: how large each model is, and one row of the embedding at both its jobs."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st
import torch

from core.figures.sampling import shown
from core.figures.weight_tying import (
    jobs_figure,
    row_figure,
    size_figure,
    worked_logit,
    worked_recurrent_size,
    worked_window_size,
)
from core.lesson.break_it import consequence
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.language_model_choice import LABELS
from core.lesson.recurrent_reading import Sentence, beginning, read_sentence
from core.models.feedforward_language_model import FeedForwardConfig, growth_with_window
from core.models.recurrent_language_model import RecurrentConfig
from core.models.stored import load_json
from core.models.stored_language_models import BITS, character_models
from core.models.weight_tying import bits_without_row, recurrent_parameters
from core.text.documents import Document

WINDOWS = list(range(1, 65))
MEASURED_ON = 1500


def feedforward_shape(vocabulary_size: int) -> FeedForwardConfig:
    """Return the stored feed-forward model's shape with another vocabulary."""
    return FeedForwardConfig(
        **{**load_json("char_feedforward", "network")["shape"], "vocabulary_size": vocabulary_size}
    )


def sizes(vocabulary_size: int, width: int, cell: str) -> dict[str, list[int]]:
    """Return each model's parameters at every window of WINDOWS; a recurrent model has no window, so no growth."""
    config = RecurrentConfig(vocabulary_size, cell.lower(), width)
    tied, untied = (sum(recurrent_parameters(config, each).values()) for each in (True, False))
    return {
        "feed-forward": growth_with_window(feedforward_shape(vocabulary_size), WINDOWS),
        f"{cell}, tied": [tied] * len(WINDOWS),
        f"{cell}, untied": [untied] * len(WINDOWS),
    }


def show_sizes(lesson: str, cell: str, counts: Mapping[str, list[int]]) -> None:
    """Draw the sizes against the window, and say what tying saves and what a longer window costs."""
    show_figure(
        size_figure(WINDOWS, counts),
        f"{lesson}_sizes",
        "Parameters against the window: the feed-forward model grows with it, the recurrent ones do not",
    )
    tied, untied = counts[f"{cell}, tied"][0], counts[f"{cell}, untied"][0]
    one, two, three = st.columns(3)
    one.metric(f"{cell}, tied", f"{tied:,}")
    share = f"{(untied - tied) / untied:.0%} of the untied"
    two.metric("Saved by tying", f"{untied - tied:,}", share, "off", delta_arrow="off")
    three.metric(
        "One more place in the window", f"+{counts['feed-forward'][1] - counts['feed-forward'][0]:,}"
    )
    st.caption(
        "Every place of a feed-forward model's window has weights of its own. A recurrent model uses the same "
        "weights at every step, however far back the text goes."
    )


def size_table(
    lesson: str, counts: Mapping[str, list[int]], vocabulary_size: int, width: int, gates: int
) -> None:
    """Show every count, under "Every number"."""
    shape = feedforward_shape(vocabulary_size)

    def formula(row: int, column: str) -> str | None:
        """Fill in a count."""
        if column == "window":
            return None
        if column == "feed-forward":
            args = (
                vocabulary_size,
                shape.embedding,
                shape.hidden,
                WINDOWS[row],
                counts[column][row],
                shape.layers,
            )
            return worked_window_size(*args)
        return worked_recurrent_size(vocabulary_size, width, gates, "untied" not in column)

    every_number(lesson, "parameters", pd.DataFrame({"window": WINDOWS, **counts}), formula)


def show_measured() -> None:
    """Show the stored character models with their parameters and what they were measured to reach."""
    cards = character_models()
    table = pd.DataFrame(
        {
            "model": [LABELS.get(card.model, card.model) for card in cards],
            "learnt numbers": [f"{card.quality['parameters']:,}" for card in cards],
            "bits per character": [card.quality[BITS] for card in cards],
        }
    )
    st.dataframe(table, hide_index=True, alt="The stored models, the best first")
    st.caption("Measured on the same held-out plays, the best first. An n-gram's numbers are counts.")


def choose_token(lesson: str, sentence: Sentence) -> int:
    """Draw the choice of a character of the model's vocabulary and return its id."""
    names = {shown(name): i for i, name in enumerate(sentence.chosen.names)}
    start = list(names).index("e") if "e" in names else 0
    return names[st.selectbox("Character", list(names), start, key=f"{lesson}_token", bind="query-params")]


def show_row(lesson: str, sentence: Sentence, token: int) -> None:
    """Draw a token's row as it is read and as it is written, and fill in the logit that it gives."""
    network, names = sentence.network, sentence.chosen.names
    traced = read_sentence(f"{sentence.chosen.label} whole", tuple(sentence.ids.tolist()), network, None)
    row = network.embedding.weight[token].double().numpy()
    state, bias = traced.hidden[-1].double().numpy(), network.output_bias[token].item()
    name = shown(names[token])
    p = torch.softmax(traced.logits[-1].double(), dim=0)[token].item()
    show_figure(
        row_figure(row, state, name), f"{lesson}_row", f"The row of {name}, the hidden state, their products"
    )
    st.markdown(
        "**Reading**: the row is $x_t$ when the character is read. **Writing**: the same row, times the hidden state "
        "after your sentence, is the character's logit:"
    )
    st.latex(worked_logit(row, state, bias, name))
    st.text(f"Among all characters that is a probability of {p:.3g} to come next.")


@st.cache_data(scope="session", max_entries=60, show_spinner="Measuring on your text")
def job_bits(label: str, digest: str, token: int, _sentence: Sentence, _document: Document) -> dict:
    """Return the bits per character with a row gone, over the text, where the token comes next, and right after it."""
    torch.set_num_threads(1)
    prompt = beginning(_sentence.chosen, _document, MEASURED_ON)
    if not prompt.ids:
        return {}
    ids = torch.tensor((_sentence.chosen.model.start, *prompt.ids))
    places = {
        "whole text": slice(None),
        "it comes next": ids[1:] == token,
        "it was just read": ids[:-1] == token,
    }
    bits = bits_without_row(_sentence.network, ids, token)
    return {
        where: {name: values[place].mean().item() for name, values in bits.items()}
        for where, place in places.items()
        if len(bits["whole"][place])
    }


def show_jobs(lesson: str, sentence: Sentence, document: Document, token: int) -> None:
    """Show what it costs when the row is gone from reading, from writing, or from both."""
    bits = job_bits(sentence.chosen.label, document.digest, token, sentence, document)
    if "it comes next" not in bits:
        st.info("The beginning of your text has no such character, so nothing changes. Choose another one.")
        return
    name = shown(sentence.chosen.names[token])
    st.text(
        f"The row of “{name}” set to 0, measured on the first {MEASURED_ON:,} characters of your text. One matrix, two "
        "different losses."
    )
    whole = bits["whole text"]
    consequence("Bits per character", whole["whole"], whole["gone from both"], ".3f", more_is_better=False)
    said = {
        f"“{name}” {where}" if where.startswith("it") else where: values for where, values in bits.items()
    }
    said = {where.replace(" it ", " "): values for where, values in said.items()}
    show_figure(
        jobs_figure(said), f"{lesson}_jobs", "Bits per character with the row gone from either job or both"
    )
