"""The learner's own tagged text: written in a field or uploaded, as word/TAG or CoNLL-U."""

from __future__ import annotations

import streamlit as st

from core.lesson.plain import plain
from core.text.reading.decoding import TextError, decode
from core.text.reading.tagged import TaggedSentence, read_tagged

EXAMPLE = """the/DET dog/NOUN barks/VERB
the/DET old/ADJ dog/NOUN walks/VERB
a/DET walk/NOUN helps/VERB the/DET old/ADJ man/NOUN
the/DET man/NOUN walks/VERB the/DET dog/NOUN
dogs/NOUN bark/VERB
she/PRON walks/VERB a/DET small/ADJ dog/NOUN
the/DET bark/NOUN helps/VERB
she/PRON helps/VERB the/DET man/NOUN"""
CHARACTERS_AT_MOST = 100_000


@st.cache_data(scope="session", max_entries=3, show_spinner="Reading the tagged text")
def _read(text: str) -> list[TaggedSentence]:
    return read_tagged(text)


def tagged_source(lesson: str) -> list[TaggedSentence]:
    """Draw the field and the upload of a tagged text and return its sentences.

    What cannot be read is explained in a sentence; until it is mended the example stands in for it.
    """
    typed = st.text_area(
        "Tagged text, one sentence a line: word/TAG",
        EXAMPLE,
        key=f"{lesson}_text",
        persist_state="session",
        max_chars=CHARACTERS_AT_MOST,
        height=240,
    )
    with st.popover("Upload tagged text", icon=":material/upload:"):
        file = st.file_uploader(
            "A file of word/TAG or CoNLL-U",
            type=["txt", "conllu", "conll", "tsv"],
            key=f"{lesson}_file",
            max_upload_size=10,
        )
    if file:
        st.text(f"Counted: {file.name}. Remove the file to count the field again.")
    try:
        return _read(decode(file.getvalue())[0] if file else typed)
    except TextError as error:
        st.warning(f"{plain(str(error))} Until then the example is used.")
        return _read(EXAMPLE)


def slashed(sentences: list[TaggedSentence]) -> str:
    r"""Return tagged sentences as word/TAG, one a line.

    >>> slashed([[("dogs", "NOUN"), ("bark", "VERB")]])
    'dogs/NOUN bark/VERB\n'
    """
    return "".join(" ".join(f"{word}/{tag}" for word, tag in sentence) + "\n" for sentence in sentences)
