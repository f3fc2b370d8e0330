"""GPT-2's tokenizer gives the ids that Hugging Face's does from the same merges, and any text back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel

from core.models.tokens.gpt2_tokenizer import byte_ids, gpt2_id, gpt2_pairs
from core.training.recipes.gpt2_tokenizer import written_bytes


@pytest.fixture(scope="module")
def theirs():
    """An independent tokenizer, from our stored merges in the published file's own writing."""
    pairs, written = gpt2_pairs(), written_bytes()
    name = {i: "".join(written[byte] for byte in piece) for i, piece in enumerate(pairs.pieces)}
    vocabulary = {name[i]: gpt2_id(i) for i in range(len(pairs))}
    merges = [(name[left], name[right]) for left, right in pairs.merges]
    tokenizer = Tokenizer(BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    return tokenizer


TEXTS = (
    "To be, or not to be: that is the question",
    "I'll say he's   here\n\n twice: 42nd ½ x²",
    "undreamable 🦜 早上好 مرحبا naïve",
    "don't won't I'd they've   ",
)


@pytest.mark.parametrize("text", TEXTS)
def test_the_ids_are_those_of_hugging_face(theirs, text):
    assert [gpt2_id(i) for i in gpt2_pairs().encode(text)] == theirs.encode(text).ids


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_comes_back(text):
    assert gpt2_pairs().decode(gpt2_pairs().encode(text)) == text


def test_published_ids_of_known_tokens():
    """Of the table that OpenAI published: " the" 262, "Hello" 15496, " world" 995, "!" 0."""
    pairs = gpt2_pairs()
    assert [gpt2_id(i) for i in pairs.encode("Hello world! the")] == [15496, 995, 0, 262]
    assert sorted(byte_ids().values()) == list(range(256))
    assert len(pairs) == 50_256
