"""How long a proposal waits, and how long a form may be answered: by a clock that a test moves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.server import request_state
from mcp.shared.exceptions import MCPError

from orchestrator.cli.exit_code import ExitCode
from orchestrator.cli.gateway_commands import confirm
from orchestrator.security.token_keys import KeyFolder
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language, Role
from orchestrator.turn.routing import TurnScope
from tests.support.clinics import Clinics
from tests.support.mcp_gateway import MODERN, Gateway, Host, open_gateway
from tests.support.talk import CARLOS

BOOKING = {"clinic": "clinic_c", "doctor": "Dr. Fernando Mendes", "date": "2025-07-18", "time": "10:00"}
YES = types.ElicitResult(action="accept", content={"yes": True})
GONE = "Nothing with that ID waits for this person: a proposal holds for 15 minutes, and once. Ask the program"


class MovedClock:
    """The clock of this machine, and so many whole seconds."""

    def __init__(self) -> None:
        self._since = float(int(time.time()))
        self.moved_s = 0.0

    def __call__(self) -> float:
        return self._since + self.moved_s

    time = __call__


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


@pytest.fixture
def timed(clinics: Clinics, keys: KeyFolder, tmp_path: Path, clock: MovedClock) -> Iterator[Gateway]:
    with open_gateway(clinics, keys, tmp_path, clock=clock) as opened:
        yield opened


def proposed(gateway: Gateway) -> str:
    """The id of a booking of Carlos that waits for his yes."""

    async def talk(client: Client) -> Any:
        return (await client.call_tool("book_appointment", BOOKING)).structured_content

    return str(gateway.talk(CARLOS, MODERN, Host(answers=None), talk)["proposal"])


def confirmed(gateway: Gateway, proposal: str) -> tuple[ExitCode, str]:
    """What `clinic-mesh confirm` makes of a yes."""
    return confirm(gateway.mesh, proposal, TurnScope(CARLOS, Role.PATIENT), lambda _: True, texts_in(Language.EN))


def test_a_proposal_is_made_a_second_before_its_quarter_of_an_hour_is_over_and_once(
    timed: Gateway, clock: MovedClock, clinics: Clinics
) -> None:
    waiting = proposed(timed)
    clock.moved_s = 15 * 60 - 1
    code, _ = confirmed(timed, waiting)
    assert (code, len(clinics.taken())) == (ExitCode.OK, 1)
    code, said = confirmed(timed, waiting)
    assert (code, GONE in said, len(clinics.taken())) == (ExitCode.USAGE, True, 1)


def test_after_a_quarter_of_an_hour_a_proposal_is_over_and_its_file_goes_with_the_next(
    timed: Gateway, clock: MovedClock, clinics: Clinics, tmp_path: Path
) -> None:
    waiting = proposed(timed)
    clock.moved_s = 15 * 60 + 1
    code, said = confirmed(timed, waiting)
    assert (code, GONE in said, clinics.taken()) == (ExitCode.USAGE, True, set())
    clock.moved_s += 1  # the file is younger than the clock's whole second
    other = proposed(timed)
    assert [path.name for path in (tmp_path / "proposals").iterdir()] == [other]


@pytest.mark.parametrize(
    ("moved_s", "outcomes"),
    [
        (299, ["done", "done"]),  # the same yes twice is the same write, and makes no second one
        (301, ["Invalid or expired requestState"] * 2),
    ],
)
def test_a_form_is_answered_within_five_minutes(
    gateway: Gateway,
    clock: MovedClock,
    clinics: Clinics,
    monkeypatch: pytest.MonkeyPatch,
    moved_s: float,
    outcomes: Any,
) -> None:
    monkeypatch.setattr(request_state, "time", clock)

    async def talk(client: Client) -> list[str]:
        async def outcome(**answer: Any) -> Any:
            try:
                return await client.session.call_tool("book_appointment", BOOKING, allow_input_required=True, **answer)
            except MCPError as error:
                return error

        given = {"input_responses": {"consent": YES}, "request_state": (await outcome()).request_state}
        clock.moved_s = moved_s
        answers = [await outcome(**given) for _ in range(2)]
        return [str(one) if isinstance(one, MCPError) else one.structured_content["status"] for one in answers]

    assert gateway.talk(CARLOS, MODERN, Host(), talk) == outcomes
    assert len(clinics.taken()) == outcomes.count("done") / 2
