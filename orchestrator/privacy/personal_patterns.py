"""Patterns of numbers, codes and addresses that identify a person, over a folded text.

A labelled one stands behind a word that says what it is, and is the group named after its kind.
"""

from mesh.text_folding import fold
from orchestrator.texts import texts_in
from orchestrator.turn import Language

_MONTHS = "|".join(map(fold, texts_in(Language.PT).lines("names.months")))

# A CPF is eleven digits grouped 3-3-3-2; people leave out or vary the separators, and some type
# it digit by digit. Only digits are looked for around it: "cpf12345678900" must be found too.
GAP = r"(?:[\s./-]{0,3}|,)"
CPF = r"(?=\d)(?<!\d)(?:\d{3}S\d{3}S\d{3}S\d{2}|\d(?:[\s./-]\d){10})(?!\d)".replace("S", GAP)

# Brazilian numbers (Anatel's plan): no area code holds a zero, mobiles begin with 9, landlines with 2 to 5. Eight bare
# digits are left alone because 20250718 is a date; so is a pair of years such as 2024-2025.
_AREA = r"(?:\(\s?0?[1-9][1-9]\s?\)|0?[1-9][1-9])"
ABROAD = rf"\+\d(?:[\s().-]{{0,2}}(?!{CPF})\d){{7,14}}(?!\d)"
PHONE = r"(?=[\d+(])(?:{})".format(
    "|".join(
        (
            rf"(?<![\d+])(?:\+?55[\s.-]{{0,2}})?{_AREA}[\s.-]{{0,3}}(?:9[\s.-]?\d{{4}}|[2-9]\d{{3}})[\s.-]?\d{{4}}(?!\d)",
            r"(?<!\d)9[\s.-]?\d{4}[\s.-]?\d{4}(?!\d)",
            r"(?<![\d-])(?!(?:19|20)\d\d-(?:19|20)\d\d)[2-5]\d{3}-\d{4}(?![\d-])",
            r"(?<!\d)(?!0800 722 6001)0[3589]00[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)",  # Brazil's poison line is nobody's
            r"(?<![\d.,-])(?:\(\d{3}\)\s?|\d{3}[.-])\d{3}-\d{4}(?![\d-])",  # as the USA write them
            ABROAD,
        )
    )
)

# Beginning only where no address could go on keeps the search linear in a long word.
EMAIL = r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"

# Forms that nothing else has: RG 12.345.678-9, CNS 898 0012 3456 7890, and the social security number of the USA.
DOCUMENT = (
    r"(?=\d)(?<![\d.,-])(?:\d{1,2}\.\d{3}\.\d{3}-[\dx](?!\w)"
    r"|[12789]\d{2}[\s.]?\d{4}[\s.]?\d{4}[\s.]?\d{4}(?!\d)|\d{3}-\d{2}-\d{4}(?![\d-]))"
)

_MONTH = rf"(?:{_MONTHS}|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\.?"
_DAY = r"\d{1,2}(?:o|st|nd|rd|th)?"
_DATE = (
    r"\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d\d)(?!\d)|\d{4}-\d\d-\d\d"
    rf"|{_DAY}\s(?:(?:de|of)\s)?{_MONTH}(?:\s(?:de|of)|,)?\s\d{{4}}|{_MONTH}\s{_DAY},?\s\d{{4}}"
)
_UP_TO = r"[^\d\n]{0,30}?(?<!\w)"
_NO_PREFIX = "is|no|of|de|do|da|em|eh|my|rg|id"

LABELLED = "|".join(
    (
        (
            r"\b(?:rg|identidade|identity|id|cnh|habilitacao|licen[cs]e|titulo|voter|[pn]is|pasep|nit|carteirinha|carteira"
            rf"|card|sus|cns|ssn|passa?port\w?|matricula)\b{_UP_TO}(?!{_DATE})"
            rf"(?P<DOCUMENT>(?:[a-z]{{1,2}}-?|(?!{_NO_PREFIX})[a-z]{{2}}\s)?\d(?:[\s.-]?\d){{5,16}}(?:-?x)?(?!\w))"
        ),
        rf"\b(?:nasc\w*|dn|dob|born|birth\w*|aniversario)\b{_UP_TO}(?P<BIRTH>{_DATE})",
        r"\b(?P<PLATE>[a-z]{3}(?:-?|\s(?!(?:19|20)\d\d))\d[a-z\d]\d\d)\b",
        rf"\b(?:zip|cep|postcode|postal)\b{_UP_TO}(?P<ADDRESS>\d{{5}}(?:-?\d{{3}})?)\b",
    )
)

# Words that follow "na rua" in a sentence and are in no street's name, words that no name ends with, and what stands
# behind a number that is a moment or counts something.
_NO_STREET = "a|ao|as|ate|com|desde|dia|em|faz|ha|hoje|ontem|amanha|na|nas|no|nos|onde|para|por|pra|que|quando|tem|ter"
_NO_LAST = r"d[aeo]s?|e|cerca|perto|quase"
_MOMENT = rf"[:h]\d|\s?(?:h|horas?|da (?:manha|tarde|noite)|de (?:{_MONTHS}))\b|/[01]?\d(?!\d)|-\d\d-"
_COUNTED = r"\s?(?:min|minutos?|dias?|semanas?|mes|meses|anos?|vezes|pessoas?|filhos?|km|metros?|reais)\b"
_STREET = r"(?<!\w)(?:rua|r\.|avenida|av\.?|travessa|alameda|praca|rodovia|estrada)"
_STREET_WORD = rf"(?!(?:{_NO_STREET})\b)\w+(?:['’-]\w+)*\.?"
_LAST_WORD = rf"(?!(?:{_NO_LAST})\b){_STREET_WORD}"
_NUMBER = rf"(?:n(?:o|umero|°)?\.?~?)?(?:\d\d?\.\d{{3}}|\d{{1,5}})(?!\d|[.,]\d|{_MOMENT})"
_PART = (
    r"(?:,~?|~(?:-~)?)(?:fundos\b"
    r"|(?:apto?\.?|apartamento|bloco|bl\.|casa|conjunto|conj\.?|cj\.?|lote|sala|suite|unit|block|floor)(?:~\w+|\d+))"
)

_NO_ROAD = (
    "an?|at|by|days?|down|from|in|my|of|off|on|that|the|this|to|up|was|your"
    "|blocks?|minutes?|hours?|weeks?|months?|years?|miles?"
)
_ROAD = "(?:street|avenue|ave|road|lane|boulevard|blvd)"
_ROAD_WORD = rf"(?!(?:{_NO_ROAD})\b)[^\W\d]\w*\.?"

# Streets with their number, the blocks of Brasília, postal codes (CEP), and streets as English has them; ~ is a gap.
# A street without a number is left alone: nobody is found by it.
ADDRESS = r"(?=[ratpeqsc\d])(?:{})".format(
    "|".join(
        (
            (
                rf"{_STREET}~(?:{_STREET_WORD}~){{0,5}}?{_LAST_WORD}"
                rf"(?:,~?(?:{_NUMBER}|s/n\b)|~(?:{_NUMBER}(?!{_COUNTED})|s/n\b))(?:{_PART})*"
            ),
            rf"(?<!\w)(?:quadra|qd\.?|sq[ns]|cl[ns])~\d{{1,4}}(?:{_PART})+",
            r"(?<![\d.,-])\d\d\.?\d{3}-\d{3}(?![\d-])|(?<!\w)cep:?~?\d{8}(?!\d)",
            rf"(?<![\d.,:/-])\d{{1,5}}[a-z]?~{_ROAD_WORD}(?:~{_ROAD_WORD}){{0,2}}~{_ROAD}\b(?:{_PART})*",
        )
    )
).replace("~", r"(?:[^\S\n]{1,3})")
