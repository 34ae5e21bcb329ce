"""Turns without a terminal: one a line, results on standard output, everything else on standard error.

Nobody is there to consent, so a write is made only with --yes, or with --confirm and the id of exactly this write;
else it is proposed, and the next line is a new utterance, never an answer to the proposal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TextIO

from orchestrator.cli.exit_code import OF_OUTCOME, ExitCode, most_serious
from orchestrator.cli.script_texts import SCRIPT_TEXTS
from orchestrator.cli.turn_record import turn_record
from orchestrator.terminal import (
    Progress,
    TooLongError,
    TurnFailedError,
    TurnRunner,
    clean,
    harmless,
    language_of,
    mask_cpf,
)
from orchestrator.turn import Reply, Session, TurnOutcome


class Script:
    """Takes the turns of a script.

    Args:
        turns: Takes each turn.
        progress: Shown while a turn runs.
        results: Where replies go.
        complaints: Where it is said why a line was not a turn.
        as_records: A reply is a line of JSON (`turn_record`) instead of text and an empty line.
    """

    def __init__(
        self, turns: TurnRunner[Session], progress: Progress, results: TextIO, complaints: TextIO, *, as_records: bool
    ) -> None:
        self._turns = turns
        self._progress = progress
        self._results = results
        self._complaints = complaints
        self._as_records = as_records
        self._number = 0

    def run(self, session: Session, lines: Iterable[str]) -> ExitCode:
        """Take a turn for every line that is not blank, and return the most serious exit code.

        It ends early when a turn was interrupted, because nobody waits for the rest.

        Args:
            session: The session to begin with.
            lines: Utterances as they were read.
        """
        codes: list[ExitCode] = []
        for line in lines:
            code, session = self._line(session, line)
            codes.append(code)
            if code is ExitCode.INTERRUPTED:
                break
        if session.confirmation is not None:
            texts = SCRIPT_TEXTS[language_of(session)]
            codes.append(self._complain(texts.not_what_was_confirmed, ExitCode.CHANGED))
        return most_serious(codes)

    def _line(self, session: Session, line: str) -> tuple[ExitCode, Session]:
        try:
            utterance = clean(line)
        except TooLongError as error:
            return self._complain(f"line not sent: {error}", ExitCode.USAGE), session
        if not utterance:
            return ExitCode.OK, session
        if utterance.startswith("/"):
            return self._complain("line not sent: commands are for the terminal", ExitCode.USAGE), session
        try:
            self._progress.begin(language_of(session))
            reply, after = self._turns.run(session, utterance)
        except TurnFailedError as error:
            return self._complain(f"internal error ({error}); see the log", ExitCode.INTERNAL), session
        self._number += 1
        self._print(reply, session, after)
        return OF_OUTCOME[reply.outcome], _without_open_proposal(after)

    def _print(self, reply: Reply, before: Session, after: Session) -> None:
        if self._as_records:
            self._results.write(turn_record(self._number, reply, before, after) + "\n")
        else:
            self._results.write(mask_cpf(harmless(reply.plain)) + "\n\n")
            if after.proposal is not None and reply.outcome in {TurnOutcome.CONFIRM, TurnOutcome.UNKNOWN_WRITE}:
                how = SCRIPT_TEXTS[reply.language].how_to_confirm[reply.outcome]
                self._results.write(how.format(id=after.proposal.id) + "\n\n")
        self._results.flush()

    def _complain(self, text: str, code: ExitCode) -> ExitCode:
        self._complaints.write(f"clinic-mesh: {text}\n")
        return code


def _without_open_proposal(session: Session) -> Session:
    """Return the session without a proposal, unless that is a write with consent whose outcome is unknown."""
    if session.proposal is None or session.proposal.attempted:
        return session
    return replace(session, proposal=None)
