"""R1: no dosage, drug or treatment that the clinics' data does not hold. R3: no diagnosis and no medical advice.

A drug and its dosage must stand together in one record; a condition in a visible record may be named.
"""

import re
from collections.abc import Iterable, Iterator

from orchestrator.texts import patterns_in, words_of
from orchestrator.verifier.literals import clauses, folded
from orchestrator.verifier.review import DataReview, ReplyReview

_NUMBERS = {
    word: str(number)
    for number, words in enumerate(("uma um one once", "duas dois two twice", "tres three", "quatro four"), 1)
    for word in words.split()
}
_FREQUENCIES = {"times": "a day", "once": "a day", "every": "hours apart", "in_hours": "hours apart"}
_PATTERNS = patterns_in("advice.txt", __package__, count=rf"\d+|{'|'.join(_NUMBERS)}")
_DOSAGE = re.compile(_PATTERNS["dosage"])

_DRUG_WORDS = words_of("drugs.txt", __package__)
_DRUG = re.compile(
    rf"\b(?:{'|'.join(word for word in _DRUG_WORDS if not word.startswith('-'))}"
    rf"|\w{{3,}}(?:{'|'.join(word[1:] for word in _DRUG_WORDS if word.startswith('-'))}))\b"
)

_TREATMENT = re.compile(_PATTERNS["treatment"], re.MULTILINE)
_DENIED = re.compile(_PATTERNS["denied"])

Dosage = tuple[str, str]  # an amount and its unit, the same in both languages: ("50", "mg"), ("1", "a day")

_DIAGNOSIS = re.compile(_PATTERNS["diagnosis"])
_ADVICE = re.compile(_PATTERNS["advice"])
_SUSPECT = re.compile(_PATTERNS["suspect"], re.MULTILINE)
_NO_JUDGEMENT = re.compile(_PATTERNS["no_judgement"])
_NO_REASSURANCE = re.compile(_PATTERNS["no_reassurance"])


def dosage_outside_record(review: DataReview) -> str | None:
    """Return a note when a clinic's answer tells a dosage or treatment anywhere but in a patient's record."""
    texts = map(folded, review.answers.evidence.texts)
    found = any(_DOSAGE.search(plain) or _TREATMENT.search(plain) for plain in texts)
    return "a dosage or treatment outside of a patient's record" if found else None


def invented_dosage(review: ReplyReview) -> str | None:
    """Return a note when a reply tells a dosage that no visible record holds, or gives it to another drug."""
    if not _DOSAGE.search(review.plain):
        return None
    known = {
        folded(drug.name): frozenset(_dosages(folded(f"{drug.name} {drug.dosage}")))
        for record in review.visible_records
        for drug in record.medications
        if drug.name
    }
    # An exam may tell an amount too: "teste com 75 g de glicose".
    others = (exam for record in review.visible_records for exam in record.exams)
    every = frozenset().union(*known.values(), *(_dosages(folded(exam)) for exam in others))
    before_a_drug = re.compile("|".join(rf"(?={re.escape(drug)})" for drug in known) or r"(?!)")
    for line in review.lines:
        for part in before_a_drug.split(line):
            of_the_drug = next((known[drug] for drug in known if part.startswith(drug)), every)
            if not of_the_drug.issuperset(_dosages(part)):
                return "a dosage that the clinics' data does not hold"
    return None


def invented_drug(review: ReplyReview) -> str | None:
    """Return a note when a reply names a drug that the data does not."""
    drugs = {drug[0] for drug in _DRUG.finditer(review.plain)}
    data = folded("\n".join(review.answers.evidence.prose)) if drugs else ""
    unknown = any(drug not in data for drug in drugs)
    return "a medication that the clinics' data does not hold" if unknown else None


def treatment(review: ReplyReview) -> str | None:
    """Return a note when a reply orders to take, change or stop a medication, whatever the data."""
    for clause in review.clauses_with(_TREATMENT):
        order = _TREATMENT.search(clause)
        if order and not _DENIED.search(clause[: order.start()]):
            return "an order about a medication"
    return None


def names_drug(plain: str) -> bool:
    """Return whether a folded text names a drug."""
    return _DRUG.search(plain) is not None


def _dosages(plain: str) -> Iterator[Dosage]:
    for match in _DOSAGE.finditer(plain):
        unit = str(match.lastgroup)
        if unit in _FREQUENCIES:
            yield _NUMBERS.get(match[unit], match[unit]), _FREQUENCIES[unit]
        else:
            yield _amount(match["number"]), unit


def _amount(number: str) -> str:
    whole, _, part = number.replace(",", ".").partition(".")
    if len(part) == 3 and whole != "0":
        return whole + part
    part = part.rstrip("0")
    return f"{whole}.{part}" if part else whole


def diagnosis_in_data(review: DataReview) -> str | None:
    """Return a note when a clinic's answer diagnoses or advises in what it says to the reader."""
    said = (clause for note in set(review.answers.evidence.notes) for clause in clauses(folded(note)))
    return _judgement(said, frozenset())


def diagnosis_or_advice(review: ReplyReview) -> str | None:
    """Return a note when a reply tells the person what they have or what to do about it."""
    said = review.clauses_with(_SUSPECT)
    known = frozenset(folded(record.condition) for record in review.visible_records) if said else frozenset()
    return _judgement(said, known)


def _judgement(said: Iterable[str], known_conditions: frozenset[str]) -> str | None:
    for clause in said:
        supposed = _DIAGNOSIS.search(clause)
        if (
            supposed
            and not _NO_JUDGEMENT.search(clause[: supposed.start()])
            and not any(supposed["condition"] in known for known in known_conditions)
        ):
            return "a diagnosis"
        if _ADVICE.search(clause) and not _NO_REASSURANCE.search(clause):
            return "medical advice"
    return None
