"""R3: no diagnosis and no medical advice; the agent books visits, doctors judge.

A condition that stands in a record the speaker may see may be named, because a doctor put it there. A refusal to
diagnose is no diagnosis, and neither is naming a specialty or an emergency number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from orchestrator.verifier.folding import clauses, folded, one_of
from orchestrator.verifier.review import DataReview, ReplyReview

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
_SUSPECT = re.compile(rf"\b(?:{_DIAGNOSIS.pattern}|{_ADVICE.pattern})", re.MULTILINE)

_DENIED = re.compile(r"\b(?:nao|nunca|nem|sem|se|cannot|not|never|no|if|whether)\b|n't\b")
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
            and not _DENIED.search(clause[: supposed.start()])
            and not any(supposed["condition"] in known for known in known_conditions)
        ):
            return "a diagnosis"
        if _ADVICE.search(clause) and not _NO_REASSURANCE.search(clause):
            return "medical advice"
    return None
