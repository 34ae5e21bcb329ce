"""Find the conditions that an utterance names: doctors, clinics, specialties, days and times.

Insurance, price, place and language are conditions on clinics, resolved against what the clinics state.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import time, timedelta
from functools import lru_cache
from itertools import pairwise

from orchestrator import turn
from orchestrator.planner import calendar
from orchestrator.planner.lexicon import expression, pairs, spelled_numbers, table
from orchestrator.planner.text import Text, blanked, fold_phrase
from orchestrator.planner.wishes.named_entities import clinics_at, doctors_at
from orchestrator.planner.wishes.specialties import specialties_at
from orchestrator.planner.wishes.wish_tokens import Kind, Token
from orchestrator.texts import texts_in

EARLY = turn.AtTimes((turn.TimeRange(time(6), time(9, 59)),))
LATE = turn.AtTimes((turn.TimeRange(time(17), time(23, 59)),))
_IS, _EARLY, _WORKING = (expression(name) for name in ("is_excess", "early", "working_days"))
_EXCESSES = ((expression("too_early"), EARLY), (expression("too_late"), LATE))
_WEEK = timedelta(days=7)
_NEAR = 24  # characters within which a part of the day settles an hour
_When = turn.OnDates | turn.OnWeekdays | turn.AtTimes
_SPAN = r"\b({day})(?:-feira)?(?: (?:a|ate) ({day}))?"
_BEFORE_HOUR = frozenset({Kind.NOT, Kind.EXCEPT, Kind.BUT, Kind.CORRECTING, Kind.FALLBACK, Kind.THEN})


def find_conditions(text: Text, clinics: Sequence[turn.Clinic], reference: calendar.Reference) -> list[Token]:
    """Return the conditions of an utterance, in their order; none of them overlap."""
    found: list[Token] = []
    for start, end, wanted in _named(text, clinics):
        if not any(token.start < end and start < token.end for token in found):
            found.append(Token(Kind.CONDITION, start, end, text.folded[start:end], wanted))
    for words, excess in _EXCESSES:
        found += (Token(Kind.CONDITION, *one.span(), one.group(), excess) for one in words.finditer(text.folded))
    named = [token.wanted for token in found if isinstance(token.wanted, turn.OfSpecialty)]
    of_two = len(set(named)) > 1 or table("wishes", "together").search(text.folded) is not None
    both = [match.span() for match in expression("both_named").finditer(text.folded)] if of_two else []
    prices = [one.span() for one in table("wishes", "price").finditer(text.folded) if re.search(r"\d", one.group())]
    hidden = blanked(text.folded, [*((token.start, token.end) for token in found), *both, *prices])
    found += days_and_times(replace(text, folded=hidden), reference)
    for match in _EARLY.finditer(hidden):
        if not any(token.start < match.end() and match.start() < token.end for token in found):
            wish = turn.WithWoman(woman=True) if match.lastgroup else EARLY
            found.append(Token(Kind.CONDITION, *match.span(), match.group(), wish))
    return _with_hours(text.folded, sorted(found, key=lambda token: token.start))


def _with_hours(folded: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with an hour that is too early or too late as what is denied: "8h é cedo demais"."""
    found: list[Token] = []
    for token in tokens:
        hour = found[-1] if found and token.wanted in (EARLY, LATE) else None
        if hour and isinstance(hour.wanted, turn.AtTimes) and _IS.fullmatch(folded, hour.end, token.end):
            at = hour.wanted.spans[0]
            beyond = turn.TimeRange(time.min, at.last) if token.wanted == EARLY else turn.TimeRange(at.first, time.max)
            found[-1] = replace(token, start=hour.start, text="too much", wanted=turn.AtTimes((beyond,)))
        else:
            found.append(token)
    return found


def _named(text: Text, clinics: Sequence[turn.Clinic]) -> Iterator[tuple[int, int, turn.Condition]]:
    for start, end, doctors in doctors_at(text, clinics):
        title = expression("title_before").search(text.folded[:start])
        yield title.start() if title else start, end, turn.WithDoctors(frozenset(doctor.name for doctor in doctors))
    for start, end, clinic in clinics_at(text, clinics):
        yield start, end, turn.AtClinics(frozenset({clinic}))
    for start, end, code in specialties_at(text.folded, clinics):
        yield start, end, turn.OfSpecialty(code, frozenset(clinic.id for clinic in clinics if clinic.specialty == code))
    yield from named_by_clinics(text, clinics)
    for one in expression("price_limit").finditer(text.folded):
        yield *one.span(), turn.ClinicFact(turn.Axis.PRICE, text.typed(*one.span()))


def days_and_times(text: Text, reference: calendar.Reference) -> Iterator[Token]:
    """Yield the days and times of a text as conditions."""
    values = list(calendar.find_values(text, reference))
    stretches = [one.value.span for one in values if isinstance(one.value, calendar.Days)]
    weeks = any(_WEEK < span.last - span.first < 20 * _WEEK for span in stretches)  # "a Tuesday in December"
    for place, one in enumerate(values):
        near = [it.value for it in values[max(0, place - 1) : place + 2] if abs(it.start - one.start) < _NEAR]
        parts = (value.part for value in near if isinstance(value, calendar.Hours) and value.part is not None)
        condition = _condition(one.value, next(parts, None))
        said = text.folded[one.start : one.end]
        marked = f"{text.folded[: one.start]}[{said}]{text.folded[one.end :]}"
        if isinstance(condition, turn.OnWeekdays) and (weeks or expression("of_any_week").search(marked)):
            condition = turn.OnWeekdays(condition.weekdays)
        elif isinstance(one.value, calendar.Weekday) and reference.first_listed == reference.today in one.value.dates:
            condition = turn.OnWeekdays(frozenset({one.value.weekday}), tuple(sorted(one.value.dates)))
        if expression("refused_weekdays").search(f"within {marked}" if weeks else marked):
            spans = ((span.first, (span.last - span.first).days) for span in turn.spans_of(condition))
            refused = [(day + timedelta(days=n)).weekday() for day, long in spans for n in range(min(7, long + 1))]
            condition = turn.OnWeekdays(frozenset(refused)) if refused else condition  # of any week
        if isinstance(condition, turn.OnWeekdays) or condition.spans:  # it is asked what "July 32" was to be
            yield Token(Kind.CONDITION, one.start, one.end, said, condition)
    for match in _WORKING.finditer(text.folded):
        if not any(one.start < match.end() and match.start() < one.end for one in values):
            yield Token(Kind.CONDITION, *match.span(), match.group(), turn.OnWeekdays(frozenset(range(5))))


def told_in(values: Iterable[Token]) -> list[turn.Filter]:
    """Return the days and times told, weekdays until a day as those before it: "every Tuesday, until the 15th"."""
    told = [one.wanted for one in values if one.wanted is not None]
    long = [one for one in told if isinstance(one, turn.OnDates) and one.spans[0].first < one.spans[-1].last]
    weekly = [one for one in told if isinstance(one, turn.OnWeekdays)] if long else []
    both = [turn.all_of((turn.any_of(weekly), turn.any_of(long)))] if weekly else []
    return [*both, *(one for one in told if not both or isinstance(one, turn.AtTimes))]


def _condition(value: calendar.Value, part: str | None) -> _When:
    match value:
        case calendar.Weekday(weekday=weekday, dates=dates):
            return turn.OnWeekdays(frozenset({weekday}), dates[:1])
        case calendar.Day(dates=dates) | calendar.Instant(dates=dates):
            return turn.OnDates(tuple(turn.DateRange(day, day) for day in dates))
        case calendar.Days(span=span, any_weekend=True):
            return turn.OnWeekdays(frozenset({5, 6}), tuple(dict.fromkeys((span.first, span.last))))
        case calendar.Days(span=span):
            return turn.OnDates((span,))
        case calendar.Clock():
            return at_times(calendar.readings(calendar.in_part(value, part) if part and value.open else value))
        case calendar.Hours(span=hours):
            return turn.AtTimes((hours,))


def at_times(times: Sequence[time]) -> turn.AtTimes:
    """Return the condition that the time is one of some."""
    return turn.AtTimes(tuple(turn.TimeRange(at, at) for at in times))


def lone_hours(folded: str, tokens: Sequence[Token]) -> Iterator[Token]:
    """Return bare numbers that continue a list of hours, or that a denial excludes: "às 9 ou 10", "not 9 but 10"."""
    for left, right in pairwise([*tokens, Token(Kind.STOP, len(folded), len(folded))]):
        follows_hour = isinstance(left.wanted, turn.AtTimes) or (left.kind in {Kind.OR, Kind.AND, Kind.COMMA})
        if not (left.kind in _BEFORE_HOUR or follows_hour):
            continue
        hours = [one for one in tokens if isinstance(one.wanted, turn.AtTimes) and one.end <= left.end]
        if follows_hour and not hours:
            continue
        match = expression("lone_hour").fullmatch(folded[left.end : right.start])
        hour = spelled_numbers().get(match["hour"]) or int(match["hour"]) if match else 0
        if match and 1 <= hour <= 20:
            start = left.end + match.start("hour")
            times = at_times(calendar.readings(calendar.Clock(hour, 0, open=hour < 12)))
            yield Token(Kind.CONDITION, start, start + len(match["hour"]), match["hour"], times)


def named_by_clinics(text: Text, clinics: Sequence[turn.Clinic]) -> Iterator[tuple[int, int, turn.ClinicFact]]:
    """Yield where a text names an insurance, a city or a district that a clinic states."""
    for axis, naming in _names_stated(tuple(clinics)):
        for match in naming.finditer(text.folded):
            yield *match.span(), turn.ClinicFact(axis, text.typed(*match.span()))


@lru_cache(maxsize=8)
def _names_stated(clinics: tuple[turn.Clinic, ...]) -> tuple[tuple[turn.Axis, re.Pattern[str]], ...]:
    insurances = {name for one in clinics for name in one.stated(turn.AskedFact.INSURANCE)}
    places = _places(clinics)
    places |= {short for text in places if " " in (short := re.split(r" d[aeo]s? ", text)[0])}  # "São Caetano"
    places |= {*pairs("clinic_facts", "place_as_known")}
    stated = ((turn.Axis.INSURANCE, "takes", insurances), (turn.Axis.PLACE, "near", places))
    return tuple((axis, _naming(lead, names)) for axis, lead, names in stated if names)


def _places(clinics: Sequence[turn.Clinic]) -> set[str]:
    return {text.rpartition(", ")[2] for one in clinics for text in one.stated("address", "city")}


@lru_cache(maxsize=8)
def place_vocabulary(clinics: tuple[turn.Clinic, ...]) -> frozenset[str]:
    """Return the folded words that tell cities and districts apart: "caetano", of São Caetano do Sul."""
    return frozenset(fold_phrase(re.split(r" d[aeo]s? ", place)[0]).split()[-1] for place in _places(clinics))


def _naming(lead: str, names: Iterable[str]) -> re.Pattern[str]:
    longest_first = "|".join(re.escape(fold_phrase(name)) for name in sorted(names, key=len, reverse=True))
    longest_first = re.sub(r"\b(?:sao|sant[oa])\\ ", r"s(?:ao|ant[oa]|t[oa]?)?\.? ", longest_first)  # "s. caetano"
    return re.compile(rf"(?<![a-z])(?:{expression(lead).pattern})?(?:{longest_first})(?![a-z0-9])")


def as_stated(token: Token, clinics: Sequence[turn.Clinic]) -> Token:
    """Return a token with its condition on clinics, if it has one, resolved to those that state it."""
    fact = token.wanted
    return replace(token, wanted=resolved(fact, token.text, clinics)) if isinstance(fact, turn.ClinicFact) else token


def resolved(fact: turn.ClinicFact, folded: str, clinics: Sequence[turn.Clinic]) -> turn.ClinicFact:
    """Return a condition on clinics, said in a folded text, with those that state it; as it is where none can tell."""
    where = [(one.id, " ".join(one.stated("address", "city", "directions", "accessibility"))) for one in clinics]
    known = [(clinic, text) for clinic, text in where if text]
    if fact.axis is not turn.Axis.PLACE:
        known = [(one.id, text) for one in clinics for text in one.stated(turn.FACT_OF[fact.axis])]
    name = _name(fact.axis, folded, [text for _, text in known])
    if not known or name is None:
        return fact
    match fact.axis:
        case turn.Axis.PRICE:
            found = {clinic: name for clinic, cents in known if not name or int(cents) <= int(name)}
        case turn.Axis.PLACE:
            words = re.compile("".join(rf"(?=.*\b{word}\b)" for word in name.split()))
            found = {clinic: "" for clinic, text in known if words.match(fold_phrase(text))}
        case _:
            found = {clinic: text for clinic, text in known if _joined(name) in _joined(text)}
    if fact.axis is turn.Axis.PLACE and not found:
        return fact  # no address tells what is near "minha casa"
    return replace(fact, value=next(iter(found.values()), name), clinics=frozenset(found))


def _name(axis: turn.Axis, folded: str, stated: Sequence[str]) -> str | None:
    """Return what a condition names, a price in hundredths, empty for the lowest; None where it names nothing."""
    match axis:
        case turn.Axis.PRICE:
            amount = re.search(r"\d+", folded)
            return "" if amount is None else str(int(amount.group()) * 100)
        case turn.Axis.PLACE:
            names = dict(pairs("clinic_facts", "place_as_stated"))
            names |= pairs("clinic_facts", "place_as_known")
            bare = table("clinic_facts", "place_small").sub(" ", folded)
            told = [names.get(word, word) for word in re.findall(r"\b(?!o[ru]\b)[a-z0-9]+", bare)]
            return f"({'|'.join(told)})" if told[1:] and re.search(r" o[ru] ", bare) else " ".join(told) or None
        case turn.Axis.INSURANCE:
            own = next((name for name in map(fold_phrase, stated) if name in folded), None)
            named = table("wishes", "insurer", " ").search(folded)
            # "Porto Seguro" and "Bradesco Seguros" are called by another word than the clinics write.
            return own or (table("clinic_facts", "insurer_small").sub("", named.group()).strip() if named else None)
        case _:
            spoken = table("wishes", "tongue").search(folded)
            return pairs("clinic_facts", "tongue_as_stated").get(spoken.group(), spoken.group()) if spoken else None


def opening_days(moments: Iterable[calendar.Moment], clinics: Sequence[turn.Clinic]) -> Iterator[turn.ClinicFact]:
    """Yield the weekdays that are spoken of as what is asked of clinics, with those that are open then."""
    open_on = {one.id: _days_open(" ".join(one.stated(turn.AskedFact.HOURS))) for one in clinics}
    ends = [(span.first, span.last) for one in moments for span in one.days if (span.last - span.first).days < 2]
    days = {day.weekday() for days in (*ends, *(one.dates for one in moments)) for day in days}
    for day in sorted(days) if all(open_on.values()) else ():
        yield turn.ClinicFact(turn.Axis.DAY, "", str(day), frozenset(one for one in open_on if day in open_on[one]))


@lru_cache(maxsize=64)
def _days_open(stated: str) -> frozenset[int]:
    """Return the weekdays that opening hours name, as clinics state them; none where they say anything else."""
    names = [fold_phrase(texts_in(turn.Language.PT).weekday(day)).partition("-")[0] for day in range(7)]
    folded, day = fold_phrase(stated), "|".join(names)
    if re.sub(rf"\b(?:{day}|feiras?|\d+h?\d*|h|das?|de|as?|ate|e)\b|[^a-z]", "", folded):
        return frozenset()
    spans = ((names.index(one), names.index(other or one)) for one, other in re.findall(_SPAN.format(day=day), folded))
    return frozenset(one for first, last in spans for one in range(first, last + 1))


def _joined(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", fold_phrase(name))  # "sul america" is "SulAmérica"


def prices_of(clinics: Iterable[turn.Clinic]) -> Mapping[turn.Clinic, int]:
    """Return the prices of a visit, in hundredths of a real, at the clinics that state one."""
    return {one: int(cents) for one in clinics for cents in one.stated(turn.AskedFact.PRICE)}


def with_lowest_price(wish: turn.Wish, clinics: Sequence[turn.Clinic], *, compared: bool) -> turn.Wish:
    """Return a wish for the lowest price as one for the clinics that have it, or all that are `compared`."""
    if turn.Axis.PRICE not in turn.axes_of(wish.widest):
        return wish
    rest = turn.without(wish.widest, frozenset({turn.Axis.PRICE}))
    prices = prices_of(one for one in clinics if turn.fitting_doctors(rest, one))
    lowest = {one.specialty: cents for one, cents in sorted(prices.items(), key=lambda one: one[1], reverse=True)}
    having = frozenset(one.id for one, cents in prices.items() if cents == lowest[one.specialty])

    def changed(one: turn.Condition) -> turn.Filter:
        if isinstance(one, turn.ClinicFact) and one.axis is turn.Axis.PRICE and one.clinics and not one.value:
            return turn.ANY_OPENING if compared else replace(one, clinics=having)
        return one

    return wish.replaced(changed)
