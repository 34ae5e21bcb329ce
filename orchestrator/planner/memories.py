"""Plans what to remember, show and forget of who speaks.

A statement about oneself is saved beside whatever else the turn does; a wish about what is remembered is a turn of its
own. Nothing is planned here where nothing is remembered (`Session.remembers`), for staff, or beside an emergency, a
refusal or a sign that may be an emergency. How things are kept is `orchestrator.memory`'s.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from orchestrator.memory.calls import ForgetAllMemories, ForgetMemory, ListMemories, MemoryCall, SaveMemory
from orchestrator.plan import Plan, PlanKind, Topic
from orchestrator.planner.drafts import say
from orchestrator.planner.lexicon.tables import rows
from orchestrator.planner.memory_wording import written
from orchestrator.planner.phrases import phrases, table
from orchestrator.planner.situation import Situation
from orchestrator.planner.statements import Statement, find_statements, is_idle, tells_of_health

_MOST_SAVED = 3
"""Statements of one utterance that are saved."""

_SILENT = frozenset({PlanKind.EMERGENCY, PlanKind.REFUSE})
_AT_A_LOSS = frozenset({Topic.ASK_REQUEST, Topic.OFF_TOPIC, Topic.HELP, Topic.NOTHING_DONE})
"""What is said where a statement about health, to which nobody has an answer, was not understood."""


def command(here: Situation) -> Plan | None:
    """A wish about what is remembered: to see it, or to have it forgotten. It is all that the utterance says."""
    if not _may_remember(here):
        return None
    call = _wished(here)
    if call is None:
        return None
    wish = say(here, Topic.WHAT_ELSE, "A wish about what is remembered of who speaks.")
    return replace(wish, memory=(call,))


def with_memory(here: Situation, plan: Plan) -> Plan:
    """The plan, with what is to be remembered of the utterance."""
    silent = plan.kind in _SILENT or plan.caution is not None or plan.memory
    if not _may_remember(here) or silent:
        return plan
    statements = _worth_saving(here)
    if not statements:
        return _health_told(here, plan)
    saves = tuple(_save(here, statement) for statement in statements[:_MOST_SAVED])
    if _says_no_more(here, statements) and not _goes_on(here, plan):
        plan = replace(say(here, Topic.WHAT_ELSE, "Somebody tells of themselves, and no more."), facts={})
    return replace(plan, memory=saves)


def _may_remember(here: Situation) -> bool:
    return here.session.remembers and not here.is_operator


def _wished(here: Situation) -> MemoryCall | None:
    """The call that the whole utterance asks for."""
    folded = " ".join(re.sub(r"[^a-z0-9' ]+", " ", here.said.text.folded).split())
    one = re.match(rf"{_politely('forgets_one').pattern} *", folded)
    if one is not None and one.end() < len(folded):
        verb = table("memories", "memory_verbs").match(re.sub(r"^(?:eu |i |nao )+", "", folded[one.end() :]))
        return None if verb is None else ForgetMemory(_after(here, "forgets_one"))
    number = re.fullmatch(rf"{_politely('forgets_number').pattern} ?(?P<number>\d{{1,3}})", folded)
    if number is not None:
        return _numbered(here, int(number["number"]))
    nothing_open = here.session.proposal is None and not here.session.appointments
    for section, call in _WISHES.items():
        may_be = section != "forgets_all_bare" or nothing_open
        if may_be and re.fullmatch(rf"(?:{_politely(section).pattern} ?)(?:{_courtesy().pattern} ?)*", folded):
            return call
    return None


_WISHES: dict[str, MemoryCall] = {
    "asks_list": ListMemories(),
    "forgets_all": ForgetAllMemories(),
    "forgets_all_bare": ForgetAllMemories(),
    "forgets_last": ForgetMemory(),
}


@cache
def _politely(section: str) -> re.Pattern[str]:
    """A wish, with courtesies before it."""
    return re.compile(rf"(?:{_courtesy().pattern} )*{phrases(rows('memories', section)).pattern}")


@cache
def _courtesy() -> re.Pattern[str]:
    courtesies = ("smalltalk", "greetings"), ("smalltalk", "padding"), ("memories", "leads")
    polite = (row for file, section in courtesies for row in rows(file, section))
    return phrases((*polite, "por favor", "voce pode", "can you", "could you", "pode", "tudo", "eu quero que voce"))


def _after(here: Situation, section: str) -> str:
    """What stands behind a phrase, as it was typed."""
    text = here.said.text
    match = table("memories", section).search(text.folded)
    if match is None:
        return ""
    first, last = text.original_span(match.end(), len(text.folded))
    return text.original[first:last].strip(" .,;:!?")


def _numbered(here: Situation, number: int) -> MemoryCall:
    """Forgets the memory that was listed under a number; where none was, what there is is listed."""
    listed = here.session.memories
    return ForgetMemory(listed[number - 1].content) if 0 < number <= len(listed) else ListMemories()


def _worth_saving(here: Situation) -> list[Statement]:
    """The statements; what might be meant for one appointment is none while one is being talked of."""
    found = find_statements(here.said.text, here.now, here.said.language, here.clinics)
    told = table("memories", "to_be_remembered").search(here.said.text.folded) is not None
    session = here.session
    chosen_from = session.offers or session.question is not None
    in_question = session.proposal is not None or bool(session.appointments)

    def is_lasting(statement: Statement) -> bool:
        picks = bool(statement.doctors or statement.clinics) and chosen_from
        return told or (statement.habitual and not picks) or not (in_question or picks)

    return [statement for statement in found if is_lasting(statement)]


def _save(here: Situation, statement: Statement) -> SaveMemory:
    content = written(here.said.text, statement.start, statement.end, here.said.language)
    return SaveMemory(statement.kind, content, expires_on=statement.expires_on)


def _says_no_more(here: Situation, statements: list[Statement]) -> bool:
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
    told = table("memories", "to_be_remembered").search(here.said.text.folded) is not None
    if not tells_of_health(here.said.text) or not (told or plan.topic in _AT_A_LOSS):
        return plan
    return say(here, Topic.NO_HEALTH_MEMORY, "Somebody tells of their health; that is not remembered.")
