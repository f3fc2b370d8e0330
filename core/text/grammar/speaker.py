"""Thinking of something sensible to say: a Speaker draws meanings at random from what goes with what."""

from __future__ import annotations

from dataclasses import replace

from core.text.grammar.meaning import (
    MASS,
    Clause,
    Gap,
    NounPhrase,
    Pronoun,
    Referent,
    Sentence,
    person,
)
from core.text.grammar.naming import Naming, described, is_animal, unambiguous
from core.text.grammar.sense import (
    BENEFIT,
    CHAINS,
    COMPANY,
    CONTRASTS,
    FEELINGS,
    FREQUENCIES,
    GIVING,
    KINDS,
    MOVING,
    NOT_MODAL,
    NOT_PROGRESSIVE,
    OBJECT_REASONS,
    REASONS,
    RESTING,
    SAYING,
    SUITS,
    TIMES,
    TRANSITIVE,
    WHERE,
)


def may_be_frequent(clause: Clause) -> bool:
    """Return whether "often" makes sense."""
    return clause.verb != "have" and not described(clause.object)


def may_be_negated(clause: Clause, modal: str) -> bool:
    """Return whether "not" leaves one plain reading: no "must not", "not two", nor a described object."""
    thing = clause.object
    counted = isinstance(thing, NounPhrase) and thing.determiner in ("two", "three")
    return modal != "must" and not counted and not described(thing)


class Speaker(Naming):
    """Thinks of meanings at random. `richness`, 0 to 1, is how readily it adds what could be left out."""

    def clause(self, tense: str = "") -> Clause:
        """Return a clause that makes sense."""
        draw = self.chance.random()
        tense = tense or self.chance.choices(("present", "progressive", "past", "near"), (30, 20, 38, 12))[0]
        if draw < 0.13:
            return self.state(tense)
        if draw < 0.26:
            return self.finished(self.resting(self.agent("person", "animal"), tense))
        if draw < 0.32:
            tense = "past" if tense == "near" else tense
            return self.finished(Clause(self.agent("person"), "go", tense, places=(self.place("to"),)))
        if draw < 0.37:
            tense = "past" if tense == "near" else tense
            return self.finished(Clause(self.agent("person"), self.chance.choice(MOVING), tense))
        subject = self.agent("person", *(["animal"] if self.chance.random() < 0.2 else []))
        return self.action(subject, tense, giving=draw > 0.88)

    def resting(self, subject: Referent, tense: str) -> Clause:
        """Return "X is sleeping", "X works"; an animal does neither work, nor laugh, nor cry."""
        animal = is_animal(subject)
        return Clause(
            subject, self.chance.choice(("sleep", "play", "wait", "run") if animal else RESTING), tense
        )

    def action(self, subject: Referent, tense: str, giving: bool) -> Clause:
        """Return a clause with an object and perhaps someone who is given it."""
        if is_animal(subject):
            verb = self.chance.choice(("eat", "drink", "see"))
            kind = {"eat": "animal food", "drink": "animal drink", "see": "seeable"}[verb]
            return self.finished(
                Clause(subject, verb, tense, object=self.noun_phrase(self.chance.choice(KINDS[kind])))
            )
        verb = self.chance.choice(list(GIVING if giving else TRANSITIVE))
        kind = (GIVING if giving else TRANSITIVE)[verb]
        taken = subject.noun if isinstance(subject, NounPhrase) else ""
        thing = self.noun_phrase(
            self.chance.choice([n for n in KINDS[kind] if n != taken]), relative=not giving
        )
        recipient = None
        if giving:
            recipient = self.object_pronoun(subject) if self.chance.random() < 0.4 else self.someone(taken)
        elif kind in ("person", "seeable") and self.chance.random() < 0.3:
            thing = self.object_pronoun(subject)
        return self.finished(Clause(subject, verb, tense, object=thing, recipient=recipient))

    def state(self, tense: str) -> Clause:
        """Return "X is hungry" or "the red car is old"."""
        tense = "past" if tense == "past" else "present"
        if self.chance.random() < 0.35:
            noun = self.chance.choice(
                ("car", "house", "book", "hat", "coat", "bicycle", "shirt", "garden", "bedroom")
            )
            thing = self.noun_phrase(noun, is_subject=True)
            complement = self.chance.choice(
                ("dirty", "expensive") if thing.adjectives else (*SUITS[noun], "dirty")
            )
            return self.finished(Clause(thing, "be", tense, complement=complement))
        kind = self.chance.choice(("person", "person", "animal"))
        subject = self.agent(kind)
        feelings = FEELINGS["animal" if is_animal(subject) else "person"]
        return self.finished(Clause(subject, "be", tense, complement=self.chance.choice(feelings)))

    def finished(self, clause: Clause) -> Clause:
        """Add what may be added: a modal, a negation or frequency, places, a time; and see to the one reading."""
        changes = {}
        tense = clause.tense
        if tense in ("progressive", "near") and clause.verb in NOT_PROGRESSIVE:
            tense = "present"
        if tense in ("present", "past") and clause.verb not in NOT_MODAL and self.chance.random() < 0.15:
            changes["modal"] = self.chance.choice(
                ("want", "can") if tense == "past" else ("want", "can", "must")
            )
        draw = self.chance.random()
        if draw < 0.15 and may_be_negated(clause, changes.get("modal", "")):
            may_be_never = tense in ("present", "past") and "modal" not in changes and clause.verb != "have"
            never = may_be_never and self.chance.random() < 0.3
            changes["negation"] = "never" if never else "not"
        elif draw < 0.25 and tense == "present" and "modal" not in changes and may_be_frequent(clause):
            changes["frequency"] = self.chance.choice(FREQUENCIES)
        if (
            not isinstance(clause.subject, Gap)
            and not changes.get("frequency")
            and changes.get("negation") != "never"
        ):
            changes |= self.time(tense, clause, tense == "present" and "negation" in changes)
        changes["places"] = (*clause.places, *self.places(clause))
        return unambiguous(replace(clause, **changes, tense=tense))

    def time(self, tense: str, clause: Clause, negated: bool) -> dict:
        """Return a time that suits the tense, or none; first where a relative clause would take it."""
        lasting = clause.verb == "have" or clause.complement not in ("", *FEELINGS["person"])
        if lasting or not self.maybe(0.45):
            return {}
        times = ("today",) if negated or (clause.verb == "be" and tense == "present") else TIMES[tense]
        first = described(clause.object) or self.chance.random() < 0.5
        return {"time": self.chance.choice(times), "time_first": first}

    def places(self, clause: Clause) -> tuple[tuple[str, NounPhrase], ...]:
        """Return none, one or two of: with whom, for whom, where."""
        found = []
        if described(clause.object):
            return ()
        if clause.verb in COMPANY and self.maybe(0.3):
            found.append(self.place("with"))
        if clause.verb in BENEFIT and self.maybe(0.3):
            found.append(self.place("for"))
        if clause.verb in WHERE and self.maybe(0.55):
            in_bed = clause.verb == "sleep" and not is_animal(clause.subject)
            found.append(self.place(self.chance.choice(("in",) if in_bed else WHERE[clause.verb])))
        return tuple(found)

    def sentence(self) -> Sentence:
        """Return a sentence: one clause, a question, or clauses joined by when, because, that, and, but."""
        if not self.maybe(0.95):
            return self.simple()
        kinds = (self.because, self.when, self.that, self.chain, self.joined)
        return self.chance.choices(kinds, (24, 16, 18, 20, 22))[0]()

    def simple(self) -> Sentence:
        """Return one clause, at times as a question."""
        clause = self.clause()
        asked = clause.negation == "" and not clause.frequency and self.chance.random() < 0.15
        if asked:
            clause = self.unfronted(clause)
        return Sentence(clause, question=asked)

    def because(self, clause: Clause | None = None) -> Sentence:
        """Return a clause and a reason that suits it."""
        clause = clause or self.clause()
        tense = "past" if clause.tense == "past" else "present"
        thing = clause.object
        single = isinstance(thing, NounPhrase) and not thing.plural and thing.determiner != ""
        if clause.verb in OBJECT_REASONS and single and not clause.negation:
            edible = thing.noun in (*KINDS["food"], *KINDS["drink"])
            complement = "good" if edible and clause.verb == "buy" else OBJECT_REASONS[clause.verb]
            reason = Clause(Pronoun("it", thing), "be", tense, complement=complement)
        elif clause.negation and clause.verb != "be":
            reason = Clause(
                self.again(clause.subject), "be", tense, complement=self.chance.choice(("ill", "tired"))
            )
        elif clause.verb in REASONS:
            who = clause.object if clause.verb == "call" else clause.subject
            reason = Clause(self.again(who), "be", tense, complement=REASONS[clause.verb])
        else:
            reason = clause
            while reason.verb == clause.verb:
                other = self.clause("past" if tense == "past" else "progressive")
                reason = self.unfronted(other, not clause.time)
        return Sentence(clause, link="because", second=Sentence(reason))

    def when(self) -> Sentence:
        """Return "when X sleeps, Y works" or "when X arrived, Y ..."."""
        if self.chance.random() < 0.5:
            front = Clause(self.agent("person"), self.chance.choice(MOVING), "past")
            return Sentence(self.unfronted(self.clause("past"), timed=False), front=front)
        front = self.resting(self.agent("person", "animal"), "present")
        return Sentence(self.unfronted(self.clause("present"), timed=False), front=front)

    def that(self) -> Sentence:
        """Return "X says that ..."."""
        main = Clause(self.agent("person"), self.chance.choice(SAYING), "present")
        clause = self.unfronted(self.clause())
        content = self.because(clause) if self.maybe(0.4) else Sentence(clause)
        return Sentence(main, link="that", second=content)

    def unfronted(self, clause: Clause, timed: bool = True) -> Clause:
        """Return the clause with its time at the end; without, unless `timed` and it could only be its own."""
        kept = timed and not described(clause.object)
        return replace(clause, time_first=False, time=clause.time if kept else "")

    def chain(self) -> Sentence:
        """Return "X takes the apple and eats it"."""
        first, second, nouns = self.chance.choice(CHAINS)
        subject = self.agent("person")
        thing = self.noun_phrase(self.chance.choice(nouns.split()), definite=True, relative=False)
        if (
            thing.determiner == "the"
            and not thing.owner
            and thing.noun not in MASS
            and self.chance.random() < 0.5
        ):
            thing = NounPhrase(thing.noun, False, "a", thing.adjectives)
        tense = self.chance.choice(("present", "past"))
        after = Clause(
            subject,
            second,
            tense,
            object=Pronoun("it", thing),
            subject_said=False,
            places=self.places(Clause(subject, second)),
        )
        if second == "read" and tense == "present" and person(subject) != 2:
            tense, after = "past", replace(after, tense="past")
        return Sentence(Clause(subject, first, tense, object=thing), link="and", second=Sentence(after))

    def joined(self) -> Sentence:
        """Return two clauses of one tense with and, or a feeling and what it does not lead to."""
        if self.chance.random() < 0.4:
            return self.but()
        tense = self.chance.choice(("present", "past", "progressive"))
        first = self.clause(tense)
        second = self.unfronted(self.clause(tense), not first.time)
        tail = self.because(second) if self.maybe(0.3) else Sentence(second)
        return Sentence(first, link="and", second=tail)

    def but(self) -> Sentence:
        """Return "X is hungry but X does not eat the bread"."""
        feeling, verb, kind = self.chance.choice(CONTRASTS)
        tense = self.chance.choice(("present", "past"))
        subject = self.agent("person")
        thing = self.plain(self.chance.choice(KINDS[kind])) if kind else None
        negation = "" if feeling == "ill" else "not"
        after = Clause(self.again(subject), verb, tense, negation=negation, object=thing)
        after = replace(after, places=self.places(replace(after, object=None)))
        return Sentence(Clause(subject, "be", tense, complement=feeling), link="but", second=Sentence(after))
