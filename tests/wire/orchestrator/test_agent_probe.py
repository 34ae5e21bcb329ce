"""Whatever listens at a clinic's address: what is said of it is clean, short, and no traceback."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from google.protobuf import struct_pb2

from generated.mesh.v1.tool_service_pb2 import CallResponse
from mesh.channel import open_channel
from orchestrator.agents.mesh_directory import ask_health, ask_tools, introduction_of, serving
from orchestrator.fleet.clinic_probe import Absence, Member, Present, probe
from tests.support.rogue_clinic import RogueClinic, open_rogue
from tests.support.rogue_modes import ESC, GARBAGE, SELVES
from tests.wire.orchestrator.scripted import WAIT_S

UNUSABLE = {"g_long", "g_huge", "g_today", "g_agenda", "g_empty", "g_garbage", "g_unimpl"}


@pytest.mark.parametrize("mode", SELVES)
def test_what_a_clinic_says_of_itself_is_one_clean_line_a_text_or_is_not_taken(
    mode: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with open_rogue(RogueClinic(handlers=SELVES[mode])) as rogue, caplog.at_level(logging.DEBUG):
        found = probe(Member("clinic_c", rogue.address, tmp_path), timeout_s=WAIT_S)
    if mode in UNUSABLE:
        assert found is (Absence.STRANGER if mode == "g_unimpl" else Absence.UNREADABLE)
    else:
        assert isinstance(found, Present)
        said = introduction_of(found.said)
        texts = (found.said.clinic_id, said.name, found.agenda, found.said.today, *said.doctors)
        assert all(text.isprintable() and len(text) <= 120 for text in texts)
        assert len(said.doctors) <= 200
    assert not caplog.records


def test_health_that_cannot_be_read_is_none(caplog: pytest.LogCaptureFixture) -> None:
    with open_rogue(RogueClinic(handlers=SELVES["h_garbage"])) as rogue, open_channel(rogue.address, ()) as channel:
        assert not ask_health(channel, WAIT_S)
        assert not serving({"clinic_c": channel}, WAIT_S)
    assert not caplog.records


@pytest.mark.parametrize("many", [1, 1000])
def test_names_of_tools_are_clean_and_few(many: int) -> None:
    answer = CallResponse(jsonrpc="2.0", id=struct_pb2.Value(number_value=1))
    answer.result.update({"tools": [{"name": f"{ESC}tool\n{'x' * 200}"}] * many})
    with (
        open_rogue(RogueClinic(handlers={"Call": lambda _request, _context: answer})) as rogue,
        open_channel(rogue.address, ()) as channel,
    ):
        names = ask_tools(channel, WAIT_S)
    assert names is not None
    assert len(names) == min(many, 100)
    assert all(name.isprintable() and len(name) <= 120 for name in names)


def test_tools_that_cannot_be_read_are_not_known() -> None:
    with (
        open_rogue(RogueClinic(handlers={"Call": lambda _request, _context: GARBAGE})) as rogue,
        open_channel(rogue.address, ()) as channel,
    ):
        assert ask_tools(channel, WAIT_S) is None
