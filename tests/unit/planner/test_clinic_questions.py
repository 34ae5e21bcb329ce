"""What people ask about clinics is answered from what the clinics state, and decides which openings are looked for."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn.identity import Identity
from orchestrator.turn.plan import Plan, PlanKind, Topic
from orchestrator.turn.session import Offer, Proposal, Receipt, ReceiptKind, Session
from orchestrator.turn.step_actions import LIST
from tests.support.repository_clinics import CLINICS
from tests.support.sentences import rows
from tests.unit.planner.desk import NOW

PERSON = Identity.of("Carlos Teste", "123.456.789-00")


def planned(turns: str) -> Plan:
    """Return the plan of the last of some turns; writes are made, and each doctor has one opening."""
    session, planner = Session(PERSON, knows_own=True), OfflinePlanner()
    for utterance in turns.split(" / "):
        proposal = session.proposal
        if proposal is not None and planner.consent(utterance, proposal):
            slot = proposal.plan.steps[0].taken
            assert slot is not None
            session = replace(session, proposal=None, question=None, receipts=(Receipt(ReceiptKind.CONFIRMED, slot),))
            continue
        plan = planner.plan(utterance, session, CLINICS, NOW)
        listed = [step for step in plan.steps if step.action == LIST]
        offers = [
            Offer(0, one.id, doctor, "", NOW.date(), NOW.time())
            for step, one in product(listed, CLINICS)
            if one.id == step.clinic
            for doctor in one.doctors
        ]
        session = replace(
            session,
            question=plan.question,
            proposal=Proposal(plan) if plan.steps and not listed else session.proposal,
            offers=tuple(replace(offer, number=n) for n, offer in enumerate(offers, 1)) or session.offers,
        )
    return plan


def letters(clinics: object) -> str:
    assert isinstance(clinics, tuple | list)
    return "".join(sorted({clinic[-1] for clinic in clinics}))


@pytest.mark.parametrize(("turns", "facts", "clinics"), rows("clinic_facts.txt", "questions"))
def test_what_is_asked_of_which_clinics(turns: str, facts: str, clinics: str) -> None:
    plan = planned(turns)
    assert (plan.kind, plan.topic) == (PlanKind.CLARIFY, Topic.CLINIC_FACTS)
    assert plan.asked is not None
    assert (" ".join(plan.asked.facts), letters(plan.asked.clinics)) == (facts, clinics)


@pytest.mark.parametrize(("turns", "clinics"), rows("clinic_facts.txt", "searches"))
def test_only_clinics_that_state_what_is_asked_are_searched(turns: str, clinics: str) -> None:
    plan = planned(turns)
    assert letters([step.clinic for step in plan.steps]) == clinics
    assert {step.action for step in plan.steps} == {LIST}
    assert not plan.unread


@pytest.mark.parametrize(("turns", "clinics"), rows("clinic_facts.txt", "none"))
def test_where_no_clinic_states_what_is_asked_it_is_said_what_they_state(turns: str, clinics: str) -> None:
    plan = planned(turns)
    assert (plan.topic, plan.steps) == (Topic.NO_CLINIC_FITS, ())
    assert plan.asked is not None
    assert letters(plan.asked.clinics) == clinics


INSURANCES = sorted({name for one in CLINICS for name in one.stated("insurance")})
WHO = ("cardiologista", "dermatologista", "ortopedista", "cardiologista ou dermatologista", "Dra. Marina Couto")
WHEN = ("", " na sexta", " de manhã", " sexta de manhã", " menos na segunda", " até 380 reais", " perto do metrô")


@given(
    st.sampled_from(WHO),
    st.sampled_from(("que aceite {}", "pelo convênio {}", "pela {}")),
    st.sampled_from(INSURANCES),
    st.sampled_from(WHEN),
    st.sets(st.sampled_from(sorted(one.id for one in CLINICS))),
)
def test_a_filter_by_insurance_never_asks_a_clinic_that_does_not_state_it(
    who: str, accepting: str, insurance: str, when: str, silent: set[str]
) -> None:
    clinics = tuple(replace(one, details=None) if one.id in silent else one for one in CLINICS)
    text = f"{who} {accepting.format(insurance)}{when}"
    plan = OfflinePlanner().plan(text, Session(PERSON), clinics, NOW)
    stating = {one.id for one in clinics if insurance in one.stated("insurance")}
    if any(one.stated("insurance") for one in clinics):
        assert {step.clinic for step in plan.steps} <= stating


INSURERS = {
    "unimed": "ace",
    "bradesco": "abf",
    "sulamérica": "ad",
    "notredame": "cf",
    "amil": "bdf",
    "porto seguro": "de",
}
OF_SPECIALTY = {"cardiologista": "ac", "dermatologista": "bf", "ortopedista": "de"}
NAMED = ("vocês aceitam {}?", "tenho {}", "meu plano é {}", "do you take {}?", "i've got {}")
LOOKED_FOR = ("quero um {}", "preciso de um {} na sexta", "um {} então, de manhã")


@pytest.mark.parametrize(("insurer", "specialty"), [*product(INSURERS, OF_SPECIALTY)])
def test_what_is_looked_for_keeps_to_the_insurance_that_was_named(insurer: str, specialty: str) -> None:
    planner, taken = OfflinePlanner(), {*INSURERS[insurer]} & {*OF_SPECIALTY[specialty]}
    for named, looked_for in product(NAMED, LOOKED_FOR):
        session = Session(PERSON, knows_own=True)
        before = planner.plan(named.format(insurer), session, CLINICS, NOW)
        session = replace(session, question=before.question, asked=before.asked, insured=before.insured)
        plan = planner.plan(looked_for.format(specialty), session, CLINICS, NOW)
        assert letters([step.clinic for step in plan.steps]) == "".join(sorted(taken))
        assert taken or plan.topic is Topic.NO_CLINIC_FITS
