"""The Viterbi lattice of the lab: its scores as a table, the step at which it stands, and what its three searches find."""

from __future__ import annotations

from collections.abc import Mapping

from core.descriptions.description import (
    HIDDEN,
    Cell,
    Description,
    describe_table,
    say,
    tell_apart,
)
from core.descriptions.matrices import describe_line
from core.words.numbers import plain_number, signed

FILLING = ("initialise", "keep")  # steps after which a cell has its score
TRACE = "trace back"
NEVER = "−∞"  # the logarithm of 0
SMALL = 1e-3  # a smaller probability is written with two digits, as in the view


def describe_lattice(data: Mapping) -> Description:
    """Return the description of a Viterbi lattice in logarithms at its step: a row for each word, a column for each state.

    The step is `start`, else the first one, as in the view. A score that is not computed by then is not told.
    """
    steps = data["steps"]
    at = max(0, min(data.get("start", 0), len(steps) - 1))
    states, words = tell_apart(data["states"]), name_words(data)
    filled = filled_cells(data, at)
    rows, compared = [], []
    for t, word in enumerate(words):
        cells = [score_cell(data, t, j) if (t, j) in filled else Cell(HIDDEN) for j in range(len(states))]
        note = data["notes"][t] or (say("tag_cards.unseen") if data["unseen"][t] else "")
        rows.append([word, *cells, note])
        compared += [
            (cell, say("at.cell", row=state, column=word)) for state, cell in zip(states, cells, strict=True)
        ]
    sentence = say(
        "lattice.sentence",
        words=len(words),
        states=states,
        first=data["first"] + 1,
        last=data["first"] + len(words),
        total=data["total"],
    )
    sentence = " ".join([sentence, *(describe_step(data, at) if steps else [])])
    more = [describe_search(path) for path in data["paths"]]
    columns = (say("column.word"), *states, say("column.note"))
    return describe_table(
        sentence, say("lattice.axes"), columns, rows, {say("lattice.score"): compared}, more=more
    )


def name_words(data: Mapping) -> list[str]:
    """Return the window's words; where two are the same or words come before, each with its place in the sentence.

    >>> name_words({"first": 1, "words": ["the", "dog"]})
    ['2. the', '3. dog']
    """
    return tell_apart([*[""] * data["first"], *data["words"]])[data["first"] :]


def filled_cells(data: Mapping, at: int) -> set[tuple[int, int]]:
    """Return the cells (word, state) that have their score at a step; in a later window, the first column has."""
    found = {(t, j) for kind, t, j in data["steps"][: at + 1] if kind in FILLING}
    return found | {(0, j) for j in range(len(data["states"])) if data["first"]}


def score_cell(data: Mapping, t: int, j: int) -> Cell:
    """Return the log score of a state at a word, with the state before it that its back pointer leads to."""
    score, back = data["log"]["scores"][t][j], data["log"]["backpointers"][t][j]
    text = write_logarithm(score)
    if score is None or t == 0 or back < 0:
        return Cell(text, score)
    return Cell(say("lattice.cell", text=text, state=data["states"][back]), score)


def describe_step(data: Mapping, at: int) -> list[str]:
    """Return what a step does, in the order of the lattice's own line and its panel."""
    kind, t, j = data["steps"][at]
    found, n = data["log"], len(data["words"])
    state = name_state(data, j)
    word = say("lattice.word", number=data["first"] + t + 1, word=data["words"][t])
    told = [say("lattice.step", step=at + 1, steps=len(data["steps"]))]
    if kind == "initialise":
        parts = [found["initial"][j], found["emission"][0][j], found["scores"][0][j]]
        initial, emission, score = map(write_logarithm, parts)
        told.append(
            say("lattice.initialise", state=state, word=word, initial=initial, emission=emission, score=score)
        )
    elif kind == "compare":
        told.append(say("lattice.compare", state=state, word=word, ways=len(data["states"])))
    elif kind == "keep":
        score, back = write_logarithm(found["scores"][t][j]), name_state(data, found["backpointers"][t][j])
        tied = found["ties"][t][j]
        told.append(say("lattice.keep", state=state, word=word, score=score, back=back, tied=tied))
    elif kind == "terminate":
        told.append(
            say(
                "lattice.terminate",
                state=name_state(data, found["path"][t]),
                score=write_logarithm(found["probability"]),
                share=write_probability(100 * (data["posterior"] or 0)),
            )
        )
    else:
        told.append(
            say("lattice.trace", state=name_state(data, found["path"][t]), word=word, last=t == n - 1)
        )
    if kind in ("compare", "keep") and t:
        told += describe_ways(data, t, j)
    reached = {u for each, u, _ in data["steps"][: at + 1] if each == TRACE}
    if reached:
        states = [name_state(data, found["path"][u]) if u in reached else "" for u in range(n)]
        told.append(say("trellis.path", name="", states=states))
    return told


def describe_ways(data: Mapping, t: int, j: int) -> list[str]:
    """Return each possible way into a cell, and how many are impossible."""
    ways = data["log"]["candidates"][t]
    possible = [i for i, way in enumerate(ways) if way[j] is not None]
    lost = len(ways) - len(possible)
    told = [describe_way(data, t, i, j) for i in possible]
    return [*told, say("lattice.impossible", ways=lost)] if lost else told


def describe_way(data: Mapping, t: int, i: int, j: int) -> str:
    """Return one way into a cell as a sum: the score of state i before it, the transition from i to j, the emission."""
    found = data["log"]
    terms = {
        "lattice.before": found["scores"][t - 1][i],
        "lattice.transition": found["transition"][i][j],
        "lattice.emission": found["emission"][t][j],
    }
    factors = [{"text": write_logarithm(value), "label": say(key)} for key, value in terms.items()]
    result = write_logarithm(found["candidates"][t][i][j])
    name = say("lattice.way", state=data["states"][i])
    return describe_line({"name": name, "factors": factors, "result": result}, "+")


def describe_search(path: Mapping) -> str:
    """Return what a search finds, what it costs, and whether no path is more probable."""
    return say(
        "lattice.search",
        name=path["name"],
        p=write_probability(path["probability"]),
        logarithm=write_logarithm(path["log_probability"]),
        nodes=path["nodes"],
        products=path["products"],
        best=path["best"],
        exact=path["id"] == "viterbi",
    )


def name_state(data: Mapping, j: int) -> str:
    """Return a state's name; −1 is none."""
    return data["states"][j] if 0 <= j < len(data["states"]) else HIDDEN


def write_logarithm(value: float | None) -> str:
    """Return a logarithm with two decimals.

    >>> write_logarithm(-1.20397), write_logarithm(None)
    ('−1.20', '−∞')
    """
    return NEVER if value is None else signed(value)


def write_probability(value: float | None) -> str:
    """Return a probability with as many digits as the view gives it.

    >>> write_probability(0.2007268), write_probability(0.00082944), write_probability(6.9e-12), write_probability(None)
    ('0.201', '0.00083', '6.9·10⁻¹²', '−∞')
    """
    return NEVER if value is None else plain_number(value, 3 if value >= SMALL else 2)
