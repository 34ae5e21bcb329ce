"""The words by which the rules recognise people, measures, counted events, graded exposures and times.

Entries are folded: lower case without accents. A stem ends in `*`. Both languages stand together, because people mix
them;
what differs between the languages is the grammar's (`relations`, `question`).
"""

from __future__ import annotations

import re

PEOPLE = """
    pessoa* paciente* adulto* idos[oa]* crianca* adolescente* jovem jovens mulher* homem homens gestante* bebe bebes
    lactente* estudante* alun[oa]* trabalhador* profissiona* enfermeir* medic[oa]s morador* populacao usuari[oa]*
    individuo* hipertens[oa]s diabetic[oa]s asmatic[oa]s fumante* atleta* mae maes cuidador* universitari[oa]*
    professor*
    aposentad[oa]* vizinh[oa]s famili* recem-nascid[oa]s motorista* agricultor* voluntari[oa]* participante* corredor*
    people person* patient* adult* children child adolescent* teenager* teen teens women woman men elderly seniors
    student* worker* nurse* physician* doctors resident* population user* individual* smoker* athlete* mother*
    caregiver*
    infant* newborn* volunteer* participant* diabetics asthmatics hypertensives neighbo?urs famil* retirees drivers
"""
"""Words for people: a phrase that begins with one, or nearly so, is a population."""

EVENTS = """
    falta faltas ausencia* consulta* atendimento* internac* hospitalizac* crise crises queda quedas recaida* recidiva*
    obito*
    morte* abandono* desistencia* comparecimento* acidente* infecc* lesao lesoes casos episodio* visita* retorno*
    absence* appointment* no-show* admission* readmission* hospitali[sz]ation* attacks fall falls relapse* death*
    dropout*
    accident* infection* injur* cases episode* visit* missed
"""
"""What is counted: it happens or does not, so that a count says little without a time."""

MEASURES = """
    numero* quantidade* taxa* proporc* percentual percentuais porcentagem frequencia* media mediana tempo duracao
    escore* escala*
    questionario* indice* nivel niveis pressao peso altura contagem dias horas minutos pontos pontuac* nota notas
    prontuario*
    exame* teste* registro* incidencia prevalencia dose imc glicemia hemoglobina colesterol temperatura idade renda
    custo*
    number* rate* proportion* percent* frequency mean median time duration score* scale* questionnaire* index level*
    pressure weight height count* days hours minutes points grade* record* test tests incidence prevalence dose bmi
    glucose
    haemoglobin hemoglobin cholesterol temperature age income cost*
"""
"""What is measured with a number, or measures with one."""

GRADED = """
    numero quantidade frequencia nivel niveis dose tempo duracao horas idade renda distancia temperatura peso imc
    consumo
    intensidade escolaridade velocidade altura taxa
    number amount frequency level levels dose time duration hours age income distance temperature weight bmi consumption
    intensity education speed height rate
"""
"""Exposures that have more and less of themselves: they are compared along their own scale and need no other group."""

NO_ANSWER = """
    nao sei; sei la; ok; sim; nao; talvez; certo; tudo bem; beleza; pode ser; oi; ola; bom dia; boa tarde; boa noite;
    obrigado;
    obrigada; nao tenho certeza; nao faco ideia; tanto faz; qualquer; ajuda; continue; proximo
    ; i do not know; i don't know; dont know; yes; no; maybe; sure; fine; hi; hello; thanks; thank you; not sure; no
    idea;
    whatever; any; help; go on; next
"""
"""What answers no question about a gap."""


def pattern_of(table: str) -> str:
    """Return a pattern for any word of a table."""
    return rf"(?<![a-z])(?:{'|'.join(word.replace('*', '[a-z]*') for word in table.split())})(?![a-z])"


_PEOPLE = pattern_of(PEOPLE)
_EVENT = re.compile(pattern_of(EVENTS))
_MEASURE = re.compile(pattern_of(MEASURES))
_GRADED = re.compile(pattern_of(GRADED))
_NO_ANSWERS = frozenset(" ".join(phrase.split()) for phrase in NO_ANSWER.split(";"))
_SYMBOL = re.compile(r"(?<![a-z'])[b-df-np-z](?![a-z'])")
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9-]{2,}\b")
_COUNT = re.compile(r"\d")

_NUMBER = (
    r"(?:\d{1,3}|uma?|dois|duas|tres|quatro|cinco|seis|oito|nove|dez|doze|vinte e quatro"
    r"|an?|one|two|three|four|five|six|eight|nine|ten|twelve|twenty-four)"
)
_UNIT = (
    r"(?:dias?|semanas?|quinzenas?|mes(?:es)?|bimestres?|trimestres?|semestres?|anos?"
    r"|days?|weeks?|months?|quarters?|years?)(?![a-z])"
)
_YEAR = r"(?:19|20)\d\d(?!\d)"
PERIOD = (
    rf"(?:(?:[oa]s?|the)\s)?(?:(?:proxim[oa]s?|ultim[oa]s?|past|next|last|following)\s)?"
    rf"(?:{_NUMBER}[\s-]{_UNIT}|{_YEAR}(?:\s?(?:a|ate|e|to|and|-)\s?{_YEAR})?)"
)
"""A stretch of time, without what stands before it: "12 meses", "the last two years", "2020 a 2024"."""

PEOPLE_PHRASE = (
    r"(?:(?!(?:d[aeo]s?|of|in|em|n[oa]s?|com|with|que|who|and|e|para|por|for|by)\s)[a-z-]+\s){0,3}?" + _PEOPLE
)
"""Where a population begins: a word for people, with up to three words before it that are no prepositions."""


def names_people(folded: str) -> bool:
    """Return whether a phrase begins, or nearly so, with people."""
    return re.match(rf"{PEOPLE_PHRASE}|quem\b|who\b|those\b", folded) is not None


def counts_events(folded: str) -> bool:
    """Return whether a phrase speaks of what happens or does not."""
    return _EVENT.search(folded) is not None


def is_measurable(original: str, folded: str) -> bool:
    """Return whether a phrase says what number it comes to; a letter such as Y is somebody's defined variable."""
    return bool(
        _MEASURE.search(folded) or _EVENT.search(folded) or _ACRONYM.search(original) or _SYMBOL.fullmatch(folded)
    )


def measures(original: str, folded: str) -> bool:
    """Return whether a phrase can be an answer to how something is measured."""
    return is_measurable(original, folded) or _COUNT.search(folded) is not None


def is_graded(folded: str) -> bool:
    """Return whether an exposure has more and less of itself; a letter such as X does."""
    return _GRADED.search(folded) is not None or _SYMBOL.fullmatch(folded) is not None


def answers_nothing(folded: str) -> bool:
    """Return whether a whole utterance tells nothing about a gap."""
    return folded in _NO_ANSWERS
