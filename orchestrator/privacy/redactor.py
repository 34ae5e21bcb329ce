"""Find and hide what identifies a person in running text: names, numbers and documents, addresses, dates of birth.

Names of doctors and places, other dates, times, prices, patient ids and emergency numbers stay. To find the names of
people, by lists of names and by the words that introduce one, each word becomes a letter of its kind and each gap a
sign, so that one pattern over the letters says where names stand.
"""

import re
import tomllib
import traceback
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from mesh.text_folding import fold
from orchestrator.texts import patterns_in, texts_in
from orchestrator.turn import Identity, Language, mask_of

_MONTHS = "|".join(map(fold, texts_in(Language.PT).lines("names.months")))
_PATTERNS = patterns_in("personal_patterns.txt", __package__, months=f"(?:{_MONTHS})")
_CPF_BEGUN = re.compile(_PATTERNS["cpf_begun"])
_CPF_DIGITS = 11

_LETTER = r"[^\W\d_]"
_BETWEEN_NAMES = r"[\s._-]*"  # "ana.souza" and "anasouza" tell the name as well

_PARTICLES = frozenset({"das", "del", "der", "dos", "van", "von"})  # the longer ones: "de" is too short to be telling

# The scale SF-36 and the virus H1N1 are no patient ids, which have three digits.
_PATIENT_ID = re.compile(r"\b[A-Za-z]{2,8}-[A-Za-z]?\d{3,6}\b")

_DOCTOR = re.compile(r"\bdra?\.? [^\W\d_]+(?: [^\W\d_]+)?")  # long texts name many
_EMAIL = re.compile(_PATTERNS["email"])
_ASCII_WORD = re.compile(r"[a-z]+")
_PUBLIC = "PUBLIC"  # the group of a name that stays
_TAKEN = "\0"  # part of no number, word or gap

_IN_LOWER_CASE = {"F": "f", "D": "d", "C": "c"}
_LABELS = "N"  # the kind without which no number is labelled
_INTRODUCING = "FGDCktThn"  # the kinds of words without any of which a text names nobody
_UNKNOWN, _UNKNOWN_CAPITALISED, _INITIAL = "x", "U", "i"

# A word, and the gap to the next: a blank, the dot of an abbreviation, an apostrophe, a pause or a colon.
_SIGNS = ("", ";", " ", ".", "'", ",")  # of the gap, by its group; ";" where there is none of them

_NAME_PATTERNS = patterns_in("name_patterns.txt", __package__)
_WORD, _NAME = re.compile(_NAME_PATTERNS["word"]), re.compile(_NAME_PATTERNS["name"])


class PersonalKind(StrEnum):
    """What a piece of text is; the placeholder is the same in every language."""

    EMAIL = "[EMAIL]"
    CPF = "[CPF]"
    PHONE = "[TEL]"
    DOCUMENT = "[DOCUMENT]"  # RG, CNS (the card of the public health system), passport, driver's licence and the like
    BIRTH = "[BIRTH]"
    PLATE = "[PLATE]"
    ADDRESS = "[ADDRESS]"
    NAME = "[NAME]"  # the speaker's
    PERSON = "[PERSON]"  # the name of somebody else who is no doctor

    @property
    def placeholder(self) -> str:
        """What stands for such a piece: nothing tells the speaker's name from another."""
        return PersonalKind.NAME.value if self is PersonalKind.PERSON else self.value


@dataclass(frozen=True, slots=True)
class PersonalText:
    """A place in a text that identifies a person."""

    kind: PersonalKind
    start: int  # offset of its first character
    end: int  # offset after its last character
    # its digits as ASCII, without separators, for comparing numbers; empty for a name or an address
    digits: str = field(repr=False)


class Redactor:
    """A redactor: replace what identifies a person by placeholders."""

    def __init__(
        self,
        identity: Identity | None = None,  # whose name is hidden too, and the CPF with any signs between its digits
        single_words: Collection[str] = (),  # of that name, which are hidden also where they stand alone
        public: Collection[str] = (),  # names of doctors and clinics, which stay whole
        *,
        kinds: Collection[PersonalKind] = frozenset(PersonalKind),
        patient_ids: bool = False,  # whether a clinic's ids of patients are hidden too
    ) -> None:
        self._patient_ids = patient_ids
        numbers = {name: _PATTERNS[name.lower()] for name in ("CPF", "DOCUMENT", "PHONE")}
        names: dict[str, str] = {}
        if public:
            longest_first = (_fold(name)[0].split() for name in sorted(public, key=len, reverse=True))
            whole = "|".join(r"\s+".join(map(re.escape, words)) for words in longest_first)
            names[_PUBLIC] = rf"(?<!\w)(?:{whole})(?!\w)"
        if identity is not None and identity.cpf:
            digits = r"[\W_]{0,3}".join(identity.digits)
            numbers["CPF"] += rf"|(?=\d)(?<!\d){digits}(?!\d)"
        if identity is not None and identity.name:
            names["NAME"] = _name_pattern(identity.name, single_words)
        self._public = frozenset(word for name in public for word in name_words(name))
        self._own = frozenset(name_words(identity.name)) if identity is not None else frozenset()
        self._kinds = frozenset(kind.name for kind in kinds)
        # One after another: a number is found before an address or a name could take a piece of it. `re` compiles them
        # for the first text: a terminal has a redactor long before there is anything to hide.
        passes = (
            (before, [f"(?P<{group}>{form})" for group, form in forms.items() if group in {_PUBLIC, *self._kinds}])
            for before, forms in ((r"(?=[\d(+])", numbers), ("", {"ADDRESS": _PATTERNS["address"]}), ("", names))
        )
        self._passes = [f"{before}(?:{'|'.join(forms)})" for before, forms in passes if forms]

    def redact(self, text: str) -> str:
        """Return `text` with a placeholder for each part that identifies a person."""
        rest = self.replaced(text, lambda found, _: found.kind.placeholder)
        return _PATIENT_ID.sub("[PATIENT]", rest) if self._patient_ids else rest

    def replaced(
        self, text: str, stand_in: Callable[[PersonalText, str], str], rest: Callable[[str], str] = str
    ) -> str:
        """Return `text` with what stands for each part that identifies a person; `rest` words what is between them."""
        parts: list[str] = []
        end = 0
        for found in self.find(text):
            parts += (rest(text[end : found.start]), stand_in(found, text[found.start : found.end]))
            end = found.end
        return "".join((*parts, rest(text[end:])))

    def find(self, text: str) -> list[PersonalText]:
        """Return the parts that identify a person, from left to right and without overlaps."""
        rest, origins = _fold(text)
        found: list[PersonalText] = []

        def take(match: re.Match[str]) -> str:
            group = str(match.lastgroup)
            if group not in self._kinds:
                return match[0]
            start, end = match.span(group)
            kind, digits = PersonalKind[group], re.sub(r"\D", "", rest[start:end])
            place = origins[start], origins[end - 1] + 1
            found.append(PersonalText(kind, *place, digits if kind in _WITH_DIGITS else ""))
            return match[0][: start - match.start()] + _TAKEN * (end - start)

        if "@" in rest:
            rest = _EMAIL.sub(take, rest)
        for pattern in self._passes:
            rest = re.sub(pattern, take, rest)
        words = _ASCII_WORD.findall(_DOCTOR.sub("", rest))
        if not _words_of_kinds(_LABELS).isdisjoint(words):
            rest = re.sub(_PATTERNS["labelled"], take, rest)  # `re` compiles it with the first text that needs it
        if "PERSON" in self._kinds and not _words_of_kinds(_INTRODUCING).isdisjoint(words):
            people = _people_in(text, rest, origins, self._own, self._public)
            found += (PersonalText(PersonalKind.PERSON, *place, "") for place in people)
        return sorted(found, key=lambda piece: piece.start)


def cpfs_begun(text: str) -> list[tuple[int, int]]:
    """Return the places of digits that are a CPF, or may become one: from its ninth digit on.

    For a line on a screen, where hiding too much costs little: any nine bare digits count, be they a telephone number.
    One with the plus sign of its country does not. Each is the offsets of its first character and after its last.
    """
    plain, origins = _fold(text)
    found = (match for match in _CPF_BEGUN.finditer(plain) if match["abroad"] is None)
    return [(origins[match.start()], origins[match.end() - 1] + 1) for match in found]


def mask_cpf(text: str) -> str:
    """Return `text` with each CPF as ***.***.*89-**; a phone number stays, for a person may ask for one."""
    return _CPFS.replaced(text, lambda found, said: mask_of(found.digits) if found.kind is PersonalKind.CPF else said)


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


BUT_OTHER_NAMES = frozenset(PersonalKind) - {PersonalKind.PERSON}  # people may name their children in a note

_WITH_DIGITS = frozenset({PersonalKind.CPF, PersonalKind.PHONE, PersonalKind.DOCUMENT})
_CPFS = Redactor(kinds=(PersonalKind.EMAIL, PersonalKind.CPF, PersonalKind.PHONE))


def _name_pattern(name: str, single_words: Collection[str]) -> str:
    words = [re.escape(word) for word in _fold(name)[0].split()]
    tails = [
        rf"{word}(?:{_BETWEEN_NAMES}(?:{'|'.join(words[position + 1 :])}))+" for position, word in enumerate(words[:-1])
    ]
    alone = [re.escape(_fold(word)[0]) for word in single_words]
    return rf"(?<!{_LETTER})(?:{'|'.join((*(tails or words), *alone))})(?!{_LETTER})"


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
    if (decimal := unicodedata.decimal(character, None)) is not None:
        return str(decimal)
    if unicodedata.category(character) == "Pd":
        return "-"
    return "" if unicodedata.category(character) in {"Mn", "Cf"} else fold(character)


def _people_in(
    text: str, plain: str, origins: Sequence[int], own: Set[str], public: Set[str]
) -> Iterator[tuple[int, int]]:
    """Yield where names of people begin and end in `text`; `plain` is it folded, and `origins` its offsets in it.

    Left out are names of nothing but `own` words, and of `public` words where no word before says that a name follows.
    """
    letters = _letters()
    words = list(_WORD.finditer(plain))
    kinds = "".join(
        _kind(letters.get(word[1], _UNKNOWN), text[origins[word.start()] : origins[word.end(1) - 1] + 1], sign) + sign
        for word, sign in ((word, _SIGNS[word.lastindex or 0]) for word in words)
    )
    for match in re.finditer(_NAME_PATTERNS["names"], kinds):  # compiled with the first text that may hold one
        if match.lastgroup == "public":
            continue
        for name in _NAME.finditer(kinds, *match.span(match.lastindex or 0)):
            parts = words[name.start() // 2 : (name.end() + 1) // 2]
            telling = {part[1] for part in parts if letters.get(part[1]) not in {"p", "y"}}
            if not (telling <= own or (telling <= public and match.lastgroup == "alone")):
                yield origins[parts[0].start()], origins[parts[-1].end(1) - 1] + 1


def _kind(letter: str, word: str, gap: str) -> str:
    if not word[0].isupper():
        return _IN_LOWER_CASE.get(letter, letter)
    if len(word) == 1 and gap == ".":
        return _INITIAL
    return _UNKNOWN_CAPITALISED if letter == _UNKNOWN and word[1:].islower() else letter


@cache
def _letters() -> Mapping[str, str]:
    sections = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
    return {word: letter for letter, words in sections.items() for word in words.split()}


@cache
def _words_of_kinds(letters: str) -> frozenset[str]:
    return frozenset(word for word, letter in _letters().items() if letter in letters)
