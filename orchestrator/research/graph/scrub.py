"""Remove from a person's words what identifies anybody, before they enter the state.

A name that neither a common given name nor a label marks as one is not recognised.
"""

import re

from orchestrator.privacy import Redactor
from orchestrator.verifier import people_in

_PATIENT_ID = re.compile(r"\b[A-Za-z]{2,8}-[A-Za-z]?\d{2,6}\b")
_MORE_NAME = r"(?:\s+(?:d[aeo]s?\s+|e\s+)?[A-ZÀ-ÖØ-Þ][^\W\d_]+)*"


def scrubbed(text: str, redactor: Redactor) -> str:
    """Return a text with placeholders for what identifies anybody; `redactor` knows the speaker's own name."""
    for name in people_in(text):
        text = re.sub(re.escape(name) + _MORE_NAME, "[NAME]", text)
    return _PATIENT_ID.sub(_without_id, redactor.redact(text))


def _without_id(match: re.Match[str]) -> str:
    # The scale SF-36 and the virus H1N1 are no patient ids, which have three digits.
    return "[PATIENT]" if len(re.findall(r"\d", match[0])) >= _ID_DIGITS else match[0]


_ID_DIGITS = 3
