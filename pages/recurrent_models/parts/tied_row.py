"""Weight tying: one row of the embedding at both its jobs."""

from __future__ import annotations

import streamlit as st
import torch

from core.figures.generation.sampling import shown
from core.figures.recurrent_models.weight_tying import jobs_figure, row_figure, worked_logit
from core.lesson.break_it import consequence
from core.lesson.figure import show_figure
from core.models.recurrent_models.weight_tying import bits_without_row
from core.text.reading.documents import Document
from pages.recurrent_models.parts.recurrent_reading import Sentence, beginning, read_sentence

MEASURED_ON = 1500


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
