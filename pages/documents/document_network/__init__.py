"""A neural text classifier: a story of word vectors that learn two labels, and a lab with every step of one update."""

from core.figures.card import card
from core.figures.figure import Figure
from core.lesson.lesson import Lesson

LESSON = Lesson(__name__, icon="network")
EXAMPLES = ("lovely sturdy quiet dull flimsy noisy",)  # the card's words


def picture() -> Figure:
    """Six words' embeddings after training, of which three are praise."""
    from core.figures.documents.document_training import embeddings_figure
    from pages.documents.document_network.page import trained_on
    from pages.documents.shared.labelled_source import sample_reviews, split_of

    some = EXAMPLES[0].split()
    network, learnt = trained_on(sample_reviews(), 6, 4, False, 0).network, split_of(sample_reviews())[0]
    return card(embeddings_figure(some, network.E[[learnt.index[word] for word in some]]))
