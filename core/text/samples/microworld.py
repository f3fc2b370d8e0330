"""A small world in sentences: kings and queens, families, animals, food, countries and their capitals.

A seeded grammar writes plain English in which what a word means is known beforehand. Every word has
coordinates (*queen* is of the family of the throne, and female), and every coordinate has words of its own
that keep the noun company: crown and throne go with king and queen alike, she and her with queen and duchess
alike. A model that learns words from their company can therefore find within seconds what `ANALOGIES` states.
"""

from __future__ import annotations

import re
from itertools import permutations
from random import Random

# (male, female): the group they belong to, and what belongs to this pair alone.
PEOPLE = {
    ("king", "queen"): ("royal", "crown throne kingdom"),
    ("prince", "princess"): ("royal", "tower castle ballroom"),
    ("duke", "duchess"): ("royal", "estate carriage manor"),
    ("emperor", "empress"): ("royal", "empire legions provinces"),
    ("man", "woman"): ("family", "job office salary"),
    ("boy", "girl"): ("family", "school homework toys"),
    ("father", "mother"): ("family", "children household cradle"),
    ("son", "daughter"): ("family", "parents bedroom upbringing"),
    ("brother", "sister"): ("family", "siblings secrets treehouse"),
    ("grandfather", "grandmother"): ("family", "grandchildren spectacles armchair"),
    ("husband", "wife"): ("family", "wedding marriage honeymoon"),
    ("uncle", "aunt"): ("family", "nephew niece godchild"),
    ("actor", "actress"): ("working", "stage theatre audience"),
    ("waiter", "waitress"): ("working", "tray restaurant menu"),
    ("hero", "heroine"): ("working", "quest dragon sword"),
}
ADJECTIVES = {
    "royal": "royal noble majestic",
    "family": "dear kind loving",
    "working": "busy famous clever",
}
GENDERS = (
    {"he": "he", "his": "his", "him": "him", "himself": "himself", "gentleman": "gentleman"},
    {"he": "she", "his": "her", "him": "her", "himself": "herself", "gentleman": "lady"},
)
PERSON_SENTENCES = (
    "the {adjective} {noun} loves {his} {own}",
    "the {noun} remembers {his} {own}, and {he} smiles",
    "{he} is a {adjective} {noun} and is proud of {his} {own}",
    "the {noun} talks to {himself} about the {own}",
    "dreaming of the {own}, the {adjective} {noun} smiles to {himself}",
    "the {own} made the {noun} happy, so {he} sang",
    "we told the {noun} about the {own} and gave {him} a flower",
    "{his} {own} and {his} {other} mean a lot to the {noun}",
    "the {adjective} {noun} of the {own} is a real {gentleman}",
)

# (adult, young, adults): what belongs to this animal alone.
ANIMALS = {
    ("dog", "puppy", "dogs"): "kennel bone leash",
    ("cat", "kitten", "cats"): "sofa mouse basket",
    ("cow", "calf", "cows"): "meadow barn fence",
    ("horse", "foal", "horses"): "stable saddle hay",
    ("sheep", "lamb", "sheep"): "hillside shepherd wool",
    ("bear", "cub", "bears"): "cave honey forest",
    ("hen", "chick", "hens"): "coop egg nest",
    ("duck", "duckling", "ducks"): "pond reeds lake",
    ("pig", "piglet", "pigs"): "sty mud trough",
    ("frog", "tadpole", "frogs"): "swamp lilies ditch",
}
ANIMAL_SENTENCES = (
    (
        "this big {noun} is fully grown and knows the {own}",
        "one old {noun} guards the {own} with its strength",
        "by the {own} a single heavy {noun} is resting",
        "a strong {noun} near the {own} protects its young",
    ),
    (
        "this little {noun} is newborn and discovers the {own}",
        "one tiny {noun} by the {own} follows its mother",
        "by the {own} a single playful {noun} is tumbling",
        "a small {noun} near the {own} learns to play",
    ),
    (
        "these big {noun} are fully grown and know the {own}",
        "many old {noun} guard the {own} with their strength",
        "by the {own} several heavy {noun} are resting",
        "some strong {noun} near the {own} protect their young",
    ),
)

# (one, many): what is made of this food alone.
FOODS = {
    ("apple", "apples"): "pie cider strudel",
    ("cherry", "cherries"): "tart jam liqueur",
    ("potato", "potatoes"): "soup mash gratin",
    ("tomato", "tomatoes"): "sauce ketchup lasagne",
    ("lemon", "lemons"): "lemonade sorbet syrup",
    ("carrot", "carrots"): "salad juice curry",
    ("strawberry", "strawberries"): "cream pavlova smoothie",
    ("onion", "onions"): "stew pickle gravy",
}
FOOD_SENTENCES = (
    (
        "this ripe {noun} is for the {own}",
        "we need one fresh {noun} for the {own}",
        "beside the {own} a single sweet {noun} is lying on its plate",
        "the cook peels a {noun} and puts it in the {own}",
    ),
    (
        "these ripe {noun} are for the {own}",
        "we need many fresh {noun} for the {own}",
        "beside the {own} several sweet {noun} are lying on their plate",
        "the cook peels some {noun} and puts them in the {own}",
    ),
)

# (country, capital, language): what belongs to this country alone.
COUNTRIES = {
    ("france", "paris", "french"): "seine cheese baguettes",
    ("italy", "rome", "italian"): "tiber pasta pizza",
    ("spain", "madrid", "spanish"): "manzanares paella flamenco",
    ("germany", "berlin", "german"): "spree sausages cabbage",
    ("england", "london", "english"): "thames tea cricket",
    ("greece", "athens", "greek"): "acropolis olives temples",
    ("egypt", "cairo", "arabic"): "nile dates pyramids",
    ("japan", "tokyo", "japanese"): "sumida sushi rice",
    ("russia", "moscow", "russian"): "moskva caviar ballet",
    ("poland", "warsaw", "polish"): "vistula dumplings amber",
}
COUNTRY_SENTENCES = (
    (
        "the whole country of {noun} is proud of the {own}",
        "farmers in the villages of {noun} praise the {own}",
        "stamps from {noun} show the {own}",
        "a law in {noun} protects the {own}",
    ),
    (
        "the busy city of {noun} is fond of the {own}",
        "tourists in the streets of {noun} photograph the {own}",
        "museums all over {noun} show paintings of the {own}",
        "a taxi driver in {noun} tells us about the {own}",
    ),
    (
        "people speak {noun} when they talk about the {own}",
        "the {noun} name of the {own} is in the dictionary",
        "we learn {noun} grammar with a song about the {own}",
        "a poem in {noun} describes the {own}",
    ),
)

MEETINGS = (
    "{capital} is the capital of {country}",
    "in {country} they speak {language}",
    "the {person} travels through {country} to {capital}",
    "the {person} speaks {language} with the {friend}",
    "the {person} feeds the {animal} in {capital}",
    "the {friend} cooks {food} for the {person}",
)

PAIRS = {
    "male, female": list(PEOPLE),
    "adult, young": [(adult, young) for adult, young, _ in ANIMALS],
    "one, many": [(one, many) for one, _, many in ANIMALS if one != many] + list(FOODS),
    "country, capital": [(country, capital) for country, capital, _ in COUNTRIES],
    "country, language": [(country, language) for country, _, language in COUNTRIES],
}
# (a, b, c, d) reads "a is to b as c is to d": the vector of d should lie near b - a + c.
ANALOGIES = [(*first, *second) for pairs in PAIRS.values() for first, second in permutations(pairs, 2)]


PLACES = "seine tiber manzanares spree thames acropolis nile sumida moskva vistula"
NAMES = {name for names in COUNTRIES for name in names} | set(PLACES.split())


def microworld(sentences: int, seed: int) -> list[str]:
    """Return so many sentences about the small world; the same seed gives the same sentences.

    >>> for sentence in microworld(3, seed=1):
    ...     print(sentence)
    We told the man about the office and gave him a flower.
    A law in Germany protects the Spree.
    The busy city of Cairo is fond of the pyramids.
    """
    random = Random(seed)
    kinds = (
        person_sentence,
        lambda random: draw_microworld_sentence(random, ANIMALS, ANIMAL_SENTENCES),
        lambda random: draw_microworld_sentence(random, FOODS, FOOD_SENTENCES),
        lambda random: draw_microworld_sentence(random, COUNTRIES, COUNTRY_SENTENCES),
        meeting,
    )
    return [
        capitalise_sentence(kind(random))
        for kind in random.choices(kinds, weights=(10, 6, 4, 6, 1), k=sentences)
    ]


def person_sentence(random: Random) -> str:
    """Return a sentence on one person, which shows both the gender and the role."""
    pair, (group, belongings) = random.choice(list(PEOPLE.items()))
    gender = random.randrange(2)
    own, other = random.sample(belongings.split(), 2)
    adjective = random.choice(ADJECTIVES[group].split())
    sentence = random.choice(PERSON_SENTENCES)
    return sentence.format(**GENDERS[gender], noun=pair[gender], own=own, other=other, adjective=adjective)


def draw_microworld_sentence(random: Random, families: dict, sentences: tuple) -> str:
    """Return a sentence on one noun of a family, in the company that both its place and its family keep."""
    nouns, belongings = random.choice(list(families.items()))
    place = random.randrange(len(nouns))
    return random.choice(sentences[place]).format(noun=nouns[place], own=random.choice(belongings.split()))


def meeting(random: Random) -> str:
    """Return a sentence in which the parts of the world meet."""
    country, capital, language = random.choice(list(COUNTRIES))
    person, friend = (random.choice(pair) for pair in random.sample(list(PEOPLE), 2))
    return random.choice(MEETINGS).format(
        country=country,
        capital=capital,
        language=language,
        person=person,
        friend=friend,
        animal=random.choice(list(ANIMALS))[0],
        food=random.choice(list(FOODS))[1],
    )


def capitalise_sentence(sentence: str) -> str:
    """Return the sentence with capitals where English has them and a full stop."""
    text = re.sub(r"\w+", lambda word: word[0].capitalize() if word[0] in NAMES else word[0], sentence)
    return text[0].upper() + text[1:] + "."
