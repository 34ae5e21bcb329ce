"""Write appointments as an iCalendar file (RFC 5545) that a calendar opens; it holds neither name nor CPF.

What is held is published, what was cancelled is cancelled (RFC 5546). A move keeps the UID and has a higher SEQUENCE,
so that a calendar moves its entry. The UID names the clinic, so that no clinic moves or cancels an entry of another.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG

from icalendar import CLASS, STATUS, Alarm, Calendar, Event, Timezone

from mesh import private_file
from mesh.clock import ZONE
from orchestrator.privacy import PersonalKind, Redactor
from orchestrator.texts import Texts
from orchestrator.turn import Appointment, Clinic, Identity, ReceiptKind, Session

_PRODUCT = "-//clinic-mesh//clinic-mesh//"
_UID = re.compile(r"[0-9a-f]{32}\.(?P<clinic>\w+)@clinic-mesh")
_DAY = timedelta(days=1)


class CalendarFileError(ValueError):
    """The file cannot be written; the message tells the person why."""


@dataclass(frozen=True, slots=True)
class CalendarEntries:
    """What a calendar gains and loses."""

    held: tuple[Appointment, ...]
    cancelled: tuple[Appointment, ...] = ()
    silent: tuple[str, ...] = ()  # clinics that did not say what is held there: what a file has of them stays
    speaker: Identity | None = None  # whose name and CPF stand nowhere in the file

    @classmethod
    def of_session(cls, session: Session) -> "CalendarEntries":
        """Return what the person holds, as far as it is known, and what the session cancelled."""
        gone = (one.appointment for one in session.receipts if one.kind is ReceiptKind.CANCELLED)
        # A clinic of an earlier release gives no ids, and without one a later file could not move or cancel the entry.
        held, cancelled = (tuple(one for one in some if one.appointment_id) for some in (session.appointments, gone))
        return cls(held, cancelled, session.silent, session.identity)

    @classmethod
    def of_receipts(cls, session: Session) -> "CalendarEntries":
        """Return what the session booked, moved and cancelled, as it is now."""
        written = {one.appointment for one in session.receipts}
        all_of_it = cls.of_session(session)
        held = tuple(one for one in all_of_it.held if one in written)
        return cls(held, all_of_it.cancelled, speaker=session.identity)


def write_calendar(path: Path, entries: CalendarEntries, clinics: Sequence[Clinic], texts: Texts) -> str:
    """Write the file, and one beside it where something is held and something was cancelled; return what to say of it.

    A calendar of ours is replaced, but for the entries of silent clinics. Any other file stays as it is: that raises
    CalendarFileError, as a path does that names no file or cannot be written.
    """
    if not path.name or str(path) == "-":
        raise CalendarFileError(texts.text("calendar.no_file", path=path))
    before = _calendar_at(path, texts)
    changed = {*map(_uid, (*entries.held, *entries.cancelled))}
    published = before.events if before is not None and before.get("METHOD") == "PUBLISH" else ()
    kept = [one for one in published if _clinic_of(one) in entries.silent and one["UID"] not in changed]
    is_published = bool(entries.held or kept or not entries.cancelled)
    beside = path.with_stem(f"{path.stem}{texts.text('calendar.cancelled_suffix')}") if is_published else path
    files: list[tuple[Path, Calendar | None, bytes]] = []
    if entries.cancelled:
        content = _calendar("CANCEL", [*_events("CANCEL", entries, clinics, texts)], texts)
        files.append((beside, _calendar_at(beside, texts), content))
    if is_published:
        content = _calendar("PUBLISH", [*kept, *_events("PUBLISH", entries, clinics, texts)], texts)
        files.append((path, before, content))
    _write(files, texts)
    told = [texts.counted("calendar.written", len(entries.held), path=path)] if entries.held else []
    if entries.silent:
        names = _redactor(entries).redact(texts.all_of(one.name for one in clinics if one.id in entries.silent))
        told.append(texts.text("calendar.silent", clinics=names, path=path))
    if entries.cancelled:
        told.append(texts.text("calendar.cancelled", path=beside))
    return " ".join(told) or texts.text("calendar.empty", path=path)


def _write(files: Sequence[tuple[Path, Calendar | None, bytes]], texts: Texts) -> None:
    written: list[str] = []
    for file, before, content in files:
        try:
            # What somebody puts there meanwhile is not replaced.
            (private_file.create if before is None else private_file.replace)(file, content)
        except OSError as error:
            told = {"path": file, "why": error.strerror}
            half = texts.text("calendar.half", **told, written=texts.all_of(written)) if written else None
            raise CalendarFileError(half or texts.text("terminal.save_failed", **told)) from error
        written.append(str(file))


def _calendar_at(path: Path, texts: Texts) -> Calendar | None:
    try:
        calendar = Calendar.from_ical(path.read_bytes()) if S_ISREG(path.lstat().st_mode) else None
        is_ours = calendar is not None and _is_ours(calendar)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CalendarFileError(texts.text("terminal.save_failed", path=path, why=error.strerror)) from error
    except ValueError:
        is_ours = False
    if not is_ours:
        raise CalendarFileError(texts.text("calendar.exists", path=path))
    return calendar


def _is_ours(calendar: Calendar) -> bool:
    """Return whether we wrote a calendar, with all its entries; raise ValueError if an entry has no beginning."""
    entries = [one for one in calendar.subcomponents if not isinstance(one, Timezone)]
    is_product = isinstance(calendar, Calendar) and str(calendar.get("PRODID", "")).startswith(_PRODUCT)
    return is_product and all(isinstance(one, Event) and _clinic_of(one) and _begin(one) for one in entries)


def _clinic_of(event: Event) -> str:
    found = _UID.fullmatch(str(event.get("UID", "")))
    return "" if found is None else found["clinic"]


def _begin(event: Event) -> datetime:
    begin = event.start
    if isinstance(begin, datetime):
        return begin
    raise ValueError("an entry of ours begins at a time of day")


def _uid(one: Appointment) -> str:
    # An id is a clinic's word: it may be anything, a CPF among it.
    return f"{sha256(one.appointment_id.encode()).hexdigest()[:32]}.{one.clinic}@clinic-mesh"


def _redactor(entries: CalendarEntries) -> Redactor:
    return Redactor(entries.speaker, kinds=(PersonalKind.CPF, PersonalKind.NAME))


def _calendar(method: str, events: Sequence[Event], texts: Texts) -> bytes:
    days = [_begin(one).date() for one in events] or [datetime.now(ZONE).date()]
    zone = Timezone.from_tzid(ZONE.key, first_date=min(days) - _DAY, last_date=max(days) + _DAY)
    calendar = Calendar.new(prodid=f"{_PRODUCT}{texts.language.upper()}", method=method, subcomponents=[zone, *events])
    del calendar["UID"]  # one that changes with each file would make each another calendar
    content: bytes = calendar.to_ical()
    return content


def _events(method: str, entries: CalendarEntries, clinics: Sequence[Clinic], texts: Texts) -> Iterator[Event]:
    known, hidden = {clinic.id: clinic for clinic in clinics}, _redactor(entries).redact
    for one in entries.held if method == "PUBLISH" else entries.cancelled:
        clinic = known.get(one.clinic) or Clinic(one.clinic, one.clinic, "")  # the registry may have lost it since
        begin = one.begin.replace(tzinfo=ZONE)
        summary = hidden(f"{clinic.specialty_name(texts.language)}: {one.doctor}")
        event = Event.new(
            uid=_uid(one),
            sequence=one.revision,
            stamp=datetime.now(UTC),
            start=begin,
            end=begin + timedelta(minutes=one.duration_min),
            summary=summary,
            location=hidden(", ".join(filter(None, (clinic.name, clinic.place)))),
            classification=CLASS.PRIVATE,
            status=STATUS.CONFIRMED if method == "PUBLISH" else STATUS.CANCELLED,
        )
        if method == "PUBLISH":
            alarm = Alarm.new(description=summary)
            alarm.add("action", "DISPLAY")
            alarm.add("trigger", -_DAY)
            event.add_component(alarm)
        yield event
