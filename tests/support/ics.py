"""A calendar as people have one: it opens iCalendar files with another library than the one that writes them."""

from __future__ import annotations

from pathlib import Path

from ical.calendar_stream import CalendarStream
from ical.event import Event, EventStatus


class PersonsCalendar:
    """The entries of a calendar by UID, as the files that were opened left them (RFC 5546, 3.2.1 and 3.2.5)."""

    def __init__(self) -> None:
        self.entries: dict[str, Event] = {}

    def open(self, path: Path) -> PersonsCalendar:
        """Take in a file, and return the calendar."""
        (calendar,) = CalendarStream.from_ics(path.read_bytes().decode()).calendars
        for event in calendar.events:
            assert event.uid is not None
            before = self.entries.get(event.uid)
            if before is not None and (event.sequence or 0) < (before.sequence or 0):
                continue  # an older file that is opened late
            if calendar.method == "CANCEL":
                assert event.status is EventStatus.CANCELLED
                self.entries.pop(event.uid, None)
            else:
                assert calendar.method == "PUBLISH"
                self.entries[event.uid] = event
        return self

    @property
    def begins(self) -> list[str]:
        """When the entries begin, in local time and in order."""
        return sorted(f"{event.dtstart:%Y-%m-%d %H:%M}" for event in self.entries.values())
