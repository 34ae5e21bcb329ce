"""Which openings of a long list are printed, and by which numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orchestrator.turn.plan import Plan
from orchestrator.turn.session import Offer, Session

LONGEST_WHOLE = 12
"""How many openings are still printed whole where lists are to be short."""


def spread(openings: Sequence[Offer], most: int) -> tuple[Offer, ...]:
    """Return openings that differ, at most so many and in their order.

    The earliest is one of them, then the earliest of each other clinic, then those with the most of another day and
    another doctor.
    """
    left, chosen = list(openings), list[Offer]()
    while left and len(chosen) < most:
        clinics, days, doctors = ({getattr(one, name) for one in chosen} for name in ("clinic", "date", "doctor"))
        news = [
            3 if one.clinic not in clinics else (one.date not in days) + (one.doctor not in doctors) for one in left
        ]
        # The first, which is the earliest, of those that differ most.
        chosen.append(left.pop(news.index(max(news))))
    return tuple(one for one in openings if one in chosen)


def numbered(openings: Sequence[Offer], plan: Plan, session: Session) -> tuple[Offer, ...]:
    """Return all openings of a list, each with its number on the screen; 0 for those that are not printed.

    What was printed before keeps its number when a plan asks for more.
    """
    before = {one.slot: one.number for one in session.offers if 0 < one.number <= plan.printed}
    rest = [one for one in openings if one.slot not in before]
    whole = plan.whole or session.page is None or (not plan.printed and len(rest) <= LONGEST_WHOLE)
    page = rest if whole or session.page is None else spread(rest, session.page)
    numbers = before | {one.slot: number for number, one in enumerate(page, plan.printed + 1)}
    return tuple(replace(one, number=numbers.get(one.slot, 0)) for one in openings)
