"""Compute the answers to questions about openings over one snapshot; `question_words` words them.

A count, a superlative or a "none" is what the openings say, whatever the one who asks believes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, time

from orchestrator import turn
from orchestrator.responder.question_refusals import OpeningSnapshot, RefusedQuestion, WhyRefused, faults_of, told


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
        return RefusedQuestion(question, why, about)
    match question:
        case turn.Compare():
            answer: QuestionAnswer | RefusedQuestion = _compared(question, snapshot)
        case turn.DaysOfBoth(scope, sides):
            days = [{one.date for one in _within(scope, snapshot) if turn.fits(side, one)} for side in sides]
            answer = CommonDays(question, tuple(sorted(set.intersection(*days))))
        case turn.Pick():
            answer = _picked(question, snapshot)
        case turn.Treats():
            answer = question
        case _:
            answer = _found(question, snapshot)
    return answer


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
    return tuple(
        one.id for one in snapshot.asked_clinics if one.id in snapshot.silent and turn.fitting_doctors(wanted, one)
    )


def _found(question: turn.AskedOfAll | turn.Best | turn.Gap | turn.Fits, snapshot: OpeningSnapshot) -> FoundOpenings:
    match question:
        case turn.Best(scope, order, at):
            return FoundOpenings(question, turn.best_of(_within(scope, snapshot), turn.rank_of(order, at)))
        case turn.Gap(first, second):
            both = [one for one in snapshot.openings if one.slot in {first, second}]
            return FoundOpenings(question, tuple(sorted(both, key=_moment)))
        case turn.Fits(openings, scope):
            asked = [one for one in snapshot.openings if one.slot in openings]
            inside = [one for one in asked if _lies_in(one, scope, snapshot)]
            return _parted(question, asked, inside)
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
    return FoundOpenings(question, tuple(sorted(inside, key=_moment)), tuple(sorted(others, key=_moment)))


def _picked(question: turn.Pick, snapshot: OpeningSnapshot) -> FoundOpenings | RefusedQuestion:
    scope, order, at = question.best.scope, question.best.order, question.best.at
    within = _within(scope, snapshot)
    best = turn.best_of(within, turn.rank_of(order, at))
    picked = tuple(one for one in best if one.slot == question.opening)
    if picked:
        return FoundOpenings(question, picked, tuple(one for one in best if one not in picked))
    if all(one.slot != question.opening for one in within):
        return RefusedQuestion(question, WhyRefused.PICK_OUTSIDE, told(question.opening))
    return RefusedQuestion(question, WhyRefused.PICK_NOT_BEST, ", ".join(told(one.slot) for one in best))


def _compared(question: turn.Compare, snapshot: OpeningSnapshot) -> ComparedSides:
    scope = _within(question.scope, snapshot)
    sides = [tuple(one for one in scope if turn.fits(side, one)) for side in question.sides]
    if question.by is turn.Comparison.COUNT:
        ranks = [-len(side) for side in sides]
    else:
        rank = turn.rank_of(turn.Order(question.by.value))
        sides = [turn.best_of(side, rank) for side in sides]
        ranks = [rank(side[0]) if side else 0 for side in sides]
    top = min((rank for rank, side in zip(ranks, sides, strict=True) if side), default=None)
    winners = [at for at, side in enumerate(sides) if side and ranks[at] == top]
    return ComparedSides(question, tuple(sides), tuple(winners))


def _within(scope: turn.OpeningScope, snapshot: OpeningSnapshot) -> tuple[turn.Offer, ...]:
    return tuple(sorted((one for one in snapshot.openings if _lies_in(one, scope, snapshot)), key=_moment))


def _lies_in(offer: turn.Offer, scope: turn.OpeningScope, snapshot: OpeningSnapshot) -> bool:
    shown = not scope.among_shown or offer.number in snapshot.shown
    return shown and turn.fits(scope.filter, offer)


def _moment(offer: turn.Offer) -> tuple[date, time, str]:
    return offer.date, offer.time, offer.doctor
