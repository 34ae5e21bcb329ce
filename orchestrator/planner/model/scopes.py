"""Turn a model's scopes into filters; what nothing the person said supports is marked as assumed, and not refused."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, time, timedelta

from orchestrator import turn
from orchestrator.planner.calendar import minute_beside
from orchestrator.planner.dialogue import Situation
from orchestrator.planner.model.turn_form import ConditionForm, ScopeForm
from orchestrator.planner.text import normalise
from orchestrator.planner.understanding import understand
from orchestrator.planner.wishes import NamedDoctor, find_doctors, resolved

_WEEKDAYS = {name: day for day, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))}
_FIRST, _LAST = time.min, time(23, 59)
_EXCHANGES = 6  # turns before, whose words may support a condition
_QUOTE_CHARACTERS = 120


class ScopeError(ValueError):
    """A condition that means nothing; the message says what is wrong and does not repeat it."""


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """What the person said in this conversation of days, hours and names, in any reading of the grammar."""

    texts: tuple[str, ...] = field(repr=False)  # their own words, those of this turn first
    days: frozenset[date]
    times: frozenset[time]
    weekdays: frozenset[int]
    names: frozenset[str]  # of doctors, and ids of clinics

    @classmethod
    def of(cls, here: Situation) -> "SaidBefore":
        """Return what was said in this turn and a few before it, and what is remembered, held or proposed."""
        session = here.session
        before = [one.utterance for one in session.history[-_EXCHANGES:]]
        texts = (here.said.text.original, *before, *(memory.content for memory in session.recalled))
        read = [here.said, *(understand(text, here.language, here.clinics, here.now) for text in texts[1:])]
        proposed = () if session.proposal is None else session.proposal.plan.steps
        known = [*session.appointments, *(slot for step in proposed for slot in step.slots)]
        moments = (moment.filter for one in read for moment in one.moments)
        requests = [*(request for one in read for request in one.wishes.alone), *here.requests]
        wishes = (request.wish.widest for request in requests)
        named = turn.all_of([*moments, *wishes, *map(turn.at_begin_of, known)])
        days = turn.dates_named(named) | {here.now.date()}
        doctors = (doctor.name for one in read for doctor in one.doctors.found)
        clinics = (clinic for one in read for clinic in one.clinics)
        held = (name for slot in known for name in (slot.doctor, slot.clinic))
        weekdays = turn.weekdays_of(named) | {day.weekday() for day in days}
        names = turn.doctors_named(named).union(doctors, clinics, held)
        return cls(texts, days, turn.times_named(named), weekdays, names)

    def supports(self, condition: turn.Condition) -> bool:
        """Return whether a condition's values were said; a day or a minute beside one is what "before" makes of it."""
        match condition:
            case turn.OnDates():
                near = {day + timedelta(days=step) for day in self.days for step in (-1, 0, 1) if _is_inner(day)}
                return all(day in near or not _is_inner(day) for day in turn.dates_named(condition))
            case turn.OnWeekdays(weekdays):
                return weekdays <= self.weekdays
            case turn.AtTimes():
                return bool(self.times) or all(map(self._names_hour, turn.times_named(condition)))
            case turn.WithDoctors(named) | turn.AtClinics(named):
                return named <= self.names
            case turn.ClinicFact(turn.Axis.PRICE, said):
                return any(re.search(rf"(?<!\d){said}(?!\d)", text.replace(".", "")) for text in self.texts)
            case _:
                return True

    def _names_hour(self, at: time) -> bool:
        """Return whether an hour was said in digits, "9 to 6" for 18:00 too; "before 18:00" is until 17:59."""
        hours = {int(digits) % 12 for text in self.texts for digits in re.findall(r"(?<!\d)\d\d?(?!\d)", text)}
        return at in {_FIRST, _LAST} or bool({at.hour % 12, (at.hour + (at.minute == 59)) % 12} & hours)

    def quote(self, words: str | None) -> str:
        """Return the person's own words that a quote repeats, as they were typed; empty where it repeats none."""
        wanted = " ".join(normalise(words or "").folded.split())
        if not 0 < len(wanted) <= _QUOTE_CHARACTERS:
            return ""
        spaced = r"\s+".join(map(re.escape, wanted.split()))
        for typed in self.texts:
            text = normalise(typed)
            match = re.search(rf"(?<!\w){spaced}(?!\w)", text.folded)
            if match is not None:
                first, last = text.original_span(*match.span())
                return " ".join(text.original[first:last].split())
        return ""


def _is_inner(day: date) -> bool:
    return date.min < day < date.max


def read_scope(form: ScopeForm, here: Situation, said: SaidBefore) -> turn.OpeningScope:
    """Return a scope with its filter; raise ScopeError for a condition that means nothing."""
    wanted = [_condition(one, here, said) for one in form.where]
    left_out = [turn.Not(turn.all_of(_condition(one, here, said) for one in group)) for group in form.excepted if group]
    whole = turn.all_of((*wanted, *left_out))
    assumed = tuple(one for one in dict.fromkeys(turn.conditions_of(whole)) if not said.supports(one))
    return turn.OpeningScope(whole, among_shown=form.among == "shown", quote=said.quote(form.said), assumed=assumed)


def read_condition(form: ConditionForm, here: Situation, said: SaidBefore) -> turn.Condition:
    """Return one condition that is not denied; raise ScopeError for another."""
    found = _condition(form, here, said)
    if isinstance(found, turn.Not | turn.AllOf | turn.AnyOf):
        raise ScopeError("a side is one condition that is not denied")
    return found


def _condition(form: ConditionForm, here: Situation, said: SaidBefore) -> turn.Filter:
    if not form.values:
        raise ScopeError(f"{form.field}: no value")
    if form.op == "not_in":
        return turn.Not(_one_of(form, here, said))
    if form.op == "in":
        return _one_of(form, here, said)
    if len(form.values) > 1 or form.field not in {"date", "time", "price"}:
        raise ScopeError(f"{form.field}: {form.op} takes one date, time or price")
    return _bounded(form, here)


def _bounded(form: ConditionForm, here: Situation) -> turn.Filter:
    value, after, is_lower = form.values[0], form.op in {"after", "before"}, form.op in {"from", "after"}
    if form.field == "price":
        if is_lower or after or not re.fullmatch(r"[0-9]{1,6}", value):
            raise ScopeError("price: until, in whole reais")
        return resolved(turn.ClinicFact(turn.Axis.PRICE, value), value, here.clinics)
    if form.field == "date":
        day = _day(value)
        if not _is_inner(day):
            raise ScopeError("date: too far away")
        if after:
            day += timedelta(days=1 if is_lower else -1)
        return turn.OnDates((turn.DateRange(day, date.max) if is_lower else turn.DateRange(date.min, day),))
    at = _time(value)
    if after:
        at = minute_beside(at, 1 if is_lower else -1)
    return turn.AtTimes((turn.TimeRange(at, _LAST) if is_lower else turn.TimeRange(_FIRST, at),))


def _one_of(form: ConditionForm, here: Situation, said: SaidBefore) -> turn.Filter:
    values = form.values
    match form.field:
        case "date":
            return turn.OnDates(tuple(turn.DateRange(day, day) for day in map(_day, values)))
        case "weekday":
            if not _WEEKDAYS.keys() >= set(values):
                raise ScopeError("weekday: mon to sun")
            return turn.OnWeekdays(frozenset(_WEEKDAYS[value] for value in values))
        case "time":
            return turn.AtTimes(tuple(turn.TimeRange(at, at) for at in map(_time, values)))
        case "doctor":
            return turn.WithDoctors(frozenset(doctor_called(value, here.clinics).name for value in values))
        case "clinic":
            return turn.AtClinics(frozenset(clinic_called(value, here) for value in values))
        case _:
            return turn.any_of(_of_clinics(form.field, value, here, said) for value in values)


def _day(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ScopeError("date: YYYY-MM-DD") from None


def _time(value: str) -> time:
    try:
        return time.fromisoformat(value).replace(tzinfo=None)
    except ValueError:
        raise ScopeError("time: HH:MM") from None


def doctor_called(text: str, clinics: Sequence[turn.Clinic]) -> NamedDoctor:
    """Return the one doctor of some clinics that a text names, in full or in part; raise ScopeError for none."""
    found = find_doctors(normalise(text), clinics).found
    if len(found) != 1:
        raise ScopeError("doctor: none of the clinics', or not clear which")
    return found[0]


def clinic_called(text: str, here: Situation) -> str:
    """Return the id of the clinic of an id or a name; raise ScopeError for none."""
    found = [one.id for one in here.clinics if text.casefold() in {one.id.casefold(), one.name.casefold()}]
    if not found:
        raise ScopeError(f"clinic: none of {', '.join(one.id for one in here.clinics)}")
    return found[0]


def _of_clinics(field: str, value: str, here: Situation, said: SaidBefore) -> turn.Condition:
    """Return a condition on clinics; what none of them states is shown, so that it must be the person's own word."""
    if field == "specialty":
        code = here.specialty_called(value)
        if code is None:
            raise ScopeError(f"specialty: none of {', '.join(dict.fromkeys(one.specialty for one in here.clinics))}")
        return turn.OfSpecialty(code, frozenset(here.clinics_of(code)))
    if field == "price":
        raise ScopeError("price: until, in whole reais")
    typed = said.quote(value)
    if not typed:
        raise ScopeError(f"{field}: the person's own words")
    return resolved(turn.ClinicFact(turn.Axis(field), typed), normalise(typed).folded, here.clinics)
