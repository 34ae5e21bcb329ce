"""R4 for drafts: a model claims a write only with its receipt, and only what the receipt holds.

`claims` finds the ways in which a write is stated. A model finds others ("it is all yours", "I put you down for
Friday"), so in its own words every deed but looking things up is taken for a claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from orchestrator.session import ReceiptKind
from orchestrator.verifier.claims import NOT_YET, kinds_of
from orchestrator.verifier.drafts.facts import Fact, Named
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import clauses, folded
from orchestrator.verifier.lexicon import pattern_of, words_of

_LOOSE = pattern_of("drafts/loose_claims.txt")
_NO_CLAIM = pattern_of("drafts/own_deeds.txt")

# The past tense and participles of both languages, by their endings.
_DEED = re.compile(
    r"\b\w{2,}(?:ei|ou|aram|iram|ad[oa]s?|id[oa]s?|eed|[^\We]ed|eit[oa]s?|ert[oa]s?|rit[oa]s?|[^\Waeou]i|ui)\b"
    r"|\b(?:feit[oa]s?|pus|fiz|trouxe|dei|made|put|set|got|gave|took|held|kept|done|wrote|written|sent)\b|\bit is$"
)
_I = re.compile(r"\b(?:i|we)(?:'ve)? (?:\w+ly |just |also |already )?(?P<verb>[a-z]+)\b")
_I_MAY = frozenset(words_of("drafts/own_verbs_en.txt"))

# Said of any write, or of what it gave back.
_OF_ANY_WRITE = re.compile(
    r"(?:confirm|efetu|realiz|conclu|finaliz|fe|liber|acert|cri|ger)(?:[ai]d|it)[oa]s?|confirm(?:ei|ou)"
    r"|ficou|confirmed|completed|finali[sz]ed|made|done|set|freed"
)
_OF_A_MOVE = re.compile(r"mudou|passou|trocou")
_CONDITION = re.compile(r"(?:^|\b(?:e|ou|que|mas|sei|saber|dizer|ver|verificar|confirmar)) ?$")  # before "se"

_SEVERAL = re.compile(r"\b(?:consultas|agendamentos|appointments|bookings|visits)\b")


def misclaimed(review: DraftReview) -> str | None:
    """Return a note when a sentence claims a write without a receipt, or names something else than the receipts."""
    acknowledged = {receipt.kind for receipt in review.reply.receipts}
    for sentence, named in review.said:
        plain = folded(sentence)
        if review.receipts and not review.offered and not _each_fits(named, review.written):
            return "a doctor, clinic, day or time that this turn's writes do not hold"
        claimed = [kinds for clause in clauses(plain) if (kinds := _claim(clause)) is not None]
        if not claimed:
            continue
        if not all(kinds & acknowledged for kinds in claimed):
            return "a claim of a write without its receipt"
        if not _each_fits(named, review.receipts):
            return "a claim of a write that names something else than its receipt"
        if len(review.reply.receipts) < 2 and _SEVERAL.search(plain):
            return "a claim of more writes than there are receipts"
    return None


def _claim(clause: str) -> frozenset[ReceiptKind] | None:
    """Return the kinds of receipt of which any would bear out a folded clause; None when it claims nothing."""
    kinds = [_kinds_of_deed(clause, match) for match in _DEED.finditer(clause) if not _held_back(clause, match)]
    loose = [*_LOOSE.finditer(clause), *(match for match in _I.finditer(clause) if match["verb"] not in _I_MAY)]
    kinds += [kinds_of(clause, match[0]) for match in loose if not _held_back(clause, match)]
    told = [one for one in kinds if one is not None]
    return frozenset.intersection(*told) if told else None


def _kinds_of_deed(clause: str, match: re.Match[str]) -> frozenset[ReceiptKind] | None:
    """Return what bears out a deed by its word: nothing does where the word is none of a write's."""
    if _NO_CLAIM.match(clause, match.start()):
        return None
    if _OF_A_MOVE.fullmatch(match[0]):
        return frozenset({ReceiptKind.RESCHEDULED})
    kinds = kinds_of(clause, match[0])
    return kinds if kinds != frozenset(ReceiptKind) or _OF_ANY_WRITE.fullmatch(match[0]) else frozenset()


def _held_back(clause: str, claim: re.Match[str]) -> bool:
    """Return whether a claim is denied, doubted or put off before it is made; "se encontra" holds nothing back."""
    return any(
        word[0] != "se" or _CONDITION.search(clause[: word.start()])
        for word in NOT_YET.finditer(clause, 0, claim.start())
    )


def _each_fits(named: Named, facts: Iterable[Fact]) -> bool:
    """Return whether each thing named is some fact's."""
    known = tuple(facts)
    return all(any(map(one.fits, known)) for one in named.alone())
