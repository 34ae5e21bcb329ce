"""Word a filter for people: "quinta-feira; de manhã; menos às 08:00"."""

from collections.abc import Iterator
from datetime import date, time
from operator import attrgetter

from orchestrator.responder.reply_context import ReplyContext
from orchestrator.texts import Texts, clock_time
from orchestrator.turn import (
    FACT_OF,
    AllOf,
    AnyOf,
    AtClinics,
    AtTimes,
    Axis,
    Beside,
    ClinicFact,
    Condition,
    DateRange,
    Filter,
    Not,
    OfSpecialty,
    OnDates,
    OnWeekdays,
    TimeRange,
    Wish,
    WithDoctors,
    WithWoman,
    conditions_of,
    conjuncts,
    fitting_doctors,
    without,
)

PARTS_OF_DAY = {
    (time(0), time(5, 59)): "dawn",
    (time(6), time(11, 59)): "morning",
    (time(6), time(9, 59)): "early",
    (time(12), time(17, 59)): "afternoon",
    (time(18), time(23, 59)): "evening",
    (time(11, 30), time(13, 59)): "lunch",
}
_END_OF_DAY = time(23, 59)
_IN_ORDER = attrgetter("first", "last")


def filter_words(wanted: Filter, context: ReplyContext) -> str:
    """Return the conditions of a filter, joined by semicolons; empty for a filter that only names specialties."""
    parts = [part for part in conjuncts(wanted) if not _is_topic(part)]
    denied = [part.part for part in parts if isinstance(part, Not)]
    words = [_words(part, context) for part in parts if not isinstance(part, Not)]
    if denied:
        excluded = context.texts.all_of(dict.fromkeys(_words(part, context) for part in denied))
        words.append(context.texts.text("responder.filters.excluded", days=excluded))
    return "; ".join(word for word in dict.fromkeys(words) if word)


def wish_words(wish: Wish, context: ReplyContext) -> str:
    """Return a request in words: its specialties, then its conditions."""
    codes = dict.fromkeys(one.code for one in conditions_of(wish.filter) if isinstance(one, OfSpecialty))
    topic = context.texts.one_of(map(context.texts.specialty, codes))
    return ", ".join(words for words in (topic, filter_words(wish.filter, context)) if words)


def unknown_words(wish: Wish, context: ReplyContext) -> Iterator[str]:
    """Yield what is not known of the conditions of a wish, and which clinics do not state it."""
    for one in dict.fromkeys(conditions_of(wish.filter)):
        if isinstance(one, ClinicFact) and one.clinics is None:
            yield context.texts.text(f"responder.filters.unknown.{one.axis}", said=f"“{one.said}”")
        elif isinstance(one, ClinicFact):
            rest = without(wish.filter, frozenset({one.axis}))
            fitting = [one for one in context.clinics if fitting_doctors(rest, one)]
            if names := [clinic.name for clinic in fitting if not clinic.stated(FACT_OF[one.axis])]:
                said = context.texts.all_of(names)
                yield context.texts.counted(f"responder.filters.unstated.{one.axis}", len(names), clinics=said)


def money(cents: int, context: ReplyContext) -> str:
    """Return an amount in reais: R$ 420,00 in Portuguese, R$ 420.00 in English."""
    return f"R$ {cents // 100}{context.texts.text('names.decimal_sign')}{cents % 100:02}"


def _is_topic(part: Filter) -> bool:
    alternatives = part.parts if isinstance(part, AnyOf) else (part,)
    return all(isinstance(one, OfSpecialty) for one in alternatives)


def _words(wanted: Filter, context: ReplyContext) -> str:
    match wanted:
        case AllOf(parts):
            inner = [_words(part, context) for part in parts]
            return " ".join(word for word in inner if word)
        case AnyOf(parts):
            return context.texts.one_of(_words(part, context) for part in parts)
        case Not(part):
            return context.texts.text("responder.filters.excluded", days=_words(part, context))
        case _:
            return condition_words(wanted, context)


def condition_words(condition: Condition, context: ReplyContext) -> str:
    """Return one condition in words."""
    texts = context.texts
    match condition:
        case OnDates(spans):
            words = texts.one_of(_dates(span, texts) for span in sorted(set(spans), key=_IN_ORDER))
        case OnWeekdays(weekdays):
            days = texts.one_of(map(texts.weekday, sorted(weekdays)))
            words = texts.text("responder.filters.weekdays", weekdays=days)
        case AtTimes(spans):
            words = texts.one_of(_times(span, texts) for span in sorted(set(spans), key=_IN_ORDER))
        case Beside(moment, later):
            said = texts.moment(moment.date(), moment.time())
            words = texts.text("responder.filters.after" if later else "responder.filters.before", moment=said)
        case WithDoctors(names):
            words = texts.text("responder.filters.doctor", doctor=texts.one_of(sorted(names)))
        case WithWoman(woman):
            words = texts.text("responder.filters.woman" if woman else "responder.filters.man")
        case AtClinics(ids):
            words = texts.text("responder.filters.clinic", clinic=texts.one_of(map(context.clinic, sorted(ids))))
        case OfSpecialty(code):
            words = texts.specialty(code)
        case ClinicFact():
            words = _fact_words(condition, context)
    return words


def _fact_words(fact: ClinicFact, context: ReplyContext) -> str:
    value = money(int(fact.value), context) if fact.axis is Axis.PRICE and fact.value else fact.value
    if fact.clinics is None or not (value or fact.axis is Axis.PRICE):
        return f"“{fact.said}”"
    return context.texts.text(f"responder.filters.clinics.{fact.axis if value else 'lowest_price'}", value=value)


def _dates(span: DateRange, texts: Texts) -> str:
    first, last = texts.long_date(span.first), texts.long_date(span.last)
    if span.first == span.last:
        return texts.text("responder.filters.day", day=first)
    if span.last == date.max:
        return texts.text("responder.filters.from_day", first=first)
    if span.first == date.min:
        return texts.text("responder.filters.until_day", last=last)
    return texts.text("responder.filters.day_range", first=first, last=last)


def _times(span: TimeRange, texts: Texts) -> str:
    first, last = clock_time(span.first), clock_time(span.last)
    part = PARTS_OF_DAY.get((span.first, span.last))
    if part is not None:
        return texts.text(f"responder.filters.parts.{part}")
    if span.first == span.last:
        return texts.text("responder.filters.time", time=first)
    if span.last >= _END_OF_DAY:
        return texts.text("responder.filters.from_time", first=first)
    if span.first == time.min:
        return texts.text("responder.filters.until_time", last=last)
    return texts.text("responder.filters.time_range", first=first, last=last)
