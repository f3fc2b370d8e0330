"""What sentences cost is what Hugging Face's tokenizer counts from the same merges."""

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel

from core.models.tokens.byte_pairs import BytePairs
from core.models.tokens.gpt2_tokenizer import gpt2_id, gpt2_pairs
from core.models.tokens.token_prices import measure_sentences, premiums, sentences_in_context
from core.training.recipes.gpt2_tokenizer import written_bytes
from pages.tokens.token_prices import SENTENCES


@pytest.fixture(scope="module")
def theirs():
    pairs, written = gpt2_pairs(), written_bytes()
    name = {i: "".join(written[byte] for byte in piece) for i, piece in enumerate(pairs.pieces)}
    vocabulary = {name[i]: gpt2_id(i) for i in range(len(pairs))}
    tokenizer = Tokenizer(BPE(vocabulary, [(name[left], name[right]) for left, right in pairs.merges]))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    return tokenizer


def test_tokens_are_those_of_hugging_face_and_bytes_those_of_utf_8(theirs):
    costs = measure_sentences(SENTENCES, gpt2_pairs())
    counts = {language: len(theirs.encode(sentence).ids) for language, sentence in SENTENCES.items()}
    assert {language: cost.tokens for language, cost in costs.items()} == counts
    assert all(costs[each].bytes == len(text.encode("utf-8")) for each, text in SENTENCES.items())
    for language, times in premiums(costs, "en").items():
        assert times == pytest.approx(counts[language] / counts["en"], abs=1e-6)
        assert costs[language].bytes_per_token == pytest.approx(
            costs[language].bytes / counts[language], abs=1e-6
        )
        fits = sentences_in_context(costs[language], 1024)
        assert fits * counts[language] <= 1024 < (fits + 1) * counts[language]


def test_without_merges_a_token_is_a_byte():
    costs = measure_sentences(SENTENCES, BytePairs(()))
    assert all(cost.tokens == cost.bytes and cost.bytes_per_token == 1 for cost in costs.values())
    assert measure_sentences({"en": ""}, BytePairs(()))["en"].bytes_per_token == 0


def test_a_character_is_what_a_reader_sees():
    cost = measure_sentences({"hi": "क्षि", "zh": "人人"}, BytePairs(()))
    assert (cost["zh"].characters, cost["zh"].bytes) == (2, 6) and cost["hi"].bytes == 12
