"""docs/mcp.md: its configurations are JSON, its commands are commands, and the tools that it names are offered."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from mesh.catalogue import Catalogue
from orchestrator.agents.registry import Agent
from orchestrator.cli.command_line import parse_arguments
from orchestrator.gateway.mesh_gateway import gateway_tools
from orchestrator.memory.memory_service import SERVICE
from orchestrator.turn.identity import Role
from tests.support.home import ROOT

MEMORY = Agent("memory", "Memory", "127.0.0.1:1", service=SERVICE[0].full_name)
DOCUMENT = (ROOT / "docs" / "mcp.md").read_text("utf-8")
SHELL = [line for block in re.findall(r"```sh\n(.*?)```", DOCUMENT, re.DOTALL) for line in block.splitlines()]


@pytest.mark.parametrize("block", re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL))
def test_a_configuration_starts_the_gateway(block: str) -> None:
    (server,) = next(iter(json.loads(block).values())).values()
    if "url" in server:
        assert server["url"].endswith("/mcp")
    else:
        assert server["command"].endswith("/clinic-mesh")
        assert parse_arguments(server["args"]).command == "mcp"


@pytest.mark.parametrize("line", [line.partition("clinic-mesh ")[2] for line in SHELL if "clinic-mesh " in line])
def test_a_command_is_one(line: str) -> None:
    words = shlex.split(line.rpartition("clinic-mesh ")[2] or line)
    assert parse_arguments(words).command in {"mcp", "confirm", "token"}


def test_the_tools_that_it_names_are_offered() -> None:
    named = re.findall(r"`([a-z_]+)`", DOCUMENT.partition("## Tools")[2].partition("A read of several")[0])
    offered = gateway_tools(["clinic_a"], {MEMORY: Catalogue(SERVICE[0])}, Role.PATIENT)
    assert {name for name in named if not name.startswith("pharmacy")} - {"clinic"} <= offered.keys()
