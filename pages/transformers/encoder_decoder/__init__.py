"""The encoder-decoder transformer: a story of one sentence on its way into French, and a lab that translates any other."""

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.translation.decoder_step import attention_heatmap
from core.lesson.lesson import Lesson
from core.models.transformers.transformer_translation import greedy, stored_transformer

LESSON = Lesson(__name__, icon="arrow-right-left")
SENTENCE = "The queen sold the white car."
OWN = "The old king bought two red books."
SHORTER = "The white car arrives."
LONGER = "the rich queen sold the white cars yesterday ."
EXAMPLES = (SENTENCE, OWN, SHORTER, LONGER)
FRENCH_MODEL, LAYER, HEAD = "transformer_french", 1, 1  # the head, from 0, that misaligns fewest words


def picture() -> Figure:
    """Where a head of cross-attention looks for each French word: the colour and the car cross."""
    words = ["the", "white", "cars", "arrive", "."]
    translator = stored_transformer(FRENCH_MODEL)
    made = greedy(translator.model, translator.source.encode(words))
    outputs = translator.target.decode(made.words)
    weights = made.cross(LAYER, HEAD)[: len(outputs)]
    return card(attention_heatmap(weights, outputs, words)).update_xaxes(title="").update_yaxes(title="")
