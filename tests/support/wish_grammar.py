# ruff: noqa: E501 (tables of wordings are easier to read unbroken)
"""Wishes drawn at random and worded as people do, each with the filters that it means.

A sentence is drawn from a seed: what is meant first, then its wording in Portuguese or English, then slips of the keyboard. The grammar and
its words (`wish_words`) were written without sight of the planner's lexicon.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

from orchestrator.planner.wishes import NamedDoctor, doctors_of
from orchestrator.turn import Filter
from orchestrator.turn.opening_filter import (
    AtClinics,
    AtTimes,
    DateRange,
    Not,
    OfSpecialty,
    OnDates,
    OnWeekdays,
    TimeRange,
    WithDoctors,
    WithWoman,
    all_of,
    any_of,
    is_woman,
)
from tests.support.repository_clinics import CLINICS

_FILE = Path(__file__).parents[1] / "sentences" / "wish_words.txt"


def _tables() -> dict[str, tuple[str, ...]]:
    tables: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in _FILE.read_text("utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            tables[name] = (*tables.get(name, ()), *line.split(" | "))
    return tables


_WORDS = _tables()
NOW = datetime.fromisoformat("2026-11-21T22:30")
_TODAY = NOW.date()
_LAST = date.max.replace(year=2099)


@dataclass(frozen=True, slots=True)
class Said:
    """A condition in words: as an adverbial, as a bare noun, with its article and with "de"."""

    meant: Filter
    on: str
    x: str = ""
    the: str = ""
    of: str = ""

    def put(self, template: str, **more: str) -> str:
        x = self.x or self.on
        return template.format(on=self.on, x=x, the=self.the or x, of=self.of or f"de {x}", **more)


@dataclass(frozen=True, slots=True)
class Sentence:
    """An utterance, what was wanted before it, and what it means: requests, each a chain of filters."""

    kind: str
    language: str
    before: str | None
    said: str
    meant: tuple[tuple[Filter, ...], ...]
    unknown: bool  # names a constraint that no clinic knows


def _day(first: date, last: date | None = None) -> Filter:
    return OnDates((DateRange(first, last or first),))


def _at(first: time, last: time | None = None) -> Filter:
    return AtTimes((TimeRange(first, last or first),))


_MORNING = _at(time(6), time(11, 59))
_AFTERNOON = _at(time(12), time(17, 59))
_MONTHS = (
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
_MONTHS_EN = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


class Grammar:
    """One speaker: a source of chance, a language, and the clinics of the repository."""

    def __init__(self, chance: random.Random, language: str) -> None:
        self.chance = chance
        self.pt = language == "pt"
        self.language = language
        self.specialty = chance.choice(sorted({clinic.specialty for clinic in CLINICS}))
        self.clinics = [clinic for clinic in CLINICS if clinic.specialty == self.specialty]
        self.doctors = [doctor for doctor in doctors_of(CLINICS) if doctor.clinic in {one.id for one in self.clinics}]

    def one(self, options: Sequence[str] | str) -> str:
        return self.chance.choice(options.split("|") if isinstance(options, str) else options)

    def of(self, table: str) -> str:
        return self.chance.choice(_WORDS[f"{table}.{self.language}"])

    # Conditions

    def weekday(self, number: int | None = None) -> Said:
        n = self.chance.randrange(6) if number is None else number
        name = self.of(f"weekday{n}")
        meant = OnWeekdays(frozenset({n}))
        if not self.pt:
            return Said(meant, self.one(f"on {name}|on {name}|{name}"), name)
        na, a, da = ("no", "o", "do") if n > 4 else ("na", "a", "da")
        return Said(meant, self.one(f"{na} {name}|{na} {name}|{name}"), name, f"{a} {name}", f"{da} {name}")

    def weekdays(self) -> Said:
        numbers = self.chance.sample(range(6), self.chance.choice((2, 2, 3)))
        days = [self.weekday(n) for n in numbers]
        return self._either(days, OnWeekdays(frozenset(numbers)))

    def _either(self, parts: list[Said], meant: Filter | None = None) -> Said:
        first, *rest = parts
        word = " ou " if self.pt else " or "
        if len(parts) > 2:
            said = ", ".join(part.on for part in parts[:-1]) + word + parts[-1].on
        else:
            said = word.join((first.on, self.one((rest[0].on, rest[0].x or rest[0].on))))
        return Said(meant or any_of(part.meant for part in parts), said)

    def day_of_month(self) -> Said:
        day = _TODAY + timedelta(days=self.chance.randrange(3, 29))
        return self._dated(day)

    def _dated(self, day: date) -> Said:
        meant = _day(day)
        if self.pt:
            x = self.one(
                f"dia {day.day}|dia {day.day} de {_MONTHS[day.month - 1]}|{day:%d/%m}|dia {day:%d/%m}|{day.day} de {_MONTHS[day.month - 1]}"
            )
            on = f"no {x}" if x.startswith("dia") and self.chance.random() < 0.5 else x
            o = "o " if x.startswith("dia") else ""
            return Said(meant, on, x, o + x, ("do " if o else "de ") + x)
        ordinal = f"{day.day}{'th' if 10 < day.day < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day.day % 10, 'th')}"
        month = _MONTHS_EN[day.month - 1]
        x = self.one(
            f"the {ordinal}|{month} {ordinal}|{month} {day.day}|{month[:3]} {day.day}|the {ordinal} of {month}|{ordinal} of {month}"
        )
        return Said(meant, f"on {x}", x)

    def near(self) -> Said:
        monday = _TODAY + timedelta(days=2)
        pt = (
            (_day(_TODAY + timedelta(days=1)), "amanhã", "de amanhã"),
            (_day(_TODAY + timedelta(days=2)), "depois de amanhã", "de depois de amanhã"),
            (
                _day(monday, monday + timedelta(days=6)),
                self.one("semana que vem|na semana que vem|na próxima semana"),
                "",
            ),
            (OnWeekdays(frozenset(range(5))), self.one("em dia de semana|durante a semana|dia de semana"), ""),
            (_day(date(2026, 12, 1), date(2026, 12, 31)), "em dezembro", "de dezembro"),
        )
        en = (
            (_day(_TODAY + timedelta(days=1)), self.one("tomorrow|tomorrow"), ""),
            (_day(_TODAY + timedelta(days=2)), "the day after tomorrow", ""),
            (
                _day(monday, monday + timedelta(days=6)),
                self.one("next week|in the next week|sometime next week")[:99],
                "",
            ),
            (OnWeekdays(frozenset(range(5))), self.one("on weekdays|on a weekday|weekdays"), ""),
            (_day(date(2026, 12, 1), date(2026, 12, 31)), "in December", ""),
        )
        meant, said, of = self.chance.choice(pt if self.pt else en)
        if said == "in the next week":
            said = "next week"
        return Said(meant, said, said.removeprefix("na ").removeprefix("em ").removeprefix("on "), "", of)

    def days(self) -> Said:
        """A span of days: coming weekdays or dates, from, until, between."""
        first = _TODAY + timedelta(days=self.chance.randrange(2, 6))
        last = first + timedelta(days=self.chance.randrange(2, 4))
        if self.chance.random() < 0.5:  # weekdays of next week, Monday to Friday
            a = self.chance.randrange(3)
            b = self.chance.randrange(a + 2, 5)
            first, last = _TODAY + timedelta(days=2 + a), _TODAY + timedelta(days=2 + b)
            one, two = self.weekday(a), self.weekday(b)
        else:
            one, two = self._dated(first), self._dated(last)
        x, y = one.x, two.x
        forms: list[tuple[str, Filter]]
        if self.pt:
            ao = f"até {two.the}"
            forms = [
                (f"{one.of} até {y}", _day(first, last)),
                (f"entre {one.the} e {two.the}", _day(first, last)),
                (f"entre {x} e {y}", _day(first, last)),
                (f"a partir {one.of}", _day(first, _LAST)),
                (f"{one.of} em diante", _day(first, _LAST)),
                (f"até {x}", _day(date.min, first)),
                (f"{one.of} pra frente", _day(first, _LAST)),
                (f"de {x} {ao}" if "dia" not in x else f"{one.of} {ao}", _day(first, last)),
                (f"até no máximo {x}", _day(date.min, first)),
            ]
        else:
            forms = [
                (f"from {x} to {y}", _day(first, last)),
                (f"between {x} and {y}", _day(first, last)),
                (f"from {x} through {y}", _day(first, last)),
                (f"{x} to {y}", _day(first, last)),
                (f"from {x} on", _day(first, _LAST)),
                (f"from {x} onwards", _day(first, _LAST)),
                (f"until {x}", _day(date.min, first)),
                (f"starting {x}", _day(first, _LAST)),
                (f"no later than {x}", _day(date.min, first)),
                (f"{x} or later", _day(first, _LAST)),
                (f"by {x}", _day(date.min, first)),
            ]
        said, meant = self.chance.choice(forms)
        return Said(meant, said)

    def hour(self, at: time | None = None) -> Said:
        at = at or time(
            self.chance.choice((8, 9, 9, 10, 10, 11, 12, 14, 14, 15, 15, 16, 17)), self.chance.choice((0, 0, 0, 30))
        )
        x = self._clock(at)
        if self.pt:
            noon = x.startswith("meio")
            as_ = "ao" if noon else "às"
            bare = x if noon else f"as {x}"
            on = x if re.match(r"\d+h", x) and self.chance.random() < 0.3 else f"{as_} {x}"
            return Said(_at(at), on, x, bare, f"{'do' if noon else 'das'} {x}")
        return Said(_at(at), f"at {x}", x)

    def _clock(self, at: time) -> str:
        h, half = at.hour, at.minute == 30
        short = h if h <= 12 else h - 12
        name = _WORDS[f"numbers.{self.language}"][short]
        if self.pt:
            part = " da manhã" if h < 12 else " da tarde"
            if h == 12:
                return self.one("meio-dia e meia|12h30|12:30") if half else self.one("meio-dia|meio dia|12h|12:00")
            if half:
                spoken = f"{name} e meia" if h < 12 else f"{name} e meia da tarde"
                return self.one(f"{h}h30|{h}:30|{h:02d}:30|{spoken}|{h} e meia|{short}:30{part}")
            spoken = f"{name}" if 7 < h < 12 else f"{name}{part}"
            return self.one(f"{h}h|{h}h|{h}:00|{h} horas|{short}{part}|{spoken}|{h}hs|{h}h00|{h}h em ponto|{h}")
        half_pm = "am" if h < 12 else "pm"
        if h == 12:
            return self.one("12:30|12:30pm|half past twelve") if half else self.one("noon|noon|12pm|12:00")
        if half:
            return self.one(f"{short}:30{half_pm}|{short}:30 {half_pm}|{h}:30|{name} thirty {half_pm}|{h:02d}:30")
        day = "in the morning" if h < 12 else "in the afternoon"
        clock = f"{short} o'clock" if h < 12 else f"{short}pm"
        spoken = name if h < 12 else f"{name} pm"
        return self.one(
            f"{short}{half_pm}|{short} {half_pm}|{short}:00 {half_pm}|{short} {day}|{clock}|{spoken}|{h}:00|{short}{half_pm}"
        )

    def hours(self) -> Said:
        """A span of hours."""
        a = self.chance.choice((9, 10, 11, 13, 14))
        b = a + self.chance.choice((2, 3))
        x, y = str(a), str(b)
        if self.pt:
            h = self.one("h|| horas")
            forms = [
                (f"depois das {x}{h}", _at(time(a), time(23, 59))),
                (f"a partir das {x}{h}", _at(time(a), time(23, 59))),
                (f"antes das {x}{h}", _at(time(0), time(a - 1, 59))),
                (f"até as {x}{h}", _at(time(0), time(a))),
                (f"entre {x} e {y}h", _at(time(a), time(b))),
                (f"das {x} às {y}", _at(time(a), time(b))),
                (f"entre as {x} e as {y}", _at(time(a), time(b))),
                (f"das {x}h até as {y}h", _at(time(a), time(b))),
                (f"das {x}h em diante", _at(time(a), time(23, 59))),
                (f"após as {x}{h}", _at(time(a), time(23, 59))),
                (f"até no máximo {x}h", _at(time(0), time(a))),
                (f"não antes das {x}", _at(time(a), time(23, 59))),
                (f"não depois das {x}", _at(time(0), time(a))),
                (f"lá pelas {x} em diante", _at(time(a), time(23, 59))),
                (f"no mínimo depois das {x}h", _at(time(a), time(23, 59))),
                (f"{x}h ou mais tarde", _at(time(a), time(23, 59))),
            ]
        else:
            p, q = (f"{n}am" if n < 12 else "12pm" if n == 12 else f"{n - 12}pm" for n in (a, b))
            forms = [
                (f"after {p}", _at(time(a), time(23, 59))),
                (f"before {p}", _at(time(0), time(a - 1, 59))),
                (f"between {p} and {q}", _at(time(a), time(b))),
                (f"from {p} to {q}", _at(time(a), time(b))),
                (f"from {p} on", _at(time(a), time(23, 59))),
                (f"from {p} onwards", _at(time(a), time(23, 59))),
                (f"until {p}", _at(time(0), time(a))),
                (f"by {p}", _at(time(0), time(a))),
                (f"no earlier than {p}", _at(time(a), time(23, 59))),
                (f"no later than {p}", _at(time(0), time(a))),
                (f"not before {p}", _at(time(a), time(23, 59))),
                (f"not after {p}", _at(time(0), time(a))),
                (f"{p} or later", _at(time(a), time(23, 59))),
                (f"{p} at the earliest", _at(time(a), time(23, 59))),
                (f"{p} to {q}", _at(time(a), time(b))),
                (f"anytime after {p}", _at(time(a), time(23, 59))),
            ]
        said, meant = self.chance.choice(forms)
        return Said(meant, said)

    def part(self, morning: bool | None = None) -> Said:
        morning = self.chance.random() < 0.5 if morning is None else morning
        meant = _MORNING if morning else _AFTERNOON
        if self.pt:
            x = "manhã" if morning else "tarde"
            on = self.one(
                "de manhã|pela manhã|na parte da manhã|no período da manhã"
                if morning
                else "à tarde|de tarde|à tarde|na parte da tarde|no período da tarde|pela tarde"
            )
            return Said(meant, on, self.one(f"de {x}|{x}"), f"a {x}", f"da {x}")
        x = "morning" if morning else "afternoon"
        return Said(meant, self.one(f"in the {x}|in the {x}|during the {x}"), f"{x}s", f"the {x}")

    def clock_time(self) -> Said:
        return self.chance.choice((self.hour, self.part, self.part, self.hours))()

    def day(self) -> Said:
        return self.chance.choice((self.weekday, self.weekday, self.weekday, self.day_of_month, self.near))()

    def doctor(self, known: NamedDoctor | None = None) -> Said:
        chosen = known or self.chance.choice(self.doctors)
        title, first, last = chosen.name.split()
        woman = is_woman(chosen.name)
        forms = [first, f"{title} {first}", f"{first} {last}", f"{title} {first} {last}", f"{title} {last}"]
        forms.append(f"doctor {last}" if not self.pt else f"{'doutora' if woman else 'doutor'} {first}")
        x = self.chance.choice(forms)
        named = frozenset(one.name for one in self.doctors if first not in x.split() or first in one.name.split())
        same = frozenset(name for name in named if last not in x.split() or last in name)
        meant = WithDoctors(same)
        if not self.pt:
            return Said(meant, f"with {x}", x)
        a = "a" if woman else "o"
        return Said(meant, self.one((f"com {a} {x}", f"com {a} {x}", f"com {x}")), x, f"{a} {x}", f"d{a} {x}")

    def gender(self) -> Said:
        woman = self.chance.random() < 0.6
        meant = WithWoman(woman)
        if self.pt:
            return Said(
                meant,
                self.one(
                    "com médica mulher|com uma mulher|com uma médica|com uma doutora|com médica"
                    if woman
                    else "com um médico homem|com homem|com um homem|com um doutor homem"
                ),
            )
        return Said(
            meant,
            self.one(
                "with a female doctor|with a woman|with a lady doctor|with a woman doctor"
                if woman
                else "with a male doctor|with a man"
            ),
        )

    def clinic(self, known: str | None = None) -> Said:
        letter = (known or self.chance.choice(self.clinics).id)[-1]
        letter = self.one((letter, letter.upper(), letter.upper()))
        meant = AtClinics(frozenset({f"clinic_{letter.lower()}"}))
        if self.pt:
            x = f"{self.one('clínica|clínica|unidade')} {letter}"
            return Said(meant, f"na {x}", x, f"a {x}", f"da {x}")
        x = f"clinic {letter}"
        return Said(meant, self.one((f"at {x}", f"in {x}", f"at {x}")), x)

    def place(self) -> Said:
        return self.chance.choice((self.doctor, self.doctor, self.clinic, self.gender))()

    def topic(self) -> Said:
        ids = frozenset(one.id for one in self.clinics)
        return Said(OfSpecialty(self.specialty, ids), self.of(self.specialty))

    def ask(self) -> tuple[str, Filter]:
        topic = self.topic()
        return self.of("asking").format(s=topic.on), topic.meant

    # Sentences

    def some(self, least: int, most: int) -> list[Said]:
        drawn = [self.day(), self.clock_time(), self.place()]
        self.chance.shuffle(drawn)
        return drawn[: self.chance.randint(least, most)]

    def joined(self, *clauses: str) -> str:
        """Clauses with a comma, a stop or nothing between them."""
        return "".join(clauses[:1]) + "".join(self.one((" ", " ", ", ", ", ")) + one for one in clauses[1:])

    def apart(self, *clauses: str) -> str:
        """Clauses that a speaker parts."""
        return "".join(clauses[:1]) + "".join(
            self.one((", ", ", ", ". ", "; ", " - ", "\n")) + one for one in clauses[1:]
        )

    def base(self, least: int = 0, most: int = 2, without: frozenset[str] = frozenset()) -> tuple[str, Filter, str]:
        """A request with a few conditions: what is said up to them, its meaning, the rest; topic first or last."""
        ask, meant = self.ask()
        parts = {"day": self.day, "hour": self.clock_time, "place": self.place}
        drawn = [make() for name, make in parts.items() if name not in without]
        self.chance.shuffle(drawn)
        drawn = drawn[: self.chance.randint(least, min(most, len(drawn)))]
        said = [part.on for part in drawn]
        return self.joined(ask, *said), all_of((meant, *(part.meant for part in drawn))), ""

    def plain(self) -> tuple[str, list[list[Filter]]]:
        ask, meant = self.ask()
        parts = self.some(1, 3)
        wanted = all_of((meant, *(part.meant for part in parts)))
        if self.chance.random() < 0.25:
            topic = self.topic()
            return self.joined(" ".join(part.on for part in parts), topic.on), [[wanted]]
        return self.joined(ask, *(part.on for part in parts)), [[wanted]]

    def alternatives(self) -> tuple[str, list[list[Filter]]]:
        kind = self.chance.choice(("days", "days", "parts", "hours", "doctors", "clinics"))
        if kind == "days":
            either = self.weekdays()
        elif kind == "parts":
            either = self._either([self.part(True), self.part(False)])
        elif kind == "hours":
            a, b = self.chance.sample((8, 9, 10, 11, 14, 15, 16), 2)
            either = self._either([self.hour(time(a)), self.hour(time(b))])
        elif kind == "doctors":
            a_, b_ = self.chance.sample(self.doctors, 2)
            either = self._either([self.doctor(a_), self.doctor(b_)])
        else:
            either = self._either([self.clinic(one.id) for one in self.clinics])
        axis = {"days": "day", "parts": "hour", "hours": "hour"}.get(kind, "place")
        said, meant, _ = self.base(0, 1, frozenset({axis}))
        return self.joined(said, either.on), [[all_of((meant, either.meant))]]

    def pairs(self) -> tuple[str, list[list[Filter]]]:
        numbers = self.chance.sample(range(5), 2)
        kind = self.chance.choice(("part", "part", "hour", "doctor", "clinic", "span"))
        if kind == "part":
            seconds = [self.part(), self.part()]
        elif kind == "hour":
            seconds = [self.hour(), self.hour()]
        elif kind == "span":
            seconds = [self.hours(), self.hours()]
        elif kind == "doctor":
            seconds = [self.doctor(one) for one in self.chance.sample(self.doctors, 2)]
        else:
            seconds = [self.clinic(one.id) for one in self.clinics]
        pairs = []
        turned = kind in ("doctor", "clinic") and self.chance.random() < 0.5
        for number, second in zip(numbers, seconds, strict=True):
            first = self.weekday(number)
            on = f"{second.on} {first.on}" if turned else f"{first.on} {second.on}"
            pairs.append(Said(all_of((first.meant, second.meant)), on))
        form = self.one(
            "{} ou {}|{} ou {}|ou {} ou {}|{} ou então {}|{} ou {} também serve"
            if self.pt
            else "{} or {}|{} or {}|either {} or {}|{} or maybe {}"
        )
        ask, meant = self.ask()
        return self.joined(ask, form.format(*(pair.on for pair in pairs))), [
            [all_of((meant, any_of(pair.meant for pair in pairs)))]
        ]

    def _denied(self, axis: str) -> tuple[str, str, Filter]:
        """A denial beside what was asked and as a clause of its own."""
        if axis == "day":
            part = self.chance.choice((self.weekday, self.weekday, self.weekday, self.day_of_month))()
        elif axis == "hour":
            part = self.chance.choice((self.hour, self.part))()
        elif axis == "pair":
            day, hour = self.weekday(), self.chance.choice((self.part, self.hour))()
            part = Said(
                all_of((day.meant, hour.meant)),
                f"{day.on} {hour.on}",
                f"{day.x} {hour.on}",
                f"{day.the or day.x} {hour.on}",
                f"{day.of} {hour.on}" if day.of else "",
            )
        else:
            part = self.chance.choice((self.doctor, self.doctor, self.clinic))()
            said = part.put(self.of("not_with"))
            return said, said, Not(part.meant)
        return part.put(self.of("denied")), part.put(self.of("cannot")), Not(part.meant)

    def excluded(self) -> tuple[str, list[list[Filter]]]:
        axis = self.chance.choice(("day", "day", "hour", "place", "place", "pair"))
        beside, clause, no = self._denied(axis)
        said, meant, _ = self.base(0, 1, frozenset({"day", "hour"} if axis == "pair" else {axis}))
        wanted = [[all_of((meant, no))]]
        if self.chance.random() < 0.5:
            return self.joined(said, beside), wanted
        if self.chance.random() < 0.3:
            return self.apart(clause, said), wanted
        if self.chance.random() < 0.3:
            return f"{said} {self.one('mas|porém|pq|só que' if self.pt else 'but|though|because')} {clause}", wanted
        return self.apart(said, clause), wanted

    def excluded_within(self) -> tuple[str, list[list[Filter]]]:
        """A positive day or part of the day with an hour, a doctor or a day denied in it."""
        ask, meant = self.ask()
        if self.chance.random() < 0.5:
            part = self.chance.choice((self.weekday, self.part))()
            _, morning = None, part.meant == _MORNING
            hour = self.hour(time(self.chance.choice((8, 9, 10, 11) if morning else (14, 15, 16))))
            beside = hour.put(self.of("denied"))
            return self.joined(f"{ask} {part.on}", beside), [[all_of((meant, part.meant, Not(hour.meant)))]]
        span = self.near() if self.chance.random() < 0.3 else self.days()
        day = self.weekday()
        beside = day.put(self.of("denied"))
        return self.joined(f"{ask} {span.on}", beside), [[all_of((meant, span.meant, Not(day.meant)))]]

    def excluded_two(self) -> tuple[str, list[list[Filter]]]:
        kind = self.chance.choice(("day", "day", "doctor", "hour"))
        if kind == "day":
            a, b = (self.weekday(n) for n in self.chance.sample(range(5), 2))
        elif kind == "doctor":
            a, b = (self.doctor(one) for one in self.chance.sample(self.doctors, 2))
        else:
            a, b = (self.hour(time(n)) for n in self.chance.sample((8, 9, 10, 14, 15, 16), 2))
        if self.pt:
            form = self.one(
                "menos {a.x} e {b.x}|nem {a.on} nem {b.on}|exceto {a.on} e {b.on}|tirando {a.x} e {b.x}|não pode ser {a.on} nem {b.on}|não quero {a.on} nem {b.on}|sem ser {a.on} ou {b.on}|mas não {a.on} e nem {b.on}|não posso {a.on} nem {b.on}|fora {a.x} e {b.x}|que não seja {a.on} nem {b.on}|só não {a.on} e {b.on}"
            )
        else:
            form = self.one(
                "except {a.x} and {b.x}|not {a.on} or {b.on}|neither {a.on} nor {b.on}|but not {a.on} nor {b.on}|anything but {a.x} or {b.x}|I can't {a.on} or {b.on}|excluding {a.x} and {b.x}|not {a.on} and not {b.on}|other than {a.x} or {b.x}|no {a.x} or {b.x}|apart from {a.x} and {b.x}"
            )
        ask, meant = self.ask()
        return self.apart(ask, form.format(a=a, b=b)), [[all_of((meant, Not(a.meant), Not(b.meant)))]]

    def span(self) -> tuple[str, list[list[Filter]]]:
        days = self.days()
        ask, meant = self.ask()
        hour = self.part() if self.chance.random() < 0.4 else None
        parts = [days, *([hour] if hour else [])]
        return self.joined(ask, *(part.on for part in parts)), [[all_of((meant, *(part.meant for part in parts)))]]

    def _two_of_an_axis(self) -> tuple[str, Said, Said]:
        kind = self.chance.choice(("day", "day", "hour", "part", "doctor", "clinic"))
        if kind == "day":
            a, b = self.chance.sample(range(5), 2)
            return "day", self.weekday(a), self.weekday(b)
        if kind == "hour":
            h, k = self.chance.sample((8, 9, 10, 11, 14, 15, 16), 2)
            return "hour", self.hour(time(h)), self.hour(time(k))
        if kind == "part":
            first = self.chance.random() < 0.5
            return "hour", self.part(first), self.part(not first)
        if kind == "doctor":
            one, two = self.chance.sample(self.doctors, 2)
            return "place", self.doctor(one), self.doctor(two)
        here, there = self.chance.sample(self.clinics, 2)
        return "place", self.clinic(here.id), self.clinic(there.id)

    def fallback(self) -> tuple[str, list[list[Filter]]]:
        axis, a, b = self._two_of_an_axis()
        said, meant, _ = self.base(0, 1, frozenset({axis}))
        tail = b.put(self.of("fallback"))
        return self.apart(f"{said} {a.on}", tail), [[all_of((meant, a.meant)), all_of((meant, b.meant))]]

    def preferred(self) -> tuple[str, list[list[Filter]]]:
        axis, a, _ = self._two_of_an_axis()
        said, meant, _ = self.base(0, 1, frozenset({axis}))
        tail = a.put(self.of("preferred"))
        return self.apart(said, tail), [[all_of((meant, a.meant)), meant]]

    def corrected(self) -> tuple[str, list[list[Filter]]]:
        axis, a, b = self._two_of_an_axis()
        said, meant, _ = self.base(0, 1, frozenset({axis}))
        tail = b.put(self.of("corrected"))
        return f"{said} {a.on}{self.one((', ', ', ', '... ', '. ', ' '))}{tail}", [[all_of((meant, b.meant))]]

    def several(self) -> tuple[str, list[list[Filter]]]:
        said, meant, _ = self.base(1, 2)
        other = Grammar(self.chance, self.language)
        while other.specialty == self.specialty:
            other = Grammar(self.chance, self.language)
        topic = other.topic()
        parts = other.some(1, 2)
        name = topic.on if not self.pt else self.one((topic.on, f"um {topic.on}"))
        if not self.pt:
            name = f"a {name}" if name.endswith(("ist", "doctor")) else name
        second = " ".join((name, *(part.on for part in parts)))
        return f"{said}{self._glue()} {second}", [[meant], [all_of((topic.meant, *(part.meant for part in parts)))]]

    def _glue(self) -> str:
        also = self.of("also")
        return also if also[0] in ",." else f" {also}"

    def only(self) -> tuple[str, list[list[Filter]]]:
        part = self.chance.choice((self.weekday, self.weekdays, self.part, self.hours, self.clinic, self.doctor))()
        ask, meant = self.ask()
        return self.apart(ask, part.put(self.of("only"))), [[all_of((meant, part.meant))]]

    def asked_not(self) -> tuple[str, list[list[Filter]]]:
        topic = self.topic()
        part = self.chance.choice((self.day, self.part, self.place))()
        more = self.part() if self.chance.random() < 0.3 and part.meant not in (_MORNING, _AFTERNOON) else None
        on = part.on if more is None else f"{part.on} {more.on}"
        said = self.of("asked_not").format(s=topic.on, on=on)
        return said, [[all_of((topic.meant, part.meant, *([more.meant] if more else [])))]]

    def free(self) -> tuple[str, list[list[Filter]]]:
        axis = self.chance.choice(("day", "hour", "doctor", "clinic"))
        word = self.of(f"free_{axis}")
        without = frozenset({"day"} if axis == "day" else {"hour"} if axis == "hour" else {"place"})
        said, meant, _ = self.base(1, 2, without)
        return self.apart(said, word) if self.chance.random() < 0.7 else f"{said} {word}", [[meant]]

    def unknown(self) -> tuple[str, list[list[Filter]]]:
        said, meant, _ = self.base(0, 2)
        return self.joined(said, self.of("unknown")), [[meant]]

    def following(self) -> tuple[str, str, list[list[Filter]]]:
        """A plain request, and a short clause that changes or adds to it."""
        topic = self.topic()
        first = {"day": self.weekday(), "hour": self.chance.choice((self.part, self.hour))(), "place": self.doctor()}
        held = self.chance.sample(sorted(first), self.chance.randint(1, 2))
        before = " ".join((topic.on, *(first[name].on for name in held)))

        def keep(name: str) -> Filter:
            return all_of((topic.meant, *(first[other].meant for other in held if other != name)))

        axis = self.chance.choice(("day", "hour", "place", "not", "free"))
        if axis == "not":
            beside, clause, no = self._denied("day" if "day" not in held else "hour" if "hour" not in held else "place")
            return before, self.one((beside, clause)), [[all_of((keep(""), no))]]
        if axis == "free":
            name, named = self.chance.choice([(one, {"place": "doctor"}.get(one, one)) for one in held])
            return before, self.of(f"free_{named}"), [[keep(name)]]
        new = {"day": self.day, "hour": self.clock_time, "place": self.doctor}[axis]()
        return before, new.put(self.of("following")), [[all_of((keep(axis), new.meant))]]


KINDS = [
    "plain",
    "plain",
    "alternatives",
    "pairs",
    "pairs",
    "excluded",
    "excluded",
    "excluded",
    "excluded_within",
    "excluded_two",
    "span",
    "fallback",
    "preferred",
    "corrected",
    "several",
    "only",
    "asked_not",
    "free",
    "unknown",
    "following",
    "following",
]


def draw(seed: int) -> Sentence:
    """Return the sentence of a seed."""
    chance = random.Random(seed)
    grammar = Grammar(chance, chance.choice(("pt", "pt", "en")))
    kind = chance.choice(KINDS)
    before = None
    if kind == "following":
        before, said, meant = grammar.following()
        before = _slipped(before, chance, 0.0)
    else:
        said, meant = getattr(grammar, kind)()
    said = _slipped(_around(said, grammar, kind), chance, 0.12)
    return Sentence(kind, grammar.language, before, said, tuple(map(tuple, meant)), kind == "unknown")


def _around(said: str, grammar: Grammar, kind: str) -> str:
    chance = grammar.chance
    if kind != "following" and chance.random() < 0.12:
        said = f"{grammar.of('chatter')}{grammar.one((', ', '. ', ' e ' if grammar.pt else ' and '))}{said}"
    elif kind != "following" and chance.random() < 0.1:
        said = f"{said}{grammar.one((', ', '. '))}{grammar.of('chatter')}"
    if chance.random() < 0.35:
        said = f"{grammar.of('hello')}{grammar.one((', ', ' ', '! ', '. '))}{said}"
    if chance.random() < 0.3:
        said = f"{said}{grammar.one((', ', ' ', '. '))}{grammar.of('bye')}"
    return said


def _slipped(said: str, chance: random.Random, typos: float) -> str:
    """The text as it is typed: accents, capitals, a slip in a long word."""
    if chance.random() < typos:
        long = list(re.finditer(r"[^\W\d_]{6,}", said))
        if long:
            found = chance.choice(long)
            said = said[: found.start()] + _mistyped(found[0], chance) + said[found.end() :]
    if chance.random() < 0.4:
        said = "".join(one for one in unicodedata.normalize("NFD", said) if not unicodedata.combining(one))
    case = chance.random()
    if case < 0.5:
        return said.lower()
    if case < 0.55:
        return said.upper()
    return said[:1].upper() + said[1:] if case < 0.8 else said


def _mistyped(word: str, chance: random.Random) -> str:
    place = chance.randrange(1, len(word) - 1)
    match chance.randrange(3):
        case 0:
            return word[:place] + word[place + 1 :]
        case 1:
            return word[:place] + word[place] + word[place:]
        case _:
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
