"""Plan what to remember, show and forget of the person who speaks, and read memories again for openings.

Nothing is planned where nothing is remembered, or beside an emergency, a refusal or a sign of one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from mesh.clock import ZONE
from orchestrator import turn
from orchestrator.planner.about_self.clauses import is_idle
from orchestrator.planner.about_self.self_statements import SelfStatement, find_statements, tells_of_health
from orchestrator.planner.dialogue import Situation, say
from orchestrator.planner.lexicon import pairs, pattern, phrases, rows, table
from orchestrator.planner.text import Text, blanked, fold_phrase, guess_language, normalise
from orchestrator.planner.wishes import Kind

_MOST_SAVED = 4  # statements of one utterance that are saved
_AT_A_LOSS = frozenset({turn.Topic.ASK_REQUEST, turn.Topic.OFF_TOPIC, turn.Topic.HELP, turn.Topic.NOTHING_DONE})
"""What is said where a statement about health, to which nobody has an answer, was not understood."""
_LONGEST_WISH = 200
_WISHES: dict[str, turn.MemoryCall] = {
    "asks_list": turn.ListMemories(),
    "forgets_all": turn.ForgetAllMemories(),
    "forgets_all_bare": turn.ForgetAllMemories(),
    "forgets_last": turn.ForgetMemory(),
}
_RUN = re.compile(r"[^\s,.;:!?]+")
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+")
_CRASIS = re.compile(r"\bas (?=\d|segundas|terças|quartas|quintas|sextas)")
_AT_PART = re.compile(r"(?<!\bda )\ba (?=tarde\b|noite\b)")


def command(here: Situation) -> turn.Plan | None:
    """Plan a wish about memory: to see what is remembered, or to have it forgotten."""
    busy = here.said.specialties or here.said.doctors.found or here.session.offers
    call = wish_of(here.said.text, here.session) if here.session.remembers or not busy else None
    if call is None:
        return None
    if not here.session.remembers:
        asks = isinstance(call, turn.ListMemories) and not here.is_operator
        return say(here, turn.Topic.NOTHING_KEPT, "It is asked what is kept of who speaks.") if asks else None
    answer = say(here, turn.Topic.WHAT_ELSE, "A wish about what is remembered of who speaks.")
    return replace(answer, memory=(call,))


def with_memory(here: Situation, plan: turn.Plan) -> turn.Plan:
    """Return the plan with what is to be remembered of the utterance."""
    silent = plan.kind in {turn.PlanKind.EMERGENCY, turn.PlanKind.REFUSE} or plan.caution is not None or plan.memory
    said, going_on = here.said, here.session.offers or here.session.proposal or here.session.question
    asks = going_on or said.specialties or said.complaints or said.doctors.found
    asks = asks or any(one.kind is Kind.BOUND for one in said.wishes.tokens)  # or "my son is at school till 5"
    if not (silent or asks) and here.says("patterns", "tells_of_others"):
        return say(here, turn.Topic.NO_MEMORY_OF_OTHERS, "Somebody tells of another person, and asks for nothing.")
    if not here.session.remembers or silent:
        return plan
    only_now = plan.kind is turn.PlanKind.STEPS  # "não quero ir na Clínica A" is a condition of what is asked for
    statements = [one for one in _worth_saving(here) if not (only_now and one.picks and one.dislikes)]
    if not statements:
        return _health_told(here, plan)
    text, language = here.said.text, here.said.language
    told = ((one, spelled_out(text, *one.span, language)) for one in statements)
    saves = [turn.SaveMemory(one.kind, said, "", one.expires_on) for one, said in told if len(said) >= turn.MIN_CONTENT]
    rest = pattern("patterns", "addressed").sub("", blanked(text.folded, (one.clause for one in statements)))
    if not is_idle(rest) or _goes_on(here, plan):
        if here.is_operator:  # who may be typing what somebody else says
            return plan
    else:
        plan = say(here, turn.Topic.WHAT_ELSE, "Somebody tells of themselves, and no more.")
    return replace(plan, memory=tuple(saves[:_MOST_SAVED]))


def may_remember(here: Situation) -> bool:
    """Return whether a model may have something remembered of the turn: never for staff, who mostly speak of others."""
    return here.session.remembers and not here.is_operator


def noted(text: str, now: datetime, language: turn.Language, clinics: Sequence[turn.Clinic]) -> turn.SaveMemory:
    """Return the save of what somebody notes of themselves by a command, of the kind that the grammar reads in it."""
    found = find_statements(normalise(text), now.astimezone(ZONE).replace(tzinfo=None), language, clinics)
    kind, expires_on = (found[0].kind, found[0].expires_on) if found else (turn.MemoryKind.PERSONAL, None)
    return turn.SaveMemory(kind, text, expires_on=expires_on, source=turn.Source.MANUAL)


def _worth_saving(here: Situation) -> list[SelfStatement]:
    found = find_statements(here.said.text, here.now, here.said.language, here.clinics)
    session, told = here.session, here.says("memories", "to_be_remembered")
    passing = [one for one in found if not one.habitual]
    wishes = [one for one in passing if one.kind is turn.MemoryKind.PREFERENCE]
    picks = [one for one in found if one.picks]
    of_list = [*wishes, *picks] if session.offers or session.question is not None else []
    of_visit = passing if session.proposal is not None or session.appointments else []
    return [one for one in found if told or one not in (*of_list, *of_visit)]


def _goes_on(here: Situation, plan: turn.Plan) -> bool:
    question = here.session.question
    again = question is not None and plan.topic is question.topic and plan.kind is turn.PlanKind.CLARIFY
    changes = plan.topic is turn.Topic.ASK_CHANGE and bool(here.session.appointments)
    return (plan.kind is turn.PlanKind.STEPS and bool(here.session.offers or here.session.proposal)) or again or changes


def _health_told(here: Situation, plan: turn.Plan) -> turn.Plan:
    expects_memory = plan.topic in _AT_A_LOSS or here.says("memories", "to_be_remembered")
    if not expects_memory or not tells_of_health(here.said.text):
        return plan
    return say(here, turn.Topic.NO_HEALTH_MEMORY, "Somebody tells of their health; that is not remembered.")


def wish_of(text: Text, session: turn.Session) -> turn.MemoryCall | None:
    """Return the memory call that an utterance wishes for; None when it is no such wish."""
    if not table("memories", "marks_of_wishes").search(text.folded):
        return None
    words = " ".join(re.sub(r"[^a-z0-9' ]+", " ", text.folded).split())
    if len(words) > _LONGEST_WISH:
        return None
    number = _wish("forgets_number", r" (?P<number>\d{1,3})").fullmatch(words)
    if number is not None:
        listed, row = session.memories, int(number["number"])
        return turn.ForgetMemory(listed[row - 1].content) if 0 < row <= len(listed) else turn.ListMemories()
    something_open = session.proposal is not None or bool(session.appointments)
    for section, call in _WISHES.items():
        said = _wish(section, rf"(?: {_courtesy()})*+").fullmatch(words)
        if said and not (something_open and section == "forgets_all_bare"):
            return call
    return _named(text, words)


def _named(text: Text, words: str) -> turn.MemoryCall | None:
    asked = _wish("forgets_one", " (?:(?:eu|i|nao) )*+").match(words)
    match = table("memories", "forgets_one").search(text.folded)
    if asked is None or match is None or table("memories", "memory_verbs").match(words, asked.end()) is None:
        return None
    return turn.ForgetMemory(text.typed(match.end(), len(text.folded)).strip(" .,;:!?"))


@cache
def _wish(section: str, ending: str = "") -> re.Pattern[str]:
    """Return the pattern of a wish, which may begin with courtesies."""
    # Possessive: "e que e que ..." has very many readings, and the first is as good as any.
    return re.compile(rf"(?:{_courtesy()} )*+{table('memories', section).pattern}{ending}")


@cache
def _courtesy() -> str:
    places = ("smalltalk", "greetings"), ("smalltalk", "padding"), ("memories", "leads"), ("memories", "asking")
    return phrases([row for file, section in places for row in rows(file, section)]).pattern


def spelled_out(text: Text, start: int, end: int, language: turn.Language) -> str:
    """Return a stretch of the folded text as it is remembered: the person's own words, spelled out."""
    typed = " ".join(text.typed(start, end).split())
    typed = typed.lower() if typed.isupper() else typed
    if language is turn.Language.PT:
        shorthand = pairs("slang", "shorthand")
        typed = _RUN.sub(lambda match: shorthand.get(fold_phrase(match.group()), match.group()), typed)
    words = pairs("spelling", language)
    spelled = _WORD.sub(lambda match: words.get(match.group().lower(), match.group()), typed).strip(" ,;:-–—.!")
    if language is turn.Language.EN:
        return spelled
    accented = _AT_PART.sub("à ", _CRASIS.sub("às ", spelled))
    return accented[:1].lower() + accented[1:]


def with_notes(utterance: str, session: turn.Session, clinics: Sequence[turn.Clinic]) -> str:
    """Return an utterance with what only notes tell written as what they say: "perto de casa", "which suit me?"."""
    text = normalise(utterance)
    if near := pattern("patterns", "near_own_place").search(text.folded):
        notes = (pattern("patterns", "own_place").search(normalise(one.content).folded) for one in session.recalled)
        place = next((one["place"] for one in notes if one and one[str(near.lastgroup)[:4]]), None)
        start, end = text.original_span(*near.span())
        meant = f"{utterance[:start]}{'near' if near['en'] else 'perto de'} {place}{utterance[end:]}"
        return utterance if place is None else meant
    asked = session.offers and pattern("patterns", "suits_by_notes").search(text.folded)
    told = (
        [one.said for one in reminders_of(session.recalled, clinics, session.language) if one.binding] if asked else []
    )
    return ". ".join(told) or utterance


def reminders_of(
    memories: Sequence[turn.Memory], clinics: Sequence[turn.Clinic], language: turn.Language
) -> tuple[turn.SlotPreference, ...]:
    """Return what memories say about openings, relative to the day on which they were said."""
    found: list[turn.SlotPreference] = []
    for memory in memories:
        text, said_at = normalise(memory.content), memory.created_at.astimezone(ZONE).replace(tzinfo=None)
        for one in find_statements(text, said_at, guess_language(text, language), clinics, standing=True):
            binding = one.tells_when and one.kind is not turn.MemoryKind.PREFERENCE
            if one.suits != turn.ANY_OPENING:
                found.append(turn.SlotPreference(memory.content, one.suits, binding=binding, disliked=one.dislikes))
    return tuple(found)
