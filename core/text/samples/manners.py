"""Sentences in two manners, as of scripture and as of the stage, written by a seeded grammar of this course.

A sentence has one turn of phrase that only its manner has, and one that both have; either may come first. There are
forty turns of either manner, so that a few labelled sentences show only some of them: of the others a reader must know
beforehand how such books speak. The course's masked model has read the Bible in Basic English and the plays; none of
these sentences stands there.
"""

from __future__ import annotations

import re
from random import Random

from core.text.reading.labelled import LabelledDocuments

SCRIPTURE, STAGE = "scripture", "stage"
SENTENCES = 600

TURNS = {
    SCRIPTURE: (
        "let the {thing} be given to the priest",
        "this is the word which came to {name}",
        "{name} made answer and said to the people",
        "they put up their tents by the water",
        "take note of all these things",
        "he was angry with the children of {name}",
        "the people went up to the hill country",
        "have no fear, for I am with you",
        "there was no one to give them help",
        "all the men of the town came together",
        "{name} had seven sons",
        "you are to keep my orders",
        "he gave orders for the {thing} to be burned",
        "they went in flight before him",
        "the {thing} was covered with gold",
        "give praise with a glad heart",
        "in the fifth year of his rule",
        "those who do evil will be cut off",
        "he took the {thing} in his hands and gave it to them",
        "{name} was put to death there",
        "the upright man will have his reward",
        "they were made servants of {name}",
        "come near and give ear to me",
        "his heart was turned to the Lord",
        "the land had rest for forty years",
        "do not put your faith in the {thing}",
        "they made an offering of the {thing}",
        "the number of them was four hundred",
        "so {name} did as he had been ordered",
        "my eyes are wet with weeping",
        "there came a man from the land of {name}",
        "he was resting with his fathers",
        "let not your hearts be troubled",
        "wise men keep knowledge",
        "they came to the door of the Tent",
        "he will be a cause of trouble to you",
        "the sound of it went out through the earth",
        "{name} was the father of {name2}",
        "make haste and go down to the river",
        "no one is able to make them clean",
    ),
    STAGE: (
        "I pray you, sir, give me the {thing}",
        "how now, what news of {name}",
        "good morrow to thee, gentle {name}",
        "'tis but the shadow of the {thing}",
        "by my troth, I am weary of the {thing}",
        "nay, do not so, sweet lady",
        "O, what a rogue is {name}",
        "I'll to my chamber straight",
        "thou hast a tongue, good fellow",
        "methinks he looks but pale",
        "what says my noble lord of {name}",
        "your grace is welcome hither",
        "I warrant you, he is a knave",
        "alas, poor gentleman",
        "hath he so long been gone",
        "fie upon thee, {name}",
        "if it please your majesty",
        "come, let us hence",
        "I do beseech you, hear me",
        "here's my hand upon it",
        "is't possible that he should love the {thing}",
        "he's a most excellent fool",
        "why, then, there's no remedy",
        "would I had never seen the {thing}",
        "sirrah, fetch me the {thing}",
        "let me embrace thee, cousin",
        "who's there, in the devil's name",
        "I am undone, good nurse",
        "thy wit is sharper than the {thing}",
        "farewell till we shall meet again",
        "as I am a gentleman",
        "he durst not look upon the {thing}",
        "marry, that will I",
        "what think you of the {thing}, my lord",
        "this fellow is a very villain",
        "hark, the trumpets sound",
        "I know thee well enough, {name}",
        "prithee, no more of the {thing}",
        "my mistress bids you come to dinner",
        "go, get you gone, you rascal",
    ),
}
SHARED = (
    "{name} came in the night",
    "the king has sent the {thing}",
    "I have seen the {thing}",
    "he is the brother of {name}",
    "the {thing} is in the house",
    "{name} will come again",
    "the wind is from the north",
    "we have lost the {thing}",
    "my father is dead",
    "the day is come",
    "the women are at the door",
    "I will not speak of {name}",
    "that is my {thing}",
    "his wife was there",
    "{name} has the {thing}",
    "all is still",
)
NAMES = "David Peter John Paul Antony Henry Joseph Edward Jacob Richard Samuel Timon Daniel Helena".split()
THINGS = "sword ring crown letter horse bread cup money book ship lamp stone coat wine fire tree".split()
JOINTS = (", and ", "; ", ", for ", ", but ")


def manners(sentences: int = SENTENCES, seed: int = 1) -> LabelledDocuments:
    """Return so many different labelled sentences, about half in either manner; the same seed gives the same ones.

    >>> few = manners(3, seed=2)
    >>> few.labels
    ('scripture', 'scripture', 'stage')
    >>> few.texts[2]
    'Farewell till we shall meet again, but the women are at the door.'
    """
    random = Random(seed)
    found: dict[str, str] = {}
    while len(found) < sentences:
        manner = random.choice((SCRIPTURE, STAGE))
        found.setdefault(compose_sentence(random, manner), manner)
    return LabelledDocuments("manners of speech", tuple(found), tuple(found.values()))


def turn_of(text: str, manner: str) -> str:
    """Return the turn of phrase that only its manner has, of a sentence of that manner.

    >>> turn_of("All is still; fie upon thee, Henry.", STAGE)
    'fie upon thee, {name}'
    """
    patterns = {turn: re.sub(r"\\{\w+\\}", r"\\w+", re.escape(turn)) for turn in TURNS[manner]}
    return next(turn for turn, each in patterns.items() if re.search(each, text, re.IGNORECASE))


def compose_sentence(random: Random, manner: str) -> str:
    """Return a sentence of a manner: one of its turns of phrase and one that both have, in either order."""
    (name, name2), thing = random.sample(NAMES, 2), random.choice(THINGS)
    turns = [random.choice(TURNS[manner]), random.choice(SHARED)]
    random.shuffle(turns)
    said = [turn.format(name=name, name2=name2, thing=thing) for turn in turns]
    text = random.choice(JOINTS).join(said)
    return text[0].upper() + text[1:] + "."
