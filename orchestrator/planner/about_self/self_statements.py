"""Find what people state of themselves as a habit or a lasting fact, each statement with its reasons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from orchestrator.planner.about_self.clauses import Clause, after_leads, clauses, is_reported
from orchestrator.planner.about_self.statement_readers import FIT, Reading, SelfStatement, read_statement
from orchestrator.planner.lexicon import table
from orchestrator.planner.text import Text
from orchestrator.turn import Clinic, Language, MemoryKind, all_of


def find_statements(
    text: Text, now: datetime, language: Language, clinics: Sequence[Clinic]
) -> tuple[SelfStatement, ...]:
    """Return the statements of an utterance, or of what was remembered of one; `now` is when it was said.

    What follows a statement as its reason or its consequence is a part of it.
    """
    if is_reported(text.folded) or not table("memories", "marks_of_statements").search(text.folded):
        return ()
    reading = Reading(text, now, language, clinics)
    found: list[SelfStatement] = []
    goes_on = False
    for clause in clauses(text.folded):
        last = found[-1] if goes_on and found else None
        follows = last is not None and clause.is_consequence
        statement = None if clause.asked else read_statement(clause, reading, follows=follows)
        goes_on = True
        if last is not None and statement is not None and (follows or clause.is_reason):
            found[-1] = _joined(last, statement)
        elif statement is not None:
            found.append(statement)
        elif last is not None and _belongs_to(clause):
            found[-1] = replace(last, end=clause.own_span[1], clause=(last.clause[0], clause.end))
        else:
            goes_on = False
    return tuple(found)


def _joined(first: SelfStatement, second: SelfStatement) -> SelfStatement:
    main = second if first.kind is MemoryKind.PERSONAL else first
    suits = all_of((first.suits, second.suits))
    return replace(main, start=first.start, end=second.end, clause=(first.clause[0], second.clause[1]), suits=suits)


def _belongs_to(clause: Clause) -> bool:
    """Return whether a clause says more of the statement before it: why, or a remark that asks nothing."""
    folded = _RELATIVE.sub("", clause.folded)
    if clause.is_added and table("memories", "refusal").match(folded):
        return not clause.asked
    if clause.asked or any(table("own_words", name).search(folded) for name in ("requests", "passing", "others_do")):
        return False
    if any(table("memories", name).search(folded) for name in ("health_words", "passing", "street", *FIT)):
        return False
    is_remark = table("own_words", "first_person").search(folded) or table("memories", "remarks").match(clause.folded)
    return clause.is_reason or ((clause.is_consequence or clause.is_added) and is_remark is not None)


_RELATIVE = re.compile(r"^(?:que|who|which) ")


def tells_of_health(text: Text) -> bool:
    """Return whether a clause states a condition or a treatment of the speaker."""
    for clause in clauses(text.folded):
        match = table("memories", "health").match(clause.folded, after_leads(clause.folded))
        if match is not None and not clause.asked and not table("memories", "others").search(clause.folded):
            return True
    return False
