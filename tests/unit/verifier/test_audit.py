"""A model's audit can only block more than the rules do, and what it cannot be read from it does not clear."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from orchestrator.journal.events import ModelFailure, Purpose
from orchestrator.llm.language_model import ModelError, ModelRequest
from orchestrator.llm.model_text import read_prompt
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.reply import SAFE, Rule, Verdict
from orchestrator.turn.routing import StepResult
from orchestrator.turn.session import Session
from orchestrator.verifier.audit import AUDIT_PLACEHOLDERS, SCHEMA, AuditingVerifier
from tests.support.clinic_turns import (
    CLINICS,
    CPF,
    NAME,
    ON_18_AT_10,
    OPERATOR,
    SESSION,
    booked,
    openings,
    patients,
    record,
)
from tests.unit.orchestrator.fakes import NOT_UNDERSTOOD


@dataclass
class ScriptedAsker:
    """Gives one answer, or fails in one way, and keeps what it was asked."""

    answer: str | ModelFailure
    requests: list[ModelRequest] = field(default_factory=list)

    def ask(self, request: ModelRequest) -> str:
        self.requests.append(request)
        if isinstance(self.answer, ModelFailure):
            raise ModelError(self.answer, "told to fail by a test")
        return self.answer


PROMPT = read_prompt("verifier", AUDIT_PLACEHOLDERS)
LISTED = (openings("clinic_c", ON_18_AT_10),)
PATIENTS = (patients("clinic_a"),)
GOOD = "A capital da França é Paris."
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


def verifier(answer: str | ModelFailure, *, always: bool = False) -> tuple[AuditingVerifier, ScriptedAsker]:
    asker = ScriptedAsker(answer)
    return AuditingVerifier(asker, PROMPT, CLINICS, always=always), asker


def audited(
    answer: str | ModelFailure, *results: StepResult, session: Session = OPERATOR, always: bool = False
) -> tuple[Verdict, ScriptedAsker]:
    auditor, asker = verifier(answer, always=always)
    return auditor.check_data(Answers.of("quero um cardiologista", results), session), asker


def text_verdict(answer: str | ModelFailure, text: str = GOOD) -> tuple[Verdict, ScriptedAsker]:
    auditor, asker = verifier(answer)
    return auditor.check_text(text, Answers.of("qual a capital da França?"), SESSION), asker


@pytest.mark.parametrize(
    "answer", [CLEAR, f"```json\n{CLEAR}\n```", f"  {CLEAR}\n", '{"note": "No R1 or R2 found", "safe": true}']
)
def test_a_clear_audit_clears_what_the_rules_cleared(answer: str) -> None:
    assert audited(answer, *PATIENTS)[0] == SAFE
    assert text_verdict(answer)[0] == SAFE


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
    assert audited(answer, *PATIENTS)[0] == expected
    assert audited(answer, *PATIENTS)[0].audit in answer
    assert text_verdict(answer)[0] == expected


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
    assert audited(answer, *PATIENTS)[0] == UNREADABLE
    assert text_verdict(answer)[0] == UNREADABLE


@pytest.mark.parametrize("failure", [ModelFailure.REFUSED, ModelFailure.CUT])
def test_a_refused_or_cut_audit_clears_nothing(failure: ModelFailure) -> None:
    assert audited(failure, *PATIENTS)[0] == UNREADABLE
    assert text_verdict(failure)[0] == UNREADABLE


@pytest.mark.parametrize("failure", SILENT)
def test_without_a_model_the_rules_stand_for_data_and_no_text_of_a_model_is_shown(failure: ModelFailure) -> None:
    assert audited(failure, *PATIENTS)[0] == SAFE
    assert text_verdict(failure)[0].rule is Rule.AUDIT


def test_what_the_rules_block_is_shown_to_no_model_and_cleared_by_none() -> None:
    verdict, asker = audited(CLEAR, record(), session=SESSION)
    assert verdict.rule is Rule.R2
    assert asker.requests == []


def test_openings_are_public_and_audited_only_where_everything_is_and_then_nothing_is_blanked() -> None:
    unsafe = json.dumps({"safe": False, "note": "R2: somebody"})
    assert audited(unsafe, *LISTED)[1].requests == []
    verdict, asker = audited(unsafe, *LISTED, always=True)
    assert len(asker.requests) == 1
    assert (verdict.safe, verdict.note) == (True, "R2: found by the model's audit")


def test_a_turn_without_clinics_needs_no_audit() -> None:
    verdict, asker = audited("unreadable")
    assert verdict == SAFE
    assert asker.requests == []


def test_a_template_needs_no_audit() -> None:
    auditor, asker = verifier("unreadable")
    assert auditor.check_reply("Olá!", Answers.of("oi"), SESSION, NOT_UNDERSTOOD) == SAFE
    assert asker.requests == []


def test_the_audit_is_asked_for_the_same_way_each_time() -> None:
    _, asker = audited(CLEAR, *PATIENTS)
    (request,) = asker.requests
    assert (request.purpose, request.temperature, request.schema) == (Purpose.AUDIT, 0.0, SCHEMA)
    assert "Dr. Fernando Mendes" in request.system


def test_who_speaks_and_what_is_personal_reach_no_audit() -> None:
    receipt = booked("clinic_c", ON_18_AT_10)
    _, asker = audited(CLEAR, record())
    _, own = audited(CLEAR, receipt, session=SESSION, always=True)
    auditor, of_text = verifier(CLEAR)
    auditor.check_text(f"{NAME} mora aqui", Answers.of(f"sou {NAME}, CPF {CPF}, 11 98765-4321", [receipt]), SESSION)
    requests = (*asker.requests, *own.requests, *of_text.requests)
    assert len(requests) == 3
    sent = "\n".join(text for request in requests for text in (request.system, request.user))
    for secret in (NAME, "Carlos", CPF, "12345678900", "*89-", "Beatriz", "987.654", "98765", "Acácias", "Losartana"):
        assert secret not in sent
