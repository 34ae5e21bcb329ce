"""A reason behind a limit upholds it, and a day that is named as its exception is the only one."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import product
from pathlib import Path

import pytest

from orchestrator import turn
from orchestrator.planner.dialogue.references import spelled_out
from orchestrator.planner.text import guess_language, normalise
from orchestrator.planner.understanding import understand
from orchestrator.turn import Language
from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session
from tests.support.repository_clinics import CLINICS

NOW = datetime.fromisoformat("2026-11-26T14:00")
DAYS = [NOW.date() + timedelta(days=n) for n in range(1, 13)]
HOURS = [time(hour, minute) for hour in range(7, 20) for minute in (0, 30)]

# A limit, with the reasons that people give for it: where they are in the hours that it refuses.
EARLY = {
    Language.EN: ("not before 10", "nothing before 10", "i can't do anything before 10", "no earlier than 10"),
    Language.PT: ("não antes das 10", "nada antes das 10", "não posso antes das 10", "nem pensar antes das 10"),
}
LATE = {
    Language.EN: ("not after 4", "nothing after 4", "i can't do anything after 4"),
    Language.PT: ("não depois das 16h", "nada depois das 16h", "não posso depois das 16h"),
}
ON_A_DAY = {
    Language.EN: ("not saturday", "no saturday", "i can't do saturday"),
    Language.PT: ("sábado não", "não pode ser sábado", "não quero sábado"),
}
MORNING_REASONS = {
    Language.EN: ("i drop off my son", "i walk the dogs", "i'm in class", "i am at work", "i take my mum to physio"),
    Language.PT: (
        "levo meu filho na escola",
        "tô no trabalho",
        "tenho aula",
        "deixo as crianças na creche",
        "eu malho",
    ),
}
LATE_REASONS = {
    Language.EN: ("i pick up the kids", "i'm at work", "i have class", "i've got football practice"),
    Language.PT: ("busco as crianças na escola", "tô na faculdade", "tenho treino", "eu trabalho"),
}
DAY_REASONS = {
    Language.EN: (
        "i have school on saturdays",
        "i work saturdays",
        "saturday i'm with the kids",
        "i teach on saturdays",
    ),
    Language.PT: (
        "comecei um curso aos sábados",
        "sábado eu trabalho",
        "tenho faculdade no sábado",
        "dou aula aos sábados",
    ),
}
JOINTS = {
    Language.EN: ("{} {}", "{}, {}", "{} because {}", "{} cuz {}", "{} - {}"),
    Language.PT: ("{} {}", "{}, {}", "{} porque {}", "{} pq {}", "{}, é que {}"),
}


def _refused(said: str, language: Language) -> set[datetime] | None:
    """Return which moments are not admitted; None where the desk says that it did not understand."""
    session = replace(Session(Identity.of("Ana Prado", "12345678909")), language=language)
    written_out = spelled_out(said, session, CLINICS, NOW)
    wishes = understand(written_out, language, CLINICS, NOW).wishes
    if wishes.unread or wishes.unsure or len(wishes.alone) != 1:
        return None
    wanted = wishes.alone[0].wish.filter
    slots = [turn.Appointment("clinic_a", "Dr. Ricardo Lopes", day, at) for day, at in product(DAYS, HOURS)]
    return {datetime.combine(one.date, one.time) for one in slots if not turn.fits(wanted, one)}


def _not_before_ten(at: datetime) -> bool:
    return at.time() < time(10)


def _not_after_four(at: datetime) -> bool:
    return at.time() > time(16)


def _not_on_saturday(at: datetime) -> bool:
    return at.weekday() == 5


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    ("limits", "reasons", "is_refused"),
    [
        (EARLY, MORNING_REASONS, _not_before_ten),
        (LATE, LATE_REASONS, _not_after_four),
        (ON_A_DAY, DAY_REASONS, _not_on_saturday),
    ],
)
def test_a_reason_behind_a_limit_upholds_it(
    language: Language,
    limits: dict[Language, tuple[str, ...]],
    reasons: dict[Language, tuple[str, ...]],
    is_refused: Callable[[datetime], bool],
) -> None:
    meant = {at for day, hour in product(DAYS, HOURS) if is_refused(at := datetime.combine(day, hour))}
    topic = {Language.EN: "cardiologist, ", Language.PT: "cardiologista, "}[language]
    said = [
        topic + joint.format(*of) for joint in JOINTS[language] for of in product(limits[language], reasons[language])
    ]
    read = {one: _refused(one, language) for one in said}
    assert [one for one, refused in read.items() if refused is not None and not meant & refused] == []
    narrower = [one for one, refused in read.items() if refused is not None and not meant <= refused]
    assert len(narrower) <= 0.02 * len(said), narrower
    assert sum(refused is None for refused in read.values()) <= 0.1 * len(said)


# A part of the day, with its hours; then a weekday on which another part does as well.
HALVES = {
    Language.EN: {"mornings only": (6, 12), "only afternoons": (12, 18), "before noon": (0, 12)},
    Language.PT: {"só de manhã": (6, 12), "só à tarde": (12, 18), "antes do meio-dia": (0, 12)},
}
OTHER_HALVES = {
    Language.EN: {"in the morning": (6, 12), "the afternoon": (12, 18), "after 3": (15, 24)},
    Language.PT: {"de manhã": (6, 12), "à tarde": (12, 18), "depois das 15": (15, 24)},
}
WEEKDAYS = {
    Language.EN: {"friday": {4}, "tuesdays": {1}, "thursday or friday": {3, 4}},
    Language.PT: {"sexta": {4}, "terça": {1}, "quinta ou sexta": {3, 4}},
}
ALSO = {
    Language.EN: ("{}, unless it's {}, then {} is fine", "{} but on {} {} works too", "{}, except {} when i can do {}"),
    Language.PT: ("{}, a não ser que seja {}, aí {} serve", "{}, mas na {} pode ser {}", "{} menos {} que consigo {}"),
}
UNLIMITED = {
    Language.EN: ("{} unless it's {}", "{}, unless {} then any time", "{} unless it is a {}"),
    Language.PT: ("{} a não ser que seja {}", "{}, a menos que seja {}", "{}, se não for {}"),
}


def _admitted(said: str, language: Language) -> set[datetime] | None:
    refused = _refused(said, language)
    every = {datetime.combine(day, hour) for day, hour in product(DAYS, HOURS)}
    return None if refused is None else every - refused


def _within(hours: tuple[int, int], weekdays: set[int]) -> set[datetime]:
    every = (datetime.combine(day, hour) for day, hour in product(DAYS, HOURS))
    return {at for at in every if hours[0] <= at.hour < hours[1] and at.weekday() in weekdays}


@pytest.mark.parametrize("language", list(Language))
def test_another_part_of_the_day_does_on_the_day_that_is_excepted(language: Language) -> None:
    wrong = []
    halves, others = HALVES[language].items(), OTHER_HALVES[language].items()
    for (half, hours), (other, does), (day, on), way in product(
        halves, others, WEEKDAYS[language].items(), ALSO[language]
    ):
        said = way.format(half, day, other)
        if not does[0] < hours[1] or not hours[0] < does[1]:
            meant = _within(hours, set(range(7))) | _within((does[0], min(does[1], 20)), on)
            admitted = _admitted(said, language)
            if admitted != meant and admitted is not None:
                wrong.append((said, len(admitted - meant), len(meant - admitted)))
    assert wrong == []


@pytest.mark.parametrize("language", list(Language))
def test_a_limit_is_none_on_the_day_that_is_excepted(language: Language) -> None:
    wrong = []
    for (half, hours), (day, on), way in product(
        HALVES[language].items(), WEEKDAYS[language].items(), UNLIMITED[language]
    ):
        said, meant = way.format(half, day), _within(hours, set(range(7))) | _within((0, 24), on)
        admitted = _admitted(said, language)
        if admitted != meant:
            wrong.append((said, admitted and (len(admitted - meant), len(meant - admitted))))
    assert wrong == []


# What people tell of a day, by "en taken", "en suiting" and so on.
TOLD = {
    head: said.splitlines()
    for head, said in re.findall(
        r"^\[(.+)\]\n((?:.+\n)+)",
        (Path(__file__).parents[2] / "sentences" / "days_told.txt").read_text("utf-8"),
        re.MULTILINE,
    )
}


@pytest.mark.parametrize("language", list(Language))
def test_what_happens_on_a_day_takes_it(language: Language) -> None:
    tuesdays = _within((0, 24), {1})
    admitted = {said: _admitted(said, language) for said in TOLD[f"{language} taken"]}
    assert [said for said, moments in admitted.items() if moments is not None and moments & tuesdays] == []
    tail = {Language.EN: ", thursday?", Language.PT: ", e quinta?"}[language]
    goes_on = {said: _admitted(said + tail, language) for said in TOLD[f"{language} taken"]}
    assert [said for said, moments in goes_on.items() if moments is not None and moments != _within((0, 24), {3})] == []


SEVERAL_DAYS = [
    line.split(" | ")
    for line in (Path(__file__).parents[2] / "sentences" / "several_days_told.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("said", "busy"), SEVERAL_DAYS)
def test_what_keeps_people_on_several_days_leaves_the_others_free(said: str, busy: str) -> None:
    taken = set[datetime]()
    for stretch in busy.split():
        days, hours = stretch.split(":")
        begin, end = hours.split("-")
        taken |= _within((int(begin), int(end)), set(map(int, days)))
    admitted = _admitted(said, guess_language(normalise(said), Language.PT))
    assert admitted == _within((0, 24), set(range(7))) - taken


@pytest.mark.parametrize("language", list(Language))
def test_a_day_that_suits_is_not_taken(language: Language) -> None:
    admitted = {said: _admitted(said, language) for said in TOLD[f"{language} suiting"]}
    assert [said for said, moments in admitted.items() if not moments or not moments & _within((0, 24), {1})] == []


# Any day of a weekday but the coming one, and what somebody is without until a day.
BUT_NEXT = {
    Language.EN: (
        "any {} but the next",
        "any {} bar the coming one",
        "any {} except the next one",
        "{}s but not the next",
    ),
    Language.PT: (
        "qualquer {} menos a próxima",
        "qualquer {} tirando a próxima",
        "{} que não seja a próxima",
        "toda {} menos essa",
    ),
}
WEEKDAY_NAMES = {
    Language.EN: ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday"),
    Language.PT: ("segunda", "terça", "quarta", "quinta", "sexta", "sábado"),
}


@pytest.mark.parametrize("language", list(Language))
def test_the_coming_one_of_a_weekday_is_excepted_and_the_others_are_wished(language: Language) -> None:
    wrong = []
    for way, (number, day) in product(BUT_NEXT[language], enumerate(WEEKDAY_NAMES[language])):
        said = "cardio, " + way.format(day)
        admitted = _admitted(said, language)
        on = sorted(at for at in _within((0, 24), {number}))
        coming = number != NOW.weekday()  # of which "the next" may be today
        if coming and admitted is not None and admitted != {at for at in on if at.date() != on[0].date()}:
            wrong.append((said, sorted({at.date().isoformat() for at in admitted})))
    assert wrong == []


REASONS_WITH_AN_HOUR = {
    Language.EN: (
        "i'm on the school run til half 9",
        "the kids keep me till 9",
        "my cleaner is here until 9",
        "i don't get up til 9",
        "the plumber comes at 8:30",
        "i have physio until 9",
        "my lift only gets here at 9",
        "my boy naps till 9",
    ),
    Language.PT: (
        "levo as crianças até 9h",
        "a faxineira fica até as 9h",
        "só acordo às 9h",
        "tenho fisio até as 9h",
        "o encanador vem às 8h30",
        "meu ônibus só chega às 9h",
        "o bebê dorme até as 9h",
    ),
}
CONCLUSIONS = {
    Language.EN: ("so nothing before 10", "so nowt before 10", "so not before 10", "so only after 10", "so from 10 on"),
    Language.PT: (
        "então nada antes das 10",
        "então só depois das 10",
        "então a partir das 10",
        "por isso não antes das 10",
    ),
}


@pytest.mark.parametrize("language", list(Language))
def test_the_hour_of_a_reason_is_no_wish_beside_what_is_concluded(language: Language) -> None:
    head = {Language.EN: "a cardiologist, ", Language.PT: "um cardiologista, "}[language]
    meant = {at for day, hour in product(DAYS, HOURS) if _not_before_ten(at := datetime.combine(day, hour))}
    ways = ("{} {}", "{}, {}")
    said = [
        head + way.format(*of) for way in ways for of in product(REASONS_WITH_AN_HOUR[language], CONCLUSIONS[language])
    ]
    read = {one: _refused(one, language) for one in said}
    assert [one for one, refused in read.items() if refused is not None and refused != meant] == []
    assert sum(refused is None for refused in read.values()) <= 0.1 * len(said)
