"""The two languages in which people are understood and answered."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """A language of the conversation; the value is its ISO 639-1 code."""

    PT = "pt"
    EN = "en"

    @property
    def english_name(self) -> str:
        """What the language is called in a prompt to a language model."""
        return "Brazilian Portuguese" if self is Language.PT else "English"


def language_of_locale(environ: Mapping[str, str]) -> Language:
    """Return the language in which a command speaks to whom nothing was heard of yet.

    Args:
        environ: The process's environment. As POSIX has it, the first of LC_ALL, LC_MESSAGES and LANG that is set
            counts; what is no Portuguese locale, "C" among them, is English.
    """
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environ.get(name))), "")
    return Language.PT if locale.lower().startswith("pt") else Language.EN
