"""R4 for drafts: a model claims a write only with its receipt, and only what the receipt holds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from orchestrator.verifier.drafts.deeds import claimed
from orchestrator.verifier.drafts.facts import Fact, Named
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import clauses, folded

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
    """Return whether each thing named is some fact's."""
    known = tuple(facts)
    return all(any(map(one.fits, known)) for one in named.alone())
