"""Try this: prompts, each a link to the lesson with the settings that it names; the browser follows it as a beat's link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from core.lesson.browser_view import browser_view
from core.lesson.live_values import words_held

if TYPE_CHECKING:
    from core.lesson.lesson import Lesson

TEXT = "text:"  # a setting that is not the lesson's own: the title of a sample on the shelf


def try_this(lesson: Lesson, prompts: Sequence[tuple[str, Mapping[str, object]]]) -> None:
    """Draw each prompt as a link that sets what it names, by the controls' names without the lesson's prefix.

    {"k": 20} sets the control `<lesson>_k`, {"text:": "Hamlet"} chooses that sample; a choice is named as it is shown.
    What a prompt does not name is as at first; only the learner's own words and predicting first stay as they are.
    """
    shown = [{"label": label, "link": prompt_link(lesson, settings)} for label, settings in prompts]
    carried = [*words_held(), lesson.key("predict")]
    browser_view("page", {"prompts": shown, "carried": carried}, lesson.key("page"))


def prompt_link(lesson: Lesson, settings: Mapping[str, object]) -> str:
    """Return the link of a prompt, without its host: true and false as the address has them, a list as many fields.

    >>> from core.lesson.lesson import Lesson
    >>> prompt_link(Lesson("zipf", "", "", ""), {"text:": "Hamlet", "stops": True, "k": [1, 2]})
    'zipf?text_source_sample=Hamlet&zipf_stops=true&zipf_k=1&zipf_k=2'
    """
    fields = {
        "text_source_sample" if name == TEXT else lesson.key(name): str(value).lower()
        if isinstance(value, bool)
        else value
        for name, value in settings.items()
    }
    return f"{lesson.name}?{urlencode(fields, doseq=True)}"
