"""R4 for drafts: what the data show is not denied, and who answered is not mistaken for who did not."""

from __future__ import annotations

import re

from orchestrator.language import Language
from orchestrator.reply import Outcome
from orchestrator.verifier.drafts.facts import clauses_of
from orchestrator.verifier.drafts.numerals import numerals_in
from orchestrator.verifier.drafts.review import DraftReview
from orchestrator.verifier.folding import folded, one_of

# By language: "no" denies in English and is a preposition in Portuguese.
_NONE_OPEN = {
    Language.PT: re.compile(
        r"\b(?:nao (?:ha|tem|temos|encontrei|existem?|restam?|sobr\w+|consta\w*)|nenhuma?|sem)"
        r" (?:\w+ ){0,3}?(?:horarios?|vagas?|opcao|opcoes|agenda|disponibilidade|nada)\b"
        r"|\b(?:lotad|esgotad|chei)[oa]s?\b|\bnada (?:\w+ )?(?:livre|disponivel|aberto)\b"
        r"|\bnao (?:\w+ )?(?:atend|funcion|trabalh)\w*"
    ),
    Language.EN: re.compile(
        r"\b(?:no|any|nothing|none|not have) (?:\w+ ){0,3}?(?:openings?|slots?|times?|appointments?"
        r"|availab\w+|open|left)\b"
        r"|\b(?:full|fully booked|booked up|nothing available)\b|(?:\bno longer|n't|\bnot) (?:works?|sees?|available)\b"
    ),
}
# These deny openings where a doctor, a clinic or a day is named with them.
_NAUGHT = re.compile(r"\b(?:nada|ninguem|nothing|nobody|none)\b")
_DENIED_ANY = re.compile(r"\bany\b")
# "No other opening", "if none of these" deny nothing that is shown.
_OTHERS = re.compile(
    r"\b(?:se|caso|if|d?esses|d?estes|deles|of these|of them|outr[oa]s?|mais|alem|other|more|else|besides|further"
    r"|another|additional)\b"
)
_MADE = one_of(
    "(?:agendad|marcad|reservad|remarcad|reagendad|alterad|cancelad|desmarcad|confirmad|efetuad|realizad)[oa]s?",
    "feit[oa]s?|concluid[oa]s?|booked|scheduled|reserved|moved|rescheduled|changed|cancell?ed|confirmed|made|done",
)
_NOT_MADE = re.compile(
    rf"\b(?:nao|nada|nenhuma?|not|nothing|no|wasn't|weren't|isn't|hasn't|haven't)\b(?: [\w']+){{0,4}}? {_MADE}\b"
    r"|\b(?:nao (?:consegui|conseguimos|foi possivel|pude|deu)|unable to|could ?n[o']t|was not able to"
    r"|falh\w+|failed)\b"
)
_UNCERTAIN = re.compile(r"\b(?:sei|saber|se|know|whether|if)\b")


def denied_write(review: DraftReview) -> str | None:
    """Return a note when a write is said not to have been made that was, or of which that is not known."""
    all_made = review.receipts and not any(entry is None for entry in review.reply.evidence.results)
    if all_made or review.outcome is Outcome.UNKNOWN_WRITE:
        said = (folded(clause) for sentence, _ in review.said for clause in clauses_of(sentence))
        if any(_NOT_MADE.search(clause) and not _UNCERTAIN.search(clause) for clause in said):
            return "a denial of a write that was made or may have been"
    return None


def denied_opening(review: DraftReview) -> str | None:
    """Return a note when openings are denied that the data show, or for a clinic that did not answer."""
    admits = review.reply.plan.filters.admits
    wanted = [fact for fact in review.offered if fact.date and fact.time and admits(fact.date, fact.time)]
    silent = review.reply.evidence.asked - review.reply.evidence.answered
    for sentence, _ in review.said:
        for clause in clauses_of(sentence):
            plain = folded(clause)
            named = review.reader.read(clause)
            denied = _denies_openings(plain, review) or (named.kinds and _NAUGHT.search(plain))
            if not denied or _OTHERS.search(plain):
                continue
            if any(map(named.fits, wanted)) or named.clinics & silent:
                return "a denial of openings that the data do not bear out"
    return None


def _denies_openings(plain: str, review: DraftReview) -> bool:
    match = _NONE_OPEN[review.language].search(plain)
    # "Do you have any openings" denies nothing; "we don't have any openings" does.
    return match is not None and (not _DENIED_ANY.match(match[0]) or review.denies(plain[: match.start()]))


_ANSWERS = re.compile(
    r"\b(?:respond|retorn|answer|repl)\w*|\bfora do ar\b|\bindisponive\w+|\b(?:unavailable|offline|down)\b"
)
_SILENCE = re.compile(r"\bfora do ar\b|\bindisponive\w+|\b(?:unavailable|offline|down)\b")
_NO_CLINIC = re.compile(
    r"\b(?:nenhuma?|none|no) (?:d[aeo]s? |of the |of )?(?:\w+ )?(?:clinicas?|clinics?|delas|them)\b|\bneither\b"
)
_OUT_OF = re.compile(r"\b(?:d[aeo]s?|of|of the|out of) $")
_ALL = re.compile(r"\b(?:todas|ambas|all|both|every)\b|\b(?:as|the|our|nossas) (?:\w+ )?clini(?:cas|cs)\b")


def misreported_answer(review: DraftReview) -> str | None:
    """Return a note when a clinic is said to have answered that did not, or not to have that did."""
    evidence = review.reply.evidence
    spoke = evidence.answered
    for sentence, _ in review.said:
        for clause in clauses_of(sentence):
            plain = folded(clause)
            if not _ANSWERS.search(plain):
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
    """Return whether a clause counts clinics that answered, and not as many as did; "uma das duas" counts one."""
    return any(
        numeral.value != answered and not _OUT_OF.search(plain[: numeral.start])
        for numeral in numerals_in(plain)
        if re.match(r" (?:\w+ )?clinic", plain[numeral.end :])
    )
