"""The two languages in which people are understood and answered."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """A language of the conversation; the value is its ISO 639-1 code."""

    PT = "pt"
    EN = "en"
