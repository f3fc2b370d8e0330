"""Word pieces: the longest that fit, and a word that none fits is unknown as a whole."""

from core.text.tokenization.word_pieces import LONGEST_WORD, WordPiece, bert_words, split_into_pieces

KNOWN = {piece: i for i, piece in enumerate(("[UNK]", "a", "##a", "##aa", "play", "##ing"))}


def test_the_longest_piece_goes_first_and_a_word_with_a_rest_is_unknown():
    assert split_into_pieces("playing", KNOWN) == ["play", "##ing"]
    assert split_into_pieces("aaa", KNOWN) == ["a", "##aa"]
    assert split_into_pieces("played", KNOWN) == ["[UNK]"]


def test_a_word_longer_than_bert_reads_is_unknown():
    assert split_into_pieces("a" * LONGEST_WORD, KNOWN) != ["[UNK]"]
    assert split_into_pieces("a" * (LONGEST_WORD + 1), KNOWN) == ["[UNK]"]


def test_accents_and_control_characters_go_and_signs_stand_alone():
    assert bert_words("Él\x00 «sí»\u00a0no") == ["el", "«", "si", "»", "no"]
    assert WordPiece(tuple(KNOWN)).encode("") == []
