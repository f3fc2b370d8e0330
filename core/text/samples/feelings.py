"""Sentences that name three feelings or three things, written by a seeded grammar of this course in the English of today.

Which of the two a sentence names is told by its three words alone, "grief", "shame" and "pity" or "purse", "letter" and
"ring": all sentences share the same frames. Every word is of one triple, so that when whole triples are held out, no word
that tells a held-out sentence's label is in any sentence that could be labelled. Counting words has nothing to count
there; what is left is to know beforehand which words are like which. The course's masked model has read each of these
words at least 30 times in the Bible in Basic English and the plays, where nothing says which of them are feelings; none
of these sentences is there.
"""

from __future__ import annotations

from random import Random

from core.text.reading.labelled import LabelledDocuments

FEELING, THING = "feeling", "thing"
TOGETHER, OF_A_TRIPLE = 3, 15  # words that a sentence names; sentences of a triple of words

WORDS = {
    FEELING: (
        "love joy grief sorrow fear shame hope pity pride trust doubt desire pleasure comfort hate rage passion scorn "
        "wonder anger envy despair delight contempt spite malice fury madness jealousy mirth happiness kindness courage "
        "melancholy dread zeal affection trouble pain misery wrath patience mercy ambition faith honour peace glory "
        "wisdom grace virtue care duty conscience humour strength friendship content cunning woe"
    ).split(),
    THING: (
        "sword bed crown letter ring door book tent purse paper wine wall silver drum stone gate ship tree chain glass "
        "trumpet jewel flower cup knife table picture fruit window pen coat milk basket axe bread bottle house gold field "
        "wood oil altar seat fire river mountain tower street roof arrow bow spear rock sand garden meat salt grain "
        "key bell"
    ).split(),
}
FRAMES = (
    "I remember the {0}, the {1} and the {2}.",
    "My email was about the {0}, the {1} and the {2}.",
    "The film is about the {0}, the {1} and the {2} of a family.",
    "On the bus I was dreaming of your {0}, your {1} and your {2}.",
    "One song is about her {0}, one about her {1}, and one about her {2}.",
    "Nobody at the office spoke of our {0}, our {1} or our {2}.",
    "Her novel begins with the {0}, then comes the {1}, and it ends with the {2}.",
    "The website says more of the {0} than of the {1} or the {2}.",
    "They asked for my {0}, for my {1} and for my {2}.",
    "I told the reporter about his {0}, his {1} and his {2}.",
    "Is it her {0}, her {1} or her {2} that you miss?",
    "First he forgot his {0}, then his {1}, and then his {2}.",
    "Without the {0}, the {1} and the {2} the video would be too short.",
    "We laughed at their {0}, their {1} and their {2} on the phone.",
    "In the photo you can see the {0} and the {1}, but not the {2}.",
    "What he wanted was your {0} and your {1}, not your {2}.",
    "The lesson on the {0} was longer than those on the {1} and the {2}.",
    "The taxi driver knew the {0}, the {1} and the {2} of this city.",
    "You wrote a page about my {0} and my {1}, but none about my {2}.",
    "It was his {0}, or perhaps his {1} or his {2}, that he lost at the station.",
)


def feelings(of_a_triple: int = OF_A_TRIPLE, seed: int = 1) -> LabelledDocuments:
    """Return so many different labelled sentences of every triple of words; the same seed gives the same ones.

    >>> few = feelings(1, seed=2)
    >>> len(few.texts), few.labels[:3]
    (40, ('feeling', 'feeling', 'thing'))
    >>> few.texts[0], few.kinds[0]
    ('They asked for my content, for my trust and for my rage.', 'content rage trust')
    """
    random = Random(seed)
    found: dict[str, str] = {}
    for label, triples in draw_triples(random).items():
        for triple in triples:
            for frame in random.sample(FRAMES, of_a_triple):
                found[frame.format(*random.sample(triple, TOGETHER))] = label
    texts = random.sample(list(found), len(found))
    labels = tuple(found[text] for text in texts)
    kinds = tuple(triple_of(*each) for each in zip(texts, labels, strict=True))
    return LabelledDocuments("feelings and things", tuple(texts), labels, kinds=kinds)


def draw_triples(random: Random) -> dict[str, list[list[str]]]:
    """Return the words of each label in triples, every word in one of them."""
    drawn = {label: random.sample(words, len(words)) for label, words in WORDS.items()}
    return {
        label: [words[i : i + TOGETHER] for i in range(0, len(words), TOGETHER)]
        for label, words in drawn.items()
    }


def triple_of(text: str, label: str) -> str:
    """Return the three words that tell a sentence's label, in the order of the alphabet.

    >>> triple_of("They asked for my shame, for my grief and for my pity.", FEELING)
    'grief pity shame'
    """
    tokens = set(text.lower().replace(",", " ").replace(".", " ").split())
    return " ".join(sorted(tokens & set(WORDS[label])))
