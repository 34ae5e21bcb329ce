"""Convert between writes and what is said of them: the receipt of a step, and the steps of a proposal."""

from collections.abc import Sequence

from orchestrator import turn

_KINDS = {
    turn.BOOK: turn.ReceiptKind.CONFIRMED,
    turn.MOVE: turn.ReceiptKind.RESCHEDULED,
    turn.CANCEL: turn.ReceiptKind.CANCELLED,
}
"""The kind of receipt that acknowledges each tool."""


def receipt_for(step: turn.Step) -> turn.Receipt | None:
    """Return the receipt of a step that is made as planned; None for one that writes nothing."""
    kind = _KINDS.get(step.action)
    if kind is None:
        return None
    *original, slot = step.slots
    return turn.Receipt(kind, slot, *original)


def receipts_for(
    kind: turn.ReceiptKind,
    slots: Sequence[turn.Appointment],
    held: Sequence[turn.Appointment],
    intended: Sequence[turn.Step],
) -> tuple[turn.Receipt, ...]:
    """Return the receipts for what is said to have been done; `intended` was consented to or requested before."""
    made = (receipt_for(step) for step in intended)
    expected = tuple(receipt for receipt in made if receipt is not None and receipt.kind is kind)
    if kind is turn.ReceiptKind.RESCHEDULED:
        ends = ends_of_move(slots, held, expected)
        return (turn.Receipt(kind, ends[1], ends[0]),) if ends is not None else expected
    named = tuple(turn.Receipt(kind, slot) for slot in slots) or expected
    if not named and kind is turn.ReceiptKind.CANCELLED and len(held) == 1:
        return (turn.Receipt(kind, held[0]),)
    return named


def ends_of_move(
    slots: Sequence[turn.Appointment], held: Sequence[turn.Appointment], expected: Sequence[turn.Receipt] = ()
) -> tuple[turn.Appointment, turn.Appointment] | None:
    """Return an appointment before and after a move; None when that is not certain.

    Of two slots the held one is the old one, or else the first. A single slot is the new one of the appointment to be
    moved, or of the only appointment with its doctor.
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


def steps_for(
    action: str, slots: Sequence[turn.Appointment], held: Sequence[turn.Appointment]
) -> tuple[turn.Step, ...]:
    """Return the steps of a proposal that names these slots; empty when it names too many or too few."""
    if action == turn.CANCEL:
        return tuple(turn.cancelling_step(slot) for slot in slots)
    if action == turn.MOVE:
        ends = ends_of_move(slots, held)
        return () if ends is None else (turn.moving_step(ends[0], ends[1].date, ends[1].time),)
    return tuple(turn.booking_step(slot) for slot in slots if len(slots) == 1)
