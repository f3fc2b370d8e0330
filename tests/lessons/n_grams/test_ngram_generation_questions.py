"""The key of the exercises on generating with n-grams: parts of the line and runs of words, by plain Python."""

from fractions import Fraction
from itertools import accumulate

from tests.exercises.drawn import drawn, entries


def token_at(counts, u):
    """Return the token on whose part u falls, of {token: count}, the most frequent first."""
    ranked = sorted(counts, key=counts.get, reverse=True)
    ends = accumulate(Fraction(counts[token], sum(counts.values())) for token in ranked)
    return next(token for token, end in zip(ranked, ends, strict=True) if end > Fraction(str(u)))


def test_u_falls_on_the_first_token_whose_part_ends_after_it():
    for exercise in drawn("ngram_generation", "line"):
        draw, counted = exercise.draw, exercise.draw.given["counted"]
        counts = dict(zip(counted.columns, entries(counted)[0], strict=True))
        assert draw.answer == token_at(counts, draw.given["u"])
        assert draw.mistakes["greedy"] == max(counts, key=counts.get)


def test_a_text_is_a_chain_of_draws_each_from_the_row_of_the_last_word():
    for exercise in drawn("ngram_generation", "continuation"):
        draw, given = exercise.draw, exercise.draw.given
        table = given["table"]
        rows = {
            name: dict(zip(table.columns, row, strict=True))
            for name, row in zip(table.rows, entries(table), strict=True)
        }
        written, stuck = [given["start"]], []
        for u in given["luck"]:
            written.append(token_at(rows[written[-1]], u))
            stuck.append(token_at(rows[given["start"]], u))
        assert draw.answer == " ".join(written[1:])
        assert draw.mistakes["stuck"] == " ".join(stuck)


def test_the_longest_copy_is_the_longest_run_found_in_a_sentence():
    for exercise in drawn("ngram_generation", "copy"):
        draw, given = exercise.draw, exercise.draw.given
        written = given["written"].split()
        runs = {tuple(written[i:j]) for i in range(len(written)) for j in range(i + 1, len(written) + 1)}
        sentences = [f" {part.strip()} " for part in given["text"].split(".")]
        copied = [run for run in runs if any(f" {' '.join(run)} " in sentence for sentence in sentences)]
        assert draw.answer == max(map(len, copied))
        over = [run for run in runs if f" {' '.join(run)} " in f" {given['text']} "]
        assert draw.mistakes["across"] == max(map(len, over))
