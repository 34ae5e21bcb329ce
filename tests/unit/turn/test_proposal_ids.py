"""Ids of proposals: good for exactly what was proposed, in any run that has the key, and for nothing else."""

import re
import uuid
from dataclasses import replace
from datetime import date

import pytest

from orchestrator.privacy import Redactor
from orchestrator.turn.identity import Identity, Language, Role
from orchestrator.turn.plan import Plan, PlanKind, Step
from orchestrator.turn.proposals import ProposalIds, RepeatablePlan, parse_proposal_id
from orchestrator.turn.session import Session
from tests.support.steps import action_of, step_of

KEY, TODAY = b"k" * 32, date(2025, 7, 15)
SLOT = {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
FIRST = step_of(1, "clinic_c", "book_appointment", SLOT)
BOOKING = Plan(PlanKind.STEPS, Language.PT, steps=(FIRST,))
MARIA = Session(Identity.of("Maria Souza", "529.982.247-25"))


def repeatable(plan: Plan, session: Session = MARIA, today: date = TODAY, key: bytes = KEY) -> RepeatablePlan:
    return ProposalIds(key).assign(plan, session, today)


def confirming(proposal_id: str, session: Session = MARIA) -> Session:
    return replace(session, confirmation=proposal_id)


def test_an_id_confirms_the_same_plan_in_another_run_under_the_same_request_ids() -> None:
    proposed = repeatable(BOOKING)
    confirmed = repeatable(BOOKING, confirming(proposed.id))
    assert not proposed.is_confirmed
    assert confirmed.is_confirmed
    assert confirmed == replace(proposed, is_confirmed=True)
    assert uuid.UUID(confirmed.plan.steps[0].request_id).version == 5


@pytest.mark.parametrize(
    "steps",
    [
        (replace(FIRST, clinic="clinic_a"),),
        (replace(FIRST, call=action_of("cancel_appointment", SLOT)),),
        (replace(FIRST, call=action_of("book_appointment", {**SLOT, "time": "14:00"})),),
        (replace(FIRST, step_id=2),),
        (replace(FIRST, after=1),),
        (FIRST, replace(FIRST, step_id=2)),
    ],
)
def test_an_id_confirms_no_other_plan(steps: tuple[Step, ...]) -> None:
    proposed = repeatable(BOOKING)
    assert not repeatable(replace(BOOKING, steps=steps), confirming(proposed.id)).is_confirmed


@pytest.mark.parametrize(
    "who",
    [
        Session(Identity.of("Ana Souza", "529.982.247-25")),
        Session(Identity.of("Maria Souza", "123.456.789-00")),
        Session(MARIA.identity, role=Role.OPERATOR),
    ],
)
def test_an_id_is_good_for_one_person_in_one_role(who: Session) -> None:
    assert not repeatable(BOOKING, confirming(repeatable(BOOKING).id, who)).is_confirmed


def test_an_id_is_good_for_its_day_and_under_its_key() -> None:
    mine = confirming(repeatable(BOOKING).id)
    assert not repeatable(BOOKING, mine, today=date(2025, 7, 16)).is_confirmed
    assert not repeatable(BOOKING, mine, key=b"x" * 32).is_confirmed


def test_a_proposal_that_is_made_again_is_another() -> None:
    first, second = repeatable(BOOKING), repeatable(BOOKING)
    assert first.id != second.id
    assert first.plan.steps[0].request_id != second.plan.steps[0].request_id


def test_what_writes_nothing_has_no_id_and_no_request_ids() -> None:
    listing = replace(BOOKING, steps=(step_of(1, "clinic_c", "list_available_slots"),))
    assert repeatable(listing) == RepeatablePlan(listing)


def test_an_id_is_nothing_that_a_redactor_takes_for_a_number() -> None:
    for _ in range(200):
        proposal_id = repeatable(BOOKING).id
        assert re.fullmatch(r"[a-z]{6}-[a-z]{6}-[a-z]{6}", proposal_id)
        assert Redactor(MARIA.identity).redact(f"--confirm {proposal_id}") == f"--confirm {proposal_id}"


def test_an_id_may_be_typed_in_capitals_and_without_dashes() -> None:
    proposal_id = repeatable(BOOKING).id
    assert parse_proposal_id(proposal_id.upper().replace("-", " ")) == proposal_id


@pytest.mark.parametrize("text", ["", "52998224725", "qkzmtr-bwdfxh", "qkzmtr-bwdfxh-pnvjca", "qkzmtr-bwdfxh-pnvjclz"])
def test_what_is_no_id_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match="an id of a proposal is expected") as refusal:
        parse_proposal_id(text)
    assert not text or text not in str(refusal.value)
