"""The course's small stories: in their order, in drawn words, and some of them kept from training."""

from itertools import pairwise
from random import Random

import pytest

from core.text.samples.stories import (
    SLOT,
    TRAINED_SCRIPTS,
    is_kept,
    kept_stories,
    scripts,
    stories_to_train_on,
    tell_story,
)

PEOPLE = {"Name", "Friend", "She", "she", "her", "hers", "Hers", "He", "He_", "he", "him", "his", "His"}


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.name)
def test_every_event_has_four_phrasings_and_every_slot_has_words(script):
    assert len(script.events) >= 6 and {len(event.phrasings) for event in script.events} == {4}
    slots = [slot for event in script.events for said in event.phrasings for _, slot in SLOT.findall(said)]
    assert set(slots) <= PEOPLE | set(script.slots)
    assert set(script.slots) <= set(slots), "a slot that no sentence has"
    assert all(said[-1] in ".!?”" for event in script.events for said in event.phrasings)


def test_events_come_in_their_order_and_only_some_are_left_out():
    for script in scripts():
        for seed in range(20):
            told = [each.event for each in tell_story(script, Random(seed), False)]
            assert told == sorted(set(told))
            needed = {i for i, event in enumerate(script.events) if not event.may_be_left_out}
            assert needed <= set(told)


def test_no_slot_is_left_and_nobody_changes_sex():
    for story in stories_to_train_on(300, 3):
        text = " ".join(told.text for told in story)
        assert "{" not in text and "}" not in text


def test_what_is_kept_from_training_is_in_none_of_its_stories_and_in_those_to_measure_on():
    read = stories_to_train_on(2000, 1)
    assert not any(is_kept(one, other) for story in read for one, other in pairwise(story))
    pairs = {(one.text, other.text) for story in read for one, other in pairwise(story)}
    for new in (False, True):
        measured = [
            (one.text, other.text)
            for story in kept_stories(500, 2, new)
            for one, other in pairwise(story)
            if is_kept(one, other)
        ]
        assert len(measured) > 500 and not pairs & set(measured)


def test_new_scripts_share_no_phrasing_with_those_trained_on():
    said = [{form for event in script.events for form in event.phrasings} for script in scripts()]
    read, new = set().union(*said[:TRAINED_SCRIPTS]), set().union(*said[TRAINED_SCRIPTS:])
    assert not read & new and len(new) > len(read) > 200


def test_the_same_seed_tells_the_same_stories():
    assert stories_to_train_on(5, 4) == stories_to_train_on(5, 4) != stories_to_train_on(5, 5)
