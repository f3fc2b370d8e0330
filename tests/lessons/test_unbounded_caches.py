"""A cache without a bound holds what the course itself can ask for, never what a learner types."""

import functools
import gc

from core.lesson.settings import Text
from core.lesson.story import make_document, story_of
from pages import LESSONS


def type_into_every_beat(line):
    """Make the document of each beat that has a field for text, with a line in all its fields."""
    typed = 0
    for lesson in LESSONS:
        for number, beat in enumerate(story_of(lesson.module), 1):
            fields = [each.name for each in beat.settings if isinstance(each, Text)]
            if fields:
                make_document(lesson.name, lesson.module, number, changes=dict.fromkeys(fields, line))
                typed += 1
    return typed


def sizes_without_bound():
    """Return how many results each cache without a bound holds."""
    caches = [each for each in gc.get_objects() if type(each) is functools._lru_cache_wrapper]
    return {
        f"{each.__module__}.{each.__qualname__}": each.cache_info().currsize
        for each in caches
        if each.cache_info().maxsize is None and each.__module__.startswith(("core", "pages"))
    }


def test_what_is_typed_into_stories_fills_no_cache_without_a_bound():
    assert type_into_every_beat("The old king saw a dog in the garden.") > 50
    type_into_every_beat("A young queen heard two cats on the roof, and the cats ran.")
    before = sizes_without_bound()
    type_into_every_beat("Seven wise men of Gotham went to sea in a bowl, and the bowl broke.")
    after = sizes_without_bound()
    assert {name: (before.get(name), n) for name, n in after.items() if n != before.get(name)} == {}
