"""R4: a reply claims a booking, a move or a cancellation only with a receipt of this turn.

A clause that denies, doubts or postpones it is no claim: "nada foi alterado" passes.
"""

import re
from collections.abc import Iterable, Iterator

from orchestrator.turn import ReceiptKind
from orchestrator.verifier.literals import one_of
from orchestrator.verifier.review import ReplyReview

# Participles by what they claim, and those that may be said of any write.
_PARTICIPLES = {
    ReceiptKind.CONFIRMED: one_of("(?:agendad|marcad|reservad|garantid)[oa]s?", "booked|scheduled|reserved"),
    ReceiptKind.RESCHEDULED: one_of(
        "(?:reagendad|remarcad|transferid|adiad|antecipad|alterad|mudad)[oa]s?", "rescheduled|moved|changed"
    ),
    ReceiptKind.CANCELLED: one_of("(?:cancelad|desmarcad)[oa]s?", "cancell?ed"),
}
_ANY_PARTICIPLE = one_of("(?:confirmad|efetuad|realizad|concluid|finalizad)[oa]s?", "confirmed|completed?|finali[sz]ed")
_DONE = one_of(*_PARTICIPLES.values(), _ANY_PARTICIPLE)

_I_DID = {
    ReceiptKind.CONFIRMED: one_of("(?:agend|reserv)(?:ei|amos)", "marquei|marcamos"),
    ReceiptKind.RESCHEDULED: one_of(
        "(?:reagend|adi|antecip|alter|mud)ei", "remarquei|remarcamos|reagendamos|transferi"
    ),
    ReceiptKind.CANCELLED: one_of("cancelei|cancelamos|desmarquei|desmarcamos"),
}
_INFINITIVES = {
    ReceiptKind.CONFIRMED: one_of("agendar|marcar|reservar"),
    ReceiptKind.RESCHEDULED: one_of("reagendar|remarcar|transferir|adiar|antecipar|alterar|mudar"),
    ReceiptKind.CANCELLED: one_of("cancelar|desmarcar"),
}
# "Nós marcamos consultas" is what we do; with "sua" it is what was done.
_I_DID_ANY = rf"{one_of(*_I_DID.values(), 'confirmei')}(?:(?<!mos)| (?=.*\b(?:sua|seu)\b))"

_NOUNS = {
    ReceiptKind.RESCHEDULED: one_of("reagendamento|remarcacao|alteracao|mudanca", "reschedul\\w*|move|change"),
    ReceiptKind.CANCELLED: one_of("cancelamento", "cancell?ation"),
}
_SUBJECT = one_of(
    *_NOUNS.values(), "consulta|horario|agendamento|reserva|marcacao|vaga", "appointment|booking|visit|slot|reservation"
)
_MADE = one_of("feit[oa]", "deu certo", "made|done", "went through")

_IS_PT = one_of("foi|foram|esta|estao|ficou|ficaram|deixei|consta como", "acab(?:a|ou) de ser")
_IS_EN = one_of("is|are|was|were|has been|have been|got", r"\w+'s|you're")
_ADVERBS = r"(?:(?:ja|agora|devidamente|now|already|just|successfully|all|officially|\w+mente) ){0,2}"
_LEAD = one_of("pronto|certo|feito|ok|otimo|tudo|sua|seu|a|o|nova|novo", "done|great|your|the|new|all") + " "

_CLAIM = re.compile(
    r"\b(?=[^\W\d]|\d+')"  # none begins with a number alone
    + one_of(
        rf"\b{_I_DID_ANY}\b",
        rf"\b(?:acabei de|consegui) {one_of(*_INFINITIVES.values(), 'confirmar')}\b",
        rf"\b(?:fiz|conclui|efetuei|realizei|finalizei) (?:[oa] )?(?:seu |sua )?{_SUBJECT}\b",
        rf"\b(?:i|we)(?:'ve| have)? (?:[\w ]{{1,20}} and )?{_ADVERBS}{_DONE}\b",
        rf"\b{_IS_PT} (?:tudo )?{_ADVERBS}{_DONE}\b",
        rf"\bfoi feit[oa] (?:[oa] )?(?:seu |sua )?{_SUBJECT}\b",
        rf"\b{_IS_EN} {_ADVERBS}{_DONE}\b",
        rf"^(?:{_LEAD}){{0,3}}{_SUBJECT} (?:(?:was|is|has been|foi|esta) )?{_ADVERBS}{one_of(_DONE, _MADE)}\b",
        rf"^(?:{_LEAD}){{0,2}}{_DONE}$",
        r"\ball set\b(?! to\b)",
        rf"\b{_DONE} (?:com sucesso|successfully)\b",
        rf"\bsuccessfully {_DONE}\b",
    ),
    re.MULTILINE,
)

# Before a claim, in its clause: it is denied, doubted, wished or put off.
NOT_YET = re.compile(
    r"\b(?:nao|nada|nenhum\w*|nem|nunca|sem|se|caso|quando|talvez|pode\w*|sera|seria|ate|antes|not|nothing|none|never"
    r"|without|no (?:\w+ )?(?:appointment|booking|visit|slot|change|reservation|cancell?ation)s?|no one|if|whether"
    r"|once|when|unless|until|may|might|could|can|would|will|shall|should|before)\b|n't\b"
)
_DENIED = re.compile(r"\b(?:nao|not)\b|n't\b")

_EVIDENT = {
    kind: re.compile(rf"\b{one_of(_PARTICIPLES[kind], _I_DID[kind], _INFINITIVES[kind])}\b") for kind in ReceiptKind
}
_ABOUT = {kind: re.compile(rf"\b{noun}\b") for kind, noun in _NOUNS.items()}


_BY_OTHERS = re.compile(
    r"\b(?:outr[oa]s? (?:pessoas?|pacientes?)|alguem|somebody|someone|another (?:person|patient)|(?:other|others)\b)"
)
_OF_THE_PERSON = re.compile(r"\b(?:voce|seus?|suas?|yours?|you)\b")


def claimed_without_receipt(review: ReplyReview) -> str | None:
    """Return a note when a reply claims a write that no clinic acknowledged in this turn."""
    acknowledged = {receipt.kind for receipt in review.receipts}
    if all(claim & acknowledged for claim in _claims(review.clauses_with(_CLAIM))):
        return None
    return "a booking, move or cancellation that no clinic acknowledged in this turn"


def _claims(clauses: Iterable[str]) -> Iterator[frozenset[ReceiptKind]]:
    for clause in clauses:
        if _BY_OTHERS.search(clause) and not _OF_THE_PERSON.search(clause):
            continue  # what somebody else did: "foi reservado por outra pessoa"
        for match in _CLAIM.finditer(clause):
            names_what_is_denied = match.start() == 0 and _DENIED.search(clause, match.end())
            if not (names_what_is_denied or NOT_YET.search(clause, 0, match.start())):
                yield _kinds_of(clause, match[0])


def _kinds_of(clause: str, claim: str) -> frozenset[ReceiptKind]:
    # The noun decides, then the verb; a bare confirmation fits any write, and what was moved is booked at its new time.
    about = frozenset(kind for kind, noun in _ABOUT.items() if noun.search(clause))
    evident = frozenset(kind for kind, words in _EVIDENT.items() if words.search(claim))
    moved = {ReceiptKind.RESCHEDULED} if ReceiptKind.CONFIRMED in evident else set()
    return about or evident | moved or frozenset(ReceiptKind)
