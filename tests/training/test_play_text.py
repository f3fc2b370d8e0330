"""The plays are cleaned the same for every model, and what is held out is never trained on."""

from core.models.stored import sha256_of_text
from core.training.play_text import ALPHABET, PIECE, play_text, speeches


def test_headings_and_directions_go_speakers_and_speeches_stay():
    markdown = (
        "# Play\n\n### SCENE I.\n\n_Enter a FOOL,\nrunning_\n\n**FOOL**  \n__\\[Aside]_  \nHow—now &amp; then?  \n\n"
        "_Exit_\n\n**KING**  \nHo!\n"
    )
    assert speeches(markdown) == "FOOL:\nHow--now & then?\n\nKING:\nHo!\n"


def test_only_characters_of_the_alphabet_are_left():
    text = play_text()
    assert set("".join(text.training + text.held_out)) <= set(ALPHABET)


def test_the_held_out_tenth_follows_the_training_text_and_starts_a_line():
    text = play_text()
    for training, held_out in zip(text.training, text.held_out, strict=True):
        assert training.endswith("\n")
        assert 0.1 <= len(held_out) / len(training + held_out) < 0.11
        assert len(held_out) > PIECE


def test_the_split_is_the_one_that_the_stored_models_were_trained_with():
    (corpus,) = play_text().corpus.values()
    assert corpus["training sha256"] == sha256_of_text("".join(play_text().training))
    assert corpus["training sha256"].startswith("592cb291b9a7203d")
    assert corpus["held-out sha256"].startswith("d0ef2c01f28b6e26")
