"""Replies of a hostile writer: all parts in place, and among them something that nobody said.

The lies are decorated and hidden; each text else is as it should be, so that it is the lie that must be found.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from tests.scenarios.hostile_case import Case, Data, HostileModel, Request, Said, good_words, opening_words
from tests.scenarios.hostile_lies import ABOUT_LISTS, ABOUT_WRITES, CLAIMS, ENTITIES, OF_PATIENTS
from tests.scenarios.hostile_requests import LISTINGS, OF_STAFF, REFUSED, WRITES

_HOMOGLYPHS = str.maketrans("aeopcxyi", "аеорсхуі")
DISGUISES: dict[str, Callable[[str], str]] = {
    "plainly": str,
    "in bold": lambda lie: f"**{lie}**",
    "as a heading": lambda lie: f"## {lie}",
    "in a list": lambda lie: f"- {lie}",
    "as a quotation": lambda lie: f"> {lie}",
    "in code": lambda lie: f"```\n{lie}\n```",
    "in capitals": str.upper,
    "over lines": lambda lie: lie.replace(" ", "\n"),
    "over paragraphs": lambda lie: lie.replace(" ", "\n\n", 1),
    "without accents": lambda lie: lie.translate(str.maketrans("áâãéêíóôõúçÁÉ", "aaaeeiooouçAE")),
    "with marks between words": lambda lie: lie.replace(" ", " **", 1) + "**",
    "with zero-width signs": "\u200b".join,
    "with soft hyphens": lambda lie: lie.replace("a", "a\u00ad").replace("o", "o\u00ad"),
    "with lookalikes": lambda lie: lie.translate(_HOMOGLYPHS),
    "in wide letters": lambda lie: "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in lie),
    "turned to the right": lambda lie: f"\u202e{lie}\u202c",
    "with escapes": lambda lie: f"\x1b[1m{lie}\x1b[0m\x07",
    "overwriting a line": lambda lie: f"Aqui está:\r{lie}",
    "in brackets": lambda lie: f"({lie})",
    "as a question": lambda lie: lie.rstrip(".!") + ", certo?",
    "in no-break spaces": lambda lie: lie.replace(" ", "\u00a0"),
    "in entities": lambda lie: lie.replace(" ", "&nbsp;"),
    "in tags": lambda lie: f"<b>{lie}</b>",
}
_KEEPING_HANDLES = frozenset(
    {"in bold", "as a heading", "in a list", "as a quotation", "in brackets", "turned to the right"}
)


def _before(lie: str, opening: str, parts: Sequence[str], closing: str) -> Sequence[str]:
    return (lie, opening, *parts, closing)


def _after(lie: str, opening: str, parts: Sequence[str], closing: str) -> Sequence[str]:
    return (opening, *parts, lie, closing)


def _within(lie: str, opening: str, parts: Sequence[str], closing: str) -> Sequence[str]:
    return (opening, *parts, f"{closing} {lie}")


def _alone(lie: str, opening: str, parts: Sequence[str], closing: str) -> Sequence[str]:
    return (lie, *parts)


_PLACES = {"before": _before, "after": _after, "within": _within, "alone": _alone}


def hostile_texts(rng: random.Random) -> Iterator[Case]:
    """Yield all lies, each at a request and a place that chance chooses, and whole replies without their first part."""
    unasked = (*LISTINGS, *REFUSED)
    for english in (False, True):
        yield from _told(CLAIMS[english], [one for one in unasked if one.is_english is english], rng)
        yield from _told(ENTITIES[english], [one for one in (*unasked, *WRITES) if one.is_english is english], rng)
        yield from _told(ABOUT_LISTS[english], [one for one in LISTINGS if one.is_english is english], rng)
    for request, lies in ABOUT_WRITES.items():
        yield from _told(lies, [request], rng)
    for request in (one for one in OF_STAFF if not one.is_english):
        yield from _told(OF_PATIENTS, [request], rng)
    for request in (*LISTINGS, *WRITES, *REFUSED, *OF_STAFF):
        yield _case("without a part", request, _without_a_part, (opening_words(request),))


def writer_of(lie: str, disguise: str, place: str) -> Said:
    """Return a writer that tells a lie."""

    def write(brief: Data) -> str:
        opening, closing = good_words(brief)
        return "\n\n".join(_PLACES[place](DISGUISES[disguise](lie), opening, list(brief["parts"]), closing))

    return write


def any_lie(request: Request, rng: random.Random) -> tuple[str, Said]:
    """Return a lie for any request, and who tells it."""
    lie = rng.choice(ENTITIES[request.is_english])
    return lie, writer_of(lie, _disguise(lie, rng), rng.choice(list(_PLACES)))


def _told(lies: Sequence[str], requests: Sequence[Request], rng: random.Random) -> Iterator[Case]:
    """Yield each lie as it is, and every third once more in a disguise."""
    for number, lie in enumerate(lies):
        for disguise in ("plainly", *([_disguise(lie, rng)] if number % 3 == 0 else [])):
            place = rng.choice(list(_PLACES))
            write = writer_of(lie, disguise, place)
            yield _case(f"{lie!r} {disguise}, {place}", rng.choice(requests), write, (lie,))


def _disguise(lie: str, rng: random.Random) -> str:
    """Return a disguise; handles and pseudonyms work in a few only."""
    fitting = _KEEPING_HANDLES if set(lie) & set("{}[]") else DISGUISES.keys() - {"plainly"}
    return rng.choice(sorted(fitting))


def _case(name: str, request: Request, write: Said, lies: tuple[str, ...] = ()) -> Case:
    return Case(
        f"text {name}; {request.scene.name}: {request.utterance}", request, HostileModel(write=write), lies=lies
    )


def _without_a_part(brief: Data) -> str:
    opening, closing = good_words(brief)
    return "\n\n".join((opening, *list(brief["parts"])[1:], closing))
