"""Benchmark: learning a thousand byte pairs from Hamlet, beside tokenizers (Rust) and minbpe's naive loop.

    python -m tests.benchmarks.bench_byte_pairs

All three get the same pieces of the text and must learn the same merges. The naive loop, that of Andrej Karpathy's
minbpe, counts all pairs of the text anew before each merge; so few merges of it are timed, spread over all: each is timed
on the text as the merges before have left it, and the mean times their number is its time for all.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

os.environ["RAYON_NUM_THREADS"] = "1"  # one core each

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from core.models.tokens.byte_pairs import PIECES, learn_merges, merged
from core.text.samples.shelf import sample

MERGES, NAIVE = 1000, 50  # the naive loop makes every 50th merge


def seconds(run: Callable, repeats: int = 3) -> float:
    """Return the shortest of some times that a call takes."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)


def peer(letters: list[str]) -> list[tuple[bytes, bytes]]:
    """Learn with tokenizers, a letter for each byte; return the merges in bytes."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    alphabet = [chr(0x100 + byte) for byte in range(256)]
    trainer = trainers.BpeTrainer(
        vocab_size=256 + MERGES, initial_alphabet=alphabet, show_progress=False, min_frequency=2
    )
    made.train_from_iterator(letters, trainer)
    merges = json.loads(made.to_str())["model"]["merges"]
    return [tuple(bytes(ord(letter) - 0x100 for letter in side) for side in pair) for pair in merges]


def naive_merge(words: list[list[int]], token: int) -> tuple[int, int]:
    """Make one merge as minbpe does: count every pair of the text, find the most frequent, merge it everywhere."""
    count = Counter(pair for ids in words for pair in pairwise(ids))
    pair = min(count, key=lambda pair: (-count[pair], pair))
    words[:] = [merged(ids, pair, token) for ids in words]
    return pair


def main() -> None:
    """Time all three, check that they agree, and print the ratios."""
    text = sample("hamlet").read().text
    letters = ["".join(chr(0x100 + byte) for byte in piece.encode()) for piece in PIECES.findall(text)]
    ours = seconds(lambda: learn_merges(text, MERGES))
    pairs = learn_merges(text, MERGES)
    print(f"Hamlet, {len(text):,} characters, {MERGES:,} merges, one core")
    print(f"{'learn_merges':<34} {ours:>8.2f} s")

    lines = [" ".join(letters)]
    theirs = seconds(lambda: peer(lines))
    written = [(pairs.pieces[left], pairs.pieces[right]) for left, right in pairs.merges]
    same = sum(a == b for a, b in zip(peer(lines), written, strict=True))
    report("tokenizers BpeTrainer", theirs, f"learn_merges takes {ours / theirs:,.1f}x", same, MERGES)

    places, times, same = range(0, MERGES, NAIVE), [], 0
    pieces = PIECES.findall(text)
    for place in places:
        steps = {piece: pairs.first(place).encode(piece) for piece in set(pieces)}
        words = [steps[piece] for piece in pieces]
        began = time.perf_counter()
        same += naive_merge(words, 256 + place) == pairs.merges[place]
        times.append(time.perf_counter() - began)
    loop = sum(times) / len(times) * MERGES
    report("naive loop", loop, f"learn_merges is {loop / ours:,.0f}x faster", same, len(places))


def report(name: str, took: float, ratio: str, same: int, of: int) -> None:
    """Print what a peer took, the ratio, and how many of its merges are ours."""
    print(f"{name:<34} {took:>8.2f} s   {ratio:<30} {same} of {of} merges the same")


if __name__ == "__main__":
    main()
