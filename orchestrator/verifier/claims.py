"""R4: a reply claims a booking, a move or a cancellation only with a receipt of this turn.

A clause that denies, doubts or postpones it is no claim: "nada foi alterado" passes.
"""

import re
from collections.abc import Iterable, Iterator

from orchestrator.texts import one_of, patterns_in
from orchestrator.turn import ReceiptKind
from orchestrator.verifier.review import ReplyReview

_PATTERNS = patterns_in("claims.txt", __package__)
_CLAIM = re.compile(r"\b(?=[^\W\d]|\d+')" + _PATTERNS["claim"], re.MULTILINE)  # none begins with a number alone
_NOT_YET = re.compile(_PATTERNS["not_yet"])
_DENIED = re.compile(_PATTERNS["denied"])
_BY_OTHERS = re.compile(_PATTERNS["by_others"])
_OF_THE_PERSON = re.compile(_PATTERNS["of_the_person"])


def _of_each_kind(*forms: str) -> dict[ReceiptKind, re.Pattern[str]]:
    words = {
        kind: [_PATTERNS[name] for form in forms if (name := f"{form}_{kind}") in _PATTERNS] for kind in ReceiptKind
    }
    return {kind: re.compile(rf"\b{one_of(*patterns)}\b") for kind, patterns in words.items() if patterns}


_EVIDENT = _of_each_kind("participle", "i_did", "infinitive")
_ABOUT = _of_each_kind("noun")


def claimed_without_receipt(review: ReplyReview) -> str | None:
    """Return a note when a reply claims a write that no clinic acknowledged in this turn."""
    acknowledged = {receipt.kind for receipt in review.answers.receipts}
    if all(claim & acknowledged for claim in _claims(review.clauses_with(_CLAIM))):
        return None
    return "a booking, move or cancellation that no clinic acknowledged in this turn"


def _claims(clauses: Iterable[str]) -> Iterator[frozenset[ReceiptKind]]:
    for clause in clauses:
        if _BY_OTHERS.search(clause) and not _OF_THE_PERSON.search(clause):
            continue  # what somebody else did: "foi reservado por outra pessoa"
        for match in _CLAIM.finditer(clause):
            names_what_is_denied = match.start() == 0 and _DENIED.search(clause, match.end())
            if not (names_what_is_denied or _NOT_YET.search(clause, 0, match.start())):
                yield _kinds_of(clause, match[0])


def _kinds_of(clause: str, claim: str) -> frozenset[ReceiptKind]:
    # The noun decides, then the verb; a bare confirmation fits any write, and what was moved is booked at its new time.
    about = frozenset(kind for kind, noun in _ABOUT.items() if noun.search(clause))
    evident = frozenset(kind for kind, words in _EVIDENT.items() if words.search(claim))
    moved = {ReceiptKind.RESCHEDULED} if ReceiptKind.CONFIRMED in evident else set()
    return about or evident | moved or frozenset(ReceiptKind)
