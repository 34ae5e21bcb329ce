"""Turns without a terminal: one a line, results on standard output, everything else on standard error.

Nobody is there to consent, so a write is made only with --yes, or with --confirm and the id of exactly this write;
else it is proposed, and the next line is a new utterance, never an answer to the proposal.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol, TextIO

from orchestrator.cli.exit_code import OF_OUTCOME, ExitCode, most_serious
from orchestrator.cli.turn_record import research_record, turn_record
from orchestrator.console import (
    ClinicConversation,
    DeskView,
    Leave,
    NewResearch,
    Progress,
    TooLongError,
    TurnFailedError,
    TurnRunner,
    clean,
    harmless,
    run_desk_command,
)
from orchestrator.privacy import mask_cpf
from orchestrator.research import ResearchDesk
from orchestrator.texts import texts_in
from orchestrator.turn import Language, Reply, Session, TurnOutcome


class NotSentError(ValueError):
    """A line that is not for whom the script talks to."""


class ScriptCounterpart(Protocol):
    """Whom a script talks to: the clinics or the research desk.

    Attributes:
        is_over: Whether the rest of the lines is not taken.
    """

    is_over: bool

    @property
    def language(self) -> Language:
        """The language of the progress."""
        ...

    @property
    def missed(self) -> str:
        """What was to be confirmed and was not, for the end of the run; empty when nothing."""
        ...

    def turn(self, utterance: str, cancel: threading.Event) -> Reply:
        """Take a turn and return its reply."""
        ...

    def command(self, line: str) -> Reply | None:
        """Run a line that begins with a slash, and return what it shows.

        Raises:
            NotSentError: There are no commands here.
        """
        ...

    def record(self, number: int, reply: Reply) -> str:
        """Return the last reply as a line of JSON."""
        ...

    def note(self, reply: Reply) -> str:
        """Return what stands below a reply; empty when nothing."""
        ...


class Script:
    """Takes the lines of a script.

    Args:
        progress: Shown while a turn runs.
        results: Where replies go.
        complaints: Where it is said why a line was not a turn.
        as_records: Whether a reply is a line of JSON (`turn_record`) instead of text and an empty line.
    """

    def __init__(self, progress: Progress, results: TextIO, complaints: TextIO, *, as_records: bool) -> None:
        self._runner = TurnRunner(progress)
        self._results = results
        self._complaints = complaints
        self._as_records = as_records
        self._number = 0

    def run(self, counterpart: ScriptCounterpart, lines: Iterable[str]) -> ExitCode:
        """Take a turn for every line that is not blank, and return the most serious exit code."""
        codes: list[ExitCode] = []
        for line in lines:
            codes.append(self._line(counterpart, line))
            if counterpart.is_over:
                break
        if counterpart.missed:
            codes.append(self._complain(counterpart.missed, ExitCode.CHANGED))
        return most_serious(codes)

    def _line(self, counterpart: ScriptCounterpart, line: str) -> ExitCode:
        try:
            said = clean(line)
            if not said.startswith("/"):
                return self._turn(counterpart, said) if said else ExitCode.OK
            shown = counterpart.command(said)
        except (TooLongError, NotSentError) as error:
            return self._complain(f"line not sent: {error}", ExitCode.USAGE)
        if shown is not None:
            self._print(counterpart, shown)
        return ExitCode.OK

    def _turn(self, counterpart: ScriptCounterpart, utterance: str) -> ExitCode:
        try:
            reply = self._runner.run(counterpart.language, lambda cancel: counterpart.turn(utterance, cancel))
        except TurnFailedError as error:
            return self._complain(f"internal error ({error}); see the log", ExitCode.INTERNAL)
        self._number += 1
        self._print(counterpart, reply)
        return OF_OUTCOME[reply.outcome]

    def _print(self, counterpart: ScriptCounterpart, reply: Reply) -> None:
        if self._as_records:
            self._results.write(counterpart.record(self._number, reply) + "\n")
        else:
            texts = (mask_cpf(harmless(reply.plain)), counterpart.note(reply))
            self._results.writelines(f"{text}\n\n" for text in texts if text)
        self._results.flush()

    def _complain(self, text: str, code: ExitCode) -> ExitCode:
        self._complaints.write(f"clinic-mesh: {text}\n")
        return code


class ClinicScript:
    """The clinics, for a script; a turn that was interrupted is the last, because nobody waits for the rest."""

    def __init__(self, conversation: ClinicConversation, session: Session) -> None:
        self._conversation = conversation
        self._before = self._after = session
        self.is_over = False

    @property
    def language(self) -> Language:
        """The language of the session."""
        return self._after.spoken_language

    @property
    def missed(self) -> str:
        """That nothing of the run was what --confirm stands for."""
        return "" if self._after.confirmation is None else texts_in(self.language).text("script.not_what_was_confirmed")

    def turn(self, utterance: str, cancel: threading.Event) -> Reply:
        """Take a turn; an open proposal is dropped first."""
        before = _without_open_proposal(self._after)
        reply, self._after = self._conversation.turn(before, utterance, cancel)
        self._before = before
        self.is_over = reply.outcome is TurnOutcome.CANCELLED
        return reply

    def command(self, line: str) -> Reply | None:  # noqa: ARG002 - the port's name
        """Refuse: commands need somebody who sees what they show."""
        raise NotSentError("commands are for the terminal")

    def record(self, number: int, reply: Reply) -> str:
        """Return the last turn as a line of JSON."""
        return turn_record(number, reply, self._before, self._after)

    def note(self, reply: Reply) -> str:
        """Return how a proposal is confirmed, or the outcome of a write is learned."""
        proposal = self._after.proposal
        if proposal is None or reply.outcome not in {TurnOutcome.CONFIRM, TurnOutcome.UNKNOWN_WRITE}:
            return ""
        return texts_in(reply.language).text(f"script.how_to_confirm.{reply.outcome}", id=proposal.id)


class DeskScript:
    """The research desk, for a script: a turn that was broken off is finished first.

    Args:
        desk: The desk.
        session_id: The session to take up again, or its beginning; None for a new one.

    Raises:
        UnknownSessionError: There is no such session.
    """

    missed = ""

    def __init__(self, desk: ResearchDesk, session_id: str | None) -> None:
        self._desk = desk
        self.is_over = False
        self.language = Language.PT
        self._session_id = desk.start() if session_id is None else desk.find(session_id)
        resumed = None if session_id is None else desk.resume(self._session_id)
        if resumed is not None:
            self.language = resumed.language

    def turn(self, utterance: str, cancel: threading.Event) -> Reply:
        """Take a turn."""
        reply = self._desk.answer(self._session_id, utterance, cancel)
        self.language = reply.language
        return reply

    def command(self, line: str) -> Reply | None:
        """Run a command of the desk."""
        action = run_desk_command(line, DeskView(self._desk, self._session_id, self.language))
        if isinstance(action, Leave):
            self.is_over = True
            return None
        if isinstance(action, NewResearch):
            self._session_id = self._desk.start()
        return Reply(self.language, TurnOutcome.OK, action.blocks)

    def record(self, number: int, reply: Reply) -> str:
        """Return the last answer as a line of JSON."""
        return research_record(self._session_id, number, reply)

    def note(self, reply: Reply) -> str:  # noqa: ARG002 - the port's name
        """Return nothing: the desk proposes no write."""
        return ""


def standard_input() -> Iterable[str]:
    """Return the lines of standard input; a stray byte costs a character, not the run."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdin


def _without_open_proposal(session: Session) -> Session:
    """Return the session without a proposal, unless that is a write with consent whose outcome is unknown."""
    if session.proposal is None or session.proposal.attempted:
        return session
    return replace(session, proposal=None)
