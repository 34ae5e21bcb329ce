"""The terminal of the research desk; the desk is loaded behind the first prompt, because LangGraph is slow to load."""

from prompt_toolkit.completion import WordCompleter

from orchestrator.console import DESK_COMMANDS, SHORT_ID, DeskSession, Progress, TurnFailedError
from orchestrator.terminal.loop import LineTerminal, PromptOptions, TerminalDependencies
from orchestrator.terminal.secrecy import PromptHistory
from orchestrator.texts import Texts


class DeskTerminal(LineTerminal):
    """A conversation of one person with the research desk, whose maker subscribes `progress`."""

    def __init__(
        self, dependencies: TerminalDependencies, session: DeskSession, progress: Progress, history: PromptHistory
    ) -> None:
        self._session = session
        options = PromptOptions(
            message=lambda: self._texts.text("research.terminal.prompt"),
            toolbar=lambda _: self._texts.text("research.terminal.toolbar", session=self._session.id[:SHORT_ID] or "…"),
            history=history,
            completer=WordCompleter(list(DESK_COMMANDS), sentence=True),
            offers_more=False,
        )
        super().__init__(dependencies, options, progress)

    def run(self, session_id: str | None = None, notice: str = "") -> None:
        """Converse until the person leaves; raise UsageError where no session begins with this id."""
        if session_id is None:
            self._say(self._texts.text("research.terminal.welcome"))
        else:
            reply = self._session.resume(session_id)
            self._say(self._texts.text("research.terminal.resumed", session=self._session.id[:SHORT_ID]))
            if reply is not None:
                self._show(*reply.blocks)
        if notice:
            self._say(notice)
        self._take_lines()
        if self._session.id:
            self._say(self._texts.text("research.terminal.goodbye", session=self._session.id[:SHORT_ID]))

    def _take(self, line: str) -> bool:
        if line.startswith("/"):
            said = self._session.run_command(line)
            self._show(*(said or ()))
            return said is not None
        if line:
            try:
                reply = self._runner.run(self._session.language, lambda cancel: self._session.answer(line, cancel))
            except TurnFailedError:
                self._say(self._texts.text("research.terminal.failed", log=self._dependencies.log))
            else:
                self._show(*reply.blocks)
        return True

    def _on_interrupt(self) -> str | None:
        return self._texts.text("research.terminal.interrupt_hint")

    @property
    def _texts(self) -> Texts:
        return self._session.texts
