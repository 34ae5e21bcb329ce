"""Reads what was remembered of a person again, for the openings of a turn.

A memory is a sentence; which openings it means is read from it at every turn by the grammar that found it, relative to
the day on which it was said. A sentence that says nothing about openings is no reminder.
"""

from __future__ import annotations

from collections.abc import Sequence

from mesh.clock import ZONE
from orchestrator.planner.about_self.self_statements import find_statements
from orchestrator.planner.text import guess_language, normalise
from orchestrator.turn import Clinic, Language, Memory, MemoryKind, SlotPreference


def reminders_of(
    memories: Sequence[Memory], clinics: Sequence[Clinic], language: Language
) -> tuple[SlotPreference, ...]:
    """Returns what memories say about openings, in their order.

    Args:
        memories: What is remembered.
        clinics: The directory.
        language: For sentences that do not tell theirs.
    """
    return tuple(reminder for memory in memories for reminder in _reminders(memory, clinics, language))


def _reminders(memory: Memory, clinics: Sequence[Clinic], language: Language) -> list[SlotPreference]:
    text = normalise(memory.content)
    said_at = memory.created_at.astimezone(ZONE).replace(tzinfo=None)
    spoken = guess_language(text, language)
    return [
        SlotPreference(
            memory.content,
            statement.when,
            statement.doctors,
            statement.clinics,
            excludes=statement.excludes,
            binding=statement.tells_when and statement.kind is not MemoryKind.PREFERENCE,
        )
        for statement in find_statements(text, said_at, spoken, clinics)
        if statement.when or statement.doctors or statement.clinics
    ]
