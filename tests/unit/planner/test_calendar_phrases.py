"""What people say of days and hours: a file of phrases with their meanings, and every day and hour in many wordings."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import pytest

from orchestrator.planner.calendar.date_grammar import feast_days, feast_symbols
from orchestrator.planner.calendar.moment_parser import claim_all, read_moments, rewrite
from orchestrator.planner.calendar.moments import Atom, Clock, Hours, Moment, Reference
from orchestrator.planner.calendar.time_grammar import readings
from orchestrator.planner.calendar.value_context import bound_around, bounded
from orchestrator.planner.text.normalised_text import correct, normalise
from orchestrator.turn.identity import Language
from orchestrator.turn.opening_filter import TimeRange
from tests.support.form import second_ones_long
from tests.support.sentences import rows, sections

PT, EN = Language.PT, Language.EN
NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)  # a Sunday
TODAY = NOW.date()
DAYS = [TODAY + timedelta(days=ahead) for ahead in range(1, 360)]
HOURS = [time(hour, minute) for hour in range(7, 20) for minute in (0, 15, 30, 45)]

PT_WEEKDAYS = ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo")
EN_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PT_MONTHS = tuple(
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split()  # noqa: SIM905
)
EN_MONTHS = tuple(f"{date(2026, month, 1):%B}" for month in range(1, 13))
PT_UNITS = tuple(
    "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze".split()  # noqa: SIM905
)
PT_NUMBERS = [
    *PT_UNITS,
    "dezesseis",
    "dezessete",
    "dezoito",
    "dezenove",
    "vinte",
    *(f"vinte e {word}" for word in PT_UNITS[1:10]),
]


def read(text: str, language: Language, now: datetime = NOW) -> tuple[Moment, ...]:
    return read_moments(correct(normalise(text)), now, language)


def only(text: str, language: Language) -> Moment:
    found = read(text, language)
    assert len(found) == 1, (text, found)
    return found[0]


def told(moments: Sequence[Moment]) -> str:
    """Return moments as the file of phrases writes them."""
    return "; ".join(map(_told, moments))


def _told(moment: Moment) -> str:
    said = [str(day) for day in moment.dates] + [f"{at:%H:%M}" for at in moment.times]
    said += [f"{span.first}..{'' if span.last == date.max else span.last}" for span in moment.days]
    said += [f"{at.first:%H:%M}-{'' if at.last == time.max else f'{at.last:%H:%M}'}" for at in moment.hours]
    return " ".join(said + ["impossible"] * (not moment.exists) + ["conflict"] * moment.conflict)


@pytest.mark.parametrize(
    ("language", "phrase", "meaning"),
    [
        (Language(heading[:2]), phrase, meaning)
        for heading, _ in sections("calendar.txt")
        for phrase, meaning in rows("calendar.txt", heading)
    ],
)
def test_a_phrase_means_what_the_file_says(language: Language, phrase: str, meaning: str) -> None:
    assert told(read(phrase, language)) == meaning


PT_DAYS: tuple[Callable[[date], str], ...] = (
    lambda day: f"{day:%d/%m/%Y}",
    lambda day: f"dia {day.day} de {PT_MONTHS[day.month - 1]}",
    lambda day: f"{day.day} de {PT_MONTHS[day.month - 1][:3]} de {day.year}",
    lambda day: f"{PT_WEEKDAYS[day.weekday()]}, {day:%d/%m}",
    lambda day: f"no dia {day.day}/{day.month}, às 10h",
    lambda day: f"{day:%d.%m.%Y} de manhã",
)
EN_DAYS: tuple[Callable[[date], str], ...] = (
    lambda day: f"{EN_MONTHS[day.month - 1]} {day.day}",
    lambda day: f"on the {day.day} of {EN_MONTHS[day.month - 1]} {day.year}",
    lambda day: f"{EN_WEEKDAYS[day.weekday()]}, {EN_MONTHS[day.month - 1]} {day.day}, {day.year}",
    lambda day: f"{EN_WEEKDAYS[day.weekday()]} {day.day} {EN_MONTHS[day.month - 1][:3]} at 10am",
    lambda day: day.isoformat(),
)


@pytest.mark.parametrize(
    ("language", "worded"),
    second_ones_long([*((PT, worded) for worded in PT_DAYS), *((EN, worded) for worded in EN_DAYS)]),
)
def test_every_day_is_read_back_however_it_is_worded(language: Language, worded: Callable[[date], str]) -> None:
    for day in DAYS:
        moment = only(worded(day), language)
        assert (moment.date, moment.conflict) == (day, False), worded(day)


@pytest.mark.parametrize("language", [PT, EN])
def test_a_weekday_that_does_not_fit_its_date_is_a_conflict_and_no_choice(language: Language) -> None:
    chance = random.Random(17)
    for day in chance.sample(DAYS, 60):
        wrong = (day.weekday() + chance.randint(1, 6)) % 7
        text = (
            f"{PT_WEEKDAYS[wrong]}, dia {day.day} de {PT_MONTHS[day.month - 1]}"
            if language is PT
            else f"{EN_WEEKDAYS[wrong]}, {EN_MONTHS[day.month - 1]} {day.day}"
        )
        moment = only(text, language)
        assert moment.conflict, text
        assert moment.date is None, text
        assert day in moment.dates, text
        assert any(one.weekday() == wrong for one in moment.dates), text


PT_HOURS: tuple[Callable[[time], str], ...] = (
    lambda at: f"às {at:%H:%M}",
    lambda at: f"{at.hour}h{at.minute:02d}",
    lambda at: f"amanhã às {at.hour}h{at.minute or ''}",
    lambda at: f"às {PT_NUMBERS[at.hour]}" + _pt_minutes(at),
    lambda at: f"às {PT_NUMBERS[(at.hour - 1) % 12 + 1]}{_pt_minutes(at)} da {'manhã' if at.hour < 12 else 'tarde'}",
)
EN_HOURS: tuple[Callable[[time], str], ...] = (
    lambda at: f"at {at:%I:%M %p}",
    lambda at: f"tomorrow, {(at.hour - 1) % 12 + 1}:{at.minute:02d}{'a' if at.hour < 12 else 'p'}",
    lambda at: f"{(at.hour - 1) % 12 + 1}{at.minute:02d} {'am' if at.hour < 12 else 'pm'} on friday",
    lambda at: f"friday {(at.hour - 1) % 12 + 1}:{at.minute:02d} in the {'morning' if at.hour < 12 else 'afternoon'}",
)


def _pt_minutes(at: time) -> str:
    return {0: "", 15: " e quinze", 30: " e meia", 45: " e quarenta e cinco"}[at.minute]


@pytest.mark.parametrize(
    ("language", "worded"), [*((PT, worded) for worded in PT_HOURS), *((EN, worded) for worded in EN_HOURS)]
)
def test_every_hour_is_read_back_however_it_is_worded(language: Language, worded: Callable[[time], str]) -> None:
    for at in HOURS:
        assert only(worded(at), language).times[0] == at, worded(at)


@pytest.mark.parametrize(
    ("language", "bound", "denied"),
    [
        (PT, "antes das {}", "não antes das {}"),
        (PT, "depois das {}", "não depois das {}"),
        (PT, "depois das {}", "não posso depois das {}"),
        (EN, "before {}", "not before {}"),
        (EN, "after {}", "not after {}"),
        (EN, "earlier than {}", "no earlier than {}"),
    ],
)
def test_a_bound_and_its_denial_are_the_whole_day_together(language: Language, bound: str, denied: str) -> None:
    whole = [time(*divmod(minute, 60)) for minute in range(24 * 60)]
    for at in HOURS:
        (said,) = only(bound.format(f"{at:%H:%M}"), language).hours
        (other,) = only(denied.format(f"{at:%H:%M}"), language).hours
        assert all(minute in said or minute in other for minute in whole), (bound, at)
        assert [minute for minute in whole if minute in said and minute in other] in ([], [at]), (bound, at)


def test_what_the_reader_claims_ends_where_its_words_end() -> None:
    for heading, _ in sections("calendar.txt"):
        language = Language(heading[:2])
        for phrase, _meaning in rows("calendar.txt", heading):
            text = correct(normalise(phrase))
            lexemes = rewrite(text, language)
            for atom in claim_all(lexemes.symbols, Reference(NOW, language)):
                start, end = lexemes.folded_span(atom.start, atom.end)
                if "tonight" in text.folded[start - 2 : end + 5]:
                    continue  # one word for a day and a part of it
                before, after = text.folded[start - 1 : start + 1], text.folded[end - 1 : end + 1]
                assert start == 0 or not before.isalpha(), (phrase, text.folded[start:end])
                assert end == len(text.folded) or not after.isalpha(), (phrase, text.folded[start:end])


def test_a_symbol_covers_the_whole_word_it_stands_for() -> None:
    lexemes = rewrite(normalise("às quatro"), PT)
    (atom,) = claim_all(lexemes.symbols, Reference(NOW, PT))
    assert lexemes.folded_span(atom.start, atom.end) == (0, len("as quatro"))


def test_impossible_hours_have_no_reading_and_no_bound() -> None:
    clock = Clock(25, 0, open=False, exists=False)
    assert readings(clock) == ()
    assert bounded(clock, bound_around("depois das ", ""), TODAY) == clock


def test_a_bound_leaves_other_values_alone() -> None:
    atom = Atom(0, 1, Hours(TimeRange(time(9), time(11))))
    assert bounded(atom.value, bound_around("depois das ", ""), TODAY) == atom.value


EASTERS = ((1961, 4, 2), (1985, 4, 7), (2000, 4, 23), (2024, 3, 31), (2025, 4, 20), (2026, 4, 5), (2027, 3, 28))


def test_easter_falls_on_the_days_of_the_almanac() -> None:
    number = int(feast_symbols()["pascoa"].removeprefix("FEAST"))
    assert all(feast_days(number, TODAY, year)[0].first == date(year, *day) for year, *day in EASTERS)


@pytest.mark.parametrize(
    ("feast", "weekday"),
    [
        ("sexta feira santa", 4),
        ("quarta de cinzas", 2),
        ("terca de carnaval", 1),
        ("corpus christi", 3),
        ("pascoa", 6),
        ("thanksgiving", 3),
        ("black friday", 4),
        ("dia das maes", 6),
        ("memorial day", 0),
    ],
)
def test_a_movable_feast_is_on_its_weekday_each_year(feast: str, weekday: int) -> None:
    number = int(feast_symbols()[feast].removeprefix("FEAST"))
    found = [feast_days(number, TODAY, year)[0].first for year in range(1990, 2080)]
    assert all(day.weekday() == weekday for day in found)
    assert all(day.year == 1990 + at for at, day in enumerate(found))


def test_every_feast_has_a_next_day() -> None:
    for feast, symbol in feast_symbols().items():
        spans = feast_days(int(symbol.removeprefix("FEAST")), TODAY)
        assert all(span.last >= TODAY and span.first <= TODAY.replace(year=2028) for span in spans), feast


def test_the_weekend_said_at_the_weekend_is_what_is_left_or_else_the_next() -> None:
    saturday_night = datetime(2026, 11, 21, 22, 30, tzinfo=UTC)
    left, later = read("fim de semana", PT, saturday_night)[0].days
    assert (left.first, left.last) == (date(2026, 11, 22), date(2026, 11, 22))
    assert (later.first, later.last) == (date(2026, 11, 28), date(2026, 11, 29))
    (next_one,) = read("fim de semana", PT, datetime(2026, 11, 22, 21, 0, tzinfo=UTC))[0].days
    assert next_one == later
    (coming,) = read("fim de semana", PT, datetime(2026, 11, 18, 9, 0, tzinfo=UTC))[0].days
    assert (coming.first, coming.last) == (date(2026, 11, 21), date(2026, 11, 22))


def test_weekdays_before_and_after_a_week_are_of_that_week_only_in_their_order() -> None:
    tuesday = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)
    assert read("segunda ou terça da semana que vem", PT, tuesday)[0].dates == (date(2026, 11, 23), date(2026, 11, 24))
    assert read("quinta ou segunda da semana que vem", PT, tuesday)[0].dates == (date(2026, 11, 19), date(2026, 11, 23))


def test_weekdays_counted_on_are_a_week_apart() -> None:
    for weekday in EN_WEEKDAYS:
        days = [only(f"{count} from {weekday}", EN).dates[0] for count in ("a week", "two weeks", "three weeks")]
        assert all(later - earlier == timedelta(weeks=1) for earlier, later in pairwise(days))
        assert only(f"{weekday} week", EN).dates[0] == days[0]


NEAR = [TODAY + timedelta(days=ahead) for ahead in range(1, 17)]


@pytest.mark.parametrize("day", NEAR, ids=str)
def test_a_number_behind_a_weekday_that_is_its_date_soon_is_the_day(day: date) -> None:
    pt, en = PT_WEEKDAYS[day.weekday()], EN_WEEKDAYS[day.weekday()]
    alone = [f"{pt} {day.day}", f"na {pt}, {day.day}", f"era pra ser {pt} {day.day}", f"{pt} {day.day} à tarde"]
    for text, language in [*((one, PT) for one in alone), (f"{en} {day.day}", EN)]:
        assert only(text, language).dates == (day,), text
    for text in (f"{pt} {day.day} às 8:30", f"{pt} 8h30 dia {day.day}", f"{pt} às 8 e 30, dia {day.day}"):
        assert only(text, PT).slot == (day, time(8, 30)), text
    for text in (f"8 e 30, dia {day.day}", f"8 e meia do dia {day.day}"):
        assert only(text, PT).slot == (day, time(8, 30)), text


@pytest.mark.parametrize("day", NEAR[:7], ids=str)
def test_a_number_behind_a_weekday_that_is_no_such_date_soon_is_an_hour(day: date) -> None:
    hours = {9, 10, 11} - {one.day for one in NEAR if one.weekday() == day.weekday()}
    for hour in hours:
        assert time(hour) in only(f"{PT_WEEKDAYS[day.weekday()]} {hour}", PT).times
