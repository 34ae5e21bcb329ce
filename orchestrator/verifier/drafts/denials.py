"""R4 for drafts: what the data show is not denied, and who answered is not mistaken for who did not."""

from __future__ import annotations

import re

from orchestrator.turn import Language, ReceiptKind, TurnOutcome
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.numerals import numerals_in
from orchestrator.verifier.literals import clauses_of, folded, one_of

_DOCTOR = r"(?:medic|doutor|cardiolog|dermatolog|ortoped|especialist|profission|doctor|physician|specialist|orthop)\w*"
# By language: "no" denies in English and is a preposition in Portuguese.
_NONE_OPEN = {
    Language.PT: re.compile(
        r"\b(?:nao (?:ha|tem|temos|encontrei|existem?|restam?|sobr\w+|consta\w*)|nenhuma?|sem)"
        r" (?:\w+ ){0,3}?(?:horarios?|vagas?|opcao|opcoes|agenda|disponibilidade|nada)\b"
        rf"|\bnenhuma? (?:d[aeo]s )?{_DOCTOR} (?:\w+ )?(?:livre|disponive\w+|tem|atende\w*|esta)\b"
        r"|\b(?:acab|esgot|termin)(?:ou|aram) (?!de )(?:\w+ )?(?:vagas?|horarios?)\b"
        r"|\b(?:vagas?|horarios?) (?:\w+ ){0,3}?(?:acab|esgot|termin)(?:ou|aram)\b(?! de\b)"
        r"|\b(?:lotad|esgotad|chei)[oa]s?\b|\bnada (?:\w+ )?(?:livre|disponivel|aberto)\b"
        r"|\bnao (?:\w+ )?(?:atend|funcion|trabalh)\w*"
    ),
    Language.EN: re.compile(
        r"\b(?:no|any|nothing|none|not have) (?:\w+ ){0,3}?(?:openings?|slots?|times?|appointments?"
        r"|availab\w+|open|left)\b"
        r"|\b(?:ran|run|sold) out\b"
        rf"|\b(?:no|neither|none of the) (?:\w+ )?{_DOCTOR} (?:\w+ )?(?:free|available|has|have|is|are|open)\b"
        r"|\b(?:(?:is|are|completely|already) full|fully booked|booked up|nothing available)\b|(?:\bno longer"
        r"|n't|\bnot) (?:works?|sees?|available)\b"
    ),
}
# These deny openings where a doctor, a clinic or a day is named with them.
_NAUGHT = re.compile(r"\b(?:nada|ninguem|nothing|nobody|none)\b")
_DENIED_ANY = re.compile(r"\bany\b")
# "No other opening", "if none of these" deny nothing that is shown.
_OTHERS = re.compile(
    r"\b(?:se|caso|if|d?esses|d?estes|deles|of these|of them|outr[oa]s?|mais|alem|other|more|else|besides|further"
    r"|another|additional|de fora|left out|leav(?:e|ing))\b"
)
_NO_MORE = re.compile(
    r"\b(?:nao (?:ha|tem|temos|restam?) mais|no more)\b(?!.*\b(?:alem|outr[oa]s?|besides|other|than)\b)"
)
_ASKED = re.compile(r"^\W*(?:don't|didn't|can't) (?:you|see|like|find)\b")
_MADE = one_of(
    "(?:agendad|marcad|reservad|bloquead|remarcad|reagendad|alterad|cancelad|desmarcad|confirmad|efetuad"
    "|realizad)[oa]s?",
    "feit[oa]s?|concluid[oa]s?|booked|scheduled|reserved|moved|rescheduled|changed|cancell?ed|confirmed|made|done",
)
_UNMADE = rf"\b(?:nao|nada|nenhuma?|not|nothing|no|wasn't|weren't|isn't|hasn't|haven't)\b(?: [\w']+){{0,4}}? {_MADE}\b"
_NOTHING_MADE = re.compile(_UNMADE)
_NOT_MADE = re.compile(
    rf"{_UNMADE}"
    r"|\b(?:nao (?:consegui|conseguimos|foi possivel|pude|deu)|unable to|could ?n[o']t|was not able to"
    r"|falhou|falharam|failed)\b"
)
_STILL = re.compile(
    r"\b(?:consulta|horario antigo|marcacao|agendamento|appointment|visit|booking)\b(?: [\w']+){0,4}? (?:continua|segue"
    r"|permanece|foi mantid[oa]|still|remains?|was kept|stays)\b(?! livre| aberto| open| free)"
)
_UNCERTAIN = re.compile(r"\b(?:sei|saber|se|know|whether|if)\b")


def denied_write(review: DraftReview) -> str | None:
    """Return a note when a reply denies a write that was made or whose outcome is unknown."""
    all_made = review.receipts and not review.reply.evidence.incomplete
    if all_made or review.outcome is TurnOutcome.UNKNOWN_WRITE:
        said = (folded(clause) for sentence, _ in review.said for clause in clauses_of(sentence))
        given_back = {receipt.kind for receipt in review.reply.receipts} - {ReceiptKind.CONFIRMED}
        if any(
            (_NOT_MADE.search(clause) or (given_back and _STILL.search(clause))) and not _UNCERTAIN.search(clause)
            for clause in said
        ):
            return "a denial of a write that was made or may have been"
    return None


def denied_opening(review: DraftReview) -> str | None:
    """Return a note when a reply denies openings that the data show, or those of a clinic that did not answer."""
    wanted = list(review.suiting)
    silent = review.reply.evidence.asked - review.reply.evidence.answered
    for sentence, _ in review.said:
        for clause in clauses_of(sentence):
            plain = folded(clause)
            named = review.reader.read(clause)
            denied = _denies_openings(plain, review) or (named.kinds and _NAUGHT.search(plain))
            excused = _OTHERS.search(plain) and not (named.kinds and _NO_MORE.search(plain))
            if not denied or excused or _ASKED.search(plain) or _NOTHING_MADE.search(plain):
                continue
            if any(map(named.fits, wanted)) or named.clinics & silent:
                return "a denial of openings that the data do not bear out"
    return None


def _denies_openings(plain: str, review: DraftReview) -> bool:
    match = _NONE_OPEN[review.language].search(plain)
    # "Do you have any openings" denies nothing; "we don't have any openings" does.
    return match is not None and (not _DENIED_ANY.match(match[0]) or review.denies(plain[: match.start()]))


_CLOSED = re.compile(
    r"\b(?:esta|estao|foi|foram|ficou|permanece|encontra-se) (?:\w+ ){0,2}?(?:fechad|desativad|encerrad|suspens|afastad"
    r"|aposentad)[oa]s?\b|\b(?:fechou|encerrou|fecharam|encerraram|aposentou|faleceu|saiu d[ae])\b"
    r"|\bde (?:ferias|licenca)\b"
    r"|\b(?:nao|ja nao) (?:\w+ ){0,2}?(?:exist|atend|funcion|trabalh|receb|abr)\w+ mais\b|\bja nao (?:exist"
    r"|atend|funcion)\w+"
    r"|\bdeix(?:ou|aram) de (?:atender|funcionar|existir)\b"
    r"|\b(?:is|are|has|have|was|were)(?: been)? (?:\w+ )?(?:closed|shut|retired|suspended)\b|\b(?:shut"
    r"|closed) (?:down|its)\b"
    r"|\bno longer (?:\w+ )?(?:practi\w+|works?|sees?|exists?|operat\w+|takes?|receiv\w+)|\bon (?:leave|vacation)\b"
    r"|\bout of business\b|\bstopped (?:seeing|working|taking)\b|\bhas left\b"
)


def said_closed(review: DraftReview) -> str | None:
    """Return a note when a clinic or a doctor is said not to work, which no clinic tells."""
    for sentence, _ in review.said:
        for clause in clauses_of(sentence):
            named = review.reader.read(clause)
            if (named.clinics or named.doctors) and _CLOSED.search(folded(clause)):
                return "a clinic or a doctor said not to work"
    return None


_SILENCE = re.compile(
    r"\bfora do ar\b|\bfora de alcance\b|\bindisponive\w+|\b(?:unavailable|offline|(?:is|are|be|was|went"
    r"|still) down|out of reach|unreachable)\b"
)
_ANSWERS = re.compile(
    r"\b(?:respond|retorn|answer|repl|reach(?!ing))\w*|\b(?:get|got|getting|came|come) back\b"
    r"|(?<=sem )(?:comunicacao|contato)"
    rf"|\b(?:diss|inform)(?:e|eram|ou|aram)\b|\b(?:says?|said|told)\b|{_SILENCE.pattern}"
)
_LATER = re.compile(r"^\W*(?:quando|assim que|logo que|se|caso|once|when|if|as soon as|should)\b")
_NO_CLINIC = re.compile(
    r"\b(?:nenhuma?|none|no) (?:d[aeo]s? |of the |of )?(?:\w+ )?(?:clinicas?|clinics?|delas|them)\b|\bneither\b"
)
_OUT_OF = re.compile(r"\b(?:d[aeo]s?|of|of the|out of) $")
_ALL = re.compile(r"\b(?:tudo|todas|ambas|all|both|every)\b|\b(?:as|the|our|nossas) (?:\w+ )?clini(?:cas|cs)\b")


def misreported_answer(review: DraftReview) -> str | None:
    """Return a note when a reply misstates which clinics answered."""
    evidence = review.reply.evidence
    spoke = evidence.answered
    for sentence, _ in review.said:
        for clause in clauses_of(sentence):
            plain = folded(clause)
            if not _ANSWERS.search(plain) or _LATER.search(plain):
                continue
            denied = review.denies(plain) != bool(_SILENCE.search(plain))
            clinics = review.reader.read(clause).clinics
            if clinics & (spoke if denied else evidence.asked - spoke):
                return "a clinic that answered and one that did not are mistaken for each other"
            if denied and spoke and _NO_CLINIC.search(plain):
                return "a clinic that answered is said not to have"
            if not denied and evidence.asked - spoke and (_ALL.search(plain) or _counts_others(plain, len(spoke))):
                return "not all clinics that were asked answered"
    return None


def _counts_others(plain: str, answered: int) -> bool:
    return any(
        numeral.value != answered and not _OUT_OF.search(plain[: numeral.start])
        for numeral in numerals_in(plain)
        if re.match(r" (?:\w+ )?clinic", plain[numeral.end :])
    )
