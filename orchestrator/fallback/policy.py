"""Answer requests that no agent is for, by the policy that the registry chooses.

A model's answer is verified and has a preamble; it rests on no data and sees the redacted question alone. What nobody
answers is written down for whoever extends the mesh, a file for this user only with a few redacted examples.
"""

import hashlib
import json
import logging
import re
import time
import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ValidationError

from mesh import private_file
from orchestrator import llm, turn
from orchestrator.agents import Registry
from orchestrator.journal import EventChannel, FellBack, Purpose, Verified
from orchestrator.planner.text import fold_phrase, normalise
from orchestrator.planner.wishes import BODY, COMPLAINTS, find_specialties
from orchestrator.privacy import PersonalKind, Redactor, name_words
from orchestrator.responder import TemplateResponder
from orchestrator.texts import patterns_in
from orchestrator.verifier import AuditingVerifier, pattern_of, verdict_of

SCHEMA = "clinic-mesh.agent-proposal/1"

MAX_EXAMPLES = 20
_LONGEST_EXAMPLE = 200

_TEXTS = tomllib.loads(files(__package__).joinpath("agent_proposals.toml").read_text("utf-8"))
_log = logging.getLogger(__name__)

_NUMBER = re.compile(r"\d(?:[.,/ -]?\d){2,}")
_CAPITALISED = r"[A-ZÀ-Ý][^\W\d_]+"
_NAMES = re.compile(rf"\b{_CAPITALISED}(?:\s+(?:d[aeo]s?\s+)?{_CAPITALISED})+")

_HEALTH = pattern_of("health.txt", "health_broad.txt")
_DEEDS = re.compile(patterns_in("deeds.txt", __package__)["deed"])

ANSWER_PLACEHOLDERS = frozenset({"language", "specialties"})  # what the prompt `fallback_answer` leaves open
_TEMPERATURE = 0.2
_MAX_QUESTION = 1_000
_MAX_CHARACTERS = 1_000


def redacted(utterance: str, identity: turn.Identity) -> str:
    """Return an utterance as an example may be kept."""
    # Beyond a log: without words capitalised in a row, any word of the speaker's name, and numbers of three digits.
    text = Redactor(identity, name_words(identity.name)).redact(utterance)
    text = _NAMES.sub(PersonalKind.NAME.placeholder, _NUMBER.sub("[NUMBER]", text))
    return " ".join(text.split())[:_LONGEST_EXAMPLE]


class _Record(BaseModel):
    first_at: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unserved:
    """A request that no agent is for."""

    plan: turn.Plan  # of the kind OUT_OF_SCOPE
    utterance: str = field(repr=False)
    session: turn.Session
    clinics: Sequence[turn.Clinic]
    responder: TemplateResponder
    answerer: "ModelAnswerer | None"  # None where no model answers


@dataclass(frozen=True, slots=True)
class Fallback:
    """Answer what no agent is for; `data_dir` is None where nothing may be written."""

    registry: Registry
    events: EventChannel
    data_dir: Path | None = None
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)  # returns the current real time, aware

    def reply(self, unserved: Unserved) -> turn.Reply:
        """Return the answer; its text still passes the turn's own check."""
        rules = self.registry.fallback
        if rules.policy is turn.FallbackPolicy.ANSWER:
            return self._answered(unserved, rules.max_tokens)
        if rules.policy is turn.FallbackPolicy.PROPOSE and self._is_noted(unserved):
            return self._done(unserved, turn.FallbackPolicy.PROPOSE, turn.Topic.AGENT_PROPOSED)
        return self._done(unserved, turn.FallbackPolicy.UNSUPPORTED)

    def _is_noted(self, unserved: Unserved) -> bool:
        """Write down a request that no agent is for; return False where the folder is full or cannot be written."""
        if self.data_dir is None:
            return False
        plan, rules = unserved.plan, self.registry.fallback
        records = self.data_dir / rules.folder
        topic = plan.topic or turn.Topic.UNSUPPORTED
        classification = plan.classification or turn.Classification(turn.UNKNOWN)
        intent, domains = classification.intent, list(classification.domains)
        kind = hashlib.sha256(json.dumps([topic, intent, domains]).encode()).hexdigest()[:12]
        path = records / f"{topic}-{kind}.json"
        try:
            private_file.make_folder(records)
            if not path.exists() and sum(1 for _ in records.glob("*.json")) >= rules.max_records:
                return False
            now = self.clock().isoformat(timespec="seconds")
            before = _Record(first_at=now, count=0, examples=())
            with suppress(FileNotFoundError, ValidationError):
                before = _Record.model_validate_json(path.read_bytes())
            example = redacted(unserved.utterance, unserved.session.identity)
            is_new = example not in before.examples and len(before.examples) < MAX_EXAMPLES
            record = {
                "schema": SCHEMA,
                "intent": intent,
                "domains": domains,
                "topic": topic,
                "first_at": before.first_at,
                "last_at": now,
                "count": before.count + 1,
                "examples": [*before.examples, example] if is_new else before.examples,
                "requirements": _TEXTS["requirements"],
                "risks": _TEXTS["risks"].get(topic, _TEXTS["risks"][turn.Topic.UNSUPPORTED]),
            }
            private_file.replace(path, (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode())
        except OSError as error:
            _log.warning("%s: no proposal could be written: %s", records, error.strerror)
            return False
        return True

    def _answered(self, unserved: Unserved, max_tokens: int) -> turn.Reply:
        answerer = unserved.answerer
        if answerer is None or touches_health(unserved.utterance, unserved.clinics):
            return self._done(unserved, turn.FallbackPolicy.ANSWER, turn.Topic.NO_DIRECT_ANSWER)
        with self.events.span("respond"):
            text = answerer.answer(unserved, max_tokens)
        if text is None:
            return self._done(unserved, turn.FallbackPolicy.UNSUPPORTED)
        started = time.monotonic()
        with self.events.span("verify"):
            verdict = answerer.check(text, unserved)
            self.events.publish(Verified("draft", verdict, time.monotonic() - started))
        if not verdict.safe:
            return self._done(unserved, turn.FallbackPolicy.ANSWER, turn.Topic.NO_DIRECT_ANSWER)
        reply = self._done(unserved, turn.FallbackPolicy.ANSWER, turn.Topic.DIRECT_ANSWER)
        return replace(reply, outcome=turn.TurnOutcome.OK, blocks=(*reply.blocks, turn.Paragraph(text)))

    def _done(self, unserved: Unserved, policy: turn.FallbackPolicy, topic: turn.Topic | None = None) -> turn.Reply:
        self.events.publish(FellBack(policy))
        plan = unserved.plan if topic is None else replace(unserved.plan, topic=topic, facts={}, choices=())
        with self.events.span("respond"):
            reply = unserved.responder.say(plan, unserved.session, unserved.clinics)
        return replace(reply, fallback=turn.FallbackUse(policy, unserved.plan.topic or turn.Topic.UNSUPPORTED))


def _direct_answer_fault(text: str, clinics: Sequence[turn.Clinic]) -> turn.Verdict:
    # What a direct answer, which rests on no data, must not say.
    folded = fold_phrase(text)
    if touches_health(text, clinics):
        return verdict_of(turn.Rule.R3, "an answer that touches on health")
    if _DEEDS.search(folded):
        return verdict_of(turn.Rule.R4, "a deed or a promise of who can do nothing")
    names = (name for clinic in clinics for name in (clinic.name, *clinic.doctors))
    if any(fold_phrase(name) in folded for name in names):
        return verdict_of(turn.Rule.R4, "a clinic or a doctor that nobody asked")
    return turn.SAFE


def touches_health(text: str, clinics: Sequence[turn.Clinic]) -> bool:
    """Return whether a text speaks of complaints, the body or what helps; no model answers such a one."""
    folded = normalise(text).folded
    return bool(_HEALTH.search(folded)) or any(find_specialties(folded, clinics, kind) for kind in (COMPLAINTS, BODY))


@dataclass(frozen=True, slots=True)
class ModelAnswerer:
    """Ask a model with the prompt `fallback_answer`; rules and another request check its answer."""

    asker: llm.Asker
    prompt: llm.PromptTemplate
    verifier: AuditingVerifier

    def answer(self, unserved: Unserved, max_tokens: int) -> str | None:
        """Return a short text in the session's language; None when the model gave none that can be shown."""
        session, clinics = unserved.session, unserved.clinics
        specialties = ", ".join(dict.fromkeys(clinic.specialty for clinic in clinics)) or "none"
        message = llm.Pseudonyms.of(session, clinics).hide(unserved.utterance)[:_MAX_QUESTION]
        prompt = self.prompt.fill(language=session.language.english_name, specialties=specialties)
        told = llm.fenced({"message": message})
        request = llm.ModelRequest(Purpose.ANSWER, prompt, told, _TEMPERATURE, max_tokens=max_tokens)
        try:
            text = llm.without_markdown(self.asker.ask(request))
        except llm.ModelError:
            return None
        return text if text and len(text) <= _MAX_CHARACTERS and not llm.TOKEN.search(text) else None

    def check(self, text: str, unserved: Unserved) -> turn.Verdict:
        """Return whether that text may be shown."""
        answers = turn.Answers.of(unserved.utterance)
        verdict = self.verifier.check_reply(text, answers, unserved.session, unserved.plan)
        verdict = _direct_answer_fault(text, unserved.clinics) if verdict.safe else verdict
        return self.verifier.check_text(text, answers, unserved.session) if verdict.safe else verdict
