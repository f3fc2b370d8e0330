"""The shoot-out's board in words: which method is best and how sure that is, what was asked, what a tenth costs."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.worked import how_often, percent, plain_number, signed
from core.models.stored import load_card
from core.models.word_vectors.shoot_out import PARTS
from core.models.word_vectors.shoot_out_board import FEW, MEASURES, Loss, Score, best, leaders

CALLED = {  # a measure as a question, as the name of a number, and how it is written
    "similarity": ("goes best with people's ratings", "rank correlation with people's ratings", ".2f"),
    "analogies": ("solves most analogies", "share of analogies solved", ".0%"),
    "seconds": ("is quickest", "seconds", ".1f"),
}


def part_called(part: str) -> str:
    """Return how a sentence calls a part of a text."""
    return "the whole text" if part == PARTS[0] else "a tenth of the text"


def inside(scores: Sequence[Score]) -> int:
    """Return how many methods' intervals reach up to the best rank correlation, that method left out."""
    first = best(scores, "similarity")
    return sum(each.interval[1] >= first.similarity.spearman for each in scores if each is not first)


def said_best(scores: Sequence[Score], measure: str) -> str:
    """Say which method is best by one of MEASURES, and how sure that is.

    >>> from core.models.word_vectors.vector_tests import SimilarityScore
    >>> rows = [Score(m, SimilarityScore(rho, 50, 0), 0, 0, 1.0, 1, 1) for m, rho in (("CBOW", 0.5), ("GloVe", 0.1))]
    >>> said_best(rows, "similarity")[:71]
    "CBOW goes best with people's ratings: Spearman 0.50 over 50 pairs, 95% "
    """
    first, does = best(scores, measure), CALLED[measure][0]
    value = abs(MEASURES[measure][0](first))
    if measure == "analogies":
        return f"{first.method} {does}: {first.right:,} of {first.asked:,}, {percent(value, 0)}."
    if measure == "seconds":
        level, most = leaders(scores, "analogies"), best(scores, "analogies")
        tied = f" {listed(level)} are level on analogies: {most.right:,} of {most.asked:,} each."
        said = f"{first.method} {does}: {plain_number(value)} seconds of one core."
        return said + tied * (most.right > 0 and len(level) > 1)
    low, high = first.interval
    others, held = len(scores) - 1, inside(scores)
    return (
        f"{first.method} {does}: Spearman {signed(value)} over {first.similarity.pairs} pairs, 95% interval {signed(low)} "
        f"to {signed(high)}. Of the {others} others, {held or 'none'} {'has' if held < 2 else 'have'} an interval that "
        f"reaches {signed(value)}."
    )


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them.

    >>> listed(["CBOW"]), listed(["CBOW", "GloVe", "fastText"])
    ('CBOW', 'CBOW, GloVe and fastText')
    """
    return f"{', '.join(names[:-1])} and {names[-1]}" if names[1:] else names[0]


def solvers(scores: Sequence[Score]) -> dict[str, str]:
    """Return which methods solve most analogies, all that are level, and how many."""
    most = best(scores, "analogies")
    return {"solver": listed(leaders(scores, "analogies")), "right": f"{most.right:,} of {most.asked:,}"}


def said_of_passes(scores: Sequence[Score]) -> str:
    """Say how often the windows of the recorded corpus were slid over it, and what more passes would bring skip-gram.

    >>> from core.models.word_vectors.vector_tests import SimilarityScore
    >>> said_of_passes([Score("skip-gram", SimilarityScore(0.5, 50, 0), 0, 0, 1.0, 1, 6_270_000)])[:53]
    'Each window was slid over the text once. The skip-gra'
    """
    ours, longer = next(each for each in scores if each.method == "skip-gram"), load_card("skipgram")
    tokens = sum(source["tokens"] for source in longer.corpus.values())
    return (
        f"Each window was slid over the text {how_often(round(ours.examples / tokens))}. The skip-gram of the other "
        f"lessons had {longer.config['epochs']} passes and {longer.config['dimension']} dimensions: its rank correlation "
        f"is {signed(longer.quality['WordSim-353 Spearman'])}, here {signed(ours.similarity.spearman)}. So the board "
        "compares these trainings, and not all that a method can do."
    )


def what_was_asked(scores: Sequence[Score], words: int, whose: str) -> str:
    """Return what the scores were measured on and what could not be: analogies of `whose`, answered among so many words.

    >>> from core.models.word_vectors.vector_tests import SimilarityScore
    >>> what_was_asked([Score("GloVe", SimilarityScore(0, 2, 351), 1, 6, 1.0, 1, 1)], 40, "Google's")[:68]
    "2 of WordSim-353's 353 pairs have two known words: too few for a cor"
    """
    one = scores[0]
    pairs, asked = one.similarity.pairs, one.asked
    of_pairs = f"{pairs} of WordSim-353's {pairs + one.similarity.unknown} pairs have two known words"
    too_few = ": too few for a correlation" if pairs < FEW else "; a line through a dot is its 95% interval"
    among = f"; an answer is one of {words:,} words" if asked else ""
    return f"{of_pairs}{too_few}. {f'{asked:,}' if asked else 'None'} of {whose} analogies could be asked{among}."


def said_of_tenth(loss: Loss, whole: Sequence[Score], less: Sequence[Score], pairs: int) -> str:
    """Say which method a tenth of the text costs most and least, which is best on either part, and if the test differs.

    `whole` are the scores on the whole by the pairs that the tenth knows; `pairs` are known to the whole.
    """
    _, name, form = CALLED[loss.measure]
    most, least = (changed(loss.lost[each], form) for each in (loss.most, loss.least))
    known, asked = less[0].similarity.pairs, [some[0].asked for some in (whole, less)]
    test = ""
    if loss.measure == "similarity" and known != pairs:
        test = f" Both are judged on the {known} rated pairs that a tenth knows; the whole knows {pairs}."
    if asked[0] != asked[1]:
        test += f" Analogies are not the same ones: {asked[0]:,} on the whole, {asked[1]:,} on a tenth."
    then, now = (listed(leaders(some, loss.measure)) for some in (whole, less))
    first = f"Best on both: {now}." if now == then else f"Best on a tenth: {now}; on the whole: {then}."
    return f"With {loss.most} the {name} {most}, with {loss.least} it {least}. {first}{test}"


def changed(loss: float, form: str) -> str:
    """Return what becomes of a number that loses so much, as a sentence says it.

    >>> changed(0.128, ".2f"), changed(-0.5, ".0%"), changed(0.001, ".2f")
    ('falls by 0.13', 'rises by 50 percentage points', 'stays as it is')
    """
    written = f"{abs(loss):{form}}".replace("%", " percentage points")
    if not float(written.split()[0]):
        return "stays as it is"
    return f"{'falls' if loss > 0 else 'rises'} by {written}"
