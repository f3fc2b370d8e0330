"""The Dutch that the grammar writes, against sentences checked by hand."""

from itertools import islice

import pytest

from core.text.grammar.english_dutch import dutch, english_dutch
from core.text.grammar.grammar import pair
from core.text.grammar.meaning import Clause, Gap, NounPhrase, Pronoun, Sentence

ME, YOU, HE, SHE, WE, THEY = (Pronoun(p) for p in ("I", "you", "he", "she", "we", "they"))


def a(noun, *adjectives, plural=False):
    return NounPhrase(noun, plural, "" if plural else "a", adjectives)


def the(noun, *adjectives, **more):
    return NounPhrase(noun, more.pop("plural", False), more.pop("determiner", "the"), adjectives, **more)


BOOK = the("book", relative=Clause(the("man"), "write", "past", object=Gap("book", False)))

CHECKED = [
    (Clause(the("house", "big"), "be", complement="old"), "het grote huis is oud"),
    (Clause(HE, "have", object=a("house", "big")), "hij heeft een groot huis"),
    (Clause(HE, "have", object=a("car", "big")), "hij heeft een grote auto"),
    (Clause(HE, "have", object=the("house", "big", determiner="our")), "hij heeft ons grote huis"),
    (Clause(HE, "have", negation="not", object=a("horse", "white")), "hij heeft geen wit paard"),
    (
        Clause(HE, "eat", object=NounPhrase("bread", determiner="", adjectives=("good",))),
        "hij eet goed brood",
    ),
    (Clause(YOU, "eat", object=NounPhrase("soup", determiner="")), "je eet soep"),
    (
        Clause(YOU, "eat", object=NounPhrase("soup", determiner=""), time="today", time_first=True),
        "vandaag eet je soep",
    ),
    (Clause(YOU, "see", object=ME, time="now", time_first=True), "nu zie je mij"),
    (Clause(YOU, "open", modal="want", object=the("door")), "je wilt de deur opendoen"),
    (Clause(the("king"), "call", object=the("doctor")), "de koning belt de dokter op"),
    (Clause(the("king"), "call", "past", object=the("doctor")), "de koning heeft de dokter opgebeld"),
    (Clause(the("king"), "call", "near", object=the("doctor")), "de koning gaat de dokter opbellen"),
    (
        Clause(the("king"), "call", negation="not", object=the("doctor"), time="today"),
        "de koning belt de dokter vandaag niet op",
    ),
    (
        Clause(the("king"), "buy", "past", object=a("horse"), time="yesterday"),
        "de koning heeft gisteren een paard gekocht",
    ),
    (
        Clause(the("king"), "buy", "past", object=the("horse"), time="this morning", time_first=True),
        "vanmorgen heeft de koning het paard gekocht",
    ),
    (
        Clause(SHE, "go", "past", negation="not", places=(("to", the("station")), ("with", the("child")))),
        "ze is niet met het kind naar het station gegaan",
    ),
    (Clause(WE, "give", object=a("book"), recipient=THEY), "we geven hun een boek"),
    (Clause(WE, "see", "past", object=THEY), "we hebben hen gezien"),
    (
        Clause(WE, "give", "past", object=the("book"), recipient=the("girl", plural=True)),
        "we hebben het boek aan de meisjes gegeven",
    ),
    (Clause(ME, "be", negation="not", complement="hungry"), "ik heb geen honger"),
    (Clause(ME, "be", "past", frequency="", complement="thirsty"), "ik had dorst"),
    (Clause(ME, "drink", negation="never", object=NounPhrase("tea", determiner="")), "ik drink nooit thee"),
    (
        Clause(ME, "sleep", "progressive", places=(("in", the("house", owner=the("king"))),)),
        "ik slaap in het huis van de koning",
    ),
    (Clause(HE, "read", "past", object=BOOK), "hij heeft het boek gelezen dat de man heeft geschreven"),
    (
        Clause(the("man", relative=Clause(Gap("man", False), "read", object=a("book"))), "sleep"),
        "de man die een boek leest slaapt",
    ),
]


def sentence(clause, **more):
    return " ".join(pair(Sentence(clause, **more), dutch).target)


@pytest.mark.parametrize(("clause", "expected"), CHECKED)
def test_a_clause_in_dutch(clause, expected):
    assert sentence(clause) == f"{expected} ."


def test_the_verb_comes_first_in_a_question():
    assert sentence(Clause(YOU, "sleep"), question=True) == "slaap je ?"
    assert (
        sentence(Clause(the("boy"), "call", "past", object=HE), question=True)
        == "heeft de jongen hem opgebeld ?"
    )


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (Clause(HE, "call", object=SHE), "omdat hij haar opbelt"),
        (Clause(HE, "eat", "past", object=the("apple")), "omdat hij de appel heeft gegeten"),
        (Clause(HE, "eat", modal="want", object=a("apple")), "omdat hij een appel wil eten"),
        (Clause(HE, "be", negation="not", complement="tired"), "omdat hij niet moe is"),
        (Clause(YOU, "arrive", "past", time="yesterday"), "omdat je gisteren bent aangekomen"),
    ],
)
def test_the_verb_comes_last_in_a_subordinate_clause(reason, expected):
    assert sentence(Clause(ME, "laugh"), link="because", second=Sentence(reason)) == f"ik lach {expected} ."


def test_a_clause_in_front_turns_the_order_round_and_when_is_toen_in_the_past():
    arrived, waits = Clause(the("doctor"), "arrive", "past"), Clause(the("doctor"), "wait")
    opened = Clause(the("woman"), "open", "past", object=the("door"))
    assert sentence(opened, front=arrived) == "toen de dokter aankwam , heeft de vrouw de deur opengedaan ."
    assert sentence(Clause(WE, "play"), front=waits) == "als de dokter wacht , spelen we ."


def test_it_is_het_or_hem_by_its_noun():
    for noun, expected in (
        ("egg", "ze pakt het ei en eet het ."),
        ("apple", "ze pakt de appel en eet hem ."),
    ):
        thing = the(noun)
        after = Clause(SHE, "eat", object=Pronoun("it", thing), subject_said=False)
        assert sentence(Clause(SHE, "take", object=thing), link="and", second=Sentence(after)) == expected


def test_both_parts_of_a_separable_verb_are_linked_to_the_verb():
    found = pair(Sentence(Clause(the("king"), "call", object=the("doctor"))), dutch)
    assert found.target == ("de", "koning", "belt", "de", "dokter", "op", ".")
    assert {(2, 2), (5, 2)} <= found.links


def test_geen_is_linked_to_not_and_to_the_article():
    found = pair(Sentence(Clause(HE, "buy", negation="not", object=a("car"))), dutch)
    geen = found.target.index("geen")
    assert {found.source[s] for t, s in found.links if t == geen} >= {"not", "a"}


@pytest.fixture(scope="module")
def many():
    return list(islice(english_dutch(seed=5), 4000))


def test_an_english_sentence_has_one_translation(many):
    seen = {}
    assert all(seen.setdefault(found.source, found.target) == found.target for found in many)


def test_both_sides_have_more_than_a_hundred_words(many):
    assert len({w for found in many for w in found.source}) > 250
    assert len({w for found in many for w in found.target}) > 300


def test_every_dutch_word_is_linked_to_an_english_one(many):
    assert all({t for t, _ in found.links} == set(range(len(found.target))) for found in many)


def test_je_never_follows_a_verb_with_its_t(many):
    wrong = {"bent", "hebt", "eet" + "t", "ziet", "gaat", "wilt", "drinkt", "leest", "koopt"}
    asked = [found for found in many if len(found.target) > 2 and found.target[1] == "je"]
    assert asked
    assert not [found.target for found in asked if found.target[0] in wrong]
