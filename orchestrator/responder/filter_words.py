"""Word a filter: as conditions ("na quinta-feira; de manhã") or as a part of a sentence ("com o Dr. Caio")."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, time
from operator import attrgetter
from typing import TypeVar

from orchestrator import turn
from orchestrator.responder.reply_context import ReplyContext

_PARTS_OF_DAY = {
    (time(0), time(5, 59)): "dawn",
    (time(0), time(11, 59)): "morning",
    (time(6), time(11, 59)): "morning",
    (time(6), time(9, 59)): "early",
    (time(12), time(17, 59)): "afternoon",
    (time(18), time(23, 59)): "evening",
    (time(11, 30), time(13, 59)): "lunch",
}
_ORDER = (
    *(turn.WithDoctors, turn.WithWoman, turn.OfSpecialty, turn.AtClinics),
    *(turn.Beside, turn.OnDates, turn.OnWeekdays, turn.AtTimes),
)
_WORKING_DAYS, _WEEKEND = frozenset(range(5)), frozenset({5, 6})
_LAST_MINUTE = time(23, 59)
_FROM_NOON = turn.TimeRange(time(12), _LAST_MINUTE)
_FIRST = attrgetter("first", "last")
_TITLES = {"dr", "dra", "doutor", "doutora"}

_Span = TypeVar("_Span", turn.DateRange, turn.TimeRange)


def filter_words(wanted: turn.Filter, context: ReplyContext) -> str:
    """Return the conditions of a filter, joined by semicolons; empty for a filter that only names specialties."""
    parts = [(one, one.parts if isinstance(one, turn.AnyOf) else (one,)) for one in turn.conjuncts(wanted)]
    told = [one for one, alternatives in parts if not all(isinstance(it, turn.OfSpecialty) for it in alternatives)]
    return "; ".join(FilterPhrases(context).parts(told))


def wish_words(wish: turn.Wish, context: ReplyContext) -> str:
    """Return a request in words: its specialties, then its conditions."""
    codes = dict.fromkeys(one.code for one in turn.conditions_of(wish.filter) if isinstance(one, turn.OfSpecialty))
    topic = context.texts.one_of(map(context.specialty, codes))
    return ", ".join(words for words in (topic, filter_words(wish.filter, context)) if words)


def unknown_words(wish: turn.Wish, context: ReplyContext) -> Iterator[str]:
    """Yield what is not known of the conditions of a wish, and which clinics do not state it."""
    for one in dict.fromkeys(turn.conditions_of(wish.filter)):
        if isinstance(one, turn.ClinicFact) and one.clinics is None:
            yield context.texts.text(f"responder.filters.unknown.{one.axis}", said=f"“{one.said}”")
        elif isinstance(one, turn.ClinicFact):
            rest = turn.without(wish.filter, frozenset({one.axis}))
            fitting = [one for one in context.clinics if turn.fitting_doctors(rest, one)]
            if names := [clinic.name for clinic in fitting if not clinic.stated(turn.FACT_OF[one.axis])]:
                said = context.texts.all_of(names)
                yield context.texts.counted(f"responder.filters.unstated.{one.axis}", len(names), clinics=said)


def money(cents: int, context: ReplyContext) -> str:
    """Return an amount in reais: R$ 420,00 in Portuguese, R$ 420.00 in English."""
    return f"R$ {cents // 100}{context.texts.text('names.decimal_sign')}{cents % 100:02}"


@dataclass(frozen=True, slots=True)
class FilterPhrases:
    """The words for filters, days and doctors inside a sentence."""

    context: ReplyContext
    today: date | None = None  # None: every day is said in full
    asked: frozenset[str] = frozenset()  # ids of the clinics asked; a specialty that all have goes without saying

    def scope(self, wanted: turn.Filter, assumed: Sequence[turn.Condition] = ()) -> str:
        """Return a filter in words, the conditions that were assumed marked; empty where nothing needs saying."""
        parts = turn.conjuncts(wanted)
        said = [one for one in parts if not isinstance(one, turn.OfSpecialty) or self.asked - one.clinics]
        return ", ".join(self.parts(said, assumed))

    def doctor(self, name: str) -> str:
        """Return a doctor with the article that the language asks for before a title."""
        if name.split(maxsplit=1)[0].rstrip(".").casefold() not in _TITLES:
            return name
        return self.context.texts.text(
            "responder.phrases.the_woman" if turn.is_woman(name) else "responder.phrases.the_man", doctor=name
        )

    def with_doctor(self, name: str) -> str:
        """Return that somebody is seen by a doctor."""
        return self.context.texts.text("responder.phrases.doctor", doctor=self.doctor(name))

    def day(self, day: date) -> str:
        """Return a day without its year where that is this year: 18/07, or July 18."""
        return self.context.texts.long_date(day) if self.today is None else self._short_date(day)

    def _short_date(self, day: date) -> str:
        said, year = self.context.texts.plain_date(day), self.today.year if self.today else None
        return said.removesuffix(str(day.year)).rstrip("/, ") if day.year == year else said

    def long_day(self, day: date) -> str:
        """Return a day with its weekday, and with "today" or "tomorrow"."""
        names = self.context.texts.lines("responder.phrases.relative_days")
        relative = [name for ahead, name in enumerate(names) if self._is_ahead(day, ahead)]
        return ", ".join((*relative, self.context.texts.weekday(day), self._short_date(day)))

    def _is_ahead(self, day: date, days: int) -> bool:
        return self.today is not None and (day - self.today).days == days

    def on_day(self, day: date) -> str:
        """Return that something is on a day: "na sexta-feira, 18/07"."""
        if self._is_ahead(day, 0) or self._is_ahead(day, 1):
            return self.long_day(day)
        return f"{self.context.texts.lines('responder.phrases.on_days')[day.weekday()]}, {self._short_date(day)}"

    def parts(self, parts: Sequence[turn.Filter], assumed: Sequence[turn.Condition] = ()) -> list[str]:
        """Return the words of each part, what is denied last and together, the conditions that were assumed marked."""
        texts = self.context.texts
        plain = [
            part.part.part if isinstance(part, turn.Not) and isinstance(part.part, turn.Not) else part for part in parts
        ]
        said = [part for part in plain if not isinstance(part, turn.Not)]
        in_order = sorted(_merged(said), key=lambda one: (*_ORDER, type(one[0])).index(type(one[0])))
        words = [self._marked(part, sources, assumed) for part, sources in in_order]
        denied = [self._denied(part.part, assumed) for part in plain if isinstance(part, turn.Not)]
        return [*words, texts.text("responder.phrases.except", parts=texts.one_of(denied))] if denied else words

    def _marked(self, part: turn.Filter, sources: Sequence[turn.Filter], assumed: Sequence[turn.Condition]) -> str:
        words = self.part(part)
        is_assumed = any(one in assumed for source in sources for one in turn.conditions_of(source))
        return self.context.texts.text("responder.phrases.assumed", words=words) if is_assumed else words

    def _denied(self, denied: turn.Filter, assumed: Sequence[turn.Condition]) -> str:
        """Return what is denied, with an exception from that: "na segunda-feira (a não ser a partir das 16:00)"."""
        parts = turn.conjuncts(denied)
        if admitted := [part.part for part in parts if isinstance(part, turn.Not)]:
            words = " ".join(self.parts([part for part in parts if not isinstance(part, turn.Not)], assumed))
            unless = self.context.texts.one_of(map(self.part, admitted))
            return self.context.texts.text("responder.phrases.unless", words=words, parts=unless)
        return self._marked(denied, (denied,), assumed)

    def part(self, part: turn.Filter) -> str:
        """Return a part of a filter in words, whether or not it goes without saying."""
        match part:
            case turn.AllOf(parts):
                return " ".join(self.parts(parts))
            case turn.AnyOf(parts):
                return self.context.texts.one_of(map(self.part, parts))
            case turn.Not():
                return " ".join(self.parts((part,)))
            case _:
                return self._condition(part)

    def _condition(self, condition: turn.Condition) -> str:
        texts = self.context.texts
        match condition:
            case turn.OnDates(spans):
                words = texts.one_of(map(self._dates, sorted(set(spans), key=_FIRST)))
            case turn.OnWeekdays():
                words = self._weekdays(condition)
            case turn.AtTimes(spans):
                words = texts.one_of(map(self._times, sorted(set(spans), key=_FIRST)))
            case turn.Beside():
                words = self._beside(condition)
            case turn.WithDoctors(names):
                words = texts.one_of(map(self.with_doctor, sorted(names)))
            case turn.WithWoman(woman):
                words = texts.text("responder.filters.woman" if woman else "responder.filters.man")
            case turn.AtClinics(ids):
                clinics = texts.one_of(map(self.context.clinic, sorted(ids)))
                words = texts.text("responder.filters.clinic", clinic=clinics)
            case turn.OfSpecialty(code):
                words = texts.text("responder.phrases.specialty", specialty=self.context.specialty(code))
            case turn.ClinicFact():
                words = self._fact(condition)
        return words

    def _fact(self, fact: turn.ClinicFact) -> str:
        value = money(int(fact.value), self.context) if fact.axis is turn.Axis.PRICE and fact.value else fact.value
        if fact.clinics is None or not (value or fact.axis is turn.Axis.PRICE):
            return f"“{fact.said}”"
        key = fact.axis if value else "lowest_price"
        return self.context.texts.text(f"responder.filters.clinics.{key}", value=value)

    def _dates(self, span: turn.DateRange) -> str:
        texts, first, last = self.context.texts, self.day(span.first), self.day(span.last)
        if span.first == span.last:
            return self.on_day(span.first)
        if span.last == date.max:
            return texts.text("responder.phrases.from_day", day=first)
        if span.first == date.min:
            return texts.text("responder.phrases.until_day", day=last)
        return texts.text("responder.phrases.day_range", first=first, last=last)

    def _beside(self, part: turn.Beside) -> str:
        """Return "before a day" and not "before its midnight", and "after a day" and not "after its last minute"."""
        texts, day, at = self.context.texts, self.day(part.moment.date()), part.moment.time()
        if at < _LAST_MINUTE if part.later else at > time.min:
            day = f"{day} {texts.text('responder.phrases.time', time=turn.clock(at))}"
        return texts.text("responder.phrases.after_day" if part.later else "responder.phrases.before_day", day=day)

    def _weekdays(self, condition: turn.OnWeekdays) -> str:
        texts, weekdays = self.context.texts, condition.weekdays
        if condition.coming and weekdays != _WEEKEND:
            return texts.one_of(texts.lines("responder.phrases.on_days")[day] for day in sorted(weekdays))
        if weekdays == _WORKING_DAYS:
            return texts.text("responder.phrases.working_days")
        if weekdays == _WEEKEND:
            return texts.text("responder.phrases.weekend")
        if len(weekdays) > len(_WORKING_DAYS):
            others = texts.one_of(texts.weekday(day) for day in range(7) if day not in weekdays)
            return texts.text("responder.phrases.other_days", day=others)
        every = texts.lines("responder.phrases.every_day")
        return texts.text("responder.phrases.weekdays", days=texts.all_of(every[day] for day in sorted(weekdays)))

    def _times(self, span: turn.TimeRange) -> str:
        span = turn.TimeRange(span.first, min(span.last, _LAST_MINUTE))  # some spans end with the last microsecond
        texts, first, last = self.context.texts, turn.clock(span.first), turn.clock(span.last)
        if part := _PARTS_OF_DAY.get((span.first, span.last)):
            words = texts.text(f"responder.filters.parts.{part}")
        elif span.first == span.last:
            words = texts.text("responder.phrases.time", time=first)
        elif span == _FROM_NOON:
            words = texts.text("responder.phrases.from_noon")
        elif span.last == _LAST_MINUTE and (after := turn.begins_after(span)) is not None:
            words = texts.text("responder.phrases.after_time", time=turn.clock(after))
        elif span.last == _LAST_MINUTE:
            words = texts.text("responder.phrases.from_time", time=first)
        elif span.first == time.min and (before := turn.ends_before(span)) is not None:
            words = texts.text("responder.phrases.before_time", time=turn.clock(before))
        elif span.first == time.min:
            words = texts.text("responder.phrases.until_time", time=last)
        else:
            words = texts.text("responder.phrases.time_range", first=first, last=last)
        return words


def _merged(parts: Sequence[turn.Filter]) -> list[tuple[turn.Filter, tuple[turn.Filter, ...]]]:
    """Return the parts, each with those it was made of: "from 21/07" and "until 27/07" are one range."""
    merged: list[tuple[turn.Filter, tuple[turn.Filter, ...]]] = []
    for part in parts:
        for at, (one, sources) in enumerate(merged):
            if (both := _both(one, part)) is not None:
                merged[at] = both, (*sources, part)
                break
        else:
            merged.append((part, (part,)))
    return merged


def _both(one: turn.Filter, other: turn.Filter) -> turn.Filter | None:
    match one, other:
        case turn.OnDates(spans), turn.OnDates(others) if days := _common(spans, others):
            return turn.OnDates(days)
        case turn.AtTimes(times), turn.AtTimes(other_times) if hours := _common(times, other_times):
            return turn.AtTimes(hours)
        case _:
            return None


def _common(spans: Sequence[_Span], others: Sequence[_Span]) -> tuple[_Span, ...]:
    both = (type(one)(max(one.first, two.first), min(one.last, two.last)) for one in spans for two in others)
    return tuple(span for span in both if span.first <= span.last)
