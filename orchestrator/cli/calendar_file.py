"""Write appointments as an iCalendar file (RFC 5545) that a calendar opens; it holds neither name nor CPF.

What is held is published, what was cancelled is cancelled (RFC 5546). A move keeps the UID and has a higher SEQUENCE,
so that a calendar moves its entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from icalendar import CLASS, STATUS, Alarm, Calendar, Event, Timezone

from mesh import private_file
from mesh.clock import ZONE
from orchestrator.texts import Texts
from orchestrator.turn import Appointment, Clinic, ReceiptKind, Session

_PRODUCT = "-//clinic-mesh//clinic-mesh//"
_BEGINNING = 256  # bytes in which a calendar says whose it is
_DAY = timedelta(days=1)


class CalendarFileError(ValueError):
    """The file cannot be written; the message tells the person why."""


@dataclass(frozen=True, slots=True)
class CalendarEntries:
    """What a calendar gains and loses."""

    held: tuple[Appointment, ...]
    cancelled: tuple[Appointment, ...] = ()

    @classmethod
    def of_session(cls, session: Session) -> CalendarEntries:
        """Return what the person holds, as far as it is known, and what the session cancelled."""
        gone = (one.appointment for one in session.receipts if one.kind is ReceiptKind.CANCELLED)
        # A clinic of an earlier release gives no ids, and without one a later file could not move or cancel the entry.
        return cls(*(tuple(one for one in some if one.appointment_id) for some in (session.appointments, gone)))

    @classmethod
    def of_receipts(cls, session: Session) -> CalendarEntries:
        """Return what the session booked, moved and cancelled, as it is now."""
        written = {one.appointment for one in session.receipts}
        all_of_it = cls.of_session(session)
        return cls(tuple(one for one in all_of_it.held if one in written), all_of_it.cancelled)


def write_calendar(path: Path, entries: CalendarEntries, clinics: Sequence[Clinic], texts: Texts) -> str:
    """Write the file, and one beside it where something is held and something was cancelled; return what to say of it.

    A calendar of ours is replaced; any other file stays as it is.

    Raises:
        CalendarFileError: Such a file is there, or nothing can be written.
    """
    beside = path.with_stem(f"{path.stem}{texts.text('calendar.cancelled_suffix')}") if entries.held else path
    files = {beside: ("CANCEL", entries.cancelled)} if entries.cancelled else {}
    if entries.held or not files:
        files[path] = ("PUBLISH", entries.held)
    for file in files:
        if not _may_replace(file):
            raise CalendarFileError(texts.text("calendar.exists", path=file))
    for file, (method, appointments) in files.items():
        try:
            private_file.replace(file, _calendar(method, appointments, clinics, texts))
        except OSError as error:
            raise CalendarFileError(texts.text("terminal.save_failed", path=file, why=error.strerror)) from error
    told = [texts.counted("calendar.written", len(entries.held), path=path)] if path in files and entries.held else []
    if entries.cancelled:
        told.append(texts.text("calendar.cancelled", path=beside))
    return " ".join(told) or texts.text("calendar.empty", path=path)


def _may_replace(path: Path) -> bool:
    try:
        if path.is_file():
            with path.open("rb") as file:
                return _PRODUCT.encode() in file.read(_BEGINNING)
        return not path.exists()
    except OSError:
        return False


def _calendar(method: str, appointments: Sequence[Appointment], clinics: Sequence[Clinic], texts: Texts) -> bytes:
    days = [one.date for one in appointments] or [datetime.now(ZONE).date()]
    zone = Timezone.from_tzid(ZONE.key, first_date=min(days) - _DAY, last_date=max(days) + _DAY)
    parts = [zone, *_events(method, appointments, clinics, texts)]
    calendar = Calendar.new(prodid=f"{_PRODUCT}{texts.language.upper()}", method=method, subcomponents=parts)
    del calendar["UID"]  # one that changes with each file would make each another calendar
    content: bytes = calendar.to_ical()
    return content


def _events(
    method: str, appointments: Sequence[Appointment], clinics: Sequence[Clinic], texts: Texts
) -> Iterator[Event]:
    known = {clinic.id: clinic for clinic in clinics}
    for one in appointments:
        clinic = known.get(one.clinic) or Clinic(one.clinic, one.clinic, "")  # the registry may have lost it since
        begin = datetime.combine(one.date, one.time, ZONE)
        summary = f"{texts.specialty(clinic.specialty)}: {one.doctor}"
        event = Event.new(
            uid=f"{one.appointment_id}@clinic-mesh",
            sequence=one.revision,
            stamp=datetime.now(UTC),
            start=begin,
            end=begin + timedelta(minutes=one.duration_min),
            summary=summary,
            location=", ".join(filter(None, (clinic.name, clinic.place))),
            classification=CLASS.PRIVATE,
            status=STATUS.CONFIRMED if method == "PUBLISH" else STATUS.CANCELLED,
        )
        if method == "PUBLISH":
            alarm = Alarm.new(description=summary)
            alarm.add("action", "DISPLAY")
            alarm.add("trigger", -_DAY)
            event.add_component(alarm)
        yield event
