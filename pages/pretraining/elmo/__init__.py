"""ELMo: a story of three layers and two tasks, and a lab for any sentence and any weights."""

from core.figures.blank import blank
from core.figures.card import card
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, OCHRE
from core.lesson.lesson import Lesson
from core.models.pretraining.elmo import MIX, NOUN_VERB, TAGS, load_elmo

LESSON = Lesson(__name__, icon="layers")
EXAMPLES = (
    "The actors play well, but the play is a bore.",
    "They play in the play.",
)
COLOURS = {TAGS: BLUE, NOUN_VERB: OCHRE}


def picture() -> Figure:
    """The weights that the two tasks learned for the three layers."""
    figure = blank(300)
    for task, mixes in load_elmo().mixes.items():
        figure.add_trace(bar(x=["0", "1", "2"], y=mixes[MIX].s, name=task, marker={"color": COLOURS[task]}))
    return card(figure.update_layout(barmode="group"))
