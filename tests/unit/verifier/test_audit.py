"""A model's audit can only block more than the rules do, and what it cannot be read from it does not clear."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from orchestrator.llm.prompt_template import read_prompt
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.model_use import ModelFailure, Purpose
from orchestrator.turn.plan import Plan
from orchestrator.turn.reply import SAFE, Draft, Rule, Verdict
from orchestrator.turn.routing import StepResult
from orchestrator.turn.session import Session
from orchestrator.verifier.audit import AUDIT_PLACEHOLDERS, SCHEMA, AuditingVerifier
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import CLINICS, CPF, NAME, ON_18_AT_10, OPERATOR, SESSION, booked, openings, record
from tests.support.model_drafts import ScriptedAsker, Turn, texts

PROMPT = read_prompt("verifier", AUDIT_PLACEHOLDERS)
LISTED = (openings("clinic_c", ON_18_AT_10),)
TURN = Turn.of(*LISTED)
GOOD = "Encontrei um horário:\n\n{slots}"
CLEAR = '{"safe": true, "note": "OK"}'

UNREADABLE = Verdict(Rule.AUDIT, "AUDIT: the model's audit cannot be read")
SILENT = (
    ModelFailure.UNREACHABLE,
    ModelFailure.TIMED_OUT,
    ModelFailure.RATE_LIMITED,
    ModelFailure.SERVER_ERROR,
    ModelFailure.REJECTED,
    ModelFailure.SUSPENDED,
    ModelFailure.CANCELLED,
)


def verifier(answer: str | ModelFailure) -> tuple[AuditingVerifier, ScriptedAsker]:
    asker = ScriptedAsker(answer)
    return AuditingVerifier(RuleVerifier(), asker, PROMPT, CLINICS), asker


def audited(
    answer: str | ModelFailure, *results: StepResult, session: Session = SESSION
) -> tuple[Verdict, ScriptedAsker]:
    auditor, asker = verifier(answer)
    return auditor.check_data(Answers.of("quero um cardiologista", results), session), asker


def draft_verdict(answer: str | ModelFailure, text: str = GOOD) -> tuple[Verdict, ScriptedAsker]:
    auditor, asker = verifier(answer)
    draft: Draft = TURN.drafted(text)
    plan: Plan = TURN.plan
    return auditor.check_draft(draft, TURN.answers, TURN.session, plan, CLINICS), asker


@pytest.mark.parametrize(
    "answer", [CLEAR, f"```json\n{CLEAR}\n```", f"  {CLEAR}\n", '{"note": "No R1 or R2 found", "safe": true}']
)
def test_a_clear_audit_clears_what_the_rules_cleared(answer: str) -> None:
    assert audited(answer, *LISTED)[0] == SAFE
    assert draft_verdict(answer)[0] == SAFE


@pytest.mark.parametrize(
    ("note", "rule"),
    [
        ("R1: a dosage", Rule.R1),
        ("Breaks rule R2.", Rule.R2),
        ("R3", Rule.R3),
        ("R4 claim", Rule.R4),
        ("R9: something", Rule.AUDIT),
        ("I do not like it", Rule.AUDIT),
        ("", Rule.AUDIT),
    ],
)
def test_an_unsafe_audit_blocks_by_the_rule_it_names_and_in_our_words(note: str, rule: Rule) -> None:
    answer = json.dumps({"safe": False, "note": note})
    expected = Verdict(rule, f"{rule}: found by the model's audit")
    assert audited(answer, *LISTED)[0] == expected
    assert draft_verdict(answer)[0] == expected


@pytest.mark.parametrize(
    "answer",
    [
        "safe",
        "true",
        "[]",
        "{}",
        '{"safe": true}',
        '{"safe": "true", "note": "OK"}',
        '{"safe": 1, "note": "OK"}',
        '{"safe": null, "note": "OK"}',
        '{"safe": true, "note": null}',
        '{"safe": false, "safe": true, "note": "OK"}',
        '{"safe": true, "note": "OK", "violations": ["R2"]}',
        '{"safe": true, "note": "OK"',
        f"The audit: {CLEAR}",
        f"{CLEAR} {CLEAR}",
        f"```json\n{CLEAR}\n```\nbut R2 is broken",
        "[" * 100_000,
        "",
    ],
)
def test_an_audit_that_is_not_what_was_asked_for_clears_nothing(answer: str) -> None:
    assert audited(answer, *LISTED)[0] == UNREADABLE
    assert draft_verdict(answer)[0] == UNREADABLE


@pytest.mark.parametrize("failure", [ModelFailure.REFUSED, ModelFailure.CUT])
def test_a_refused_or_cut_audit_clears_nothing(failure: ModelFailure) -> None:
    assert audited(failure, *LISTED)[0] == UNREADABLE
    assert draft_verdict(failure)[0] == UNREADABLE


@pytest.mark.parametrize("failure", SILENT)
def test_without_a_model_the_rules_stand_for_data_and_the_template_answers(failure: ModelFailure) -> None:
    assert audited(failure, *LISTED)[0] == SAFE
    assert draft_verdict(failure)[0].rule is Rule.AUDIT


def test_what_the_rules_block_is_shown_to_no_model_and_cleared_by_none() -> None:
    verdict, asker = audited(CLEAR, record())
    assert verdict.rule is Rule.R2
    assert asker.requests == []
    verdict, asker = draft_verdict(CLEAR, f"{GOOD}\n\nSua consulta foi marcada.")
    assert verdict.rule is Rule.R4
    assert asker.requests == []


def test_a_turn_without_clinics_needs_no_audit() -> None:
    verdict, asker = audited("unreadable")
    assert verdict == SAFE
    assert asker.requests == []


def test_a_template_needs_no_audit() -> None:
    auditor, asker = verifier("unreadable")
    assert auditor.check_reply("Olá!", Answers.of("oi"), SESSION, TURN.plan) == SAFE
    assert asker.requests == []


def test_the_audit_is_asked_for_the_same_way_each_time() -> None:
    _, asker = audited(CLEAR, *LISTED)
    (request,) = asker.requests
    assert (request.purpose, request.temperature, request.schema) == (Purpose.AUDIT, 0.0, SCHEMA)
    assert [message.role for message in request.messages] == ["system", "user"]
    assert "Dr. Fernando Mendes" in request.messages[0].text


def test_who_speaks_and_what_is_personal_reach_no_audit() -> None:
    receipt = booked("clinic_c", ON_18_AT_10)
    _, asker = audited(CLEAR, receipt, record(), session=OPERATOR)
    _, own = audited(CLEAR, receipt)
    auditor, drafted = verifier(CLEAR)
    turn = replace(Turn.of(receipt), utterance=f"sou {NAME}, CPF {CPF}, 11 98765-4321")
    draft = turn.drafted("Pronto, {patient}! Sua consulta está marcada:\n\n{receipt:1}")
    auditor.check_draft(draft, turn.answers, turn.session, turn.plan, CLINICS)
    sent = texts((*asker.requests, *own.requests, *drafted.requests))
    assert len(drafted.requests) == 1
    for secret in (NAME, "Carlos", CPF, "12345678900", "*89-", "Beatriz", "987.654", "98765", "Acácias", "Losartana"):
        assert secret not in sent
