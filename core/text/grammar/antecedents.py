"""What "it" stands for: the one thing in the clause before that makes sense in its place."""

from __future__ import annotations

from dataclasses import replace

from core.text.grammar.meaning import Clause, NounPhrase, Pronoun, Referent, Sentence
from core.text.grammar.sense import REASONS
from core.text.grammar.sensible import is_sensible, things


def has_it(clause: Clause) -> bool:
    """Return whether "it" is a clause's subject or object."""
    return any(isinstance(each, Pronoun) and each.word == "it" for each in (clause.subject, clause.object))


def with_antecedents(sentence: Sentence, before: Clause | None = None) -> Sentence | None:
    """Return a sentence whose clauses make sense, each "it" with what it stands for in the clause before; else None."""
    front = sentence.front
    if front and (has_it(front) or not is_sensible(front)):
        return None
    main = _resolved(sentence.main, front or before, sentence.question)
    if main is None or not sentence.second:
        return main and replace(sentence, main=main)
    second = with_antecedents(sentence.second, main)
    return second and replace(sentence, main=main, second=second)


def _resolved(clause: Clause, before: Clause | None, question: bool) -> Clause | None:
    """Return a clause that makes sense, with the one thing before it that makes it so for its "it"; else None."""
    if not clause.subject_said:
        clause = replace(clause, subject=before.subject)
    if not has_it(clause):
        return clause if is_sensible(clause, question) else None
    found = {
        named: resolved
        for named in (things(before) if before else ())
        if is_sensible(resolved := _standing_for(clause, named), question)
    }
    if len(found) > 1:
        found = {named: found[named] for named in found if named is _likelier(before, clause)}
    return next(iter(found.values()), None)


def _standing_for(clause: Clause, named: NounPhrase) -> Clause:
    for role in ("subject", "object"):
        referent = getattr(clause, role)
        if isinstance(referent, Pronoun) and referent.word == "it" and not referent.stands_for:
            clause = replace(clause, **{role: Pronoun("it", named)})
    return clause


def _likelier(before: Clause, clause: Clause) -> Referent | None:
    """Return which of several things "it" is: what is found is eaten, who eats is hungry; else nobody can tell."""
    if not clause.subject_said:
        return before.object
    return before.subject if REASONS.get(before.verb) == clause.complement and not before.negation else None
