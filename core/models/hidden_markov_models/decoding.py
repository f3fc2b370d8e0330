"""A sentence decoded in every way: Viterbi, greedy, a beam, the forward sums; and sentences on which they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.models.hidden_markov_models.forward import Forward, forward
from core.models.hidden_markov_models.hmm import Emissions, HiddenMarkovModel, joint_log_probability
from core.models.hidden_markov_models.searches import Search, beam, greedy
from core.models.hidden_markov_models.viterbi import Lattice, viterbi, viterbi_of_products

LONGEST_SEARCH = 2000  # sentences a search for a disagreement looks at before it gives up


@dataclass(frozen=True)
class DecodedSentence:
    """One sentence decoded in every way, with what each way computed."""

    model: HiddenMarkovModel
    emissions: Emissions
    viterbi: Lattice
    greedy: Search
    beam: Search
    forward: Forward

    def tags(self, path: Sequence[int]) -> tuple[str, ...]:
        """Return the names of a path's states."""
        return tuple(self.model.states[state] for state in path)

    @property
    def posterior(self) -> float:
        """p(best path | words): its share of the probability of all paths."""
        return float(np.exp(self.viterbi.log_probability - self.forward.log_probability))

    def log_probability(self, path: Sequence[int]) -> float:
        """Return ln p(path, words) of any path."""
        tables = (
            self.model.log_initial,
            self.model.log_transition,
            self.emissions.log_emission,
            self.model.log_end,
        )
        return float(joint_log_probability(path, *tables).sum())


def decode(model: HiddenMarkovModel, words: Sequence[str], width: int = 2) -> DecodedSentence:
    """Return a sentence decoded by Viterbi, greedily and with a beam, and its forward sums."""
    emissions = model.emissions(words)
    tables = (model.log_initial, model.log_transition, emissions.log_emission, model.log_end)
    return DecodedSentence(
        model, emissions, viterbi(*tables), greedy(*tables), beam(*tables, width=width), forward(*tables)
    )


def underflow(model: HiddenMarkovModel, words: Sequence[str], dtype=np.float64) -> Lattice:
    """Return a sentence's lattice computed with raw probabilities, for comparison with `decode`."""
    end = None if model.log_end is None else np.exp(model.log_end)
    tables = (model.log_initial, model.log_transition, model.emissions(words).log_emission)
    return viterbi_of_products(*map(np.exp, tables), end, dtype)


@dataclass(frozen=True)
class Disagreement:
    """A sentence on which a search lost to Viterbi, and how many sentences were looked at to find it."""

    decoded: DecodedSentence
    searched: int


def find_disagreement(
    model: HiddenMarkovModel, sentences: Iterable[Sequence[str]], width: int = 2, search: str = "greedy"
) -> Disagreement | None:
    """Return the first sentence whose Viterbi path beats that of `search`, "greedy" or "beam".

    Equally probable paths do not count. None when no sentence among the first `LONGEST_SEARCH` differs; a
    beam as wide as there are states never does.
    """
    for searched, words in enumerate(sentences, start=1):
        decoded = decode(model, words, width)
        lost = decoded.viterbi.log_probability - getattr(decoded, search).log_probability
        if lost > 1e-9:  # also when the search is at -inf; not when both are (nan)
            return Disagreement(decoded, searched)
        if searched == LONGEST_SEARCH:
            break
    return None
