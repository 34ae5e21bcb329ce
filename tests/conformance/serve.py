"""Serves the gateway's handlers without tokens, which the conformance suite cannot send; prints the address.

Ends with its standard input. Everything else is as `clinic-mesh mcp --http` serves it.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from functools import partial
from pathlib import Path

import uvicorn

from orchestrator.gateway.mcp_http import open_address
from orchestrator.turn.identity import Role
from orchestrator.turn.routing import TurnScope
from tests.support.clinics import Guard, open_clinics
from tests.support.mcp_gateway import open_gateway
from tests.support.talk import CARLOS
from tests.support.tokens import make_keys


def main() -> None:
    """Serve until standard input ends."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keys = make_keys(folder)
        with (
            open_clinics(folder, guard=Guard(keys.public)) as clinics,
            open_gateway(clinics, keys, folder) as gateway,
            open_address("127.0.0.1:0", None).listening as listening,
        ):
            app = gateway.handlers(partial(TurnScope, CARLOS, Role.PATIENT)).server()
            config = uvicorn.Config(app.streamable_http_app(json_response=True, stateless_http=True), log_config=None)
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            thread.start()
            print(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", flush=True)
            sys.stdin.read()
            server.should_exit = True
            thread.join()


if __name__ == "__main__":
    main()
