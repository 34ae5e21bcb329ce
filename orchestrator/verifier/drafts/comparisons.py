"""R4 for drafts: what is called earliest, only or open is so, and what stands together belongs together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, time

from orchestrator.turn import Language
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.facts import Fact, Named
from orchestrator.verifier.literals import aligned, clauses_of, first_moment, folded, members, patterns_in

_PATTERNS = patterns_in("drafts/comparisons.txt")

_SO = re.compile(_PATTERNS["so"])
_ONLY = re.compile(_PATTERNS["only"])
_ONLY_ONE = re.compile(_PATTERNS["only_one"])
_IF = re.compile(_PATTERNS["if"])
_SOME = re.compile(_PATTERNS["some"])


def wrong_only(review: DraftReview) -> str | None:
    """Return a note when something is called the only one, or some of several, and is not."""
    fitting = [fact for _, fact in _moments(review, fitting_only=True)]
    for sentence, named in review.said:
        plain = folded(sentence) if review.language is Language.PT else _SO.sub("", folded(sentence))
        if _SOME.search(plain) or (_ONLY_ONE.search(plain) and sum(map(named.fits, fitting)) > 1):
            return "an opening called the only one that is not"
        if _ONLY.search(plain) and named.kinds and not _IF.search(plain) and not all(map(named.fits, fitting)):
            return "an opening called the only one that is not"
    return None


_EARLIEST = re.compile(_PATTERNS["earliest"])
_LATEST = re.compile(_PATTERNS["latest"])
_CLAIMS_IN_A_SENTENCE = 4  # each is read by itself, so that their number is what a long sentence costs
_Moment = tuple[date, time]
_COPULA = re.compile(_PATTERNS["copula"])
_CUT = re.compile(_PATTERNS["cut"])


def not_extreme(review: DraftReview) -> str | None:
    """Return a note when an opening is called the earliest or the last of what it is compared with and is not."""
    for sentence, _ in review.said:
        plain = aligned(sentence)
        for pattern, extreme in ((_EARLIEST, min), (_LATEST, max)):
            claims = list(pattern.finditer(plain))
            if len(claims) > _CLAIMS_IN_A_SENTENCE:
                return "more claims of the earliest or the last than a sentence can hold"
            for match in claims:
                if not _is_extreme(sentence, plain, match, review, extreme):
                    return "an opening called the earliest or the last that is not"
    return None


def _is_extreme(
    sentence: str, plain: str, claim: re.Match[str], review: DraftReview, extreme: Callable[[list[_Moment]], _Moment]
) -> bool:
    before, after = sentence[: claim.start()], sentence[claim.end() :]
    follows = _COPULA.match(plain, claim.end() + 1) or not _CUT.search(plain[claim.end() : claim.end() + 12])
    about = review.reader.read(before)
    # What the claim is about comes after it, unless the sentence goes on to something else; the rest says of what.
    if follows or not (about.moment or (about.kinds and not review.reader.read(after).moment)):
        copula = _COPULA.search(plain, claim.end())
        moment = first_moment(plain[claim.end() :])
        begins = copula.end() if copula else len(plain) if moment is None else claim.end() + moment
        spoken, rest = sentence[begins:], sentence[:begins]
    else:
        spoken, rest = before, after
    named, scope = review.reader.read(spoken), review.reader.read(rest)
    if not named.kinds:
        return True
    rivals = _moments(review, fitting_only=True) or _moments(review, fitting_only=False)
    compared = [(moment, fact) for moment, fact in rivals if scope.fits(fact)]
    wanted = extreme([moment for moment, _ in compared]) if compared else None
    return any(moment == wanted and named.fits(fact) for moment, fact in compared)


def _moments(review: DraftReview, *, fitting_only: bool) -> list[tuple[_Moment, Fact]]:
    offered = [((fact.date, fact.time), fact) for fact in review.offered if fact.date and fact.time]
    return [(moment, fact) for moment, fact in offered if not fitting_only or fact in review.suiting]


_FREE = re.compile(_PATTERNS["free"])
_SAID_OPENING = re.compile(_PATTERNS["said_opening"])
_ELSEWHERE = re.compile(_PATTERNS["elsewhere"])


def mismatched(review: DraftReview) -> str | None:
    """Return a note when a sentence, a clause or a member of one joins what does not belong together."""
    for sentence, named in review.said:
        for piece in _pieces(sentence, named, review):
            if not all(any(map(one.fits, review.facts)) for one in _joined(piece)):
                return "a doctor, clinic, day or time that do not belong together"
    return None


def _joined(piece: Named) -> Iterator[Named]:
    if piece.kinds >= 2 and piece.is_single:
        yield piece
    elif piece.kinds == 2 and len(piece.doctors) == 1 and piece.clinics:
        yield from (replace(piece, clinics=frozenset({clinic})) for clinic in piece.clinics)


_ALL_DOCTORS = re.compile(_PATTERNS["all_doctors"])
_ALL_SAID_OPENINGS = re.compile(_PATTERNS["all_said_openings"])


def lumped_together(review: DraftReview) -> str | None:
    """Return a note when all openings or all doctors are said to be where or when one of them is not."""
    doctors = {fact.doctor for fact in review.offered}
    for sentence, named in review.said:
        plain = folded(sentence)
        if review.denies(plain):
            continue
        if _ALL_SAID_OPENINGS.search(plain) and not all(map(named.fits, review.offered)):
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
        if offers_none and _SAID_OPENING.search(plain) and not _ELSEWHERE.search(plain):
            return "an opening that no clinic offers"
        moment = named.times or named.dates or named.weekdays
        if moment and named.is_single and not any(map(named.fits, review.offered or review.facts)):
            return "an opening that no clinic offers"
    return None


def _pieces(sentence: str, named: Named, review: DraftReview) -> Iterator[Named]:
    if not review.denies(folded(sentence)):
        yield named
    for clause in clauses_of(sentence):
        if not review.denies(folded(clause)):
            yield review.reader.read(clause)
            yield from map(review.reader.read, members(clause))
