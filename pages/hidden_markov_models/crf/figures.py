"""Pictures of a CRF: sums of weights, its lattice, counts before and after training, and errors on held-out text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.figures.blank import blank
from core.figures.figure import Figure, bar
from core.figures.layer_bars import join_panels, make_panel, make_row
from core.figures.palette import BLUE, VERMILLION
from core.figures.tag_cards import draw_bars, hue_of, tag_row
from core.models.hidden_markov_models.crf import ConditionalRandomField, ScoredSentence
from core.words.numbers import percent, signed
from pages.hidden_markov_models.crf import LESSON

WORDS = LESSON.words
BIASED, FREE = "memm", "crf"  # the paths of both models, as the words mark them
ROOM = 1.35  # of a panel's scale, so that a number has room behind the longest bar


def name_feature(feature: str) -> str:
    """Return a feature as the pictures name it.

    >>> name_feature("suffix=ed"), name_feature("capital")
    ('suffix -ed', 'capital')
    """
    kind, _, value = feature.partition("=")
    return WORDS.label(f"feature.{kind}", value=value)


def draw_sum(weights: Mapping[str, float], tag: str, least: float, most: float) -> dict:
    """Return a panel in which the weights of a word's features add up to the score of a tag."""
    total, rows = 0.0, []
    for feature, weight in weights.items():
        hue = "blue" if weight >= 0 else "vermillion"
        rows.append(
            make_row(
                name_feature(feature),
                f"{tag}.{feature}",
                total + weight,
                signed(weight, plus="+"),
                total,
                hue=hue,
            )
        )
        total += weight
    rows.append(
        make_row(WORDS.label("row.sum"), f"{tag}.sum", total, signed(total), kind="total", hue="grey")
    )
    return make_panel(WORDS.label("panel.sum", tag=tag), most, rows, least)


def ends_of_sum(weights: Sequence[Mapping[str, float]]) -> tuple[float, float]:
    """Return where the running sums of some panels begin and end, with room for their numbers."""
    sums = np.concatenate([[0.0, *np.cumsum(list(each.values()))] for each in weights])
    reach = float(sums.max() - sums.min())
    return float(sums.min()) - 0.1 * reach, float(sums.max()) + 0.35 * reach


def draw_lattice(found: ScoredSentence) -> dict:
    """Return the data of the view "trellis": Viterbi's scores in the nodes, and the best path."""
    n, K = found.viterbi.scores.shape
    path = found.viterbi.path
    return {
        "columns": [{"word": word, "count": 0} for word in found.words],
        "rows": [{"name": state, "hue": hue_of(state)} for state in found.states],
        "nodes": [
            [
                {
                    "text": signed(float(found.viterbi.scores[t, j]), 1),
                    "kind": "best" if path[t] == j else "filled",
                }
                for j in range(K)
            ]
            for t in range(n)
        ],
        "edges": [{"t": t, "i": path[t - 1], "j": path[t], "kind": "best", "text": ""} for t in range(1, n)],
        "axis": "",
        "sum": "",
        "faint": True,
    }


def draw_paths(found: ScoredSentence, shown: Sequence[tuple[float, tuple[int, ...]]], rest: float) -> dict:
    """Return a panel of the most probable paths and of what all others share."""
    rows = [
        tag_row([found.states[j] for j in path], p, percent(p, 0), not i, str(i))
        for i, (p, path) in enumerate(shown)
    ]
    others = tag_row([WORDS.label("row.others")], rest, percent(rest, 0), False, "others")
    return draw_bars(WORDS.label("panel.paths"), [*rows, others], 1)


def draw_counts(names: Sequence[str], observed: Sequence[float], expected: Sequence[float]) -> dict:
    """Return two panels on one scale: how often things are counted, and how often the model expects them."""
    most = ROOM * max(*observed, *expected)
    panels = [
        make_panel(
            WORDS.label(f"panel.{kind}"),
            most,
            [
                make_row(name, f"{kind}.{i}", float(value), f"{value:.1f}", hue=hue)
                for i, (name, value) in enumerate(zip(names, values, strict=True))
            ],
        )
        for kind, values, hue in (("observed", observed, "grey"), ("expected", expected, "blue"))
    ]
    return join_panels(*panels)


def draw_machine(
    states: Sequence[str],
    letters: Sequence[str],
    steps: Sequence[tuple[int, int, int, str]],
    paths: Sequence[tuple[str, Sequence[int], str]] = (),
) -> dict:
    """Return the machine of two words as the view "trellis".

    `steps` (t, i, j, text) are the steps that it allows, `paths` (id, states, text) what each model chooses.
    """
    used = {(0, i) for t, i, _, _ in steps if t == 1} | {(t, j) for t, _, j, _ in steps}
    hues = {BIASED: "vermillion", FREE: "blue"}
    return {
        "columns": [{"word": letter, "count": 0} for letter in letters],
        "rows": [{"name": state, "hue": None} for state in states],
        "nodes": [
            [
                {"text": state if (t, j) in used else "", "kind": "filled" if (t, j) in used else "open"}
                for j, state in enumerate(states)
            ]
            for t in range(len(letters))
        ],
        "edges": [{"t": t, "i": i, "j": j, "kind": "way", "text": text} for t, i, j, text in steps],
        "axis": "",
        "sum": "",
        "faint": False,
        "paths": [
            {
                "id": name,
                "name": WORDS.label(f"model.{name}"),
                "hue": hues[name],
                "nodes": list(nodes),
                "text": text,
            }
            for name, nodes, text in paths
        ],
    }


def draw_errors(of: str, models: Sequence[str], quality: Mapping[str, float]) -> dict:
    """Return a panel of the share of held-out words that each model gets wrong, with its interval."""
    wrong = [1 - quality[f"{model}_on_{of}"] for model in models]
    rows = [
        make_row(
            WORDS.label(f"model.{model}"),
            f"{of}.{model}",
            share,
            percent(share, 1),
            note=WORDS.label(
                "row.interval",
                low=percent(1 - quality[f"{model}_on_{of}_high"], 1),
                high=percent(1 - quality[f"{model}_on_{of}_low"], 1),
            ),
            kind="best" if model == FREE else "plain",
            hue="blue" if model == FREE else "grey",
        )
        for model, share in zip(models, wrong, strict=True)
    ]
    return make_panel(WORDS.label(f"panel.errors.{of}"), ROOM * max(wrong), rows)


def draw_preferences(weights: Mapping[str, float], word: str, tag: str, other: str, most: int) -> dict:
    """Return a panel of the features that prefer a word's tag to another, the strongest first."""
    for_tag = [(feature, weight) for feature, weight in weights.items() if weight > 0][:most]
    rows = [
        {
            "name": name_feature(feature),
            "tags": [],
            "hue": hue_of(tag),
            "mark": f"row.{i}",
            "value": weight,
            "text": signed(weight, plus="+"),
            "kind": "plain",
        }
        for i, (feature, weight) in enumerate(for_tag)
    ]
    return draw_bars(WORDS.label("panel.prefers", word=word, tag=tag, other=other), rows)


def preferences_figure(weights: Mapping[str, float], tag: str, other: str) -> Figure:
    """Return every feature of a word as a bar: to the right where it prefers the tag, to the left where the other one."""
    figure = blank(140 + 34 * len(weights), WORDS.label("axis.prefers", tag=tag, other=other))
    values = list(weights.values())
    figure.add_trace(
        bar(
            x=values,
            y=[name_feature(feature) for feature in weights],
            orientation="h",
            text=[signed(value, plus="+") for value in values],
            marker={"color": [BLUE if value >= 0 else VERMILLION for value in values]},
            showlegend=False,
        )
    )
    reach = 1.4 * max(map(abs, values)) or 1
    figure.update_xaxes(range=[-reach, reach])
    return figure.update_yaxes(autorange="reversed", type="category", automargin=True)


def weights_table(crf: ConditionalRandomField, words: Sequence[str], t: int) -> pd.DataFrame:
    """Return the weight of each feature of a word for each tag, and their sum."""
    deciding = crf.deciding(words, t)
    names = [*map(name_feature, deciding), WORDS.label("row.sum")]
    rows = [*deciding.values(), crf.scores(words)[t]]
    table = pd.DataFrame(rows, columns=list(crf.states)).astype(float)
    table.insert(0, WORDS.label("column.feature"), names)
    return table
