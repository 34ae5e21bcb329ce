"""Reads cases, one a line of JSON: `{"id", "history": [{"role", "content"}], "utterance"}`.

Other fields are allowed and not read, so that a file may hold what is expected beside what is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError


class CaseError(ValueError):
    """Lines that are no cases; the message names each line and its place, never a value."""


class Speaker(StrEnum):
    """Who said something."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"  # instructions to a model, which are no part of the conversation


class Said(BaseModel):
    """One turn of a history."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    role: Speaker
    content: StrictStr


class Case(BaseModel):
    """An utterance and what was said before it.

    Attributes:
        id: Whatever the file calls it.
        history: The turns before, oldest first.
        utterance: What is to be planned.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    id: StrictStr | StrictInt
    history: tuple[Said, ...] = ()
    utterance: StrictStr


def read_cases(lines: Iterable[str], source: str) -> tuple[Case, ...]:
    """Return the cases of a file; blank lines are skipped.

    Args:
        lines: Its lines.
        source: Its name, for messages.

    Raises:
        CaseError: A line is no JSON or no case; all such lines are named.
    """
    cases: list[Case] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(Case.model_validate_json(line))
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = ".".join(str(part) for part in fault["loc"])
            what = "no JSON object" if fault["type"] in {"json_invalid", "model_type"} else f"{place}: {fault['msg']}"
            faults.append(f"{source}:{number}: {what}")
    if faults:
        raise CaseError("\n".join(faults))
    return tuple(cases)
