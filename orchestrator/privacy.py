"""Find and hide what identifies a person in running text: CPF, phone, e-mail, postal address, the speaker's own name.

Dates, times, prices, patient ids and emergency numbers stay, and so does a single word of a name.
"""

import re
import traceback
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache

from mesh.text_folding import fold
from orchestrator.texts import texts_in
from orchestrator.turn import Identity, Language, mask_of


class PersonalKind(StrEnum):
    """What a piece of text is; the value is its placeholder, the same in every language."""

    EMAIL = "[EMAIL]"
    CPF = "[CPF]"
    PHONE = "[TEL]"
    ADDRESS = "[ADDRESS]"
    NAME = "[NAME]"


@dataclass(frozen=True, slots=True)
class PersonalText:
    """A place in a text that identifies a person."""

    kind: PersonalKind
    start: int  # offset of its first character
    end: int  # offset after its last character
    # its digits as ASCII, without separators, for comparing numbers; empty for a name or an address
    digits: str = field(repr=False)


# A CPF is eleven digits grouped 3-3-3-2; people leave out or vary the separators, and some type
# it digit by digit. Only digits are looked for around it: "cpf12345678900" must be found too.
_GAP = r"(?:[\s./-]{0,3}|,)"
_CPF = r"(?=\d)(?<!\d)(?:\d{3}S\d{3}S\d{3}S\d{2}|\d(?:[\s./-]\d){10})(?!\d)".replace("S", _GAP)

# Brazilian numbers (Anatel's plan): no area code holds a zero, mobiles begin with 9, landlines with 2 to 5. Eight bare
# digits are left alone because 20250718 is a date; so is a pair of years such as 2024-2025.
_AREA = r"(?:\(\s?0?[1-9][1-9]\s?\)|0?[1-9][1-9])"
_ABROAD = rf"\+\d(?:[\s().-]{{0,2}}(?!{_CPF})\d){{7,14}}(?!\d)"
_PHONE = r"(?=[\d+(])(?:{})".format(
    "|".join(
        (
            rf"(?<![\d+])(?:\+?55[\s.-]{{0,2}})?{_AREA}[\s.-]{{0,3}}(?:9[\s.-]?)?[2-9]\d{{3}}[\s.-]?\d{{4}}(?!\d)",
            r"(?<!\d)9[\s.-]?\d{4}[\s.-]?\d{4}(?!\d)",
            r"(?<![\d-])(?!(?:19|20)\d\d-(?:19|20)\d\d)[2-5]\d{3}-\d{4}(?![\d-])",
            r"(?<!\d)(?!0800 722 6001)0[3589]00[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)",  # Brazil's poison line is nobody's
            _ABROAD,
        )
    )
)

# Nine digits grouped as the first nine of a CPF, with the digits that go on from there, so that one with a digit too
# many counts as well; and nine single digits. Dates, times, prices below a hundred millions and phone numbers with
# their usual signs are grouped otherwise.
_CPF_BEGUN = re.compile(
    rf"(?P<abroad>{_ABROAD})"
    r"|(?<!\d)(?:\d{3}S\d{3}S\d{3}(?:S\d+)?|\d(?:[\s./-]\d){8,}(?!\d))".replace("S", _GAP)
)
_CPF_DIGITS = 11

# Beginning only where no address could go on keeps the search linear in a long word.
_EMAIL = r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"

# Words that follow "na rua" in a sentence and are in no street's name, words that no name ends with, and what stands
# behind a number that is a moment or counts something.
_NO_STREET = "a|ao|as|ate|com|desde|dia|em|faz|ha|hoje|ontem|amanha|na|nas|no|nos|onde|para|por|pra|que|quando|tem|ter"
_NO_LAST = r"d[aeo]s?|e|cerca|perto|quase"
_MONTH = "|".join(map(fold, texts_in(Language.PT).lines("names.months")))
_MOMENT = rf"[:h]\d|\s?(?:h|horas?|da (?:manha|tarde|noite)|de (?:{_MONTH}))\b|/[01]?\d(?!\d)|-\d\d-"
_COUNTED = r"\s?(?:min|minutos?|dias?|semanas?|mes|meses|anos?|vezes|pessoas?|filhos?|km|metros?|reais)\b"
_STREET = r"(?<!\w)(?:rua|r\.|avenida|av\.?|travessa|alameda|praca|rodovia|estrada)"
_STREET_WORD = rf"(?!(?:{_NO_STREET})\b)\w+(?:['’-]\w+)*\.?"
_LAST_WORD = rf"(?!(?:{_NO_LAST})\b){_STREET_WORD}"
_NUMBER = rf"(?:n(?:o|umero|°)?\.?~?)?(?:\d\d?\.\d{{3}}|\d{{1,5}})(?!\d|[.,]\d|{_MOMENT})"
_PART = (
    r"(?:,~?|~(?:-~)?)(?:fundos\b"
    r"|(?:apto?\.?|apartamento|bloco|bl\.|casa|conjunto|conj\.?|cj\.|lote|sala|suite|unit)(?:~\w+|\d+))"
)

_NO_ROAD = (
    "an?|at|by|days?|down|from|in|my|of|off|on|that|the|this|to|up|was|your"
    "|blocks?|minutes?|hours?|weeks?|months?|years?|miles?"
)
_ROAD = "(?:street|avenue|ave|road|lane|boulevard|blvd)"
_ROAD_WORD = rf"(?!(?:{_NO_ROAD})\b)[^\W\d]\w*\.?"

# Streets with their number, the blocks of Brasília, postal codes (CEP), and streets as English has them; ~ is a gap.
# A street without a number is left alone: nobody is found by it.
_ADDRESS = r"(?=[ratpeqsc\d])(?:{})".format(
    "|".join(
        (
            (
                rf"{_STREET}~(?:{_STREET_WORD}~){{0,5}}?{_LAST_WORD}"
                rf"(?:,~?(?:{_NUMBER}|s/n\b)|~(?:{_NUMBER}(?!{_COUNTED})|s/n\b))(?:{_PART})*"
            ),
            rf"(?<!\w)(?:quadra|qd\.?|sq[ns]|cl[ns])~\d{{1,4}}(?:{_PART})+",
            r"(?<![\d.,-])\d\d\.?\d{3}-\d{3}(?![\d-])|(?<!\w)cep:?~?\d{8}(?!\d)",
            rf"(?<![\d.,:/-])\d{{1,5}}[a-z]?~{_ROAD_WORD}(?:~{_ROAD_WORD})?~{_ROAD}\b(?:{_PART})*",
        )
    )
).replace("~", r"(?:[^\S\n]{1,3})")

_LETTER = r"[^\W\d_]"
# "ana.souza" and "anasouza" tell the name as well.
_BETWEEN_NAMES = r"[\s._-]*"


class Redactor:
    """A redactor: replace what identifies a person by placeholders.

    Args:
        identity: Whose name is hidden too, and whose CPF with any signs between its digits; None, or an identity of
            nobody, hides no name.
        single_words: Words of the name that are hidden standing alone as well.
        public: Names of doctors and clinics; they stay whole even where they hold words of the speaker's name.
        addresses: Whether postal addresses are looked for.
    """

    def __init__(
        self,
        identity: Identity | None = None,
        single_words: Collection[str] = (),
        public: Collection[str] = (),
        *,
        addresses: bool = True,
    ) -> None:
        numbers = {"EMAIL": _EMAIL, "CPF": _CPF, "PHONE": _PHONE}
        names = {_PUBLIC: _public_pattern(public)} if public else {}
        if identity is not None and identity.cpf:
            numbers["CPF"] = f"{_CPF}|{_own_cpf_pattern(identity.cpf)}"
        if identity is not None and identity.name:
            names["NAME"] = _name_pattern(identity.name, single_words)
        # One after another: a number is found before an address or a name could take a piece of it.
        places = {"ADDRESS": _ADDRESS} if addresses else {}
        self._forms = [forms for forms in (numbers, places, names) if forms]

    @cached_property
    def _passes(self) -> Sequence[re.Pattern[str]]:
        # Compiled for the first text: a terminal has one long before there is anything to hide.
        return [
            re.compile("|".join(f"(?P<{group}>{pattern})" for group, pattern in forms.items())) for forms in self._forms
        ]

    def redact(self, text: str) -> str:
        """Return `text` with each CPF, phone, e-mail, address and the speaker's name replaced by its placeholder."""
        parts: list[str] = []
        end = 0
        for found in self.find(text):
            parts += (text[end : found.start], found.kind.value)
            end = found.end
        return "".join((*parts, text[end:]))

    def find(self, text: str) -> list[PersonalText]:
        """Return the parts that identify a person, from left to right and without overlaps."""
        rest, origins = _fold(text)
        found: list[PersonalText] = []

        def take(match: re.Match[str]) -> str:
            if match.lastgroup == _PUBLIC:
                return match[0]
            kind = PersonalKind[str(match.lastgroup)]
            digits = "" if kind in _WITHOUT_DIGITS else re.sub(r"\D", "", match[0])
            found.append(PersonalText(kind, origins[match.start()], origins[match.end() - 1] + 1, digits))
            return _TAKEN * len(match[0])

        for pattern in self._passes:
            rest = pattern.sub(take, rest)
        return sorted(found, key=lambda piece: piece.start)


def cpfs_begun(text: str) -> list[tuple[int, int]]:
    """Return the places of digits that are a CPF, or may become one: from its ninth digit on.

    For a line on a screen, where hiding too much costs little: any nine bare digits count, be they a telephone number.
    One with the plus sign of its country does not.

    Returns:
        Offsets of the first character of each and after its last, from left to right.
    """
    plain, origins = _fold(text)
    found = (match for match in _CPF_BEGUN.finditer(plain) if match["abroad"] is None)
    return [(origins[match.start()], origins[match.end() - 1] + 1) for match in found]


def mask_cpf(text: str) -> str:
    """Return `text` with each CPF as ***.***.*89-**; a phone number stays, for a person may ask for one."""
    parts: list[str] = []
    end = 0
    for found in _CPFS.find(text):
        if found.kind is PersonalKind.CPF:
            parts += (text[end : found.start], mask_of(found.digits))
            end = found.end
    return "".join((*parts, text[end:]))


def describe_fault(error: BaseException) -> str:
    """Return an error's type and the lines it passed, innermost first; its text may hold personal data."""
    frames = traceback.extract_tb(error.__traceback__)
    place = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {place}"


def may_hold_cpf(text: str) -> bool:
    """Return whether a text has as many digits as a CPF, however they are parted, or holds the beginning of one."""
    return len(re.findall(r"\d", _fold(text)[0])) >= _CPF_DIGITS or bool(cpfs_begun(text))


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name in its order, in lower case and without accents; a hyphen parts words too."""
    return tuple(re.findall(rf"{_LETTER}+", _fold(name)[0]))


def telling_words(name: str) -> tuple[str, ...]:
    """Return the words of a name that tell of a person standing alone: no particles such as "da", no initials."""
    return tuple(word for word in name_words(name) if len(word) > 2 and word not in _PARTICLES)


_PARTICLES = frozenset({"das", "del", "der", "dos", "van", "von"})  # the longer ones: "de" is too short to be telling
_WITHOUT_DIGITS = frozenset({PersonalKind.NAME, PersonalKind.ADDRESS})
_PUBLIC = "PUBLIC"  # the group of a name that stays
_TAKEN = "\0"  # part of no number, word or gap
_CPFS = Redactor(addresses=False)  # numbers are found before addresses, so these are not looked for


def _own_cpf_pattern(cpf: str) -> str:
    digits = r"[\W_]{0,3}".join(re.findall(r"\d", cpf))
    return rf"(?=\d)(?<!\d){digits}(?!\d)"


def _name_pattern(name: str, single_words: Collection[str]) -> str:
    words = [re.escape(word) for word in _fold(name)[0].split()]
    tails = [
        rf"{word}(?:{_BETWEEN_NAMES}(?:{'|'.join(words[position + 1 :])}))+" for position, word in enumerate(words[:-1])
    ]
    alone = [re.escape(_fold(word)[0]) for word in single_words]
    return rf"(?<!{_LETTER})(?:{'|'.join((*(tails or words), *alone))})(?!{_LETTER})"


def _public_pattern(names: Collection[str]) -> str:
    whole = [r"\s+".join(map(re.escape, _fold(name)[0].split())) for name in sorted(names, key=len, reverse=True)]
    return rf"(?<!\w)(?:{'|'.join(whole)})(?!\w)"


def _fold(text: str) -> tuple[str, Sequence[int]]:
    if text.isascii():
        return text.lower(), range(len(text))
    plain = {character: _plain(character) for character in set(text) if not character.isascii()}
    if all(len(piece) == 1 for piece in plain.values()):
        for character, piece in plain.items():
            text = text.replace(character, piece)
        return text.lower(), range(len(text))
    pieces = [_plain(character) for character in text]
    return "".join(pieces), [origin for origin, piece in enumerate(pieces) for _ in piece]


@lru_cache(maxsize=1024)
def _plain(character: str) -> str:
    if character.isascii():
        return character.lower()
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    if unicodedata.category(character) == "Pd":
        return "-"
    return "" if unicodedata.category(character) in {"Mn", "Cf"} else fold(character)
