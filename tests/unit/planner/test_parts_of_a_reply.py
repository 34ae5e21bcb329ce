"""What is said beside a request, a limit or a pick changes nothing of it, and each of two limits holds."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import Language, Topic
from tests.unit.planner.desk import Desk

LISTED = {Language.PT: "quero cardiologista", Language.EN: "I need a cardiologist"}
SAID = {
    Language.PT: ("o 2", "na quarta", "menos sexta", "só de manhã", "com o Dr. Ricardo", "quanto custa?"),
    Language.EN: ("number 2", "on Wednesday", "not Friday", "only mornings", "with Dr. Ricardo", "how much is it?"),
}
BEFORE = {
    Language.PT: ("olá, tudo bem? ", "desculpa a demora\n", "é o seguinte: ", "acabei de sair do trabalho. "),
    Language.EN: ("hello, how are you? ", "sorry for the delay\n", "here's the thing: ", "I just left work. "),
}
BEHIND = {
    Language.PT: (", tá?", ". tô com pressa", "\nminha mãe que pediu", ", bom dia", ". meu celular tá sem bateria"),
    Language.EN: (", ok?", ". I'm in a hurry", "\nmy mum asked me to", ", have a good one", ". my phone is dying"),
}
WEEKDAYS = {"segunda": 0, "terça": 1, "quarta": 2, "sexta": 4}
WHO = (
    "meu marido me leva",
    "minha filha vai junto",
    "meu chefe liberou",
    "meu amigo me busca",
    "minha irmã vem comigo",
)


@cache
def listed(language: Language) -> Desk:
    desk = Desk.open(language, consent_given=False)
    desk.say(LISTED[language])
    return desk


def outcome(language: Language, said: str) -> tuple[object, ...]:
    desk = replace(listed(language))
    plan = desk.say(said)
    return plan.steps, plan.topic, desk.session.offers, desk.session.proposal


def kept_days(said: str, language: Language = Language.PT) -> set[int]:
    desk = replace(listed(language))
    desk.say(said)
    return {one.date.weekday() for one in desk.session.offers}


@pytest.mark.parametrize("language", Language)
def test_a_courtesy_or_what_is_told_of_the_moment_changes_nothing_of_a_reply(language: Language) -> None:
    wrong = []
    for said in SAID[language]:
        plain, ends = outcome(language, said), said.endswith("?")
        beside = [f"{one}{said}" for one in BEFORE[language]]
        beside += [f"{said} {one.lstrip(',. ')}" if ends else f"{said}{one}" for one in BEHIND[language]]
        wrong += [one for one in beside if outcome(language, one) != plain]
    assert wrong == []


@pytest.mark.parametrize(
    "said", ["quero cardiologista", "ESSE HORÁRIO", "ONDE FICA A CLÍNICA C?", "Onde Fica A Clínica C?"]
)
def test_a_word_in_capitals_is_no_name_of_a_clinic(said: str) -> None:
    plan = Desk.open().say(said)
    assert plan.asked is None or plan.asked.clinics == ("clinic_c",)


def test_lines_part_what_is_said_as_commas_do() -> None:
    for lines in ("quero cardiologista\nsegunda\nde manhã", "cardiologist\nMonday\nin the morning"):
        asked = [Desk.open(), Desk.open()]
        plans = [desk.say(said) for desk, said in zip(asked, (lines, lines.replace("\n", ", ")), strict=True)]
        assert plans[0].steps == plans[1].steps
        assert asked[0].session.offers == asked[1].session.offers


@pytest.mark.parametrize("who", WHO)
def test_who_comes_along_is_nothing_that_a_day_is_taken_by(who: str) -> None:
    for day, number in WEEKDAYS.items():
        desk = replace(listed(Language.PT))
        plan = desk.say(f"quero na {day} e {who}")
        taken = [step.taken.date for step in plan.steps if step.taken is not None]
        found = [] if plan.writes else [one.date for one in desk.session.offers]
        assert {one.weekday() for one in (*taken, *found)} <= {number}, day


@pytest.mark.parametrize("joint", [", ", ". ", " e ", "\n"])
def test_two_days_that_are_refused_in_two_ways_are_both_refused(joint: str) -> None:
    for first, second in product(("menos segunda", "exceto segunda"), ("não pode ser na sexta", "não posso na sexta")):
        assert not kept_days(f"{first}{joint}{second}") & {0, 4}
    for second in ("it can't be Friday", "I can't do Friday"):
        assert not kept_days(f"except Monday{joint.replace(' e ', ' and ')}{second}", Language.EN) & {0, 4}


@pytest.mark.parametrize("reason", ["é minha mudança", "é aniversário da minha mãe", "é meu plantão"])
def test_the_day_of_a_reason_is_not_that_of_the_wish_before_it(reason: str) -> None:
    desk = Desk.open()
    desk.say(f"cardiologista na segunda, sexta {reason}")
    assert {one.date.weekday() for one in desk.session.offers} == {0}


@pytest.mark.parametrize("refused", ["nesse não dá", "esse não consigo", "nesse não posso"])
@pytest.mark.parametrize("wanted", ["quero na segunda", "pode ser segunda", "tem na segunda?"])
def test_what_is_wanted_instead_is_heard_behind_what_cannot_be_kept(refused: str, wanted: str) -> None:
    for joint in (", ", ". ", "\n"):
        desk = replace(listed(Language.PT))
        desk.say("o 2")
        plan = desk.say(f"{refused}{joint}{wanted}")
        taken = [step.taken.date for step in plan.steps if step.taken is not None]
        found = [] if plan.writes else [one.date for one in desk.session.offers]
        assert {day.weekday() for day in (*taken, *found)} == {0}


GRUMBLES = {
    Language.PT: ("sim, mas é longe", "ok mas é longe", "sim, só que é meio cedo", "pode marcar, mas fica longe"),
    Language.EN: ("yes, but it's far", "ok but it's a bit early", "yes, though it's quite far", "sure, but it's far"),
}


@pytest.mark.parametrize(("language", "said"), [(each, one) for each, all_ in GRUMBLES.items() for one in all_])
def test_a_yes_with_a_grumble_neither_books_nor_takes_the_card_away(language: Language, said: str) -> None:
    desk = replace(listed(language))
    desk.say("o 2" if language is Language.PT else "number 2")
    proposal = desk.session.proposal
    assert proposal is not None
    assert OfflinePlanner().consent(said, proposal) is None
    plan = desk.say(said)
    assert plan.keeps_proposal or plan.steps == proposal.plan.steps


@pytest.mark.parametrize("said", ["ta", "ta very much", "ta!", "ta mate"])
def test_british_thanks_are_no_yes_in_english(said: str) -> None:
    desk = replace(listed(Language.EN))
    desk.say("number 2")
    assert desk.session.proposal is not None
    assert OfflinePlanner().consent(said, desk.session.proposal) is None
    plan = desk.say(said)
    assert plan.topic is Topic.THANKS
    assert plan.keeps_proposal


@pytest.mark.parametrize("said", ["nah, have a good one", "nah, thanks, bye", "nope, many thanks", "não, valeu, tchau"])
def test_a_no_with_leave_behind_it_is_a_no(said: str) -> None:
    desk = replace(listed(Language.EN))
    desk.say("number 2")
    assert desk.session.proposal is not None
    assert OfflinePlanner().consent(said, desk.session.proposal) is False
