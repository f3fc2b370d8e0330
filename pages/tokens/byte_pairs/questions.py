"""Exercises on byte-pair encoding: the first merge, what a merge does to the counts, the length, a new word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.tokens.byte_pairs import BytePairs, Pair, bytes_of, learn_merges, merged
from core.models.tokens.merge_steps import pair_counts

WORDS = "at hat that the he she heat eat tea sea seat ate has ash test set east these haste taste".split()
NEW = (  # of different letters
    "bread stone crane lemon tiger robin plant cloud house night river ocean".split(),
    "planet garden bridge winter island silver orange market frozen jungle basket".split(),
)
SPACE = "␣"


def draw_words(draws: Draws, count: int) -> dict[str, int]:
    """Return so many different words with the space before each, and how often each occurs."""
    return {f" {word}": draws.integer(1, 12) for word in draws.sample(WORDS, count)}


def count_pairs(words: Mapping[str, int]) -> Counter[Pair]:
    """Return the counts of the pairs of bytes in words that occur so often."""
    return pair_counts({tuple(bytes_of(word)): times for word, times in words.items()})


def best_pair(counts: Mapping[Pair, int]) -> Pair:
    """Return the pair with the largest count; of equal ones the pair with the smaller ids."""
    return min(counts, key=lambda pair: (-counts[pair], pair))


def is_tied(counts: Mapping[Pair, int]) -> bool:
    """Return whether two pairs have the largest count."""
    return sum(times == max(counts.values()) for times in counts.values()) > 1


def write_token(token: str) -> str:
    """Return a token with a visible space."""
    return token.replace(" ", SPACE)


def write_pair(pair: Sequence[int], tokens: Sequence[str]) -> str:
    """Return a pair as its two tokens."""
    return " + ".join(write_token(tokens[each]) for each in pair)


def counted(words: Mapping[str, int]) -> Table:
    """Return the words with their counts as a table."""
    return Table(("c",), [write_token(word) for word in words], [list(words.values())])


def draw_pair(draws: Draws, difficulty: int) -> Draw | None:
    """The first merge; mistakes: count each word once, take the two most frequent letters."""
    words = draw_words(draws, difficulty + 3)
    letters = Counter(byte for word, times in words.items() for byte in bytes_of(word) * times)
    counts, kinds = count_pairs(words), count_pairs(dict.fromkeys(words, 1))
    right, once = best_pair(counts), best_pair(kinds)
    frequent = letters.most_common(2)
    if is_tied(counts):
        return None
    apart = (frequent[0][0], frequent[1][0])
    tokens = BytePairs(()).tokens
    return Draw(
        given={"words": counted(words)},
        answer=write_pair(right, tokens),
        mistakes={"once": write_pair(once, tokens), "letters": write_pair(apart, tokens)},
        steps={
            "most": counts[right],
            "where": [
                (write_token(word), times)
                for word, times in words.items()
                if right in pairwise(bytes_of(word))
            ],
            "once_total": counts[once],
            "once_kinds": kinds[once],
            "letters_total": counts[apart],
            "frequent": [(write_token(tokens[byte]), times) for byte, times in frequent[:2]],
        },
    )


def draw_recount(draws: Draws, difficulty: int) -> Draw | None:
    """Counts after a merge; mistakes: keep the old counts, count each word once."""
    words = draw_words(draws, difficulty + 2)
    before = count_pairs(words)
    pair = best_pair(before)
    if is_tied(before):
        return None
    pairs = BytePairs((pair,))
    split = {word: tuple(merged(bytes_of(word), pair, 256)) for word in words}
    after = pair_counts({split[word]: times for word, times in words.items()})
    kinds = pair_counts(dict.fromkeys(split.values(), 1))
    beside = [
        each for each in before if each != pair and set(each) & set(pair) and after[each] < before[each]
    ]
    grown = [each for each in after if 256 in each]
    if not beside or not grown:
        return None
    shown = [*draws.sample(beside, min(2, len(beside))), *draws.sample(grown, min(difficulty, len(grown)))]
    return Draw(
        given={"words": counted(words), "pair": write_pair(pair, pairs.tokens)},
        answer=[after[each] for each in shown],
        mistakes={
            "stale": [before[each] for each in shown],
            "once": [kinds[each] for each in shown],
        },
        steps={
            "token": write_token(pairs.tokens[256]),
            "split": [" · ".join(write_token(pairs.tokens[i]) for i in split[word]) for word in words],
            "times": list(words.values()),
            "lost": write_pair(shown[0], pairs.tokens),
            "was": before[shown[0]],
            "now": after[shown[0]],
            "new": write_pair(shown[-1], pairs.tokens),
            "new_count": after[shown[-1]],
            "new_kinds": kinds[shown[-1]],
        },
        table=Table([write_pair(each, pairs.tokens) for each in shown], ("c",), [[None]] * len(shown)),
    )


def draw_length(draws: Draws, difficulty: int) -> Draw | None:
    """Tokens after some merges; mistakes: never count again, two tokens less a merge, count each word once."""
    words, merges = draw_words(draws, difficulty + 2), difficulty + 1
    pairs = learn_merges("".join(word * times for word, times in words.items()), merges)
    if len(pairs.merges) < merges:
        return None
    N0 = sum(len(bytes_of(word)) * times for word, times in words.items())
    stale = sorted(count_pairs(words).values(), reverse=True)[:merges]
    saved = sum(pairs.counts)
    kinds = sum(len(bytes_of(word)) - len(pairs.encode(word)) for word in words)
    return Draw(
        given={"words": counted(words), "merges": merges},
        answer=N0 - saved,
        mistakes={"stale": N0 - sum(stale), "double": N0 - 2 * saved, "once": N0 - kinds},
        steps={
            "N0": N0,
            "made": [
                (write_pair(pair, pairs.tokens), times)
                for pair, times in zip(pairs.merges, pairs.counts, strict=True)
            ],
            "stale_counts": stale,
            "kinds": kinds,
            "saved": saved,
        },
    )


def draw_encode(draws: Draws, difficulty: int) -> Draw | None:
    """A new word's tokens; mistakes: merge what is leftmost, merge what was learned last."""
    word = draws.choose(NEW[min(difficulty, 2) - 1])
    pairs = draw_merges(draws, word, 1 if difficulty < 3 else 3)
    if pairs is None:
        return None
    found = {name: encode_by(pairs, word, rule) for name, rule in RULES.items()}
    begun = {name: rule(possible(pairs, bytes_of(word)), pairs) for name, rule in RULES.items()}
    return Draw(
        given={"word": word, "learned": [write_pair(pair, pairs.tokens) for pair in pairs.merges]},
        answer=write_tokens(pairs, pairs.steps(word)[-1]),
        mistakes={name: write_tokens(pairs, ids) for name, ids in found.items()},
        steps={
            "rows": [write_tokens(pairs, ids) for ids in pairs.steps(word)],
            "first": write_pair(made_first(pairs, word), pairs.tokens),
            "number": pairs.ranks[made_first(pairs, word)] + 1,
            "begun": {
                name: (write_pair(pair, pairs.tokens), pairs.ranks[pair] + 1) for name, pair in begun.items()
            },
        },
    )


def draw_merges(draws: Draws, word: str, longer: int) -> BytePairs | None:
    """Return merges of all neighbours in a word, in any order, then some of longer tokens; None where one comes twice."""
    pairs = BytePairs(draws.shuffle(tuple(pairwise(bytes_of(word)))))
    for _ in range(longer):
        cuts = [pairs.steps(word)[-1], *(encode_by(pairs, word, rule) for rule in RULES.values())]
        ids = draws.choose(cuts)
        if len(ids) < 3:
            return None
        at = draws.integer(0, len(ids) - 2)
        if pairs.pieces[ids[at]] + pairs.pieces[ids[at + 1]] in pairs.pieces:
            return None
        pairs = BytePairs((*pairs.merges, (ids[at], ids[at + 1])))
    return pairs


def write_tokens(pairs: BytePairs, ids: Sequence[int]) -> str:
    """Return tokens with a dot between them."""
    return " · ".join(pairs.tokens[i] for i in ids)


def possible(pairs: BytePairs, ids: Sequence[int]) -> list[Pair]:
    """Return the learned pairs that are neighbours in some ids, from left to right."""
    return [pair for pair in pairwise(ids) if pair in pairs.ranks]


def made_first(pairs: BytePairs, word: str) -> Pair:
    """Return the merge that is made first in a word: the earliest learned."""
    return min(possible(pairs, bytes_of(word)), key=pairs.ranks.__getitem__)


def find_leftmost(found: list[Pair], pairs: BytePairs) -> Pair:
    """Return the leftmost of the possible pairs."""
    return found[0]


def find_latest(found: list[Pair], pairs: BytePairs) -> Pair:
    """Return the possible pair that was learned last."""
    return max(found, key=pairs.ranks.__getitem__)


RULES = {"leftmost": find_leftmost, "latest": find_latest}  # wrong ones


def encode_by(pairs: BytePairs, word: str, choose: Callable[[list[Pair], BytePairs], Pair]) -> list[int]:
    """Return a word's ids when another rule chooses among the merges that fit.

    >>> encode_by(BytePairs(((98, 99), (97, 98))), "abc", find_leftmost)
    [257, 99]
    """
    ids = list(bytes_of(word))
    while found := possible(pairs, ids):
        pair = choose(found, pairs)
        ids = merged(ids, pair, 256 + pairs.ranks[pair])
    return ids


MAKERS = (Maker(draw_pair), Maker(draw_recount), Maker(draw_length), Maker(draw_encode))
