"""Tells a filter over openings in words, so that a person sees what was understood."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time
from operator import attrgetter

from orchestrator.responder.texts import FilterTexts, ReplyTexts
from orchestrator.responder.wording import clock_time, listed, long_date, weekday
from orchestrator.turn import DateRange, Language, SlotFilter, TimeRange

_END_OF_DAY = time(23, 59)
_IN_ORDER = attrgetter("first", "last")


def filter_words(filters: SlotFilter, texts: ReplyTexts, language: Language) -> str:
    """Return the conditions of a filter, joined by semicolons; empty for a filter that admits all."""
    words = texts.filters
    conditions = (
        [_dates(span, words, language) for span in sorted(filters.dates, key=_IN_ORDER)],
        [_weekdays(filters.weekdays, texts, language)] if filters.weekdays else [],
        [_times(span, words) for span in sorted(filters.times, key=_IN_ORDER)],
        [words.excluded.format(days=days) for days in _excluded(filters, texts, language)],
    )
    return "; ".join(listed(tuple(group), texts.conjunction) for group in conditions if group)


def _dates(span: DateRange, words: FilterTexts, language: Language) -> str:
    first, last = long_date(span.first, language), long_date(span.last, language)
    if span.first == span.last:
        return words.day.format(day=first)
    if span.last == date.max:
        return words.from_day.format(first=first)
    if span.first == date.min:
        return words.until_day.format(last=last)
    return words.day_range.format(first=first, last=last)


def _times(span: TimeRange, words: FilterTexts) -> str:
    first, last = clock_time(span.first), clock_time(span.last)
    if span.first == span.last:
        return words.time.format(time=first)
    if span.last >= _END_OF_DAY:
        return words.from_time.format(first=first)
    if span.first == time.min:
        return words.until_time.format(last=last)
    return words.time_range.format(first=first, last=last)


def _weekdays(days: frozenset[int], texts: ReplyTexts, language: Language) -> str:
    names = listed(tuple(weekday(day, language) for day in sorted(days)), texts.conjunction)
    return texts.filters.weekdays.format(weekdays=names)


def _excluded(filters: SlotFilter, texts: ReplyTexts, language: Language) -> Iterator[str]:
    if filters.excluded_weekdays:
        yield _weekdays(filters.excluded_weekdays, texts, language)
    for span in filters.excluded_dates:
        yield _dates(span, texts.filters, language)
