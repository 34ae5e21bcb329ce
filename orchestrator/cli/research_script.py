"""The desk without a terminal: a turn a line, answers on standard output, everything else on standard error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from orchestrator.cli.exit_code import OF_OUTCOME, ExitCode, most_serious
from orchestrator.cli.turn_record import research_record
from orchestrator.research import ResearchDesk
from orchestrator.terminal import (
    Begin,
    DeskMoment,
    DeskTurns,
    LeaveDesk,
    Progress,
    TooLongError,
    TurnFailedError,
    TurnRunner,
    clean,
    harmless,
    mask_cpf,
    run_command,
)
from orchestrator.turn import Language, Reply, TurnOutcome


class ResearchScript:
    """Takes the turns of a script; lines with a slash are the desk's commands.

    Args:
        desk: Takes each turn.
        progress: Shown while a turn runs.
        results: Where answers go.
        complaints: Where it is said why a line was not a turn.
        as_records: An answer is a line of JSON instead of text and an empty line.
    """

    def __init__(
        self, desk: ResearchDesk, progress: Progress, results: TextIO, complaints: TextIO, *, as_records: bool
    ) -> None:
        self._desk = desk
        self._turns: TurnRunner[str] = TurnRunner(DeskTurns(lambda: desk), progress.cancelling)
        self._progress = progress
        self._results = results
        self._complaints = complaints
        self._as_records = as_records
        self._session_id = ""
        self._language = Language.PT
        self._number = 0

    def run(self, session_id: str | None, lines: Iterable[str]) -> ExitCode:
        """Take a turn for every line that is not blank, and return the most serious exit code.

        Args:
            session_id: The session to take up again, or its beginning; None for a new one.
            lines: What was written, as it was read.

        Raises:
            UnknownSessionError: There is no such session.
        """
        self._session_id = self._desk.start() if session_id is None else self._desk.find(session_id)
        if session_id is not None:
            self._resume()
        codes: list[ExitCode] = []
        for line in lines:
            code, goes_on = self._line(line)
            codes.append(code)
            if not goes_on:
                break
        return most_serious(codes)

    def _resume(self) -> None:
        """Finish a turn that was broken off; its answer was asked for before this run."""
        reply = self._desk.resume(self._session_id)
        if reply is not None:
            self._language = reply.language

    def _line(self, line: str) -> tuple[ExitCode, bool]:
        try:
            utterance = clean(line)
        except TooLongError as error:
            return self._complain(f"line not sent: {error}", ExitCode.USAGE), True
        if utterance.startswith("/"):
            return self._command(utterance)
        return (self._turn(utterance) if utterance else ExitCode.OK), True

    def _command(self, line: str) -> tuple[ExitCode, bool]:
        action = run_command(line, DeskMoment(self._desk, self._session_id, self._language))
        if isinstance(action, LeaveDesk):
            return ExitCode.OK, False
        if isinstance(action, Begin):
            self._session_id = self._desk.start()
        self._print(Reply(self._language, TurnOutcome.OK, action.blocks))
        return ExitCode.OK, True

    def _turn(self, utterance: str) -> ExitCode:
        try:
            self._progress.begin(self._language)
            reply, _ = self._turns.run(self._session_id, utterance)
        except TurnFailedError as error:
            return self._complain(f"internal error ({error}); see the log", ExitCode.INTERNAL)
        self._language = reply.language
        self._number += 1
        self._print(reply)
        return OF_OUTCOME[reply.outcome]

    def _print(self, reply: Reply) -> None:
        if self._as_records:
            self._results.write(research_record(self._session_id, self._number, reply) + "\n")
        else:
            self._results.write(mask_cpf(harmless(reply.plain)) + "\n\n")
        self._results.flush()

    def _complain(self, text: str, code: ExitCode) -> ExitCode:
        self._complaints.write(f"clinic-mesh: {text}\n")
        return code
