"""Remove from a person's words what identifies anybody, before they enter the state."""

import re

from orchestrator.privacy import Redactor

# The scale SF-36 and the virus H1N1 are no patient ids, which have three digits.
_PATIENT_ID = re.compile(r"\b[A-Za-z]{2,8}-[A-Za-z]?\d{3,6}\b")


def scrubbed(text: str, redactor: Redactor) -> str:
    """Return a text with placeholders for what identifies anybody; `redactor` knows the speaker's own name."""
    return _PATIENT_ID.sub("[PATIENT]", redactor.redact(text))
