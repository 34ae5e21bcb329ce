"""Find the new slot of an appointment that is moved, with its doctor or with another.

It is said in full, taken over from the appointment ("mesma hora"), or settled by the openings shown.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from orchestrator import turn
from orchestrator.planner.calendar import Moment, Shift, calendar_math, parse_shift
from orchestrator.planner.dialogue.appointments_held import End, all_of, fits
from orchestrator.planner.dialogue.on_the_table import in_hand, lists_openings, moment_noted, noted
from orchestrator.planner.dialogue.situation import PLACES, Situation
from orchestrator.planner.understanding import Intent, answer
from orchestrator.planner.wishes import Kind, NamedDoctor, doctors_of

_ANYTHING = re.compile(r"\b(?:any\w*|algo|algum\w*|qualquer\w*)\b")
_REMEMBERED = ("to_doctor", "to_clinics", "shift", "same_time")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the new slot is to be: with one of some doctors, or in any of some clinics."""

    doctors: tuple[NamedDoctor, ...]  # with whom; empty where any doctor of the clinics will do
    clinics: tuple[str, ...]  # where, by id
    elsewhere: bool  # whether it is another doctor or clinic than the appointment's own

    def has(self, offer: turn.Offer) -> bool:
        """Return whether an opening is there."""
        return offer.clinic in self.clinics and (not self.doctors or offer.doctor in {one.name for one in self.doctors})

    @property
    def steps(self) -> list[turn.Step]:
        """The steps that list its openings."""
        if self.doctors:
            return [turn.listing_step(doctor.clinic, doctor.name) for doctor in self.doctors]
        return [turn.listing_step(clinic) for clinic in self.clinics]

    @property
    def known(self) -> dict[str, str]:
        """The same for a question to remember."""
        if not self.elsewhere:
            return {}
        if len(self.doctors) == 1:
            return {"to_doctor": self.doctors[0].name}
        return {"to_clinics": " ".join(self.clinics)}


def is_of_what_is_shown(here: Situation) -> bool:
    """Return whether it is the slot or the list on the table that is to be another, and no visit that is held."""
    said, own, end = here.said, here.session.appointments, replace(all_of(here), moments=())
    moves = Intent.MOVE in said.cues.intents
    slot = in_hand(here.session) if moves else here.proposed
    of_own = here.says("references", "own")
    if slot and not of_own and not (own and moves and not said.wishes.is_relative and said.shift is None):
        return True
    if end.doctors or end.clinics:  # "push the ortho one", of a card
        return slot is not None and fits(here, slot, end) and not any(fits(here, one, end) for one in own)
    codes = {here.specialty_of(one.clinic) for one in ([slot] if slot is not None else here.session.offers)}
    of_own = of_own or here.says("requests", "a_visit")  # an opening is none
    listed = bool(own) and not of_own and here.in_question is None and (slot or lists_openings(here.session))
    return listed and codes.isdisjoint(here.specialty_of(one.clinic) for one in own)


def place_of(here: Situation, target: End, held: turn.Appointment) -> Place:
    """Return where the new slot is to be: as said now or before, else where the appointment is."""
    doctors = target.doctors
    everywhere = here.clinics_of(here.specialty_of(held.clinic) or "")
    alike = (held.clinic,) if here.says("patterns", "of_there") else everywhere  # "com quem tiver lá"
    if _anybody(here) and not here.said.pointer.other_doctor:
        return Place((), alike, elsewhere=True)
    if not doctors and not target.clinics:
        remembered = here.doctor_called(here.known.get("to_doctor", ""))
        anew = _other_doctors(here, held, alike) or _other_doctors(here, held, everywhere)
        doctors = (remembered,) if remembered else anew
    if doctors:
        elsewhere = held.doctor not in {one.name for one in doctors}
        return Place(doctors, tuple(doctor.clinic for doctor in doctors), elsewhere)
    others = tuple(one for one in alike if one != held.clinic) if here.said.pointer.other_clinic else ()
    clinics = target.clinics or others or tuple(here.known.get("to_clinics", "").split())
    if clinics or (_counts_above_doctor(here) and not target.moments):
        return Place((), clinics or alike, elsewhere=True)
    own = here.doctor_called(held.doctor) or NamedDoctor(held.doctor, held.clinic, here.specialty_of(held.clinic) or "")
    return Place((own,), (own.clinic,), elsewhere=False)


def _anybody(here: Situation) -> bool:
    """Return whether any doctor will do, while somewhere or some day else is asked for."""
    return turn.Axis.DOCTOR in here.requests[0].freed and not here.said.doctors.found


def _counts_above_doctor(here: Situation) -> bool:
    """Return whether the time counts more than the doctor: "adianta minha consulta", but not "sooner with him"."""
    if here.says("references", "same_doctor"):
        return False
    soon = ((Kind.EARLIER, None), (Kind.EARLIER, turn.Axis.DAY), (Kind.SAME, turn.Axis.DAY))
    return here.said.shift is None and any((token.kind, token.axis) in soon for token in here.said.wishes.tokens)


def _other_doctors(here: Situation, held: turn.Appointment, alike: Sequence[str]) -> tuple[NamedDoctor, ...]:
    if not here.said.pointer.other_doctor and turn.verdict(_whom(here), held.clinic, held.doctor) is not False:
        return ()
    named = () if here.said.pointer.other_doctor else here.said.clinics  # "a woman, same clinic"
    return tuple(one for one in doctors_of(here.clinics) if one.clinic in (named or alike) and one.name != held.doctor)


def target_of(here: Situation, held: turn.Appointment, target: End, place: Place) -> turn.Appointment | None:
    """Return the new slot when it is certain."""
    offered = [offer for offer in here.session.offers if place.has(offer) and offer.slot != held]
    moment = _when(here, held, target)
    if moment is None:
        around = _around_the_appointment(here, held)
        return _pointed_at(here, [offer for offer in offered if turn.fits(around.widest, offer)])
    if not moment.exists:
        return None
    fitting = [offer for offer in offered if moment.matches(offer.date, offer.time)]
    # "Friday at 2:30" beside a list is the row on a Friday, though it is not the coming one.
    rows = [one for one in offered if one.number and one.date.weekday() == moment.weekday]
    if moment.times or not (here.said.pointer.row or here.said.is_bare):
        rows = [one for one in rows if one.time in moment.times]
    if len(rows) == 1:
        return rows[0].slot
    settled = fitting[0].slot if len(fitting) == 1 and moment.times else None
    says_day = moment.dates or moment.days
    if not says_day and moment.time is not None and not place.elsewhere:
        # "9 e meia", of several days that were shown, is none of the appointment's own day.
        return settled if here.in_question is not None and fitting else replace(held, time=moment.time)
    if moment.slot is None or len(place.doctors) != 1:
        return settled
    return turn.Appointment(place.doctors[0].clinic, place.doctors[0].name, *moment.slot)


def filter_of(here: Situation, held: turn.Appointment, target: End) -> turn.Wish:
    """Return when the new slot suits, as a wish over the openings that settle it."""
    moment, around = _when(here, held, target), _around_the_appointment(here, held)
    said = turn.without(here.said.wishes.alone[0].wish.filter, PLACES)
    refused = (one for one in turn.conjuncts(said) if isinstance(one, turn.Not))  # "not on Tuesdays, in the afternoon"
    told = turn.Wish(said if moment is None else turn.all_of((*turn.conjuncts(moment.filter), *refused)))
    new, before = (around or told).and_also(_whom(here)), wanted_before(here)
    if before and target.moments and not (around or here.said.shift or here.said.pointer.same_time):
        # "A sexta", after "depois do dia 23", is a Friday after that day.
        return turn.Wish(turn.without(here.said.wishes.requests(before)[0].wish.filter, PLACES))
    return new.and_also(turn.without(before.filter, turn.axes_of(new.filter) | ({turn.Axis.MOMENT} if new else set())))


def wanted_before(here: Situation) -> turn.Wish:
    """Return what was said of days and hours before: it stays after "com outro médico pode" and "a primeira"."""
    if here.requests[0].freed or not here.is_asked(turn.Topic.ASK_NEW_TIME, turn.Topic.ASK_WHICH_APPOINTMENT):
        return turn.ANYTHING
    return turn.Wish(turn.without(here.question.wish.filter, PLACES))


def _whom(here: Situation) -> turn.Filter:
    parts = turn.conjuncts(here.said.wishes.alone[0].wish.filter)
    refused = {one for one in parts if isinstance(one, turn.Not) and turn.axes_of(one) == {turn.Axis.DOCTOR}}
    return turn.all_of([*refused, *(one for one in parts if turn.axes_of(one) < {turn.Axis.GENDER, turn.Axis.PLACE})])


def _around_the_appointment(here: Situation, held: turn.Appointment) -> turn.Wish:
    """Return when the new slot suits as far as it was said relative to the appointment: earlier, another Saturday."""
    beside = _beside(here, held)
    wish = here.said.wishes.requests(held=beside)[0].wish
    if not here.said.wishes.is_relative or here.said.shift is not None:
        return turn.ANYTHING
    around = turn.without(wish.filter, PLACES)
    # "Não consigo às 9, mais tarde no mesmo dia", "sexta de manhã tenho prova, joga pra outra sexta": that day.
    axes = {turn.Axis.TIME} | (set() if here.said.cues.missing and _counts_above_doctor(here) else {turn.Axis.DAY})
    refused = (one for one in turn.conjuncts(around) if isinstance(one, turn.Not) and turn.axes_of(one.part) >= axes)
    of_that_day = [one for one in refused if beside is held and turn.fits(one.part, held)]
    around = turn.all_of(one for one in turn.conjuncts(around) if one not in of_that_day)
    own = turn.WithDoctors(frozenset({held.doctor}))
    if here.says("patterns", "a_little") and here.said.wishes.named.isdisjoint({turn.Axis.DAY, turn.Axis.MOMENT}):
        day = turn.OnDates((turn.DateRange(beside.date, beside.date),))
        return turn.Wish(turn.all_of([around, own, day]), (turn.all_of([around, own]), around))
    named, other = {one.name for one in here.doctors}, _other_doctors(here, held, [one.id for one in here.clinics])
    anybody = named - {held.doctor} or other or _ANYTHING.search(here.said.text.folded)
    if anybody or not _counts_above_doctor(here):
        return turn.Wish(around)
    return turn.Wish(turn.all_of([around, own]), (around,))


def _beside(here: Situation, held: turn.Appointment) -> turn.Appointment:
    """Return the slot to which a card that waits for a yes moves the appointment: "later that day" is of that day."""
    steps = () if here.session.proposal is None or here.in_question is None else here.session.proposal.plan.steps
    return (steps[0].taken if any(step.given_back for step in steps) else None) or held


def _when(here: Situation, held: turn.Appointment, target: End) -> Moment | None:
    before = moment_noted(here.known, "new_")
    said = target.moments[0] if target.moments else before if before.dates or before.times else None
    shift = here.said.shift or (parse_shift(here.known["shift"]) if "shift" in here.known else None)
    same_time = here.said.pointer.same_time or "same_time" in here.known
    if shift is not None:
        shift = replace(shift, keeps_time=False) if _anybody(here) else shift  # whose hours are others
        keeps = same_time and not (here.said.moments and said)  # "the week after, same time", on its weekday too
        shift = replace(shift, keeps_time=True, whole_week=False) if keeps else shift
        return _shifted(shift, held if shift.days % 7 == 0 != shift.days else _beside(here, held), said)
    if said is None:
        return Moment(0, 0, times=(held.time,)) if same_time else None
    moment, beside = said, _beside(here, held)
    if moment.weekday is not None and moment.dates and moment.dates[0] < held.date:  # of the weeks around it too
        days = [calendar_math.coming(moment.weekday, held.date + timedelta(days)) for days in (-7, 0)]
        moment = replace(moment, dates=tuple(dict.fromkeys((*moment.dates, *days))))
    own_day = turn.OnDates((turn.DateRange(beside.date, beside.date),))
    if not (moment.dates or moment.days) and own_day in turn.conjuncts(_around_the_appointment(here, held).filter):
        moment = replace(moment, dates=(beside.date,))  # "troca pelo Caio no mesmo dia, 14:30"
    of_card = here.session.proposal is not None and here.in_question is not None
    if of_card and moment.times and moment.exists and not (moment.dates or moment.days):
        return replace(moment, dates=(beside.date,))
    return replace(moment, times=(held.time,), hours=()) if same_time and not moment.times else moment


def _shifted(shift: Shift, held: turn.Appointment, said: Moment | None) -> Moment | None:
    there, span = shift.moved(held.date, held.time), shift.span(held.date, held.time)
    if there is None or span is None:
        return None
    besides = said or Moment(0, 0)
    times = besides.times or ((there[1],) if shift.keeps_time and not besides.hours else ())
    if not shift.whole_week:
        return replace(besides, dates=(there[0],), times=times)
    if besides.weekday is not None:
        return replace(besides, dates=(span.first + timedelta(days=besides.weekday),), times=times)
    return replace(besides, dates=(), days=(span,), times=times)


def _pointed_at(here: Situation, offered: Sequence[turn.Offer]) -> turn.Appointment | None:
    pointer = here.said.pointer
    begins = here.said.wishes.is_relative and here.in_question is None  # what was listed before is another matter
    if begins or (here.said.cues.question and not pointer.choosing):
        return None
    ordered = sorted(offered, key=lambda offer: (offer.date, offer.time))
    if pointer.numbers:
        ordered = [offer for offer in ordered if offer.number in pointer.numbers]
    elif pointer.earliest or pointer.latest or pointer.either:
        ordered = ordered[-1:] if pointer.latest and not pointer.earliest else ordered[:1]
    elif not (pointer.this or pointer.taking or answer(here.said.text.original, turn.MOVE)):
        return None
    elif "nearest" in here.known:  # the earliest was told above the list
        ordered = ordered[:1]
    return ordered[0].slot if len(ordered) == 1 else None


def partly_known(here: Situation, target: End) -> dict[str, str]:
    """Return the known parts of the new slot."""
    known = {name: here.known[name] for name in _REMEMBERED if name in here.known}
    if len(target.doctors) == 1:
        known["to_doctor"] = target.doctors[0].name
    if target.clinics:
        known["to_clinics"] = " ".join(target.clinics)
    if here.said.shift is not None:
        known["shift"] = str(here.said.shift)
    if here.said.pointer.same_time:
        known["same_time"] = "yes"
    for moment in target.moments:
        known |= noted(moment.date, moment.time, "new_")
    return known
