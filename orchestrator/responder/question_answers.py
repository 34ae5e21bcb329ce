"""Compute the answers to questions about openings over one snapshot, or why there is none; `answer_clauses` words them.

A count, a superlative or a "none" is what the openings say, whatever the one who asks believes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from operator import attrgetter

from orchestrator import turn

_IN_ORDER = attrgetter("date", "time", "doctor")


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
    listed = turn.openings_of(results, turn.ANYTHING).listed
    read = (numbers.get(offer.slot, replace(offer, number=0)) for offer in listed)
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
    scope, known = turn.scope_of(question), {one.slot for one in snapshot.openings}
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


@dataclass(frozen=True, slots=True)
class FoundOpenings:
    """The openings that answer a question, by day, time and doctor."""

    question: turn.AskedOfAll | turn.Best | turn.Pick | turn.Gap | turn.Fits
    # AskedOfAll: those of the scope, for WHY_NOT those that the filter of the list hid; Best: all that are equally
    # good; Pick: the one picked; Gap: both; Fits: those that fit
    openings: tuple[turn.Offer, ...]
    # Pick: those that are as good; Fits: those that do not fit; WHY_NOT: those of the scope that the filter let through
    others: tuple[turn.Offer, ...] = ()
    list_filter: turn.Filter = turn.ANY_OPENING  # WHY_NOT: the filter of the list on the screen
    doctors_without: tuple[str, ...] = ()  # of the clinics that answered, admitted by the scope, with no opening in it


@dataclass(frozen=True, slots=True)
class ComparedSides:
    """The openings of each side of a comparison, in the order of the question."""

    question: turn.Compare
    sides: tuple[tuple[turn.Offer, ...], ...]  # by count all of a side, else its best
    winners: tuple[int, ...]  # indexes; several for a tie, none where no side has openings


@dataclass(frozen=True, slots=True)
class CommonDays:
    """The days on which every side has openings."""

    question: turn.DaysOfBoth
    days: tuple[date, ...]


QuestionAnswer = FoundOpenings | ComparedSides | CommonDays | turn.Treats  # the answer to `Treats` is itself


def answer_of(question: turn.OpeningQuestion, snapshot: OpeningSnapshot) -> QuestionAnswer | RefusedQuestion:
    """Return what the snapshot says to a question, or why it says nothing."""
    for why, about in faults_of(question, snapshot):
        return RefusedQuestion(why, about)
    match question:
        case turn.Compare():
            return _compared(question, snapshot)
        case turn.DaysOfBoth(scope, sides):
            days = [{one.date for one in _within(scope, snapshot) if turn.fits(side, one)} for side in sides]
            return CommonDays(question, tuple(sorted(set.intersection(*days))))
        case turn.Pick():
            return _picked(question, snapshot)
        case turn.Treats():
            return question
        case _:
            return _found(question, snapshot)


def silent_clinics(question: turn.OpeningQuestion, snapshot: OpeningSnapshot) -> tuple[str, ...]:
    """Return the ids of clinics that did not answer and whose openings could change the answer."""
    scope = turn.scope_of(question)
    if scope is None or scope.among_shown:
        return ()
    sides: tuple[turn.Condition, ...] = ()
    match question:
        case turn.Fits() | turn.AskedOfAll(turn.OfAll.WHY_NOT):
            return ()
        case turn.Compare() | turn.DaysOfBoth():
            sides = question.sides
    wanted = turn.all_of((scope.filter, turn.any_of(sides))) if sides else scope.filter
    silent = (one for one in snapshot.asked_clinics if one.id in snapshot.silent)
    return tuple(one.id for one in silent if turn.fitting_doctors(wanted, one))


def _found(question: turn.AskedOfAll | turn.Best | turn.Gap | turn.Fits, snapshot: OpeningSnapshot) -> FoundOpenings:
    match question:
        case turn.Best(scope, order, at):
            return FoundOpenings(question, turn.best_of(_within(scope, snapshot), turn.rank_of(order, at)))
        case turn.Gap(first, second):
            both = [one for one in snapshot.openings if one.slot in {first, second}]
            return FoundOpenings(question, tuple(sorted(both, key=_IN_ORDER)))
        case turn.Fits(openings, scope):
            asked = [one for one in snapshot.openings if one.slot in openings]
            return _parted(question, asked, [one for one in asked if _lies_in(one, scope, snapshot)])
        case turn.AskedOfAll(turn.OfAll.WHY_NOT, scope):
            missed = _within(scope, snapshot)
            hidden = [one for one in missed if not turn.fits(snapshot.list_filter, one)]
            return replace(_parted(question, missed, hidden), list_filter=snapshot.list_filter)
        case _:
            found = _within(question.scope, snapshot)
            answered = [one for one in snapshot.asked_clinics if one.id not in snapshot.silent]
            doctors = {name for one in answered for name in turn.fitting_doctors(question.scope.filter, one)}
            without = doctors - {"", *(one.doctor for one in found)}
            return FoundOpenings(question, found, doctors_without=tuple(sorted(without)))


def _parted(
    question: turn.Fits | turn.AskedOfAll, openings: Sequence[turn.Offer], inside: Sequence[turn.Offer]
) -> FoundOpenings:
    others = [one for one in openings if one not in inside]
    return FoundOpenings(question, tuple(sorted(inside, key=_IN_ORDER)), tuple(sorted(others, key=_IN_ORDER)))


def _picked(question: turn.Pick, snapshot: OpeningSnapshot) -> FoundOpenings | RefusedQuestion:
    scope, order, at = question.best.scope, question.best.order, question.best.at
    within = _within(scope, snapshot)
    best = turn.best_of(within, turn.rank_of(order, at))
    if picked := tuple(one for one in best if one.slot == question.opening):
        return FoundOpenings(question, picked, tuple(one for one in best if one not in picked))
    if all(one.slot != question.opening for one in within):
        return RefusedQuestion(WhyRefused.PICK_OUTSIDE, told(question.opening))
    return RefusedQuestion(WhyRefused.PICK_NOT_BEST, ", ".join(told(one.slot) for one in best))


def _compared(question: turn.Compare, snapshot: OpeningSnapshot) -> ComparedSides:
    scope = _within(question.scope, snapshot)
    sides = [tuple(one for one in scope if turn.fits(side, one)) for side in question.sides]
    if question.by is None:
        ranks = [-len(side) for side in sides]
    else:
        rank = turn.rank_of(question.by)
        sides = [turn.best_of(side, rank) for side in sides]
        ranks = [rank(side[0]) if side else 0 for side in sides]
    top = min((rank for rank, side in zip(ranks, sides, strict=True) if side), default=None)
    winners = [at for at, side in enumerate(sides) if side and ranks[at] == top]
    return ComparedSides(question, tuple(sides), tuple(winners))


def _within(scope: turn.OpeningScope, snapshot: OpeningSnapshot) -> tuple[turn.Offer, ...]:
    return tuple(sorted((one for one in snapshot.openings if _lies_in(one, scope, snapshot)), key=_IN_ORDER))


def _lies_in(offer: turn.Offer, scope: turn.OpeningScope, snapshot: OpeningSnapshot) -> bool:
    return (not scope.among_shown or offer.number in snapshot.shown) and turn.fits(scope.filter, offer)
