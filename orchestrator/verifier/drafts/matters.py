"""R3 and R4 for drafts: what no clinic's answer tells is not told: prices, contacts, papers, messages, health.

Lists of matters, not of style. What stands in the record or the patients that the answer shows may be named with them.
"""

from __future__ import annotations

import re

from orchestrator.turn import Part
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import folded
from orchestrator.verifier.lexicon import pattern_of

_SIGN = re.compile(r"[$€£¥%@<>{}\[\]\\|=~^#]|_|&\w+;|https?:|\bwww\b|[a-z0-9]\.[a-z]{2,}|\+\d")
_CODE = re.compile(
    r"\b(?=[\w-]*[A-Za-z])(?=[\w-]*\d)(?!\d{1,2}(?:h(?:\d\d)?|[ap]m|st|nd|rd|th|[ao])\b)[\w-]+", re.IGNORECASE
)
_MATTER = pattern_of("drafts/matters.txt")
_HEALTH = pattern_of("health.txt", "drafts/habits.txt")
_HEADINGS = re.compile(
    r"\b(?:condic\w+|condition\w*|medicament\w*|medicac\w+|medication\w*|exames?|exams?|endereco|address|telefone|phone"
    r"|cpf|quadro|clinicos?)\b"
)
_OF_PATIENTS = frozenset({Part.RECORD, Part.PATIENTS})


def strange_sign(review: DraftReview) -> str | None:
    """Return a note when a sign of prices, addresses of the web or markup stands in a model's words."""
    return "a sign of a price, an address or markup" if _SIGN.search(review.words) else None


def unknown_code(review: DraftReview) -> str | None:
    """Return a note when a code of letters and digits is in no data."""
    data = folded("\n".join(review.reply.evidence.strings))
    unknown = any(folded(match[0]) not in data for match in _CODE.finditer(review.words))
    return "a code that is not in the clinics' data" if unknown else None


def beyond_the_data(review: DraftReview) -> str | None:
    """Return a note when a price, a contact, a paper, a message or an opening hour is told, which no clinic tells."""
    return "a matter of which the clinics tell nothing" if _tells(_MATTER, review) else None


def health_matter(review: DraftReview) -> str | None:
    """Return a note when a model speaks of body, illness, remedies or habits other than those that it shows."""
    return "a matter of health" if _tells(_HEALTH, review) else None


def _tells(matter: re.Pattern[str], review: DraftReview) -> bool:
    shown = folded("\n".join(review.reply.evidence.strings)) if review.parts & _OF_PATIENTS else ""
    return any(
        not shown or not (_HEADINGS.fullmatch(match[0]) or match[0] in shown)
        for line in review.lines
        for match in matter.finditer(line)
    )
