"""An iCalendar file of appointments, read back by another implementation than the one that wrote it."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ical.calendar_stream import CalendarStream
from ical.event import Event
from ical.types import Classification

from generated.clinic.v1.clinic_service_pb2 import ClinicDetails
from mesh import private_file
from mesh.clock import ZONE
from orchestrator.cli.calendar_file import CalendarEntries, CalendarFileError, write_calendar
from orchestrator.texts import texts_in
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.session import Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import Appointment
from tests.support.form import examples
from tests.support.ics import PersonsCalendar
from tests.support.repository_clinics import WORDS

CLINICS = (
    Clinic(
        "clinic_c",
        "Clínica C",
        "Cardiology",
        ("Dr. Fernando Mendes",),
        ClinicDetails(address="Rua das Flores, 77; fundos", city="Santo André"),
        words=WORDS["Cardiology"],
    ),
    Clinic("clinic_b", "Clínica B", "Dermatology", ("Dra. Ana; Paula, \\n Reis",), words=WORDS["Dermatology"]),
)
FRIDAY = Appointment("clinic_c", "Dr. Fernando Mendes", date(2025, 7, 18), time(10), "oneone", 0, 40)
MONDAY = Appointment("clinic_b", "Dra. Ana; Paula, \\n Reis", date(2025, 7, 21), time(9, 30), "twotwo", 3, 20)
TEXTS = texts_in(Language.PT)


def write(path: Path, *held: Appointment, cancelled: tuple[Appointment, ...] = ()) -> str:
    return write_calendar(path, CalendarEntries(held, cancelled), CLINICS, TEXTS)


def events(path: Path) -> list[Event]:
    (calendar,) = CalendarStream.from_ics(path.read_bytes().decode()).calendars
    return calendar.events


@pytest.mark.parametrize(("language", "specialty"), [(Language.PT, "Cardiologia"), (Language.EN, "Cardiology")])
def test_another_implementation_reads_what_was_written(tmp_path: Path, language: Language, specialty: str) -> None:
    path = tmp_path / "one.ics"
    write_calendar(path, CalendarEntries((FRIDAY,)), CLINICS, texts_in(language))
    (event,) = events(path)
    assert re.fullmatch(r"[0-9a-f]{32}\.clinic_c@clinic-mesh", str(event.uid))
    assert event.sequence == 0
    assert event.summary == f"{specialty}: Dr. Fernando Mendes"
    assert event.location == "Clínica C, Rua das Flores, 77; fundos, Santo André"
    assert event.dtstart == datetime(2025, 7, 18, 10, tzinfo=ZONE)
    assert event.end == datetime(2025, 7, 18, 10, 40, tzinfo=ZONE)
    assert event.classification == Classification.PRIVATE
    assert isinstance(event.dtstamp, datetime)
    assert event.dtstamp.utcoffset() == timedelta(0)
    (alarm,) = event.alarm
    assert (alarm.action, alarm.trigger, alarm.description) == ("DISPLAY", timedelta(days=-1), event.summary)


def test_a_file_is_as_the_standard_wants_its_lines_and_brings_its_time_zone(tmp_path: Path) -> None:
    path = tmp_path / "all.ics"
    write(path, FRIDAY, replace(MONDAY, clinic="clinic_c", doctor="Dr. " + "Ç" * 100))
    content = path.read_bytes()
    lines = content.split(b"\r\n")
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert max(map(len, lines)) <= 75
    assert lines[0] == b"BEGIN:VCALENDAR"
    assert {b"VERSION:2.0", b"METHOD:PUBLISH", b"TZID:America/Sao_Paulo", b"TZOFFSETTO:-0300"} <= set(lines)
    assert not [line for line in lines if line.startswith((b"ATTENDEE", b"ORGANIZER"))]
    # The only UIDs are those of events: a calendar of its own would be made of each file otherwise.
    assert sum(line.startswith(b"UID:") for line in lines) == 2


def test_names_with_what_the_format_uses_come_back_as_they_are(tmp_path: Path) -> None:
    write(tmp_path / "one.ics", MONDAY)
    assert events(tmp_path / "one.ics")[0].summary == f"Dermatologia: {MONDAY.doctor}"


def test_a_move_moves_the_entry_and_a_cancellation_removes_it_even_when_an_old_file_is_opened_again(
    tmp_path: Path,
) -> None:
    calendar, first, second = PersonsCalendar(), tmp_path / "first.ics", tmp_path / "second.ics"
    write(first, FRIDAY, MONDAY)
    assert calendar.open(first).begins == ["2025-07-18 10:00", "2025-07-21 09:30"]
    moved = replace(FRIDAY, date=date(2025, 7, 19), time=time(14), revision=1)
    write(second, moved, MONDAY)
    assert calendar.open(second).open(first).begins == ["2025-07-19 14:00", "2025-07-21 09:30"]
    told = write(second, MONDAY, cancelled=(replace(moved, revision=2),))
    beside = tmp_path / "second-canceladas.ics"
    assert str(second) in told
    assert str(beside) in told
    assert calendar.open(second).open(beside).begins == ["2025-07-21 09:30"]
    write(second, cancelled=(replace(MONDAY, revision=4),))
    assert calendar.open(second).begins == []


def test_who_holds_nothing_gets_a_calendar_without_entries(tmp_path: Path) -> None:
    assert "sem nenhuma" in write(tmp_path / "none.ics")
    assert events(tmp_path / "none.ics") == []
    # The standard wants at least one component.
    assert b"BEGIN:VTIMEZONE" in (tmp_path / "none.ics").read_bytes()


@settings(max_examples=examples(20))
@given(st.lists(st.tuples(st.sampled_from(ReceiptKind), st.integers(0, 7)), max_size=12))
def test_whatever_is_booked_moved_and_cancelled_the_calendar_ends_as_the_agenda(
    changes: list[tuple[ReceiptKind, int]],
) -> None:
    calendar, session = PersonsCalendar(), Session(Identity.of("Carlos Teste", "529.982.247-25"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.ics"
        for number, (kind, choice) in enumerate(changes):
            receipt = _receipt(session, kind, choice, number)
            session = replace(session, receipts=(*session.receipts, *receipt))
            write_calendar(path, CalendarEntries.of_session(session), CLINICS, TEXTS)
            for file in sorted(Path(folder).iterdir()):
                calendar.open(file)
        held = sorted(f"{one.date} {one.time:%H:%M}" for one in session.appointments)
        assert calendar.begins == held


def _receipt(session: Session, kind: ReceiptKind, choice: int, number: int) -> tuple[Receipt, ...]:
    slot = replace(FRIDAY, date=FRIDAY.date + timedelta(days=number), appointment_id=f"id{number}")
    if kind is ReceiptKind.CONFIRMED:
        return (Receipt(kind, slot),)
    if not session.appointments:
        return ()
    held = session.appointments[choice % len(session.appointments)]
    if kind is ReceiptKind.CANCELLED:
        return (Receipt(kind, replace(held, revision=held.revision + 1)),)
    moved = replace(slot, appointment_id=held.appointment_id, revision=held.revision + 1)
    return (Receipt(kind, moved, held),)


def test_the_file_is_for_its_owner_alone_and_holds_no_name_and_no_cpf(tmp_path: Path) -> None:
    session = Session(Identity.of("Carlos Teste", "529.982.247-25"), receipts=(Receipt(ReceiptKind.CONFIRMED, FRIDAY),))
    path = tmp_path / "one.ics"
    write_calendar(path, CalendarEntries.of_session(session), CLINICS, TEXTS)
    assert path.stat().st_mode & 0o777 == 0o600
    content = path.read_text("utf-8")
    assert not re.search(r"Carlos|529.?982|52998224725", content)
    assert [one.name for one in tmp_path.iterdir()] == ["one.ics"]


def test_a_calendar_of_ours_is_replaced_and_any_other_file_stays_as_it_is(tmp_path: Path) -> None:
    ours, theirs, pipe = (tmp_path / name for name in ("ours.ics", "theirs.ics", "pipe.ics"))
    write(ours, FRIDAY)
    write(ours, MONDAY)
    assert [event.summary for event in events(ours)] == [f"Dermatologia: {MONDAY.doctor}"]
    theirs.write_text("BEGIN:VCALENDAR\r\nPRODID:-//somebody//else//EN\r\nEND:VCALENDAR\r\n", "utf-8")
    os.mkfifo(pipe)
    for path in (theirs, pipe, tmp_path):
        with pytest.raises(CalendarFileError, match="ficou como estava"):
            write(path, FRIDAY)
    assert "somebody" in theirs.read_text("utf-8")


NOT_OURS = {
    "our product in another property": ("X-NOTE", "DESCRIPTION:-//clinic-mesh//clinic-mesh//"),
    "an entry of somebody else": (".clinic_c@clinic-mesh", "@somebody"),
    "an entry without a beginning": ("DTSTART;", "X-START;"),
    "no calendar": ("BEGIN:VCALENDAR", "BEGIN:NOTES"),
}


@pytest.mark.parametrize("change", NOT_OURS)
def test_only_a_calendar_with_nothing_but_entries_of_ours_is_replaced(tmp_path: Path, change: str) -> None:
    path, (old, new) = tmp_path / "x.ics", NOT_OURS[change]
    write(path, FRIDAY)
    written = path.read_bytes().replace(b"PRODID:-//clinic-mesh//clinic-mesh//", b"X-NOTE:", old == "X-NOTE")
    path.write_bytes(theirs := written.replace(old.encode(), new.encode()))
    with pytest.raises(CalendarFileError, match="ficou como estava"):
        write(path, MONDAY)
    assert path.read_bytes() == theirs


@pytest.mark.parametrize("target", ["nowhere", "link.ics", "ours.ics"])
def test_a_link_is_never_written_through_or_replaced(tmp_path: Path, target: str) -> None:
    write(tmp_path / "ours.ics", FRIDAY)
    link = tmp_path / "link.ics"
    link.symlink_to(tmp_path / target)
    with pytest.raises(CalendarFileError, match="ficou como estava"):
        write(link, MONDAY)
    assert link.is_symlink()
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", ["", ".", "/", "-"])
def test_what_names_no_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CalendarFileError, match="não é nome de arquivo"):
        write(Path(name), FRIDAY)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_read_or_written_is_said_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(CalendarFileError, match="File name too long"):
        write(tmp_path / ("x" * 300), FRIDAY)


def test_a_file_that_appears_while_the_calendar_is_made_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, create = tmp_path / "x.ics", private_file.create

    def late(file: Path, data: bytes) -> None:
        file.write_text("mine", "utf-8")
        create(file, data)

    monkeypatch.setattr(private_file, "create", late)
    with pytest.raises(CalendarFileError, match="Nada foi gravado"):
        write(path, FRIDAY)
    assert path.read_text("utf-8") == "mine"


def test_where_the_second_of_two_files_fails_the_first_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = private_file.create

    def failing(path: Path, data: bytes) -> None:
        if path.name == "x.ics":
            raise OSError(28, "No space left on device")
        create(path, data)

    monkeypatch.setattr(private_file, "create", failing)
    with pytest.raises(CalendarFileError, match=r"Já gravado: .*x-canceladas\.ics"):
        write(tmp_path / "x.ics", FRIDAY, cancelled=(MONDAY,))


def test_no_clinic_moves_or_cancels_the_entry_of_another(tmp_path: Path) -> None:
    calendar = PersonsCalendar()
    stolen = replace(FRIDAY, clinic="clinic_b", appointment_id=MONDAY.appointment_id, revision=1000)
    write(tmp_path / "one.ics", MONDAY)
    write(tmp_path / "two.ics", cancelled=(replace(stolen, clinic="clinic_c"),))
    calendar.open(tmp_path / "one.ics").open(tmp_path / "two.ics")
    assert calendar.begins == ["2025-07-21 09:30"]


def test_entries_of_a_silent_clinic_stay_and_nobody_is_said_to_hold_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.ics"
    write(path, FRIDAY, MONDAY)
    before = {event.uid: event.dtstart for event in events(path)}
    entries = CalendarEntries((), silent=("clinic_b",))
    for _ in range(2):
        told = write_calendar(path, entries, CLINICS, TEXTS)
        assert [event.uid for event in events(path)] == [uid for uid in before if "clinic_b" in str(uid)]
        assert "não tem consultas" not in told
        assert "Sem resposta, pode faltar alguma: Clínica B." in told
    moved = replace(MONDAY, time=time(11), revision=4)
    write_calendar(path, replace(entries, held=(moved,)), CLINICS, TEXTS)
    assert [f"{event.dtstart:%H:%M}" for event in events(path)] == ["11:00"]
    write_calendar(path, replace(entries, cancelled=(FRIDAY,)), CLINICS, TEXTS)
    assert [f"{event.dtstart:%H:%M}" for event in events(path)] == ["11:00"]
    assert len(events(tmp_path / "x-canceladas.ics")) == 1


@pytest.mark.parametrize("told", ["529.982.247-25", "52998224725", "Carlos Teste", "carlosteste", "529 982 247 25"])
def test_no_text_of_a_clinic_brings_name_or_cpf_into_the_file(tmp_path: Path, told: str) -> None:
    path, details = tmp_path / "x.ics", ClinicDetails(address=f"Rua A, 1, {told}", city=told)
    clinic = Clinic("clinic_c", f"Clínica {told}", "Cardiology", (), details, words=WORDS["Cardiology"])
    entries = CalendarEntries((replace(FRIDAY, doctor=f"Dr. {told}", appointment_id=told),), (), ("clinic_c",))
    entries = replace(entries, speaker=Identity.of("Carlos Teste", "529.982.247-25"))
    said = write_calendar(path, entries, (clinic,), TEXTS)
    content = path.read_text("utf-8").replace("\n ", "")
    assert told not in said + content
    assert "Rua A" in content


def test_of_two_files_none_is_written_where_one_of_them_may_not_be(tmp_path: Path) -> None:
    (tmp_path / "x-canceladas.ics").write_text("mine", "utf-8")
    with pytest.raises(CalendarFileError, match="x-canceladas"):
        write(tmp_path / "x.ics", FRIDAY, cancelled=(MONDAY,))
    assert not (tmp_path / "x.ics").exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(CalendarFileError, match="Nada foi gravado"):
        write(tmp_path / "nowhere" / "x.ics", FRIDAY)
