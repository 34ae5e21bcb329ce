"""How people point at something that was just shown."""

ORDINALS: dict[str, int] = {
    "primeiro": 1, "primeira": 1, "segundo": 2, "segunda": 2, "terceiro": 3, "terceira": 3, "quarto": 4, "quarta": 4,
    "quinto": 5, "quinta": 5, "sexto": 6, "sexta": 6, "setimo": 7, "setima": 7, "oitavo": 8, "oitava": 8, "nono": 9,
    "nona": 9, "decimo": 10, "decima": 10,
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10,
}  # fmt: skip
"""Ordinal words; the feminine ones from "segunda" to "sexta" are weekdays unless a noun follows."""

CARDINALS: dict[str, int] = {
    "um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8,
    "nove": 9, "dez": 10, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
}  # fmt: skip
"""Numbers that can name an option."""

NOUNS = "(opcao|opcoes|numero|num|alternativa|vaga|linha|item|option|number|no|slot|choice|line|#)"
"""What a number of the list is called, as a phrase alternative."""

EARLIEST: tuple[str, ...] = (
    "mais cedo", "mais proxim*", "mais perto", "mais rapid*", "o quanto antes", "quanto antes", "assim que (possivel|der)",
    "o mais breve", "mais breve", "primeir* (horario*|vaga*|data|disponivel|que tiver|que tem|livre)", "primeiro que (tiver|aparecer)",
    "urgente", "urgencia", "com urgencia", "logo", "earliest", "soonest", "nearest", "closest", "asap", "as soon as possible",
    "next available", "first available", "first opening", "urgent*", "as early as possible", "sooner",
)  # fmt: skip
"""Wanting the earliest."""

LATEST: tuple[str, ...] = (
    "o ultimo", "a ultima", "ultimo horario", "ultima opcao", "ultima vaga", "mais tarde possivel", "mais longe", "the last",
    "last one", "last option", "latest", "last slot",
)  # fmt: skip
"""Wanting the last."""

THIS: tuple[str, ...] = (
    "esse", "essa", "este", "esta", "esse mesmo", "essa mesmo", "esse ai", "essa ai", "esse horario", "essa opcao", "essa vaga",
    "esse dia", "this one", "that one", "that", "this", "it", "that time", "this time", "that slot", "nesse", "nessa",
)  # fmt: skip
"""Pointing at the only thing there is."""

CHOOSING: tuple[str, ...] = (
    "quero", "pode ser", "prefiro", "fico com", "vou (querer|de|com|ficar)", "escolh*", "me ve", "pego", "marc*", "agend*",
    "reserv*", "confirm*", "serve", "topo", "aceito", "fechado", "melhor", "gostaria", "i will (take|have|go|choose)", "i want",
    "i would (like|prefer|rather)", "give me", "let it be", "let us (do|go|take)", "book*", "schedul*", "take", "prefer",
    "choose", "works", "sounds good", "can i (have|get|take)", "i choose", "pick", "entao", "o das", "a das", "o do dia", "the one",
    "the",
)  # fmt: skip
"""Taking something, as opposed to asking about it."""

SAME_TIME: tuple[str, ...] = (
    "mesm* (hora|horario)", "same (time|hour)", "mesmo horario", "no mesmo horario",
)  # fmt: skip
"""Keeping the time of day of an appointment that is moved."""

ALL: tuple[str, ...] = (
    "tod*", "tudo", "ambas", "ambos", "as duas", "os dois", "all", "both", "everything",
)  # fmt: skip
"""Meaning every one of several."""
