"""What looks like a day or an hour and is none: lengths of time, ages, births, streets, blood pressure, addresses."""

from __future__ import annotations

import re

from orchestrator.planner.calendar.count_grammar import COUNTS

_MANY = r"(?:about |around |the |over |mais de |menos de |cerca de |quase |uns |umas |LAST )*"
_LASTS = r"\b(?:ha|faz(?:em)?|durante|por|for|a cada|cada|every|tenho|tem|com|last|past)"
_COUNTS_ON = "(?:from|after|hence|later|depois|before|antes|a partir)"
_DATE = (
    r"(?:\d{1,2}(?:[/.-]| de | )(?:MON)?\d{1,2}|MON\d{1,2} [#~]?\d{1,2}|[#~]?\d{1,2} of MON\d{1,2})"
    r"(?:(?:[/.-]| de |,? )\d{2,4}(?!\d))?"
)
_LOOKALIKES = re.compile(
    r"SKIP"
    r"|\S*(?:://|www\.|\w@\w|\w=\w)\S*"
    rf"|{_LASTS} {_MANY}{COUNTS}(?! {_COUNTS_ON})"
    rf"|{COUNTS} (?:ago|atras|old|de idade)\b"
    r"|\bde \d+ (?:em|UHOUR a cada) \d+ U[A-Z]+"
    rf"|\b(?:nasc\w+|nascimento|born|birthday|aniversario)(?: (?:em|no|e|is|dia|on|UDAY|de|:))*:? ?{_DATE}"
    rf"|\b(?:rua|avenida|av|alameda|praca|travessa|viaduto|largo)\b\.? (?:d[aeo]s? )?{_DATE}"
    r"|[#~]\d+ (?:street|st|avenue|ave|floor|andar)\b"
    r"|\b(?:pressao|pa|bp|blood pressure)\b[^.!?;,]{0,15}?\d{1,3} ?(?:/|por|x|over) ?\d{1,3}"
)


def lookalikes(symbols: str) -> list[tuple[int, int]]:
    """Return the parts of rewritten text that no grammar may read."""
    return [match.span() for match in _LOOKALIKES.finditer(symbols)]
