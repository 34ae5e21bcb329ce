"""The forms of saying a time or a part of the day; without "da tarde" or "pm" a time stays open (`Clock.open`)."""

import re
from dataclasses import replace
from datetime import time

from orchestrator.planner.calendar.moments import Clock, GrammarRule, Hours, Reference, Value
from orchestrator.turn import Language, TimeRange

_Match = re.Match[str]

PARTS = {
    "dawn": TimeRange(time(0), time(5, 59)),
    "early": TimeRange(time(6), time(9, 59)),
    "morning": TimeRange(time(6), time(11, 59)),
    "midmorning": TimeRange(time(9), time(10, 59)),
    "latemorning": TimeRange(time(10), time(11, 59)),
    "lunch": TimeRange(time(11, 30), time(13, 59)),
    "afternoon": TimeRange(time(12), time(17, 59)),
    "earlyafternoon": TimeRange(time(12), time(14, 59)),
    "midafternoon": TimeRange(time(14), time(15, 59)),
    "late": TimeRange(time(16), time(18, 59)),
    "earlyevening": TimeRange(time(17), time(19, 59)),
    "night": TimeRange(time(18), time(23, 59)),
}  # what each part of the day spans
CLINIC_DAY = TimeRange(time(7), time(19, 59))  # an open time of day ("às 9") is read within these hours where it can be
_HALVES = {"AM": PARTS["morning"], "PM": TimeRange(time(12), time.max)}
_BEFORE_NOON = frozenset({"dawn", "early", "morning", "midmorning", "latemorning"})

_EDGES = {"BEGIN": Hours(PARTS["early"], "early"), "END": Hours(PARTS["late"], "late")}
_AT = (
    r"(?:\b(?:as|at|pelas|umas|das|apos|around|about|circa|by|near|until|ate|before|after|than"
    r"|(?:(?<=SOONER )|(?<=LATER )|(?<=do ))que)|@) ?(?:as )?"
)
_NOUN_NEXT = (
    r"(?! ?(?:U(?!HOUR|DAY #?\d)|WD|MON|[/.,-]\d|\d|%"
    r"|[a-z]*(?:consult|opc|clinic|vag|medic|especial|dat|horari|ali|que )))"
)
_HOUR = r"(?P<hour>\d(?<![\dA-Z$#~]\d)(?<!\d[.,:/]\d)(?<!\$ \d)\d?)"  # begins with the digit: a search skips to it
_TIME_SAID = r"(?:\b(?:as|das|at|pelas)|@) ?"
_MERIDIAN = r"(?: ?(?P<meridian>AM|PM)(?:PM|AM)?)?"
_SPOKEN_MINUTES = r"(?:5|10|15|20|25|QUARTER|\d{1,2} (?:UMIN|min))"
_IN_POD = r"(?:da |de |na |pela |a |in the |at |THIS |in |, )?"


def _clock(m: _Match, _: Reference) -> Value | None:
    groups = m.groupdict()
    hour, minute = int(groups["hour"]), _minutes(groups.get("minute"))
    return clock_at(hour, minute, groups.get("meridian") or None, exact=groups["hour"].startswith("0"))


def clock_at(hour: int, minute: int, meridian: str | None, *, exact: bool = False) -> Clock | None:
    """Return a time of day; None where no clock shows it. `exact` is for "09:00", which can only be the morning."""
    if hour > 24 or minute > 59:
        return None
    if meridian is not None and hour <= 12:
        return Clock(hour % 12 + (0 if meridian == "AM" else 12), minute, open=False)
    return Clock(hour % 24, minute, open=1 <= hour <= 11 and not exact)


def _minutes(said: str | None) -> int:
    match said:
        case None | "":
            return 0
        case "HALF":
            return 30
        case "QUARTER":
            return 15
        case _:
            return int(re.sub(r"\D", "", said))


def _run_together(m: _Match, _: Reference) -> Value | None:
    hour, minute = divmod(int(m["digits"]), 100)
    return clock_at(hour, minute, m["meridian"] or None)


def _to_the_hour(m: _Match, _: Reference) -> Value | None:
    hour = _hour(m)
    return clock_at((hour - 1) if hour > 1 else 12, 60 - _minutes(m["before"]), m["meridian"] or None)


def _past_the_hour(m: _Match, _: Reference) -> Value | None:
    return clock_at(_hour(m), _minutes(m["past"]), m["meridian"] or None)


def _hour(m: _Match) -> int:
    return {"NOON": 12, "MIDNIGHT": 24}.get(m["hour"]) or int(m["hour"])


def _noon(m: _Match, _: Reference) -> Value:
    return Clock(12 if m["name"] == "NOON" else 0, _minutes(m["minute"]), open=False)


def _in_part(m: _Match, _: Reference) -> Value | None:
    clock = clock_at(int(m["hour"]), _minutes(m["minute"]), None)
    return None if clock is None else in_part(clock, m["part"])


def in_part(clock: Clock, part: str) -> Clock:
    """Return a clock within a part of the day: 7 in the afternoon is 19:00, 12 at night is 0:00."""
    hour = clock.hour
    if hour > 12 or (hour == 0 and not clock.open):
        return clock
    if part == "lunch":
        hour += 12 if hour < 11 else 0
    elif part in {"night", "dawn"} and hour in {12, 1, 2, 3, 4}:
        hour %= 12
    elif hour != 12:
        hour = hour % 12 + (0 if part in _BEFORE_NOON else 12)
    return replace(clock, hour=hour, open=False)


def _between_hours(m: _Match, _: Reference) -> Value | None:
    if not _is_range_of_hours(m):
        return None
    part = m["part"]
    last = _bound(m, "2", m["meridian2"])
    for meridian in (m["meridian"] or m["meridian2"], m["meridian"]):
        first = _bound(m, "", meridian)
        if first is None or last is None:
            return None
        start, end = (likeliest(in_part(clock, part) if part else clock) for clock in (first, last))
        if start >= end and last.open and not part:
            end = time(last.hour + 12, last.minute)
        if start < end:
            return Hours(TimeRange(start, end))
    return None


def _is_range_of_hours(m: _Match) -> bool:
    before = m.string[: m.start()]
    if (m["joint"] in {"e", "and"} and not m["lead"]) or (m["joint"] == "to" and _MOVING.search(before)):
        return False
    beside_a_day = _DAY_BEFORE.search(before) or _DAY_AFTER.match(m.string, m.end())
    if m["part"] or (not before.strip() and m["lead"]) or beside_a_day:
        return True
    if m["lead"]:
        # "Entre 2 e 4", but not "entre 3 e 10", which nobody says of an afternoon.
        within = m["hour"] and m["hour2"] and not int(m["hour"]) < CLINIC_DAY.first.hour <= int(m["hour2"])
        return (
            bool(within and m["lead"].startswith(("entre", "between")))
            or m["joint"] in _UNTIL
            or _SAYS_HOURS.search(m.group()) is not None
        )
    return _SAYS_HOURS.search(m["second"] if m["joint"] == "a" else m.group()) is not None


_UNTIL = frozenset({"until", "till", "as", "ate"})


def _bound(m: _Match, which: str, meridian: str | None) -> Clock | None:
    match m[f"name{which}"]:
        case None:
            return clock_at(int(m[f"hour{which}"]), _minutes(m[f"minute{which}"]), meridian)
        case name:
            return Clock(12 if name == "NOON" else 0, 0, open=False)


def _first_of_two(m: _Match, ref: Reference) -> Value | None:
    in_part_too = m["part"] and (m["part"] in _BEFORE_NOON or int(m["hour"]) < 7)  # "8 or 3 in the afternoon"
    return _in_part(m, ref) if in_part_too else _clock(m, ref)


def _second_of_two(m: _Match, ref: Reference) -> Value | None:
    return _clock(m, ref) if _CLOCKS_BEFORE.search(m.string[: m.start()]) else None


def _hour_and_minutes(m: _Match, ref: Reference) -> Value | None:
    hour = int(m["hour"])
    spoken = ref.language is Language.EN and 1 <= hour <= 12
    return _clock(m, ref) if spoken or m["meridian"] else None


def _full_hour(m: _Match, ref: Reference) -> Value | None:
    # "24 horas" is a length of time, "às 24 horas" is midnight.
    if int(m["hour"]) == 24 and not _TIME_BEFORE.search(m.string[: m.start()]):
        return None
    return _clock(m, ref)


def readings(clock: Clock) -> tuple[time, ...]:
    """Return the times that a clock may mean, the likeliest first, in the clinics' day where possible; maybe none."""
    if not clock.exists:
        return ()
    if not clock.open:
        return (time(clock.hour, clock.minute),)
    both = (time(clock.hour, clock.minute), time(clock.hour + 12, clock.minute))
    return tuple(at for at in both if at in CLINIC_DAY) or both


def likeliest(clock: Clock) -> time:
    """Return the likeliest reading: up to six o'clock people mean the afternoon."""
    hour = clock.hour + 12 if clock.open and clock.hour < 7 else clock.hour
    return time(hour, clock.minute)


_MINUTE = r" ?(?::|UHOUR) ?(?P<minute>\d{2})(?!\d)(?::\d{2})?"
_BOUND = (
    r"(?:(?P<hour{0}>\d{{1,2}})"
    r"(?:(?: ?(?::|UHOUR) ?(?=\d)| (?:e|and) (?=[HQ]))(?P<minute{0}>\d{{2}}(?!\d)|HALF|QUARTER))?(?: ?UHOUR)?"
    r"(?: ?(?P<meridian{0}>AM|PM))?|(?P<name{0}>NOON|MIDNIGHT))"
)
_RANGE = (
    rf"(?<![\dA-Z.,:/$#~-]){_BOUND.format('')} ?(?P<joint>-|to|till|until|through|as|a|ao|ate|e|and)(?: (?:as|a|o|ao))?"
    rf"(?P<second> ?{_BOUND.format('2')})(?![\d/:-]|\.\d)(?: {_IN_POD}POD(?P<part>[a-z]+))?"
    rf"{_NOUN_NEXT.replace('|WD', '')}"
)
_DAY_BEFORE = re.compile(
    r"(?:WD\d|RELm?\d|POD[a-z]+|UDAY #?\d{1,2}|#\d{1,2}|\d{1,2}/\d{1,2}|MON\d+(?: \d{1,2})?),? "
    r"(?:(?:entre|between|from|das|de)(?: as)? )?$"
)
_DAY_AFTER = re.compile(r",? (?:on |na |no )?(?:WD\d|REL\d)")
_MOVING = re.compile(r"\b(?:move|change|reschedule|switch|push|bring|swap)\b[^.!?;]*$")
_SAYS_HOURS = re.compile(r"UHOUR|OCLOCK|:|AM|PM|NOON|MIDNIGHT|\bas\b")
_TIME_BEFORE = re.compile(rf"{_AT}$")
_CLOCKS_BEFORE = re.compile(
    rf"(?:{_AT}|(?:POD[a-z]+|WD\d|REL\d) )?\d{{1,2}}(?: ?[:h] ?\d\d)?(?: ?(?:UHOUR|OCLOCK|AM|PM))?"
    r"(?:(?:, ?| ou | or | e | and )(?:as |at )?\d{1,2}(?: ?(?:UHOUR|OCLOCK|AM|PM))?)*(?:, ?| ou | or )$"
)

_TO = (
    rf"(?<!das )(?<!from )(?<!dia )(?P<before>{_SPOKEN_MINUTES}) (?:para|to|til|till|before|(?<=QUARTER )of) "
    r"(?:as |a |o )?(?P<hour>\d{1,2}|NOON|MIDNIGHT)(?![\d:/]| de MON|MON)(?: ?UHOUR)?(?: ?(?P<meridian>AM|PM))?"
)
_PAST = (
    r"(?P<past>HALF|QUARTER|\d{1,2}(?: (?:UMIN|min))?) (?:past|after) (?P<hour>\d{1,2}|NOON|MIDNIGHT)(?!\d)"
    r"(?: ?(?P<meridian>AM|PM))?"
)
_LEAD = r"(?P<lead>\b(?:entre|between|from|das|de)\b(?: as)? ?)"
_BEFORE_PART = r"(?: ?(?::|UHOUR) ?(?P<minute>\d{2})(?!\d)(?::\d{2})?)?(?: ?UHOUR)?"

_FIRST_OF_TWO = (
    rf"{_HOUR}(?P<minute>)(?=,? (?:or|ou) (?:as |at )?\d{{1,2}}(?:(?::\d\d)? ?"
    rf"(?:(?P<meridian>AM|PM)|UHOUR|{_IN_POD}POD(?P<part>[a-z]+))|:\d\d))"
)
_IMPOSSIBLE = (
    rf"{_TIME_SAID}(?P<hour>2[5-9]|[3-9]\d)(?: ?(?::\d\d|UHOUR)|(?=$|[.!?,;]))"
    r"|(?<![\d$#~.,:/-])(?P<late>2[5-9]) ?(?:UHOUR(?! ?(?:de|of))|:[0-5]\d(?!\d))"
    r"|(?<![\d$#~.,:/-])(?P<over>\d{1,2})(?::|UHOUR)[6-9]\d(?!\d)"
)
_HOUR_AND_MINUTES = (
    rf"(?<!MON\d )(?<!UDAY ){_HOUR}[ -](?:(?:oh|zero) )?(?P<minute>[1-5]\d|(?<=oh )\d|(?<=zero )\d)(?![\d:/])"
    r"(?: ?(?P<meridian>AM|PM)|(?=$|[.!?,;]| (?:on|in|for|with|please|or|is|works|WD|REL|POD|THIS|NEXT)))"
)

_TABLE = (
    (_TO, _to_the_hour),
    (_PAST, _past_the_hour),
    (r"(?P<past>[1-5]?\d(?: UMIN)?) depois das (?P<hour>\d{1,2})(?!\d)(?P<meridian>)", _past_the_hour),
    (r"HALF (?P<hour>\d{1,2})(?! ?U)", lambda m, _: clock_at(int(m["hour"]), 30, None)),  # British "half three"
    (rf"(?:{_LEAD})?{_RANGE}", _between_hours),
    (rf"(?:{_AT})?{_HOUR} menos (?P<before>QUARTER|5|10|15|20|25)(?!\d| ?[:UW])(?P<meridian>)", _to_the_hour),
    (_FIRST_OF_TWO, _first_of_two),
    (rf"{_HOUR}[ -](?P<minute>[0-5]\d) {_IN_POD}POD(?P<part>[a-z]+)", _in_part),
    (rf"{_HOUR} (?:em ponto|sharp)", _clock),
    (rf"{_HOUR} (?:e|and) (?P<minute>HALF|\d{{1,2}}) {_IN_POD}POD(?P<part>[a-z]+)", _in_part),
    (rf"{_HOUR}{_BEFORE_PART} {_IN_POD}POD(?P<part>[a-z]+)", _in_part),
    (rf"{_HOUR} e (?P<minute>\d{{1,2}}|HALF) ?(?P<meridian>AM|PM)", _clock),
    (rf"{_HOUR}{_MINUTE}(?: ?(?:UHOUR|UMIN|min)s?)?{_MERIDIAN}", _clock),
    (rf"{_HOUR}\.(?P<minute>\d{{2}}) ?(?P<meridian>AM|PM)", _clock),
    (rf"(?:{_AT}|^|, ){_HOUR}\.(?P<minute>[0-5]\d)(?![\d.])", _clock),
    (rf"{_HOUR} ?(?P<meridian>AM|PM)(?:PM)?(?: e (?P<minute>HALF))?", _clock),
    (rf"{_HOUR}(?P<meridian>p)\b", _clock),
    (r"(?<![\d.,:/$])(?P<digits>\d{3,4}) ?(?P<meridian>AM|PM)", _run_together),
    (rf"{_AT}(?P<digits>\d{{3,4}})(?P<meridian>)(?![\d/-]| ?(?:rea|conto|dollar|buck))", _run_together),
    (r"(?<![\d.,:/$-])\b(?P<digits>\d{4}) ?UHOUR(?P<meridian>)", _run_together),
    (rf"(?P<digits>\b\d{{3,4}})(?P<meridian>) {_IN_POD}POD", _run_together),
    (r"(?P<name>NOON|MIDNIGHT)(?:(?: e| and)? (?P<minute>HALF|QUARTER|[1-5]?\d(?! ?[:/MUW]| (?:de|of)\b)))?", _noon),
    (_IMPOSSIBLE, lambda m, _: Clock(int(m["hour"] or m["late"] or m["over"]), 0, open=False, exists=False)),
    (
        rf"{_HOUR} ?UHOUR(?! ?\d\d)(?: e (?P<minute>HALF|\d{{1,2}}(?! ?(?:[\d:/]|UHOUR|d[ae] POD))))?{_MERIDIAN}",
        _full_hour,
    ),
    (rf"{_HOUR} e (?P<minute>HALF)", _clock),
    (rf"{_AT}{_HOUR} (?:e )?(?P<minute>\d{{2}})(?!\d|:|/| ?(?:de )?MON)(?: UMIN)?", _clock),
    (rf"{_AT}{_HOUR} e (?P<minute>\d{{1,2}})(?!\d|:|/)", _clock),
    (r"^(?P<hour>\d{1,2}) e (?P<minute>\d{1,2})$", _clock),
    (rf"(?:(?<=REL\d )|(?<=WD\d )|(?<=WD\d, )){_HOUR} e (?P<minute>[1-5][05])(?![\d:/])", _clock),
    (_HOUR_AND_MINUTES, _hour_and_minutes),
    (r"\ba (?P<hour>1)(?: e (?P<minute>HALF))?(?=$|[.!?,;]| d[ao] POD)", _clock),
    (r"(?:^|for )(?P<hour>\d{1,2})[ -](?P<minute>(?:(?:oh|zero)[ -]\d|\d{2}))$", _clock),
    (rf"POD(?P<part>[a-z]+)(?: at| as|,)* {_HOUR}(?P<minute>)(?![\d:/]| ?U(?!HOUR))", _in_part),
    (rf"{_AT}{_HOUR}(?P<minute>)(?:(?![\d:]){_NOUN_NEXT}|(?= \d{{1,2}}(?:/\d| (?:d[eo] |of )?MON)))", _clock),
    (rf"{_TIME_SAID}{_HOUR}(?P<minute>)(?= WD\d)", _clock),
    (rf"\b(?:it|that|mine|appointment|visit) to {_HOUR}(?P<minute>)(?![\d:/]|[a-z#]){_NOUN_NEXT}", _clock),
    (rf"(?:(?<=, )|(?<= ou )|(?<= or )|(?<= as )|(?<= at )){_HOUR}(?![\d:]){_NOUN_NEXT}", _second_of_two),
    (r"(?:(?<=REL\d )|(?<=WD\d ))(?P<hour>\d{1,2})(?=$|[.!?,])", _clock),
    (r"^(?P<hour>[7-9]|1\d)(?= (?:works|serve|is (?:fine|good|ok)|pode ser|fica bom|da certo|esta bom))", _clock),
    (r"(?<![\d$#~/.,:])(?<!UDAY )(?P<hour>\d{1,2})(?= REL\d)", _clock),
    (r"POD(?P<part>[a-z]+)", lambda m, _: Hours(PARTS[m["part"]], m["part"])),
    (r"(?:(?<=WD\d )|(?<=REL\d )|(?<=in the ))(?P<half>AM|PM)(?! i\b)", lambda m, _: Hours(_HALVES[m["half"]])),
    (r"(?P<edge>BEGIN|END)(?= (?:on |in |of |na |no )?(?:WD|REL))", lambda m, _: _EDGES[m["edge"]]),
)

RULES = tuple(  # the more specific first
    GrammarRule(re.compile(pattern.replace("UHOUR", "(?:UHOUR|OCLOCK)")), read) for pattern, read in _TABLE
)
