"""The small world: seeded, English, and so made that words are known by their company."""

import re

from core.text.samples.microworld import ANALOGIES, NAMES, PAIRS, microworld

SENTENCES = microworld(20_000, seed=0)
WORDS = [re.findall(r"[a-z]+", sentence.lower()) for sentence in SENTENCES]


def test_the_same_seed_gives_the_same_sentences_and_another_seed_others():
    assert microworld(50, seed=3) == microworld(50, seed=3) != microworld(50, seed=4)


def test_every_sentence_starts_with_a_capital_ends_with_a_full_stop_and_is_filled_in():
    assert all(re.fullmatch(r"[A-Z][A-Za-z, ]+\.", sentence) for sentence in SENTENCES)


def test_names_are_written_with_a_capital_wherever_they_stand():
    assert not any(set(re.findall(r"\b[a-z]+\b", sentence)) & NAMES for sentence in SENTENCES)


def test_the_world_has_some_hundreds_of_types_and_every_word_of_an_analogy_is_common():
    counts = {}
    for word in (word for words in WORDS for word in words):
        counts[word] = counts.get(word, 0) + 1
    assert 300 <= len(counts) <= 400
    assert all(counts[word] >= 100 for analogy in ANALOGIES for word in analogy)


def test_analogies_go_from_pair_to_pair_of_one_relation():
    assert ("man", "king", "woman", "queen") not in ANALOGIES
    assert ("man", "woman", "king", "queen") in ANALOGIES
    assert ("france", "paris", "italy", "rome") in ANALOGIES
    assert len(ANALOGIES) == sum(len(pairs) * (len(pairs) - 1) for pairs in PAIRS.values())


def test_a_skip_gram_trained_for_seconds_gets_nine_analogies_in_ten():
    from gensim.models import Word2Vec

    vectors = Word2Vec(
        WORDS,
        vector_size=50,
        window=5,
        negative=5,
        sg=1,
        epochs=8,
        sample=1e-3,
        min_count=1,
        seed=1,
        workers=1,
    ).wv
    right = sum(
        vectors.most_similar(positive=[b, c], negative=[a], topn=1)[0][0] == d for a, b, c, d in ANALOGIES
    )
    assert right / len(ANALOGIES) >= 0.9
