"""Each sentence of a tagged text judged by a model counted on the others: does it need smoothing?

Source: Jurafsky and Martin, Speech and Language Processing (3rd ed. draft), chapters 3 and 17.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.models.hidden_markov_models.forward import forward
from core.models.hidden_markov_models.hmm_tables import count_tagged, estimate


def held_out_log_probabilities(
    sentences: Sequence[Sequence[tuple[str, str]]],
    transition_alpha: float,
    emission_alpha: float,
    most: int = 40,
) -> np.ndarray:
    """Return ln p(words) of each of the first `most` sentences under a model counted on all other sentences.

    -inf where that model has no path for the words; a model that cannot be made at all (a row of counts that is
    0 / 0) counts as such. Unseen words are 1 / V in every state. Shape (min(most, sentences),).

    >>> text = [[("a", "X"), ("b", "Y")], [("a", "X"), ("b", "Y")], [("b", "Y"), ("a", "X")]]
    >>> held_out_log_probabilities(text, 0, 0).round(2).tolist()  # the third needs a Y that begins: unseen
    [-2.08, -2.08, -inf]
    >>> held_out_log_probabilities(text, 1, 0).round(2).tolist()
    [-2.53, -2.53, -4.61]
    """
    states = sorted({tag for sentence in sentences for _, tag in sentence})
    found = []
    for left_out in range(min(most, len(sentences))):
        others = [sentence for place, sentence in enumerate(sentences) if place != left_out]
        words = [word for word, _ in sentences[left_out]]
        try:
            model = estimate(count_tagged(others, states), transition_alpha, emission_alpha)
        except ValueError:
            found.append(-np.inf)
            continue
        emission = model.emissions(words).log_emission
        tables = (model.log_initial, model.log_transition, emission, model.log_end)
        with np.errstate(invalid="ignore"):
            found.append(forward(*tables).log_probability)
    return np.array(found)
