"""Rebuilds a session from a history of texts: what was offered, held, asked and proposed when the next utterance comes.

Each of the person's turns is decided again as if it were live, and what it lists is asked of the clinics; then the
desk's text has the last word. Where that is vague, what a live conversation would have shown stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from orchestrator.evaluation.replay.case import Said, Speaker
from orchestrator.evaluation.replay.desk_utterance import read_statement
from orchestrator.evaluation.replay.dry_run import DryRun, DryRunResult, heard
from orchestrator.evaluation.replay.session_update import Told
from orchestrator.evaluation.replay.slot_resolution import Settling
from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import guess_language, normalise
from orchestrator.turn import Exchange, Identity, Role, Session

_NOBODY = Identity("", "")
"""Nobody has to be known: what identifies a person is no part of a plan."""


class Rebuilding:
    """Rebuilds sessions; the clinics are asked for all their openings once, when it is made.

    Args:
        dry_run: Decides the person's turns.
        role: On whose behalf the person speaks.
    """

    def __init__(self, dry_run: DryRun, role: Role) -> None:
        self._dry_run = dry_run
        self._role = role
        self._settling = Settling(dry_run.clinics, dry_run.openings(self._blank()))

    def session(self, history: Iterable[Said]) -> Session:
        """Return the session after a history."""
        session = self._blank()
        decision: DryRunResult | None = None
        utterance = ""
        for said in history:
            match said.role:
                case Speaker.USER:
                    utterance, decision = said.content, self._dry_run.decide(said.content, session)
                    session = heard(session, decision)
                case Speaker.ASSISTANT:
                    session = self._told(session, decision, said.content)
                    session = replace(session, history=(*session.history, Exchange(utterance, said.content)))
                    utterance, decision = "", None
                case Speaker.SYSTEM:
                    pass
        return session

    def _blank(self) -> Session:
        return Session(_NOBODY, role=self._role)

    def _told(self, session: Session, decision: DryRunResult | None, content: str) -> Session:
        language = guess_language(normalise(content), session.language)
        reference = Reference(self._dry_run.now.replace(tzinfo=None), language)
        statement = read_statement(content, self._dry_run.clinics, reference)
        return Told(statement, session, decision, self._settling).following()
