"""Plans for finding an opening and taking it.

Listing asks every clinic of a specialty (blueprint, Rule 10), or the one clinic of a doctor. A booking is planned only
for a slot that is certain: one of the openings that were shown, or one named in full with doctor, day and time.
"""

from __future__ import annotations

from datetime import date, time

from orchestrator.plan import Plan, Question, Step, Topic
from orchestrator.planner.consent import answer
from orchestrator.planner.doctors import Doctor
from orchestrator.planner.drafts import BOOK, LIST, ask, booking, call, choice, clock, say, step
from orchestrator.planner.intents import Intent
from orchestrator.planner.situation import Situation
from orchestrator.session import Offer
from orchestrator.slot_filter import SlotFilter


def unknown_name(here: Situation) -> Plan | None:
    """A clinic or doctor that does not exist."""
    if here.said.unknown_clinic and not here.said.clinics:
        return say(here, Topic.UNKNOWN_CLINIC, "No clinic of the registry has that name.")
    if here.said.doctors.unknown:
        return say(here, Topic.UNKNOWN_DOCTOR, "No clinic has a doctor of that name.")
    return None


def which_doctor(here: Situation) -> Plan | None:
    """A name that fits several doctors is asked about; the answer goes on where this was."""
    doctors = here.doctors
    if len(doctors) < 2 or not _is_ambiguous(here, doctors):
        return None
    return ask(
        here,
        Topic.ASK_WHICH_DOCTOR,
        "The name fits several doctors.",
        action=BOOK if Intent.BOOK in here.said.cues.intents else LIST,
        known={} if here.slot is None else {"date": here.slot[0].isoformat(), "time": clock(here.slot[1])},
        choices=[doctor.name for doctor in doctors],
    )


def _is_ambiguous(here: Situation, doctors: tuple[Doctor, ...]) -> bool:
    """Whether one name fits them all, as opposed to several names for one doctor each."""
    return len(doctors) > len(here.said.doctors.spans)


def correct_proposal(here: Situation) -> Plan | None:
    """The open proposal with what was said changed ("não, melhor 10:30"), as a new proposal."""
    proposal = here.session.proposal
    if proposal is None or len(proposal.plan.steps) != 1 or not (here.said.moments.found or here.said.doctors.found):
        return None
    proposed = proposal.plan.steps[0]
    if proposed.action != BOOK or here.said.specialties or {Intent.MOVE, Intent.CANCEL} & set(here.said.cues.intents):
        return None
    return _take_one(here, _corrected(here, proposed)) or _picked(here)


def _corrected(here: Situation, proposed: Step) -> tuple[Offer, ...]:
    """The offers that agree with what was said, and else with the proposal."""
    fitting = tuple(offer for offer in _pool(here) if here.fits_every_moment(offer))
    if here.doctor is None and len(fitting) > 1:
        fitting = tuple(one for one in fitting if one.doctor == proposed.parameters["doctor"]) or fitting
    if not _says_day(here) and len(fitting) > 1:
        fitting = tuple(one for one in fitting if one.date.isoformat() == proposed.parameters["date"]) or fitting
    return fitting


def _says_day(here: Situation) -> bool:
    return any(moment.dates or moment.days for moment in here.said.moments.found)


def repeat_proposal(here: Situation) -> Plan | None:
    """A consent that names what is proposed ("pode marcar"): the same again."""
    proposal = here.session.proposal
    if proposal is None:
        return None
    actions = {one.action for one in proposal.plan.steps}
    consents = any(answer(here.said.text.original, action) for action in actions)
    return proposal.plan if consents else None


def pick_offer(here: Situation) -> Plan | None:
    """One of the openings that were shown, by number, name, day, time, or as the earliest."""
    if not here.session.offers or here.session.proposal is not None:
        return None
    return _picked(here)


def _picked(here: Situation) -> Plan | None:
    pointer, pool = here.said.pointer, _pool(here)
    fitting = tuple(offer for offer in pool if here.fits_every_moment(offer))
    if pointer.numbers and not here.said.moments.found:
        return _by_number(here, pool)
    if (pointer.earliest or pointer.latest) and fitting and not _asks(here):
        offer = min(fitting, key=_moment) if pointer.earliest else max(fitting, key=_moment)
        return _take_one(here, (offer,))
    says_time = any(moment.times for moment in here.said.moments.found)
    named = here.said.moments.found or here.said.doctors.found
    if named and (says_time or _takes(here)) and not _asks(here):
        return _take_one(here, fitting)
    if (pointer.this and _takes(here)) or answer(here.said.text.original, BOOK):
        return _take_one(here, here.session.offers) or _which_offer(here)
    return None


def _pool(here: Situation) -> tuple[Offer, ...]:
    """The offers of the doctors, clinics and specialties that were named; all of them when none was."""
    doctors = {doctor.name for doctor in here.doctors}
    return tuple(
        offer
        for offer in here.session.offers
        if (not doctors or offer.doctor in doctors)
        and (not here.said.clinics or offer.clinic in here.said.clinics)
        and (not here.said.specialties or here.specialty_of(offer.clinic) in here.said.specialties)
    )


def _by_number(here: Situation, pool: tuple[Offer, ...]) -> Plan | None:
    numbers = here.said.pointer.numbers
    chosen = tuple(offer for offer in pool if offer.number in numbers)
    if not chosen and len(numbers) == 1:
        chosen = tuple(offer for offer in pool if offer.date.day == numbers[0])
    return _take_one(here, chosen) or _which_offer(here)


def _which_offer(here: Situation) -> Plan:
    choices = [choice(offer, here.language) for offer in here.session.offers]
    known = dict(here.known)
    return ask(
        here, Topic.ASK_WHICH_OFFER, "The reference fits no single opening.", action=BOOK, known=known, choices=choices
    )


def _take_one(here: Situation, fitting: tuple[Offer, ...]) -> Plan | None:
    """Books the only opening that fits; None when it is not the only one."""
    if len(fitting) != 1:
        return None
    offer = fitting[0]
    if here.is_past(offer.date, offer.time):
        return say(here, Topic.MOMENT_IN_PAST, "The slot has already begun.")
    return call(
        here,
        [booking(offer.clinic, offer.doctor, offer.date, offer.time)],
        f"The utterance fits offer {offer.number} and no other.",
    )


def _takes(here: Situation) -> bool:
    return here.said.pointer.choosing or Intent.BOOK in here.said.cues.intents


def _asks(here: Situation) -> bool:
    """Whether openings are asked about rather than one taken."""
    cues = here.said.cues
    return Intent.OPENINGS in cues.intents and not here.said.pointer.choosing and not cues.books


def _moment(offer: Offer) -> tuple[object, ...]:
    return offer.date, offer.time, offer.clinic, offer.doctor


def book_named_slot(here: Situation) -> Plan | None:
    """A slot named in full: doctor, day and time, all certain."""
    doctor, slot = here.doctor, here.slot or _slot_said_before(here)
    if doctor is None or slot is None or _asks(here):
        return None
    if here.is_past(*slot):
        return say(here, Topic.MOMENT_IN_PAST, "The slot has already begun.")
    return call(
        here,
        [booking(doctor.clinic, doctor.name, *slot)],
        "Doctor, day and time were named in full.",
        question=_listing_question(doctor.specialty, doctor.name),
    )


def _slot_said_before(here: Situation) -> tuple[date, time] | None:
    """The slot that was named before it was asked which doctor."""
    question = here.session.question
    if question is None or question.topic is not Topic.ASK_WHICH_DOCTOR or here.said.moments:
        return None
    if question.action != BOOK or not {"date", "time"} <= set(question.known):
        return None
    return date.fromisoformat(question.known["date"]), time.fromisoformat(question.known["time"])


def list_openings(here: Situation) -> Plan | None:
    """The openings of what was named; a step for each clinic of a specialty."""
    steps = _list_steps(here)
    if not steps:
        return None
    filters = here.said.filter
    if here.session.question is not None and here.session.question.topic in _CARRYING and not here.said.moments:
        filters = here.session.question.filters
    if _all_past(here, filters):
        return say(here, Topic.MOMENT_IN_PAST, "The day that was named is over.")
    specialty = here.specialty_of(steps[0].clinic)
    return call(
        here,
        steps,
        "Openings are asked of every clinic that can have them.",
        question=_listing_question(specialty, steps[0].parameters.get("doctor")),
        filters=filters,
        nearest=here.said.pointer.earliest,
    )


_CARRYING = frozenset({Topic.ASK_SPECIALTY, Topic.OFFER_SPECIALTY, Topic.ASK_WHICH_DOCTOR})
"""Questions whose answer goes on with the filter that was said before."""


def _listing_question(specialty: str | None, doctor: str | None) -> Question:
    """What a list leaves open: which of them; it remembers what the list was of."""
    known = {name: value for name, value in (("specialty", specialty), ("doctor", doctor)) if value is not None}
    return Question(Topic.ASK_WHICH_OFFER, BOOK, known)


def _list_steps(here: Situation) -> list[Step]:
    doctors = here.doctors
    if doctors:
        return [step(doctor.clinic, LIST, doctor=doctor.name) for doctor in doctors]
    if here.said.specialties:
        clinics = [clinic for specialty in here.said.specialties for clinic in here.clinics_of(specialty)]
        return [step(clinic, LIST) for clinic in clinics if not here.said.clinics or clinic in here.said.clinics]
    return [step(clinic, LIST) for clinic in here.said.clinics]


def _all_past(here: Situation, filters: SlotFilter) -> bool:
    return bool(filters.dates) and all(span.last < here.now.date() for span in filters.dates)


def continue_openings(here: Situation) -> Plan | None:
    """An answer that goes on with openings: a yes to an offered specialty, a choice among doctors, another day."""
    question, said = here.session.question, here.said
    if question is not None and question.topic is Topic.ASK_WHICH_DOCTOR and len(said.pointer.numbers) == 1:
        chosen = question.choices[said.pointer.numbers[0] - 1 : said.pointer.numbers[0]]
        doctor = here.doctor_called(chosen[0]) if chosen else None
        return _continued(here, doctor, None, question.filters) if doctor is not None else None
    asks = said.moments or said.pointer.earliest or Intent.OPENINGS in said.cues.intents
    if question is not None and question.topic is Topic.OFFER_SPECIALTY:
        wanted = asks or _takes(here) or answer(said.text.original) is True
        return _continued(here, None, question.known.get("specialty"), question.filters) if wanted else None
    if not asks:
        return None
    return _continued(here, here.doctor_called(here.known.get("doctor", "")), _specialty_shown(here), SlotFilter())


def _specialty_shown(here: Situation) -> str | None:
    """The specialty that is being talked about."""
    offers = here.session.offers
    return here.known.get("specialty") or (here.specialty_of(offers[0].clinic) if offers else None)


def _continued(here: Situation, doctor: Doctor | None, specialty: str | None, filters: SlotFilter) -> Plan | None:
    if doctor is not None:
        steps = [step(doctor.clinic, LIST, doctor=doctor.name)]
        question = _listing_question(doctor.specialty, doctor.name)
    else:
        steps = [step(clinic, LIST) for clinic in here.clinics_of(specialty or "")]
        question = _listing_question(specialty, None)
    if not steps:
        return None
    return call(
        here,
        steps,
        "The turn goes on with what was asked before.",
        question=question,
        filters=here.said.filter or filters,
        nearest=here.said.pointer.earliest,
    )


def ask_specialty(here: Situation) -> Plan | None:
    """An appointment without a specialty or a doctor."""
    said = here.said
    if not ({Intent.BOOK, Intent.OPENINGS} & set(said.cues.intents) or said.moments or said.pointer.earliest):
        return None
    return ask(here, Topic.ASK_SPECIALTY, "An appointment is wanted; with which specialty was not said.", action=LIST)
