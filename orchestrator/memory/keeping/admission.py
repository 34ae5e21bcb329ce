"""Decide what may be remembered: something specific that people said about themselves, and nothing of a record."""

from datetime import date

from orchestrator.privacy import Redactor
from orchestrator.turn import MAX_CONTENT, MIN_CONTENT, MemoryResult, MemoryStatus, SaveMemory
from orchestrator.verifier import folded, names_drug, pattern_of

_HEALTH = pattern_of("health.txt")
_PERSONAL_DATA = "Não guardo nome, CPF, telefone, e-mail nem endereço: isso fica só no cadastro das clínicas."
_HEALTH_DETAIL = "Não guardo informações de saúde: isso fica só no prontuário das clínicas."
_CONTEXT = " (Contexto: "


def refusal_of(call: SaveMemory, redactor: Redactor, today: date) -> MemoryResult | None:
    """Return the reason why content may not be remembered, or None; `today` is the day in America/Sao_Paulo."""
    content, context = _clean(call.content), _clean(call.context)
    said = f"{content}\n{context}"
    if (fault := _fault_of_form(content, context)) is not None:
        return MemoryResult(call, MemoryStatus.INVALID, fault)
    if call.expires_on is not None and call.expires_on < today:
        return MemoryResult(call, MemoryStatus.INVALID, "Isso já passou: não há o que lembrar.")
    if redactor.find(said):
        return MemoryResult(call, MemoryStatus.PERSONAL_DATA, _PERSONAL_DATA)
    if _HEALTH.search(plain := folded(said)) or names_drug(plain):
        return MemoryResult(call, MemoryStatus.HEALTH, _HEALTH_DETAIL)
    return None


def _fault_of_form(content: str, context: str) -> str | None:
    if not content:
        return "Tipo e conteúdo são obrigatórios."
    if len(content) < MIN_CONTENT:
        return "Conteúdo muito curto. Seja mais específico."
    if len(content) > MAX_CONTENT or len(context) > MAX_CONTENT:
        return f"Conteúdo muito longo. Resuma em até {MAX_CONTENT} caracteres."
    return None


def content_of(call: SaveMemory) -> str:
    """Return the content to remember of an admitted call, its context included."""
    context = _clean(call.context)
    return f"{_clean(call.content)}{_CONTEXT}{context})" if context else _clean(call.content)


def statement_of(content: str) -> str:
    """Return what is remembered without its context."""
    return content.partition(_CONTEXT)[0]


def _clean(text: str) -> str:
    return "".join(character for character in " ".join(text.split()) if character.isprintable())
