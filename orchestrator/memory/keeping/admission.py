"""Decide what may be remembered: something specific that people said about themselves, and nothing of a record."""

from datetime import date

from orchestrator.privacy import Redactor
from orchestrator.turn import MAX_CONTENT, MIN_CONTENT, Memory, MemoryStatus, SaveMemory
from orchestrator.verifier import folded, names_drug, pattern_of

_HEALTH = pattern_of("health.txt")
_CONTEXT = " (Contexto: "


def refusal_of(call: SaveMemory, redactor: Redactor, today: date) -> MemoryStatus | None:
    """Return why content may not be remembered, or None; `today` is the day in America/Sao_Paulo."""
    content, context = _clean(call.content), _clean(call.context)
    said = f"{content}\n{context}"
    is_past = call.expires_on is not None and call.expires_on < today
    if is_past or not MIN_CONTENT <= len(content) <= MAX_CONTENT or len(context) > MAX_CONTENT:
        return MemoryStatus.INVALID
    if redactor.find(said):
        return MemoryStatus.PERSONAL_DATA
    if _HEALTH.search(plain := folded(said)) or names_drug(plain):
        return MemoryStatus.HEALTH
    return None


def content_of(call: SaveMemory) -> str:
    """Return the content to remember of an admitted call, its context included."""
    context = _clean(call.context)
    return f"{_clean(call.content)}{_CONTEXT}{context})" if context else _clean(call.content)


def call_of(memory: Memory) -> SaveMemory:
    """Return the call that would save what is remembered."""
    statement, _, context = memory.content.partition(_CONTEXT)
    return SaveMemory(memory.kind, statement, context.removesuffix(")"), memory.expires_on, memory.source)


def _clean(text: str) -> str:
    return "".join(character for character in " ".join(text.split()) if character.isprintable())
