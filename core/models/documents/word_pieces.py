"""What a network sees of a word: the word itself, its endings, and its shape, each a row of one embedding table.

    x_t = sum_i E_i        over the rows i of the pieces of word t

So a word that was never seen still has its endings and its shape. Endings are those of `SuffixModel`, the tagger's, as
far as `longest` letters. As sums of pieces: Bojanowski, Grave, Joulin and Mikolov (2017), Enriching word vectors with
subword information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from core.models.hidden_markov_models.suffix_model import shape

NOTHING, UNKNOWN = 0, 1  # rows: of a piece that a word lacks, always nought; of every word that is not listed
SHAPES = ("lower", "Capital", "hyphen", "digit")


@dataclass(frozen=True)
class WordPieces:
    """The pieces that have a row: `names[i]` is row i's. Endings begin with ~, shapes with ^.

    With `longest` = 0 a word is itself alone.
    """

    names: tuple[str, ...]
    longest: int

    @cached_property
    def index(self) -> dict[str, int]:
        """Each piece's row."""
        return {name: row for row, name in enumerate(self.names)}

    def rows(self, word: str) -> list[int]:
        """Return the rows of a word's pieces, 1 or longest + 2 of them: the word, its endings, its shape.

        >>> pieces = learn_pieces([["Dogs", "bark"], ["dogs", "bark"]], least=2, longest=2, least_of_endings=2)
        >>> pieces.names
        ('', '<unknown>', 'dogs', 'bark', '~s', '~gs', '~k', '~rk', '^lower', '^Capital', '^hyphen', '^digit')
        >>> pieces.rows("bark"), pieces.rows("Cats")
        ([3, 6, 7, 8], [1, 4, 0, 9])
        """
        low = word.lower()
        own = [self.index.get(low, UNKNOWN)]
        if not self.longest:
            return own
        ends = [
            self.index.get(f"~{low[-m:]}", NOTHING) if len(low) > m else NOTHING
            for m in range(1, self.longest + 1)
        ]
        return [*own, *ends, self.index[f"^{shape(word)}"]]

    def of(self, words: Sequence[str]) -> Tensor:
        """Return the rows of a sentence's words, (n, P)."""
        return torch.tensor([self.rows(word) for word in words])

    def knows(self, word: str) -> bool:
        """Return whether the word has a row of its own."""
        return self.index.get(word.lower(), UNKNOWN) != UNKNOWN


def learn_pieces(
    sentences: Iterable[Sequence[str]], least: int, longest: int, least_of_endings: int = 5
) -> WordPieces:
    """Return the pieces: of words said `least` times or more, of endings that so many tokens have, and all shapes."""
    counts = Counter(word.lower() for words in sentences for word in words)
    names = ["", "<unknown>", *(word for word, count in counts.items() if count >= least)]
    if longest:
        endings: Counter = Counter()
        for word, count in counts.items():
            endings.update({f"~{word[-m:]}": count for m in range(1, min(longest + 1, len(word)))})
        names += [ending for ending, count in endings.items() if count >= least_of_endings]
        names += [f"^{each}" for each in SHAPES]
    return WordPieces(tuple(names), longest)
