"""A translator that was saved translates as before, to the last bit of its probability."""

import numpy as np
import torch

from core.models.translation.fit_translation import fit_translation
from core.models.translation.kept_translator import from_safetensors, to_safetensors
from core.models.translation.translate import greedy
from core.text.grammar.pairs import is_held_out
from core.text.samples.course_pairs import CoursePairs

PAIRS = CoursePairs("dates", 60, longest=10, seed=1)
WATCHED = list("3 mars 1987")


def test_a_translator_is_the_same_after_it_was_saved_and_loaded():
    torch.set_num_threads(1)
    fitted = fit_translation(lambda _: True, PAIRS, WATCHED, hidden=16, embedding=8, epochs=1)
    before, after = fitted.translator(), from_safetensors(to_safetensors(fitted))
    assert (after.source, after.target) == (before.source, before.target)
    one, other = (greedy(t.model, t.source.encode(WATCHED)) for t in (before, after))
    assert one.words == other.words
    assert one.log_probability == other.log_probability


def test_the_course_s_pairs_are_the_same_each_time_and_one_in_eight_is_held_out():
    assert list(PAIRS) == list(PAIRS)
    assert np.mean([is_held_out(pair.source) for pair in CoursePairs("English–French", 80, 6, 1)]) == 1 / 8
    assert max(len(pair.source) for pair in CoursePairs("English–French", 80, 6, 1)) == 6
