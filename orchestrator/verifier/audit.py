"""A language model's audit on top of the rules (blueprint 2.3.2); it can only block more than they do.

The model sees pseudonyms; what it writes is read for yes or no and a rule, and is never shown.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from mesh.arguments import Json
from mesh.strict_document import members_once
from orchestrator.journal import ANSWERED, Purpose
from orchestrator.llm import Asker, ModelError, ModelRequest, PromptTemplate, Pseudonyms, exposed, fenced
from orchestrator.turn import SAFE, Answers, Clinic, Rule, Session, Verdict
from orchestrator.verifier.rules import RuleVerifier

AUDIT_PLACEHOLDERS = frozenset({"doctors"})  # what the prompt `verifier` leaves open

SCHEMA = {
    "type": "object",
    "properties": {"safe": {"type": "boolean"}, "note": {"type": "string"}},
    "required": ["safe", "note"],
    "additionalProperties": False,
}  # what an audit is

_MAX_TOKENS = 256
_NOTE_CHARACTERS = 300

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(?P<body>.*?)\n?\s*```\s*", re.DOTALL | re.IGNORECASE)
_RULE_NAME = re.compile(r"\bR[1-4]\b")

_UNREADABLE = Verdict(Rule.AUDIT, "AUDIT: the model's audit cannot be read")
_UNAUDITED = Verdict(Rule.AUDIT, "AUDIT: no audit, because the model did not answer")


class AuditingVerifier(RuleVerifier):
    """The verifier that asks a language model after the rules have cleared something.

    A reply is code's template and a model's reasoning is not asked of another: the rules alone judge them.
    """

    def __init__(self, asker: Asker, prompt: PromptTemplate, clinics: Sequence[Clinic], *, always: bool) -> None:
        self._always = always
        self._asker = asker
        self._prompt = prompt
        self._clinics = tuple(clinics)

    def check_data(self, answers: Answers, session: Session) -> Verdict:
        """Return whether the clinics' answers may be shown; where no model answers, what the rules say stands."""
        verdict = super().check_data(answers, session)
        evidence = answers.evidence
        # Answers with records of patients are audited, with `always` all; openings are public: that blocks nothing.
        of_patients = bool(evidence.records or evidence.lists_patients)
        if not verdict.safe or not answers.results or not (of_patients or self._always):
            return verdict
        audited = self._audit(exposed(answers, Pseudonyms.of(session, self._clinics)), unanswered=verdict)
        return audited if of_patients else replace(audited, rule=None)

    def check_text(self, text: str, answers: Answers, session: Session) -> Verdict:
        """Return whether a text that a model wrote may be shown; without an audit it may not."""
        pseudonyms = Pseudonyms.of(session, self._clinics)
        return self._audit({**exposed(answers, pseudonyms), "reply": pseudonyms.hide(text)}, unanswered=_UNAUDITED)

    def _audit(self, data: Mapping[str, Json], *, unanswered: Verdict) -> Verdict:
        doctors = "\n".join(f"- {doctor}" for clinic in self._clinics for doctor in clinic.doctors)
        prompt = self._prompt.fill(doctors=doctors or "- not known")
        request = ModelRequest(Purpose.AUDIT, prompt, fenced(data), schema=SCHEMA, max_tokens=_MAX_TOKENS)
        try:
            text = self._asker.ask(request)
        except ModelError as error:
            return _UNREADABLE if error.failure in ANSWERED else unanswered
        return _verdict_in(text)


def _verdict_in(text: str) -> Verdict:
    fence = _FENCE.fullmatch(text)
    try:
        audit: Json = json.loads(fence["body"] if fence else text, object_pairs_hook=members_once)
    except (ValueError, RecursionError):
        return _UNREADABLE
    match audit:
        case {"safe": True, "note": str(), **rest} if not rest:
            return SAFE
        case {"safe": False, "note": str(note), **rest} if not rest:
            named = _RULE_NAME.search(note)
            rule = Rule(named[0]) if named else Rule.AUDIT
            return Verdict(rule, f"{rule}: found by the model's audit", " ".join(note.split())[:_NOTE_CHARACTERS])
        case _:
            return _UNREADABLE
