"""Requests that no agent is for: each policy's answer, what the verifier keeps back, and the limit on asking."""

from __future__ import annotations

import json
import stat
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mesh.limits import TokenBucket
from orchestrator.agents.registry import FALLBACK, FallbackRules, Registry
from orchestrator.agents.registry_file import read_registry
from orchestrator.fallback.policy import ANSWER_PLACEHOLDERS, Fallback, ModelAnswerer, Unserved, redacted
from orchestrator.journal.events import (
    Event,
    EventChannel,
    FellBack,
    ModelAnswered,
    ModelFailure,
    ModelThrottled,
    Purpose,
    Verified,
)
from orchestrator.llm.language_model import (
    Asker,
    CircuitBreaker,
    Completion,
    ModelError,
    ModelRequest,
    Throttle,
    TurnAsker,
    throttle_of_people,
)
from orchestrator.llm.model_text import read_prompt
from orchestrator.responder.templates import TemplateResponder
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.plan import Classification, Plan, PlanKind, Topic
from orchestrator.turn.reply import FallbackUse, Reply, TurnOutcome
from orchestrator.turn.routing import FallbackPolicy, TurnScope
from orchestrator.turn.session import Session
from orchestrator.verifier.audit import AUDIT_PLACEHOLDERS, AuditingVerifier
from tests.support.sentences import rows, sentences
from tests.unit.orchestrator.scene import CARLOS
from tests.unit.planner.desk import CLINICS

PROMPT = read_prompt("fallback_answer", ANSWER_PLACEHOLDERS)
PIZZA = Plan(
    PlanKind.OUT_OF_SCOPE, Language.PT, topic=Topic.OFF_TOPIC, classification=Classification("off_topic", (), (), 1.0)
)
FIXED = "Isso eu não sei responder: cuido só de consultas em Cardiologia, Dermatologia e Ortopedia."
PREAMBLE = "Não há atendimento especializado para esse pedido e nenhuma clínica foi consultada."
HONEST = "não tenho uma resposta segura para dar"
NOTED = "Anotei a sugestão para a equipe, sem os seus dados."


@dataclass
class Said:
    """A model that says one thing, or fails."""

    text: str | ModelError
    requests: list[ModelRequest] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "said"

    def ask(self, request: ModelRequest) -> str:
        self.requests.append(request)
        if isinstance(self.text, ModelError):
            raise self.text
        return self.text

    def complete(self, request: ModelRequest, cancel: threading.Event) -> Completion:
        return Completion(self.ask(request))


def auditor() -> AuditingVerifier:
    """Return the rules with a model behind them that finds no fault."""
    prompt = read_prompt("verifier", AUDIT_PLACEHOLDERS)
    return AuditingVerifier(Said('{"safe": true, "note": "OK"}'), prompt, CLINICS, always=False)


@dataclass
class Counter:
    """A conversation's fallback, with what it told and published."""

    policy: FallbackPolicy
    asker: Asker | None = None
    folder: Path | None = None
    rules: FallbackRules = FALLBACK
    events: list[Event] = field(default_factory=list)

    def reply(self, utterance: str, plan: Plan = PIZZA, clinics: Sequence[Clinic] = CLINICS) -> Reply:
        registry = Registry(dict(read_registry(8001)), fallback=replace(self.rules, policy=self.policy))
        channel = EventChannel([self.events.append])
        answerer = None if self.asker is None else ModelAnswerer(self.asker, PROMPT, auditor())
        unserved = Unserved(
            plan, utterance, Session(CARLOS, language=plan.language), clinics, TemplateResponder(), answerer
        )
        return Fallback(registry, channel, self.folder, lambda: datetime(2026, 1, 2, tzinfo=UTC)).reply(unserved)

    @property
    def policies(self) -> list[FallbackPolicy]:
        return [event.policy for event in self.events if isinstance(event, FellBack)]


def test_unsupported_says_what_is_supported() -> None:
    counter = Counter(FallbackPolicy.UNSUPPORTED, Said("Paris."))
    reply = counter.reply("qual a capital da França?")
    assert reply.plain.startswith(FIXED)
    assert reply.outcome is TurnOutcome.REFUSED
    assert counter.policies == [FallbackPolicy.UNSUPPORTED]
    assert reply.fallback == FallbackUse(FallbackPolicy.UNSUPPORTED, Topic.OFF_TOPIC)


@pytest.mark.parametrize(
    ("language", "preamble"),
    [
        (Language.PT, PREAMBLE),
        (Language.EN, "There is no specialised service for this request, and no clinic was asked."),
    ],
)
def test_a_direct_answer_stands_behind_the_fixed_preamble(language: Language, preamble: str) -> None:
    model = Said("A capital da França é Paris.")
    counter = Counter(FallbackPolicy.ANSWER, model, rules=FallbackRules(max_tokens=77))
    reply = counter.reply("qual a capital da França?", replace(PIZZA, language=language))
    assert reply.plain.startswith(preamble)
    assert reply.plain.endswith("\n\nA capital da França é Paris.")
    assert reply.outcome is TurnOutcome.OK
    (request,) = model.requests
    assert (request.purpose, request.max_tokens, request.schema) == (Purpose.ANSWER, 77, None)
    assert counter.policies == [FallbackPolicy.ANSWER]
    assert [event.subject for event in counter.events if isinstance(event, Verified)] == ["draft"]


def test_without_a_model_a_direct_answer_is_an_honest_text() -> None:
    counter = Counter(FallbackPolicy.ANSWER)
    assert HONEST in counter.reply("qual a capital da França?").plain
    assert counter.policies == [FallbackPolicy.ANSWER]


@pytest.mark.parametrize(
    "text", sentences("fallback.txt", "a direct answer that advises claims or tells of somebody is not shown")
)
def test_a_direct_answer_that_advises_claims_or_tells_of_somebody_is_not_shown(text: str) -> None:
    counter = Counter(FallbackPolicy.ANSWER, Said(text))
    reply = counter.reply("qual a capital da França?")
    assert HONEST in reply.plain
    assert text not in reply.plain


@pytest.mark.parametrize("text", sentences("fallback.txt", "what is commonly known may be said"))
def test_what_is_commonly_known_may_be_said(text: str) -> None:
    assert Counter(FallbackPolicy.ANSWER, Said(text)).reply("qual a capital da França?").plain.endswith(text)


def test_a_message_that_touches_on_health_is_answered_by_no_model() -> None:
    model = Said("Descanse.")
    reply = Counter(FallbackPolicy.ANSWER, model).reply("estou com dor no joelho, que música eu ouço?")
    assert HONEST in reply.plain
    assert model.requests == []


@pytest.mark.parametrize(
    "said",
    [ModelError(ModelFailure.CUT, "too long"), "", "x" * 2000, "Olá, [PATIENT]!"],
    ids=["cut", "empty", "long", "token"],
)
def test_a_model_that_gives_no_answer_leaves_what_is_not_supported(said: str | ModelError) -> None:
    counter = Counter(FallbackPolicy.ANSWER, Said(said))
    assert counter.reply("qual a capital da França?").plain.startswith(FIXED)
    assert counter.policies == [FallbackPolicy.UNSUPPORTED]


def test_the_model_is_told_what_was_written_without_what_identifies_anybody() -> None:
    model = Said("Não sei.")
    Counter(FallbackPolicy.ANSWER, model).reply("sou Carlos Teste, 123.456.789-00, (11) 98765-4321: que horas são?")
    told = model.requests[0].system + model.requests[0].user
    assert "[PATIENT]" in told
    assert not any(secret in told for secret in ("Carlos", "123.456", "98765-4321"))


def line_of(throttle: Throttle, events: list[Event], speaker: Identity = CARLOS) -> TurnAsker:
    channel = EventChannel([events.append])
    return TurnAsker(Said("Paris."), CircuitBreaker(), channel, TurnScope(speaker), throttle)


def test_who_asks_too_often_reads_what_is_not_supported_and_the_log_hears_when_to_come_back() -> None:
    throttle = {Purpose.ANSWER: TokenBucket(1, 0.1, lambda: 0.0)}
    counter = Counter(FallbackPolicy.ANSWER)
    counter.asker = line_of(throttle, counter.events)
    assert "Paris." in counter.reply("qual a capital da França?").plain
    assert counter.reply("qual a capital da França?").plain.startswith(FIXED)
    assert counter.policies == [FallbackPolicy.ANSWER, FallbackPolicy.UNSUPPORTED]
    assert [event for event in counter.events if isinstance(event, ModelThrottled)] == [
        ModelThrottled(Purpose.ANSWER, 10.0)
    ]
    failures = [event.failure for event in counter.events if isinstance(event, ModelAnswered)]
    assert failures == [None, ModelFailure.THROTTLED]
    counter.asker = line_of(throttle, counter.events, Identity.of("Maria Souza", "529.982.247-25"))
    assert "Paris." in counter.reply("qual a capital da França?").plain, "another person has a limit of their own"


def test_people_may_have_plans_and_replies_made_from_one_bucket_and_audits_without_any() -> None:
    throttle = throttle_of_people()
    waits = [throttle[purpose].take("a") for _ in range(30) for purpose in (Purpose.PLAN, Purpose.WRITE)]
    assert waits == [None] * 60
    assert throttle[Purpose.PLAN].take("a") is not None
    assert [throttle[Purpose.ANSWER].take("a") for _ in range(5)] == [None] * 5
    assert throttle[Purpose.ANSWER].take("a") is not None
    assert Purpose.AUDIT not in throttle


def test_what_stands_for_a_speaker_tells_nothing_of_them_and_differs_between_people() -> None:
    other = Identity.of("Carlos Teste", "529.982.247-25")
    digests = {CARLOS.digest(b"k"), CARLOS.digest(b"l"), other.digest(b"k")}
    assert len(digests) == 3
    assert not any("123456789" in digest or "Carlos" in digest for digest in digests)


def records(folder: Path) -> list[dict[str, object]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("proposals/*.json"))]


def test_a_proposal_is_a_record_with_examples_requirements_and_risks(tmp_path: Path) -> None:
    counter = Counter(FallbackPolicy.PROPOSE, folder=tmp_path)
    reply = counter.reply("quero pedir uma pizza")
    assert NOTED in reply.plain
    counter.reply("quero pedir um táxi")
    counter.reply("quero pedir um táxi")
    (record,) = records(tmp_path)
    assert record["schema"] == "clinic-mesh.agent-proposal/1"
    assert (record["intent"], record["topic"], record["count"]) == ("off_topic", "off_topic", 3)
    assert record["examples"] == ["quero pedir uma pizza", "quero pedir um táxi"]
    assert record["requirements"]
    assert record["risks"]
    assert counter.policies == [FallbackPolicy.PROPOSE] * 3


def test_a_proposal_is_for_this_user_only_and_nothing_else_is_left_in_its_folder(tmp_path: Path) -> None:
    Counter(FallbackPolicy.PROPOSE, folder=tmp_path).reply("quero uma pizza")
    (path,) = (tmp_path / "proposals").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_there_are_never_more_records_or_examples_than_allowed(tmp_path: Path) -> None:
    counter = Counter(FallbackPolicy.PROPOSE, folder=tmp_path, rules=FallbackRules(max_records=1))
    for number in range(30):
        counter.reply("quero uma pizza" + " por favor" * number)
    (record,) = records(tmp_path)
    assert isinstance(record["examples"], list)
    assert (len(record["examples"]), record["count"]) == (20, 30)
    other = replace(PIZZA, topic=Topic.OTHER_SPECIALTY)
    assert counter.reply("quero um pediatra", other).plain.startswith("Não temos essa especialidade.")
    assert len(records(tmp_path)) == 1
    assert counter.policies[-1] is FallbackPolicy.UNSUPPORTED


def test_where_nothing_may_be_written_nothing_is_promised(tmp_path: Path) -> None:
    (tmp_path / "proposals").write_text("a file where the folder should be")
    for folder in (None, tmp_path):
        counter = Counter(FallbackPolicy.PROPOSE, folder=folder)
        assert counter.reply("quero uma pizza").plain.startswith(FIXED)
        assert counter.policies == [FallbackPolicy.UNSUPPORTED]


def test_a_record_that_somebody_broke_is_written_anew(tmp_path: Path) -> None:
    counter = Counter(FallbackPolicy.PROPOSE, folder=tmp_path)
    counter.reply("quero uma pizza")
    (path,) = (tmp_path / "proposals").iterdir()
    for broken in ("{", "[]", '{"examples": 7, "count": "x"}'):
        path.write_text(broken)
        assert NOTED in counter.reply("quero uma pizza").plain
        assert records(tmp_path)[0]["count"] == 1


@pytest.mark.parametrize(("said", "kept"), rows("fallback.txt", "an example keeps the request and nobody"))
def test_an_example_keeps_the_request_and_nobody(said: str, kept: str) -> None:
    assert redacted(said, CARLOS) == kept
