"""The specialties of the clinics in a text, by the words that the clinics state."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from operator import attrgetter

from mesh.text_folding import fold
from orchestrator.planner.lexicon import expression, phrases, sections, table, words
from orchestrator.turn import Clinic, Language, SpecialtyWords

_Where = tuple[int, int, str]  # where it is said, and the code of the specialty
KindOfWords = Callable[[SpecialtyWords], tuple[str, ...]]  # which of the words of a specialty

NAMES: KindOfWords = attrgetter("names")
COMPLAINTS: KindOfWords = attrgetter("complaints")
BODY: KindOfWords = attrgetter("body")
_GROUP = re.compile(r"\(([^()]*)\)(\??)")
_READING = re.compile(r" *(?:(?:[a-z0-9']+\*?|\.\.\.)(?: +|$))+")
_FELT_AT = ("no ", "nos ", "na ", "nas ")
_MOST_READINGS = 512  # of one phrase with its alternatives


def specialties_at(folded: str, clinics: Sequence[Clinic], kind: KindOfWords = NAMES) -> Iterator[tuple[int, int, str]]:
    """Return where the clinics' specialties are named, or complained of, with their codes."""
    plain = folded.replace("'s ", "   ")  # "my knee's been clicking"
    found = [where for where, _ in _matches(plain, tuple(clinics), kind)]
    if kind is NAMES:
        organs, named = _matches(plain, tuple(clinics), BODY), bool(found)
        found += [where for where, organ in organs if _stands_for_specialty(organ)]
        if organs or (found and (" e " in plain or " and " in plain)):
            complaints = [where for where, _ in _matches(plain, tuple(clinics), COMPLAINTS)]
            free = [at for at, organ in organs if not organ[0].startswith(_FELT_AT)]
            bare = [at for at in free if not any(one[0] <= at[0] and at[1] <= one[1] for one in complaints)]
            codes, joined = {code for _, _, code in found}, expression("joined_complaint").search
            others = (at for at in complaints if found and at[2] not in codes)
            found += [at for at in others if joined(plain, 0, at[0])]  # "o joelho e uma mancha"
            apart = expression("organs_apart").fullmatch  # "my knee and then my skin"
            told = pairwise(() if named else sorted((*bare, *complaints)))
            pairs = (two for two in told if two[0][2] != two[1][2] and not {*bare}.isdisjoint(two))
            found += [one for two in pairs if apart(plain, two[0][1], two[1][0]) for one in two]
    yield from found


@lru_cache(maxsize=64)  # a turn reads an utterance more than once
def _matches(folded: str, clinics: tuple[Clinic, ...], kind: KindOfWords) -> Sequence[tuple[_Where, re.Match[str]]]:
    ways = _patterns(clinics, kind).items()
    return [((*one.span(), code), one) for code, way in ways for one in way.finditer(folded)]


def find_specialties(folded: str, clinics: Sequence[Clinic], kind: KindOfWords = NAMES) -> tuple[str, ...]:
    """Return the codes of the clinics' specialties that a text names, or complains of, in its order."""
    return tuple(dict.fromkeys(code for _, _, code in sorted(specialties_at(folded, clinics, kind))))


def complains(folded: str, clinics: Sequence[Clinic]) -> bool:
    """Return whether a text complains of something, or names a part of the body."""
    return bool(find_specialties(folded, clinics, COMPLAINTS) or find_specialties(folded, clinics, BODY))


def _stands_for_specialty(organ: re.Match[str]) -> bool:
    """Return whether a part of the body is all that is said: "heart, Tuesday at two", "9h a pele", not "on my skin"."""
    start, end = organ.span()
    if organ[0].startswith(_FELT_AT):  # "uma verruga no dedo"
        return False
    if expression("organ_ails").match(organ.string, end) and " and " in organ.string:
        return False
    around = expression("before_organ"), expression("behind_organ")
    return around[0].search(organ.string, 0, start) is not None and around[1].match(organ.string, end) is not None


def naming_visits(folded: str, clinics: Sequence[Clinic]) -> str:
    """Return a text that calls each specialty a visit: what is asked of "my derm thing" is asked of an appointment."""
    for naming in _patterns(tuple(clinics), NAMES).values():
        folded = naming.sub("consulta", folded)
    return folded


def names_other_specialty(folded: str, clinics: Sequence[Clinic]) -> bool:
    """Return whether a specialty or service is named that no clinic has."""
    folded, others = expression("referrer").sub(" ", folded), table("specialties", "others")
    return others.search(folded) is not None and others.search(naming_visits(folded, clinics)) is not None


def specialty_beginnings(clinics: Iterable[Clinic]) -> tuple[str, ...]:
    """Return how the names of the specialties begin, and those of their doctors: "cardiolog"."""
    names = (clinic.specialty_name(language) for clinic in clinics for language in Language)
    return tuple(dict.fromkeys(map(_beginning, names)))


def _beginning(name: str) -> str:
    return fold(name)[: max(4, len(name) - 3)]


@lru_cache(maxsize=8)
def specialty_vocabulary(clinics: tuple[Clinic, ...]) -> frozenset[str]:
    """Return the words that the clinics state, stems left out: none of them is a typo."""
    said = (text for one in clinics for kind in (NAMES, COMPLAINTS, BODY) for text in kind(one.words))
    return frozenset(re.findall(r"[a-z]+(?![a-z*])", " ".join(said)))


@lru_cache(maxsize=64)
def _patterns(clinics: tuple[Clinic, ...], kind: KindOfWords) -> Mapping[str, re.Pattern[str]]:
    by_code: dict[str, list[str]] = {}
    for code, words_of_it in dict.fromkeys((clinic.specialty, clinic.words) for clinic in clinics):
        own = kind(words_of_it)
        if kind is NAMES:
            # Of a clinic that has not answered, or is of an earlier release, the name alone is known.
            own = own or tuple(f"{_beginning(name)}*" for name in (code, words_of_it.portuguese) if name)
        by_code.setdefault(code, []).extend(own)
    usable = {code: [one for one in found if _is_usable(one)] for code, found in by_code.items()}
    return {code: phrases(dict.fromkeys(found)) for code, found in usable.items() if found}


def _is_usable(phrase: str) -> bool:
    """Return whether each reading of a phrase has a word that people say of nothing else."""
    readings = [phrase]
    while readings and (group := _GROUP.search(readings[0])) and len(readings) <= _MOST_READINGS:
        choices = [*group[1].split("|"), *([""] if group[2] else [])]
        readings = [choice.join(one.split(group[0], 1)) for one in readings for choice in choices]
    # Each gap may be of any length: the time to find a phrase would grow with every one of them.
    return phrase.count("...") <= 1 and all(_READING.fullmatch(one) and _tells(one) for one in readings)


def _tells(reading: str) -> bool:
    tokens = [token.removesuffix("*") if token.endswith("*") else f"{token} " for token in reading.split()]
    return any(re.search(r"[a-z]{2}", token) and f" {token}" not in _everyday() for token in tokens)


@cache
def _everyday() -> str:
    medical = phrases(word for row in sections("specialties")["medical"] for word in row.split())
    tables = (sections(file).values() for file in ("calendar", "requests"))
    found = {word for table in tables for section in table for row in section for word in re.findall(r"[a-z]+", row)}
    found |= {word for name in ("portuguese", "english", "answers", "titles", "keywords") for word in words(name)}
    own = (medical, table("specialties", "others"))
    return f" {' '.join(word for word in found if not any(one.fullmatch(word) for one in own))} "
