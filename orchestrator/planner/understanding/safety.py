"""Decide first what must not be planned: emergencies and what no clinic desk may answer.

The verdict is final for the turn. Denied and past signs do not count; an ambiguous one is a caution. No diagnosis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from orchestrator.planner.lexicon import phrases, rows, table, words
from orchestrator.planner.text import Text, is_known
from orchestrator.turn import Topic


def emergency(folded: str) -> Topic | None:
    """Return SELF_HARM or MEDICAL_EMERGENCY, or None; chest pain counts only with short breath or a companion."""
    if table("safety", "self_harm").search(folded):
        return Topic.SELF_HARM
    if _is_past(folded):
        return None
    grave = _signs("red_flags", folded) or any(_signs(one, folded) and _signs(other, folded) for one, other in _GRAVE)
    return Topic.MEDICAL_EMERGENCY if grave else None


_GRAVE = (("chest", "breath"), ("chest", "companions"), ("breath", "companions"))  # both together cannot wait


def may_be_emergency(folded: str) -> bool:
    """Return whether a sign is told that alone may be anything ("dor no peito", "tontura e febre")."""
    return not _is_past(folded) and any(_signs(sign, folded) for sign in ("chest", "breath", "ambiguous_signs"))


def _signs(section: str, folded: str) -> bool:
    return any(not _denied(folded[: match.start()]) for match in table("safety", section).finditer(folded))


def _is_past(folded: str) -> bool:
    return table("safety", "not_now").search(folded) is not None and not table("safety", "now").search(folded)


def refusal(folded: str, *, names_person: bool) -> Topic | None:
    """Return INSTRUCTIONS, OTHER_PERSON, DOSAGE or DIAGNOSIS, or None; `names_person` stands for OTHER_PERSON."""
    if table("safety", "instructions").search(folded):
        return Topic.INSTRUCTIONS
    if names_person or table("safety", "other_person").search(folded):
        return Topic.OTHER_PERSON
    if table("safety", "dosage").search(folded):
        return Topic.DOSAGE
    return Topic.DIAGNOSIS if table("safety", "diagnosis").search(folded) else None


def names_somebody(text: Text, doctors: Sequence[tuple[int, int]]) -> bool:
    """Return whether data of a named person, other than `doctors` at these places, is asked for."""
    return any(_is_person(text, match, doctors) for owned in _owned() for match in owned.finditer(text.folded))


def _is_person(text: Text, match: re.Match[str], doctors: Sequence[tuple[int, int]]) -> bool:
    start, end = match.span("name")
    if is_known(match["name"]) or match["name"] in words("titles") or any(s <= start < e for s, e in doctors):
        return False
    place, _ = text.original_span(start, end)
    return text.original[place].isupper()


@cache
def _owned() -> tuple[re.Pattern[str], ...]:
    data = f"({'|'.join(rows('safety', 'personal_data'))}) (de|da|do|of|for|from)"
    owned = phrases((data, "consulta* (da|do)", "appointment* of")).pattern
    courtesy = r"[^a-z0-9]+(?:o |a |senhor |senhora |dona |seu |sr\.? |sra\.? |mr\.? |mrs\.? |ms\.? )*"
    things = r"(?:cpf|phone|address|record|data|result|chart|exam|appointment|diagnosis|medication)s?"
    return (re.compile(rf"{owned}{courtesy}(?P<name>[a-z]+)"), re.compile(rf"(?P<name>[a-z]+)'s {things}"))


@cache
def _absent() -> re.Pattern[str]:
    before, next_to = table("safety", "absent_before").pattern, table("safety", "absent_next").pattern
    return re.compile(rf"(?:{before}(?: [a-z]+){{0,2}}|{next_to}) *$")


def _denied(before: str) -> bool:
    return _absent().search(before) is not None
