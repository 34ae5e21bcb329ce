"""Plan to show openings; every clinic of a specialty is asked (blueprint, Rule 10), a doctor's clinic alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from orchestrator.planner.dialogue.plan_builders import ask, ask_question, call, say
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import table
from orchestrator.planner.understanding import Intent, NamedDoctor, Pointer, answer, doctors_of
from orchestrator.turn import BOOK, LIST, DateRange, Plan, Question, SlotFilter, Step, Topic, clock, listing_step

_CARRYING = frozenset({Topic.ASK_SPECIALTY, Topic.OFFER_SPECIALTY, Topic.ASK_WHICH_DOCTOR})
"""Questions whose answer goes on with the filter that was said before."""


def unknown_name(here: Situation) -> Plan | None:
    """Answer a clinic or doctor that does not exist."""
    if here.said.unknown_clinic and not here.said.clinics:
        return say(here, Topic.UNKNOWN_CLINIC, "No clinic of the registry has that name.")
    if here.said.doctors.unknown:
        return say(here, Topic.UNKNOWN_DOCTOR, "No clinic has a doctor of that name.")
    return None


def no_such_day(here: Situation) -> Plan | None:
    """Answer a day that no calendar has, and keep the rest of what was said for the next turn."""
    said = here.said
    if all(moment.exists for moment in said.moments.found):
        return None
    known = (
        {"doctor": here.doctor.name} if here.doctor else _talk_of(said.specialties) if said.specialties else here.known
    )
    question = Question(Topic.ASK_WHICH_OFFER, BOOK, known, here.wanted) if known else None
    return say(here, Topic.NO_SUCH_DAY, "The day that was named is in no calendar.", question=question)


def which_doctor(here: Situation) -> Plan | None:
    """Ask which doctor is meant when a name fits several."""
    doctors = here.doctors
    if len(doctors) <= len(here.said.doctors.spans):
        return None
    return ask(
        here,
        Topic.ASK_WHICH_DOCTOR,
        "The name fits several doctors.",
        action=BOOK if Intent.BOOK in here.said.cues.intents else LIST,
        known={} if here.slot is None else {"date": here.slot[0].isoformat(), "time": clock(here.slot[1])},
        choices=[doctor.name for doctor in doctors],
    )


def who_attends(here: Situation) -> Plan | None:
    """Offer all doctors to choose from when it is asked who they are."""
    said = here.said
    named = said.specialties or said.clinics or said.doctors.found or said.moments
    if named or not table("requests", "who_attends").search(said.text.folded):
        return None
    return ask(
        here,
        Topic.ASK_WHICH_DOCTOR,
        "It is asked who the doctors are.",
        action=LIST,
        choices=[doctor.name for doctor in doctors_of(here.clinics)],
    )


def list_openings(here: Situation) -> Plan | None:
    """List the openings of the doctors, specialties or clinics that were named."""
    said, question = here.said, here.session.question
    carried = question.filters if question is not None and question.topic in _CARRYING else SlotFilter()
    if here.chosen_doctor is not None:
        return _listed(here, _of_doctors([here.chosen_doctor]), {"doctor": here.chosen_doctor.name}, carried)
    filters = _refined(carried, here.wanted, said.pointer)
    if here.doctors:
        known = {"doctor": here.doctor.name} if here.doctor is not None else {}
        return _listed(here, _of_doctors(here.doctors), known, filters)
    same = here.doctor_talked_of if said.pointer.same_doctor and not said.specialties else None
    if same is not None and (said.cues.intents or said.pointer.choosing or here.is_asked(Topic.ASK_SPECIALTY)):
        return _listed(here, _of_doctors([same]), {"doctor": same.name}, filters)
    if (said.pointer.either or said.pointer.all) and here.is_asked(Topic.ASK_WHICH_DOCTOR):
        return _listed(here, _of_doctors(here.doctors_shown), {}, filters)
    answered = said.body if here.is_asked(Topic.ASK_SPECIALTY) and not said.complaints else ()
    specialties = said.specialties or answered
    if specialties:
        return _listed(here, _of_specialties(here, specialties), _talk_of(specialties), filters)
    return _listed(here, [listing_step(clinic) for clinic in said.clinics], {}, filters)


def continue_openings(here: Situation) -> Plan | None:
    """List openings of what was talked about: a yes to an offered specialty, another day, the earliest."""
    said, question = here.said, here.session.question
    listing = here.is_asked(Topic.ASK_WHICH_OFFER)
    when = said.moments or said.shift or said.pointer.earliest or said.pointer.any_day or said.pointer.any_time
    asks = when or Intent.OPENINGS in said.cues.intents or (listing and said.pointer.all and not said.pointer.both)
    offered = question is not None and question.topic is Topic.OFFER_SPECIALTY
    wants = said.cues.wonders or said.pointer.choosing or Intent.BOOK in said.cues.intents
    nods = said.is_bare and bool(said.text.words) and said.cues.chat is None
    agrees = offered and (wants or nods or answer(said.text.original) is True)
    if not asks and not agrees:
        return None
    before = SlotFilter() if question is None or said.pointer.all else question.filters
    filters = _refined(before, here.wanted, said.pointer)
    doctor = here.doctor_called(here.known.get("doctor", ""))
    if doctor is not None:
        return _listed(here, _of_doctors([doctor]), {"doctor": doctor.name}, filters)
    specialties = here.specialties_talked_of
    return _listed(here, _of_specialties(here, specialties), _talk_of(specialties), filters)


def ask_specialty(here: Situation) -> Plan | None:
    """Ask for the specialty of an appointment that names none, and no doctor."""
    said = here.said
    wanted = {Intent.BOOK, Intent.OPENINGS} & set(said.cues.intents)
    if not (wanted or said.moments or said.pointer.earliest):
        return None
    asked_before = here.session.question if here.is_asked(Topic.ASK_SPECIALTY) else None
    why = "An appointment is wanted; with which specialty was not said."
    filters = _refined(asked_before.filters if asked_before else SlotFilter(), here.wanted, said.pointer)
    return ask_question(here, Question(Topic.ASK_SPECIALTY, LIST, _wants_nearest(here), filters), why)


def _listed(here: Situation, steps: Sequence[Step], known: Mapping[str, str], filters: SlotFilter) -> Plan | None:
    if not steps:
        return None
    over = bool(filters.dates) and all(_is_over(here, span) for span in filters.dates)
    if over and (here.said.complaints or here.said.may_be_emergency):
        # "Senti uma dor ontem, quero um cardiologista" tells when it hurt, not when it suits.
        filters = replace(filters, dates=())
    elif over:
        return say(here, Topic.MOMENT_IN_PAST, "The day that was named is over.")
    nearest = _wants_nearest(here)
    return call(
        here,
        steps,
        "Openings are asked of every clinic that can have them.",
        question=Question(Topic.ASK_WHICH_OFFER, BOOK, {**known, **nearest}, filters),
        filters=filters,
        nearest=bool(nearest),
    )


def _is_over(here: Situation, span: DateRange) -> bool:
    return span.last < here.now.date() or here.has_come_round(span.first)


def _wants_nearest(here: Situation) -> dict[str, str]:
    question = here.session.question
    carried = question is not None and question.topic in _CARRYING and "nearest" in question.known
    return {"nearest": "yes"} if here.said.pointer.earliest or carried else {}


def _of_doctors(doctors: Iterable[NamedDoctor]) -> list[Step]:
    return [listing_step(doctor.clinic, doctor.name) for doctor in doctors]


def _of_specialties(here: Situation, specialties: Iterable[str]) -> list[Step]:
    clinics = [clinic for specialty in specialties for clinic in here.clinics_of(specialty)]
    return [listing_step(clinic) for clinic in clinics if not here.said.clinics or clinic in here.said.clinics]


def _talk_of(specialties: Sequence[str]) -> dict[str, str]:
    return {"specialty": " ".join(specialties)}


def _refined(before: SlotFilter, said: SlotFilter, pointer: Pointer) -> SlotFilter:
    return SlotFilter(
        dates=said.dates or (() if pointer.any_day else before.dates),
        times=said.times or (() if pointer.any_time else before.times),
        excluded_dates=before.excluded_dates + said.excluded_dates,
        excluded_weekdays=before.excluded_weekdays | said.excluded_weekdays,
    )
