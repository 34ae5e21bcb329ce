"""R4 for drafts: what the data show is not denied, and who answered is not mistaken for who did not."""

from __future__ import annotations

import re

from orchestrator.turn import Language, ReceiptKind, TurnOutcome
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.numerals import numerals_in
from orchestrator.verifier.literals import clauses_of, folded, patterns_in

_PATTERNS = patterns_in("drafts/denials.txt")

_DOCTOR = _PATTERNS["doctor"]
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
_NAUGHT = re.compile(_PATTERNS["naught"])
_DENIED_ANY = re.compile(_PATTERNS["denied_any"])
_OTHERS = re.compile(_PATTERNS["others"])
_NO_MORE = re.compile(_PATTERNS["no_more"])
_ASKED = re.compile(_PATTERNS["asked"])
_NOTHING_MADE = re.compile(_PATTERNS["nothing_made"])
_NOT_MADE = re.compile(_PATTERNS["not_made"])
_STILL = re.compile(_PATTERNS["still"])
_UNCERTAIN = re.compile(_PATTERNS["uncertain"])


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


_CLOSED = re.compile(_PATTERNS["closed"])


def said_closed(review: DraftReview) -> str | None:
    """Return a note when a clinic or a doctor is said not to work, which no clinic tells."""
    for sentence, _ in review.said:
        for clause in clauses_of(sentence):
            named = review.reader.read(clause)
            if (named.clinics or named.doctors) and _CLOSED.search(folded(clause)):
                return "a clinic or a doctor said not to work"
    return None


_SILENCE = re.compile(_PATTERNS["silence"])
_ANSWERS = re.compile(_PATTERNS["answers"])
_LATER = re.compile(_PATTERNS["later"])
_NO_CLINIC = re.compile(_PATTERNS["no_clinic"])
_OUT_OF = re.compile(_PATTERNS["out_of"])
_ALL = re.compile(_PATTERNS["all"])


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
