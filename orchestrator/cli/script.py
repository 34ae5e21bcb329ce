"""Take turns without a terminal, one a line: the text of `ask`, or the lines of standard input.

Nobody is there to consent: a write is made only with --yes, or with --confirm and the id of exactly this write; else
it is proposed, and the next line is a new utterance, never an answer to the proposal.
"""

import io
import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from orchestrator import turn
from orchestrator.agents import LiveRegistry
from orchestrator.cli.command_line import Arguments
from orchestrator.cli.exit_code import ExitCode, await_clinics, complain, most_serious
from orchestrator.cli.speaker import Given, identity_of
from orchestrator.cli.turn_record import research_record, turn_record
from orchestrator.composition import ConversationOptions, connect_fleet, conversation_of
from orchestrator.console import DeskSession, Progress, TooLongError, TurnFailedError, TurnRunner, clean, harmless
from orchestrator.fleet import Fleet
from orchestrator.journal import EventChannel, PipelineLog, TurnLine, TurnRecorder
from orchestrator.planner.text import guess_language, normalise
from orchestrator.privacy import mask_cpf
from orchestrator.research import ResearchDesk
from orchestrator.security import issuer_of
from orchestrator.settings import Settings, SettingsError
from orchestrator.stages import TurnTaker
from orchestrator.texts import texts_in


class Script(ABC):
    """Take the lines of a script; a subclass decides who receives them.

    A reply is written to standard output, with `as_records` as a line of JSON (`turn_record`), else as text and an
    empty line; why a line was not a turn goes to standard error.
    """

    def __init__(self, progress: Progress, language: turn.Language, *, as_records: bool) -> None:
        self._runner = TurnRunner(progress)
        self._language = language
        self._as_records = as_records
        self._number = 0
        self._is_over = False

    def run(self, lines: Iterable[str]) -> ExitCode:
        """Take a turn for every line that is not blank, and return the most serious exit code."""
        codes: list[ExitCode] = []
        for line in lines:
            codes.append(self._line(line))
            if self._is_over:
                break
        return most_serious([*codes, self._end()])

    @abstractmethod
    def _answer(self, utterance: str, cancel: threading.Event) -> turn.Reply:
        """Take a turn and return its reply."""

    @abstractmethod
    def _command(self, line: str) -> ExitCode:
        """Run a line that begins with a slash."""

    @abstractmethod
    def _record(self, reply: turn.Reply) -> str:
        """Return the last reply as a line of JSON."""

    def _note(self, reply: turn.Reply) -> str:  # noqa: ARG002 - for those who have one
        return ""

    def _end(self) -> ExitCode:
        return ExitCode.OK

    def _line(self, line: str) -> ExitCode:
        try:
            said = clean(line)
        except TooLongError as error:
            return _complained(f"line not sent: {error}", ExitCode.USAGE)
        if said.startswith("/"):
            return self._command(said)
        return self._turn(said) if said else ExitCode.OK

    def _turn(self, utterance: str) -> ExitCode:
        try:
            spoken = guess_language(normalise(utterance), self._language)
            reply = self._runner.run(spoken, lambda cancel: self._answer(utterance, cancel))
        except TurnFailedError as error:
            return _complained(f"internal error ({error}); see the log", ExitCode.INTERNAL)
        self._number += 1
        self._print(reply)
        return ExitCode.of(reply.outcome)

    def _print(self, reply: turn.Reply) -> None:
        if self._as_records:
            print(self._record(reply), flush=True)
        else:
            texts = (mask_cpf(harmless(reply.plain)), self._note(reply))
            print("".join(f"{text}\n\n" for text in texts if text), end="", flush=True)


class ClinicScript(Script):
    """A script for the clinics; a turn that was interrupted is the last, because nobody waits for the rest."""

    def __init__(
        self, progress: Progress, conversation: TurnTaker, session: turn.Session, lines: Sequence[TurnLine] | None
    ) -> None:
        super().__init__(progress, session.spoken_language, as_records=lines is not None)
        self._conversation = conversation
        self._lines = () if lines is None else lines  # of the log, the last one at the end; only records show one
        self._before = session
        self.session = session  # after the last turn

    def _answer(self, utterance: str, cancel: threading.Event) -> turn.Reply:
        before = replace(self.session, proposal=turn.proposal_in_doubt(self.session.proposal))
        reply, self.session = self._conversation.turn(before, utterance, cancel)
        self._before = before
        self._language = self.session.spoken_language
        self._is_over = reply.outcome is turn.TurnOutcome.CANCELLED
        return reply

    def _command(self, line: str) -> ExitCode:  # noqa: ARG002 - none is run here
        return _complained("line not sent: commands are for the terminal", ExitCode.USAGE)

    def _record(self, reply: turn.Reply) -> str:
        return turn_record(self._number, reply, self._before, self.session, next(reversed(self._lines), None))

    def _note(self, reply: turn.Reply) -> str:
        proposal = self.session.proposal
        if proposal is None or reply.outcome not in {turn.TurnOutcome.CONFIRM, turn.TurnOutcome.UNKNOWN_WRITE}:
            return ""
        return texts_in(reply.language).text(f"script.how_to_confirm.{reply.outcome}", id=proposal.id)

    def _end(self) -> ExitCode:
        if self.session.confirmation is None:
            return ExitCode.OK
        return _complained(texts_in(self._language).text("script.not_what_was_confirmed"), ExitCode.CHANGED)


class DeskScript(Script):
    """A script for the research desk, in the session that begins with an id or a new one; a slash begins a command."""

    def __init__(self, progress: Progress, desk: ResearchDesk, session_id: str | None, *, as_records: bool) -> None:
        self._session = DeskSession(lambda: desk)
        if session_id is None:
            self._session.start()
        else:
            self._session.resume(session_id)  # finishes a turn that was broken off, whose answer nobody waits for here
        super().__init__(progress, self._session.language, as_records=as_records)

    def _answer(self, utterance: str, cancel: threading.Event) -> turn.Reply:
        reply = self._session.answer(utterance, cancel)
        self._language = reply.language
        return reply

    def _command(self, line: str) -> ExitCode:
        said = self._session.run_command(line)
        if said is None:
            self._is_over = True
        else:
            self._session.start()
            self._print(turn.Reply(self._language, turn.TurnOutcome.OK, said))
        return ExitCode.OK

    def _record(self, reply: turn.Reply) -> str:
        return research_record(self._session.id, self._number, reply)


def _complained(text: str, code: ExitCode) -> ExitCode:
    complain(text)
    return code


def standard_input() -> Iterable[str]:
    """Return the lines of standard input; a stray byte costs a character, not the run."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdin


def converse(arguments: Arguments, settings: Settings, registry: LiveRegistry, fleet: Fleet, given: Given) -> ExitCode:
    """Take a turn for each line and return the most serious exit code."""
    identity = identity_of(given)
    try:
        confirmation = None if arguments.confirmed is None else turn.parse_proposal_id(arguments.confirmed)
    except ValueError as error:
        raise SettingsError(f"--confirm: {error}") from None
    # A secret of the key that signs who is calling makes an id of this run good in the next one.
    proposal_key = fleet.protection.keys.derived(issuer_of(settings.role), "proposal ids")
    await_clinics(fleet)
    with ExitStack() as parts:
        events = EventChannel()
        connection = parts.enter_context(connect_fleet(registry, fleet, events))
        names = {clinic.id: clinic.name for clinic in connection.directory.clinics()}
        progress = Progress(names, lambda line: print(line, file=sys.stderr, flush=True))
        events.subscribe(progress)
        if not arguments.is_incognito:
            events.subscribe(PipelineLog(settings.log_dir, identity))
        options = ConversationOptions(
            consent_given=arguments.consent_given, moves_patients=arguments.moves_patients, proposal_key=proposal_key
        )
        opening = conversation_of(settings, connection, events, options, is_incognito=arguments.is_incognito)
        conversation = parts.enter_context(opening)
        session = turn.Session(identity, role=settings.role, language=settings.language, confirmation=confirmation)
        lines = (arguments.text,) if arguments.text not in {"", "-"} else standard_input()
        turn_lines: deque[TurnLine] | None = deque(maxlen=1) if arguments.output == "jsonl" else None
        if turn_lines is not None:
            events.subscribe(TurnRecorder(identity, turn_lines.append))
        script = ClinicScript(progress, conversation, session, turn_lines)
        code = script.run(lines)
        if arguments.ics is None or code is ExitCode.ALL_DOWN:
            return code
        return most_serious([code, _save_calendar(arguments, script.session, connection.directory)])


def _save_calendar(arguments: Arguments, session: turn.Session, directory: turn.Directory) -> ExitCode:
    from orchestrator.cli.calendar_file import CalendarEntries, CalendarFileError, write_calendar  # noqa: PLC0415 - loads icalendar

    texts, path = texts_in(session.spoken_language), arguments.ics or Path()
    of = CalendarEntries.of_session if arguments.command == "calendar" else CalendarEntries.of_receipts
    if arguments.command == "ask" and not session.receipts:
        complain(texts.text("calendar.nothing_done", path=path))
        return ExitCode.OK
    try:
        complain(write_calendar(path, of(session), directory.clinics(), texts))
    except CalendarFileError as error:
        complain(error)
        return ExitCode.USAGE
    return ExitCode.OK
