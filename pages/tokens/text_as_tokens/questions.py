"""Exercises on tokenization: ids, unknown tokens, bytes, and binary codes."""

from __future__ import annotations

from collections import Counter

from core.exercises.draws import Draws
from core.exercises.maker import Draw, Maker, Table
from core.models.tokens.byte_pairs import BytePairs, bytes_of
from core.models.tokens.codes import binary, bits_needed
from core.models.tokens.unknown_tokens import unknown_by_size
from core.text.tokenization.tokens import characters
from core.text.tokenization.vocabulary import Vocabulary

TYPES = ("the", "sea", "is", "cold", "and", "a", "king", "sees", "old", "ship")
NEW = ("parrot", "storm", "queen", "moon")
UNKNOWN = "<unk>"
ACCENTED, FAR = ("café", "naïve", "Zoë", "über", "señor"), ("東京", "猫", "日本")
PLAIN = ("a", "cup", "of", "tea", "in", "the", "bar")
SUBSCRIPTS = "₁₂₃₄₅₆₇"
EMOJI = ("🦜", "🎂", "🚀")


def draw_text(draws: Draws, counts: tuple[int, ...]) -> list[str]:
    """Return a text whose types occur so often, in a random order."""
    types = draws.sample(TYPES, len(counts))
    return list(
        draws.shuffle([word for word, times in zip(types, counts, strict=True) for _ in range(times)])
    )


def draw_counts(draws: Draws, difficulty: int) -> tuple[int, ...]:
    """Return different counts of as many types as the difficulty asks for."""
    return tuple(range(1, difficulty + 3)) if draws.integer(0, 1) else (1, *range(3, difficulty + 4))


def draw_ids(draws: Draws, difficulty: int) -> Draw:
    """A sentence's ids; mistakes: no place for the unknown token, in the order of the text, of the alphabet."""
    text = draw_text(draws, draw_counts(draws, difficulty))
    types = tuple(dict.fromkeys(text))
    sentence = draws.shuffle((*draws.sample(types, min(len(types), difficulty + 2)), draws.choose(NEW)))
    right = Vocabulary.of(text, unknown=UNKNOWN)
    read, sorted_types = Vocabulary((UNKNOWN, *types), (), UNKNOWN), (UNKNOWN, *sorted(types))
    lost = next(each for each in sentence if each not in right)
    moved = next((each for each in types if read[each] != right[each]), "")
    return Draw(
        given={"text": " ".join(text), "sentence": " ".join(sentence)},
        answer=right.encode(sentence),
        mistakes={
            "no_unknown": Vocabulary.of([*text, lost]).encode(sentence),
            "text_order": read.encode(sentence),
            "alphabet": Vocabulary(sorted_types, (), UNKNOWN).encode(sentence),
        },
        steps={
            "ranked": list(zip(right.types[1:], right.counts[1:], strict=True)),
            "lost": lost,
            "first": right.types[1],
            "moved": moved,
            "moved_ids": (read[moved], right[moved]),
            "least": sorted(types)[0],
            "least_id": right[sorted(types)[0]],
        },
        table=Table(("id",), sentence, [[None] * len(sentence)]),
    )


def draw_unknown(draws: Draws, difficulty: int) -> Draw | None:
    """The share of unknown tokens; mistakes: the share of the known, of the types, with all words kept."""
    learned = draw_text(draws, draw_counts(draws, difficulty))
    types = [word for word, _ in Counter(learned).most_common()]
    used = [draws.choose((*types, *types, *NEW)) for _ in range(6 + 2 * difficulty)]
    k = draws.integer(2, len(types) - 1)
    shares, kinds = unknown_by_size(learned, used), unknown_by_size(learned, sorted(set(used)))
    lost = [word for word in used if word not in types[:k]]
    if not 0 < shares[k] < 1:
        return None
    return Draw(
        given={"learned": " ".join(learned), "used": " ".join(used), "k": k},
        answer=shares[k],
        mistakes={"known": 1 - shares[k], "types": kinds[k], "all": shares[-1]},
        steps={
            "kept": types[:k],
            "lost": len(lost),
            "n": len(used),
            "lost_types": len(set(lost)),
            "types_used": len(set(used)),
            "size": len(types),
        },
    )


def draw_bytes(draws: Draws, difficulty: int) -> Draw:
    """The bytes of a line; mistakes: count characters, give all that is not ASCII 2 bytes, or 4, leave out the spaces."""
    strange = [draws.choose(ACCENTED), draws.choose(FAR), draws.choose(EMOJI)]
    some = draws.shuffle((*draws.sample(PLAIN, 3), *draws.sample(strange, min(difficulty + 1, 3))))
    line = " ".join(some)
    ids = BytePairs(()).encode(line)
    return Draw(
        given={"line": line},
        answer=len(ids),
        mistakes={
            "characters": len(characters(line)),
            "two": sum(2 if len(bytes_of(each)) > 1 else 1 for each in characters(line)),
            "four": sum(4 if len(bytes_of(each)) > 1 else 1 for each in characters(line)),
            "spaces": len(BytePairs(()).encode(line.replace(" ", ""))),
        },
        steps={
            "n": len(characters(line)),
            "gaps": line.count(" "),
            "long": [
                (each, len(bytes_of(each)))
                for each in dict.fromkeys(characters(line))
                if len(bytes_of(each)) > 1
            ],
            "more": len(ids) - len(characters(line)),
            "widest": max(characters(line), key=lambda each: len(bytes_of(each))),
            "width": max(len(bytes_of(each)) for each in characters(line)),
        },
    )


def draw_code(draws: Draws, difficulty: int) -> Draw | None:
    """Binary codes of ids; mistakes: the lowest bit first, count the ids from 1."""
    V = draws.integer(*((9, 16), (17, 32), (33, 100))[difficulty - 1])
    ids = draws.sample(range(V), 2 if difficulty < 3 else 3)
    b = bits_needed(V)
    codes = binary(ids, V)
    if max(ids) + 1 == 2**b or codes[0].sum() < 2:
        return None
    return Draw(
        given={"V": V, "ids": ids, "b": b},
        answer=codes.ravel(),
        mistakes={"backwards": codes[:, ::-1].ravel(), "from_one": binary([i + 1 for i in ids], V).ravel()},
        steps={
            "powers": [2**place for place in range(b)][::-1],
            "code": "".join(map(str, codes[0])),
            "parts": [2**place for place in range(b) if ids[0] >> place & 1][::-1],
            "next": ids[0] + 1,
        },
        table=Table(
            [f"id {i}" for i in ids], [f"b{SUBSCRIPTS[j]}" for j in range(b)], [[None] * b for _ in ids]
        ),
    )


MAKERS = (Maker(draw_ids), Maker(draw_unknown), Maker(draw_bytes), Maker(draw_code))
