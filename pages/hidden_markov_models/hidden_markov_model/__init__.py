"""Hidden Markov models: a story of the machine that writes a diary, and a lab in which it writes another one."""

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.machine import machine_figure
from core.lesson.lesson import Lesson
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary

LESSON = Lesson(__name__, icon="cloud-sun")


def picture() -> Figure:
    """The machine of the ice-cream diary."""
    return card(machine_figure(ice_cream_diary()))
