"""Tokens a second of generating with the character GPT's shape: with its cache, without, and transformers' GPT-2.

All three hold the same weights and run on one thread; each samples at temperature 1 from a prompt of 16 tokens.
transformers generates with its own `generate` and its own cache. Times are processor times of this process, the
shortest of some runs that take turns.
`python -m tests.benchmarks.bench_generation`
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from core.models.generation.sampling import SamplingSettings, distribution, draw_next_token, generate
from core.models.neural_language_model import NeuralLanguageModel
from core.models.self_attention.gpt import GPT, GPTConfig
from core.training.recipes.char_gpt import CONFIG
from tests.peers.test_gpt_against_transformers import as_gpt2

V, PROMPT, TOKENS = 63, list(range(16)), 200


def cached(model: NeuralLanguageModel) -> None:
    """Generate, each token read once."""
    assert len(list(generate(model, PROMPT, TOKENS, SamplingSettings(), seed=1))) == TOKENS


def uncached(model: NeuralLanguageModel) -> None:
    """Generate, the whole text read again for each token."""
    ids = list(PROMPT)
    for i in range(TOKENS):
        trace = distribution(model.log_probabilities(ids), SamplingSettings())
        ids.append(draw_next_token(trace, (i * 0.618) % 1))


def theirs(gpt2, cache: bool) -> None:
    """Generate with transformers."""
    prompt = torch.tensor([[0, *PROMPT]])
    made = gpt2.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        do_sample=True,
        top_k=0,
        max_new_tokens=TOKENS,
        min_new_tokens=TOKENS,
        use_cache=cache,
        pad_token_id=0,
    )
    assert made.shape[1] == prompt.shape[1] + TOKENS


def fastest(ways: dict[str, Callable[[], None]], repeats: int = 3) -> dict[str, float]:
    """Return the shortest processor time of each way; the ways take turns."""
    seconds = dict.fromkeys(ways, float("inf"))
    for _ in range(repeats):
        for name, way in ways.items():
            began = time.process_time()
            way()
            seconds[name] = min(seconds[name], time.process_time() - began)
    return seconds


def main() -> None:
    """Print tokens a second and the ratios."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    gpt = GPT(GPTConfig(V, **CONFIG["shape"])).requires_grad_(False)
    model, gpt2 = NeuralLanguageModel(gpt, tuple(map(chr, range(V)))), as_gpt2(gpt)
    seconds = fastest(
        {
            "ours, with the cache": lambda: cached(model),
            "ours, without the cache": lambda: uncached(model),
            "transformers, with its cache": lambda: theirs(gpt2, cache=True),
            "transformers, without": lambda: theirs(gpt2, cache=False),
        }
    )
    ours = seconds["ours, with the cache"]
    for name, taken in seconds.items():
        print(f"{name:30} {TOKENS / taken:8.0f} tokens a second; ours is {taken / ours:.2f} times as fast")


if __name__ == "__main__":
    main()
