"""Writes as they are told: the receipt that a step comes to, the steps that a proposal names, and who moved where.

Values in, values out; what a text says is `orchestrator.evaluation.replay.desk_utterance`'.
"""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.planner.dialogue import booking_step, cancelling, moving
from orchestrator.turn import BOOK, CANCEL, MOVE, Appointment, Book, Cancel, Move, Receipt, ReceiptKind, Step

ACTION_OF = {ReceiptKind.CONFIRMED: BOOK, ReceiptKind.RESCHEDULED: MOVE, ReceiptKind.CANCELLED: CANCEL}
"""The tool that each kind of receipt acknowledges."""


def receipt_for(step: Step) -> Receipt | None:
    """Return the receipt that a step comes to when it is made as planned; None for one that writes nothing."""
    match step.call:
        case Book():
            kind = ReceiptKind.CONFIRMED
        case Cancel():
            kind = ReceiptKind.CANCELLED
        case Move():
            kind = ReceiptKind.RESCHEDULED
        case _:
            return None
    *original, slot = step.slots
    return Receipt(kind, slot, *original)


def receipts_for(
    kind: ReceiptKind, slots: Sequence[Appointment], held: Sequence[Appointment], intended: Sequence[Step]
) -> tuple[Receipt, ...]:
    """Return the receipts for what is said to have been done.

    Args:
        kind: What was done.
        slots: The slots that were named with it.
        held: What the person held before.
        intended: The writes that were consented to, or asked for, in the turn before.
    """
    expected = tuple(
        receipt for step in intended if step.action == ACTION_OF[kind] and (receipt := receipt_for(step)) is not None
    )
    match kind:
        case ReceiptKind.CONFIRMED:
            return tuple(Receipt(kind, slot) for slot in slots) or expected
        case ReceiptKind.CANCELLED:
            given_back = tuple(Receipt(kind, slot) for slot in slots) or expected
            return given_back or tuple(Receipt(kind, one) for one in held if len(held) == 1)
        case ReceiptKind.RESCHEDULED:
            ends = ends_of_move(slots, held, expected)
            return (Receipt(kind, ends[1], ends[0]),) if ends is not None else expected


def ends_of_move(
    slots: Sequence[Appointment], held: Sequence[Appointment], expected: Sequence[Receipt] = ()
) -> tuple[Appointment, Appointment] | None:
    """Return an appointment as it was and as it becomes; None when that is not certain.

    Of two slots the one that is held is the old one, else the first; a single one is the new one of what was to be
    moved, or of the only appointment that there is with its doctor.
    """
    match slots:
        case [first, second]:
            return (second, first) if second in held and first not in held else (first, second)
        case [new]:
            before = [receipt.original for receipt in expected if receipt.original is not None]
            own = [one for one in held if one.doctor == new.doctor and one != new]
            for known in (before, own):
                if len(known) == 1:
                    return known[0], new
            return None
        case _:
            return None


def steps_for(action: str, slots: Sequence[Appointment], held: Sequence[Appointment]) -> tuple[Step, ...]:
    """Return the steps of a proposal that names these slots; none when it names too many or too few.

    Args:
        action: The tool.
        slots: The slots that are named, each once.
        held: What the person holds.
    """
    if action == CANCEL:
        return tuple(cancelling(slot) for slot in slots)
    if action == MOVE:
        ends = ends_of_move(slots, held)
        return () if ends is None else (moving(ends[0], ends[1].date, ends[1].time),)
    return tuple(booking_step(slot) for slot in slots if len(slots) == 1)
