"""What the lessons on the mask share: a GPT's name, and the sentence that it reads, typed or the learner's own."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.delta_generator import DeltaGenerator

from core.lesson.choices.language_model_choice import say_what_changed
from core.lesson.kept_with_text import kept_with_text
from core.lesson.lesson import Lesson
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from core.text.tokenization.tokens import sentences

GPTS = {"GPT, byte pairs": "word_gpt", "GPT, characters": "char_gpt"}
TOKENS_AT_MOST = 12  # whose numbers the back row can read
TYPED_AT_MOST = 400
EXAMPLE = "The king saw the queen in her house."


def read_sentence(
    lesson: Lesson,
    notes: DeltaGenerator,
    document: Document,
    name: str,
    changed: Callable[[], None] | None = None,
) -> list[int]:
    """Draw the field for a sentence and return its first ids, the token that starts every text before them.

    What is cut or read as something else is said in `notes`, a container below the picture. `changed` is called when
    another sentence has been typed.
    """
    typed = lesson.text(
        "sentence",
        "Sentence (empty: the first of your text)",
        max_chars=20 * TYPED_AT_MOST,
        on_change=changed,
        width=300,
    )
    if len(typed) > TYPED_AT_MOST:
        notes.caption(f"The first {TYPED_AT_MOST} of {len(typed):,} characters are read.")
    found = typed[:TYPED_AT_MOST].strip() or first_sentence(document)
    prompt = encode(name, " ".join(found.split()))
    with notes:
        say_what_changed(prompt)
    if not prompt.ids:
        notes.info("The model knows none of these characters. Until you change them you see an example.")
        prompt = encode(name, EXAMPLE)
    ids = [stored_language_model(name).start, *prompt.ids]
    if len(ids) > TOKENS_AT_MOST:
        notes.caption(
            f"{TOKENS_AT_MOST} of {len(ids)} tokens are read and shown; the rest would be too small. The first, ↵, "
            "starts every text."
        )
    return ids[:TOKENS_AT_MOST]


@kept_with_text(32, 4, False)
def first_sentence(document: Document) -> str:
    """Return the first sentence of a text that is not empty, of a text without one an example."""
    return next((each.strip() for each in sentences(document.text[:5000]) if each.strip()), EXAMPLE)
