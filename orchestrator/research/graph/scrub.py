"""Remove from a person's words what identifies anybody, before they enter the state."""

import re

from orchestrator.privacy import Redactor

_PATIENT_ID = re.compile(r"\b[A-Za-z]{2,8}-[A-Za-z]?\d{2,6}\b")


def scrubbed(text: str, redactor: Redactor) -> str:
    """Return a text with placeholders for what identifies anybody; `redactor` knows the speaker's own name."""
    return _PATIENT_ID.sub(_without_id, redactor.redact(text))


def _without_id(match: re.Match[str]) -> str:
    # The scale SF-36 and the virus H1N1 are no patient ids, which have three digits.
    return "[PATIENT]" if len(re.findall(r"\d", match[0])) >= _ID_DIGITS else match[0]


_ID_DIGITS = 3
