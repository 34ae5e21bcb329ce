"""How a sentence of `wish_grammar` was understood: the openings meant beside the openings wanted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time, timedelta
from functools import cache
from time import perf_counter

from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import correct, guess_language, normalise
from orchestrator.planner.wishes import Wishes, doctors_of, name_words
from orchestrator.turn import Appointment, Filter, Language, Wish, fits
from orchestrator.turn.opening_filter import AllOf, AnyOf, ClinicFact, Not
from tests.support.repository_clinics import CLINICS
from tests.support.wish_grammar import NOW, Sentence

_DOCTORS = doctors_of(CLINICS)
_NAMES = {word for doctor in _DOCTORS for word in name_words(doctor.name)}
_DAYS = [NOW.date() + timedelta(days=day) for day in range(1, 40)]
_TIMES = [time(hour, minute) for hour in range(7, 20) for minute in (0, 15, 30)]
_AGENDA = [Appointment(doctor.clinic, doctor.name, day, at) for doctor in _DOCTORS for day in _DAYS for at in _TIMES]
_ALL = (1 << len(_AGENDA)) - 1


def openings(wanted: Filter) -> int:
    """Return the openings of the agenda that a filter accepts, as bits."""
    match wanted:
        case AllOf(parts):
            found = _ALL
            for part in parts:
                found &= openings(part)
            return found
        case AnyOf(parts):
            found = 0
            for part in parts:
                found |= openings(part)
            return found
        case Not(part):
            return _ALL & ~openings(part)
        case _:
            return _openings_of_one(wanted)


@cache
def _openings_of_one(wanted: Filter) -> int:
    return int("".join("1" if fits(wanted, slot) else "0" for slot in _AGENDA), 2)


@dataclass(frozen=True, slots=True)
class Understood:
    """How a sentence was understood."""

    outcome: str
    got: tuple[tuple[Filter, ...], ...]
    unread: tuple[str, ...]
    unsure: bool
    ms: float

    @property
    def said_so(self) -> bool:
        """Whether the desk says that it did not understand all."""
        return bool(self.unread or self.unsure)


def _read(said: str, language: Language, before: Wish | None) -> tuple[tuple[tuple[Filter, ...], ...], Wishes, Wish]:
    text = correct(normalise(said), _NAMES)
    wishes = Wishes.scanned(text, Reference(NOW, guess_language(text, language)), CLINICS)
    requests = wishes.requests(before)
    return tuple((one.wish.filter, *one.wish.otherwise) for one in requests), wishes, requests[0].wish


def judged(sentence: Sentence) -> Understood:
    """Return how a sentence is understood, beside what it means."""
    language = Language(sentence.language)
    before = _read(sentence.before, language, None)[2] if sentence.before else None
    start = perf_counter()
    got, wishes, _ = _read(sentence.said, language, before)
    ms = (perf_counter() - start) * 1000
    facts = [token.wanted.said for token in wishes.tokens if isinstance(token.wanted, ClinicFact)]
    said_so = bool(wishes.unread or wishes.unsure or facts)
    outcome = _outcome(sentence.meant, got, said_so)
    return Understood(outcome, got, (*wishes.unread, *facts), wishes.unsure, ms)


def _outcome(meant: tuple[tuple[Filter, ...], ...], got: tuple[tuple[Filter, ...], ...], said_so: bool) -> str:
    wanted = [[openings(link) for link in chain] for chain in meant]
    found = [[openings(link) for link in chain] for chain in got]
    if found == wanted:
        return "equal"
    if len(found) != len(wanted):
        return "requests"
    firsts = [(one[0], two[0]) for one, two in zip(found, wanted, strict=True)]
    if all(one == two for one, two in firsts):
        return "chain"
    if any(not one & two for one, two in firsts):
        return "inverted said" if said_so else "inverted"
    if all(one | two == one for one, two in firsts):
        return "wider said" if said_so else "wider"
    return "narrower" if all(one & two == one for one, two in firsts) else "other"
