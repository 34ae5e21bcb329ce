"""R4: a reply claims a booking, a move or a cancellation only with a receipt of this turn.

A claim is a clause that states the thing as done. Clauses that deny it, doubt it or speak of later are none, so that
"nada foi alterado" and "nenhuma consulta foi marcada" pass. What the clinics list is not a claim either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orchestrator.session import ReceiptKind
from orchestrator.verifier.folding import clauses
from orchestrator.verifier.review import ReplyReview

# Stems of participles by what they claim; a confirmation alone may be of any write.
_STEMS = {
    ReceiptKind.CONFIRMED: r"agendad|marcad|reservad|garantid|book|schedul|reserv",
    ReceiptKind.RESCHEDULED: r"reagendad|remarcad|transferid|adiad|antecipad|alterad|mudad|reschedul|mov(?=ed)|chang",
    ReceiptKind.CANCELLED: r"cancelad|desmarcad|cancel",
}
_CONFIRMED = r"confirmad|efetuad|realizad|concluid|confirm|complet|finali[sz]"
_NOUNS = {
    ReceiptKind.RESCHEDULED: re.compile(r"\b(?:reagendamento|remarcacao|alteracao|mudanca|reschedul\w*|move|change)\b"),
    ReceiptKind.CANCELLED: re.compile(r"\b(?:cancelamento|cancell?ation)\b"),
}

_DONE = rf"(?:{'|'.join((*_STEMS.values(), _CONFIRMED))})(?:[oa]s?|l?ed|d)?\b"
_FIRST_PERSON_PT = (
    r"\b(?:agendei|marquei|reservei|confirmei|reagendei|remarquei|transferi|adiei|antecipei|alterei|mudei|cancelei|"
    r"desmarquei|(?:agendamos|marcamos|reservamos|confirmamos|reagendamos|remarcamos|cancelamos|desmarcamos)\b"
    r"(?=.*\b(?:sua|seu|consulta|horario)))"
)
_ADVERB = r"(?:ja|agora|devidamente|sim|now|already|just|successfully|all|officially|hereby|\w+mente)"
_SUBJECT = (
    r"(?:consulta|horario|agendamento|reserva|marcacao|remarcacao|reagendamento|cancelamento|alteracao|mudanca|vaga)"
)
_SUBJECT_EN = r"(?:appointment|booking|visit|slot|consultation|cancell?ation|reschedul\w*|reservation|move|change)"
_LEAD = r"(?:pronto|certo|feito|ok|otimo|tudo|sua|seu|a|o|nova|novo|esta|este|done|great|your|the|new|this|all)"

_CLAIM = re.compile(
    "|".join(
        (
            _FIRST_PERSON_PT,
            rf"\b(?:foi|foram|esta|estao|ficou|ficaram|acaba de ser|acabou de ser)\s+(?:{_ADVERB}\s+){{0,2}}{_DONE}",
            rf"\b(?:is|are|was|were|has been|have been|got|appointment's|you're)\s+(?:{_ADVERB}\s+){{0,2}}{_DONE}",
            rf"\b(?:i|we)(?:'ve| have)?\s+(?:{_ADVERB}\s+){{0,2}}{_DONE}",
            rf"^(?:{_LEAD}\s+){{0,3}}(?:{_SUBJECT}|{_SUBJECT_EN})\s+(?:{_ADVERB}\s+)?{_DONE}",
            rf"{_DONE}\s+(?:com sucesso|successfully)\b|\b(?:successfully)\s+{_DONE}",
        )
    )
)

# Words before the claim, in its clause, that make it none: it is denied, doubted, wished or put off.
_NOT_CLAIMED = re.compile(
    r"\b(?:nao|nada|nenhum\w*|nem|nunca|sem|se|caso|quando|talvez|pode\w*|poderia|sera|seria|ate|antes|"
    r"not|no|nothing|none|never|without|if|whether|once|when|unless|until|may|might|could|can|would|will|before)\b|n't\b"
)
_DENIED_AFTER = re.compile(r"\bnao\b|\bnot\b|n't\b")


def claimed_without_receipt(review: ReplyReview) -> str | None:
    """Return a note when a reply claims a write that no clinic acknowledged in this turn."""
    kinds = {receipt.kind for receipt in review.receipts}
    for claim in claims_in(review.text):
        if not (claim & kinds):
            return "a booking, move or cancellation that no clinic acknowledged in this turn"
    return None


def claims_in(text: str) -> Iterator[frozenset[ReceiptKind]]:
    """Yield, for each claim of a text, the kinds of receipt that would bear it out."""
    for clause in clauses(text):
        for match in _CLAIM.finditer(clause):
            before, after = clause[: match.start()], clause[match.end() :]
            restrictive = match.start() == 0 and _DENIED_AFTER.search(after)
            if not _NOT_CLAIMED.search(before) and not restrictive:
                yield _kinds(clause, match[0])


def _kinds(clause: str, claim: str) -> frozenset[ReceiptKind]:
    """Return what a claim is about: the noun decides, then the verb; a bare confirmation fits any write."""
    nouns = frozenset(kind for kind, noun in _NOUNS.items() if noun.search(clause))
    if nouns:
        return nouns
    # "reagendada" contains "agendada", and "desmarcada" "marcada": the longer stem is looked for first.
    for kind in (ReceiptKind.RESCHEDULED, ReceiptKind.CANCELLED, ReceiptKind.CONFIRMED):
        if re.search(rf"\b(?:{_STEMS[kind]})|{_FIRST_PERSON_STEMS[kind]}", claim):
            return frozenset({kind})
    return frozenset(ReceiptKind)


_FIRST_PERSON_STEMS = {
    ReceiptKind.CONFIRMED: r"\b(?:agend|marqu|marc|reserv)",
    ReceiptKind.RESCHEDULED: r"\b(?:reagend|remarqu|remarc|transfer|adi|antecip|alter|mud)",
    ReceiptKind.CANCELLED: r"\b(?:cancel|desmarqu|desmarc)",
}
