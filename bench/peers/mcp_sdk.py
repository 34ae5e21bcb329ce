"""The same tools on the official MCP Python SDK, streamable HTTP with JSON responses; the client keeps its session.

By default a tool answers in text, which is the SDK's quick way. With --structured it answers as the SDK's own examples
do, with a typed result whose schema both sides check. The work behind a tool is the blueprint's.
"""

from __future__ import annotations

import argparse
import json
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
    parser.add_argument("--structured", action="store_true")
    options = parser.parse_args()
    path = options.database
    logging.disable(logging.WARNING)

    def in_text(doctor: str | None = None) -> str:
        """List the open slots."""
        slots = blueprint.list_available_slots(path, _SPECIALTY, doctor)
        return json.dumps(slots, ensure_ascii=False, separators=(",", ":"))

    def structured(doctor: str | None = None) -> SlotsModel:
        """List the open slots."""
        return SlotsModel.model_validate(blueprint.list_available_slots(path, _SPECIALTY, doctor))

    server = MCPServer("clinic")
    tool = structured if options.structured else in_text
    server.add_tool(tool, name="list_available_slots", structured_output=options.structured)
    blueprint.serve(server.streamable_http_app(json_response=True))


if __name__ == "__main__":
    main()
