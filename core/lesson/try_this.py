"""Try this: prompts, each a link to the lesson with other settings. The browser follows it like a beat's link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from core.lesson.browser_view import browser_view
from core.lesson.controls import Controls
from core.lesson.live_values import words_fields
from core.lesson.story import LAB

TEXT = "text:"  # the setting whose value is the title of a sample text


def try_this(lesson: Controls, prompts: Sequence[tuple[str, Mapping[str, object]]]) -> None:
    """Draw each prompt as a link that sets controls, named without the lesson's prefix.

    {"k": 20} sets the control `<lesson>_k`; {"text:": "Hamlet"} chooses that sample; a choice is given by its label. All
    other controls return to their defaults, except the learner's words and the switch "Predict first".
    """
    shown = [{"label": label, "link": prompt_link(lesson, settings)} for label, settings in prompts]
    carried = [*words_fields(), lesson.key("predict")]
    browser_view("page", {"prompts": shown, "carried": carried}, lesson.key("page"))


def prompt_link(lesson: Controls, settings: Mapping[str, object]) -> str:
    """Return a prompt's link without the host, to the lab of a story. Booleans are true and false; a list is repeated.

    >>> from core.lesson.lesson import Lesson
    >>> prompt_link(Lesson("zipf"), {"text:": "Hamlet", "stops": True, "k": [1, 2]})
    'zipf?text_source_sample=Hamlet&zipf_stops=true&zipf_k=1&zipf_k=2'
    """
    fields = {LAB: "true"} if lesson.is_story else {}
    fields |= {
        "text_source_sample" if name == TEXT else lesson.key(name): str(value).lower()
        if isinstance(value, bool)
        else value
        for name, value in settings.items()
    }
    return f"{lesson.name}?{urlencode(fields, doseq=True)}"
