"""The tokenizers library learns the same merges from a play, and with the same merges cuts every text as we do."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from core.models.tokens.byte_pairs import PIECES, BytePairs, learn_merges
from core.text.samples.shelf import sample

TEXT = " ".join(f"the {a} {b} of the {c}s is {a}er than the {c}'s {b}ness." for a in ("old", "new", "cold", "bold")
                for b in ("kind", "sad", "great") for c in ("king", "queen", "café", "ring"))  # fmt: skip
OURS = learn_merges(TEXT, merges=120)


def byte_level(model: models.BPE) -> Tokenizer:
    made = Tokenizer(model)
    cut = pre_tokenizers.Split(Regex(PIECES.pattern), "isolated")
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    made.decoder = decoders.ByteLevel()
    return made


def byte_names() -> list[str]:
    """Return the printable character that stands for each byte in the tokenizers library."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


@pytest.fixture(scope="module")
def theirs() -> Tokenizer:
    bytes_ = byte_names()
    names = ["".join(bytes_[byte] for byte in piece) for piece in OURS.pieces]
    merges = [(names[left], names[right]) for left, right in OURS.merges]
    return byte_level(models.BPE({name: i for i, name in enumerate(names)}, merges))


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet="kingsqueroldbawthe'. ,\ncafé—"))
def test_the_same_merges_cut_a_text_alike(theirs, text):
    assert OURS.encode(text) == theirs.encode(text).ids


HAMLET = sample("hamlet").read().text
MERGES = 1000


def letters(piece: str) -> str:
    """Return a piece with a letter for each byte, in the bytes' order: theirs breaks a tie by that order too."""
    return "".join(chr(0x100 + byte) for byte in piece.encode())


@pytest.fixture(scope="module")
def of_hamlet() -> tuple[BytePairs, Tokenizer]:
    """Return what both learned from Hamlet, theirs on its pieces written in `letters`, with a space between them."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    alphabet = [chr(0x100 + byte) for byte in range(256)]
    trainer = trainers.BpeTrainer(
        vocab_size=256 + MERGES, initial_alphabet=alphabet, show_progress=False, min_frequency=2
    )
    made.train_from_iterator([" ".join(map(letters, PIECES.findall(HAMLET)))], trainer)
    return learn_merges(HAMLET, MERGES), made


def test_both_learn_the_same_thousand_merges_from_hamlet_in_the_same_order(of_hamlet):
    ours, theirs = of_hamlet
    merges = json.loads(theirs.to_str())["model"]["merges"]
    written = [tuple(bytes(ord(letter) - 0x100 for letter in side) for side in pair) for pair in merges]
    assert [(ours.pieces[left], ours.pieces[right]) for left, right in ours.merges] == written
    assert len(written) == MERGES


def test_both_cut_hamlet_into_the_same_tokens(of_hamlet):
    ours, theirs = of_hamlet
    for text in (HAMLET, "the unhappiest of keepers, 早上好 🦜 naïve", "zzzz qqqq  \n"):
        ids = theirs.encode(" ".join(map(letters, PIECES.findall(text)))).ids
        assert ours.encode(text) == ids
