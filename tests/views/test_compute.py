"""What the views compute in the browser is what core computes, to ten digits: `node --test` against core's own JSON."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

from core.figures.generation.beam_search import beam_payload, beam_trace
from core.figures.generation.generation_tree import shorten_probability
from core.figures.packed import packed_shares
from core.figures.translation.decoder_step import decoder_step
from core.lesson.browser_view import IMPORT, VIEWS, bundled
from core.models.generation.beam_search import beam_search
from core.models.generation.sampling import SamplingSettings, distribution, draw_next_token
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney
from core.models.pretraining.layer_mix import LEFT, RIGHT, LayerMix
from core.models.self_attention.attention import causal_mask
from core.models.self_attention.attention_edits import with_weight
from core.models.self_attention.peeking import TOO_LATE, ZERO
from core.models.self_attention.score_matrix import attend_by_scores
from core.models.translation.kernel_smoothing import KERNELS, dictionary_lookup, soft_lookup
from core.models.translation.translate import greedy, stored_translator
from core.models.word_vectors.procrustes import procrustes
from core.words.numbers import plain_number, probability

HERE = Path(__file__).parent
NAMES = sorted(path.parent.name for path in VIEWS.glob("*/view.js"))


def listed(array):
    """Return an array as JSON can hold it: None for minus infinity and for no number."""
    values = np.asarray(array, float).ravel()
    return [float(value) if np.isfinite(value) else None for value in values]


def samplings():
    logits = np.random.default_rng(1).normal(0, 2, 30)
    logits[4] = -np.inf
    for settings in (
        SamplingSettings(),
        SamplingSettings(temperature=0.0),
        SamplingSettings(temperature=0.5, top_k=7),
        SamplingSettings(temperature=1.7, top_p=0.8),
        SamplingSettings(temperature=1.3, top_k=12, top_p=0.6),
    ):
        trace = distribution(logits, settings)
        yield {
            "logits": listed(logits),
            "order": trace.order.tolist(),
            "settings": {
                "temperature": settings.temperature,
                "top_k": settings.top_k,
                "top_p": settings.top_p,
            },
            "probabilities": listed(trace.probabilities),
            "drawn": [[u, int(draw_next_token(trace, u))] for u in (0.0, 0.31, 0.77, 0.999)],
        }


def beams():
    counted = few_sentences()
    names = [counted.name(token) for token in range(len(counted.vocabulary))]
    prompt = counted.encode("the", end=False)
    for width, end in ((1, None), (3, counted.vocabulary["</s>"]), (8, None)):
        tree = beam_search(kneser_ney(counted.counts, 3), prompt, width, 6, 1.0, end)
        beam = beam_trace(tree, names, counted.text, max(node.depth for node in tree.nodes))
        steps = [
            beam_payload(tree, names, counted.text, step, beam["rows"])
            for step in range(1, len(beam["steps"]) + 1)
        ]
        for node in (node for step in steps for node in step["nodes"] if node["p"] is not None):
            node["p"] = float(shorten_probability(node["p"]))  # as many digits as are written
        yield {"beam": beam, "steps": steps}


def softmaxes():
    torch.manual_seed(3)
    scores = torch.randn(5, 5, dtype=torch.float64) * 40  # so large that a row is shifted
    for way in (None, ZERO, TOO_LATE):
        mask = causal_mask(5).double()
        trace = attend_by_scores(scores, 3, mask, way)
        yield {
            "scores": scores.tolist(),
            "d_k": 3,
            "way": {ZERO: "zero", TOO_LATE: "late"}.get(way),
            "hidden": (mask == -np.inf).tolist(),
            "weights": listed(trace.weights),
            "sums": listed(trace.row_sums),
        }


def lookups():
    keys, values = np.array([-1.0, 0.5, 0.75, 3.0]), np.array([2.0, -1.0, 4.0, 0.5])
    for way in ("exact", *KERNELS):
        for query in (0.5, 0.6, 9.0):
            found = (
                dictionary_lookup(np.array([query]), keys, values)
                if way == "exact"
                else soft_lookup(np.array([query]), keys, values, 0.4, way)
            )
            points = {"keys": keys.tolist(), "values": values.tolist(), "bandwidth": 0.4, "way": way}
            result = listed(found.result)[0] if np.isfinite(found.result[0]) else None
            yield {"points": points, "query": query, "weights": listed(found.weights), "result": result}


def rows():
    row = torch.tensor([[0.5, 0.25, 0.15, 0.1]], dtype=torch.float64)
    for key, weight in ((0, 0.0), (2, 0.4), (3, 1.0)):
        yield {
            "row": row[0].tolist(),
            "key": key,
            "weight": weight,
            "made": listed(with_weight(row, 0, key, weight)),
        }


def contexts():
    translator = stored_translator("translate_french_additive")
    made = greedy(translator.model, translator.source.encode("the old man sold two books .".split()))
    for t in (0, 3):
        step = decoder_step(made, t)
        states = packed_shares(step.states)
        yield {"weights": step.weights.tolist(), "states": states, "context": step.context.tolist()}


def maps():
    random = np.random.default_rng(5)
    for count in (3, 40):
        points = random.normal(size=(count, 2)) * [4, 1]
        turn = procrustes(points - points.mean(axis=0), random.normal(size=(count, 2)))
        yield {"places": listed(points), "turn": turn.tolist(), "turned": listed(points @ turn)}


def mixes():
    random = np.random.default_rng(5)
    for words, classes in ((1, 2), (4, 2), (3, 12)):
        layers = random.normal(size=(3, 2, words, 4))
        numbers = random.normal(size=3), 1.5, random.normal(size=(classes, 8)), random.normal(size=classes)
        mix = LayerMix(tuple(map(str, range(classes))), (0, 1, 2), (LEFT, RIGHT), *numbers)
        z, p = mix.scores(layers), mix.tag_probabilities(layers)
        yield {
            "parts": mix.parts(layers).transpose(1, 0, 2).tolist(),
            "s": mix.s.tolist(),
            "u": mix.u.tolist(),
            "gamma": mix.gamma,
            "b": mix.b.tolist(),
            "likeliest": [[int(k), z[t, k], p[t, k]] for t, k in enumerate(z.argmax(axis=1))],
        }


def small():
    for value in (0.0, 1.0, 0.27, 0.0269, 0.000181, 0.00009999, 0.0000999, 0.000012345, 7.6e-12):
        yield from ((value, digits, plain_number(value, digits)) for digits in (1, 2, 3))


def test_what_the_browser_computes_is_what_core_computes(tmp_path):
    numbers = {
        "samplings": list(samplings()),
        "beams": list(beams()),
        "softmaxes": list(softmaxes()),
        "lookups": list(lookups()),
        "rows": list(rows()),
        "contexts": list(contexts()),
        "maps": list(maps()),
        "mixes": list(mixes()),
        "small": list(small()),
        "probabilities": [
            (p, probability(p)) for p in (0.0, 1e-8, 0.00012, 0.004, 0.25, 0.9994, 0.9996, 1.0)
        ],
    }
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps(numbers), encoding="utf-8")
    ran = subprocess.run(
        ["node", "--test", str(HERE / "compute.test.js"), str(HERE / "lost.test.js")],
        env={**os.environ, "NUMBERS": str(path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]


@pytest.mark.parametrize("view", NAMES)
def test_a_view_with_what_it_imports_is_one_module_that_uses_no_name_twice(view, tmp_path):
    code = bundled(VIEWS / view / "view.js")
    assert not IMPORT.search(code)
    path = tmp_path / "view.mjs"
    path.write_text(code, encoding="utf-8")
    checked = subprocess.run(["node", "--check", str(path)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    "path", sorted(VIEWS.glob("*/*.js")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_no_view_writes_markup(path):
    code = path.read_text(encoding="utf-8")
    assert not any(way in code for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"))
