"""Reviews of things bought, written by a seeded grammar: their labels, and what makes a label hard to tell, are known.

A review says one to three things, each on a part of what was bought. Most of them speak for its label; some speak
against it, for few things are all good or all bad. Some say it by denying the opposite (*not cheap*, *never noisy*),
which a count of words cannot see. And a few reviews carry the wrong label, as with people who take five stars for the
worst. So no model is always right here, and it is known why.
"""

from __future__ import annotations

import re
from random import Random

from core.text.reading.labelled import LabelledDocuments

POSITIVE, NEGATIVE = "positive", "negative"
REVIEWS = 1000
SPEAKS_AGAINST = 0.07  # of the clauses
DENIES_THE_OPPOSITE = 0.1
WRONG_LABEL = 0.03  # of the reviews

THINGS = (
    "kettle lamp chair phone printer radio tent bicycle blender camera watch suitcase keyboard toaster drill jacket "
    "mattress heater vacuum backpack"
).split()
PARTS = (
    "handle colour lid case button frame strap price manual finish sound smell size shape package delivery surface "
    "corner switch look design material edge"
).split()
ADJECTIVES = {
    POSITIVE: (
        "great lovely sturdy quiet bright reliable comfortable handy elegant solid perfect quick soft excellent neat "
        "clear fair light strong beautiful"
    ).split(),
    NEGATIVE: (
        "awful flimsy noisy dull useless uncomfortable clumsy ugly loose terrible slow rough poor cheap blurred "
        "dear heavy weak dirty broken"
    ).split(),
}
VERDICTS = {
    POSITIVE: (
        "i love it",
        "i would buy one again",
        "i would not send it back",
        "it does what it should",
        "my {friend} wants one too",
        "it makes every {day} easier",
        "it is worth every penny",
        "i am very happy with it",
        "it still works after two {times}",
        "thank you {brand}",
        "i recommend it to every {friend}",
    ),
    NEGATIVE: (
        "i sent it back",
        "i want my money back",
        "it stopped after two {times}",
        "my {friend} laughed at it",
        "it ruined my {day}",
        "not worth a penny",
        "i am not happy with it",
        "nobody at {brand} answers",
        "i would not buy one again",
        "it does not do what it should",
        "i cannot recommend it",
        "as good as nothing",
    ),
}
PLAIN = (
    "i bought it for my {friend}",
    "it came by post",
    "it was a present from my {friend}",
    "it is my second {thing} from {brand}",
    "i use it every {day}",
    "we took it to {place}",
    "i found it in {place}",
    "it stands in the {room}",
    "my {friend} uses it too",
)
CLAUSES = (
    "the {part} is {adverb} {adjective}",
    "a {adjective} {part}",
    "the {part} feels {adjective}",
    "i find the {part} {adjective}",
    "what a {adjective} {part}",
)
DENIALS = (
    "the {part} is not {adjective}",
    "the {part} was never {adjective}",
    "i cannot call the {part} {adjective}",
    "not a {adjective} {part} at all",
)
ADVERBS = "very really quite rather so simply always truly".split()
JOINTS = (". ", ", and ", ". ", ", but ", "; ")
FILLERS = {
    "friend": "brother sister mother father neighbour aunt uncle daughter son friend colleague boss".split(),
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday morning evening weekend".split(),
    "times": "days weeks months years".split(),
    "room": "kitchen garden office cellar bedroom hall garage bathroom attic balcony".split(),
    "place": "Paris York Lisbon Oslo Vienna Leeds Ghent Cork Turin Bern Porto Graz Lille Bruges".split(),
}
SYLLABLES = "nor va tal ox lum ber do ka ren sil mo quin dar fe zo pel ti gra un wex".split()


def reviews(documents: int = REVIEWS, seed: int = 0) -> LabelledDocuments:
    """Return so many labelled reviews, about half of either label; the same seed gives the same reviews.

    >>> few = reviews(2, seed=1)
    >>> few.labels, few.texts[1][:60]
    (('positive', 'positive'), 'My Silox radio: it was a present from my son; the finish fee')
    """
    texts, labels, _ = write_reviews(documents, seed)
    return LabelledDocuments("reviews", texts, labels)


def wrongly_labelled(documents: int = REVIEWS, seed: int = 0) -> tuple[bool, ...]:
    """Return for each of these reviews whether it has the label that it does not mean.

    >>> sum(wrongly_labelled(1000))
    29
    """
    return write_reviews(documents, seed)[2]


def write_reviews(documents: int, seed: int) -> tuple[tuple[str, ...], tuple[str, ...], tuple[bool, ...]]:
    """Return so many reviews, their labels, and whether each label is wrong."""
    random, found = Random(seed), []
    for _ in range(documents):
        meant = random.choice((POSITIVE, NEGATIVE))
        text = review(random, meant)
        wrong = random.random() < WRONG_LABEL
        found.append((text, other(meant) if wrong else meant, wrong))
    texts, labels, wrong_ones = zip(*found, strict=True)
    return texts, labels, wrong_ones


def other(label: str) -> str:
    """Return the label that is not this one."""
    return NEGATIVE if label == POSITIVE else POSITIVE


def review(random: Random, meant: str) -> str:
    """Return a review that means this label: what was bought, one to three clauses, mostly a verdict."""
    thing, brand = random.choice(THINGS), brand_name(random)
    parts = [f"this {thing} by {brand}" if random.random() < 0.5 else f"my {brand} {thing}"]
    said = [clause(random, meant) for _ in range(random.choice((1, 2, 3, 3)))]
    if random.random() < 0.6:
        said.insert(random.randrange(len(said) + 1), filled(random, random.choice(PLAIN), thing, brand))
    if random.random() < 0.6:
        said.append(filled(random, random.choice(VERDICTS[meant]), thing, brand))
    text = f"{parts[0]}: {said[0]}"
    for each in said[1:]:
        text += random.choice(JOINTS) + each
    return sentence_case(text) + random.choice(("", ".", ".", "!"))


def clause(random: Random, meant: str) -> str:
    """Return what is said of one part: mostly for the label that is meant, at times by denying the opposite."""
    speaks_for = other(meant) if random.random() < SPEAKS_AGAINST else meant
    denies = random.random() < DENIES_THE_OPPOSITE
    adjective = random.choice(ADJECTIVES[other(speaks_for) if denies else speaks_for])
    pattern = random.choice(DENIALS if denies else CLAUSES)
    return pattern.format(part=random.choice(PARTS), adjective=adjective, adverb=random.choice(ADVERBS))


def filled(random: Random, pattern: str, thing: str, brand: str) -> str:
    """Return a pattern with people, days and places put in."""
    return pattern.format(
        thing=thing, brand=brand, **{name: random.choice(of) for name, of in FILLERS.items()}
    )


def brand_name(random: Random) -> str:
    """Return an invented maker's name of two syllables; most are met once or twice, as names are."""
    return "".join(random.sample(SYLLABLES, 2)).capitalize()


def sentence_case(text: str) -> str:
    """Return the text with capitals where a sentence begins and for “I”, and with “an” before a vowel.

    >>> sentence_case("a awful lamp. i find it dull")
    'An awful lamp. I find it dull'
    """
    begun = ". ".join(part[:1].upper() + part[1:] for part in text.split(". "))
    return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", begun.replace(" i ", " I "))
