"""R1: no dosage, no drug and no treatment that the clinics' data does not hold.

A drug and its dosage must belong together in one record: a real dosage of another drug is as invented as any. Where a
word could be a drug only by its sound it is not taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pydantic import JsonValue

from orchestrator.verifier.evidence import strings
from orchestrator.verifier.folding import clauses, folded
from orchestrator.verifier.review import DataReview, ReplyReview

_UNITS = {
    "mg": "mg|miligramas?|milligrams?",
    "mcg": "mcg|ug|μg|microgramas?|micrograms?",
    "g": "g|gramas?|grams?",
    "ml": "ml|mililitros?|milliliters?",
    "iu": "ui|iu|unidades?|units?",
    "drop": "gotas?|drops?",
    "tablet": "comprimidos?|tablets?|pills?",
    "capsule": "capsulas?|capsules?",
    "puff": "jatos?|puffs?",
}
_UNIT = "|".join(f"(?P<{unit}>{forms})" for unit, forms in _UNITS.items())
# A concentration such as 126 mg/dl is an exam's value, not a dosage.
_QUANTITY = re.compile(rf"(?<![\w.,])(?P<number>\d+(?:[.,]\d+)?)\s?(?:{_UNIT})\b(?!/d?l\b)")

_NUMBERS = {"uma": 1, "um": 1, "duas": 2, "dois": 2, "tres": 3, "quatro": 4, "one": 1, "two": 2, "three": 3, "four": 4}
_ONE = rf"\d+|{'|'.join(_NUMBERS)}"
_FREQUENCIES = (
    (re.compile(rf"\b(?P<n>{_ONE})\s?(?:x|vez(?:es)?|times?)\s?(?:ao|por|a|per|/)?\s?(?:dia|day)\b"), "a day"),
    (re.compile(r"\b(?P<once>once|diariamente|daily)\b"), "a day"),
    (re.compile(r"\b(?P<twice>twice)\b"), "a day"),
    (re.compile(rf"\b(?:a cada|every|de)\s(?P<n>{_ONE})\s(?:horas|hours|em\s\d+\shoras)\b"), "hours apart"),
)

_DRUGS = re.compile(
    r"\b(?:amiodarona?|amiodarone|dipirona|dipyrone|paracetamol|acetaminophen|tylenol|ibuprofeno?|aspirin[ae]?|"
    r"acido acetilsalicilico|nimesulida|diclofenaco?|cetoprofeno|naproxeno?|prednisona|prednisone|prednisolona|"
    r"dexametasona|dexamethasone|hidrocortisona|hydrocortisone|metformina?|insulina?|insulin|furosemida|furosemide|"
    r"hidroclorotiazida|hydrochlorothiazide|espironolactona|varfarina|warfarin|clopidogrel|rivaroxabana|digoxina|"
    r"anlodipino|amlodipine|isotretinoina|isotretinoin|metotrexato|methotrexate|tramadol|codeina|codeine|morfina|"
    r"morphine|gabapentina?|pregabalina?|diazepam|clonazepam|rivotril|fluoxetina|fluoxetine|sertralina|sertraline|"
    r"viagra|sildenafila?|ozempic|semaglutida|semaglutide|cefalexina|cephalexin|minoxidil|finasterida|finasteride|"
    r"\w{3,}(?:sartan[ao]?|olol|statina?|prazol|prazole|cilina|cillin|micina|mycin|cetirizina|loratadina|conazol|"
    r"conazole)|(?:capto|enala|lisino|rami|perindo|benaze)pril)\b"
)

_MEDICINE = (
    r"(?:remedios?|medicamentos?|medicacao|comprimidos?|capsulas?|gotas|pomadas?|cremes?|antibioticos?|analgesicos?|"
    r"anti-?inflamatorios?|antialergicos?|corticoides?|doses?|dosagem|tratamento|"
    r"medicines?|medications?|meds|pills?|tablets?|ointments?|creams?|antibiotics?|painkillers?|dosage|treatment|drugs?)"
)
_ORDERS = re.compile(
    r"\b(?:tome|tomem|use|aplique|ingira|injete|passe|aumente|reduza|diminua|dobre|suspenda|interrompa|"
    r"pare de (?:tomar|usar)|comece a (?:tomar|usar)|continue (?:tomando|usando|com)|"
    r"take|apply|inject|increase|reduce|lower|double|stop taking|start taking|keep taking|skip)\b"
    rf"(?:\s\S+){{0,4}}?\s{_MEDICINE}\b"
)
_DENIED = re.compile(r"\b(?:nao|nunca|nem|not|never|cannot|no)\b|n't\b")


def dosage_outside_record(review: DataReview) -> str | None:
    """Return a note when a clinic's answer tells a dosage or treatment anywhere but in a patient's record."""
    for result in review.evidence.results:
        for text in _texts_outside_records(result):
            plain = folded(text)
            if any(_dosages(plain)) or _ORDERS.search(plain):
                return "a dosage or treatment outside of a patient's record"
    return None


def _texts_outside_records(result: JsonValue) -> Iterator[str]:
    rest: JsonValue = (
        {name: value for name, value in result.items() if name != "patient"} if isinstance(result, dict) else result
    )
    yield from strings(rest)


def invented_medication(review: ReplyReview) -> str | None:
    """Return a note when a reply holds a drug, dosage or treatment that no record the speaker may see holds."""
    known = {
        folded(drug): frozenset(_dosages(folded(f"{drug} {dosage}")))
        for record in review.evidence.records
        if review.may_see(record)
        for drug, dosage in record.medications
    }
    for line in folded(review.text).split("\n"):
        for chunk, dosages in _chunks(line, list(known)):
            of_drug = next((known[drug] for drug in known if drug in chunk), None)
            if not dosages <= (of_drug if of_drug is not None else frozenset().union(*known.values())):
                return "a dosage that the clinics' data does not hold"
    data = folded("\n".join(review.evidence.strings))
    if any(drug[0] not in data for drug in _DRUGS.finditer(folded(review.text))):
        return "a medication that the clinics' data does not hold"
    return _treatment(review.text)


def _treatment(text: str) -> str | None:
    for clause in clauses(text):
        order = _ORDERS.search(clause)
        if order and not _DENIED.search(clause[: order.start()]):
            return "a treatment that the clinics' data does not hold"
    return None


def _chunks(line: str, drugs: list[str]) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    """Cut a line before each known drug, and yield each part with the dosages it tells."""
    parts = re.split(rf"(?={'|'.join(map(re.escape, filter(None, drugs)))})", line) if any(drugs) else [line]
    for part in parts:
        yield part, frozenset(_dosages(part))


def _dosages(plain: str) -> Iterator[tuple[str, str]]:
    """Yield quantities and frequencies of a folded text, in one form for both languages."""
    for match in _QUANTITY.finditer(plain):
        number = match["number"].replace(",", ".")
        yield (number.rstrip("0").rstrip(".") if "." in number else number), str(match.lastgroup)
    for pattern, unit in _FREQUENCIES:
        for match in pattern.finditer(plain):
            groups = match.groupdict()
            number = groups.get("n") or ("2" if groups.get("twice") else "1")
            yield str(_NUMBERS.get(number, number)), unit
