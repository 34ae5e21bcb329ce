"""Find the openings of a choice among those that are open, and the changes that take them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import time

from orchestrator.turn.clinic_answers import openings_of
from orchestrator.turn.opening_filter import fits
from orchestrator.turn.plan import Plan, Step, booking_step, cancelling_step, exchanging_steps
from orchestrator.turn.reply_steps import Choice, Order, Target
from orchestrator.turn.routing import StepResult
from orchestrator.turn.session import Offer, Session
from orchestrator.turn.step_actions import Appointment, Book, Cancel
from orchestrator.turn.wish import ANYTHING


def rank_of(order: Order, at: time | None = None) -> Callable[[Offer], int]:
    """Return the rank of an opening by an order; the best has the least. `at` is for `Order.NEAREST` alone."""
    wanted = 0 if at is None else at.hour * 60 + at.minute

    def rank(offer: Offer) -> int:
        minute, day = offer.time.hour * 60 + offer.time.minute, offer.date.toordinal() * 24 * 60
        if order is Order.NEAREST:
            return abs(minute - wanted)
        moment = minute if order in {Order.EARLIEST_HOUR, Order.LATEST_HOUR} else day + minute
        return -moment if order in {Order.LATEST, Order.LATEST_HOUR} else moment

    return rank


def best_of(openings: Sequence[Offer], rank: Callable[[Offer], int]) -> tuple[Offer, ...]:
    """Return the openings of the least rank; none of none."""
    least = min(map(rank, openings), default=0)
    return tuple(one for one in openings if rank(one) == least)


def change_plan(plan: Plan, results: Sequence[StepResult], session: Session) -> Plan | None:
    """Return the plan of the changes that were chosen before the openings were known; None where there is none.

    A plan that makes changes itself has none left to choose.
    """
    if plan.reply is None or plan.reply.choice is None or plan.writes:
        return None
    found = openings_of(results, ANYTHING)
    changes = changes_of(plan.reply.choice, found.listed, session.printed)
    open_slots = {offer.slot for offer in found.listed}
    if changes is None or not all(step.taken is None or step.taken in open_slots for step in changes):
        return None
    # What the turn was about before says nothing of these steps.
    return replace(plan, steps=changes, wish=ANYTHING, asks_first=True, classification=None)


def changes_of(choice: Choice, offers: Sequence[Offer], shown: Sequence[Offer]) -> tuple[Step, ...] | None:
    """Return the writes of a choice among openings that are open; None where it names no single one.

    `shown` are the openings on the screen. Where one appointment is cancelled and one booked, the booking goes first,
    so that nobody is left without either: only what was replaced is cancelled.
    """
    on_screen = {one.slot for one in shown}
    booked = [_opening(target, offers, on_screen) for target in choice.book]
    moved = [(one.held, _opening(one.target, offers, on_screen)) for one in choice.move]
    taken = [slot for slot in (*booked, *(slot for _, slot in moved)) if slot is not None]
    if len(taken) < len(booked) + len(moved) or len(set(taken)) < len(taken):
        return None
    steps = [booking_step(slot) for slot in taken[: len(booked)]]
    for (held, _), slot in zip(moved, taken[len(booked) :], strict=True):
        steps += (replace(step, after=None) for step in exchanging_steps(held, slot))
    steps += map(cancelling_step, choice.cancel)
    once = list({(step.clinic, step.call): step for step in steps}.values())
    if len(once) == 2 and {type(step.call) for step in once} == {Book, Cancel}:
        booking, cancelling = sorted(once, key=lambda step: isinstance(step.call, Cancel))
        once = [booking, replace(cancelling, after=1)]
    return tuple(replace(step, step_id=number) for number, step in enumerate(once, 1))


def _opening(target: Target, offers: Sequence[Offer], on_screen: Collection[Appointment]) -> Appointment | None:
    if target.slot is not None:
        return target.slot
    for scope in target.first_of:
        among = [one for one in offers if not scope.among_shown or one.slot in on_screen]
        suiting = tuple(one for one in among if fits(scope.filter, one))
        if target.order is not None:  # of those that are alike in the hour alone, the soonest
            suiting = best_of(best_of(suiting, rank_of(target.order, target.at)), rank_of(Order.SOONEST))
        if suiting:
            return suiting[0].slot if len(suiting) == 1 else None
    return None
