"""How Portuguese says that a visit was booked, moved, cancelled or held; patterns for folded clauses."""

from __future__ import annotations

import re

from orchestrator.verifier.literals import one_of

# What these say cannot be about anything but a visit.
BOOKS = "agend|marc|marqu|reserv|encaix|efetiv|bloque|inscrev"
MOVES = "remarc|remarqu|reagend"
_CANCELS = "desmarc|desmarqu|cancel"
_VISIT_AR = f"{BOOKS}|{MOVES}|{_CANCELS}"

# What these say may be about anything.
_AR = (
    "confirm|assegur|segur|separ|deix|coloc|coloqu|anot|registr|cadastr|fech|efetu|realiz|finaliz|mud|troc|troqu|alter"
    "|antecip|adi|pass|process|providenci|formaliz|valid|acert|guard|peg|pegu|retir|inici|oficializ|aprov|encaminh"
    "|program"
)
_IR = "garant|inclu|conclu|inser|mov|remov|exclu|transfer|resolv|escolh"
PARTICIPLE = one_of(
    f"(?:{_AR})ad[oa]s?",
    f"(?:{_IR})id[oa]s?",
    "feit[oa]s?|previst[oa]|inscrit[oa]s?|acordad[oa]|combinad[oa]|ativ[oa]|aceit[oa]|gerad[oa]",
)
_VISIT_PARTICIPLE = f"(?:{_VISIT_AR})ad[oa]s?"

_MOMENT = one_of("(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)", r"\d{1,2}(?::\d\d|h|/\d)")
_THING = (
    "(?:consultas?|horario|vaga|agendamentos?|marcacao|reserva|lugar|encaixe|visita|atendimento|remarcacao"
    "|reagendamento|cancelamento|alteracao|mudanca|troca|nome|inscricao|presenca|ida)"
)
_REQUEST = "(?:solicitacao|pedido|requisicao)"
_OBJECT = one_of(
    rf"(?:\w+ ){{0,3}}?{_THING}\b",
    rf"(?:\w+ ){{0,2}}?{_MOMENT}",
    r"(?:[oa] )?(?:primeir|antig|anterior|outr)[oa]?\b",
    r"(?:(?:ja|tambem|o|a) )?(?:voce|seu nome)\b",
)
_TO_DO = one_of(f"(?:{_VISIT_AR})ar", rf"(?:(?:{_AR})ar|(?:{_IR})[ei]r|fazer) {_OBJECT}")

_IS = (
    r"(?:e|foi|foram|esta|estao|fica|ficou|ficaram|deixei|consta(?: como)?|acab(?:a|ou) de ser|ja|segue|encontra-se"
    r"|considere(?: \w+)?|ta)"
)
_ADVERBS = r"(?:(?:ja|agora|tudo|devidamente|tambem|\w+mente) ){0,2}"
_LEAD = r"(?:(?:pronto|certo|ok|otimo|tudo|ja|sua|seu|a|o|nova|novo|e|status) ){0,3}"

STATED = re.compile(
    one_of(
        # "marquei", "está marcada"; "marcamos a sua consulta", "separei esse horário", "garanti a sexta"
        rf"\b(?:{_VISIT_AR})(?:ei|ou|aram|i|eu)\b|\b{_VISIT_PARTICIPLE}\b",
        rf"\b(?:(?:{_VISIT_AR})amos|(?:{_AR})(?:ei|amos|ou|aram)|fi(?:z|zemos)|fez|pus) {_OBJECT}",
        rf"\b(?:{_IR})(?:i|imos|emos|iu|eu) {_OBJECT}",
        # "acabei de confirmar a vaga", "consegui encaixar", "segui com a reserva", "pedi a reserva"
        rf"\b(?:acabei|acabamos|acabo|tomei a liberdade|tratei|cuidei) de {_TO_DO}",
        rf"\b(?:consegui|conseguimos|pude|aproveitei (?:e|para)) {_TO_DO}",
        rf"\b(?:procedi|segui|prossegui) com (?:[oa] |seu |sua ){{1,2}}?{_THING}",
        rf"\bconsegui (?:uma?|[oa]|ess[ea]|seu|sua) (?:\w+ )?{_THING} .*(?:para|pra) voce\b",
        rf"\b(?:solicitei|pedi|requisitei) (?:ja )?(?:[oa] |uma? |seu |sua )?{_THING}",
        r"\b(?:clinic\w*|medic\w+|dr\.? .*|dra\.? .*|clinica .*) (?:confirm|aceit|aprov)(?:ou|aram)\b",
        # "a consulta foi confirmada", "agendamento feito", "a marcação entrou", "a consulta é na sexta"
        rf"\b(?:{_THING}|{_REQUEST}) (?:[\w.]+ ){{0,8}}?{_IS} {_ADVERBS}{PARTICIPLE}\b",
        rf"\b{_THING} (?:(?:ja|agora|tudo|tambem|\w+mente|d\w+ \w+) ){{0,2}}?{PARTICIPLE}\b",
        rf"\b{_THING} (?:\w+ ){{0,4}}?{one_of('entrou', 'passou', 'mudou', 'deu certo', 'ok')}\b",
        rf"\b{_THING} (?:\w+\.? ){{0,6}}?(?:ja consta|consta (?:no sistema|na agenda))\b|^esta na agenda\b",
        rf"\b(?:sua|minha|a|nova) (?:nova )?consulta (?:\w+ ){{0,3}}?{one_of('e', 'sera', 'acontece', 'ocorre')}"
        rf"(?: \w+){{0,2}} {_MOMENT}|^(?:e )?sua (?:\w+ )?consulta (?:\w+ ){{1,4}}?{_MOMENT}",
        rf"\b{_MOMENT}(?:-feira)?(?: \w+){{0,2}} {_IS} {_ADVERBS}{PARTICIPLE}\b",
        rf"\b{_MOMENT}\b.* e (?:\w+ )?(?:seu|sua)$|\bcombinad[oa]\b.* {_MOMENT}",
        # "confirmado!", "está feito", "ficou com você", "mudei para sábado"
        rf"(?:^|\b(?:voce|ela|ele|tudo) (?:\w+ )?){_IS} {_ADVERBS}{PARTICIPLE}\b",
        rf"^{_LEAD}{one_of(PARTICIPLE, _VISIT_PARTICIPLE)}(?: (?:para|com|na|no|em|de|as)\b.*)?\W*$"
        r"(?<!combinado)(?<!combinada)",
        r"\besta tudo (?:combinad|acertad|resolvid|confirmad|encaminhad|arranjad)[oa]\b|^(?:com )?sucesso$",
        rf"\bdeixei {_ADVERBS}{PARTICIPLE}\b|\b(?:preenchid|ocupad|tomad)[oa] por voce\b",
        r"\b(?:ficou|fica) (?:para (?:voce|\w+ ?\w*feira|sabado|domingo|o dia)|com (?:voce|[oa] dra?\b)|em seu nome)",
        rf"\b(?:troquei|mudei|passei|transferi|optei|fui) (?:\w+ ){{0,2}}?(?:para|por|pelo|pela) (?:\w+ )?{_MOMENT}",
    )
)
"""That something was written."""

_SHOWING = (
    r"(?:encontr|ach|localiz|verific|verifiqu|consult|mostr|destaqu|indiqu|list|apresent|suger|busqu|procur|cheg|olh"
    r"|selecion|compar|identifiqu|repet|visualiz|entend|receb)\w*|li|vi|sei|foi|aqui|ali|oi|ai|hei"
)
DONE_TO_ONE = re.compile(
    rf"\b(?!(?:{_SHOWING})\b)\w+(?:ei|i)\b (?:\w+ )?n?(?:[oa]|[oa] sua|[oa] seu|sua|seu|ess[ea])"
    r" (?:\w+ )?(?:consulta|marcacao|agendamento|reserva|vaga)\b"
)
"""Whatever else was done to one visit, but for looking at it and showing it."""

KIND_OF_MOVE = rf"(?:{MOVES})|\b(?:mud|troc|troqu|transfer|adi|antecip|pass)(?:ei|ou|i|ad[oa]|id[oa])\b"
KIND_OF_CANCELLATION = f"(?:{_CANCELS})"
KIND_OF_BOOKING = rf"(?:{BOOKS})(?:ei|ou|aram|amos|ad[oa]s?|ar)\b"
OF_A_VISIT = re.compile(_VISIT_AR)
