"""What a turn knows of the openings, and why it cannot answer a question about them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from orchestrator import turn


@dataclass(frozen=True, slots=True)
class OpeningSnapshot:
    """What a turn knows of the openings when it answers."""

    openings: tuple[turn.Offer, ...]  # all that the clinics asked have, unfiltered, those on the screen among them
    clinics: tuple[turn.Clinic, ...]  # of the registry
    asked: frozenset[str]  # ids of the clinics that were asked for their openings
    today: date  # in America/Sao_Paulo
    silent: frozenset[str] = frozenset()  # ids of the clinics that were asked and did not answer
    shown: frozenset[int] = frozenset()  # numbers of the list on the screen
    list_filter: turn.Filter = turn.ANY_OPENING  # filter of the list on the screen

    @property
    def asked_clinics(self) -> tuple[turn.Clinic, ...]:
        """The clinics that were asked."""
        return tuple(clinic for clinic in self.clinics if clinic.id in self.asked)


def snapshot_of(
    results: Sequence[turn.StepResult], plan: turn.Plan, session: turn.Session, clinics: Sequence[turn.Clinic]
) -> OpeningSnapshot:
    """Return what a turn knows of the openings: those read, with the numbers that they have on the screen."""
    numbers = {offer.slot: offer for offer in session.printed}
    read = (
        numbers.get(offer.slot, replace(offer, number=0)) for offer in turn.openings_of(results, turn.ANYTHING).listed
    )
    listings = [result for result in results if isinstance(result.step.call, turn.ListOpenings)]
    asked = frozenset(result.step.clinic for result in listings)
    return OpeningSnapshot(
        openings=tuple(read),
        clinics=tuple(clinics),
        asked=asked,
        today=date.min if plan.reply is None else plan.reply.today,
        silent=asked - {result.step.clinic for result in listings if result.status is turn.StepStatus.DONE},
        shown=frozenset(offer.number for offer in session.printed),
        list_filter=session.question.wish.filter if session.question is not None else turn.ANY_OPENING,
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

    question: turn.OpeningQuestion
    why: WhyRefused
    about: str = ""  # an opening, a doctor, a clinic's id or what else is wrong

    @property
    def reason(self) -> str:
        """The reason in one line of English, for the model."""
        return self.why.format(about=self.about)


def told(slot: turn.Appointment) -> str:
    """Return an opening in words for the model."""
    return f"{slot.begin:%Y-%m-%d %H:%M} {slot.doctor}"


def faults_of(question: turn.OpeningQuestion, snapshot: OpeningSnapshot) -> Iterator[tuple[WhyRefused, str]]:
    """Yield what is wrong with a question, each with what it is about."""
    scope = turn.scope_of(question)
    known = {one.slot for one in snapshot.openings}
    yield from ((WhyRefused.NOT_OPEN, told(slot)) for slot in turn.openings_named(question) if slot not in known)
    yield from ((why, "") for why in _faults_of_kind(question, snapshot))
    if scope is None:
        return
    if not scope.among_shown:
        sides = question.sides if isinstance(question, turn.Compare | turn.DaysOfBoth) else ()
        for wanted in (scope.filter, *(turn.all_of((scope.filter, side)) for side in sides)):
            yield from _faults_of_filter(wanted, snapshot)
    elif not snapshot.shown:
        yield WhyRefused.NOTHING_SHOWN, ""


def _faults_of_kind(question: turn.OpeningQuestion, snapshot: OpeningSnapshot) -> Iterator[WhyRefused]:
    match question:
        case turn.Gap(first, second) if first == second:
            yield WhyRefused.OPENINGS
        case turn.Fits(openings=()):
            yield WhyRefused.OPENINGS
        case turn.Fits(scope=turn.OpeningScope(filter=wanted)) if wanted == turn.ANY_OPENING:
            yield WhyRefused.EMPTY_CONDITION
        case turn.Best(order=order, at=at) | turn.Pick(best=turn.Best(order=order, at=at)) if (
            order is turn.Order.NEAREST
        ) != bool(at):
            yield WhyRefused.NO_TIME
        case turn.Compare(sides=sides) | turn.DaysOfBoth(sides=sides):
            if len(set(sides)) < max(len(sides), 2) or len({type(side) for side in sides}) > 1:
                yield WhyRefused.SIDES
        case turn.AskedOfAll(turn.OfAll.WHY_NOT) if snapshot.list_filter == turn.ANY_OPENING and not snapshot.shown:
            yield WhyRefused.NOTHING_SHOWN


def _faults_of_filter(wanted: turn.Filter, snapshot: OpeningSnapshot) -> Iterator[tuple[WhyRefused, str]]:
    asked = snapshot.asked_clinics
    # A clinic that has no opening of the filter in any case need not be asked.
    ruled_out = {clinic.id for clinic in snapshot.clinics if not turn.fitting_doctors(wanted, clinic)}
    yield from ((WhyRefused.NOT_READ, missing) for missing in _unread(wanted, snapshot) if missing not in ruled_out)
    candidates = [clinic for clinic in asked if turn.fitting_doctors(wanted, clinic)]
    if all(clinic.id in snapshot.silent for clinic in candidates or asked):
        yield WhyRefused.NO_ANSWER, ""


def _unread(part: turn.Filter, snapshot: OpeningSnapshot) -> Iterator[str]:
    """Yield what a filter names and nobody was asked for: "none" would be said of it without knowledge."""
    match part:
        case turn.AllOf(parts) | turn.AnyOf(parts):
            for inner in parts:
                yield from _unread(inner, snapshot)
        case turn.AtClinics(ids) | turn.OfSpecialty(clinics=ids):
            yield from sorted(ids - snapshot.asked)
        case turn.WithDoctors(names) if all(clinic.doctors for clinic in snapshot.asked_clinics):
            yield from sorted(names - {doctor for clinic in snapshot.asked_clinics for doctor in clinic.doctors})
