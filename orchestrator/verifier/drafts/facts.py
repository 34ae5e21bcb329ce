"""What the draft rules compare a sentence with: who is where and when, and what a piece of text names of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time

from orchestrator.turn import Appointment, Clinic, Receipt
from orchestrator.verifier.drafts.numerals import spoken_times_in
from orchestrator.verifier.literals import WEEKDAYS, DateMention, dates_in, doctors_in, folded, name_words, times_in
from orchestrator.verifier.review import Doctor


@dataclass(frozen=True, slots=True)
class Fact:
    """A doctor at a clinic, and when; without a moment it says only who works where."""

    clinic: str
    doctor: Doctor
    date: date | None = None
    time: time | None = None

    @classmethod
    def at(cls, slot: Appointment) -> Fact:
        """Return a slot as a fact."""
        return cls(slot.clinic, name_words(slot.doctor), slot.date, slot.time)


def facts_of(clinics: Iterable[Clinic]) -> Iterator[Fact]:
    """Yield who works where, as the clinics say."""
    return (Fact(clinic.id, name_words(doctor)) for clinic in clinics for doctor in clinic.doctors)


def receipt_facts(receipts: Iterable[Receipt]) -> Iterator[Fact]:
    """Yield what receipts say: each appointment as it is and as it was."""
    return (Fact.at(slot) for receipt in receipts for slot in receipt.slots)


# "Segunda" and the like are ordinals too: "a segunda opção".
_ORDINAL = r"(?!-feira)(?= (?:op[ct]|vez|vaga|consulta|linha|escolha|parte|pessoa|alternativa|data|via|semana))"
_WEEKDAY = re.compile(rf"\b(?:a |na )?(?P<name>{'|'.join(WEEKDAYS)})s?\b(?!{_ORDINAL})")
# A bound or a range of times; no opening need begin there.
_TIME_LIKE = r"(?:\d[\d:h]*(?: ?[ap]m)?|\w+(?: e (?:meia|\w+))?)"
_BOUND = re.compile(
    rf"\b(?:entre|between|from|das)(?: [aà]?s)? {_TIME_LIKE} (?:e|and|to|às|as|até|ate|a)(?: [aà]?s)? {_TIME_LIKE}"
    rf"|\b(?:a partir d[aeo]s?|desde|até|ate|antes d[aeo]s?|depois d[aeo]s?|após|apos|from|after|before|until|till|by)"
    rf"(?: [aà]s?)? {_TIME_LIKE}",
    re.IGNORECASE,
)
_PERIODS = (
    ("morning", re.compile(r"\b(?:de|da|pela|na|cada) manhas?\b|\bmanhas\b|\bmatutin\w+|\bmornings?\b")),
    ("afternoon", re.compile(r"(?<!boa )\btardes?\b(?<!mais tarde)|\bvespertin\w+|\bafternoons?\b(?<!good afternoon)")),
    ("evening", re.compile(r"(?<!boa )\bnoites?\b|\bnoturn\w+|\b(?:evenings?|nights?|tonight)\b(?<!good evening)")),
)
_HOURS = {"morning": range(12), "afternoon": range(12, 19), "evening": range(18, 24)}


@dataclass(frozen=True, slots=True)
class Named:
    """What a piece of text names; bounds such as "a partir das 9h" are no moments."""

    clinics: frozenset[str]
    doctors: frozenset[Doctor]
    dates: frozenset[DateMention]
    weekdays: frozenset[int]
    times: frozenset[frozenset[time]]
    periods: frozenset[str] = field(default=frozenset())

    @property
    def kinds(self) -> int:
        """How many kinds of things are named; a date and its weekday are one."""
        day = self.dates or self.weekdays
        return sum(map(bool, (self.clinics, self.doctors, day, self.times or self.periods)))

    @property
    def moment(self) -> bool:
        """Whether a day or a time is named."""
        return bool(self.dates or self.weekdays or self.times)

    @property
    def is_single(self) -> bool:
        """Whether no kind is named twice, so that all that is named belongs together."""
        each = (self.clinics, self.doctors, self.dates, self.weekdays, self.times, self.periods)
        return all(len(kind) < 2 for kind in each)

    def alone(self) -> Iterator[Named]:
        """Yield each thing named by itself."""
        for name in ("clinics", "doctors", "dates", "weekdays", "times", "periods"):
            for value in getattr(self, name):
                yield replace(NOTHING, **{name: frozenset({value})})

    def fits(self, fact: Fact) -> bool:
        """Return whether a fact is one that all of this, or one of each kind, may be about."""
        if (self.dates or self.weekdays or self.times or self.periods) and (fact.date is None or fact.time is None):
            return False
        return (
            (not self.clinics or fact.clinic in self.clinics)
            and (not self.doctors or any(doctor <= fact.doctor for doctor in self.doctors))
            and (not self.dates or any(fact.date and mention.may_be(fact.date) for mention in self.dates))
            and (not self.weekdays or (fact.date is not None and fact.date.weekday() in self.weekdays))
            and (not self.times or any(fact.time in times for times in self.times))
            and (not self.periods or any(in_period(fact.time, period) for period in self.periods))
        )


NOTHING = Named(frozenset(), frozenset(), frozenset(), frozenset(), frozenset())


def in_period(at: time | None, period: str) -> bool:
    """Return whether a time of day lies in the morning, afternoon or evening."""
    return at is not None and at.hour in _HOURS[period]


class FactReader:
    """A finder of the names in pieces of text."""

    def __init__(self, clinics: Sequence[Clinic], doctors: Iterable[Doctor], ignored: str) -> None:
        self._clinics = clinics
        self._doctors = frozenset(doctors)
        self._ignored = ignored

    def read(self, text: str) -> Named:
        """Return the names in a text; case and accents are as it was written."""
        text = text.replace(self._ignored, " ")
        plain = folded(text)
        return Named(
            frozenset(clinic for name in clinic_names_in(text) if (clinic := self.clinic(name)) is not None),
            frozenset((*doctors_in(text), *self._untitled(text))),
            frozenset(dates_in(plain)),
            frozenset(weekdays_in(plain)),
            frozenset(_moments_in(text)),
            frozenset(periods_in(plain)),
        )

    def clinic(self, name: str) -> str | None:
        """Return the id of the clinic of a name as `clinic_names_in` yields it; None when there is none."""
        return next((clinic.id for clinic in self._clinics if name in {clinic.id, bare_name(clinic.name)}), None)

    def _untitled(self, text: str) -> Iterator[Doctor]:
        titled = frozenset().union(*doctors_in(text))
        words = {folded(word) for word in re.findall(r"[A-ZÀ-ÖØ-Þ][\w'’-]+", text)} - titled
        held = {doctor & words for doctor in self._doctors} - {frozenset()}
        return (one for one in held if not any(one < other for other in held))


def weekdays_in(plain: str) -> Iterator[int]:
    """Yield the weekdays that a folded text names, 0 for Monday."""
    return (WEEKDAYS[match["name"]] for match in _WEEKDAY.finditer(plain))


def periods_in(plain: str) -> Iterator[str]:
    """Yield the parts of the day that a folded text names; greetings name none."""
    return (period for period, pattern in _PERIODS if pattern.search(plain))


_CLINIC = re.compile(
    r"\b(?:[Cc]l[ií]nicas?|CL[IÍ]NICAS?|[Cc]linics?|CLINICS?|[Uu]nidades?|[Hh]ospital"
    r"|[Ii]nstituto|[Cc]onsult[oó]rio|[Cc]entro [Mm][eé]dico|[Pp]olicl[ií]nica|[Ll]aborat[oó]rio"
    r"|[Hh]ealth [Cc]ent(?:er|re))"
    r"[ \xa0]+(?P<names>(?:d[aeo]s? )?[“\"]?[A-ZÀ-ÖØ-Þ][\w'’-]*(?:(?: d[aeo]s?)? [A-ZÀ-ÖØ-Þ][\w'’-]*)*"
    r"(?:(?:, (?:e |and )?| e | and | ou | or )[A-Z]\b(?![.’']))*)"
)
_LOWER = re.compile(r"\b(?:clinica|clinic|unidade)[ _](?P<name>[b-df-np-z]|\d+)\b")
_LIST = re.compile(r"(?:, (?:e |and )?| e | and | ou | or )(?=[A-Z]\b)")


def clinic_names_in(text: str) -> Iterator[str]:
    """Yield the names of clinics in a text, each as `bare_name` or a registry's id."""
    for match in _CLINIC.finditer(text):
        for name in _LIST.split(match["names"]):
            yield bare_name(name)
    plain = folded(text)
    for match in _LOWER.finditer(plain):
        yield match["name"]
    yield from re.findall(r"\bclinic_\w+", plain)


def bare_name(name: str) -> str:
    """Return a clinic's name folded and without the word for clinic, the same in both languages."""
    return re.sub(r"^(?:clinica|clinic) ", "", re.sub("['’]s$", "", folded(name).strip('“" ')))


def _moments_in(text: str) -> Iterator[frozenset[time]]:
    unbound = _BOUND.sub(" ", text)
    for moment in times_in(folded(unbound)):
        yield frozenset({moment})
    yield from spoken_times_in(unbound)
