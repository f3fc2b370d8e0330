"""Grammar: CKY and a probabilistic grammar: a story of two trees, and a lab for sentences of the treebank's words."""

from core.figures.card import card
from core.figures.figure import Figure, heatmap
from core.figures.palette import SEQUENTIAL
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.cky import count_grammar, fill_chart, read_treebank
from core.text.samples.treebank import TREEBANK

LESSON = Lesson(__name__, icon="pyramid")
TREES = read_treebank(TREEBANK)
GRAMMAR = count_grammar(TREES)
AMBIGUOUS = "I saw the man with the telescope"


def picture() -> Figure:
    """The labels of the chart of the ambiguous sentence."""
    words = AMBIGUOUS.split()
    cells = fill_chart(words, GRAMMAR).cells
    n = len(words)
    labels = [[" ".join(cells.get((i, j + 1), ())) for j in range(n)] for i in range(n)][::-1]
    shades = [[len(label.split()) for label in row] for row in labels]
    grid = heatmap(
        z=shades, text=labels, texttemplate="%{text}", colorscale=SEQUENTIAL, zmax=4, showscale=False
    )
    figure = card(Figure(grid))
    figure.update_xaxes(showticklabels=False)
    return figure.update_yaxes(showticklabels=False)
