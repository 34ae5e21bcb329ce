"""Finds where a clause states a write as done: that something was booked, held, confirmed, moved or cancelled.

A claim is a deed of writing in a form that says it is done. Looking up, sorting and showing are none, and some verbs
only where they are about one slot, one visit or the person: "separei as opções" claims nothing, "separei esse horário"
does. What is denied, doubted, asked or put off claims nothing. Nothing is judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orchestrator.turn import ReceiptKind
from orchestrator.verifier.claims import NOT_YET, is_of_others, kinds_about, with_moves
from orchestrator.verifier.drafts import deeds_english as english
from orchestrator.verifier.drafts import deeds_portuguese as portuguese
from orchestrator.verifier.lexicon import pattern_of

_STATED = (portuguese.STATED, portuguese.DONE_TO_ONE, english.STATED, english.DONE_TO_ONE)
_IMPLIED = pattern_of("drafts/loose_claims.txt")
_RELIED_ON = re.compile(r"\bpode contar com (?:\w+ )?(?:segunda|terca|quarta|quinta|sexta|sabado|domingo|\d)")
_CHOICE = re.compile(r"\b(?:escolha|decisao|choice|decision|call|pick)\b")  # which may be yours

# Of a list, not of a visit: "coloquei o mais cedo no topo", "moved it to the top".
_ARRANGED = re.compile(
    r"\b(?:no topo|em primeiro|no inicio|em destaque|lado a lado|em ordem|na (?:lista|tabela)(?! d[eo]\b)"
    r"|(?:busca|filtro|pesquisa|preferencia)s?|to the top|at the top"
    r"|(?:to|in|into|on) (?:the|a|one|this) (?:\w+ )?(?:list|table)|order|search|filter|preference)\b"
)

# What holds a claim back, besides denials: conditions right before it, wishes and questions before a participle.
_FIRST = re.compile(
    r"\b(?:assim que|depois(?: de| que)?|apos|logo que|uma vez|after|as soon as|to be|para ser|seja|sejam|possa)"
    r"(?: \w+){0,3} ?$"
    r"|(?<!acaba de )(?<!acabou de )\b(?:ser|serem)(?: \w+mente)? $|\b(?:be|being) (?:\w+ly )?$"
    r"|\bvoce (?:ja )?$|\byou(?:'ve| have)? (?:just )?$"
)
_ONLY_WHEN = re.compile(r"\b(?:(?:so|somente|apenas) (?:e|sera|fica|ficara)|only (?:be|is|gets))\b")
_WISHED = re.compile(
    r"\b(?:quer\w*|desej\w+|gostaria|qual|quais|precis\w+|prefir\w+|posso(?! \w+ que)|want|like to|need to|prefer"
    r"|which|shall|let me)\b"
)
_I_DID = re.compile(r"\w+(?:ei|amos)\b")
# Before "se" that is a condition; any other "se" is a part of its verb: "já se encontra na agenda".
_CONDITION = re.compile(r"(?:^|\b(?:e|ou|que|mas|sei|saber|dizer|ver|verificar|confirmar)) ?$")
_FONDLY = re.compile(r"(ad|id|it)(?:issim|inh)([oa]s?)\b")  # "agendadinho", "confirmadíssima"

_KINDS = {
    ReceiptKind.CONFIRMED: re.compile(rf"\b(?:{portuguese.KIND_OF_BOOKING}|{english.KIND_OF_BOOKING})"),
    ReceiptKind.RESCHEDULED: re.compile(rf"\b(?:{portuguese.KIND_OF_MOVE}|{english.KIND_OF_MOVE})"),
    ReceiptKind.CANCELLED: re.compile(rf"\b(?:{portuguese.KIND_OF_CANCELLATION}|{english.KIND_OF_CANCELLATION})"),
}


def claimed(clause: str) -> Iterator[frozenset[ReceiptKind]]:
    """Yield, for each claim of a folded clause, the kinds of receipt of which any would bear it out."""
    if is_of_others(clause):
        return
    clause = _FONDLY.sub(r"\1\2", clause).replace("can't wait", "wait").replace("cannot wait", "wait")
    for match in (match for words in _STATED for match in words.finditer(clause)):
        arranged = _ARRANGED.search(clause) and not portuguese.OF_A_VISIT.match(match[0]) and "voce" not in match[0]
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
    """Return whether a claim is denied, doubted or put off before its end; "se encontra" holds nothing back."""
    before = clause[: claim.start()]
    return (
        any(word[0] != "se" or _CONDITION.search(clause[: word.start()]) for word in NOT_YET.finditer(clause, 0, end))
        or _FIRST.search(before) is not None
        or _ONLY_WHEN.search(clause, 0, end) is not None
        or (before.endswith("no ") and re.match(english.THING, claim[0]) is not None)
        or (_WISHED.search(before) is not None and not _I_DID.match(claim[0]))
    )
