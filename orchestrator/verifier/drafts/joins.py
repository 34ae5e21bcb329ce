"""R4 for drafts: doctors, clinics, days and times that a sentence joins belong together, and are what it says they are.

"The earliest" must be the earliest of what the sentence speaks of, and a claim of a write must be about what a receipt
holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from orchestrator.verifier.drafts.facts import Named
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import clauses_of, folded, members

_FREE = re.compile(
    r"\b(?:livres?|dispon\w+|abert[oa]s?|vag[oa]s?|ha|temos|tem|existem?|oferec\w+|encontrei|posso oferecer"
    r"|available|availability|open|openings?|free|there (?:is|are)|we have|i (?:have|found)|you can (?:choose|take))\b"
)


_OPENING = re.compile(r"\b(?:horarios?|vagas?|opcao|opcoes|openings?|slots?|times?|availability)\b")
# Questions, conditions and what may be elsewhere offer nothing.
_ELSEWHERE = re.compile(r"\?|\b(?:se|caso|outr[oa]s?|if|other|another|ask|peca|pedir)\b")


def mismatched(review: DraftReview) -> str | None:
    """Return a note when a sentence, a clause or a member of one joins what does not belong together."""
    for sentence, named in review.said:
        for piece in _pieces(sentence, named, review):
            if not all(any(map(one.fits, review.facts)) for one in _joined(piece)):
                return "a doctor, clinic, day or time that do not belong together"
    return None


def _joined(piece: Named) -> Iterator[Named]:
    """Yield what must belong together: all, where nothing is named twice, or one doctor with each of his clinics."""
    if piece.kinds >= 2 and piece.is_single:
        yield piece
    elif piece.kinds == 2 and len(piece.doctors) == 1 and piece.clinics:
        yield from (replace(piece, clinics=frozenset({clinic})) for clinic in piece.clinics)


_ALL_DOCTORS = re.compile(
    r"\b(?:os dois|as duas|todos os|ambos os|both|all|the two)(?: of)?(?: our| the| nossos| seus)? ?(?:medic"
    r"|cardiolog|dermatolog"
    r"|ortoped|especialist|profission|doctor|physician|specialist|orthop)\w*"
)


_ALL_OPENINGS = re.compile(
    r"\b(?:tod[oa]s [oa]s|all(?: of)?(?: the| these)?) (?:\w+ ){0,2}?"
    r"(?:horarios|vagas|opcoes|openings|slots|times|options) (?:\w+ )?(?:sao|ficam|estao|are)\b"
)


def lumped_together(review: DraftReview) -> str | None:
    """Return a note when all openings or all doctors are said to be where or when one of them is not."""
    doctors = {fact.doctor for fact in review.offered}
    for sentence, named in review.said:
        plain = folded(sentence)
        if review.denies(plain):
            continue
        if _ALL_OPENINGS.search(plain) and not all(map(named.fits, review.offered)):
            return "openings lumped together of which it is not true"
        if not _ALL_DOCTORS.search(plain) or named.doctors or not named.is_single:
            continue
        each = (replace(named, doctors=frozenset({doctor})) for doctor in doctors)
        if named.kinds and not all(any(map(one.fits, review.facts)) for one in each):
            return "doctors lumped together of whom it is not true"
    return None


def misoffered(review: DraftReview) -> str | None:
    """Return a note when a moment is said to be open that no clinic offers."""
    for sentence, named in review.said:
        plain = folded(sentence)
        if not _FREE.search(plain) or review.denies(plain):
            continue
        offers_none = not (review.offered or review.receipts)
        if offers_none and _OPENING.search(plain) and not _ELSEWHERE.search(plain):
            return "an opening that no clinic offers"
        moment = named.times or named.dates or named.weekdays
        if moment and named.is_single and not any(map(named.fits, review.offered or review.facts)):
            return "an opening that no clinic offers"
    return None


def _pieces(sentence: str, named: Named, review: DraftReview) -> Iterator[Named]:
    """Yield what a sentence names as a whole and in its parts; a part that denies tells of what there is not."""
    if not review.denies(folded(sentence)):
        yield named
    for clause in clauses_of(sentence):
        if not review.denies(folded(clause)):
            yield review.reader.read(clause)
            yield from map(review.reader.read, members(clause))
