"""Server time and bytes of a 512-token heatmap and of a grid of heads, against bertviz's HTML for the same weights.

Ours is the payload of a browser view as Streamlit sends it, JSON with float32 in base64; theirs is what `head_view`
and `model_view` return with html_action="return". Both start from the same tensors in memory. Times are processor
times of this process, the shortest of some runs that take turns. The grid of a short text holds every weight; of a
longer text ours holds means (64 cells a side), and any head that is opened is then sent whole.
`python -m tests.benchmarks.bench_attention`

`make bench` installs bertviz without most of what it asks for (boto3, sentencepiece), which drawing does not use.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import orjson
import torch
from bertviz import head_view, model_view

from core.figures.alignment import attention_view
from core.figures.self_attention.heads import head_grid, masked_weights
from core.models.self_attention.attention import AttentionTrace, attend, causal_mask

GRIDS = ((4, 6, 64), (4, 6, 256))  # layers, heads, tokens: the shape of the character GPT


def layers_of(L: int, H: int, T: int) -> list[AttentionTrace]:
    """Return L layers of H causal heads on T tokens, from random queries and keys."""
    torch.manual_seed(0)
    return [attend(*torch.randn(3, H, T, 32), 32**-0.5, causal_mask(T)) for _ in range(L)]


def our_heatmap(layers: list[AttentionTrace]) -> bytes:
    """Return what the browser gets to draw one head."""
    tokens = [f"token{t}" for t in range(layers[0].weights.shape[-1])]
    return orjson.dumps(attention_view({"head 1": masked_weights(layers[0])[0]}, tokens, tokens))


def our_grid(layers: list[AttentionTrace]) -> bytes:
    """Return what the browser gets to draw all heads."""
    return orjson.dumps(head_grid(layers, (0, 0)))


def their_html(view: Callable, layers: list[AttentionTrace]) -> bytes:
    """Return bertviz's page for the same weights."""
    tokens = [f"token{t}" for t in range(layers[0].weights.shape[-1])]
    return view([layer.weights[None] for layer in layers], tokens, html_action="return").data.encode()


def fastest(ways: dict[str, Callable[[], bytes]], repeats: int = 3) -> dict[str, tuple[float, int]]:
    """Return the shortest processor time of each way in seconds, and its bytes; the ways take turns."""
    best = dict.fromkeys(ways, (float("inf"), 0))
    for _ in range(repeats):
        for name, way in ways.items():
            began = time.process_time()
            made = way()
            best[name] = min(best[name], (time.process_time() - began, len(made)))
    return best


def compare(title: str, ours: Callable[[], bytes], theirs: Callable[[], bytes]) -> None:
    """Print both ways and how many times theirs is ours."""
    found = fastest({"ours": ours, "bertviz": theirs})
    print(title)
    for name, (seconds, size) in found.items():
        print(f"  {name:8}{1000 * seconds:12.1f} ms{size / 1000:14,.0f} kB")
    (our_time, our_size), (their_time, their_size) = found.values()
    print(f"  {'ratio':8}{their_time / our_time:12.0f} x {their_size / our_size:14.1f} x")


def main() -> None:
    """Print times, bytes and ratios."""
    torch.set_num_threads(1)
    one = [AttentionTrace(**{name: part[:1] for name, part in vars(layers_of(1, 1, 512)[0]).items()})]
    compare("one head, 512 tokens", lambda: our_heatmap(one), lambda: their_html(head_view, one))
    for L, H, T in GRIDS:
        layers = layers_of(L, H, T)
        title = f"grid of {L} x {H} heads, {T} tokens" + (", ours as means" if T > 64 else "")
        compare(title, partial(our_grid, layers), partial(their_html, model_view, layers))


if __name__ == "__main__":
    main()
