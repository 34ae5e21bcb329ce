"""The same tools on the official MCP Python SDK, streamable HTTP, as quick as its options allow.

JSON responses instead of event streams; the client keeps its session. The work behind a tool is the blueprint's.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from mcp.server import MCPServer
from pydantic import BaseModel

from bench.peers import blueprint

_SPECIALTY = "Cardiology"


class SlotModel(BaseModel):
    """An open slot."""

    doctor: str
    specialty: str
    date: str
    time: str
    available: bool


class SlotsModel(BaseModel):
    """The open slots."""

    specialty: str
    available_slots: list[SlotModel]
    note: str


def main() -> None:
    """Serve a db.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    path = parser.parse_args().database
    logging.disable(logging.WARNING)

    def list_available_slots(doctor: str | None = None) -> SlotsModel:
        """List the open slots."""
        return SlotsModel.model_validate(blueprint.list_available_slots(path, _SPECIALTY, doctor))

    server = MCPServer("clinic")
    server.add_tool(list_available_slots)
    blueprint.serve(server.streamable_http_app(json_response=True))


if __name__ == "__main__":
    main()
