"""English-French sentence pairs with gold word alignments: what `grammar` means, said in French.

Agreement in gender and number, adjectives before or after the noun, elision (l', d', j', qu'), du and au, ne
... pas around the verb, de after a negation, object pronouns before the verb, the perfect with avoir or être
and its agreement. An English past is the perfect for what happened (a mangé) and the imperfect for what was
(avait faim, voulait).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.text.grammar.french_words import ADJECTIVES, IMPERFECT, NOUNS, VERBS
from core.text.grammar.grammar import LONGEST, SHORTEST, generate_pairs
from core.text.grammar.meaning import (
    MASS,
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

WITH_ETRE = ("go", "arrive", "come")
IDIOMS = {"hungry": "faim", "thirsty": "soif"}  # with avoir

# Masculine, feminine, plural.
DETERMINERS = {
    "the": ("le", "la", "les"), "a": ("un", "une", ""), "": ("", "", "des"), "this": ("ce", "cette", "ces"),
    "my": ("mon", "ma", "mes"), "your": ("ton", "ta", "tes"), "his": ("son", "sa", "ses"),
    "her": ("son", "sa", "ses"), "our": ("notre", "notre", "nos"), "their": ("leur", "leur", "leurs"),
    "two": ("", "", "deux"), "three": ("", "", "trois"),
}  # fmt: skip
BEFORE_VOWEL = {"ce": "cet", "ma": "mon", "ta": "ton", "sa": "son"}
SUBJECTS = {"I": "je", "you": "tu", "he": "il", "she": "elle", "we": "nous", "they": "ils"}
OBJECTS = {"I": "me", "you": "te", "he": "le", "she": "la", "we": "nous", "they": "les"}
RECIPIENTS = {**OBJECTS, "he": "lui", "she": "lui", "they": "leur"}
PREPOSITIONS = {
    "in": "dans", "on": "sur", "under": "sous", "behind": "derrière", "near": "près de", "to": "à", "with": "avec",
    "for": "pour",
}  # fmt: skip
FREQUENCIES = {"often": "souvent", "always": "toujours", "sometimes": "parfois"}
# Each word with the numbers of the English words it stands for.
TIMES = {
    "today": [("aujourd'hui", 0)], "every day": [("chaque", 0), ("jour", 1)], "now": [("maintenant", 0)],
    "yesterday": [("hier", 0)], "this morning": [("ce", 0), ("matin", 1)],
    "last week": [("la", 1), ("semaine", 1), ("dernière", 0)], "tomorrow": [("demain", 0)],
    "next week": [("la", 1), ("semaine", 1), ("prochaine", 0)], "this evening": [("ce", 0), ("soir", 1)],
}  # fmt: skip
LINKS = {"because": ["parce", "que"], "that": ["que"], "and": ["et"], "but": ["mais"]}
CONTRACTIONS = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
ELIDED = {"le", "la", "je", "ne", "me", "te", "de", "que"}


def starts_with_vowel(text: str) -> bool:
    """Return whether le or la is elided before a word: it begins with a vowel, or with an h, mute in all here.

    >>> [w for w in ("homme", "école", "œuf", "chat") if starts_with_vowel(w)]
    ['homme', 'école', 'œuf']
    """
    return text[0] in "aeiouyhâàéèêîôûœ"


# ------------------------------------------------------------------------------------------------- noun phrases


def _gender_and_number(referent: Referent) -> tuple[bool, bool]:
    """Return whether it is feminine and whether it is plural."""
    if isinstance(referent, Pronoun):
        if referent.stands_for:
            return _gender_and_number(referent.stands_for)
        return referent.word == "she", referent.word in ("we", "they")
    return NOUNS[referent.noun][1] == "f", referent.plural


def _adjective(english: str, feminine: bool, plural: bool) -> str:
    return ADJECTIVES[english][2 * plural + feminine]


def _noun(english: str, plural: bool) -> str:
    singular, _, *irregular = NOUNS[english]
    return singular if not plural else irregular[0] if irregular else singular + "s"


def _described(phrase: NounPhrase) -> tuple[list[Word], list[Word]]:
    """Return the adjectives before the noun, and the noun with those after it."""
    feminine, plural = _gender_and_number(phrase)
    noun = concept_word(_noun(phrase.noun, plural), (phrase, "noun"))
    before, after = [], []
    for english in phrase.adjectives:
        form = concept_word(_adjective(english, feminine, plural), (phrase, english))
        (before if "before" in ADJECTIVES[english] else after).append((english, form))
    for place, (english, form) in enumerate(before):
        following = before[place + 1][1] if place + 1 < len(before) else noun
        *_, last = ADJECTIVES[english]
        if last != "before" and not feminine and not plural and starts_with_vowel(following.text):
            before[place] = (english, concept_word(last, *form.concepts))
    return [form for _, form in before], [noun, *(form for _, form in after)]


def _determiner(phrase: NounPhrase, before: list[Word], following: Word, negated: bool) -> list[Word]:
    feminine, plural = _gender_and_number(phrase)
    shown = (phrase, "determiner") if phrase.determiner or phrase.owner else (phrase, "noun")
    if negated and phrase.determiner in ("a", ""):
        return [concept_word("de", shown)]
    if not phrase.determiner and phrase.noun in MASS:
        article = "la" if feminine else "le"
        return [concept_word("de", shown), concept_word(article, shown)]
    text = (
        "de"
        if not phrase.determiner and before
        else DETERMINERS[phrase.determiner][2 if plural else feminine]
    )
    return [concept_word(BEFORE_VOWEL.get(text, text) if starts_with_vowel(following.text) else text, shown)]


def _noun_phrase(phrase: NounPhrase, negated: bool = False) -> list[Word]:
    before, noun = _described(phrase)
    words = [*_determiner(phrase, before, (before + noun)[0], negated), *before, *noun]
    if phrase.owner:
        words += [concept_word("de", (phrase, "determiner")), *_noun_phrase(phrase.owner)]
    if phrase.relative:
        text = "qui" if isinstance(phrase.relative.subject, Gap) else "que"
        words += [concept_word(text, (phrase, "relative")), *_clause(phrase.relative)]
    return words


def _subject(clause: Clause) -> list[Word]:
    subject = clause.subject
    if isinstance(subject, Gap) or not clause.subject_said:
        return []
    if isinstance(subject, NounPhrase):
        return _noun_phrase(subject)
    text = (
        ("elle" if _gender_and_number(subject)[0] else "il")
        if subject.word == "it"
        else SUBJECTS[subject.word]
    )
    return [concept_word(text, (subject, "noun"))]


def _clitics(clause: Clause) -> list[Word]:
    """Return the pronouns that stand before the verb."""
    found = []
    for referent, table in ((clause.recipient, RECIPIENTS), (clause.object, OBJECTS)):
        if isinstance(referent, Pronoun):
            feminine, _ = _gender_and_number(referent)
            text = ("la" if feminine else "le") if referent.word == "it" else table[referent.word]
            found.append(concept_word(text, (referent, "noun")))
    return found


# -------------------------------------------------------------------------------------------------------- verbs


def _agreed(participle: str, referent: Referent) -> str:
    """Return a participle that agrees with a referent.

    >>> _agreed("pris", Gap("apple", False)), _agreed("vu", Pronoun("they"))
    ('prise', 'vus')
    """
    feminine, plural = _gender_and_number(referent)
    participle += "e" * feminine
    return participle if not plural or participle.endswith("s") else participle + "s"


def _participle(clause: Clause, verb: str) -> str:
    participle = VERBS[verb][6]
    if verb in WITH_ETRE:
        return _agreed(participle, clause.subject)
    return _agreed(participle, clause.object) if isinstance(clause.object, Pronoun | Gap) else participle


def _verb(clause: Clause) -> tuple[Word, list[Word]]:
    """Return the finite verb, and the participle or infinitive if there is one."""
    i, (verb, *_) = person(clause.subject), clause.verb.split()
    verb = "have" if clause.complement in IDIOMS else verb
    concept = (clause, "verb")
    if clause.modal:
        forms = IMPERFECT if clause.tense == "past" else VERBS
        return concept_word(forms[clause.modal][i], (clause, "modal")), [
            concept_word(VERBS[verb][5], concept)
        ]
    if clause.tense == "near":
        return concept_word(VERBS["go"][i], (clause, "near")), [concept_word(VERBS[verb][5], concept)]
    if clause.tense == "past" and verb in IMPERFECT:
        return concept_word(IMPERFECT[verb][i], concept), []
    if clause.tense == "past":
        auxiliary = VERBS["be" if verb in WITH_ETRE else "have"][i]
        return concept_word(auxiliary, concept), [concept_word(_participle(clause, verb), concept)]
    return concept_word(VERBS[verb][i], concept), []


def _verb_group(clause: Clause) -> list[Word]:
    finite, rest = _verb(clause)
    clitics, negation = _clitics(clause), (clause, "negation")
    infinitive = bool(clause.modal) or clause.tense == "near"
    words = [*([] if infinitive else clitics), finite]
    if clause.negation:
        words = [
            concept_word("ne", negation),
            *words,
            concept_word("pas" if clause.negation == "not" else "jamais", negation),
        ]
    if clause.frequency:
        words.append(concept_word(FREQUENCIES[clause.frequency], (clause, "frequency")))
    return words + (clitics if infinitive else []) + rest


# ------------------------------------------------------------------------------------------------------ clauses


def _after_verb(clause: Clause) -> list[Word]:
    words = []
    if isinstance(clause.object, NounPhrase):
        words += _noun_phrase(clause.object, bool(clause.negation))
    if isinstance(clause.recipient, NounPhrase):
        words += [concept_word("à", (clause, "to")), *_noun_phrase(clause.recipient)]
    if clause.complement:
        text = IDIOMS.get(clause.complement) or _adjective(
            clause.complement, *_gender_and_number(clause.subject)
        )
        words.append(concept_word(text, (clause, "complement")))
    for english, place in clause.places:
        words += [concept_word(text, (place, "preposition")) for text in PREPOSITIONS[english].split()]
        words += _noun_phrase(place)
    return words


def _clause(clause: Clause) -> list[Word]:
    time = [concept_word(text, (clause, "time", i)) for text, i in TIMES.get(clause.time, [])]
    words = _subject(clause) + _verb_group(clause) + _after_verb(clause)
    return time + words if clause.time_first else words + time


def _sentence(sentence: Sentence) -> list[Word]:
    words = []
    if sentence.question:
        words = [concept_word(text, (sentence.main, "question")) for text in ("est-ce", "que")]
    if sentence.front:
        words = [
            concept_word("quand", (sentence, "when")),
            *_clause(sentence.front),
            concept_word(",", (sentence, ",")),
        ]
    words += _clause(sentence.main)
    if sentence.second:
        words += [concept_word(text, (sentence, "link")) for text in LINKS[sentence.link]] + _sentence(
            sentence.second
        )
    return words


def elided_and_contracted(words: list[Word]) -> list[Word]:
    """Return the words with l', d', j', ... before a vowel, and with du, des, au, aux."""
    elided = [
        concept_word(here.text[:-1] + "'", *here.concepts)
        if here.text in ELIDED and starts_with_vowel(after.text)
        else here
        for here, after in zip(words, [*words[1:], concept_word(".")], strict=True)
    ]
    joined: list[Word] = []
    for here in elided:
        contraction = CONTRACTIONS.get((joined[-1].text, here.text)) if joined else None
        if contraction:
            joined[-1] = concept_word(contraction, *joined[-1].concepts, *here.concepts)
        else:
            joined.append(here)
    return joined


def french(sentence: Sentence) -> list[Word]:
    """Return a sentence in French, without its full stop or question mark."""
    return elided_and_contracted(_sentence(sentence))


def english_french(
    seed: int, held_out: bool = False, lengths: Sequence[int] = range(SHORTEST, LONGEST + 1)
) -> Iterator[Pair]:
    """Yield English-French pairs without end, each length equally often, for training or held out from it.

    >>> pair = next(english_french(seed=7, lengths=[7]))
    >>> " ".join(pair.source)
    'I do not clean my bedrooms .'
    >>> " ".join(pair.target)
    'je ne nettoie pas mes chambres .'
    """
    return generate_pairs(french, seed, held_out, lengths)
