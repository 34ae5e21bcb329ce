"""What all agents read from the state: the language, the last version, what was said; and how words get into it."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from orchestrator.planner.text import guess_language, normalise
from orchestrator.privacy import Redactor
from orchestrator.research.graph.field_ownership import FieldWriter
from orchestrator.research.graph.state import HypothesisVersion, Improvement, MultiAgentState, Saying
from orchestrator.research.rules import Aspect, Elements, parse
from orchestrator.texts import Texts
from orchestrator.turn import Language

RESEARCHER = "researcher"


def language_of(state: MultiAgentState) -> Language:
    """Return the language of a session: of its question, or of the person's words before there is one."""
    for version in state["hypothesis_versions"]:
        for language in Language:
            if parse(version["question"], language).present:
                return language
    said = [saying["text"] for saying in state["conversation_history"] if saying["speaker"] == RESEARCHER]
    return guess_language(normalise(" ".join(said[-_UTTERANCES:])), Language.PT)


_UTTERANCES = 5


def versions_of(state: MultiAgentState) -> list[HypothesisVersion]:
    """Return all versions, the newest last."""
    return [HypothesisVersion.model_validate(version) for version in state["hypothesis_versions"]]


def last_version(state: MultiAgentState) -> HypothesisVersion | None:
    """Return the newest version; None before the first."""
    return next(reversed(versions_of(state)), None)


def known_elements(state: MultiAgentState, language: Language) -> Elements:
    """Return what is known so far: the last version's elements, or the population before there is one."""
    last = last_version(state)
    if last is not None:
        return parse(last.question, language)
    focal = state["focal_argument"]
    return Elements(population=focal["population"]) if focal is not None else Elements()


def population_of(state: MultiAgentState) -> str:
    """Return the population of the last version; empty if it has none, and before the first."""
    last = last_version(state)
    return "" if last is None else parse(last.question, language_of(state)).population


def is_done(state: MultiAgentState) -> bool:
    """Return whether the work on the question is finished."""
    return state["current_stage"] == "done"


def said(state: MultiAgentState, speaker: FieldWriter, text: str) -> dict[str, Any]:
    """Return the part of an update by which an agent says something."""
    saying = Saying.model_validate({"speaker": speaker, "text": text})
    return {
        "conversation_history": [*state["conversation_history"], saying],
        "messages": [AIMessage(text, name=speaker)],
    }


def heard(state: MultiAgentState, text: str) -> dict[str, Any]:
    """Return the update for a person's words."""
    saying = Saying(speaker=RESEARCHER, text=text)
    return {
        "user_input": text,
        "conversation_history": [*state["conversation_history"], saying],
        "messages": [HumanMessage(text)],
    }


def listed(aspects: Iterable[Aspect], texts: Texts) -> str:
    """Return some aspects as a person reads them, each once."""
    return ", ".join(dict.fromkeys(texts.text(f"research.aspects.{aspect}") for aspect in aspects))


def improvement_rows(improvements: Sequence[Improvement], texts: Texts) -> tuple[tuple[str, str, str], ...]:
    """Return the rows of a table of improvements: aspect, gap and suggestion."""
    return tuple((texts.text(f"research.aspects.{each.aspect}"), each.gap, each.suggestion) for each in improvements)


# The scale SF-36 and the virus H1N1 are no patient ids, which have three digits.
_PATIENT_ID = re.compile(r"\b[A-Za-z]{2,8}-[A-Za-z]?\d{3,6}\b")


def scrubbed(text: str, redactor: Redactor) -> str:
    """Return a text with placeholders for what identifies anybody; `redactor` knows the speaker's own name."""
    return _PATIENT_ID.sub("[PATIENT]", redactor.redact(text))
