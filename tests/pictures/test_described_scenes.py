"""Every described scene has one right caption, and what is held out is never drawn for training."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.pictures.described_scenes import (
    CELLS,
    COMBINATIONS,
    FIRST_LEARNT,
    OPPOSITE,
    PLACES,
    SHAPES,
    UNSEEN,
    Group,
    built_scene,
    described_scene,
    first_named,
    relations,
    scene_picture,
)
from core.pictures.scenes import COLOURS, SIDE, Thing, covered

SEEDS = st.integers(0, 10**12)
GROUPS = st.builds(Group, st.integers(1, 3), st.sampled_from(list(COLOURS)), st.sampled_from(SHAPES))


def by_hand(first, second):
    """Return the relations between two sets of cells, pair by pair."""
    pairs = [(a, b) for a in first for b in second]
    holds = {
        "above": all(a[0] < b[0] for a, b in pairs),
        "below": all(a[0] > b[0] for a, b in pairs),
        "left of": all(a[1] < b[1] for a, b in pairs),
        "right of": all(a[1] > b[1] for a, b in pairs),
    }
    return tuple(name for name in PLACES if holds[name])


@settings(deadline=None, max_examples=60)
@given(SEEDS, st.booleans())
def test_of_a_scene_exactly_one_relation_holds_and_its_caption_says_it(seed, unseen):
    scene = described_scene(seed, unseen)
    assert by_hand(scene.first_cells, scene.second_cells) == (scene.relation,)
    assert (len(scene.first_cells), len(scene.second_cells)) == (scene.first.number, scene.second.number)
    assert len({*scene.first_cells, *scene.second_cells}) == scene.first.number + scene.second.number
    assert scene.first.number >= scene.second.number
    if scene.first.number == scene.second.number:
        assert scene.relation in ("above", "left of")
    assert scene.caption == f"{scene.first.words} {scene.relation} {scene.second.words}"
    assert scene.unseen == unseen == bool(set(scene.combinations) & set(UNSEEN))


@settings(deadline=None, max_examples=60)
@given(
    st.sets(st.sampled_from(CELLS), min_size=1, max_size=3),
    st.sets(st.sampled_from(CELLS), min_size=1, max_size=3),
)
def test_relations_are_those_of_every_pair_of_shapes(first, second):
    assert relations(tuple(first), tuple(second)) == by_hand(first, second)


@settings(deadline=None, max_examples=60)
@given(GROUPS, st.sampled_from(PLACES), GROUPS, st.integers(0, 9999))
def test_what_is_built_stands_as_it_was_asked_for(one, relation, other, seed):
    if (one.colour, one.shape) == (other.colour, other.shape):
        with pytest.raises(ValueError, match="one kind"):
            built_scene(one, relation, other, seed)
        return
    scene = built_scene(one, relation, other, seed)
    expected = (one, relation, other) if scene.first == one else (other, OPPOSITE[relation], one)
    assert (scene.first, scene.relation, scene.second) == expected
    assert first_named(one, relation, other) != first_named(other, OPPOSITE[relation], one)


def test_of_what_is_held_out_every_colour_shape_and_place_is_seen_in_other_combinations():
    seen = set(COMBINATIONS) - set(UNSEEN)
    assert len(UNSEEN) == 10 and len(COMBINATIONS) == 100
    for colour, shape, place in UNSEEN:
        assert sum(each[:2] == (colour, shape) for each in seen) == 3
        assert any((each[0], each[2]) == (colour, place) for each in seen)
        assert any(each[1:] == (shape, place) for each in seen)


def test_no_training_scene_has_an_unseen_combination_and_every_other_one_comes_up():
    drawn = Counter(
        each
        for seed in range(FIRST_LEARNT, FIRST_LEARNT + 1500)
        for each in described_scene(seed).combinations
    )
    assert not set(drawn) & set(UNSEEN)
    assert set(drawn) == set(COMBINATIONS) - set(UNSEEN)


def test_the_colour_at_a_shape_s_middle_is_nearest_to_its_own():
    names = [name for name in SHAPES if name != "ring"]  # its middle is the ground
    for seed in range(40):
        scene = described_scene(seed)
        picture = scene_picture(scene, seed)
        for group, cells in ((scene.first, scene.first_cells), (scene.second, scene.second_cells)):
            for row, column in cells if group.shape in names else ():
                x, y = (int((each + 0.5) * SIDE / 3) for each in (column, row))
                nearest = min(COLOURS, key=lambda name: np.abs(COLOURS[name] - picture[:, y, x]).sum())
                assert nearest == group.colour, (seed, scene.caption)


def test_a_shape_is_covered_as_when_every_pixel_is_asked():
    thing = Thing("red", "cross", 29.0, 3.5, 4.6, 0.14)  # over the edge
    point = (np.arange(SIDE * 3) + 0.5) / 3
    x, y = point[None] - thing.x, point[:, None] - thing.y
    c, s = np.cos(thing.angle), np.sin(thing.angle)
    u, v = (c * x + s * y) / thing.radius, (c * y - s * x) / thing.radius
    inside = (np.minimum(abs(u), abs(v)) <= 0.3) & (np.maximum(abs(u), abs(v)) <= 1)
    np.testing.assert_allclose(covered(thing), inside.reshape(SIDE, 3, SIDE, 3).mean((1, 3)))
