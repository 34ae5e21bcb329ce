"""What the desk does not work on, told by its words, before anything is structured.

A table of patterns over folded text, in order. It errs towards asking: what looks like one of these is answered with
the
reason, and the person may put it otherwise. Topics are no reason: "ideação suicida em adolescentes" can be studied.
"""

from __future__ import annotations

import re
from enum import StrEnum

from orchestrator.research.rules.folded_text import FoldedText
from orchestrator.research.rules.relations import any_of


class ScreeningRefusal(StrEnum):
    """Why something is no research question that the desk works on."""

    CRISIS = "crisis"  # a person in danger: help comes first
    IDENTIFIES = "identifies"  # asks for patients' identities or records
    HARMFUL = "harmful"  # would harm the people who are studied
    ADVICE = "advice"  # asks for a diagnosis or a treatment
    ERRAND = "errand"  # asks for an appointment: the clinics' desk does that
    VALUES = "values"  # asks what is right, which no data answer


_CRISIS = any_of("""
    quero morrer; vou me matar; quero me matar; penso em me matar; nao quero( mais)? viver; estou (tendo um
    infarto|morrendo);
    nao (consigo|estou conseguindo) respirar; i want to die; i (am going|want) to kill myself; i can(not|'t) breathe;
    i( am|'m) (dying|having a heart attack)
""")
_PATIENTS = any_of("pacientes?; pessoas?; doentes; clientes; patients?; people")
_IDENTITY = any_of("""
    nomes?; cpfs?; telefones?; celulares?; enderecos?; e-?mails?; prontuarios?; fichas?; identidades?; dados pessoais;
    contatos?;
    names?; phone numbers?; phones?; address(es)?; records?; identit(y|ies); personal data; contacts?; ids?
""")
_GIVE = any_of("""
    me (de|mostre|mande|passe|envie); listar?; liste; mostrar?; mostre; quero; quais( sao)?( os)?; qual( e)?; preciso
    d[aeo]s?;
    acessar; ver; obter; give me; show( me)?; list; send me; i want; i need; what (are|is); which; access; get
""")
_WHO_ARE = any_of("quem sao; who are; identificar; identify; reidentificar; re-?identify")
_SECRETLY = any_of("""
    sem (o )?consentimento; sem que (eles|elas|os pacientes) saibam; sem (eles|elas|ninguem) saber;
    without (their |any )?(consent|knowledge|knowing)
""")
_HURT = any_of("envenenar; machucar; matar; intoxicar; prejudicar; poison; hurt; harm; kill; injure")
_ADVICE = any_of("""
    (devo|posso|preciso) (tomar|parar|usar|aumentar); (should|can|must) i (take|stop|use|increase); (que|qual) remedio;
    qual (a |e a )?dose; estou com (dor|febre|tosse|falta de ar); what should i (take|do); which (drug|medicine|pill)s?;
    do i have; i have (a )?(pain|fever|cough|headache)
""")
_WISH = any_of("quero; queria; preciso; gostaria de; i want to; i need to; i would like to; i want; i need")
_ERRAND = any_of("""
    marcar; agendar; remarcar; reagendar; cancelar; desmarcar; book; schedule; reschedule; cancel;
    uma? (consulta|horario|cardiologista|dermatologista|ortopedista); an?
    (appointment|cardiologist|dermatologist|orthopedist)
""")
_OPENINGS = any_of("horarios? (livres?|disponive(l|is)); available slots")
_VALUES = any_of("""
    e (certo|errado|justo|injusto|etico|moral|imoral|pecado); is it (right|wrong|fair|ethical|moral|immoral|a sin);
    deveriam?( ser)? (proibid|obrigatori|permitid)[oa]s?; should .{0,60} be (banned|mandatory|allowed|forbidden);
    deus existe; does god exist; sentido da vida; meaning of life
""")

_TABLE: tuple[tuple[ScreeningRefusal, str], ...] = (
    (ScreeningRefusal.CRISIS, _CRISIS),
    (
        ScreeningRefusal.IDENTIFIES,
        rf"{_GIVE}\b.{{0,40}}\b{_IDENTITY}\b.{{0,30}}\b(?:d[aeo]s?|of|from)\b.{{0,20}}\b{_PATIENTS}",
    ),
    (ScreeningRefusal.IDENTIFIES, rf"{_GIVE}\b.{{0,40}}\b{_PATIENTS}(?:'s?)?\b.{{0,40}}\b{_IDENTITY}"),
    (ScreeningRefusal.IDENTIFIES, rf"{_WHO_ARE}\b.{{0,30}}\b{_PATIENTS}"),
    (
        ScreeningRefusal.IDENTIFIES,
        r"(?:prontuario|ficha|record|file)s? (?:d[eoa]|of) (?:paciente |patient )?\[(?:name|patient|cpf)\]",
    ),
    (ScreeningRefusal.HARMFUL, _SECRETLY),
    (ScreeningRefusal.HARMFUL, rf"(?:como|how (?:can i|to|do i))\b.{{0,20}}\b{_HURT}"),
    (ScreeningRefusal.ADVICE, _ADVICE),
    (ScreeningRefusal.ERRAND, rf"{_WISH} {_ERRAND}"),
    (ScreeningRefusal.ERRAND, _OPENINGS),
    (ScreeningRefusal.VALUES, _VALUES),
)
_PATTERNS = tuple((refusal, re.compile(rf"(?<!\w){pattern}(?!\w)")) for refusal, pattern in _TABLE)


def refusal_of(text: str) -> ScreeningRefusal | None:
    """Return why a text is not worked on; None when nothing speaks against it."""
    folded = FoldedText.of(text).folded
    return next((refusal for refusal, pattern in _PATTERNS if pattern.search(folded)), None)
