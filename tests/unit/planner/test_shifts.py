"""Amounts of time that an appointment is moved by."""

from __future__ import annotations

from datetime import date, time

import pytest

from orchestrator.planner.calendar.shifts import Shift, find_shift, parse_shift
from orchestrator.planner.text.normalised_text import normalise
from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import DateRange
from orchestrator.turn.wish import spans_of
from tests.support.sentences import rows, sentences
from tests.unit.planner.desk import FERNANDO, RICARDO, Desk, calls

FRIDAY, TEN = date(2025, 7, 18), time(10)


@pytest.mark.parametrize(
    ("text", "day", "at"),
    [
        ("adia por uma semana", 25, "10:00"),
        ("joga duas horas mais tarde", 18, "12:00"),
        ("meia hora mais cedo", 18, "09:30"),
        ("uma hora e meia depois", 18, "11:30"),
        ("antecipa a consulta em 2 dias", 16, "10:00"),
        ("empurra a consulta com a doutora, por favor, por três dias", 21, "10:00"),
        ("15 min antes", 18, "09:45"),
        ("delay it by ten minutes", 18, "10:10"),
        ("push my visit back two days", 20, "10:00"),
        ("bring it forward an hour", 18, "09:00"),
        ("half an hour later", 18, "10:30"),
        ("a day earlier", 17, "10:00"),
    ],
)
def test_an_amount_leads_from_an_appointment_to_a_day_and_time(text: str, day: int, at: str) -> None:
    shift = find_shift(normalise(text).folded)
    assert shift is not None
    assert shift.moved(FRIDAY, TEN) == (date(2025, 7, day), time.fromisoformat(at))
    assert shift.keeps_time


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("no dia seguinte", 19, 19),
        ("na véspera", 17, 17),
        ("the following day", 19, 19),
        ("the day before", 17, 17),
        ("na semana seguinte", 21, 27),
        ("the week after", 21, 27),
    ],
)
def test_the_next_day_leaves_the_time_open(text: str, first: int, last: int) -> None:
    shift = find_shift(normalise(text).folded)
    assert shift is not None
    assert not shift.keeps_time
    assert shift.span(FRIDAY, TEN) == DateRange(date(2025, 7, first), date(2025, 7, last))


@pytest.mark.parametrize("text", sentences("shifts.txt", "what is counted from elsewhere is no shift"))
def test_what_is_counted_from_elsewhere_is_no_shift(text: str) -> None:
    assert find_shift(normalise(text).folded) is None


def test_a_shift_beyond_the_calendar_leads_nowhere() -> None:
    assert Shift(0, 0, days=99).moved(date.max, TEN) is None
    assert Shift(0, 0, days=-99).span(date.min, TEN) is None


def test_a_month_later_is_the_same_day_of_it() -> None:
    assert Shift(0, 0, months=1).moved(FRIDAY, TEN) == (date(2025, 8, 18), TEN)


def test_a_question_can_remember_a_shift() -> None:
    shift = Shift(0, 0, days=-2, minutes=30, months=1, keeps_time=False, whole_week=True)
    assert parse_shift(str(shift)) == shift


def with_fernando(language: Language = Language.PT, *, consent_given: bool = True) -> Desk:
    desk = Desk.open(language, consent_given=consent_given)
    desk.say("marca com o Dr. Fernando dia 18 às 10h", *([] if consent_given else ["sim"]))
    return desk


@pytest.mark.parametrize(("text", "day", "at"), rows("shifts.txt", "a move is relative to the appointment"))
def test_a_move_is_relative_to_the_appointment(text: str, day: str, at: str) -> None:
    ((_, action, given),) = calls(with_fernando().say(text))
    assert action == "reschedule_appointment"
    assert (given["original_date"], given["new_date"], given["new_time"]) == ("2025-07-18", day, at)


def test_a_day_without_a_time_is_listed_and_the_time_goes_on() -> None:
    desk = with_fernando()
    listed = desk.say("remarca para o dia seguinte")
    assert calls(listed) == [("clinic_c", "list_available_slots", {"doctor": FERNANDO})]
    assert spans_of(listed.wish.chain[0]) == (DateRange(date(2025, 7, 19), date(2025, 7, 19)),)
    ((_, action, given),) = calls(desk.say("às 14h"))
    assert (action, given["new_date"], given["new_time"]) == ("reschedule_appointment", "2025-07-19", "14:00")


def test_another_week_stays_open_until_the_openings_settle_it() -> None:
    desk = with_fernando()
    listed = desk.say("quero remarcar", "pode ser na outra semana")
    assert spans_of(listed.wish.filter)[-1] == DateRange(date(2025, 7, 21), date(2025, 8, 3))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("adiar a consulta com o Dr. Ricardo do dia 21 às 9h em dois dias", Language.PT),
        ("postpone my appointment with Dr. Ricardo on July 21 at 9 AM by two days", Language.EN),
    ],
)
def test_an_appointment_named_in_full_is_moved_by_an_amount(text: str, language: Language) -> None:
    ((_, action, given),) = calls(Desk.open(language).say(text))
    assert (action, given["original_date"], given["new_date"]) == ("reschedule_appointment", "2025-07-21", "2025-07-23")


def test_the_amount_is_kept_while_it_is_asked_which_appointment() -> None:
    desk = with_fernando()
    desk.say("marca com o Dr. Ricardo dia 21 às 9h", "adia uma semana", "a da cardiologia")
    ((_, _, given),) = calls(desk.say("a do Ricardo"))
    assert (given["doctor"], given["new_date"], given["new_time"]) == (RICARDO, "2025-07-28", "09:00")


@pytest.mark.parametrize("text", ["vou chegar dez minutos mais tarde", "I will be 10 minutes late"])
def test_running_late_moves_nothing(text: str) -> None:
    assert with_fernando().say(text).steps == ()
