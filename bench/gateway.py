"""Measures what the MCP gateway adds to the mesh's own fan-out: a listing of six clinics, over stdio and over HTTP.

Plain JSON-RPC goes to `clinic-mesh mcp`, because the SDK's own client takes 7 ms to check such an answer by its schema.
Beside it the router asks the same clinics from this process. Not part of `python -m bench`: `make bench-gateway`, in
the development environment, which has the MCP SDK.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2

from bench.fanout import open_router
from bench.measure import interleaved, p50_us, repeated
from orchestrator.agents.registry_file import read_registry
from orchestrator.security.token_keys import KeyFolder, Protection

_ROUNDS, _CALLS = 9, 40
_BASE_PORT = 18501
_VERSION = "2025-11-25"
_CLIENT = {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
_INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _CLIENT}
_LISTING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "list_available_slots", "arguments": {}},
}
_COMMAND = (sys.executable, "-m", "orchestrator.cli")


def main() -> None:
    """Print the median of a listing three ways, and what the gateway adds."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as parts:
        environment = {
            **os.environ,
            "HOME": name,
            "CLINIC_MESH_DATA_DIR": f"{name}/data",
            "CLINIC_MESH_LOG_DIR": f"{name}/logs",
            "CLINIC_MESH_BASE_PORT": str(_BASE_PORT),
            "CLINIC_MESH_AGENDA": "blueprint",
            "CLINIC_MESH_NOW": "2025-07-15T08:00-03:00",
            "CLINIC_MESH_RATE": "off",
            "CLINIC_MESH_NAME": "Carlos Exemplo Teste",
            "CLINIC_MESH_CPF": "529.982.247-25",
        }
        subprocess.run([*_COMMAND, "up", "--detach"], env=environment, check=True, stdout=subprocess.DEVNULL)
        parts.callback(subprocess.run, [*_COMMAND, "down"], env=environment, check=True, stdout=subprocess.DEVNULL)
        keys = KeyFolder(Path(name) / "data" / "keys")
        ask = open_router(parts, read_registry(_BASE_PORT), Protection(keys))
        contenders = {
            "router": ask,
            "gateway, stdio": parts.enter_context(_stdio(environment)),
            "gateway, HTTP": parts.enter_context(_http(environment)),
        }
        batches = {name: p50_us(repeated(listing), _CALLS) for name, listing in contenders.items()}
        figures = interleaved(batches, _ROUNDS, "µs p50")
    own = figures["router"]
    for name, figure in figures.items():
        added = sorted(mine - theirs for mine, theirs in zip(figure.rounds, own.rounds, strict=True))
        print(f"{name:16} {figure.median / 1000:6.2f} ms, {added[len(added) // 2] / 1000:+6.2f} ms")


@contextmanager
def _stdio(environment: dict[str, str]) -> Iterator[Callable[[], object]]:
    with subprocess.Popen(
        [*_COMMAND, "mcp"], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as gateway:
        assert gateway.stdin is not None
        assert gateway.stdout is not None
        writing, reading = gateway.stdin, gateway.stdout

        def send(message: dict[str, object]) -> None:
            writing.write(json.dumps(message) + "\n")
            writing.flush()

        send(_INITIALIZE)
        reading.readline()
        send({"jsonrpc": "2.0", "method": "notifications/initialized"})

        def listing() -> None:
            send(_LISTING)
            _check(json.loads(reading.readline()))

        yield listing
        writing.close()


@contextmanager
def _http(environment: dict[str, str]) -> Iterator[Callable[[], object]]:
    command = [*_COMMAND, "mcp", "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as gateway:
        assert gateway.stderr is not None
        url = gateway.stderr.readline().split()[-1]
        making = [*_COMMAND, "token", "--audience", url, "--ttl", "3600"]
        token = subprocess.run(making, env=environment, check=True, capture_output=True, text=True).stdout.strip()
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        with httpx2.Client(headers={**headers, "MCP-Protocol-Version": _VERSION}) as client:
            yield lambda: _check(client.post(url, json=_LISTING).json())
        gateway.terminate()


def _check(answer: Mapping[str, Any]) -> None:
    if len(answer["result"]["structuredContent"]["answers"]) != len("abcdef"):
        raise RuntimeError("a clinic did not answer")


if __name__ == "__main__":
    main()
