"""What the clinics answer in a turn: typed facts, receipts of writes, openings to show and number, what a person holds.

Openings of all clinics form one list in order of date, time, clinic id and doctor (blueprint 2.3.3, Rule 9).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time
from operator import attrgetter

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.opening_filter import ANY_OPENING, Filter, all_of, any_of, conditions_of, fits
from orchestrator.turn.plan import Plan, SlotPreference, Step
from orchestrator.turn.proposals import RepeatablePlan, plan_of_openings, proposal_to_repeat
from orchestrator.turn.routing import Evidence, StepResult
from orchestrator.turn.session import Offer, Proposal, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import LIST_APPOINTMENTS, Appointment, ToolCall, is_write
from orchestrator.turn.wish import Wish, at_begin_of, nearest, spans_of

NEAREST = 5  # how many openings are shown when none fits the filter
LONGEST_WHOLE = 12  # how many openings are still printed whole where lists are to be short
Lookup = Callable[[Sequence[Step]], tuple[StepResult, ...]]  # send reads to the clinics


@dataclass(frozen=True, slots=True)
class Answers:
    """What a reply rests on: the utterance, and what the clinics returned for it."""

    utterance: str = field(repr=False)  # what the person wrote
    results: tuple[StepResult, ...] = ()  # the outcome of each step
    evidence: Evidence = field(default_factory=Evidence, repr=False)  # the same as typed facts
    receipts: tuple[Receipt, ...] = ()  # the writes that a clinic acknowledged
    stated: tuple[str, ...] = ()  # what the clinics state of themselves, where the reply may tell it

    @classmethod
    def of(cls, utterance: str, results: Sequence[StepResult] = (), stated: Iterable[str] = ()) -> "Answers":
        """Return the answers of a turn; raise ValueError for a date or time that is not in the contract's form."""
        return cls(utterance, tuple(results), Evidence.of(results), receipts_of(results), tuple(stated))


def receipts_of(results: Iterable[StepResult]) -> tuple[Receipt, ...]:
    """Return the receipts of a turn, in the order of its steps."""
    return tuple(receipt for receipt in map(receipt_of, results) if receipt is not None)


def receipt_of(result: StepResult) -> Receipt | None:
    """Return the receipt of a step, None without an acknowledgement; raise ValueError for a malformed date or time."""
    clinic = result.step.clinic
    match result.response:
        case pb.BookAppointmentResponse(appointment=booked):
            return Receipt(ReceiptKind.CONFIRMED, appointment_of(clinic, booked))
        case pb.RescheduleAppointmentResponse(new_appointment=new, original_appointment=original):
            return Receipt(ReceiptKind.RESCHEDULED, appointment_of(clinic, new), appointment_of(clinic, original))
        case pb.CancelAppointmentResponse(cancelled_appointment=cancelled):
            return Receipt(ReceiptKind.CANCELLED, appointment_of(clinic, cancelled))
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Openings:
    """What a turn offers."""

    # what list steps returned and the filter admits, in order; the nearest others, nearest first, when it admits none
    listed: tuple[Offer, ...]
    hidden: int  # how many openings of list steps are not in `listed`
    fits: bool  # whether `listed` is what the filter admits
    filter: Filter  # the filter of the wish that was applied
    alternatives: tuple[Offer, ...]  # what refusals named instead; numbered on from `listed`
    until: date | None = None  # the day of the last opening that is known, where all days asked for come after it


def offers_of(
    results: Sequence[StepResult], wish: Wish, reminders: Sequence[SlotPreference] = ()
) -> tuple[Offer, ...] | None:
    """Return the openings that an answer to `results` shows, as they are numbered there.

    None when the answer is not about openings, so that those shown before still stand.
    """
    openings = openings_of(results, wish, reminders)
    shown = openings.listed + openings.alternatives
    listing = any(isinstance(result.response, pb.ListAvailableSlotsResponse) for result in results)
    return shown if shown or listing else None


def openings_of(results: Iterable[StepResult], wish: Wish, reminders: Sequence[SlotPreference] = ()) -> Openings:
    """Return the openings that a turn offers, unsuitable ones last; raise ValueError for a malformed date or time."""
    found: list[Offer] = []
    named: list[Offer] = []
    for result in results:
        if isinstance(result.response, pb.ListAvailableSlotsResponse):
            found += _offers(result.step.clinic, result.response.available_slots)
        for detail in result.error.details if result.error is not None else ():
            if isinstance(detail, pb.SlotAlternatives):
                near = ANY_OPENING if result.step.taken is None else at_begin_of(result.step.taken)
                others = _ordered(_offers(result.step.clinic, detail.slots))
                named += nearest(others, near, len(others))
    link, admitted = wish.narrowed_to(found)
    suitable = all_of(one.suits for one in reminders if one.binding or one.disliked)
    others = [] if admitted else [one for one in found if fits(suitable, one)] or found
    in_order = _ordered(admitted) or nearest(_ordered(others), wish.widest, NEAREST)
    named = [replace(one, unsuitable=not fits(suitable, one)) for one in named]
    if suitable != ANY_OPENING:
        marked = (replace(one, unsuitable=not fits(suitable, one)) for one in in_order)
        in_order = sorted(marked, key=attrgetter("unsuitable"))
    listed = _numbered(in_order)
    last = max((offer.date for offer in found), default=date.max)
    spans = () if admitted else spans_of(all_of(conditions_of(wish.widest, denied=False)))
    return Openings(
        listed=listed,
        hidden=len(set(found)) - len(listed),
        fits=bool(admitted) or not found,
        filter=link,
        alternatives=_numbered(named, after=len(listed)),
        until=last if spans and all(span.first > last for span in spans) else None,
    )


def _offers(clinic: str, slots: Iterable[pb.Slot]) -> Iterator[Offer]:
    for slot in slots:
        at = date.fromisoformat(slot.date), time.fromisoformat(slot.time)
        yield Offer(0, clinic, slot.doctor, slot.specialty, *at, duration_min=slot.duration_min)


def _ordered(offers: Iterable[Offer]) -> list[Offer]:
    return sorted(set(offers), key=attrgetter("date", "time", "clinic", "doctor"))


def _numbered(offers: Iterable[Offer], after: int = 0) -> tuple[Offer, ...]:
    return tuple(replace(offer, number=number) for number, offer in enumerate(dict.fromkeys(offers), after + 1))


def spread(openings: Sequence[Offer], most: int) -> tuple[Offer, ...]:
    """Return openings that differ, at most so many and in their order; where some suit the person, those alone.

    The earliest is chosen, then the earliest of each other clinic, then those of the most other days and doctors.
    """
    left, chosen = [one for one in openings if not one.unsuitable] or list(openings), list[Offer]()
    while left and len(chosen) < most:
        clinics, days, doctors = ({getattr(one, name) for one in chosen} for name in ("clinic", "date", "doctor"))
        others = [(one.date not in days) + (one.doctor not in doctors) for one in left]
        news = [new if one.clinic in clinics else 3 for one, new in zip(left, others, strict=True)]
        chosen.append(left.pop(news.index(max(news))))
    return tuple(one for one in openings if one in chosen)


def numbered(openings: Sequence[Offer], plan: Plan, session: Session) -> tuple[Offer, ...]:
    """Return all openings of a list, each with its number on the screen; 0 for those that are not printed.

    What was printed before keeps its number when a plan asks for more.
    """
    before = {one.slot: one.number for one in session.offers if 0 < one.number <= plan.printed}
    rest = [one for one in openings if one.slot not in before] if before else openings
    whole = plan.whole or session.page is None or (not plan.printed and len(rest) <= LONGEST_WHOLE)
    page = rest if whole or session.page is None else spread(rest, session.page)
    numbers = {one: number for number, one in enumerate(page, plan.printed + 1)}
    return tuple(replace(one, number=numbers.get(one) or before.get(one.slot, 0)) for one in openings)


def answers_of(utterance: str, results: Sequence[StepResult], plan: Plan, clinics: Sequence[Clinic]) -> Answers:
    """Return the answers of a turn with what is stated by the clinics that were asked about, or written to."""
    told = {result.step.clinic for result in results if is_write(result.step.action)}
    for asked in (plan.asked, plan.asked and plan.asked.ahead):
        told.update(() if asked is None else asked.clinics)
    stated = [text for one in clinics if one.id in told for text in (one.place, *one.stated())]
    known, answers = {one.id: one for one in clinics}, Answers.of(utterance, results)
    slots = [one.appointment for one in answers.receipts if one.appointment.clinic in known]
    ends = (slot.begin - known[slot.clinic].change_notice for slot in slots)
    return replace(answers, stated=(*stated, *(f"{end:%Y-%m-%d %H:%M}" for end in ends)))


def session_after(session: Session, repeatable: RepeatablePlan, answers: Answers, proposal: Proposal | None) -> Session:
    """Return the session with receipts and offers of a turn; `proposal` is the one that was open before it."""
    plan = repeatable.plan
    # An answer without a table leaves the numbers on the screen as they are.
    listed = offers_of(answers.results, plan.wish, plan.reminders) if (plan.reply is None or plan.reply.shown) else None
    offers = session.offers if listed is None else numbered(listed, plan, session)
    taken = {receipt.appointment for receipt in answers.receipts}
    offers = tuple(offer for offer in offers if offer.slot not in taken)
    if taken and plan.question is not None and plan.question.waiting:  # the list for what is still to be booked
        left = any_of(wish.widest for wish in plan.question.waiting)
        offers = numbered([one for one in offers if fits(left, one)], plan, session)
    return replace(
        session,
        receipts=(*session.receipts, *answers.receipts),
        offers=offers,
        printed_before=session.known_openings,
        proposal=proposal_to_repeat(repeatable, answers.results, proposal) or session.proposal,
    )


def openings_instead(plan: Plan, look_up: Lookup) -> tuple[Plan | None, tuple[Appointment, ...]]:
    """Return the plan that shows what is open, where a plan is to take a slot that is not; else what it takes."""
    taken = [slot for step in plan.steps if (slot := step.taken) is not None]
    if not taken:
        return None, ()
    looked_up = plan_of_openings(plan, taken)
    open_slots = {slot: slot for slot in Evidence.of(look_up(looked_up.steps)).listed}
    gone = {*taken} - open_slots.keys()
    if gone and len(gone) < len(taken):
        return plan_of_openings(plan, sorted(gone, key=taken.index), sorted({*taken} - gone, key=taken.index)), ()
    return (looked_up, ()) if gone else (None, tuple(open_slots[slot] for slot in taken))


def with_own_appointments(session: Session, clinics: Sequence[Clinic], look_up: Lookup) -> Session:
    """Return the session with what all clinics list, asked once a turn; what silent ones are known to hold stays."""
    if session.knows_own:
        return session
    # Numbered below the steps of any plan. A clinic that asks for no token cannot know who asks.
    asked = [one.id for one in clinics if one.knows_callers]
    results = look_up([Step(-number, one, ToolCall(LIST_APPOINTMENTS)) for number, one in enumerate(asked, 1)])
    answered = {result.step.clinic for result in results if isinstance(result.response, pb.ListAppointmentsResponse)}
    found = [held for result in results for held in own_appointments_of(result)]
    latest = {held: held for held in found}  # a slot that was given back and taken again has another id
    known = [latest.get(held, held) for held in session.appointments if held in latest or held.clinic not in answered]
    new = sorted(set(found).difference(known), key=attrgetter("date", "time", "clinic", "doctor"))
    return replace(
        session,
        listed=(*new, *known),
        listed_receipts=len(session.receipts),
        silent=tuple(result.step.clinic for result in results if result.step.clinic not in answered),
        knows_own=True,
    )


def own_appointments_of(result: StepResult) -> tuple[Appointment, ...]:
    """Return the appointments that a clinic lists, in its order; none for another answer."""
    if not isinstance(result.response, pb.ListAppointmentsResponse):
        return ()
    return tuple(appointment_of(result.step.clinic, one) for one in result.response.appointments)


def appointment_of(clinic: str, message: pb.Appointment | pb.AppointmentSummary) -> Appointment:
    """Return an appointment as the rest of the program knows it; raise ValueError for a malformed date or time."""
    at = date.fromisoformat(message.date), time.fromisoformat(message.time)
    return Appointment(clinic, message.doctor, *at, message.appointment_id, message.revision, message.duration_min)
