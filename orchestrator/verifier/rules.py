"""The verifier without a model: a table of rules, each a small function over data or text (blueprint 2.3.2).

A rule returns what it found, in English and without repeating it, or None. The first finding blocks.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import date, time
from itertools import product

from orchestrator.texts import one_of, patterns_in, words_of
from orchestrator.turn import SAFE, Answers, Appointment, Clinic, Language, Plan, ReceiptKind, Rule, Session, Verdict
from orchestrator.verifier import advice
from orchestrator.verifier.literals import DateMention, Line, folded, name_words, untitled_doctors
from orchestrator.verifier.personal import foreign_birth_date, foreign_mark, foreign_name, foreign_record, foreign_text
from orchestrator.verifier.review import DataReview, Doctor, ReplyReview, review_of

# What a reply claims, and what makes a clause none: it denies, doubts or postpones a write, "nada foi alterado".
_PATTERNS = patterns_in("claims.txt", __package__)
_CLAIM = re.compile(r"\b(?=[^\W\d]|\d+')" + _PATTERNS["claim"], re.MULTILINE)  # none begins with a number alone
_NOT_YET = re.compile(_PATTERNS["not_yet"])
_DENIED = re.compile(_PATTERNS["denied"])
_BY_OTHERS = re.compile(_PATTERNS["by_others"])
_OF_THE_PERSON = re.compile(_PATTERNS["of_the_person"])

_NONE_OPEN = re.compile(_PATTERNS["none_open"])
_OPENING_WORD = re.compile(r"horario|vaga|opcao|opcoes|opening|slot|time|option")

_RULE_NUMBER = re.compile(r"\(?\b(?:regra|rule)s? \d+\)?", re.IGNORECASE)

_KNOWN = frozenset(words_of("reason_words.txt", __package__))
_UNPLACED = frozenset(words_of("reason_words_unplaced.txt", __package__))
_PLACES = frozenset({"clinica", "clinic"})
_WORD = re.compile(r"\w+")
_NO_COMBINATION = "nenhuma combinacao"  # it denies nothing that could be open
_DATA_RULES: Mapping[Rule, tuple[Callable[[DataReview], str | None], ...]] = {
    Rule.R1: (advice.dosage_outside_record,),
    Rule.R2: (foreign_record, foreign_text),
    Rule.R3: (advice.diagnosis_in_data,),
}


def _of_each_kind(*forms: str) -> dict[ReceiptKind, re.Pattern[str]]:
    words = {
        kind: [_PATTERNS[name] for form in forms if (name := f"{form}_{kind}") in _PATTERNS] for kind in ReceiptKind
    }
    return {kind: re.compile(rf"\b{one_of(*patterns)}\b") for kind, patterns in words.items() if patterns}


_EVIDENT = _of_each_kind("participle", "i_did", "infinitive")
_ABOUT = _of_each_kind("noun")


def claimed_without_receipt(review: ReplyReview) -> str | None:
    """Return a note when a reply claims a write that no clinic acknowledged in this turn."""
    acknowledged = {receipt.kind for receipt in review.answers.receipts}
    if all(claim & acknowledged for claim in _claims(review.clauses_with(_CLAIM))):
        return None
    return "a booking, move or cancellation that no clinic acknowledged in this turn"


def _claims(clauses: Iterable[str]) -> Iterator[frozenset[ReceiptKind]]:
    for clause in clauses:
        if _BY_OTHERS.search(clause) and not _OF_THE_PERSON.search(clause):
            continue  # what somebody else did: "foi reservado por outra pessoa"
        for match in _CLAIM.finditer(clause):
            names_what_is_denied = match.start() == 0 and _DENIED.search(clause, match.end())
            if not (names_what_is_denied or _NOT_YET.search(clause, 0, match.start())):
                yield _kinds_of(clause, match[0])


def _kinds_of(clause: str, claim: str) -> frozenset[ReceiptKind]:
    # The noun decides, then the verb; a bare confirmation fits any write, and what was moved is booked at its new time.
    about = frozenset(kind for kind, noun in _ABOUT.items() if noun.search(clause))
    evident = frozenset(kind for kind, words in _EVIDENT.items() if words.search(claim))
    moved = {ReceiptKind.RESCHEDULED} if ReceiptKind.CONFIRMED in evident else set()
    return about or evident | moved or frozenset(ReceiptKind)


def ungrounded(review: ReplyReview) -> str | None:
    """Return a note when a reply names a date, time or doctor that nothing it rests on names, or joins them wrongly."""
    return next((finding for line in set(review.named) if (finding := _judged(line, review))), None)


def _judged(line: Line, review: ReplyReview) -> str | None:
    grounds = review.grounds
    for mention in line.dates:
        days = review.days[mention]
        if not days and not any(map(mention.may_agree, grounds.mentions)):
            return "a date that is not in the clinics' data"
        if days and mention.weekday is not None and all(day.weekday() != mention.weekday for day in days):
            return "a weekday that is not the date's"
    if not line.times <= grounds.times:
        return "a time that is not in the clinics' data"
    if not all(any(map(doctor.issubset, grounds.doctors)) for doctor in line.doctors):  # a part of a name will do
        return "a doctor who is not in the clinics' data"
    # A line that tells the filter ("a partir das 15:00") names a time that belongs to no opening.
    if not (line.times & grounds.bounds or review.has_opening(line)):
        return "a doctor, date and time that do not belong together in the clinics' data"
    return None


def missing_opening(review: ReplyReview) -> str | None:
    """Return a note when an opening that fits the filter is not shown with its doctor, date and time."""
    if not review.shows_openings:
        return None
    printed = review.plan.printed
    not_here = {offer.slot for offer in review.session.offers if not offer.number or offer.number <= printed}
    wanted = review.fitting - not_here
    shown = _shown(review, wanted) if wanted else {}
    words = {doctor: name_words(doctor) for doctor in {slot.doctor for slot in wanted}}
    for slot in wanted:
        if not any(map(words[slot.doctor].issuperset, shown.get((slot.date, slot.time), ()))):
            return "an opening that fits was left out"
    return None


def _shown(review: ReplyReview, wanted: Set[Appointment]) -> Mapping[tuple[date, time], Set[Doctor]]:
    known = set(map(name_words, {slot.doctor for slot in wanted}))
    shown: dict[tuple[date, time], set[Doctor]] = {}
    # Doctor and date may stand on the line of the time or above it, as headings of a group.
    dates: Set[DateMention] = frozenset()
    doctors: Set[Doctor] = frozenset()
    for plain, line in zip(review.lines, review.named, strict=True):
        dates = line.dates or dates
        doctors = line.doctors or untitled_doctors(plain, known) or doctors
        for mention in dates if line.times else ():
            for moment in product(review.days[mention], line.times):
                shown.setdefault(moment, set()).update(doctors)
    return shown


def untold_openings(review: ReplyReview) -> str | None:
    """Return a note when a filter hid openings, or a long list is printed in part, and no line says how many."""
    listed = review.answers.evidence.listed if review.shows_openings else ()
    hidden = len(listed) - len(review.fitting) if review.fitting else 0
    if listed and not _is_told(hidden, review):
        return "what the filter hid was not told"
    rest = sum(not offer.number for offer in review.session.offers)
    return None if not listed or _is_told(rest, review) else "how many openings are not printed was not told"


def _is_told(number: int, review: ReplyReview) -> bool:
    count = re.compile(rf"(?<!\d){number}(?![\d:/])")
    return not number or any(count.search(line) and _OPENING_WORD.search(line) for line in review.lines)


def groundless_denial(review: ReplyReview) -> str | None:
    """Return a note when a reply says that there is no opening though no clinic that was asked answered."""
    denied = review.answers.evidence.unanswered and _NONE_OPEN.search(review.plain)
    return "a denial of openings that no clinic made" if denied else None


def missing_patient(review: ReplyReview) -> str | None:
    """Return a note when a patient of a list or search is not shown."""
    missing = any(folded(patient_id) not in review.plain for patient_id in review.answers.evidence.patient_ids)
    return "a patient of the list was left out" if missing else None


_REPLY_RULES: Mapping[Rule, tuple[Callable[[ReplyReview], str | None], ...]] = {
    Rule.R1: (advice.invented_dosage, advice.invented_drug, advice.treatment),
    Rule.R2: (foreign_mark, foreign_birth_date, foreign_name),
    Rule.R3: (advice.diagnosis_or_advice,),
    Rule.R4: (
        claimed_without_receipt,
        ungrounded,
        missing_opening,
        untold_openings,
        groundless_denial,
        missing_patient,
    ),
}


class RuleVerifier:
    """Decide what may be shown (blueprint 2.3.2), by rules that are code: the same verdict for the same input."""

    def check_data(self, answers: Answers, session: Session) -> Verdict:
        """Return whether the clinics' answers may be shown to who speaks."""
        review = DataReview(answers, session)
        return _first_broken((rule, check(review)) for rule, checks in _DATA_RULES.items() for check in checks)

    def check_reply(self, text: str, answers: Answers, session: Session, plan: Plan) -> Verdict:
        """Return whether a plain reply says nothing but what answers, receipts, session and plan hold."""
        review = review_of(text, answers, session, plan)
        return _first_broken((rule, check(review)) for rule, checks in _REPLY_RULES.items() for check in checks)

    def check_reasoning(
        self, reasoning: Sequence[str], session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> tuple[str, ...]:
        """Return those lines of a planning model's reasoning that may be shown (/why): they consist of known words."""
        answers = Answers.of("")  # they are held to what a reply is held to before any clinic has answered
        plain = ((line, _RULE_NUMBER.sub("", unicodedata.normalize("NFKC", line))) for line in reasoning)
        told = ((line, _spelled_out(text, clinics)) for line, text in plain if is_of_known_words(text, clinics))
        return tuple(line for line, text in told if self.check_reply(text, answers, session, plan).safe)


def _spelled_out(text: str, clinics: Sequence[Clinic]) -> str:
    for clinic in clinics:
        text = re.sub(rf"\b{re.escape(clinic.id)}\b", clinic.name, text)
    return text


def _first_broken(findings: Iterable[tuple[Rule, str | None]]) -> Verdict:
    return next((verdict_of(rule, finding) for rule, finding in findings if finding), SAFE)


def verdict_of(rule: Rule, finding: str) -> Verdict:
    """Return the verdict of a rule that is broken; `finding` says by what, in English and without repeating it."""
    return Verdict(rule, f"{rule}: {finding}")


def is_of_known_words(line: str, clinics: Sequence[Clinic]) -> bool:
    """Return whether a line holds known words and names of the directory alone, and joins the names rightly."""
    rest = folded(line).replace(_NO_COMBINATION, " ")
    named: list[tuple[str, Set[str]]] = []
    for (text, kind), of_clinics in _names(clinics):
        rest, times = re.subn(rf"(?<!\w){re.escape(text)}(?!\w)", " ", rest)
        if times:
            named.append((kind, of_clinics))
    joined = all(ids & others for kind, ids in named for other, others in named if kind != other)
    words = frozenset(_WORD.findall(rest))
    # Where or with whom an opening or an appointment is, no line can know.
    is_placed = any(kind != "specialty" for kind, _ in named) or bool(words & _PLACES)
    return joined and not (is_placed and words & _UNPLACED) and words <= _KNOWN


def _names(clinics: Sequence[Clinic]) -> Sequence[tuple[tuple[str, str], Set[str]]]:
    # Each folded name and its kind, the longest first, with the ids of the clinics that it belongs to.
    found: dict[tuple[str, str], set[str]] = {}
    for clinic in clinics:
        specialties = {clinic.specialty_name(language) for language in Language}
        names = {"clinic": (clinic.id, clinic.name), "doctor": clinic.doctors, "specialty": specialties}
        for kind, texts in names.items():
            for text in texts:
                found.setdefault((folded(text), kind), set()).add(clinic.id)
    return sorted(found.items(), key=lambda item: -len(item[0][0]))
