"""The formulas of hidden Markov models with their numbers filled in, as LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.figures.hidden_markov_models import WORDS
from core.figures.worked import number, word
from core.models.hidden_markov_models.decoding import DecodedSentence
from core.models.hidden_markov_models.flips import Stretch
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.speaking import Draw
from core.models.hidden_markov_models.suffix_model import SuffixGuess
from core.models.hidden_markov_models.viterbi import Lattice


def factor_names(model: HiddenMarkovModel, words: Sequence[str], path: Sequence[int]) -> list[str]:
    """Return the name of each factor of p(path, words), in the order of `joint_log_probability`."""
    states = [model.states[state] for state in path]
    names = [f"p({states[0]})", f"p({words[0]} | {states[0]})"]
    for t in range(1, len(path)):
        names += [f"p({states[t]} | {states[t - 1]})", f"p({words[t]} | {states[t]})"]
    return names if model.log_end is None else [*names, f"p({WORDS.label('formulas.end')} | {states[-1]})"]


def write_trellis_cell(decoded: DecodedSentence, t: int, state: int, raw: bool) -> str:
    """Return LaTeX that fills in the score of one cell: its best predecessor's score, transition and emission."""
    model, lattice = decoded.model, decoded.viterbi
    before = int(lattice.backpointers[t, state])
    logs = [decoded.emissions.log_emission[t, state]]
    if t == 0:
        logs.insert(0, model.log_initial[state])
        rule = rf"v_1({word(model.states[state])}) = \pi \cdot b"
    else:
        logs = [lattice.scores[t - 1, before], model.log_transition[before, state], *logs]
        rule = rf"v_{{{t + 1}}}({word(model.states[state])}) = \max_i v_{{{t}}}(i)\, a_{{i}}\, b"
    if raw:
        filled, value = r" \cdot ".join(number(np.exp(x)) for x in logs), np.exp(sum(logs))
    else:
        rule = rf"\ln {rule}"
        filled, value = " + ".join(f"({number(x)})" for x in logs), sum(logs)
    came = "" if t == 0 else rf" \quad {_from()} {word(model.states[before])}"
    return f"{rule} = {filled} = {number(value)}{came}".replace("-inf", r"-\infty")


def worked_factors(log_factors: np.ndarray, most: int = 8) -> str:
    r"""Return LaTeX of a path's probability as the product of its factors.

    >>> worked_factors(np.log([0.5, 0.2]))
    'p(\\text{path, words}) = 0.5 \\cdot 0.2 = 0.1 \\qquad \\ln p = -2.303'
    """
    shown = r" \cdot ".join(number(np.exp(factor)) for factor in log_factors[:most])
    count = WORDS.label("formulas.factors", n=len(log_factors))
    rest = rf" \cdots_{{\text{{({count})}}}}" if len(log_factors) > most else ""
    total = float(log_factors.sum())
    product = number(np.exp(total)) if total > -700 else rf"e^{{{number(total)}}}"
    both = WORDS.label("formulas.path_and_words")
    worked = rf"p(\text{{{both}}}) = {shown}{rest} = {product} \qquad \ln p = {number(total)}"
    return worked.replace("-inf", r"-\infty")


def worked_candidates(decoded: DecodedSentence, lattice: Lattice, t: int, j: int, answer: bool) -> str:
    """Return LaTeX of all candidate products of a cell of raw probabilities, with their values if `answer`."""
    model, states = decoded.model, decoded.model.states
    emission = number(np.exp(decoded.emissions.log_emission[t, j]))
    cell = rf"v_{{{t + 1}}}({word(states[j])})"
    if t == 0:
        product = rf"{number(np.exp(model.log_initial[j]))} \cdot {emission}"
        return rf"{cell} = {product}" + (rf" = {number(lattice.scores[0, j])}" if answer else "")
    products = []
    for i, state in enumerate(states):
        factors = (lattice.scores[t - 1, i], np.exp(model.log_transition[i, j]))
        product = r" \cdot ".join([*map(number, factors), emission])
        value = f" = {number(lattice.candidates[t, i, j])}" if answer else ""
        products.append(rf"{_from()}{word(state)}: & \; {product}{value}")
    best = ""
    if answer:
        came = word(states[lattice.backpointers[t, j]])
        best = rf" = {number(lattice.scores[t, j])} \; {_from()}\; {came}"
    rows = r" \\ ".join(products)
    return rf"{cell} = \max \left\{{ \begin{{aligned}} {rows} \end{{aligned}} \right. {best}"


def worked_suffix(guess: SuffixGuess, weight: float, states: Sequence[str], state: int) -> str:
    """Return LaTeX of p(tag | longest ending) from its counts and the shorter ending's opinion."""
    step = guess.steps[-1]
    tag, count, total = word(states[state]), int(step.counts[state]), int(step.counts.sum())
    value = number(step.probabilities[state])
    if len(guess.steps) == 1:
        return rf"p({tag}) = \frac{{{count}}}{{{total}}} = {value}"
    shorter = number(guess.steps[-2].probabilities[state])
    fewer, every = (WORDS.label(f"formulas.{key}") for key in ("shorter", "all"))
    return (
        rf"p({tag} \mid {word('…' + step.suffix)}) = "
        rf"\frac{{c + w\, p_{{\text{{{fewer}}}}}}}{{c_{{\text{{{every}}}}} + w}} = "
        rf"\frac{{{count} + {weight:g} \cdot {shorter}}}{{{total} + {weight:g}}} = {value}"
    )


def worked_estimate(before: str, after: str, counts: np.ndarray, place: int, alpha: float) -> str:
    r"""Return LaTeX of one probability as its count divided by its row's, alpha added to each.

    >>> worked_estimate("N", "V", np.array([1, 3]), 1, 0)
    'p(\\text{V} \\mid \\text{N}) = \\frac{3}{4} = 0.75'
    """
    total, n = int(counts.sum()), len(counts)
    value = number((counts[place] + alpha) / (total + alpha * n))
    added = (f" + {alpha:g}", rf" + {n} \cdot {alpha:g}") if alpha else ("", "")
    fraction = rf"\frac{{{int(counts[place])}{added[0]}}}{{{total}{added[1]}}}"
    return rf"p({word(after)} \mid {word(before)}) = {fraction} = {value}"


def worked_share(confusion: np.ndarray, states: Sequence[str], true: int, given: int) -> str:
    """Return LaTeX of one cell of a confusion matrix as a share of its row."""
    count, total = int(confusion[true, given]), int(confusion[true].sum())
    names = rf"{word(states[true])} \to {word(states[given])}"
    return rf"{names}: \frac{{{count:,}}}{{{total:,}}} = {number(count / total)}".replace(",", "{,}")


def worked_flip(before: Stretch, after: Stretch) -> str:
    r"""Return LaTeX of the equation whose solution is the flip between two stretches: both paths equally probable.

    >>> worked_flip(Stretch(0, 0.6, (1,), np.log(0.144), 0, 1), Stretch(0.6, 1, (0,), np.log(0.09), 1, 0))
    '0.144\\,(1-p) = 0.09\\,p \\quad\\text{at}\\quad p = 0.6000'
    """
    at = WORDS.label("formulas.at")
    return rf"{_curve(before)} = {_curve(after)} \quad\text{{{at}}}\quad p = {after.start:.4f}"


def _from() -> str:
    """Return LaTeX of the word before the state from which a path comes."""
    return rf"\text{{{WORDS.label('formulas.from')} }}"


def _curve(stretch: Stretch) -> str:
    """Return LaTeX of c p^a (1 - p)^b."""
    powers = ((r"\,p", stretch.own), (r"\,(1-p)", stretch.rest))
    factors = (f"{name}^{{{power}}}" if power > 1 else name for name, power in powers if power)
    constant = stretch.log_constant
    written = number(np.exp(constant)) if constant > -700 else f"e^{{{number(constant)}}}"
    return written + "".join(factors)


def worked_draw(draw: Draw, names: Sequence[str]) -> str:
    r"""Return LaTeX of one draw: between which cumulative probabilities the random number lies, and whose part that is.

    >>> worked_draw(Draw("state", 0, -1, np.array([0.6, 0.4]), 0.75, 1), ["hot", "cold"])
    '0.6 \\le u = 0.7500 < 0.6 + 0.4 = 1 \\;\\Rightarrow\\; \\text{cold}'
    """
    terms = [number(p) for p in draw.probabilities[: draw.chosen + 1]]
    low = " + ".join(terms[:-1]) or "0"
    total = f" = {number(draw.cumulative[draw.chosen])}" if len(terms) > 1 else ""
    inside = rf"{low} \le u = {draw.uniform:.4f} < {' + '.join(terms)}{total}"
    return rf"{inside} \;\Rightarrow\; {word(names[draw.chosen])}"
