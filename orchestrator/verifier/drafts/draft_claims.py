"""R4 for drafts: a model claims a write, or a memory, only when it was made, and only what its receipt holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import orchestrator.verifier.drafts.deeds_english as english
import orchestrator.verifier.drafts.deeds_portuguese as portuguese
from orchestrator.turn import ReceiptKind
from orchestrator.verifier.claims import NOT_YET, is_of_others, kinds_about, with_moves
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.facts import Fact, Named
from orchestrator.verifier.literals import clauses, folded, one_of, pattern_of

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
    before = clause[: claim.start()]
    return (
        any(word[0] != "se" or _CONDITION.search(clause[: word.start()]) for word in NOT_YET.finditer(clause, 0, end))
        or _FIRST.search(before) is not None
        or _ONLY_WHEN.search(clause, 0, end) is not None
        or (before.endswith("no ") and re.match(english.THING, claim[0]) is not None)
        or (_WISHED.search(before) is not None and not _I_DID.match(claim[0]))
    )


# "Prontinho: sexta às 10:00" says that it was done, "Pronto! Encontrei ..." that something else comes.
_COMPLETION = (
    r"(?:(?:ja|esta|tudo|missao|all|and|it's|everything's|you're|deu|entao|is) )*"
    r"(?:pronto|prontinho|feito|certo|certinho|resolvido|combinado|fechado|cumprida|perfeito|sucesso|ok|anotado"
    r"|done|dusted|set|settled|sorted|perfect|great|accomplished|success)\b"
)
_BARE = re.compile(rf"^\W*{_COMPLETION}(?: (?:entao|por aqui|then|for you))?\W*(?:[\w ]{{1,40}}[!.:])?\s*$")
_BEGINS = re.compile(
    rf"^\W*(?:{_COMPLETION}|(?:sua|seu|your) (?:\w+ )?(?:vaga|consulta|horario|agendamento|reserva|appointment"
    rf"|booking|visit"
    r"|slot|spot|time) ?:)"
)

# What offers, asks or compares states no completion.
_OFFERS = re.compile(
    r"\?|\b(?:livres?|dispon\w+|abert[oa]s?|ha|temos|tem|encontr\w+|ach(?:ei|amos)|mais (?:cedo|proxim\w+)|primeir\w+"
    r"|sug[ei]r\w+|recomend\w+|op[ct]\w+|alternativ\w+|vamos|pode\w*|prefer\w+|se|caso|available|availability|open"
    r"|there (?:is|are)|have|found|earliest|soonest|first|next|suggest\w*|recommend\w*|let's|could|can|would|if)\b"
)
_SEVERAL = re.compile(
    r"\b(?:consultas|agendamentos|appointments|bookings|visits|segunda (?:consulta|vaga|marcacao)|outr[oa]|mais uma?"
    r"|tambem|second|another|one more|also|too)\b"
)


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


_FORETOLD = re.compile(
    r"\bvoce (?:ja )?(?:sera|e|vai ser) (?:[oa] )?(?:atendid|recebid|esperad|aguardad|primeir)[oa]"
    r"|\byou(?:'ll| will| are)? (?:be |going to )?(?:seeing|seen|meeting|expected|see (?:dr|doctor)|meet (?:dr"
    r"|doctor))\b"
)
_IF = re.compile(r"\?|(?:^|, )se\b|\b(?:caso|quando|ao escolher|if|when|once|whichever|should|could|can)\b")


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


_NOTED = r"(?:seu|sua|meu|este|esse) (?:pedido|solicitacao|escolha)\b"  # "anotei o seu pedido" is a way to say hello
_CLAIM = re.compile(
    one_of(
        # "anotei", "já guardei isso", "vou lembrar disso", "fica anotado", "esqueci", "apaguei tudo"
        rf"\b(?:anot|guard|memoriz|grav|salv|apagu)(?:ei|amos)\b(?! (?:[oa] )?{_NOTED})|\besque(?:ci|cemos)\b",
        r"\b(?:vou|vamos|irei|iremos) (?:sempre |me |ja )?(?:lembr|memoriz|guard|anot|registr|salv|apag|esquec)[ae]r"
        r"(?:-me)?\b",
        r"\b(?:lembrarei|lembraremos|anotarei|guardarei|memorizarei|esquecerei)\b|\b(?:me lembro|lembro que)\b",
        r"(?:^|\b(?:fica|ficou|esta|foi|deixei|tudo) (?:\w+ )?)(?:anotad|memorizad|guardad|apagad|esquecid)[oa]s?\b",
        r"\b(?:na|em|da) (?:minha |nossa )?memoria\b|\bpelo que (?:me )?(?:lembro|sei)\b",
        # "I've noted that", "I'll remember", "noted!", "forgotten", "I saved your preference"
        r"\b(?:i|we)(?:'ve| have)? (?:\w+ly |just |already |also |now )?(?:noted|memori[sz]ed|remember(?:ed)?"
        r"|forgot(?:ten)?|erased|jotted|made a note|taken note|took note)\b",
        r"\b(?:i|we)(?:'ve| have)? (?:just |already )?(?:saved|stored|recorded|deleted) (?:that|this|it|everything"
        r"|your (?:preference|restriction|note|memor|information|availability|detail))",
        r"\b(?:i|we)(?:'ll| will| shall) (?:always |also )?(?:remember|forget|memori[sz]e|make a note|erase"
        r"|note (?:that|it|this)|(?:keep|bear) (?:that|this|it) in mind)\b",
        r"^(?:duly )?(?:noted|forgotten)\b|\b(?:my|our|in|to|from) memory\b",
    )
)


def claimed_memory(review: DraftReview) -> str | None:
    """Return a note when a model's words say that something is or will be remembered or forgotten."""
    return "a claim of remembering or forgetting" if any(map(_CLAIM.search, review.clauses)) else None
