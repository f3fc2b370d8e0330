"""English-Dutch sentence pairs with gold word alignments: what `grammar` means, said in Dutch.

The finite verb second, or first in a question; last in a subordinate clause, before its infinitive or
participle; the perfect with hebben or zijn and its participle at the end; inversion after a time or a clause;
separable verbs (belt ... op, opgebeld, opbelt); geen for "not a"; de and het, groot and grote. An English
past is the perfect for what happened (heeft gegeten), the imperfect for what was (had honger, wilde) and
after toen (aankwam).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.text.grammar.forms_table import read_forms
from core.text.grammar.grammar import LONGEST, SHORTEST, generate_pairs
from core.text.grammar.meaning import (
    Clause,
    Gap,
    NounPhrase,
    Pronoun,
    Referent,
    Sentence,
    Word,
    concept_word,
    person,
)
from core.text.grammar.pairs import Pair

# English: article, Dutch, plural.
NOUN_TABLE = """
king de koning koningen; queen de koningin koninginnen; boy de jongen jongens; girl het meisje meisjes
man de man mannen; woman de vrouw vrouwen; child het kind kinderen; doctor de dokter dokters
teacher de leraar leraren; friend de vriend vrienden; neighbour de buurman buren; mother de moeder moeders
father de vader vaders; brother de broer broers; sister de zus zussen; cat de kat katten; dog de hond honden
bird de vogel vogels; horse het paard paarden; mouse de muis muizen; apple de appel appels; egg het ei eieren
cake de taart taarten; bread het brood broden; cheese de kaas kazen; soup de soep soepen; water het water waters
milk de melk melk; coffee de koffie koffie; tea de thee thee; book het boek boeken; letter de brief brieven
newspaper de krant kranten; song het lied liederen; coat de jas jassen; hat de hoed hoeden
shirt het overhemd overhemden
car de auto auto's; bicycle de fiets fietsen; house het huis huizen; garden de tuin tuinen; kitchen de keuken keukens
park het park parken; forest het bos bossen; museum het museum musea; city de stad steden
bedroom de slaapkamer slaapkamers; market de markt markten; school de school scholen; station het station stations
hospital het ziekenhuis ziekenhuizen; door de deur deuren; window het raam ramen; flower de bloem bloemen
key de sleutel sleutels; table de tafel tafels; chair de stoel stoelen; bed het bed bedden; tree de boom bomen
"""
ADJECTIVE_TABLE = """
big groot grote; small klein kleine; old oud oude; young jong jonge; new nieuw nieuwe; beautiful mooi mooie
good goed goede; white wit witte; black zwart zwarte; red rood rode; blue blauw blauwe; green groen groene
expensive duur dure; warm warm warme; cold koud koude; happy blij blije; tired moe moede; ill ziek zieke
sad verdrietig verdrietige; rich rijk rijke; dirty vies vieze; strong sterk sterke; famous beroemd beroemde
clever slim slimme; kind aardig aardige
"""
# Present for ik, je, hij; infinitive; past participle. The plural is the infinitive. A separable verb has its particle
# before a bar: op|bellen.
VERB_TABLE = """
eat eet eet eet eten gegeten; drink drink drinkt drinkt drinken gedronken; read lees leest leest lezen gelezen
write schrijf schrijft schrijft schrijven geschreven; buy koop koopt koopt kopen gekocht
sell verkoop verkoopt verkoopt verkopen verkocht; see zie ziet ziet zien gezien; find vind vindt vindt vinden gevonden
take pak pakt pakt pakken gepakt; lose verlies verliest verliest verliezen verloren
wear draag draagt draagt dragen gedragen; help help helpt helpt helpen geholpen; call bel belt belt op|bellen gebeld
invite nodig nodigt nodigt uit|nodigen genodigd; open doe doet doet open|doen gedaan
close doe doet doet dicht|doen gedaan
clean maak maakt maakt schoon|maken gemaakt; wash was wast wast wassen gewassen; hear hoor hoort hoort horen gehoord
make maak maakt maakt maken gemaakt; sing zing zingt zingt zingen gezongen; give geef geeft geeft geven gegeven
send stuur stuurt stuurt sturen gestuurd; bring breng brengt brengt brengen gebracht
sleep slaap slaapt slaapt slapen geslapen; work werk werkt werkt werken gewerkt
play speel speelt speelt spelen gespeeld
laugh lach lacht lacht lachen gelachen; cry huil huilt huilt huilen gehuild; wait wacht wacht wacht wachten gewacht
run ren rent rent rennen gerend; go ga gaat gaat gaan gegaan; arrive kom komt komt aan|komen gekomen
come kom komt komt terug|komen gekomen; have heb hebt heeft hebben gehad; be ben bent is zijn geweest
want wil wilt wil willen gewild; can kan kan kan kunnen gekund; must moet moet moet moeten gemoeten
say zeg zegt zegt zeggen gezegd; think denk denkt denkt denken gedacht; know weet weet weet weten geweten
"""
# Singular and plural.
IMPERFECT_TABLE = """
have had hadden; be was waren; want wilde wilden; can kon konden; arrive kwam kwamen; come kwam kwamen
"""


NOUNS, ADJECTIVES = read_forms(NOUN_TABLE), read_forms(ADJECTIVE_TABLE)
VERBS, IMPERFECT = read_forms(VERB_TABLE), read_forms(IMPERFECT_TABLE)
STATES = ("have", "be", "want", "can")
WITH_ZIJN = ("go", "arrive", "come")
IDIOMS = {"hungry": "honger", "thirsty": "dorst"}  # with hebben

DETERMINERS = {
    "a": "een", "": "", "my": "mijn", "your": "je", "his": "zijn", "her": "haar", "their": "hun", "two": "twee",
    "three": "drie",
}  # fmt: skip
SUBJECTS = {"I": "ik", "you": "je", "he": "hij", "she": "ze", "we": "we", "they": "ze"}
OBJECTS = {"I": "mij", "you": "je", "he": "hem", "she": "haar", "we": "ons", "they": "hen"}
RECIPIENTS = {**OBJECTS, "they": "hun"}
PREPOSITIONS = {
    "in": "in", "on": "op", "under": "onder", "behind": "achter", "near": "bij", "to": "naar", "with": "met",
    "for": "voor",
}  # fmt: skip
FREQUENCIES = {"often": "vaak", "always": "altijd", "sometimes": "soms"}
# Each word with the numbers of the English words it stands for.
TIMES = {
    "today": [("vandaag", 0)], "every day": [("elke", 0), ("dag", 1)], "now": [("nu", 0)],
    "yesterday": [("gisteren", 0)], "this morning": [("vanmorgen", 0, 1)],
    "last week": [("vorige", 0), ("week", 1)], "tomorrow": [("morgen", 0)],
    "next week": [("volgende", 0), ("week", 1)], "this evening": [("vanavond", 0, 1)],
}  # fmt: skip
LINKS = {"because": "omdat", "that": "dat", "and": "en", "but": "maar"}


# ------------------------------------------------------------------------------------------------- noun phrases


def _is_het(referent: Referent) -> bool:
    """Return whether it is a singular het-word."""
    if isinstance(referent, Pronoun):
        return referent.stands_for is not None and _is_het(referent.stands_for)
    return NOUNS[referent.noun][0] == "het" and not referent.plural


def _dutch_determiner(phrase: NounPhrase, negated: bool) -> str:
    het = _is_het(phrase)
    if negated and phrase.determiner in ("a", ""):
        return "geen"
    if phrase.determiner == "the":
        return "het" if het else "de"
    if phrase.determiner == "this":
        return "dit" if het else "deze"
    if phrase.determiner == "our":
        return "ons" if het else "onze"
    return DETERMINERS[phrase.determiner]


def _dutch_noun_phrase(
    phrase: NounPhrase, negation: tuple | None = None, with_relative: bool = True
) -> list[Word]:
    """Return a noun phrase; `negation` is the concept that makes "een" and no article "geen"."""
    indefinite = phrase.determiner in ("a", "")
    shown = [(phrase, "determiner")] * bool(phrase.determiner)
    text = _dutch_determiner(phrase, negation is not None)
    words = [concept_word(text, *shown, *([negation] if text == "geen" else []))] if text else []
    for english in phrase.adjectives:
        bare = indefinite and _is_het(phrase)
        words.append(concept_word(ADJECTIVES[english][0 if bare else 1], (phrase, english)))
    words.append(concept_word(NOUNS[phrase.noun][2 if phrase.plural else 1], (phrase, "noun")))
    if phrase.owner:
        words += [concept_word("van", (phrase, "determiner")), *_dutch_noun_phrase(phrase.owner)]
    return words + _relative(phrase) if with_relative else words


def _relative(phrase: Referent | None) -> list[Word]:
    """Return the relative clause of a noun phrase that has one."""
    if not isinstance(phrase, NounPhrase) or not phrase.relative:
        return []
    text = "dat" if _is_het(phrase) else "die"
    return [concept_word(text, (phrase, "relative")), *_dutch_clause(phrase.relative, subordinate=True)]


def _dutch_subject(clause: Clause) -> list[Word]:
    subject = clause.subject
    if isinstance(subject, Gap) or not clause.subject_said:
        return []
    if isinstance(subject, NounPhrase):
        return _dutch_noun_phrase(subject)
    text = ("het" if _is_het(subject) else "hij") if subject.word == "it" else SUBJECTS[subject.word]
    return [concept_word(text, (subject, "noun"))]


def _pronouns(clause: Clause) -> list[Word]:
    """Return the object pronouns, which stand right after the subject and the finite verb."""
    found = []
    for referent, table in ((clause.recipient, RECIPIENTS), (clause.object, OBJECTS)):
        if isinstance(referent, Pronoun):
            text = ("het" if _is_het(referent) else "hem") if referent.word == "it" else table[referent.word]
            found.append(concept_word(text, (referent, "noun")))
    return found


# -------------------------------------------------------------------------------------------------------- verbs


def _present(verb: str, clause: Clause, inverted: bool) -> str:
    """Return the present; je loses its t when it follows the verb: je eet, zie je."""
    who = person(clause.subject)
    if who > 2:
        return VERBS[verb][3].split("|")[-1]
    return VERBS[verb][0 if who == 1 and inverted else who]


def _dutch_verb(clause: Clause, inverted: bool, after_when: bool) -> tuple[Word, str, list[Word]]:
    """Return the finite verb, its particle ("" for none), and the participle or infinitive, if any."""
    verb = "have" if clause.complement in IDIOMS else clause.verb.split()[0]
    concept, plural = (clause, "verb"), person(clause.subject) > 2
    *particle, _ = VERBS[verb][3].split("|")
    infinitive = concept_word(VERBS[verb][3].replace("|", ""), concept)
    if clause.modal:
        past = clause.tense == "past"
        text = IMPERFECT[clause.modal][plural] if past else _present(clause.modal, clause, inverted)
        return concept_word(text, (clause, "modal")), "", [infinitive]
    if clause.tense == "near":
        return concept_word(_present("go", clause, inverted), (clause, "near")), "", [infinitive]
    if clause.tense == "past" and (verb in STATES or after_when):
        return concept_word(IMPERFECT[verb][plural], concept), "".join(particle), []
    if clause.tense == "past":
        auxiliary = _present("be" if verb in WITH_ZIJN else "have", clause, inverted)
        return (
            concept_word(auxiliary, concept),
            "",
            [concept_word("".join(particle) + VERBS[verb][4], concept)],
        )
    return concept_word(_present(verb, clause, inverted), concept), "".join(particle), []


# ------------------------------------------------------------------------------------------------------ clauses


def _middle(clause: Clause) -> list[Word]:
    """Return what stands between the finite and the last verb: definite objects, time and not, the rest."""
    time = [] if clause.time_first else _time(clause)
    negation, thing = (clause, "negation"), clause.object
    with_geen = clause.negation == "not" and (
        (isinstance(thing, NounPhrase) and thing.determiner in ("a", "")) or clause.complement in IDIOMS
    )
    definite = isinstance(thing, NounPhrase) and thing.definite
    words = _pronouns(clause) + (_dutch_noun_phrase(thing, None, False) if definite else []) + time
    if clause.frequency:
        words.append(concept_word(FREQUENCIES[clause.frequency], (clause, "frequency")))
    if clause.negation and not with_geen:
        words.append(concept_word("niet" if clause.negation == "not" else "nooit", negation))
    if isinstance(thing, NounPhrase) and not definite:
        words += _dutch_noun_phrase(thing, negation if with_geen else None)
    if isinstance(clause.recipient, NounPhrase):
        words += [concept_word("aan", (clause, "to")), *_dutch_noun_phrase(clause.recipient)]
    if clause.complement in IDIOMS:
        words += [concept_word("geen", negation)] if with_geen else []
        words.append(concept_word(IDIOMS[clause.complement], (clause, "complement")))
    elif clause.complement:
        words.append(concept_word(ADJECTIVES[clause.complement][0], (clause, "complement")))
    for english, place in sorted(clause.places, key=lambda place: place[0] == "to"):  # whither comes last
        words += [concept_word(PREPOSITIONS[english], (place, "preposition")), *_dutch_noun_phrase(place)]
    return words


def _time(clause: Clause) -> list[Word]:
    return [
        concept_word(text, *((clause, "time", i) for i in numbers))
        for text, *numbers in TIMES.get(clause.time, [])
    ]


def _dutch_clause(
    clause: Clause, subordinate: bool = False, inverted: bool = False, after_when: bool = False
) -> list[Word]:
    """Return a clause: subject first, verb first (`inverted`), or verb last (`subordinate`)."""
    inverted = inverted or (clause.time_first and not subordinate)
    finite, particle, rest = _dutch_verb(clause, inverted, after_when)
    subject, middle, after = _dutch_subject(clause), _middle(clause), _relative(clause.object)
    if subordinate:
        joined = concept_word(particle + finite.text, *finite.concepts)
        return [*subject, *middle, joined, *rest, *after]
    last = [concept_word(particle, *finite.concepts)] * bool(particle) + rest
    if not clause.subject_said and clause.tense == "past":
        return [*middle, *last, *after]  # "heeft de appel gepakt en hem gegeten"
    first = [finite, *subject] if inverted else [*subject, finite]
    return (_time(clause) if clause.time_first else []) + first + middle + last + after


def _dutch_sentence(sentence: Sentence, subordinate: bool = False) -> list[Word]:
    words = []
    if sentence.front:
        when = concept_word("toen" if sentence.front.tense == "past" else "als", (sentence, "when"))
        front = _dutch_clause(sentence.front, subordinate=True, after_when=sentence.front.tense == "past")
        words = [when, *front, concept_word(",", (sentence, ","))]
    inverted = sentence.question or sentence.front is not None
    words += _dutch_clause(sentence.main, subordinate, inverted)
    if sentence.second:
        follows = sentence.link in ("because", "that")
        words += [
            concept_word(LINKS[sentence.link], (sentence, "link")),
            *_dutch_sentence(sentence.second, follows),
        ]
    return words


def dutch(sentence: Sentence) -> list[Word]:
    """Return a sentence in Dutch, without its full stop or question mark."""
    return _dutch_sentence(sentence)


def english_dutch(
    seed: int, held_out: bool = False, lengths: Sequence[int] = range(SHORTEST, LONGEST + 1)
) -> Iterator[Pair]:
    """Yield English-Dutch pairs without end, each length equally often, for training or held out from it.

    >>> pair = next(english_dutch(seed=7, lengths=[7]))
    >>> " ".join(pair.source)
    'I do not clean my bedrooms .'
    >>> " ".join(pair.target)
    'ik maak mijn slaapkamers niet schoon .'
    """
    return generate_pairs(dutch, seed, held_out, lengths)
