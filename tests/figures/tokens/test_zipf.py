"""Words in the picture of Zipf's law stand off the law's line."""

from core.figures.tokens.zipf import rank_figure
from core.models.tokens.zipf import fit_zipf, rank_words


def test_a_word_stands_above_its_dot_where_the_law_s_line_runs_below_and_below_it_where_above():
    ranked = rank_words(("a " * 40 + "b " * 9 + "c " * 8 + "d " * 7 + "e").split())
    fit = fit_zipf(ranked.counts)
    law = ranked.counts.sum() * fit.probabilities
    dots = rank_figure(ranked, fit, 10).data[0]
    over = [count >= line for count, line in zip(ranked.counts, law, strict=True)]
    assert True in over and False in over
    assert dots.textposition == ["top right" if each else "bottom left" for each in over]
