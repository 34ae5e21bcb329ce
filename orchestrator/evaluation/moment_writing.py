"""The usual ways of writing a day and a time, to see whether a reply states them.

It recognises writings of a moment that is known; it reads no moment out of a text.
"""

from __future__ import annotations

import re
from datetime import date, time
from functools import cache

from orchestrator.evaluation.suite import SlotName

_MONTHS = (
    ("janeiro", "january"),
    ("fevereiro", "february"),
    ("marco", "march"),
    ("abril", "april"),
    ("maio", "may"),
    ("junho", "june"),
    ("julho", "july"),
    ("agosto", "august"),
    ("setembro", "september"),
    ("outubro", "october"),
    ("novembro", "november"),
    ("dezembro", "december"),
)


def tells_moment(folded_text: str, slot: SlotName) -> bool:
    """Return whether a text states the day and the time of a slot.

    Args:
        folded_text: The text in lower case without accents.
        slot: The slot.
    """
    day, at = _day(slot.date), _time(slot.time)
    return day.search(folded_text) is not None and at.search(folded_text) is not None


@cache
def _day(iso: str) -> re.Pattern[str]:
    day = date.fromisoformat(iso)
    portuguese, english = _MONTHS[day.month - 1]
    number, month = f"0?{day.day}", f"(?:{english}|{english[:3]})"
    writings = (
        iso,
        rf"{number}/0?{day.month}",
        rf"{number}o? de {portuguese}",
        rf"{month}\.? {number}(?:st|nd|rd|th)?",
        rf"{number}(?:st|nd|rd|th)?(?: of)? {month}",
    )
    return _any_of(writings)


@cache
def _time(iso: str) -> re.Pattern[str]:
    at = time.fromisoformat(iso)
    minutes, half, twelve = f"{at:%M}", "am" if at.hour < 12 else "pm", (at.hour - 1) % 12 + 1
    hour, no_minutes = f"0?{at.hour}", "" if at.minute else "?"
    spoken_half = rf"{half[0]}\.?m\b"
    writings = (
        rf"{hour}:{minutes}",
        rf"{hour} ?h(?:{minutes}){no_minutes}",
        rf"0?{twelve}(?::{minutes}){no_minutes} ?{spoken_half}",
    )
    return _any_of(writings)


def _any_of(writings: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\d/:-])(?:{'|'.join(writings)})(?![\d:])")
