"""A sentence of the learner's own, longer by one piece at a time, until the model without attention loses it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.figures.worked import signed
from core.models.translation.translation_race import Run, run
from core.text.grammar.grammar import LONGEST
from core.text.grammar.pairs import MOST_WORDS
from core.text.tokenization.word_differences import first_difference
from pages.translation.parts.growing_measure import measured_translator
from pages.translation.parts.marked_translation import show_marked
from pages.translation.parts.translator_choice import FRENCH, TASKS, name_unknown

PIECES = """the woman buys a red hat
for her clever sister
and the old doctor is sending a letter
to the kind teacher
because he is ill"""
PIECES_AT_MOST = 8


def beginnings(text: str) -> list[list[str]]:
    """Return the words of the first line, of the first two, and so on, each as a sentence of at most 60 words.

    >>> beginnings("the cat sleeps\\n\\nand I run")
    [['the', 'cat', 'sleeps', '.'], ['the', 'cat', 'sleeps', 'and', 'I', 'run', '.']]
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()][:PIECES_AT_MOST]
    return [TASKS[FRENCH].read(" ".join(lines[: i + 1]))[:MOST_WORDS] for i in range(len(lines))]


def growing_sentence(lesson: str, score: str) -> None:
    """Draw the field for the pieces; translate every beginning with both models and show where they part."""
    sentences = _typed_beginnings(f"{lesson}_pieces")
    pairs = [
        tuple(run(measured_translator(own, False), words) for own in (score, "none")) for words in sentences
    ]
    table = pd.DataFrame([_row(words, *pair) for words, pair in zip(sentences, pairs, strict=True)])
    alt = "Each beginning, with both translations"
    st.dataframe(table, hide_index=True, key=f"{lesson}_growing", alt=alt)
    _show_parting(sentences, pairs)
    if len(sentences[-1]) > LONGEST:
        st.caption(
            f"No sentence in training was longer than {LONGEST} words; here both models are on new ground."
        )


def _typed_beginnings(key: str) -> list[list[str]]:
    """Draw the field for the pieces and return the beginnings they make; ours while there are none."""
    text = st.text_area(
        "Your sentence, one piece a line", PIECES, key=key, bind="query-params", max_chars=1500, height=140
    )
    sentences = beginnings(text)
    if not sentences:
        st.info("Write a piece. Until then you see ours.")
        sentences = beginnings(PIECES)
    if len(sentences[-1]) == MOST_WORDS or len(text.split("\n")) > PIECES_AT_MOST:
        st.caption(f"At most {MOST_WORDS} words in {PIECES_AT_MOST} pieces are read.")
    name_unknown(key, TASKS[FRENCH], sentences[-1])
    return sentences


def _show_parting(sentences: list[list[str]], pairs: list[tuple[Run, Run]]) -> None:
    """Say with which piece the translations part, and write them beside each other with the difference marked."""
    parted = [i for i, (attends, without) in enumerate(pairs) if attends.words != without.words]
    shown = parted[0] if parted else len(pairs) - 1
    st.text(
        f"The two part first with {shown + 1} of {len(pairs)} pieces, {len(sentences[shown])} words:"
        if parted
        else "The two agree on all of it. Add a piece."
    )
    reference = TASKS[FRENCH].reference(sentences[shown])
    wanted = reference.target if reference else pairs[shown][0].words
    names = ("with attention", "without attention")
    for column, name, made in zip(st.columns(2), names, pairs[shown], strict=True):
        with column:
            st.markdown(f"**{name}**")
            log_p = f"ln p = {signed(made.translation.log_probability)}"
            show_marked(made.words, wanted, log_p, same="✓ word for word" if reference else "")
    st.caption(
        "The grammar says this sentence too, so its right translation is known: marked is what differs from it."
        if reference
        else "The grammar does not say this sentence, so its right translation is not known: marked is what differs "
        "from the model with attention, which is not always right either."
    )


def _row(words: list[str], attends: Run, without: Run) -> dict:
    part = first_difference(without.words, attends.words)
    return {
        "words": len(words),
        "English": " ".join(words),
        "with attention": " ".join(attends.words),
        "without attention": " ".join(without.words),
        "part at word": None if part is None else part + 1,
        "ln p with": attends.translation.log_probability,
        "ln p without": without.translation.log_probability,
    }
