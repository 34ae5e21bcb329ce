"""What looks like a day or an hour and is none: lengths of time, ages, births, streets, addresses, blood pressure."""

from __future__ import annotations

import re

from orchestrator.planner.calendar.count_grammar import COUNTS

_MANY = r"(?:about |around |the |over |mais de |menos de |cerca de |quase |uns |umas |LAST )*"
_LASTS = r"\b(?:ha|faz(?:em)?|durante|por|for|a cada|cada|every|tenho|tem|com|last|past)"
_COUNTS_ON = "(?:from|after|hence|later|depois|before|antes|a partir)"
_NUMBERED_DATE = r"(?:\d{1,2}(?:[/.-]| de | )(?:MON)?\d{1,2}|MON\d{1,2} [#~]?\d{1,2}|[#~]?\d{1,2} of MON\d{1,2})"
_DATE = rf"{_NUMBERED_DATE}(?:(?:[/.-]| de |,? )\d{{2,4}}(?!\d))?"
_START = rf"(?:WD\d|RELm?\d|{_NUMBERED_DATE}|U(?:DAY \d+|WEEK|MONTH)(?: LAST)?|POD[a-z]+|MON\d+)"
_LOOKALIKES = (
    # what the lexicon says, as "bom dia"
    r"SKIP",
    # addresses of the internet
    r"(?<!\S)\S*(?:://|www\.|\w@\w|\w=\w)\S*",
    # "há duas semanas", "for three days"
    rf"{_LASTS} {_MANY}{COUNTS}(?! {_COUNTS_ON})",
    # "two weeks ago", "10 years old"
    rf"{COUNTS} (?:ago|atras|old|de idade)\b",
    # "desde segunda": since when something hurts
    rf"\b(?:since|desde) (?:the |[oa] )?(?:LAST )?{_START}",
    # "open 24/7"
    r"\b(?:open|abert\w*|atend\w*|funcion\w*)\b[^.!?;]{0,15}?\b24/7\b",
    # "de 8 em 8 horas"
    r"\bde \d+ (?:em|UHOUR a cada) \d+ U[A-Z]+",
    # "nasci em 12/03/1980"
    rf"\b(?:nasc\w+|nascimento|born|birthday|aniversario)(?: (?:em|no|e|is|dia|on|UDAY|de|:))*:? ?{_DATE}",
    # "rua 25 de março", "5th avenue"
    rf"\b(?:rua|avenida|av|alameda|praca|travessa|viaduto|largo|bairro|estacao|metro)\b\.? (?:d[aeo]s? )?{_DATE}",
    r"[#~]\d+ (?:street|st|avenue|ave|floor|andar)\b",
    # telephone numbers
    r"\b(?:telefone|celular|fone|tel|zap|whats\w*|phone|mobile|call me)\b[^.!?\d]{0,15}[\d(][\d() -]{6,}",
    # "pressão 12/8"
    r"\b(?:pressao|pa|bp|blood pressure)\b[^.!?;,]{0,15}?\d{1,3} ?(?:/|por|x|over) ?\d{1,3}",
)
_ANY = re.compile("|".join(_LOOKALIKES))


def lookalikes(symbols: str) -> list[tuple[int, int]]:
    """Return the parts of rewritten text that no grammar may read."""
    return [match.span() for match in _ANY.finditer(symbols)]
