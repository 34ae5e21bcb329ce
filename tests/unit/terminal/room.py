"""A terminal without a screen: each prompt gets the next keys, and what was drawn is read as text."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from prompt_toolkit.data_structures import Size
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output.vt100 import Vt100_Output

from orchestrator.agents.registry import Agent, LiveRegistry, Registry
from orchestrator.console.renderer import Renderer
from orchestrator.journal.events import EventChannel
from orchestrator.settings import HistoryKind
from orchestrator.terminal.clinic_terminal import ClinicTerminal
from orchestrator.terminal.loop import TerminalDependencies
from orchestrator.terminal.slash_commands import ClinicServices
from orchestrator.turn.clinic import Clinic
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.reply import Paragraph, Reply, TurnOutcome
from orchestrator.turn.session import Proposal, Session
from tests.support.repository_clinics import WORDS

Turn = Callable[[Session, str, threading.Event], tuple[Reply, Session]]

PROPOSAL = Proposal(Plan(PlanKind.STEPS, Language.PT))
ONE = Registry({"clinic_a": Agent("clinic_a", "Cardiology", "127.0.0.1:8001")})
END = "\x04"
"""Ctrl-D."""


def reply(text: str, outcome: TurnOutcome = TurnOutcome.OK, language: Language = Language.PT) -> Reply:
    return Reply(language, outcome, (Paragraph(text),))


def propose(session: Session) -> tuple[Reply, Session]:
    return reply("Confirma? (sim/não)", TurnOutcome.CONFIRM), replace(session, proposal=PROPOSAL)


def echo(session: Session, utterance: str, _: threading.Event) -> tuple[Reply, Session]:
    return reply(f"ouvi: {utterance or 'vazio'}"), replace(session, proposal=None)


class ScriptedConversation:
    """Takes turns with the functions given, one each; the last one takes all that follow."""

    def __init__(self, *turns: Turn) -> None:
        self._turns = list(turns)
        self.heard: list[str] = []
        self.plans: list[Plan | None] = []
        self.agreed: list[bool] = []

    def turn(
        self,
        session: Session,
        utterance: str,
        cancel: threading.Event | None = None,
        plan: Plan | None = None,
        *,
        agrees: bool = False,
    ) -> tuple[Reply, Session]:
        self.heard.append(utterance)
        self.plans.append(plan)
        self.agreed.append(agrees)
        take = self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]
        return take(session, utterance, cancel or threading.Event())


class OneClinic:
    """A directory of one clinic.

    Args:
        on_look: Called when somebody looks into it.
    """

    def __init__(self, on_look: Callable[[], None]) -> None:
        self._on_look = on_look

    def clinics(self) -> tuple[Clinic, ...]:
        self._on_look()
        return (Clinic("clinic_a", "Clínica A", "Cardiology", ("Dr. Ricardo Lopes",), words=WORDS["Cardiology"]),)


class Room:
    """A terminal, and what it drew.

    Attributes:
        keys: Where keys are typed.
        events: What happens during a turn.
        folder: Where its files are.
        screen: What the prompts drew.
        mode: The keys of its prompt.
    """

    def __init__(self, keys: PipeInput, folder: Path) -> None:
        self.keys = keys
        self.events = EventChannel()
        self.folder = folder
        self.screen = io.StringIO()
        self.mode = EditingMode.EMACS
        self._file = io.StringIO()
        self._to_type: list[str] = []

    @property
    def drawn(self) -> str:
        """All that was drawn."""
        return self._file.getvalue()

    def converse(
        self,
        typed: Sequence[str],
        *turns: Turn,
        session: Session | None = None,
        proposal: Proposal | None = None,
        registry: Registry = ONE,
        reload: Callable[[], Registry] = lambda: ONE,
        clock: Callable[[], float] = lambda: 0.0,
        on_look: Callable[[], None] = lambda: None,
        plain: bool = False,
    ) -> tuple[ScriptedConversation, Session, str]:
        """Type and return the conversation, the last session and all that was drawn.

        Args:
            typed: The keys for each prompt in turn; after the last the keys end.
            turns: What the conversation answers; an echo unless given.
            session: The session to begin with.
            proposal: What is open at the beginning.
            registry: The registry to begin with.
            reload: Reads the registry.
            clock: What the terminal goes by.
            on_look: Called when the terminal looks who the clinics are, as it does after each turn.
            plain: Whether it draws plain lines.
        """
        conversation = ScriptedConversation(*(turns or (echo,)))
        output = Vt100_Output(self.screen, lambda: Size(rows=24, columns=100), term="xterm", enable_cpr=False)
        self._to_type = list(typed)
        dependencies = TerminalDependencies(
            Renderer(self._file, 100, plain=plain), self.folder, self.keys, output, self._type, clock
        )
        services = ClinicServices(
            conversation=lambda: conversation,
            events=self.events,
            directory=OneClinic(on_look),
            registry=LiveRegistry(registry, reload),
            up=lambda: frozenset({"clinic_a"}),
            record=lambda number, reply, _, __: f'{{"turn": {number}, "outcome": "{reply.outcome}"}}',
            history=HistoryKind.COMMANDS,
            history_file=self.folder / "history",
            log_dir=self.folder,
            save_calendar=lambda *_: "",
        )
        begun = session or Session(Identity.of("Maria Souza", "529.982.247-25"), proposal=proposal)
        terminal = ClinicTerminal(dependencies, services, begun)
        terminal._prompt._session.editing_mode = self.mode
        return conversation, terminal.run(), self.drawn

    def _type(self) -> None:
        if self._to_type:
            self.keys.send_text(self._to_type.pop(0))
        else:
            self.keys.close()
