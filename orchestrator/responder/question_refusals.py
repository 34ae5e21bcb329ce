"""What a turn knows of the openings, and why it cannot answer a question about them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from orchestrator.turn import (
    ANY_OPENING,
    ANYTHING,
    AllOf,
    AnyOf,
    Appointment,
    AtClinics,
    Best,
    Clinic,
    Compare,
    DaysOfBoth,
    Filter,
    Fits,
    Gap,
    ListOpenings,
    Offer,
    OfSpecialty,
    OpeningQuestion,
    OpeningScope,
    Order,
    Pick,
    Plan,
    Session,
    StepResult,
    StepStatus,
    WhyNot,
    WithDoctors,
    all_of,
    fitting_doctors,
    openings_named,
    openings_of,
    scope_of,
)


@dataclass(frozen=True, slots=True)
class OpeningSnapshot:
    """What a turn knows of the openings when it answers."""

    openings: tuple[Offer, ...]  # all that the clinics asked have, unfiltered, those on the screen among them
    clinics: tuple[Clinic, ...]  # of the registry
    asked: frozenset[str]  # ids of the clinics that were asked for their openings
    today: date  # in America/Sao_Paulo
    silent: frozenset[str] = frozenset()  # ids of the clinics that were asked and did not answer
    shown: frozenset[int] = frozenset()  # numbers of the list on the screen
    list_filter: Filter = ANY_OPENING  # filter of the list on the screen

    @property
    def asked_clinics(self) -> tuple[Clinic, ...]:
        """The clinics that were asked."""
        return tuple(clinic for clinic in self.clinics if clinic.id in self.asked)


def snapshot_of(
    results: Sequence[StepResult], plan: Plan, session: Session, clinics: Sequence[Clinic]
) -> OpeningSnapshot:
    """Return what a turn knows of the openings: those read, with the numbers that they have on the screen."""
    numbers = {offer.slot: offer for offer in session.printed}
    read = (numbers.get(offer.slot, replace(offer, number=0)) for offer in openings_of(results, ANYTHING).listed)
    listings = [result for result in results if isinstance(result.step.call, ListOpenings)]
    asked = frozenset(result.step.clinic for result in listings)
    return OpeningSnapshot(
        openings=tuple(read),
        clinics=tuple(clinics),
        asked=asked,
        today=date.min if plan.reply is None else plan.reply.today,
        silent=asked - {result.step.clinic for result in listings if result.status is StepStatus.DONE},
        shown=frozenset(offer.number for offer in session.printed),
        list_filter=session.question.wish.filter if session.question is not None else ANY_OPENING,
    )


class WhyRefused(StrEnum):
    """Why a question has no answer; the value is what a model reads."""

    NOT_OPEN = "{about} is no longer open"
    OPENINGS = "a gap needs two different openings, and fits one or more"
    EMPTY_CONDITION = "the scope has no condition"
    NOT_READ = "{about} was not read in this turn; read it first"
    NO_ANSWER = "no clinic of this scope answered"
    NOTHING_SHOWN = "no list is on the screen"
    NO_TIME = "nearest needs a time, and nothing else takes one"
    SIDES = "sides must be two or more, different, and conditions of one kind"
    PICK_OUTSIDE = "{about} does not lie in the scope"
    PICK_NOT_BEST = "the reason does not hold for this opening, but for {about}"


@dataclass(frozen=True, slots=True)
class RefusedQuestion:
    """A question that has no answer."""

    question: OpeningQuestion
    why: WhyRefused
    about: str = ""  # an opening, a doctor, a clinic's id or what else is wrong

    @property
    def reason(self) -> str:
        """The reason in one line of English, for the model."""
        return self.why.format(about=self.about)


def told(slot: Appointment) -> str:
    """Return an opening in words for the model."""
    return f"{slot.begin:%Y-%m-%d %H:%M} {slot.doctor}"


def faults_of(question: OpeningQuestion, snapshot: OpeningSnapshot) -> Iterator[tuple[WhyRefused, str]]:
    """Yield what is wrong with a question, each with what it is about."""
    scope = scope_of(question)
    known = {one.slot for one in snapshot.openings}
    yield from ((WhyRefused.NOT_OPEN, told(slot)) for slot in openings_named(question) if slot not in known)
    yield from ((why, "") for why in _faults_of_kind(question, snapshot))
    if scope is not None:
        if scope.among_shown and not snapshot.shown:
            yield WhyRefused.NOTHING_SHOWN, ""
        sides = question.sides if isinstance(question, Compare | DaysOfBoth) else ()
        for wanted in (scope.filter, *(all_of((scope.filter, side)) for side in sides)):
            yield from _faults_of_filter(wanted, snapshot, is_read=scope.among_shown)


def _faults_of_kind(question: OpeningQuestion, snapshot: OpeningSnapshot) -> Iterator[WhyRefused]:
    match question:
        case Gap(first, second) if first == second:
            yield WhyRefused.OPENINGS
        case Fits(openings=()):
            yield WhyRefused.OPENINGS
        case Fits(scope=OpeningScope(filter=wanted)) if wanted == ANY_OPENING:
            yield WhyRefused.EMPTY_CONDITION
        case Best(order=order, at=at) | Pick(best=Best(order=order, at=at)) if (order is Order.NEAREST) != bool(at):
            yield WhyRefused.NO_TIME
        case Compare(sides=sides) | DaysOfBoth(sides=sides):
            if len(set(sides)) < max(len(sides), 2) or len({type(side) for side in sides}) > 1:
                yield WhyRefused.SIDES
        case WhyNot() if snapshot.list_filter == ANY_OPENING and not snapshot.shown:
            yield WhyRefused.NOTHING_SHOWN


def _faults_of_filter(wanted: Filter, snapshot: OpeningSnapshot, *, is_read: bool) -> Iterator[tuple[WhyRefused, str]]:
    if is_read:
        return
    asked = snapshot.asked_clinics
    # A clinic that has no opening of the filter in any case need not be asked.
    ruled_out = {clinic.id for clinic in snapshot.clinics if not fitting_doctors(wanted, clinic)}
    yield from ((WhyRefused.NOT_READ, missing) for missing in _unread(wanted, snapshot) if missing not in ruled_out)
    candidates = [clinic for clinic in asked if fitting_doctors(wanted, clinic)]
    if all(clinic.id in snapshot.silent for clinic in candidates or asked):
        yield WhyRefused.NO_ANSWER, ""


def _unread(part: Filter, snapshot: OpeningSnapshot) -> Iterator[str]:
    """Yield what a filter names and nobody was asked for: "none" would be said of it without knowledge."""
    match part:
        case AllOf(parts) | AnyOf(parts):
            for inner in parts:
                yield from _unread(inner, snapshot)
        case AtClinics(ids) | OfSpecialty(clinics=ids):
            yield from sorted(ids - snapshot.asked)
        case WithDoctors(names) if all(clinic.doctors for clinic in snapshot.asked_clinics):
            yield from sorted(names - {doctor for clinic in snapshot.asked_clinics for doctor in clinic.doctors})
