"""Receipts, refusals with what is open instead, and outcomes that nobody knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from google.rpc.error_details_pb2 import RetryInfo

from generated.clinic.v1 import error_reason_pb2
from mesh.errors import DomainError
from orchestrator.responder.templates import TemplateResponder
from orchestrator.texts import texts_in
from orchestrator.turn.clinic_answers import Answers, offers_of, receipts_of
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, PlanKind, Topic
from orchestrator.turn.reply import SAFE, Card, Part, Reply, Rule, Table, TurnOutcome, Verdict
from orchestrator.turn.routing import StepResult, StepStatus
from orchestrator.turn.session import Proposal, ReceiptKind
from orchestrator.turn.wish import ANYTHING
from tests.support.clinic_turns import (
    CLINICS,
    CPF,
    FERNANDO,
    ON_18_AT_10,
    ON_19_AT_14,
    SESSION,
    booked,
    cancelled,
    failed,
    moved,
    moving,
    openings,
    parameters,
    plan_of,
    refused,
    verdict_on,
)
from tests.support.steps import step_of

RESPONDER = TemplateResponder()


def answer(*results: StepResult, language: Language = Language.PT) -> Reply:
    return RESPONDER.answer(plan_of(results, language), results, SESSION, CLINICS)


def card(reply: Reply) -> Card:
    (found,) = (block for block in reply.blocks if isinstance(block, Card))
    return found


def test_a_booking_is_shown_as_a_receipt_with_all_that_was_booked() -> None:
    reply = answer(booked("clinic_c", ON_18_AT_10))
    assert card(reply) == Card(
        "Consulta marcada",
        (
            ("Clínica", "Clínica C"),
            ("Médico(a)", FERNANDO),
            ("Especialidade", "Cardiologia"),
            ("Data", "sexta-feira, 18/07/2025"),
            ("Hora", "10:00"),
            ("Duração", "30 min"),
            ("Paciente", "Carlos Teste"),
            ("CPF", "***.***.*89-**"),
        ),
        part=Part.RECEIPT,
    )
    assert reply.outcome is TurnOutcome.OK
    assert CPF not in reply.plain


def test_a_move_is_shown_from_where_to_where_in_english() -> None:
    rows = dict(card(answer(moved("clinic_c", ON_18_AT_10, ON_19_AT_14), language=Language.EN)).rows)
    assert (rows["From"], rows["To"]) == ("Friday, July 18, 2025, 10:00", "Saturday, July 19, 2025, 14:00")


def test_a_cancellation_is_shown_as_what_was_given_back() -> None:
    assert card(answer(cancelled("clinic_c", ON_18_AT_10))).title == "Consulta cancelada"


def test_a_receipt_is_read_from_the_clinics_acknowledgement_only() -> None:
    results = (
        moved("clinic_c", ON_18_AT_10, ON_19_AT_14),
        failed("clinic_c", "book_appointment"),
        openings("clinic_c"),
    )
    (receipt,) = receipts_of(results)
    assert receipt.original is not None
    assert (receipt.kind, receipt.appointment.time.hour, receipt.original.time.hour) == (
        ReceiptKind.RESCHEDULED,
        14,
        10,
    )


def test_a_slot_that_is_taken_comes_with_what_is_open_nearby_as_new_offers() -> None:
    result = refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", ON_19_AT_14, given=parameters(ON_18_AT_10))
    reply = answer(result)
    (shown,) = (block for block in reply.blocks if isinstance(block, Table))
    assert "Marcar consulta: Dr. Fernando Mendes, sexta-feira, 18/07/2025, 10:00, Clínica C." in reply.plain
    assert "Esse horário não está livre. Nada foi alterado." in reply.plain
    assert shown.rows == (("1", "sábado, 19/07/2025", "14:00", FERNANDO, "Clínica C", ""),)
    assert [offer.number for offer in offers_of((result,), ANYTHING) or ()] == [1]
    assert reply.outcome is TurnOutcome.REFUSED


def test_a_slot_that_is_taken_with_nothing_nearby_says_so() -> None:
    reply = answer(refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", given=parameters(ON_18_AT_10)))
    assert "Não há outro horário livre por perto." in reply.plain


@pytest.mark.parametrize("language", Language)
def test_every_reason_of_a_clinic_has_its_own_text(language: Language) -> None:
    reasons = {
        value.name.removeprefix("ERROR_REASON_")
        for value in error_reason_pb2.ErrorReason.DESCRIPTOR.values
        if value.number
    }
    assert reasons <= set(texts_in(language).table("responder.failures.refusals"))


@pytest.mark.parametrize(
    ("language", "delay_ms", "text"),
    [
        (Language.PT, 200, "pedidos demais em pouco tempo. Tente de novo daqui a 1 segundo. Nada foi alterado."),
        (Language.PT, 3001, "Tente de novo daqui a 4 segundos."),
        (Language.EN, 1000, "asked too often in a short time. Try again in 1 second. Nothing was changed."),
        (Language.EN, 12_000, "Try again in 12 seconds."),
    ],
)
def test_who_asked_too_often_is_told_how_long_to_wait(language: Language, delay_ms: int, text: str) -> None:
    info = RetryInfo()
    info.retry_delay.FromMilliseconds(delay_ms)
    failure = DomainError("RATE_LIMITED", "too often", details=(info,))
    step = step_of(1, "clinic_c", "book_appointment", parameters(ON_18_AT_10))
    reply = answer(StepResult(step, StepStatus.REFUSED, error=failure), language=language)
    assert text in " ".join(reply.plain.split())
    assert reply.outcome is TurnOutcome.REFUSED


@pytest.mark.parametrize("language", Language)
def test_a_refusal_says_what_stands_in_the_way_and_that_nothing_was_changed(language: Language) -> None:
    for reason, text in texts_in(language).table("responder.failures.refusals").items():
        reply = answer(
            refused("clinic_c", "cancel_appointment", reason, given=parameters(ON_18_AT_10)), language=language
        )
        assert f"{text} {texts_in(language).text('responder.failures.nothing_changed')}" in reply.plain
        assert reply.outcome is TurnOutcome.REFUSED


def test_a_reason_without_a_text_of_its_own_is_told_in_general() -> None:
    reply = answer(refused("clinic_c", "cancel_appointment", "INTERNAL", given=parameters(ON_18_AT_10)))
    assert "A clínica não pôde atender o pedido." in reply.plain


def test_a_write_that_reached_nobody_changed_nothing() -> None:
    reply = answer(failed("clinic_c", "book_appointment", given=parameters(ON_18_AT_10)))
    assert "Clínica C não respondeu (2,0 s). Nada foi alterado. Tente de novo em instantes." in reply.plain
    assert reply.outcome is TurnOutcome.ALL_DOWN


def test_an_unknown_outcome_says_how_to_find_out() -> None:
    error = DomainError("TIMED_OUT", "no answer in time")
    reply = answer(failed("clinic_c", "book_appointment", error, StepStatus.UNKNOWN, given=parameters(ON_18_AT_10)))
    assert "Clínica C não confirmou a tempo (2,0 s): resultado desconhecido." in reply.plain
    assert "responda “sim”" in reply.plain
    assert "Nada foi alterado" not in reply.plain
    assert reply.outcome is TurnOutcome.UNKNOWN_WRITE


LIMITED = DomainError("RATE_LIMITED", "too often", details=(RetryInfo(retry_delay={"seconds": 7}),))


@pytest.mark.parametrize(
    ("error", "language", "said"),
    [
        (LIMITED, Language.PT, "Tente de novo daqui a 7 segundos. O resultado do pedido não é conhecido."),
        (LIMITED, Language.EN, "Try again in 7 seconds. The outcome of the request is not known."),
        (DomainError("UNAUTHENTICATED", "no"), Language.PT, "não reconheceu quem está chamando"),
        (DomainError("PERMISSION_DENIED", "no"), Language.EN, "does not allow this"),
        (DomainError("STORAGE_UNAVAILABLE", "no"), Language.PT, "não conseguiu gravar a agenda"),
        (None, Language.EN, "The outcome of the request is not known."),
    ],
)
def test_a_refusal_that_does_not_settle_an_outcome_is_told_with_how_to_find_out(
    error: DomainError | None, language: Language, said: str
) -> None:
    result = failed("clinic_c", "book_appointment", error, StepStatus.UNKNOWN, given=parameters(ON_18_AT_10))
    reply = answer(result, language=language)
    texts = texts_in(language)
    assert said in reply.plain
    assert reply.plain.endswith(texts.text("responder.failures.still_unknown"))
    assert texts.text("responder.failures.nothing_changed") not in reply.plain
    assert reply.outcome is TurnOutcome.UNKNOWN_WRITE


def test_of_two_writes_each_is_told_for_itself() -> None:
    reply = answer(
        booked("clinic_a", ON_18_AT_10),
        refused("clinic_c", "cancel_appointment", "APPOINTMENT_NOT_FOUND", given=parameters(ON_19_AT_14)),
    )
    assert card(reply).title == "Consulta marcada"
    assert "Cancelar consulta: Dr. Fernando Mendes, sábado, 19/07/2025, 14:00, Clínica C." in reply.plain
    assert reply.outcome is TurnOutcome.REFUSED


def test_a_step_that_was_not_attempted_is_told_so() -> None:
    reply = answer(
        refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", given=parameters(ON_18_AT_10)),
        failed("clinic_c", "cancel_appointment", None, StepStatus.SKIPPED, given=parameters(ON_19_AT_14)),
    )
    assert "Este passo não foi tentado" in reply.plain


def exchange(taking: StepResult, giving: StepResult) -> tuple[StepResult, StepResult]:
    """A booking and the cancellation that waits for it."""
    return taking, replace(giving, step=replace(giving.step, step_id=2, after=1))


def test_an_appointment_that_could_not_be_given_back_is_said_to_be_held_still() -> None:
    reply = answer(
        *exchange(
            booked("clinic_a", ON_19_AT_14), failed("clinic_c", "cancel_appointment", given=parameters(ON_18_AT_10))
        )
    )
    assert card(reply).title == "Consulta marcada"
    assert "Clínica C não respondeu (2,0 s). A nova consulta está marcada, mas a antiga também continua" in reply.plain
    assert "Nada foi alterado" not in reply.plain
    assert reply.outcome is TurnOutcome.PARTIAL


@pytest.mark.parametrize(
    ("reason", "held"),
    [("STORAGE_UNAVAILABLE", True), ("APPOINTMENT_NOT_FOUND", False), ("APPOINTMENT_IN_PAST", False)],
)
@pytest.mark.parametrize("language", Language)
def test_only_what_a_clinic_still_holds_is_said_to_be_held(reason: str, held: bool, language: Language) -> None:
    giving = refused("clinic_c", "cancel_appointment", reason, given=parameters(ON_18_AT_10))
    reply = answer(*exchange(booked("clinic_a", ON_19_AT_14), giving), language=language)
    texts = texts_in(language)
    assert texts.text(f"responder.failures.refusals.{reason}") in reply.plain
    assert (texts.text("responder.failures.old_still_booked") in reply.plain) is held
    assert texts.text("responder.failures.nothing_changed") not in reply.plain


def test_whether_an_appointment_was_given_back_may_be_unknown() -> None:
    error = DomainError("TIMED_OUT", "no answer in time")
    giving = failed("clinic_c", "cancel_appointment", error, StepStatus.UNKNOWN, given=parameters(ON_18_AT_10))
    reply = answer(*exchange(booked("clinic_a", ON_19_AT_14), giving))
    assert "resultado desconhecido" in reply.plain
    assert texts_in(Language.PT).text("responder.failures.old_still_booked") not in reply.plain


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("status", [StepStatus.UNREACHED, StepStatus.UNKNOWN])
def test_without_the_new_slot_the_old_appointment_stays_as_it_is(status: StepStatus, language: Language) -> None:
    skipped = failed("clinic_c", "cancel_appointment", None, StepStatus.SKIPPED, given=parameters(ON_18_AT_10))
    results = exchange(failed("clinic_a", "book_appointment", status=status, given=parameters(ON_19_AT_14)), skipped)
    reply = answer(*results, language=language)
    assert texts_in(language).text("responder.failures.old_stays") in reply.plain
    assert verdict_on(reply.plain, results, plan=plan_of(results, language)) == SAFE


def test_a_partial_exchange_passes_the_verifier() -> None:
    for language in Language:
        results = exchange(
            booked("clinic_a", ON_19_AT_14), failed("clinic_c", "cancel_appointment", given=parameters(ON_18_AT_10))
        )
        plain = answer(*results, language=language).plain
        assert verdict_on(plain, results, plan=plan_of(results, language)) == SAFE


def test_a_turn_of_which_nothing_was_attempted_was_cancelled() -> None:
    result = failed("clinic_c", "book_appointment", None, StepStatus.SKIPPED, given=parameters(ON_18_AT_10))
    assert answer(result).outcome is TurnOutcome.CANCELLED


REQUEST_ID = "0c8f0ad4-6f0c-4a0e-9a37-3b1a6f8f6f11"


def proposal(
    action: str, given: Mapping[str, str], *, attempted: bool = False, language: Language = Language.PT
) -> Proposal:
    step = step_of(1, "clinic_c", action, given, REQUEST_ID)
    in_doubt = frozenset({REQUEST_ID} if attempted else ())
    return Proposal(Plan(PlanKind.STEPS, language, steps=(step,)), in_doubt)


def test_a_proposal_shows_exactly_what_will_be_done_and_asks() -> None:
    reply = RESPONDER.propose(proposal("book_appointment", parameters(ON_18_AT_10)), SESSION, CLINICS)
    assert card(reply).title == "Marcar consulta"
    assert dict(card(reply).rows)["Data"] == "sexta-feira, 18/07/2025"
    assert reply.plain.endswith("Confirma? (sim/não)")
    assert reply.outcome is TurnOutcome.CONFIRM


def test_a_proposal_to_move_shows_from_where_to_where() -> None:
    given = moving(ON_18_AT_10, ON_19_AT_14)
    reply = RESPONDER.propose(proposal("reschedule_appointment", given, language=Language.EN), SESSION, CLINICS)
    rows = dict(card(reply).rows)
    assert (rows["From"], rows["To"]) == ("Friday, July 18, 2025, 10:00", "Saturday, July 19, 2025, 14:00")
    assert reply.plain.endswith("Shall I go ahead? (yes/no)")


def test_a_proposal_after_an_unknown_outcome_says_that_it_is_the_same_request() -> None:
    tried = proposal("book_appointment", parameters(ON_18_AT_10), attempted=True)
    assert "repito o mesmo pedido" in RESPONDER.propose(tried, SESSION, CLINICS).plain


@pytest.mark.parametrize("language", Language)
def test_another_proposal_says_that_a_write_of_unknown_outcome_is_not_asked_after_any_more(language: Language) -> None:
    tried = proposal("book_appointment", parameters(ON_18_AT_10), attempted=True)
    other = proposal("book_appointment", parameters(ON_19_AT_14), language=language)
    reply = RESPONDER.propose(other, replace(SESSION, proposal=tried), CLINICS)
    assert reply.plain.startswith(texts_in(language).text("responder.consent.superseded"))
    untried = proposal("book_appointment", parameters(ON_18_AT_10))
    for before, after in ((untried, other), (tried, tried)):
        assert "desconhecido" not in RESPONDER.propose(after, replace(SESSION, proposal=before), CLINICS).plain


def test_a_caution_comes_before_a_proposal() -> None:
    proposed = proposal("book_appointment", parameters(ON_18_AT_10))
    cautioned = replace(proposed, plan=replace(proposed.plan, caution=Topic.POSSIBLE_EMERGENCY))
    assert "192" in RESPONDER.propose(cautioned, SESSION, CLINICS).plain.splitlines()[0]


def test_an_exchange_is_proposed_with_both_its_writes() -> None:
    taking = proposal("book_appointment", parameters(ON_19_AT_14)).plan.steps[0]
    giving = step_of(2, taking.clinic, "cancel_appointment", parameters(ON_18_AT_10), after=1)
    reply = RESPONDER.propose(Proposal(Plan(PlanKind.STEPS, Language.PT, steps=(taking, giving))), SESSION, CLINICS)
    assert [block.title for block in reply.blocks if isinstance(block, Card)] == [
        "Marcar consulta",
        "Cancelar consulta",
    ]


def test_a_no_is_answered_with_nothing_changed() -> None:
    assert RESPONDER.dropped(SESSION).plain == "Certo, nada foi alterado."
    assert RESPONDER.dropped(replace(SESSION, language=Language.EN)).plain == "All right, nothing was changed."


@pytest.mark.parametrize("rule", Rule)
def test_a_blocked_answer_shows_the_note_alone_and_names_the_rule(rule: Rule) -> None:
    reply = RESPONDER.blocked(Verdict(rule, f"{rule}: found"), Answers.of("oi"), SESSION, CLINICS)
    assert reply.plain.startswith(f"Resposta bloqueada ({rule})")
    assert (len(reply.blocks), reply.outcome) == (1, TurnOutcome.REFUSED)


def test_the_receipt_of_a_write_is_shown_even_when_the_answer_is_blocked() -> None:
    answers = Answers.of("sim", (booked("clinic_c", ON_18_AT_10),))
    reply = RESPONDER.blocked(Verdict(Rule.R2, "R2: found"), answers, SESSION, CLINICS)
    assert card(reply).title == "Consulta marcada"
