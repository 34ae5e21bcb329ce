"""Tells a filter over openings in words, so that a person sees what was understood."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time
from operator import attrgetter

from orchestrator.responder.wording import clock_time, listed, long_date, weekday
from orchestrator.texts import Texts
from orchestrator.turn import DateRange, Language, SlotFilter, TimeRange

_END_OF_DAY = time(23, 59)
_IN_ORDER = attrgetter("first", "last")


def filter_words(filters: SlotFilter, texts: Texts, language: Language) -> str:
    """Return the conditions of a filter, joined by semicolons; empty for a filter that admits all."""
    conditions = (
        [_dates(span, texts, language) for span in sorted(filters.dates, key=_IN_ORDER)],
        [_weekdays(filters.weekdays, texts, language)] if filters.weekdays else [],
        [_times(span, texts) for span in sorted(filters.times, key=_IN_ORDER)],
        [texts.text("responder.filters.excluded", days=days) for days in _excluded(filters, texts, language)],
    )
    return "; ".join(listed(tuple(group), texts.text("responder.conjunction")) for group in conditions if group)


def _dates(span: DateRange, texts: Texts, language: Language) -> str:
    first, last = long_date(span.first, language), long_date(span.last, language)
    if span.first == span.last:
        return texts.text("responder.filters.day", day=first)
    if span.last == date.max:
        return texts.text("responder.filters.from_day", first=first)
    if span.first == date.min:
        return texts.text("responder.filters.until_day", last=last)
    return texts.text("responder.filters.day_range", first=first, last=last)


def _times(span: TimeRange, texts: Texts) -> str:
    first, last = clock_time(span.first), clock_time(span.last)
    if span.first == span.last:
        return texts.text("responder.filters.time", time=first)
    if span.last >= _END_OF_DAY:
        return texts.text("responder.filters.from_time", first=first)
    if span.first == time.min:
        return texts.text("responder.filters.until_time", last=last)
    return texts.text("responder.filters.time_range", first=first, last=last)


def _weekdays(days: frozenset[int], texts: Texts, language: Language) -> str:
    names = listed(tuple(weekday(day, language) for day in sorted(days)), texts.text("responder.conjunction"))
    return texts.text("responder.filters.weekdays", weekdays=names)


def _excluded(filters: SlotFilter, texts: Texts, language: Language) -> Iterator[str]:
    if filters.excluded_weekdays:
        yield _weekdays(filters.excluded_weekdays, texts, language)
    for span in filters.excluded_dates:
        yield _dates(span, texts, language)
