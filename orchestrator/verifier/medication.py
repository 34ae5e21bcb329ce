"""R1: no dosage, no drug and no treatment that the clinics' data does not hold.

A drug and its dosage must belong together in one record: the dosage of another drug is as invented as any. A drug that
is on no list of ours is recognised only by the dosage or the order that comes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orchestrator.verifier.folding import folded, one_of, words_of
from orchestrator.verifier.review import DataReview, ReplyReview

_UNITS = {
    "mg": "mg|miligramas?|milligrams?",
    "mcg": "mcg|ug|μg|microgramas?|micrograms?",
    "g": "g|gramas?|grams?",
    "ml": "ml|mililitros?|milliliters?",
    "iu": "ui|iu",
    "drop": "gotas?|drops?",
    "tablet": "comprimidos?|tablets?|pills?",
    "capsule": "capsulas?|capsules?",
    "puff": "jatos?|puffs?",
}
_UNIT = "|".join(f"(?P<{unit}>{forms})" for unit, forms in _UNITS.items())
# A concentration such as 126 mg/dl is an exam's value, not a dosage.
_QUANTITY = re.compile(rf"(?<![\w.,])(?P<number>\d+(?:[.,]\d+)?) ?(?:{_UNIT})\b(?!/d?l\b)")

_NUMBERS = {
    word: str(number)
    for number, words in enumerate(("uma um one once", "duas dois two twice", "tres three", "quatro four"), 1)
    for word in words.split()
}
_ONE = rf"\d+|{'|'.join(_NUMBERS)}"
_A_DAY = "(?:ao dia|por dia|/ ?dia|a day|per day|each day|daily|diariamente)"
_FREQUENCIES = (
    (re.compile(rf"\b(?P<number>{_ONE}) ?(?:x|vez(?:es)?|times?) ?{_A_DAY}\b"), "a day"),
    (re.compile(rf"\b(?P<number>once|twice) {_A_DAY}\b"), "a day"),
    (re.compile(rf"\b(?:a cada|every) (?P<number>{_ONE}) (?:h|horas|hours)\b"), "hours apart"),
    (re.compile(r"\b(?P<number>\d+)(?: em |/)\d+ ?(?:h|horas)\b"), "hours apart"),
)

_AMOUNTS = (_QUANTITY, *(pattern for pattern, _ in _FREQUENCIES))
_DOSAGE = re.compile(rf"\b(?:{'|'.join(re.sub(r'[?]P<[a-z]+>', '?:', one.pattern) for one in _AMOUNTS)})")
"""Any amount or frequency."""

_DRUG_WORDS = words_of("drugs.txt")
_DRUG = re.compile(
    rf"\b(?:{'|'.join(word for word in _DRUG_WORDS if not word.startswith('-'))}"
    rf"|\w{{3,}}(?:{'|'.join(word[1:] for word in _DRUG_WORDS if word.startswith('-'))}))\b"
)

_ORDER = one_of(
    "tome|tomem|use|aplique|ingira|injete|passe|aumente|reduza|diminua|dobre|suspenda|interrompa",
    "(?:pare|comece) (?:de|a) (?:tomar|usar)|continue (?:tomando|usando|com)",
    "(?:pode|deve|deveria|precisa|tem que) (?:tomar|usar|aplicar|aumentar|reduzir|dobrar|suspender|interromper)",
    "precisa de|tomaria|parar de (?:tomar|usar)",
    "troque|trocar|mude|mudar|substitua|substituir|ajuste|ajustar|switch|change|replace|adjust",
    "take|apply|inject|increase|reduce|lower|double|skip|need|(?:stop|start|keep) taking",
)
_MEDICINE = one_of(
    "remedios?|medicamentos?|medicacao|comprimidos?|capsulas?|gotas|pomadas?|cremes?|doses?|dosagem|tratamento",
    "antibioticos?|analgesicos?|anti-?inflamatorios?|antialergicos?|corticoides?",
    "medicines?|medications?|meds|pills?|tablets?|ointments?|creams?|antibiotics?|painkillers?|dosage|treatment|drugs?",
)
_TREATMENT = re.compile(rf"\b{_ORDER}(?: \S+){{0,4}}? {_MEDICINE}\b", re.MULTILINE)
_DENIED = re.compile(r"\b(?:nao|nunca|nem|not|never|cannot|no)\b|n't\b")

Dosage = tuple[str, str]
"""An amount and its unit, the same in both languages: ("50", "mg"), ("1", "a day")."""


def dosage_outside_record(review: DataReview) -> str | None:
    """Return a note when a clinic's answer tells a dosage or treatment anywhere but in a patient's record."""
    texts = map(folded, review.evidence.texts)
    found = any(_DOSAGE.search(plain) or _TREATMENT.search(plain) for plain in texts)
    return "a dosage or treatment outside of a patient's record" if found else None


def invented_dosage(review: ReplyReview) -> str | None:
    """Return a note when a reply tells a dosage that no visible record holds, or gives it to another drug.

    An exam may tell an amount too: "teste com 75 g de glicose".
    """
    if not _DOSAGE.search(review.plain):
        return None
    known = {
        folded(drug.name): frozenset(_dosages(folded(f"{drug.name} {drug.dosage}")))
        for record in review.visible_records
        for drug in record.medications
        if drug.name
    }
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
    data = folded("\n".join(review.evidence.strings)) if drugs else ""
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
    """Yield amounts and frequencies of a folded text."""
    for match in _QUANTITY.finditer(plain):
        yield _amount(match["number"]), str(match.lastgroup)
    for pattern, unit in _FREQUENCIES:
        for match in pattern.finditer(plain):
            yield _NUMBERS.get(match["number"], match["number"]), unit


def _amount(number: str) -> str:
    """Return a number in one form: "5,0" and "5" are one amount, and so are "1.000" and "1000"."""
    whole, _, part = number.replace(",", ".").partition(".")
    if len(part) == 3 and whole != "0":
        return whole + part
    part = part.rstrip("0")
    return f"{whole}.{part}" if part else whole
