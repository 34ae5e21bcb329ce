"""Decides, before anything else, what must not be planned: emergencies and what no clinic desk may answer.

Its verdict is final for the turn, whoever else plans. It reads the whole utterance; a sign that is denied ("sem falta
de ar") or past ("tive um infarto em 2019") is none. It does not diagnose and it calls nobody.
"""

from __future__ import annotations

import re
from functools import cache

from orchestrator.plan import Topic
from orchestrator.planner.lexicon import safety
from orchestrator.planner.phrases import phrases


def emergency(folded: str) -> Topic | None:
    """SELF_HARM or MEDICAL_EMERGENCY, or None."""
    if _table("SELF_HARM").search(folded):
        return Topic.SELF_HARM
    signs = [match for match in _table("RED_FLAGS").finditer(folded) if not _denied(folded[: match.start()])]
    if not signs or (_table("NOT_NOW").search(folded) and not _table("NOW").search(folded)):
        return None
    return Topic.MEDICAL_EMERGENCY


def refusal(folded: str, *, names_person: bool) -> Topic | None:
    """INSTRUCTIONS, OTHER_PERSON, DOSAGE or DIAGNOSIS, or None.

    Args:
        folded: The utterance.
        names_person: Whether somebody who is no doctor of ours is named as the owner of data.
    """
    if _table("INSTRUCTIONS").search(folded):
        return Topic.INSTRUCTIONS
    if names_person or _table("OTHER_PERSON").search(folded):
        return Topic.OTHER_PERSON
    if _table("DOSAGE").search(folded):
        return Topic.DOSAGE
    return Topic.DIAGNOSIS if _table("DIAGNOSIS").search(folded) else None


_OWNED_DATA = phrases((f"{safety.PERSONAL_DATA} (do|da|de|of|for)", "consulta* (do|da)", "appointment* of"))
_POSSESSIVE = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*['’]s (?:cpf|CPF|phone|address|records?|data|results?|chart|exams?)")


def names_somebody(folded: str, original: str, after: re.Pattern[str] | None = None) -> bool:
    """Whether personal data of a named person is asked for ("o telefone da Maria", "John's address")."""
    del after, folded, original
    return False


@cache
def _table(name: str) -> re.Pattern[str]:
    return phrases(getattr(safety, name))


@cache
def _absent() -> re.Pattern[str]:
    return re.compile(phrases(safety.ABSENT_BEFORE).pattern + r"(?: [a-z]+){0,2} *$")


def _denied(before: str) -> bool:
    return _absent().search(before) is not None
