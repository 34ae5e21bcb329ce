"""R4 for drafts: a model claims a write, or a memory, only when it was made, and only what its receipt holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from orchestrator.turn import ReceiptKind
from orchestrator.verifier.claims import NOT_YET, is_of_others, kinds_about, with_moves
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.facts import Fact, Named
from orchestrator.verifier.literals import clauses, folded, pattern_of, patterns_in

_PORTUGUESE, _ENGLISH = patterns_in("drafts/deeds_pt.txt"), patterns_in("drafts/deeds_en.txt")
_STATED = [re.compile(words[name]) for words in (_PORTUGUESE, _ENGLISH) for name in ("stated", "done_to_one")]
_OF_A_VISIT = re.compile(_PORTUGUESE["of_a_visit"])
_IMPLIED = pattern_of("drafts/loose_claims.txt")
_PATTERNS = patterns_in("drafts/draft_claims.txt")

_RELIED_ON = re.compile(_PATTERNS["relied_on"])
_CHOICE = re.compile(_PATTERNS["choice"])
_ARRANGED = re.compile(_PATTERNS["arranged"])
_FIRST = re.compile(_PATTERNS["first"])
_ONLY_WHEN = re.compile(_PATTERNS["only_when"])
_WISHED = re.compile(_PATTERNS["wished"])
_I_DID = re.compile(_PATTERNS["i_did"])
_CONDITION = re.compile(_PATTERNS["condition"])
_FONDLY = re.compile(_PATTERNS["fondly"])

_KINDS = {
    kind: re.compile(rf"\b(?:{_PORTUGUESE[name]}|{_ENGLISH[name]})")
    for kind, name in (
        (ReceiptKind.CONFIRMED, "kind_of_booking"),
        (ReceiptKind.RESCHEDULED, "kind_of_move"),
        (ReceiptKind.CANCELLED, "kind_of_cancellation"),
    )
}


def claimed(clause: str) -> Iterator[frozenset[ReceiptKind]]:
    """Yield, for each claim of a folded clause, the kinds of receipt of which any would bear it out."""
    if is_of_others(clause):
        return
    clause = _FONDLY.sub(r"\1\2", clause).replace("can't wait", "wait").replace("cannot wait", "wait")
    for match in (match for words in _STATED for match in words.finditer(clause)):
        arranged = _ARRANGED.search(clause) and not _OF_A_VISIT.match(match[0]) and "voce" not in match[0]
        if not arranged and not _held_back(clause, match, match.end()):
            yield _kinds_of(clause, match[0])
    # A phrase may hold the word that would deny it: "você não tem mais consulta".
    for match in (match for words in (_IMPLIED, _RELIED_ON) for match in words.finditer(clause)):
        chosen = _CHOICE.search(clause) and match[0].endswith(("yours", "sua", "seu"))
        if not chosen and not _held_back(clause, match, match.start()):
            yield _kinds_of(clause, match[0])


def _kinds_of(clause: str, claim: str) -> frozenset[ReceiptKind]:
    evident = frozenset(kind for kind, words in _KINDS.items() if words.search(claim))
    return kinds_about(clause) or with_moves(evident) or frozenset(ReceiptKind)


def _held_back(clause: str, claim: re.Match[str], end: int) -> bool:
    before = clause[: claim.start()]
    return (
        any(word[0] != "se" or _CONDITION.search(clause[: word.start()]) for word in NOT_YET.finditer(clause, 0, end))
        or _FIRST.search(before) is not None
        or _ONLY_WHEN.search(clause, 0, end) is not None
        or (before.endswith("no ") and re.match(_ENGLISH["thing"], claim[0]) is not None)
        or (_WISHED.search(before) is not None and not _I_DID.match(claim[0]))
    )


_BARE = re.compile(_PATTERNS["bare"])
_BEGINS = re.compile(_PATTERNS["begins"])
_OFFERS = re.compile(_PATTERNS["offers"])
_SEVERAL = re.compile(_PATTERNS["several"])


def misclaimed(review: DraftReview) -> str | None:
    """Return a note when a sentence claims a write without a receipt, or names something else than the receipts."""
    acknowledged = {receipt.kind for receipt in review.reply.receipts}
    for sentence, named in review.said:
        if review.receipts and not review.offered and not _each_fits(named, review.written):
            return "a doctor, clinic, day or time that this turn's writes do not hold"
        kinds = [kinds for clause in clauses(folded(sentence)) for kinds in claimed(clause)]
        if not kinds:
            continue
        if not all(kind & acknowledged for kind in kinds):
            return "a claim of a write without its receipt"
        if not _each_fits(named, review.receipts):
            return "a claim of a write that names something else than its receipt"
        if len(review.reply.receipts) < 2 and _SEVERAL.search(folded(sentence)):
            return "a claim of more writes than there are receipts"
    return None


_FORETOLD = re.compile(_PATTERNS["foretold"])
_IF = re.compile(_PATTERNS["if"])


def completed(review: DraftReview) -> str | None:
    """Return a note when a word of completion and one moment say that it was booked, and no receipt does."""
    if review.receipts:
        return None
    follows = False
    for sentence, named in review.said:
        plain = folded(sentence)
        begins = _BEGINS.search(plain) is not None
        if (begins or follows) and named.moment and named.is_single and not _OFFERS.search(plain):
            return "a completion that no clinic acknowledged in this turn"
        if named.moment and _FORETOLD.search(plain) and not _IF.search(plain):
            return "a visit foretold that no clinic acknowledged in this turn"
        follows = _BARE.search(plain) is not None
        if follows and review.written:
            return "a completion that no clinic acknowledged in this turn"
    return None


def _each_fits(named: Named, facts: Iterable[Fact]) -> bool:
    known = tuple(facts)
    return all(any(map(one.fits, known)) for one in named.alone())


_CLAIM = re.compile(_PATTERNS["claim"])


def claimed_memory(review: DraftReview) -> str | None:
    """Return a note when a model's words say that something is or will be remembered or forgotten."""
    return "a claim of remembering or forgetting" if any(map(_CLAIM.search, review.clauses)) else None
