"""A reason behind a limit upholds it, and never turns it round or widens it."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from itertools import product

import pytest

from orchestrator import turn
from orchestrator.planner.understanding import understand
from orchestrator.turn import Language
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
    wishes = understand(said, language, CLINICS, NOW).wishes
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
