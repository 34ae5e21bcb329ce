"""R1: no dosage, drug or treatment that the clinics' data does not hold. R3: no diagnosis and no medical advice.

A drug and its dosage must stand together in one record; a condition in a visible record may be named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from orchestrator.verifier.literals import clauses, folded, one_of, words_of
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
_DOSAGE = re.compile(rf"\b(?=\w)(?:{'|'.join(re.sub(r'[?]P<[a-z]+>', '?:', one.pattern) for one in _AMOUNTS)})")
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
    for match in _QUANTITY.finditer(plain):
        yield _amount(match["number"]), str(match.lastgroup)
    for pattern, unit in _FREQUENCIES:
        for match in pattern.finditer(plain):
            yield _NUMBERS.get(match["number"], match["number"]), unit


def _amount(number: str) -> str:
    whole, _, part = number.replace(",", ".").partition(".")
    if len(part) == 3 and whole != "0":
        return whole + part
    part = part.rstrip("0")
    return f"{whole}.{part}" if part else whole


_CONDITION = one_of(
    # endings of names of diseases, but for everyday words that share them
    r"\w{3,}(?:ites?|oses?|emias?|algias?|omas?|patias?|iases?|itis|osis|iasis|pathy|algia)(?<!\bnoite)(?<!\blimite)(?<!\bdose)",
    "arritmias?|hipertensao|pressao alta|insuficiencia cardiaca|infarto|angina|sopro|derrame|avc|diabetes|colesterol",
    "arrhythmia|hypertension|high blood pressure|heart (?:attack|failure|disease)|stroke",
    "cancer|tumor|enxaqueca|alergia|infeccao|eczema|psoriase|acne|micose|sarna|virose|gripe|resfriado|pneumonia|asma",
    "migraine|allergy|infection|skin (?:disease|infection)|fungal|flu|asthma|covid\\S*|dengue|reflux|refluxo",
    "hernia\\S*|fratura|entorse|luxacao|fracture|sprain|depressao|ansiedade|panico|depression|anxiety",
    "doenca\\S*|sindrome|disease|syndrome",
)

_BETWEEN = one_of(
    "um|uma|uns|o|a|os|as|de|do|da|com|algum|alguma|quadro|crise|inicio|tipo|caso|sinal|sinais|sintomas?",
    "possivel|provavel|provavelmente|talvez|realmente|leve|grave|forte",
    "an|the|some|case|kind|form|signs?|symptoms?|of|like|possible|probable|probably|likely|mild|severe",
)

_SUPPOSES = one_of(
    r"(?:voce|vc|o senhor|a senhora) (?:\w+ )?"
    + one_of("tem|apresenta|contraiu|desenvolveu|sofre de", "(?:esta|pode estar|deve estar) com", "(?:pode|deve) ter"),
    r"(?:isso|isto|sintomas?|quadro|dor) (?:\w+ )?"
    + one_of("e|sao|indica\\w*|sugere\\w*|significa|aponta\\w* para", "(?:pode|podem|deve) ser"),
    "parecem?(?: ser| com)?|(?:so )?pode ser|deve ser|trata-se de|diagnostico (?:e|seria)",
    "(?:provavelmente|certamente|com certeza) e|e (?:so|apenas|provavelmente|certamente|com certeza)",
    r"you (?:\w+ ){0,2}?" + one_of("have|got|'ve got", "(?:may|might|could|must) have", "(?:are )?suffer(?:ing)? from"),
    r"(?:it|this|that|symptoms?|pain) (?:\w+ )?"
    + one_of("is|are|suggests?|indicates?|points? to", "(?:could|may|might|must) be"),
    r"(?:sounds?|looks?|seems?)(?: like(?: you have)?| to be)?|you've got|diagnosis is|it's(?: just| only| probably)?",
)

_DIAGNOSIS = re.compile(rf"\b{_SUPPOSES} (?:{_BETWEEN} ){{0,5}}(?P<condition>{_CONDITION})\b")

# What is told to do with one's body; "use o número" and "avoid delays" are not.
_TREATMENT_PT = one_of(
    r"tom\w+|aplic\w+|repous\w+|suspend\w+|repouso|dieta|compressas?",
    r"us[ae]r? (?:pomada|creme|remedio)\w*",
    r"(?:fazer|faca) (?:repouso|dieta|compressas?|exames?|um exame|exercicios?)",
    r"(?:evitar|evite) (?:esforcos?|sal|alcool|gorduras?|acucar|sol|bebidas?|comer)",
    r"(?:parar|pare) de (?:tomar|usar)",
)
_TREATMENT_EN = one_of(
    r"tak(?:e|ing) (?!a look|your time|care|place|(?:\w+ ){0,3}(?:opening|slot|time|option|appointment|one)s?\b)",
    r"apply(?:ing)? (?:an? |the |some )?\w*(?:cream|ointment|ice|compress)",
    r"(?:stop|start) taking|rest\b|resting|drink(?:ing)?|exercis\w+|a diet",
    r"get (?:tested|an x-?ray|an mri|a blood test)",
    r"avoid(?:ing)? (?:salt|alcohol|exercise|sugar|fat\w*|the sun|strain\w*)",
)

_ADVICE = re.compile(
    one_of(
        rf"\b(?:recomend[oa]\w*|sugiro|aconselho|prescrevo) (?:que )?(?:voce )?(?:a |um |uma )?{_TREATMENT_PT}",
        rf"\b(?:voce|vc) (?:deve|deveria|precisa|tem que|pode) {_TREATMENT_PT}",
        r"\b(?:faca|mantenha) (?:repouso|dieta|compressas?|gargarejos?|jejum)\b",
        r"\bevite (?:esforcos?|sal|alcool|gorduras?|acucar|sol|bebidas?|comer)\b",
        rf"\b(?:i|we) (?:recommend|suggest|advise|prescribe) (?:that )?(?:you )?(?:to )?{_TREATMENT_EN}",
        rf"\byou (?:should|must|need to|have to|ought to|can) {_TREATMENT_EN}",
        r"\bpod(?:e|eria) (?:tomar|parar de tomar)\b(?! nota)",
        r"^(?:please )?(?:apply (?:ice|heat|a compress)|get some rest|drink plenty)\b",
        r"^(?:please )?avoid (?:salt|alcohol|exercise|sugar|fat\w*|the sun|strain\w*)\b",
        r"\bnao (?:e|parece|deve ser) (?:nada )?(?:grave|serio|preocupante)\b",
        r"\b(?:it is|it's|this is|that is|that's) (?:not|nothing) (?:serious|to worry about|dangerous)\b",
        r"\bnao (?:precisa|ha necessidade|e preciso) (?:de|ir ao|ver um|procurar)(?: um)? (?:medico|pronto-socorro)\b",
        r"\byou (?:do not|don't) need (?:to see )?a doctor\b",
    )
)
# Each begins with a letter; a list of openings is half digits.
_SUSPECT = re.compile(rf"\b(?=[^\W\d])(?:{_DIAGNOSIS.pattern}|{_ADVICE.pattern})", re.MULTILINE)

_NO_JUDGEMENT = re.compile(r"\b(?:nao|nunca|nem|sem|se|cannot|not|never|no|if|whether)\b|n't\b")
_NO_REASSURANCE = re.compile(r"^nao sei|\b(?:cannot|can't) (?:say|tell)\b|\bnao posso (?:dizer|avaliar)\b")


def diagnosis_in_data(review: DataReview) -> str | None:
    """Return a note when a clinic's answer diagnoses or advises in what it says to the reader."""
    said = (clause for note in set(review.evidence.notes) for clause in clauses(folded(note)))
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
