"""The forms of saying one day by its date; a year that is not said is the next one."""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta

from orchestrator.planner.calendar import calendar_math
from orchestrator.planner.calendar.moments import Day, GrammarRule, Reference, Value
from orchestrator.turn import Language

NEXT_MONTH = r"(?:UMONTH NEXT|(?:the )?NEXT UMONTH)"
THIS_MONTH = r"(?:THIS UMONTH|UMONTH THIS)"
NO_TIME = r"(?![\d:]| ?(?:U(?:HOUR|MIN)|OCLOCK|AM|PM|p\b|min|%|[.,/]\d)| (?:e|and) HALF)"
NO_CLOCK = (
    NO_TIME + r"(?! (?:e|and) \d| ?(?:da |de |na |a |pela |in the )?(?:POD|NOON)| U[A-Z]"
    r"| ?(?:-|to|till|until|ate) ?\d{1,2}(?! ?(?:of )?MON)| (?:or|ou) \d{1,2} ?(?:AM|PM|UHOUR))"
)
OF = r"(?: ?(?:de|do|of|in|/|-|UDAY of) ?| )(?:the )?"
YEAR = (
    r"(?:(?: ?(?:de|do|of|in|,|/|-) ?| )(?:UYEAR )?"
    r"(?P<year>\d{4}|(?<=[/-])\d{2}|UYEAR NEXT|NEXT UYEAR|THIS UYEAR))?(?![\d:])"
)
ORDINAL = r"(?:[#~](?P<nth>[1-5])(?!\d)|(?P<last>LAST)|WD(?P<word>[0234]))"
LINK = r"(?:,| |d?[aeo]s?\b|n[ao]\b|in\b|on\b|of\b|the\b)*"

_NUMBER = r"(?<![\dA-Z$])(?<!\d[.,:/])(?<!\$ )[#~]?(?P<day>\d{1,2})"
_NO_NOUN = (
    r"(?! (?:QUARTER|HALF|U[A-Z])| (?!(?:at|in|on|of|for|with|or|and|to|till|until|through|if|is|was|will|would|works?"
    r"|please|from|around|about|after|before|between|by|as|a|e|o|ou|de|do|da|na|no|com|se|pela|para|the|then|too"
    r"|instead|also|thanks|not|nao|but|mas|does|can|could|should|i|we|my|que|pode|maybe|umas)\b)[a-z])"
)
_ONE = r"[#~]?\d{1,2}"
_NO_HOUR = r"(?![\d:/]| ?(?:UHOUR|AM|PM))"
_MONTH = r"MON(?P<month>\d{1,2})(?!\d)\.?"
SOME_MONTH = rf"(?:{_MONTH}{YEAR}|(?P<next>{NEXT_MONTH})|(?P<this>{THIS_MONTH})|UMONTH)"
_FAR_YEARS = 20  # a year of two digits farther ahead is in the century before: a birth, no appointment

_Match = re.Match[str]


def _numeric(m: _Match, ref: Reference) -> Value | None:
    # The day comes first in Portuguese; English tries both orders, the American one first.
    first, second = int(m["first"]), int(m["second"])
    orders = [(first, second)] if ref.language is Language.PT else [(second, first), (first, second)]
    found = (_day_and_month(day, month, m["year"], ref.today) for day, month in orders)
    dates = tuple(dict.fromkeys(day for day in found if day is not None))
    dates = tuple(day for day in dates if day >= ref.today) or dates
    return Day(dates) if dates or (first <= 31 and second <= 31) else None


def _named_month(m: _Match, ref: Reference) -> Value | None:
    return single(_day_and_month(int(m["day"]), int(m["month"]), m["year"], ref.today))


def _day_and_month(day: int, month: int, year: str | None, today: date) -> date | None:
    if not year:
        return calendar_math.next_day_and_month(day, month, today)
    return calendar_math.on_or_none(_full_year(year, today), month, day)


def _full_year(year: str, today: date) -> int:
    if not year.isdigit():
        return today.year + ("NEXT" in year)
    ahead = int(year) - today.year % 100
    return int(year) if len(year) == 4 else today.year + ahead - (100 if ahead > _FAR_YEARS else 0)


def _day_of_month(m: _Match, ref: Reference) -> Value | None:
    return single(calendar_math.next_day_of_month(int(m["day"]), ref.today))


def _day_in(months: int) -> Callable[[_Match, Reference], Value | None]:
    return lambda m, ref: single(calendar_math.in_month(int(m["day"]), calendar_math.add_months(ref.today, months)))


def _either_day(m: _Match, ref: Reference) -> Value | None:
    said = (int(day) for day in re.findall(r"\d+", m["days"]))
    if m["month"]:
        found = [_day_and_month(day, int(m["month"]), m["year"], ref.today) for day in said]
    else:
        found = [calendar_math.next_day_of_month(day, ref.today) for day in said]
    return Day(tuple(day for day in found if day is not None))


def ordinal(m: _Match) -> int:
    """Return the number of an `ORDINAL`, -1 for the last; Portuguese weekdays are ordinals, too ("segunda" is 2)."""
    if m["last"]:
        return -1
    return int(m["nth"]) if m["nth"] else int(m["word"]) + 2


def months_from(m: _Match, today: date) -> tuple[date, ...]:
    """Return the first days of the months that a form may mean: a named one, this one or the next, in order."""
    this = today.replace(day=1)
    if m["month"]:
        years = (_full_year(m["year"], today),) if m["year"] else (today.year, today.year + 1)
        return tuple(date(min(max(year, 1), date.max.year - 1), int(m["month"]), 1) for year in years)
    after = calendar_math.add_months(this, 1)
    if m["next"]:
        return (after,)
    return (this,) if m["this"] else (this, after)


def _months_left(m: _Match, today: date) -> Sequence[date]:
    months = months_from(m, today)
    return [month for month in months if calendar_math.month_of(month).last >= today] or months


def _nth_weekday(m: _Match, ref: Reference) -> Value | None:
    found = [calendar_math.nth_weekday(ordinal(m), int(m["weekday"]), month) for month in _months_left(m, ref.today)]
    return single(found[0] if found[0] is None else calendar_math.first_from(ref.today, found) or found[0])


def _nth_day(m: _Match, ref: Reference) -> Value | None:
    found = [_day_of(month, ordinal(m), business=m["unit"] == "BIZ") for month in months_from(m, ref.today)]
    return single(calendar_math.first_from(ref.today, found) or next(iter(found)))


def _day_of(month: date, nth: int, *, business: bool) -> date:
    span = calendar_math.month_of(month)
    days = [span.first + timedelta(days=ahead) for ahead in range((span.last - span.first).days + 1)]
    open_days = [day for day in days if day.weekday() < 5] if business else days
    return open_days[nth if nth < 0 else nth - 1]


def single(day: date | None) -> Day:
    """Return a day as the only reading, or the day that does not exist for None."""
    return Day(() if day is None else (day,))


_DAY_OF_NUMBERED_MONTH = (
    r"(?:UDAY |\bon )(?P<first>\d{1,2})(?:[.-]| d[eo] )(?P<second>\d{1,2})"
    rf"(?:(?: d[eo] |[.-])(?P<year>\d{{4}}))?{_NO_HOUR}"
)
_SLASHED = (
    r"(?<![\dA-Z.,:/$])(?<![^\d ]-)(?P<first>\d{1,2})/(?P<second>\d{1,2})(?:/(?P<year>\d{4}|\d{2}))?"
    r"(?![\d/%]|[.,]\d| ?U)"
)
_DOTTED = (
    r"(?<![\dA-Z.,:/$-])(?P<first>\d{1,2})\.(?P<second>0\d|1[0-2])(?P<year>)"
    r"(?= ?,? (?:as |a |de |at |POD|\d{1,2} ?[:U]))"
)
_DATES = (
    (
        r"(?<!\d)(?P<year>\d{4})[/.-](?:MON(?P<named>\d{1,2})|(?P<month>\d{1,2}))[/.-](?P<day>\d{1,2})(?!\d)",
        lambda m, _: single(calendar_math.on_or_none(int(m["year"]), int(m["month"] or m["named"]), int(m["day"]))),
    ),
    (_SLASHED, _numeric),
    (r"(?<![\dA-Z.,:/$-])(?P<first>\d{1,2})([.-])(?P<second>\d{1,2})\2(?P<year>\d{4}|\d{2})(?![\d/]|[.,]\d)", _numeric),
    (_DAY_OF_NUMBERED_MONTH, _numeric),
    (_DOTTED, _numeric),
    (rf"{ORDINAL} (?:UDAY )?WD(?P<weekday>\d){OF}{SOME_MONTH}", _nth_weekday),
    (rf"{ORDINAL} U(?P<unit>DAY|BIZ){OF}{SOME_MONTH}", _nth_day),
    (rf"(?P<days>{_ONE}(?:, ?{_ONE})*(?: ou| e| or| and| &)(?: o| the| UDAY)* {_ONE}){OF}{_MONTH}{YEAR}", _either_day),
    (rf"{_MONTH} (?P<days>{_ONE}(?:, ?{_ONE})*(?: ou| e| or| and| &)(?: o| the)* {_ONE}){NO_TIME}{YEAR}", _either_day),
    (rf"{_NUMBER}{OF}{_MONTH}{YEAR}", _named_month),
    (rf"{_MONTH}(?:[/ -]|,|(?: the)|UDAY)* ?[#~]?(?P<day>\d{{1,2}})(?!\d|-\d){NO_TIME}{YEAR}", _named_month),
    (rf"(?:UDAY )?{_NUMBER}{OF}{NEXT_MONTH}", _day_in(1)),
    (rf"(?:UDAY )?{_NUMBER}{OF}{THIS_MONTH}", _day_in(0)),
    (rf"(?:UDAY )?{_NUMBER}{OF}(?:LAST UMONTH|UMONTH LAST)", _day_in(-1)),
    (r"NEXT UBIZ|UBIZ NEXT", lambda _, ref: single(calendar_math.add_business_days(ref.today, 1))),
    (rf"{NEXT_MONTH}{LINK}(?:UDAY |#)(?P<day>\d{{1,2}}){NO_TIME}", _day_in(1)),
    (
        rf"UDAY (?P<days>\d{{1,2}}(?:(?: ou| e|,| or| and| &)(?: o| UDAY)* \d{{1,2}})+){NO_TIME}(?P<month>)(?P<year>)",
        _either_day,
    ),
)

_DAYS = (
    (
        r"(?:UDAY )?REL(?P<days>m?\d)",
        lambda m, ref: Day((ref.today + timedelta(days=int(m["days"].replace("m", "-"))),)),
    ),
    (rf"(?:THIS )?UDAY [#~]?(?P<day>\d{{1,2}}){NO_TIME}", _day_of_month),
    (rf"(?:on |at )?(?:the )?#(?P<day>\d{{1,2}}){NO_TIME}{_NO_NOUN}", _day_of_month),
)

_ENGLISH = (
    (
        rf"\bon (?:the )?(?P<days>{_ONE}(?:(?: or| and|, ?)(?: the)? {_ONE})+){NO_TIME}(?! ?MON)(?P<month>)(?P<year>)",
        _either_day,
    ),
    (rf"\bon (?:the )?~?(?P<day>\d{{1,2}})(?!\d){NO_CLOCK}(?! (?:one|option|slot))", _day_of_month),
    (r"^the [#~]?(?P<day>\d{1,2})$", _day_of_month),
)

RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _DATES)  # the more specific first
DAY_RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _DAYS)  # read after weekdays
ENGLISH_RULES = tuple(GrammarRule(re.compile(pattern), read) for pattern, read in _ENGLISH)  # "on the first", "on 15"
