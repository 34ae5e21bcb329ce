"""Finds and hides what identifies a person in running text: CPF, phone, e-mail and the speaker's own name.

It is the only place that knows these forms: screen, history, logs, transcripts and the verifier all use it. It does not
judge whether a value may be shown, and it leaves alone what identifies nobody: dates, times, prices, patient ids such
as CARD-001, emergency numbers, and a single word of a name (a first name alone may be a doctor's, or a plain word).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from orchestrator.identity import Identity


class PersonalKind(StrEnum):
    """What a piece of text is; the value is its placeholder, the same in every language."""

    EMAIL = "[EMAIL]"
    CPF = "[CPF]"
    PHONE = "[TEL]"
    NAME = "[NAME]"


@dataclass(frozen=True, slots=True)
class PersonalText:
    """A place in a text that identifies a person.

    Attributes:
        kind: What it is.
        start: Offset of its first character.
        end: Offset after its last character.
        digits: Its digits as ASCII, without separators, for comparing numbers; empty for a name.
    """

    kind: PersonalKind
    start: int
    end: int
    digits: str = field(repr=False)


# A CPF is eleven digits grouped 3-3-3-2; people leave out or vary the separators, and some type
# it digit by digit. Only digits are looked for around it: "cpf12345678900" must be found too.
_CPF = r"(?<!\d)(?:\d{3}S\d{3}S\d{3}S\d{2}|\d(?: \d){10})(?!\d)".replace("S", r"[\s./-]{0,3}")

# Brazilian numbers (Anatel's plan): no area code holds a zero, mobiles begin with 9, landlines with 2 to 5. Eight bare
# digits are left alone because 20250718 is a date; so is a pair of years such as 2024-2025.
_AREA = r"(?:\(\s?0?[1-9][1-9]\s?\)|0?[1-9][1-9])"
_PHONE = "|".join(
    (
        rf"(?<![\d+])(?:\+?55[\s.-]{{0,2}})?{_AREA}[\s.-]{{0,3}}(?:9[\s.-]?)?[2-9]\d{{3}}[\s.-]?\d{{4}}(?!\d)",
        r"(?<!\d)9[\s.-]?\d{4}[\s.-]?\d{4}(?!\d)",
        r"(?<![\d-])(?!(?:19|20)\d\d-(?:19|20)\d\d)[2-5]\d{3}-\d{4}(?![\d-])",
        r"(?<!\d)0[3589]00[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)",
        r"\+\d(?:[\s().-]{0,2}\d){7,14}",
    )
)

# Beginning only where no address could go on keeps the search linear in a long word.
_EMAIL = r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"


class Redactor:
    """Replaces what identifies a person by placeholders.

    Args:
        identity: Whose name is hidden too; None hides no name.
    """

    def __init__(self, identity: Identity | None = None) -> None:
        self._pattern = re.compile(_alternatives(identity))

    def redact(self, text: str) -> str:
        """Return `text` with each CPF, phone, e-mail and the speaker's name replaced by its placeholder."""
        parts: list[str] = []
        end = 0
        for found in self.find(text):
            parts += (text[end : found.start], found.kind.value)
            end = found.end
        return "".join((*parts, text[end:]))

    def find(self, text: str) -> Iterator[PersonalText]:
        """Yield what identifies a person, from left to right and without overlaps."""
        folded, origins = _fold(text)
        for match in self._pattern.finditer(folded):
            kind = PersonalKind[str(match.lastgroup)]
            digits = "" if kind is PersonalKind.NAME else re.sub(r"\D", "", match[0])
            yield PersonalText(kind, origins[match.start()], origins[match.end() - 1] + 1, digits)


def _alternatives(identity: Identity | None) -> str:
    kinds = {PersonalKind.EMAIL: _EMAIL, PersonalKind.CPF: _CPF, PersonalKind.PHONE: _PHONE}
    if identity is not None:
        kinds[PersonalKind.NAME] = _name_pattern(identity.name)
    return "|".join(f"(?P<{kind.name}>{pattern})" for kind, pattern in kinds.items())


def _name_pattern(name: str) -> str:
    """Return a pattern for two or more words of a name in their order, whatever lies left out between them."""
    words = [re.escape(word) for word in _fold(name)[0].split()]
    tails = [rf"{word}(?:\s+(?:{'|'.join(words[position + 1 :])}))+" for position, word in enumerate(words[:-1])]
    return rf"(?<!\w)(?:{'|'.join(tails or words)})(?!\w)"


def _fold(text: str) -> tuple[str, list[int]]:
    """Return the text in lower case with plain letters, digits and spaces, and where each character came from.

    Full-width and other digits become ASCII; accents and invisible characters, which could hide a number, vanish.
    """
    if text.isascii():
        return text.lower(), list(range(len(text)))
    folded: list[str] = []
    origins: list[int] = []
    for origin, character in enumerate(text):
        plain = character if character.isascii() else _plain(character)
        folded.append(plain.lower())
        origins += [origin] * len(folded[-1])
    return "".join(folded), origins


def _plain(character: str) -> str:
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    if unicodedata.category(character) == "Pd":
        return "-"
    decomposed = unicodedata.normalize("NFKD", character)
    return "".join(part for part in decomposed if unicodedata.category(part) not in {"Mn", "Cf"})
