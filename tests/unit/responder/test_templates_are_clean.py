"""What the templates say passes the verifier, whatever the clinics returned."""

from __future__ import annotations

from datetime import date, time

from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.responder.templates import TemplateResponder
from orchestrator.texts import texts_in
from orchestrator.turn.clinic_answers import Answers, offers_of
from orchestrator.turn.identity import Language
from orchestrator.turn.reply import SAFE
from orchestrator.turn.routing import StepResult, StepStatus
from orchestrator.turn.wish import Wish
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import (
    CLINICS,
    CPF,
    FERNANDO,
    MARINA,
    NAME,
    OPERATOR,
    RICARDO,
    SESSION,
    booked,
    cancelled,
    failed,
    matches,
    moved,
    moving,
    openings,
    parameters,
    patient,
    patients,
    plan_of,
    record,
    refused,
)
from tests.support.filters import wishes
from tests.support.form import examples, tries

DOCTORS = st.sampled_from((RICARDO, FERNANDO, MARINA, "Dra. Maria Clara de Souza", "Dr. João d'Ávila Neto"))
DAYS = st.dates(date(2025, 7, 15), date(2025, 9, 30))
TIMES = st.builds(time, st.integers(7, 20), st.sampled_from((0, 15, 20, 30, 40)))
WHERE = st.tuples(DOCTORS, DAYS.map(date.isoformat), TIMES.map(lambda at: at.isoformat("minutes")))
CLINIC = st.sampled_from(("clinic_a", "clinic_b", "clinic_c"))
REASONS = st.sampled_from(
    [*sorted(texts_in(Language.PT).table("responder.failures.refusals")), "INTERNAL", "UNKNOWN_TOOL"]
)
IDS = st.lists(st.integers(1, 40).map("CARD-{:03}".format), max_size=6, unique=True)

WRITES = st.one_of(
    st.builds(booked, CLINIC, WHERE),
    st.builds(moved, CLINIC, WHERE, WHERE),
    st.builds(cancelled, CLINIC, WHERE),
    st.builds(
        lambda clinic, reason, where, near: refused(clinic, "book_appointment", reason, *near, given=parameters(where)),
        CLINIC,
        REASONS,
        WHERE,
        st.lists(WHERE, max_size=3),
    ),
    st.builds(
        lambda clinic, old, new, status: failed(
            clinic, "reschedule_appointment", status=status, given=moving(old, new)
        ),
        CLINIC,
        WHERE,
        WHERE,
        st.sampled_from((StepStatus.UNREACHED, StepStatus.UNKNOWN)),
    ),
)
READS = st.one_of(
    st.builds(lambda clinic, where: openings(clinic, *where), CLINIC, st.lists(WHERE, max_size=12)),
    st.builds(lambda clinic, ids: patients(clinic, *ids), CLINIC, IDS),
    st.builds(lambda clinic, ids: matches(clinic, *ids), CLINIC, IDS),
    st.builds(lambda: record(found=patient(name=NAME, cpf=CPF))),
    st.builds(lambda clinic: failed(clinic, "list_available_slots"), CLINIC),
)
WISHES = wishes(CLINICS)


@settings(max_examples=tries(150), deadline=None)
@given(
    results=st.lists(WRITES | READS, min_size=1, max_size=4).map(tuple),
    wish=WISHES,
    language=st.sampled_from(Language),
    nearest=st.booleans(),
)
def test_an_answer_to_any_results_passes_the_verifier(
    results: tuple[StepResult, ...], wish: Wish, language: Language, nearest: bool
) -> None:
    plan = plan_of(results, language, wish, nearest=nearest)
    reply = TemplateResponder().answer(plan, results, SESSION, CLINICS)
    answers = Answers.of("pergunta", results)
    verifier = RuleVerifier()
    assert verifier.check_data(answers, SESSION) == SAFE
    assert verifier.check_reply(reply.plain, answers, SESSION, plan) == SAFE


@settings(max_examples=examples(50), deadline=None)
@given(results=st.lists(READS, min_size=1, max_size=4).map(tuple), wish=WISHES)
def test_the_numbers_on_the_screen_are_those_of_the_offers(results: tuple[StepResult, ...], wish: Wish) -> None:
    reply = TemplateResponder().answer(plan_of(results, wish=wish), results, SESSION, CLINICS)
    lines = reply.plain.split("\n")
    for offer in offers_of(results, wish) or ():
        assert any(
            line.startswith(f"{offer.number} | ") and f"{offer.time:%H:%M} | {offer.doctor} | " in line
            for line in lines
        )


def test_an_operators_record_passes_the_verifier() -> None:
    results = (record(),)
    plan = plan_of(results)
    reply = TemplateResponder().answer(plan, results, OPERATOR, CLINICS)
    answers = Answers.of("CARD-001", results)
    assert RuleVerifier().check_reply(reply.plain, answers, OPERATOR, plan) == SAFE
