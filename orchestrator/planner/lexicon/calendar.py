"""The words of the calendar and the clock, Portuguese and English, each with the symbol the time grammar reads.

Symbols (upper case, so that they never collide with folded text):
    WD0..WD6 weekday from Monday; MON1..MON12 month; REL0 REL1 REL2 RELm1 days from today;
    POD... part of the day; NOON MIDNIGHT; NEXT THIS AFTERNEXT; UDAY UWEEK UMONTH UYEAR UHOUR UMIN UBIZ units;
    AM PM; HALF QUARTER; SKIP something that only looks like a time ("bom dia").
"""

PORTUGUESE: dict[str, tuple[str, ...]] = {
    "SKIP": (
        "bom dia", "boa tarde", "boa noite", "mais tarde", "mais cedo", "tarde demais", "muito tarde", "meio periodo",
        "o dia todo", "no mesmo dia", "mesmo dia", "todo dia", "todos os dias", "dia a dia", "outro dia",
        "segunda opcao", "quarta opcao", "quinta opcao", "sexta opcao", "segunda vaga", "quarta vaga", "quinta vaga",
        "sexta vaga", "segunda alternativa", "quarta alternativa", "segunda linha", "quarta linha",
    ),
    "WD0": ("segunda feira", "segunda", "segundas", "seg", "2a feira", "2 feira"),
    "WD1": ("terca feira", "terca", "tercas", "ter.", "3a feira", "3 feira"),
    "WD2": ("quarta feira", "quarta", "quartas", "qua", "4a feira", "4 feira"),
    "WD3": ("quinta feira", "quinta", "quintas", "qui", "5a feira", "5 feira"),
    "WD4": ("sexta feira", "sexta", "sextas", "sex", "6a feira", "6 feira"),
    "WD5": ("sabado", "sabados", "sab"),
    "WD6": ("domingo", "domingos", "dom"),
    "MON1": ("janeiro", "jan"),
    "MON2": ("fevereiro", "fev"),
    "MON3": ("marco", "mar"),
    "MON4": ("abril", "abr"),
    "MON5": ("maio", "mai"),
    "MON6": ("junho", "jun"),
    "MON7": ("julho", "jul"),
    "MON8": ("agosto", "ago"),
    "MON9": ("setembro", "set"),
    "MON10": ("outubro", "out"),
    "MON11": ("novembro", "nov"),
    "MON12": ("dezembro",),
    "REL0": ("hoje", "o dia de hoje", "neste momento"),
    "REL1": ("amanha", "proximo dia", "dia seguinte", "no dia seguinte"),
    "REL2": ("depois de amanha", "dia depois de amanha", "depois d amanha"),
    "RELm1": ("ontem",),
    "RELm2": ("anteontem", "antes de ontem"),
    "PODdawn": ("madrugada",),
    "PODmorning": ("manha", "manhazinha", "parte da manha", "periodo da manha", "turno da manha"),
    "PODearly": ("cedo", "manha cedo", "cedinho", "bem cedo", "primeira hora", "comeco da manha", "inicio da manha"),
    "PODlunch": ("almoco", "hora do almoco", "horario de almoco", "horario do almoco"),
    "PODafternoon": ("tarde", "tardinha", "parte da tarde", "periodo da tarde", "turno da tarde"),
    "PODlate": ("fim da tarde", "final da tarde", "fim de tarde", "final de tarde", "finalzinho da tarde"),
    "PODnight": ("noite", "noitinha", "parte da noite", "periodo da noite"),
    "NOON": ("meio dia",),
    "MIDNIGHT": ("meia noite",),
    "NEXT": ("proximo", "proxima", "proximos", "proximas", "que vem", "seguinte", "q vem"),
    "AFTERNEXT": ("retrasada que vem", "que vem sem ser essa", "depois da que vem"),
    "THIS": (
        "este", "esta", "esse", "essa", "neste", "nesta", "nesse", "nessa", "deste", "desta", "desse", "dessa",
        "agora", "que entra",
    ),
    "UDAY": ("dia", "dias"),
    "UBIZ": ("dias uteis", "dia util"),
    "UWEEK": ("semana", "semanas"),
    "UMONTH": ("mes", "meses"),
    "UYEAR": ("ano", "anos"),
    "UHOUR": ("hora", "horas", "h"),
    "UMIN": ("minuto", "minutos"),
    "AM": ("am", "a.m.", "a.m", "a . m ."),
    "PM": ("pm", "p.m.", "p.m", "p . m ."),
    "HALF": ("meia",),
    "QUARTER": ("um quarto",),
}
"""Portuguese words and phrases of each symbol."""

ENGLISH: dict[str, tuple[str, ...]] = {
    "SKIP": (
        "good morning", "good afternoon", "good evening", "good night", "good day", "nice day", "every day",
        "one day", "day to day", "the other day", "some day", "same day", "all day", "what time", "any time",
        "this time", "next time", "right now", "first time", "second time", "the sun",
    ),
    "WD0": ("monday", "mondays", "mon"),
    "WD1": ("tuesday", "tuesdays", "tue", "tues"),
    "WD2": ("wednesday", "wednesdays", "wed"),
    "WD3": ("thursday", "thursdays", "thu", "thur", "thurs"),
    "WD4": ("friday", "fridays", "fri"),
    "WD5": ("saturday", "saturdays", "sat"),
    "WD6": ("sunday", "sundays", "sun"),
    "MON1": ("january", "jan"),
    "MON2": ("february", "feb"),
    "MON3": ("march", "mar"),
    "MON4": ("april", "apr"),
    "MON5": ("may",),
    "MON6": ("june", "jun"),
    "MON7": ("july", "jul"),
    "MON8": ("august", "aug"),
    "MON9": ("september", "sep", "sept"),
    "MON10": ("october", "oct"),
    "MON11": ("november", "nov"),
    "MON12": ("december", "dec"),
    "REL0": ("today",),
    "REL1": ("tomorrow", "next day", "the following day", "the next day"),
    "REL2": ("day after tomorrow", "the day after tomorrow", "overmorrow"),
    "RELm1": ("yesterday",),
    "RELm2": ("day before yesterday",),
    "PODdawn": ("dawn",),
    "PODmorning": ("morning", "mornings", "forenoon"),
    "PODearly": ("early morning", "early in the morning", "first thing in the morning", "first thing"),
    "PODlunch": ("lunch", "lunchtime", "lunch time", "midday"),
    "PODafternoon": ("afternoon", "afternoons", "mid afternoon", "midafternoon"),
    "PODlate": ("late afternoon", "late in the afternoon", "end of the afternoon"),
    "PODnight": ("evening", "evenings", "night", "late evening"),
    "REL0 PODnight": ("tonight",),
    "NOON": ("noon", "noonish", "noontime"),
    "MIDNIGHT": ("midnight",),
    "NEXT": ("next", "following", "coming", "upcoming"),
    "THIS": ("this", "the current"),
    "UDAY": ("day", "days"),
    "UBIZ": ("business days", "business day", "working days", "working day"),
    "UWEEK": ("week", "weeks"),
    "UFORTNIGHT": ("fortnight", "fortnights"),
    "UMONTH": ("month", "months"),
    "UYEAR": ("year", "years"),
    "UHOUR": ("hour", "hours", "o'clock", "oclock"),
    "UMIN": ("minute", "minutes"),
    "AM": ("am", "a.m.", "a.m", "a . m ."),
    "PM": ("pm", "p.m.", "p.m", "p . m ."),
    "HALF": ("half",),
    "QUARTER": ("quarter", "a quarter"),
}
"""English words and phrases of each symbol."""

PORTUGUESE_NUMBERS: dict[str, int] = {
    "um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8,
    "nove": 9, "dez": 10, "onze": 11, "doze": 12, "treze": 13, "catorze": 14, "quatorze": 14, "quinze": 15,
    "dezesseis": 16, "dezasseis": 16, "dezessete": 17, "dezoito": 18, "dezenove": 19, "vinte": 20, "trinta": 30,
    "quarenta": 40, "cinquenta": 50,
}
"""Portuguese number words up to the minutes of an hour."""

ENGLISH_NUMBERS: dict[str, int] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}
"""English number words up to the minutes of an hour."""

PORTUGUESE_ORDINALS: dict[str, int] = {"primeiro": 1, "primeira": 1}
"""The only ordinals of a Brazilian date; "segunda" to "sexta" are weekdays."""

ENGLISH_ORDINALS: dict[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
    "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}
"""English ordinals of the days of a month; "twenty first" is composed."""

ONLY_IN_ITS_LANGUAGE = frozenset({
    "set", "out", "mar", "sat", "sun", "may", "march", "ter.", "dom", "segunda", "second", "first", "um", "uma",
    "am", "tarde", "manha", "este", "esta", "esse", "essa", "meia", "seg", "ten", "one",
})  # fmt: skip
"""Words of one language that mean something else in a sentence of the other."""
