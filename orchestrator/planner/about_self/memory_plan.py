"""Plans what to remember, show and forget of who speaks.

A statement about oneself is saved beside whatever else the turn does; a wish about what is remembered is a turn of its
own. Nothing is planned here where nothing is remembered (`Session.remembers`), for staff, or beside an emergency, a
refusal or a sign that may be an emergency. How things are kept is `orchestrator.memory`'s.
"""

from __future__ import annotations

from dataclasses import replace

from orchestrator.planner.about_self.memory_wishes import wish_of
from orchestrator.planner.about_self.memory_wording import written
from orchestrator.planner.about_self.self_statements import SelfStatement, find_statements, tells_of_health
from orchestrator.planner.dialogue import Situation, say
from orchestrator.planner.text import is_idle, table
from orchestrator.turn import MIN_CONTENT, MemoryKind, Plan, PlanKind, SaveMemory, Topic

_MOST_SAVED = 3
"""Statements of one utterance that are saved."""

_SILENT = frozenset({PlanKind.EMERGENCY, PlanKind.REFUSE})
_AT_A_LOSS = frozenset({Topic.ASK_REQUEST, Topic.OFF_TOPIC, Topic.HELP, Topic.NOTHING_DONE})
"""What is said where a statement about health, to which nobody has an answer, was not understood."""


def command(here: Situation) -> Plan | None:
    """A wish about what is remembered: to see it, or to have it forgotten. It is all that the utterance says."""
    if not _may_remember(here):
        return None
    call = wish_of(here.said.text, here.session)
    if call is None:
        return None
    answer = say(here, Topic.WHAT_ELSE, "A wish about what is remembered of who speaks.")
    return replace(answer, memory=(call,))


def with_memory(here: Situation, plan: Plan) -> Plan:
    """The plan, with what is to be remembered of the utterance."""
    silent = plan.kind in _SILENT or plan.caution is not None or plan.memory
    if not _may_remember(here) or silent:
        return plan
    statements = _worth_saving(here)
    if not statements:
        return _health_told(here, plan)
    saves = [save for statement in statements if len((save := _save(here, statement)).content) >= MIN_CONTENT]
    if _says_no_more(here, statements) and not _goes_on(here, plan):
        plan = say(here, Topic.WHAT_ELSE, "Somebody tells of themselves, and no more.")
    return replace(plan, memory=tuple(saves[:_MOST_SAVED]))


def _may_remember(here: Situation) -> bool:
    return here.session.remembers and not here.is_operator


def _worth_saving(here: Situation) -> list[SelfStatement]:
    """The statements; what might be meant for one appointment is none while one is being talked of."""
    found = find_statements(here.said.text, here.now, here.said.language, here.clinics)
    told = table("memories", "to_be_remembered").search(here.said.text.folded) is not None
    session = here.session
    chosen_from = session.offers or session.question is not None
    in_question = session.proposal is not None or bool(session.appointments)

    def is_lasting(statement: SelfStatement) -> bool:
        names = bool(statement.doctors or statement.clinics)
        picks = chosen_from and (names or (statement.kind is MemoryKind.PREFERENCE and not statement.habitual))
        return told or not (picks or (in_question and not statement.habitual))

    return [statement for statement in found if is_lasting(statement)]


def _save(here: Situation, statement: SelfStatement) -> SaveMemory:
    content = written(here.said.text, statement.start, statement.end, here.said.language)
    return SaveMemory(statement.kind, content, expires_on=statement.expires_on)


def _says_no_more(here: Situation, statements: list[SelfStatement]) -> bool:
    """Whether there is nothing in an utterance but statements and courtesies."""
    rest = here.said.text.folded
    for statement in statements:
        start, end = statement.clause
        rest = rest[:start] + "_" * (end - start) + rest[end:]
    return is_idle(rest)


def _goes_on(here: Situation, plan: Plan) -> bool:
    """Whether a plan makes use of what was stated: openings that fit, the open question again, a missed appointment."""
    question = here.session.question
    again = question is not None and plan.topic is question.topic and plan.kind is PlanKind.CLARIFY
    return plan.kind is PlanKind.STEPS or again or (plan.topic is Topic.ASK_CHANGE and bool(here.session.appointments))


def _health_told(here: Situation, plan: Plan) -> Plan:
    """The plan, unless all that was told is about health: that is not remembered, and it is said why."""
    text = here.said.text
    expects_memory = plan.topic in _AT_A_LOSS or table("memories", "to_be_remembered").search(text.folded)
    if not expects_memory or not tells_of_health(text):
        return plan
    return say(here, Topic.NO_HEALTH_MEMORY, "Somebody tells of their health; that is not remembered.")
