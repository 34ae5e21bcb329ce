"""How days, times, numbers and specialties are written in each language.

Weekday and full date always stand together, so that a person can check one against the other. Sentences are not made
here; they are in the catalogue.
"""

from __future__ import annotations

from collections.abc import Container
from datetime import date, time

from orchestrator.texts import texts_in
from orchestrator.turn import Language


def weekday(day_of_week: int, language: Language) -> str:
    """Return a weekday's name; 0 is Monday."""
    return texts_in(language).weekday(day_of_week)


def plain_date(day: date, language: Language) -> str:
    """Return a date without its weekday: 18/07/2025, or July 18, 2025."""
    match language:
        case Language.PT:
            return f"{day.day:02}/{day.month:02}/{day.year}"
        case Language.EN:
            return f"{texts_in(language).month(day)} {day.day}, {day.year}"


def long_date(day: date, language: Language) -> str:
    """Return a date with its weekday: sexta-feira, 18/07/2025, or Friday, July 18, 2025."""
    return f"{weekday(day.weekday(), language)}, {plain_date(day, language)}"


def clock_time(at: time) -> str:
    """Return a time of day as HH:MM, in both languages."""
    return f"{at.hour:02}:{at.minute:02}"


def moment(day: date, at: time, language: Language) -> str:
    """Return a date and a time: sexta-feira, 18/07/2025, 10:00."""
    return f"{long_date(day, language)}, {clock_time(at)}"


def seconds(elapsed_s: float, language: Language) -> str:
    """Return a duration with one decimal: 2,0 s in Portuguese, 2.0 s in English."""
    return f"{texts_in(language).decimal(elapsed_s)} s"


def specialty(code: str, language: Language) -> str:
    """Return a specialty's name for its code, such as "Cardiology"; a code without a translation names itself."""
    return texts_in(language).specialty(code)


def one_of(words: tuple[str, ...], language: Language) -> str:
    """Return words as a list to choose one from: "a, b ou c"."""
    return listed(words, texts_in(language).text("responder.alternative"))


def telling(known: Container[str], language: Language) -> tuple[str, ...]:
    """Return what still tells an appointment from others; all of it when nothing is missing."""
    parts = texts_in(language).table("responder.missing")
    return tuple(text for name, text in parts.items() if name not in known) or tuple(parts.values())


def listed(words: tuple[str, ...], conjunction: str) -> str:
    """Return words as a list in running text: "a, b e c"."""
    *most, last = words or ("",)
    return f"{', '.join(most)} {conjunction} {last}" if most else last
