"""The terminal of the research desk; the desk is loaded behind the first prompt, because LangGraph is slow to load."""

from collections.abc import Callable
from typing import assert_never

from prompt_toolkit.completion import WordCompleter

from orchestrator.console import (
    DESK_COMMANDS,
    LONGEST,
    SHORT_ID,
    DeskView,
    NewResearch,
    Progress,
    Request,
    Show,
    TurnFailedError,
    TurnRunner,
    run_desk_command,
)
from orchestrator.research import ResearchDesk
from orchestrator.terminal.dependencies import TerminalDependencies
from orchestrator.terminal.history import PromptHistory
from orchestrator.terminal.loop import take_lines
from orchestrator.terminal.progress_screen import ProgressScreen
from orchestrator.terminal.prompt import Prompt, PromptOptions
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Language, Paragraph


class DeskTerminal:
    """A conversation of one person with the research desk, whose maker subscribes `progress`."""

    def __init__(
        self,
        dependencies: TerminalDependencies,
        desk: Callable[[], ResearchDesk],
        progress: Progress,
        history: PromptHistory,
        language: Language = Language.PT,
    ) -> None:
        self._dependencies = dependencies
        self._desk = desk
        self._language = language
        self._session_id = ""
        options = PromptOptions(
            message=lambda: self._texts.text("research.terminal.prompt"),
            toolbar=lambda _: self._texts.text("research.terminal.toolbar", session=self._session_id[:SHORT_ID] or "…"),
            history=history,
            completer=WordCompleter(list(DESK_COMMANDS), sentence=True),
            offers_more=False,
        )
        self._prompt = Prompt(dependencies, options)
        self._runner = TurnRunner(progress, ProgressScreen(progress, self._prompt, dependencies.renderer))

    def run(self, session_id: str | None = None, notice: str = "") -> None:
        """Converse until the person leaves; raise UnknownSessionError where no session begins with this id."""
        if session_id is not None:
            self._resume(session_id)
        else:
            self._say(self._texts.text("research.terminal.welcome"))
        if notice:
            self._say(notice)
        take_lines(self._prompt, self._dependencies.renderer, self)
        if self._session_id:
            self._say(self._texts.text("research.terminal.goodbye", session=self._session_id[:SHORT_ID]))

    def take(self, line: str) -> bool:
        """Run a command or take a turn, and return whether the person stays."""
        if line.startswith("/"):
            return self._act(line)
        if line:
            self._turn(line)
        return True

    def too_long(self, length: int) -> str:
        """Return the text for a line that is too long."""
        return self._texts.text("research.terminal.too_long", length=length, limit=LONGEST)

    def on_end(self) -> str | None:
        """Leave: the desk keeps its sessions."""
        return None

    def on_interrupt(self) -> str | None:
        """Return how to leave."""
        return self._texts.text("research.terminal.interrupt_hint")

    def _resume(self, session_id: str) -> None:
        desk = self._desk()
        self._session_id = desk.find(session_id)
        reply = desk.resume(self._session_id)
        if reply is not None:
            self._language = reply.language
        self._say(self._texts.text("research.terminal.resumed", session=self._session_id[:SHORT_ID]))
        if reply is not None:
            self._show(*reply.blocks)

    def _act(self, line: str) -> bool:
        action = run_desk_command(line, DeskView(self._desk(), self._session_id, self._language))
        match action:
            case Show(blocks):
                self._show(*blocks)
            case NewResearch(blocks):
                self._session_id = ""
                self._show(*blocks)
            case Request.LEAVE:
                return False
            case _:
                assert_never(action)
        return True

    def _turn(self, utterance: str) -> None:
        desk = self._desk()
        if not self._session_id:
            self._session_id = desk.start()
        session_id = self._session_id
        try:
            reply = self._runner.run(self._language, lambda cancel: desk.answer(session_id, utterance, cancel))
        except TurnFailedError:
            self._say(self._texts.text("research.terminal.failed", log=self._dependencies.log))
            return
        self._language = reply.language
        self._show(*reply.blocks)

    def _show(self, *blocks: Block) -> None:
        self._dependencies.renderer.show(blocks)

    def _say(self, text: str) -> None:
        self._show(Paragraph(text))

    @property
    def _texts(self) -> Texts:
        return texts_in(self._language)
