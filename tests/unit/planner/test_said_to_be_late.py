"""What is said against the hour of the slot on the table, which is no wish for late hours or early ones."""

from itertools import product

import pytest

from orchestrator.turn import Language
from tests.unit.planner.desk import Desk

LATE = {
    Language.PT: (
        "tá muito tarde",
        "achei tarde",
        "achei meio tarde",
        "muito tarde pra mim",
        "esse é muito tarde",
        "ficou tarde",
    ),
    Language.EN: (
        "that's too late",
        "that's a bit late",
        "I think that's too late",
        "that one is too late",
        "kinda late",
    ),
}
EARLY = {
    Language.PT: ("tá muito cedo", "acho cedo", "meio cedo né", "esse é muito cedo", "cedo demais pra mim"),
    Language.EN: ("too early for me", "I think it's too early", "that one is too early", "bit early", "kinda early"),
}
FIRST = {Language.PT: "quero cardiologista", Language.EN: "a cardiologist please"}
COMPLAINTS = [
    (one, late, text) for one, late in product(Language, (True, False)) for text in (LATE if late else EARLY)[one]
]


@pytest.mark.parametrize(("language", "late", "text"), COMPLAINTS)
def test_another_hour_of_that_day_is_looked_for(language: Language, late: bool, text: str) -> None:
    desk = Desk.open(language, consent_given=False)
    desk.say(FIRST[language])
    earlier, later = (one for one in desk.session.offers if one.date.day == 21)
    desk.say(f"{later.number if late else earlier.number}")
    desk.say(text)
    assert desk.session.proposal is not None
    assert desk.session.proposal.plan.steps[0].taken == (earlier if late else later).slot


@pytest.mark.parametrize(("language", "late", "text"), COMPLAINTS)
def test_of_a_list_no_such_hours_are_wished_for(language: Language, late: bool, text: str) -> None:
    desk = Desk.open(language, consent_given=False)
    desk.say(FIRST[language])
    desk.say(text)
    hours = [one.time.hour for one in desk.session.offers]
    assert min(hours) < 12 if late else max(hours) >= 12


@pytest.mark.parametrize(
    ("text", "earlier"), [("muito tarde, tem algo mais perto?", True), ("muito cedo, tem depois?", False)]
)
def test_what_is_asked_for_behind_it_is_sooner_or_later_than_the_slot(text: str, earlier: bool) -> None:
    desk = Desk.open(consent_given=False)
    desk.say("quero cardiologista", "4")
    [taken] = [one.slot for one in desk.session.offers if one.number == 4]
    desk.say(text)
    assert desk.session.offers
    assert all((one.slot.begin < taken.begin) is earlier for one in desk.session.offers)
