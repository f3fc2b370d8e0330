"""Text generation as a tree: a story of what follows “You have”, and a lab in which a tree is grown."""

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.generation_tree import small_tree, tree_payload
from core.lesson.lesson import Lesson
from core.models.generation.generation_tree import (
    continuation_log_probabilities,
    node_log_probabilities,
    tree_of,
)
from core.models.generation.sampling import SamplingSettings, generate
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.ngram import kneser_ney

LESSON = Lesson(__name__, icon="list-tree")


def picture() -> Figure:
    """Four texts that may follow "the king", sampled."""
    counted = few_sentences()
    model, prompt = kneser_ney(counted.counts, 3), counted.encode("the king", end=False)
    texts = [
        [step.token for step in generate(model, prompt, 4, SamplingSettings(), seed)] for seed in (1, 2, 4, 5)
    ]
    tree = tree_of(("sampled", text) for text in texts)
    ln_p = node_log_probabilities(tree, lambda y: continuation_log_probabilities(model, prompt, y))
    names = [counted.name(token) for token in range(len(model.vocabulary))]
    return small(small_tree(tree_payload(tree, ln_p, names)))
