"""Weight tying: a story of one LSTM whose embedding also writes, and a lab on sizes and on one row at both its jobs."""

from core.figures.blank import blank
from core.figures.card import small
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE, GREEN, SKY, VERMILLION
from core.lesson.lesson import Lesson
from core.models.recurrent_language_model import RecurrentConfig
from core.models.recurrent_models.weight_tying import grouped, recurrent_parameters

LESSON = Lesson(__name__, icon="link")


def picture() -> Figure:
    """An LSTM's parameters by part at a vocabulary of 10,000 words: untied, and tied without the output matrix."""
    config, figure = RecurrentConfig(10_000, "lstm", 160), blank(190)
    models = [grouped(recurrent_parameters(config, tied)) for tied in (False, True)]
    names = [LESSON.words.label(f"tied.{key}") for key in ("no", "yes")]
    for part, colour in (("embedding", BLUE), ("W_x", SKY), ("W_h", GREEN), ("output", VERMILLION)):
        counts = [each[part] for each in models]
        figure.add_trace(bar(y=names, x=counts, orientation="h", marker={"color": colour}))
    return small(figure.update_layout(barmode="stack").update_yaxes(autorange="reversed"))
