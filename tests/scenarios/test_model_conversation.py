"""Conversations with a language model over HTTP, scripted: what is its to say, and what stays code's."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from orchestrator.journal.events import ModelAnswered, ModelFailure, ModelSuspended, Verified
from orchestrator.llm.language_model import PlannerVariant, ReplyRequests
from orchestrator.turn.identity import Role
from orchestrator.turn.reply import Rule, TurnOutcome
from tests.scenarios.expectations import FERNANDO_18, holds, listed_both_cardiology_clinics
from tests.support.chat_server import Answer, Body, Drip, Fault, Reply, Script, Silence
from tests.support.clinics import Clinics
from tests.support.model_talk import open_model_talk
from tests.support.played_model import PlayedModel, data_of, purpose_of
from tests.support.talk import Talk

LISTING = "quero marcar uma consulta com cardiologista"
PICKING = "pode ser com o Dr. Fernando dia 18 as 10h"
GOOD = PlayedModel(
    {
        LISTING: [("clinic_a", "list_available_slots", {}), ("clinic_c", "list_available_slots", {})],
        PICKING: [
            ("clinic_c", "book_appointment", {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"})
        ],
    }
)
PATIENTS = Path(__file__).parents[2] / "clinics"
TEMPLATES_WORDS = "Encontrei 12 horários"


def only(purpose: str, reply: Reply) -> Script:
    """Return a script that says this to one kind of request and is a good model else."""
    return lambda body: reply if purpose_of(body) == purpose else GOOD(body)


def failures(talk: Talk) -> list[ModelFailure | None]:
    return [event.failure for event in talk.events if isinstance(event, ModelAnswered)]


def verdicts(talk: Talk) -> list[tuple[str, Rule | None]]:
    return [(event.subject, event.verdict.rule) for event in talk.events if isinstance(event, Verified)]


SCOPE = {"where": [{"field": "specialty", "op": "in", "values": ["Cardiology"]}], "except": [], "among": "read"}
AFTERNOON = {**SCOPE, "where": [*SCOPE["where"], {"field": "time", "op": "from", "values": ["12:00"]}]}
ASKING = "qual o cardiologista com mais horários à tarde?"
SIDES = [{"field": "doctor", "op": "in", "values": [name]} for name in ("Dr. Fernando Mendes", "Dr. Ricardo Lopes")]
COMPARING = {"do": "compare", "scope": {**AFTERNOON, "said": "à tarde"}, "sides": SIDES, "by": "count"}


def chosen(*steps: object, more: bool = False) -> str:
    return json.dumps({"steps": steps, "more": more})


def test_a_turn_takes_one_call_and_code_works_out_and_words_what_the_model_asked(running: Clinics) -> None:
    answer = chosen({"do": "read", "filters": [SCOPE]}, COMPARING)
    with open_model_talk(running.registry, only("plan", answer)) as (talk, server):
        reply = talk.say(ASKING)
    assert reply.outcome is TurnOutcome.OK
    assert "2" in reply.plain
    assert all(name in reply.plain for name in ("Dr. Fernando Mendes", "Dr. Ricardo Lopes", "à tarde"))
    assert [purpose_of(request.body) for request in server.requests] == ["plan"]
    assert [request.body["temperature"] for request in server.requests] == [0.0]
    assert verdicts(talk) == [("data", None), ("reply", None)]


def test_the_blueprints_protocol_plans_audits_chooses_the_reply_and_audits_nothing_of_a_models_words(
    running: Clinics,
) -> None:
    courtesy = chosen({"do": "say", "what": "greet"}, {"do": "best", "scope": SCOPE, "order": "latest", "at": None})
    with open_model_talk(running.registry, only("write", courtesy), reply=ReplyRequests.ALWAYS) as (talk, server):
        reply = talk.say(LISTING)
    assert reply.plain.startswith("Olá!")
    assert "28/07" in reply.plain.split("\n\n")[1]
    assert "sexta-feira, 18/07/2025 | 10:00 | Dr. Fernando Mendes" in reply.plain
    assert [purpose_of(request.body) for request in server.requests] == ["plan", "audit", "write"]
    assert [request.body["temperature"] for request in server.requests] == [0.0, 0.0, 0.3]


def test_a_model_that_waits_for_the_answers_is_asked_again_and_what_it_then_chooses_is_proposed(
    clinics: Clinics,
) -> None:
    target = {"opening": None, "first_of": [SCOPE], "order": "latest", "at": None}
    proposing = chosen({"do": "propose", "cancel": [], "book": [target], "move": []})

    def script(body: Body) -> Reply:
        first = chosen({"do": "read", "filters": [SCOPE]}, more=True)
        return first if purpose_of(body) == "plan" else proposing

    with open_model_talk(clinics.registry, script) as (talk, server):
        reply = talk.say("vê se tem cardiologista e marca o último que tiver")
        assert reply.outcome is TurnOutcome.CONFIRM
        assert "28/07/2025" in reply.plain
        assert holds(clinics)
        assert talk.say("sim").outcome is TurnOutcome.OK
        assert talk.session.proposal is None
    assert holds(clinics, ("clinic_c", "Dr. Fernando Mendes", "2025-07-28", "10:00"))
    assert [purpose_of(request.body) for request in server.requests] == ["plan", "write"]


def test_an_opening_by_conditions_is_looked_up_and_proposed_in_the_order_of_what_was_wanted(clinics: Clinics) -> None:
    def of(doctor: str, *more: object) -> dict[str, object]:
        return {"where": [{"field": "doctor", "op": "in", "values": [doctor]}, *more]}

    saturday = {"field": "weekday", "op": "in", "values": ["sun"]}
    target = {"first_of": [of("Fernando", saturday), of("Ricardo")], "order": "soonest"}
    with open_model_talk(clinics.registry, only("plan", chosen({"do": "propose", "book": [target]}))) as (talk, _):
        reply = talk.say("se o Dr. Fernando puder no domingo marca, senão o primeiro do Dr. Ricardo")
    assert reply.outcome is TurnOutcome.CONFIRM
    assert "Dr. Ricardo Lopes" in reply.plain
    assert "21/07/2025" in reply.plain


def test_an_opening_keeps_the_id_under_which_it_was_first_shown_whatever_lists_come_after(clinics: Clinics) -> None:
    def of(specialty: str, *more: object) -> str:
        scope = {"where": [{"field": "specialty", "op": "in", "values": [specialty]}, *more], "said": None}
        return chosen({"do": "read", "filters": [scope]}, {"do": "show", "scope": scope})

    fridays = {"field": "weekday", "op": "in", "values": ["fri"]}
    answers = {
        "cardiologistas?": of("Cardiology"),
        "e dermatologistas?": of("Dermatology"),
        "cardiologista na sexta?": of("Cardiology", fridays),
        "marca o dermato das 9": chosen({"do": "propose", "book": [{"opening": "s14"}]}),
    }
    told: list[dict[str, str]] = []

    def script(body: Body) -> Reply:
        told.append(
            {
                name: f"{line} {doctor}"
                for doctor, lines in data_of(body)["openings"].items()
                for name, line in lines.items()
            }
        )
        return answers[data_of(body)["utterance"]]

    with open_model_talk(clinics.registry, script) as (talk, _):
        for utterance in answers:
            reply = talk.say(utterance)
            assert {offer.number for offer in talk.session.printed} == set(range(1, len(talk.session.printed) + 1))
    assert "quinta-feira, 17/07/2025" in reply.plain
    assert reply.outcome is TurnOutcome.CONFIRM
    (first, *_), last = told[1:], told[-1]
    assert first["s1"] == "row 1: Fri 2025-07-18 10:00 Dr. Fernando Mendes"
    assert last["s1"] == first["s1"], "it stands in the last table, too"
    assert last["s2"] == first["s2"].removeprefix("row 2: ")
    assert last["s14"] == "Thu 2025-07-17 09:00 Dra. Marina Teles"
    rows = {name: line for name, line in last.items() if line.startswith("row ")}
    assert all(" Fri " in line for line in rows.values())
    assert rows.keys() < first.keys()


def test_a_clinic_that_the_model_forgot_is_asked_all_the_same_and_the_completion_is_told(running: Clinics) -> None:
    forgetful = PlayedModel({LISTING: [("clinic_a", "list_available_slots", {})]})
    with open_model_talk(running.registry, forgetful) as (talk, _):
        talk.say(LISTING)
        listed_both_cardiology_clinics(talk, LISTING)
    assert talk.plan.proposed is not None
    assert [step.clinic for step in talk.plan.proposed.steps] == ["clinic_a"]
    assert "Rule 10 added clinic_c." in talk.plan.proposed.notes


def test_the_reasoning_of_a_chain_of_thought_is_kept_for_why_without_what_a_reply_could_not_say(
    running: Clinics,
) -> None:
    reasons = ["Cardiologia é da clinic_a e da clinic_c.", "Sua consulta foi marcada.", "O Dr. Zé atende às 7:45."]
    thinking = PlayedModel({LISTING: [("clinic_a", "list_available_slots", {})]}, reasons)
    with open_model_talk(running.registry, thinking, planner=PlannerVariant.COT) as (talk, _):
        talk.say(LISTING)
    assert talk.plan.reasoning == ("Cardiologia é da clinic_a e da clinic_c.",)


@pytest.mark.parametrize(
    "answer",
    [
        "não sei planejar",
        '{"kind": "steps", "steps": [{"step_id": 1, "clinic": "clinic_a"',
        '```json\n{"steps": "all of them"}\n```',
        '[{"step_id": 1, "clinic": "clinic_z", "action": "list_available_slots", "parameters": {}}]',
        '{"steps": [{"step_id": 1, "clinic": "clinic_a", "action": "diagnose", "parameters": {}}]}',
    ],
)
def test_where_a_plan_cannot_be_used_the_offline_plan_stands(running: Clinics, answer: str) -> None:
    with open_model_talk(running.registry, only("plan", answer)) as (talk, _):
        talk.say(LISTING)
        listed_both_cardiology_clinics(talk, LISTING)
    assert talk.plan.proposed is not None
    assert not talk.plan.proposed.used


@pytest.mark.parametrize(
    ("fault", "failure"),
    [
        (Fault(429, headers={"Retry-After": "90"}), ModelFailure.RATE_LIMITED),
        (Fault(500), ModelFailure.SERVER_ERROR),
        (Fault(401), ModelFailure.REJECTED),
        (Answer("{", breaks_off=True), ModelFailure.UNREACHABLE),
    ],
)
def test_a_model_that_fails_is_left_alone_and_the_offline_engine_answers(
    running: Clinics, fault: Reply, failure: ModelFailure
) -> None:
    with open_model_talk(running.registry, lambda _: fault) as (talk, server):
        first, second = talk.say(LISTING), talk.say(LISTING)
    assert TEMPLATES_WORDS in first.plain
    assert TEMPLATES_WORDS in second.plain
    assert len(server.requests) == 1
    (pause,) = [event for event in talk.events if isinstance(event, ModelSuspended)]
    assert pause.failure is failure
    assert pause.seconds == (90.0 if failure is ModelFailure.RATE_LIMITED else 30.0)


def test_a_model_that_never_answers_costs_its_time_limit_once(running: Clinics) -> None:
    with open_model_talk(running.registry, lambda _: Silence(), timeout_s=0.2) as (talk, server):
        reply = talk.say(LISTING)
        assert server.hung_up.wait(30)
        talk.say(LISTING)
    assert TEMPLATES_WORDS in reply.plain
    assert failures(talk)[0] is ModelFailure.TIMED_OUT
    assert set(failures(talk)[1:]) == {ModelFailure.SUSPENDED}


@pytest.mark.parametrize("slow", [Silence(), Drip()])
def test_ctrl_c_stops_a_turn_that_waits_for_a_model_and_the_session_goes_on(running: Clinics, slow: Reply) -> None:
    answers: list[Reply] = [slow]
    cancel = threading.Event()
    with open_model_talk(running.registry, lambda body: answers.pop() if answers else GOOD(body)) as (talk, server):

        def stop() -> None:
            server.await_requests(1)
            cancel.set()

        stopper = threading.Thread(target=stop)
        stopper.start()
        stopped = talk.say(LISTING, cancel)
        stopper.join()
        assert server.hung_up.wait(30)
        assert stopped.outcome is TurnOutcome.CANCELLED
        assert talk.say(LISTING).outcome is TurnOutcome.OK
    assert failures(talk)[0] is ModelFailure.CANCELLED


RECORD = "abre a ficha do paciente CARD-001"


def test_an_audit_that_finds_fault_blocks_a_record_and_its_note_is_not_shown(clinics: Clinics) -> None:
    audit = json.dumps({"safe": False, "note": "R1: dosage of Amiodarona 200 mg for CPF 987.654.321-00"})
    with open_model_talk(clinics.registry, only("audit", audit), role=Role.OPERATOR) as (talk, _):
        reply = talk.say(RECORD)
    assert reply.outcome is TurnOutcome.REFUSED
    assert not any(word in reply.plain for word in ("Amiodarona", "200", "987", "CARD-001"))
    assert verdicts(talk)[0] == ("data", Rule.R1)


@pytest.mark.long(but=3)
@pytest.mark.parametrize(
    "audit",
    [
        "looks fine to me",
        '{"safe": "true", "note": "OK"}',
        '{"safe": 1, "note": "OK"}',
        '{"safe": true}',
        '{"safe": true, "note": "OK"} and more',
        "[]",
        Answer(refusal="I cannot help with that."),
        Answer('{"safe": true, "note": "OK"}', finish_reason="length"),
        Answer('{"safe": true, "note": "OK"}', finish_reason="content_filter"),
    ],
)
def test_an_audit_that_cannot_be_read_blocks_a_record_and_never_blanks_openings(clinics: Clinics, audit: Reply) -> None:
    with open_model_talk(clinics.registry, only("audit", audit), role=Role.OPERATOR) as (talk, _):
        reply = talk.say(RECORD)
    assert reply.outcome is TurnOutcome.REFUSED
    assert verdicts(talk)[0] == ("data", Rule.AUDIT)
    with open_model_talk(clinics.registry, only("audit", audit), reply=ReplyRequests.ALWAYS) as (talk, _):
        assert TEMPLATES_WORDS in talk.say(LISTING).plain


def test_an_audit_never_clears_what_the_rules_block(clinics: Clinics) -> None:
    with open_model_talk(clinics.registry, GOOD) as (talk, server):
        reply = talk.say("abra o prontuário CARD-002 da clínica A")
    assert reply.outcome is TurnOutcome.REFUSED
    assert ("data", Rule.R2) in verdicts(talk)
    assert "audit" not in [purpose_of(request.body) for request in server.requests]


@pytest.mark.parametrize(
    "text",
    [
        "Sua consulta está confirmada!",
        "Há também a Dra. Inventada Souza às 7:45.",
        "Para a dor, tome um comprimido de Dipirona 500 mg.",
        "O paciente João da Silva também marcou.",
        "Você tem arritmia.",
    ],
)
def test_no_word_of_a_model_is_shown_wherever_it_writes_it(running: Clinics, text: str) -> None:
    steps = [
        {"do": "say", "what": text},
        {"do": "answer", "topic": text},
        {"do": "treats", "specialty": "Cardiology", "word": text},
        {"do": "best", "scope": {**SCOPE, "said": text}, "order": "soonest", "at": None},
        {"do": "remember", "kind": "preferencia", "words": text, "because": text},
    ]
    with open_model_talk(running.registry, lambda _: chosen(*steps), reply=ReplyRequests.ALWAYS) as (talk, _):
        reply = talk.say(LISTING)
    assert not any(word in reply.plain for word in text.split() if len(word) > 5)
    assert "18/07" in reply.plain


def test_a_write_that_only_the_model_saw_is_proposed_though_consent_was_given(clinics: Clinics) -> None:
    booking = ("clinic_c", "book_appointment", {"doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"})
    keen = PlayedModel({LISTING: [("clinic_a", "list_available_slots", {})], "aquele lá, o do careca": [booking]})
    with open_model_talk(clinics.registry, keen) as (talk, _):
        talk.say(LISTING)
        assert talk.say("aquele lá, o do careca").outcome is TurnOutcome.CONFIRM
        assert holds(clinics)
        assert talk.say("sim").outcome is TurnOutcome.OK
    assert holds(clinics, FERNANDO_18)


def test_a_model_cannot_book_what_no_clinic_listed_and_nobody_named(clinics: Clinics) -> None:
    unseen = ("clinic_a", "book_appointment", {"doctor": "Dr. Ricardo Lopes", "date": "2025-07-21", "time": "09:00"})
    with open_model_talk(clinics.registry, PlayedModel({"oi, tudo bem?": [unseen]})) as (talk, _):
        talk.say("oi, tudo bem?")
        assert talk.session.proposal is None
    assert holds(clinics)


def test_what_the_person_types_about_people_reaches_no_prompt_and_is_the_same_token_in_every_turn(
    running: Clinics,
) -> None:
    typed = "sou o Carlos, CPF 123.456.789-00; o da mãe é 529.982.247-25, fone (19) 95550-0101, ana@exemplo.com.br"
    with open_model_talk(running.registry, GOOD) as (talk, server):
        talk.say(typed)
        talk.say("minha mãe, CPF 529.982.247-25, mora na Rua das Flores, 123")
        talk.say(LISTING)
    secrets = ("Carlos", "123.456", "529.982", "52998224725", "95550", "ana@", "Flores")
    assert not any(secret.encode() in server.received for secret in secrets)
    turns = [data_of(request.body) for request in server.requests if purpose_of(request.body) == "plan"]
    assert "[PATIENT], CPF [CPF-1]; o da mãe é [CPF-2], fone [PHONE-1], [EMAIL-1]" in turns[0]["utterance"]
    assert turns[1]["utterance"] == "minha mãe, CPF [CPF-2], mora na [ADDRESS-1]"
    said: list[dict[str, Any]] = turns[2]["history"]
    assert [exchange["user"] for exchange in said] == [turn["utterance"] for turn in turns[:2]]


def test_a_record_reaches_no_prompt_neither_when_it_is_shown_nor_later(clinics: Clinics) -> None:
    with open_model_talk(clinics.registry, GOOD, role=Role.OPERATOR) as (talk, server):
        shown = talk.say("abre a ficha do paciente CARD-001").plain
        talk.say(LISTING)
    records = json.loads((PATIENTS / "clinic_a" / "patients.json").read_text("utf-8"))["patients"]
    record = next(entry for entry in records if entry["patient_id"] == "CARD-001")
    assert record["name"] in shown
    values = [record[name] for name in ("name", "birth_date", "condition", "address", "phone")]
    assert not any(json.dumps(value)[1:-1].encode() in server.received for value in values)
    assert not any(value.encode() in server.received for value in values)
