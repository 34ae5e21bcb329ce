from dataclasses import replace
from datetime import date, time

from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Exchange, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import Appointment

MONDAY = Appointment("clinic_a", "Dr. Ricardo Lopes", date(2025, 7, 21), time(9))
WEDNESDAY = Appointment("clinic_a", "Dr. Ricardo Lopes", date(2025, 7, 23), time(8))
FRIDAY = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10))

BOOKED_MONDAY = Receipt(ReceiptKind.CONFIRMED, MONDAY)
BOOKED_FRIDAY = Receipt(ReceiptKind.CONFIRMED, FRIDAY)
MOVED_TO_WEDNESDAY = Receipt(ReceiptKind.RESCHEDULED, WEDNESDAY, MONDAY)
CANCELLED_WEDNESDAY = Receipt(ReceiptKind.CANCELLED, WEDNESDAY)


def appointments(*receipts: Receipt) -> tuple[Appointment, ...]:
    session = Session(Identity.of("Carlos Teste", "123.456.789-00"))
    return replace(session, receipts=receipts).appointments


def test_a_new_session_holds_no_appointment() -> None:
    assert appointments() == ()


def test_bookings_are_held_oldest_first() -> None:
    assert appointments(BOOKED_MONDAY, BOOKED_FRIDAY) == (MONDAY, FRIDAY)


def test_a_move_gives_the_original_back() -> None:
    assert appointments(BOOKED_MONDAY, BOOKED_FRIDAY, MOVED_TO_WEDNESDAY) == (FRIDAY, WEDNESDAY)


def test_a_cancellation_ends_an_appointment_and_no_other() -> None:
    assert appointments(BOOKED_MONDAY, MOVED_TO_WEDNESDAY, BOOKED_FRIDAY, CANCELLED_WEDNESDAY) == (FRIDAY,)


def test_what_was_cancelled_can_be_held_again() -> None:
    assert appointments(BOOKED_MONDAY, Receipt(ReceiptKind.CANCELLED, MONDAY), BOOKED_MONDAY) == (MONDAY,)


def test_a_move_of_an_earlier_sessions_appointment_is_held_from_then_on() -> None:
    assert appointments(MOVED_TO_WEDNESDAY) == (WEDNESDAY,)


def test_a_cancellation_of_an_earlier_sessions_appointment_leaves_the_others() -> None:
    assert appointments(BOOKED_FRIDAY, CANCELLED_WEDNESDAY) == (FRIDAY,)


def test_another_clinic_at_the_same_time_is_another_appointment() -> None:
    elsewhere = replace(MONDAY, clinic="clinic_c")
    assert appointments(BOOKED_MONDAY, Receipt(ReceiptKind.CANCELLED, elsewhere)) == (MONDAY,)


def test_a_representation_shows_neither_who_speaks_nor_what_was_said() -> None:
    person, said = Identity.of("Carlos Teste", "123.456.789-00"), Exchange("sou o Carlos", "olá, Carlos")
    session = Session(person, session_id="s", history=(said,))  # a random id may hold any digits
    assert "Carlos" not in repr(session)
    assert "789" not in repr(session)
