"""Ctrl-C while a clinic makes a booking: the terminal finds out by itself what came of it, with real clinics."""

import io
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from mesh.clock import clock_at
from orchestrator.agents.registry import Agent, LiveRegistry, Registry
from orchestrator.composition import open_conversation
from orchestrator.composition.connection import connect
from orchestrator.console.renderer import Renderer
from orchestrator.journal.events import EventChannel
from orchestrator.settings import HistoryKind
from orchestrator.terminal.clinic_terminal import ClinicTerminal
from orchestrator.terminal.loop import TerminalDependencies
from orchestrator.terminal.slash_commands import ClinicServices
from orchestrator.turn.session import Session
from tests.support.clinics import NOW, open_clinics
from tests.support.relay import Fault, Passage, Relay, open_relays
from tests.support.talk import CARLOS
from tests.support.tokens import any_protection

WAIT_S = 20.0
BOOK = "quero marcar com o Dr. Fernando Mendes dia 18/07 às 10h"
CTRL_C = "\x03"


class Stage:
    """One clinic behind a relay, and a terminal whose prompts get the next keys."""

    def __init__(self, relay: Relay, keys: PipeInput, folder: Path) -> None:
        self.relay = relay
        self.keys = keys
        self._folder = folder
        self._file = io.StringIO()
        self._to_type: list[str] = []
        self._fault: Fault | None = None
        self._now = count(0, 6)

    def converse(self, *typed: str) -> tuple[Session, str]:
        """Type a line at each prompt and return the last session and what was drawn."""
        self._to_type = list(typed)
        registry = Registry({"clinic_c": Agent("clinic_c", "Cardiology", self.relay.address)})
        events = EventChannel()
        with (
            connect(registry, any_protection()) as connection,
            open_conversation(connection, clock_at(NOW), events) as conversation,
        ):
            dependencies = TerminalDependencies(
                Renderer(self._file, 100), self._folder, self.keys, DummyOutput(), self._type, lambda: next(self._now)
            )
            services = ClinicServices(
                conversation=lambda: conversation,
                events=events,
                directory=connection.directory,
                registry=LiveRegistry(registry, lambda: registry),
                up=lambda: frozenset({"clinic_c"}),
                record=lambda *_: "",
                history=HistoryKind.OFF,
                history_file=self._folder / "history",
                log_dir=None,
                save_calendar=lambda *_: "",
            )
            session = ClinicTerminal(dependencies, services, Session(CARLOS)).run()
        return session, self._file.getvalue()

    def interrupt_the_write(self, *, arrives: bool, then_down: bool = False) -> None:
        """Let Ctrl-C be pressed while what the yes sends is under way.

        Args:
            arrives: Whether it reaches the clinic, or gets lost.
            then_down: Whether the clinic cannot be reached from then on.
        """

        def fault(passage: Passage) -> bytes:
            if then_down:
                self.relay.cut()
            answer = passage.forward() if arrives else b""
            gone = threading.Event()
            assert passage.context.add_callback(gone.set)
            self.keys.send_text(CTRL_C)
            assert gone.wait(WAIT_S)
            return answer

        self._fault = fault

    def _type(self) -> None:
        if not self._to_type:
            self.keys.close()
            return
        line = self._to_type.pop(0)
        if line == "sim" and self._fault is not None:
            self.relay.trouble(self._fault, 1)
        self.keys.send_text(f"{line}\r")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with ExitStack() as parts:
        clinics = parts.enter_context(open_clinics(tmp_path / "silos", ["clinic_c"]))
        (relay,) = parts.enter_context(open_relays([clinics.registry.find("clinic_c").address]))
        yield Stage(relay, parts.enter_context(create_pipe_input()), tmp_path)


@pytest.mark.parametrize("arrives", [True, False], ids=["it had arrived", "it had not arrived"])
def test_what_was_sent_is_made_once_and_told_without_another_yes(stage: Stage, *, arrives: bool) -> None:
    stage.interrupt_the_write(arrives=arrives)
    session, drawn = stage.converse(BOOK, "sim", "/bookings")
    assert drawn.index("resultado desconhecido, verificando…") < drawn.index("Consulta marcada")
    assert len(session.receipts) == 1
    assert len({answer for _, _, answer in stage.relay.acknowledged if b"confirmed" in answer}) == 1
    sent = [request for method, request in stage.relay.sent if method.endswith("BookAppointment")]
    assert len(sent) == 2
    assert sent[0] == sent[1]


def test_a_clinic_that_cannot_be_reached_any_more_leaves_it_open_and_says_how_to_find_out(stage: Stage) -> None:
    stage.interrupt_the_write(arrives=True, then_down=True)
    session, drawn = stage.converse(BOOK, "sim")
    assert "Para verificar, responda “sim”" in drawn
    assert session.receipts == ()
    assert session.proposal is not None
    assert session.proposal.attempted
    assert "Não se sabe se o último pedido foi feito." in drawn
