"""Pictures of counting: tagged sentences, what follows each tag as a row of blocks, and one sentence's factors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import TaggedCounts
from core.text.reading.tagged import TaggedSentence
from core.words.numbers import plain_number
from pages.hidden_markov_models.hmm_counting import LESSON

WORDS = LESSON.words
HUES = {"DET": "ochre", "NOUN": "blue", "VERB": "vermillion", "ADJ": "green", "PRON": "pink"}
START = -1  # the row of what begins a sentence


def format_probability(p: float) -> str:
    """Return a probability with three significant figures.

    >>> format_probability(2 / 3), format_probability(0.0)
    ('0.667', '0')
    """
    return plain_number(p, 3) if p else "0"


def draw_sentences(
    sentences: Sequence[TaggedSentence],
    kind_of: Callable[[int, int], str] = lambda sentence, place: "",
    notes: Mapping[int, tuple[str, str]] | None = None,
) -> list[dict]:
    """Return tagged sentences as the view "tallies" draws them.

    `kind_of(sentence, place)` is how a word is drawn: "", from, to, both or faint. `notes` {sentence: (text, kind)} stand
    behind sentences, of kind good or bad.
    """
    return [
        {
            "tokens": [
                {"word": word, "tag": tag, "hue": HUES.get(tag, "grey"), "kind": kind_of(s, place)}
                for place, (word, tag) in enumerate(sentence)
            ],
            "note": (notes or {}).get(s, ("", ""))[0],
            "noted": (notes or {}).get(s, ("", ""))[1],
        }
        for s, sentence in enumerate(sentences)
    ]


def mark_pairs(sentences: Sequence[TaggedSentence], before: str, after: str) -> Callable[[int, int], str]:
    """Return how each word is drawn where the steps from one tag to another stand out.

    >>> kind_of = mark_pairs([[("the", "DET"), ("dog", "NOUN"), ("barks", "VERB")]], "DET", "NOUN")
    >>> [kind_of(0, place) for place in range(3)]
    ['from', 'to', 'faint']
    """

    def kind_of(s: int, place: int) -> str:
        tags = [tag for _, tag in sentences[s]]
        if tags[place : place + 2] == [before, after]:
            return "from"
        return "to" if place and tags[place - 1 : place + 1] == [before, after] else "faint"

    return kind_of


def count_rows(counts: TaggedCounts) -> dict[int, np.ndarray]:
    """Return what was counted after the start and after each tag: the tags, and the end last."""
    rows = {START: np.append(counts.initial, 0)}
    return rows | {i: np.append(counts.transition[i], counts.end[i]) for i in range(len(counts.states))}


def draw_panel(
    counts: TaggedCounts,
    row: int,
    alpha: float = 0,
    form: str = "counts",
    zeros: bool = True,
    now: Sequence[str] = (),
) -> dict:
    """Return what follows a tag as blocks: one for each time that it was counted, and `alpha` of a hollow one.

    `form` says what stands behind the blocks: "counts", or the "probabilities" that they make. `zeros` draws what was
    never counted too; rows of `now` stand out.
    """
    counted = count_rows(counts)[row]
    names, total = [*counts.states, WORDS.label("end")], float(counted.sum() + alpha * counted.size)
    if row == START:  # no sentence ends before it begins
        names, counted = names[:-1], counted[:-1]
        total = float(counted.sum() + alpha * counted.size)
    title = WORDS.label("panel.start") if row == START else WORDS.label("panel.after", tag=counts.states[row])
    hue = "grey" if row == START else HUES[counts.states[row]]
    rows = [
        draw_row(name, HUES.get(name, "grey"), int(count), alpha, total, form, name in now)
        for name, count in zip(names, counted, strict=True)
        if zeros or count
    ]
    return {"title": title, "hue": hue, "unit": True, "rows": rows}


def draw_row(
    name: str, hue: str, count: int, alpha: float, total: float, form: str, now: bool = False
) -> dict:
    """Return one row of a panel: its blocks, and its count or what the count becomes."""
    text, p = f"{count}", ""
    if form == "probabilities":
        above = f"{count} + {alpha:g}" if alpha else f"{count}"
        text = f"({above}) / {total:g}" if alpha else f"{above} / {total:g}"
        p = format_probability((count + alpha) / total)
    return {
        "name": name,
        "hue": hue,
        "count": count,
        "added": alpha,
        "text": text,
        "p": p,
        "kind": "now" if now else "",
    }


def draw_emissions(counts: TaggedCounts, tag: str, now: Sequence[str] = ()) -> dict:
    """Return the words of a tag as blocks, the most frequent first, with their probabilities."""
    row = counts.emission[counts.states.index(tag)]
    order = np.argsort(-row, kind="stable")
    rows = [
        draw_row(
            counts.vocabulary[j],
            HUES[tag],
            int(row[j]),
            0,
            float(row.sum()),
            "probabilities",
            counts.vocabulary[j] in now,
        )
        for j in order
        if row[j]
    ]
    return {"title": WORDS.label("panel.emits", tag=tag), "hue": HUES[tag], "unit": True, "rows": rows}


def draw_shares(title: str, hue: str, shares: Mapping[str, float], now: Sequence[str] = ()) -> dict:
    """Return probabilities as bars without blocks: a count too large to be drawn."""
    rows = [
        {
            "name": name,
            "hue": HUES.get(name, "grey"),
            "count": 0,
            "added": share,
            "text": "",
            "p": format_probability(share),
            "kind": "now" if name in now else "",
        }
        for name, share in shares.items()
    ]
    return {"title": title, "hue": hue, "unit": False, "rows": rows}


def path_factors(model: HiddenMarkovModel, words: Sequence[str], path: Sequence[str]) -> list[float]:
    """Return the factors of a path's probability: into each state, then its word; into the end at last."""
    states = [model.states.index(tag) for tag in path]
    emission = model.emissions(words).log_emission
    factors = [model.log_initial[states[0]], emission[0, states[0]]]
    for t in range(1, len(states)):
        factors += [model.log_transition[states[t - 1], states[t]], emission[t, states[t]]]
    return [float(np.exp(each)) for each in (*factors, model.log_end[states[-1]])]


def draw_chain(model: HiddenMarkovModel, words: Sequence[str], path: Sequence[str], now: int = -1) -> dict:
    """Return a sentence with its tags and every factor of their probability; the word at place `now` stands out."""
    factors = path_factors(model, words, path)
    steps = [
        {
            "word": word,
            "tag": tag,
            "hue": HUES[tag],
            "into": format_probability(factors[2 * t]),
            "down": format_probability(factors[2 * t + 1]),
            "kind": "now" if t == now else "",
        }
        for t, (word, tag) in enumerate(zip(words, path, strict=True))
    ]
    end = {"word": "", "tag": WORDS.label("end"), "hue": "grey", "into": format_probability(factors[-1])}
    product = format_probability(math.prod(factors))
    return {
        "start": WORDS.label("start"),
        "steps": [*steps, {**end, "down": "", "kind": ""}],
        "total": WORDS.label("chain.total", product=product),
    }


def draw_picture(
    sentences: Sequence[dict] = (), panels: Sequence[dict] = (), chain: dict | None = None
) -> dict:
    """Return the data of the view "tallies"."""
    return {"sentences": list(sentences), "panels": list(panels), "chain": chain}
