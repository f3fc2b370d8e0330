"""With the same merges the tokenizers library cuts every text as we do; trained alike, it compresses alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from core.text.tokenization.byte_pairs import PIECES, train

TEXT = " ".join(f"the {a} {b} of the {c}s is {a}er than the {c}'s {b}ness." for a in ("old", "new", "cold", "bold")
                for b in ("kind", "sad", "great") for c in ("king", "queen", "café", "ring"))  # fmt: skip
OURS = train(TEXT, merges=120)


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


def test_trained_on_the_same_text_both_need_as_many_tokens():
    theirs = byte_level(models.BPE())
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=256 + 120, initial_alphabet=alphabet, show_progress=False)
    theirs.train_from_iterator([TEXT], trainer)
    assert len(OURS.encode(TEXT)) == pytest.approx(len(theirs.encode(TEXT).ids), rel=0.02)
