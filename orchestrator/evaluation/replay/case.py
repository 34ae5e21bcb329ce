"""Read cases, one JSON object a line: `{"id", "history": [{"role", "content"}], "utterance"}`.

Other fields are allowed and ignored, so that a file may hold expected results too.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError


class CaseError(ValueError):
    """Some lines are no cases; the message names each line and place, never a value."""


class Speaker(StrEnum):
    """The speaker of a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"  # instructions to a model, which are no part of the conversation


class Said(BaseModel):
    """One turn of a history."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    role: Speaker
    content: StrictStr


class Case(BaseModel):
    """An utterance and the conversation before it.

    Attributes:
        id: The file's id of the case.
        history: The turns before, oldest first.
        utterance: The utterance to plan.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    id: StrictStr | StrictInt
    history: tuple[Said, ...] = ()
    utterance: StrictStr


def read_cases(lines: Iterable[str], source: str) -> tuple[Case, ...]:
    """Return the cases of a file, skipping blank lines; `source` names the file in messages.

    Raises:
        CaseError: Some lines are no JSON or no case; all are named.
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
