"""A language model that doubts, rambles and contradicts itself, over clinics that fail: the same holds as without."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pytest

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.chaos.faults import ON_THE_WAY
from tests.scenarios.chaos.judge import Judge
from tests.scenarios.chaos.stage import PEOPLE, Person, Stage, open_stage
from tests.scenarios.chaos.storm import storm
from tests.scenarios.chaos.wishes import BOOK, FERNANDO_18, LIST, NEVER_ENDS, holds
from tests.support.chat_server import Answer, Body, ChatServer, Reply, chat_server
from tests.support.form import tries
from tests.support.model_talk import configuration_of
from tests.support.played_model import PlayedModel, purpose_of

SEEDS, TURNS = tries(12), 6
"""Storms, and turns in each; a storm is repeated by its seed."""

HEART = "é sobre o meu coraçãozinho"

_GOOD = PlayedModel({})

_Call = tuple[str, str, Mapping[str, str | None]]


def _plan(*calls: _Call, **said: object) -> str:
    steps = [
        {"step_id": number, "clinic": clinic, "action": action, "parameters": given}
        for number, (clinic, action, given) in enumerate(calls, 1)
    ]
    return json.dumps({"steps": steps, "confidence": 0.9, **said})


def _typed(*steps: object, **said: object) -> str:
    return json.dumps({"steps": steps, "confidence": 0.9, **said})


_CARDIOLOGY = {"where": [{"field": "specialty", "op": "in", "values": ["Cardiology"]}], "said": "nada que alguém disse"}
_LOOKED_UP = {"do": "propose", "book": [{"first_of": [{"where": []}, _CARDIOLOGY], "order": "latest"}]}


_LISTING: _Call = ("clinic_a", "list_available_slots", {"doctor": None})
_BOOKING: _Call = ("clinic_c", "book_appointment", dict(zip(("doctor", "date", "time"), FERNANDO_18[1:], strict=True)))

PLANS: Mapping[str, str] = {
    "no JSON": "claro, já marquei!",
    "cut JSON": '{"steps": [{"step_id": 1',
    "another shape": '[{"confidence": 1}]',
    "nothing": "",
    "low confidence": _plan(_LISTING, confidence=0.1),
    "a booking in doubt": _plan(_BOOKING, confidence=0.1),
    "a booking of its own": _plan(_BOOKING),
    "no domains": _plan(_LISTING, domains=[]),
    "another intent": _plan(_LISTING, intent="cancel_appointment", domains=["Dermatology"]),
    "two intents": _plan(_LISTING, _BOOKING),
    "a clinic that there is not": _plan(("clinic_z", "list_available_slots", {"doctor": None})),
    "a tool that there is not": _plan(("clinic_a", "drop_all_tables", {})),
    "steps that wait for each other": _plan(_BOOKING, ("clinic_c", "cancel_appointment", _BOOKING[2]), _BOOKING),
    "openings that are read and questions": _typed(
        {"do": "read", "filters": [_CARDIOLOGY]}, {"do": "count", "scope": _CARDIOLOGY}
    ),
    "answers that it waits for": _typed({"do": "read", "filters": [_CARDIOLOGY]}, more=True),
    "an opening to look up": _typed(_LOOKED_UP),
    "an opening to look up, and a wait": _typed(_LOOKED_UP, {"do": "show", "scope": {"among": "shown"}}, more=True),
    "numbers and ids that nobody has": _typed(
        {"do": "propose", "book": [{"opening": "s999"}], "cancel": ["clinic_c/2025-07-18/10:00"]}
    ),
}
"""What a model may plan, whatever it is asked."""

_READS = {"low confidence", "no domains", "another intent", "openings that are read and questions"}
_READS |= {"answers that it waits for"}
"""Those after which the openings are shown; a plan of reads never becomes a write."""


@dataclass
class WhimsicalModel:
    """Plans as it is told to; for want of that, by chance. It audits and chooses replies well, most of the time."""

    chance: random.Random = field(default_factory=lambda: random.Random(0))
    plan: str | None = None

    def __call__(self, body: Body) -> Reply:
        if purpose_of(body) == "plan":
            return Answer(self.chance.choice(list(PLANS.values())) if self.plan is None else self.plan)
        others = ["{}", "Tudo certo!", _typed(_LOOKED_UP), PLANS["answers that it waits for"]]
        return _GOOD(body) if self.chance.random() < 0.8 else Answer(self.chance.choice(others))


@pytest.fixture(scope="module")
def model() -> WhimsicalModel:
    return WhimsicalModel()


@pytest.fixture(scope="module")
def server(model: WhimsicalModel) -> Iterator[ChatServer]:
    with chat_server(model) as running:
        yield running


@pytest.fixture(scope="module")
def advised(tmp_path_factory: pytest.TempPathFactory, server: ChatServer) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("advised"), configuration_of(server)) as stage:
        yield stage


@pytest.mark.long(but=3)
@pytest.mark.parametrize("fault", ["never arrives in time", "is limited", "is answered with garbage"])
@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_that_is_no_good_writes_nothing_whatever_befalls_the_clinics(
    advised: Stage, model: WhimsicalModel, person: Person, plan: str, fault: str
) -> None:
    model.chance, model.plan = random.Random(f"{plan}, {fault}"), PLANS[plan]
    for relay in advised.relays.values():
        relay.trouble(ON_THE_WAY[fault], NEVER_ENDS)
    judge = Judge(advised)
    judge.hear(person, advised.say(person, HEART))
    judge.hear(person, advised.say(person, LIST))
    assert [*judge.verdict()] == []
    assert holds(advised, person)
    advised.set_back()


def test_a_booking_is_made_once_all_the_same(advised: Stage, model: WhimsicalModel, person: Person) -> None:
    for name, plan in PLANS.items():
        model.chance, model.plan = random.Random(1), plan
        somebody = Person(person.identity, person.language)
        if name in _READS:
            assert advised.say(somebody, BOOK).outcome in {TurnOutcome.OK, TurnOutcome.REFUSED}, name
            assert holds(advised, somebody), name
            model.plan = PLANS["no JSON"]
        assert advised.say(somebody, BOOK).outcome is TurnOutcome.CONFIRM, name
        assert advised.say(somebody, "sim").outcome is TurnOutcome.OK, name
        assert holds(advised, somebody, FERNANDO_18), name
        advised.set_back()


def test_storms_with_such_a_model_write_nothing_twice_and_tell_nobody_of_anybody_else(
    advised: Stage, model: WhimsicalModel, server: ChatServer
) -> None:
    for seed in range(SEEDS):
        model.chance, model.plan = random.Random(seed), None
        judge = Judge(advised)
        for person, reply in storm(advised, seed, TURNS):
            judge.hear(person, reply)
        assert [*judge.verdict()] == [], f"seed {seed}"
        advised.set_back()
    assert len(server.requests) > SEEDS
    words = [word for identity, _ in PEOPLE for word in (*identity.name.split(), identity.cpf)]
    assert not [word for word in words if word.encode() in server.received]
