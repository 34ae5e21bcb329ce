"""The same tools on the official MCP Python SDK, streamable HTTP, as quick as its options allow.

JSON responses instead of event streams, text content instead of structured (whose schema both sides would check), and
the client keeps its session. The work behind a tool is the blueprint's.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from mcp.server import MCPServer

from bench.peers import blueprint

_SPECIALTY = "Cardiology"


def main() -> None:
    """Serve a db.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    path = parser.parse_args().database
    logging.disable(logging.WARNING)

    def list_available_slots(doctor: str | None = None) -> str:
        """List the open slots."""
        slots = blueprint.list_available_slots(path, _SPECIALTY, doctor)
        return json.dumps(slots, ensure_ascii=False, separators=(",", ":"))

    server = MCPServer("clinic")
    server.add_tool(list_available_slots, structured_output=False)
    blueprint.serve(server.streamable_http_app(json_response=True))


if __name__ == "__main__":
    main()
