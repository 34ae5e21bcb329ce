"""The rules for a language model's own answer to what no agent is for.

Such an answer rests on no data, so that it cannot be held against any as drafts are. Instead it may touch on nothing
that matters here: no health, no deed, no promise, nobody's data, no clinic. What is refused costs an answer that nobody
owes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.planner.text import fold_phrase, normalise
from orchestrator.planner.understanding import find_body_parts, find_complaints
from orchestrator.turn import Answers, Clinic, Draft, Plan, Rule, Session, Verdict
from orchestrator.verifier import RuleVerifier, pattern_of

_HEALTH = pattern_of("health.txt", "health_broad.txt")

# What somebody says they did, or will do: the first person's past and future, in words that have no accents any more.
_DEEDS = re.compile(
    r"\b(?!(?:lei|rei|sei|frei|hei|direi)\b)\w{2,}ei\b"
    r"|\b(?:fiz|pedi|abri|consegui|pus|trouxe|escrevi|inclui|resolvi|transferi)\b"
    r"|\b(?:vou|vamos|iremos)\s+\w+r\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:just |already |also |now )?(?:\w+ed|sent|made|put|set|got|took|did|wrote)\b"
    r"|\b(?:i|we)(?:'ll| will| shall) \w+"
)


class DirectAnswerRules(RuleVerifier):
    """The `Verifier` of direct answers: another `check_draft`, which rests on no data."""

    def check_draft(
        self, draft: Draft, answers: Answers, session: Session, plan: Plan, clinics: Sequence[Clinic]
    ) -> Verdict:
        """Return whether an answer may be shown."""
        verdict = self.check_reply(draft.reply.plain, answers, session, plan)
        if not verdict.safe:
            return verdict
        if touches_health(draft.words):
            return _verdict(Rule.R3, "an answer that touches on health")
        if _DEEDS.search(fold_phrase(draft.words)):
            return _verdict(Rule.R4, "a deed or a promise of who can do nothing")
        names = {fold_phrase(clinic.name) for clinic in clinics} | {
            fold_phrase(name) for one in clinics for name in one.doctors
        }
        if any(name in fold_phrase(draft.words) for name in names):
            return _verdict(Rule.R4, "a clinic or a doctor that nobody asked")
        return verdict


def touches_health(text: str) -> bool:
    """Return whether a text speaks of complaints, the body or what helps; no model answers such a one."""
    folded = normalise(text).folded
    return bool(_HEALTH.search(folded) or find_complaints(folded) or find_body_parts(folded))


def _verdict(rule: Rule, finding: str) -> Verdict:
    return Verdict(rule, f"{rule}: {finding}")
