"""Whom an operator serves: the sentences that begin and end it, and the session of each, which begins empty."""

from dataclasses import dataclass, field

from orchestrator.planner.lexicon import pattern, table
from orchestrator.planner.text import normalise
from orchestrator.turn import Identity, Role, Session


@dataclass(frozen=True, slots=True)
class Served:
    """Whom a sentence names; the CPF is None where it names none."""

    name: str = field(repr=False)
    cpf: str | None = field(default=None, repr=False)


def served_in(said: str) -> Served | None:
    """Return whom an operator says that they serve now ("vou atender a Maria Silva, CPF …"); None for anything else."""
    text = normalise(said)
    match = pattern("front_desk", "served").fullmatch(text.folded)
    if match is None:
        return None
    start, end = text.original_span(*match.span("name"))
    # A name has two words that begin with capitals: "vou atender o telefone" serves nobody.
    name = text.original[start:end]
    if sum(word[0].isupper() for word in name.split()) < 2:
        return None
    return Served(name, match["cpf"])


def ends_serving(said: str) -> bool:
    """Return whether an operator says that they are done with whom they serve."""
    return table("front_desk", "done").search(normalise(said).folded) is not None


def session_for(session: Session, patient: Identity | None) -> Session:
    """Return the empty session in which an operator serves a patient; None: in which they serve nobody."""
    operator = session.operator or session.identity
    return Session(
        patient or operator,
        role=Role.OPERATOR,
        language=session.language,
        pinned_language=session.pinned_language,
        page=session.page,
        operator=None if patient is None else operator,
    )
