"""Tokens are not fair: a story of one sentence in ten languages, and a lab for any two sentences."""

from core.figures.card import card
from core.figures.figure import Figure, bar
from core.figures.palette import BLUE
from core.lesson.lesson import Lesson
from core.models.tokens.gpt2_tokenizer import gpt2_pairs
from core.models.tokens.token_prices import measure_sentences

LESSON = Lesson(__name__, icon="coins")
# The first sentence of article 1 of the Universal Declaration of Human Rights (1948), as the United Nations publish it.
SENTENCES = {
    "en": "All human beings are born free and equal in dignity and rights.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
    "sw": "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.",
    "zh": "人人生而自由，在尊严和权利上一律平等。",
    "ar": "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
}
EXAMPLES = (*SENTENCES.values(), "Todos los seres humanos nacen libres e iguales en dignidad y derechos.")


def picture() -> Figure:
    """GPT-2's tokens of the sentence in each language."""
    costs = measure_sentences(SENTENCES, gpt2_pairs())
    return card(Figure(bar(x=list(costs), y=[cost.tokens for cost in costs.values()], marker_color=BLUE)))
