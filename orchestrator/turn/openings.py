"""Which openings a turn shows, in which order and under which numbers (blueprint 2.3.3, Rule 9).

All clinics are merged into one list in order of date, time, clinic id and doctor; so of two openings at the same
moment the one of the clinic that comes first by id is called the earliest. Nothing is worded here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.result import StepResult
from orchestrator.turn.session import Offer
from orchestrator.turn.slot_filter import SlotFilter

NEAREST = 5
"""How many openings are shown when none fits the filter."""


@dataclass(frozen=True, slots=True)
class Openings:
    """What a turn offers.

    Attributes:
        listed: What list steps returned and the filter admits; the nearest others when it admits none.
        hidden: How many openings of list steps are not in `listed`.
        fits: Whether `listed` is what the filter admits.
        alternatives: What refusals named instead; numbered on from `listed`.
    """

    listed: tuple[Offer, ...]
    hidden: int
    fits: bool
    alternatives: tuple[Offer, ...]


def offers_of(results: Sequence[StepResult], filters: SlotFilter) -> tuple[Offer, ...] | None:
    """Return the openings that an answer to `results` shows, as they are numbered there.

    None when the answer is not about openings, so that those shown before still stand.
    """
    openings = openings_of(results, filters)
    shown = openings.listed + openings.alternatives
    listing = any(isinstance(result.response, pb.ListAvailableSlotsResponse) for result in results)
    return shown if shown or listing else None


def openings_of(results: Iterable[StepResult], filters: SlotFilter) -> Openings:
    """Return what a turn offers, and how much the filter hid.

    Raises:
        ValueError: A slot holds no date or time in the contract's form.
    """
    found: list[Offer] = []
    named: list[Offer] = []
    for result in results:
        if isinstance(result.response, pb.ListAvailableSlotsResponse):
            found += _offers(result.step.clinic, result.response.available_slots)
        if result.error is not None:
            for detail in result.error.details:
                if isinstance(detail, pb.SlotAlternatives):
                    named += _offers(result.step.clinic, detail.slots)
    admitted = [offer for offer in found if filters.admits(offer.date, offer.time)]
    listed = _numbered(admitted or _nearest(found, filters))
    return Openings(
        listed=listed,
        hidden=len(set(found)) - len(listed),
        fits=bool(admitted) or not found,
        alternatives=_numbered(named, after=len(listed)),
    )


def _offers(clinic: str, slots: Iterable[pb.Slot]) -> list[Offer]:
    return [
        Offer(0, clinic, slot.doctor, slot.specialty, date.fromisoformat(slot.date), time.fromisoformat(slot.time))
        for slot in slots
    ]


def _numbered(offers: Iterable[Offer], after: int = 0) -> tuple[Offer, ...]:
    ordered = sorted(set(offers), key=_order)
    return tuple(
        Offer(number, offer.clinic, offer.doctor, offer.specialty, offer.date, offer.time)
        for number, offer in enumerate(ordered, after + 1)
    )


def _order(offer: Offer) -> tuple[date, time, str, str]:
    return offer.date, offer.time, offer.clinic, offer.doctor


def _nearest(offers: Sequence[Offer], filters: SlotFilter) -> list[Offer]:
    """Return the few openings closest to the days that were asked for; the earliest ones if no day was."""
    wanted = [day for span in filters.dates for day in (span.first, span.last)]

    def distance(offer: Offer) -> tuple[int, tuple[date, time, str, str]]:
        return min((abs((offer.date - day).days) for day in wanted), default=0), _order(offer)

    return sorted(set(offers), key=distance)[:NEAREST]
