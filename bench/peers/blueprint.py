"""The blueprint's clinic as its sections 2.1 to 3.5 describe it, in little: FastAPI, uvicorn, pydantic, one lock.

Every call reads db.json and every write dumps it, without fsync or rename. Only the tools that are measured are here.
"""

from __future__ import annotations

import argparse
import json
import socket
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.applications import Starlette

_KEEP_ALIVE_S = 300
_NOTE = "Para confirmar o agendamento, informe o horário desejado."
_lock = threading.Lock()

JsonObject = dict[str, Any]


class MCPParams(BaseModel):
    """A tool and what it is called with."""

    name: str
    arguments: JsonObject = {}


class MCPRequest(BaseModel):
    """A JSON-RPC 2.0 request."""

    jsonrpc: str = "2.0"
    id: str
    method: str
    params: MCPParams


class MCPResponse(BaseModel):
    """A JSON-RPC 2.0 response."""

    jsonrpc: str = "2.0"
    id: str
    result: Any = None
    error: JsonObject | None = None


def load_slots(path: Path) -> list[JsonObject]:
    """Read db.json."""
    with path.open(encoding="utf-8") as file:
        slots: list[JsonObject] = json.load(file)["slots"]
    return slots


def save_slots(path: Path, slots: list[JsonObject]) -> None:
    """Write db.json."""
    with path.open("w", encoding="utf-8") as file:
        json.dump({"slots": slots}, file, ensure_ascii=False, indent=2)


def list_available_slots(path: Path, specialty: str, doctor: str | None = None) -> JsonObject:
    """List the open slots."""
    with _lock:
        slots = load_slots(path)
    keys = ("doctor", "specialty", "date", "time", "available")
    return {
        "specialty": specialty,
        "available_slots": [
            {key: slot[key] for key in keys}
            for slot in slots
            if slot["available"] and (doctor is None or slot["doctor"] == doctor)
        ],
        "note": _NOTE,
    }


def book_appointment(
    path: Path, specialty: str, doctor: str, date: str, time: str, patient_name: str, cpf: str
) -> JsonObject:
    """Book an open slot."""
    with _lock:
        slots = load_slots(path)
        for slot in slots:
            if slot["available"] and (slot["doctor"], slot["date"], slot["time"]) == (doctor, date, time):
                slot.update(available=False, patient_name=patient_name, cpf=cpf)
                save_slots(path, slots)
                break
        else:
            return {"status": "error", "message": "Horário indisponível."}
    appointment = {"doctor": doctor, "date": date, "time": time, "patient_name": patient_name, "cpf": cpf}
    message = "Consulta agendada com sucesso."
    return {"status": "confirmed", "appointment": {**appointment, "specialty": specialty}, "message": message}


def cancel_appointment(
    path: Path, specialty: str, doctor: str, date: str, time: str, patient_name: str, cpf: str
) -> JsonObject:
    """Give a slot back."""
    with _lock:
        slots = load_slots(path)
        for slot in slots:
            if (slot["doctor"], slot["date"], slot["time"], slot["cpf"]) == (doctor, date, time, cpf):
                slot.update(available=True, patient_name=None, cpf=None)
                save_slots(path, slots)
                break
        else:
            return {"status": "error", "message": "Consulta não encontrada."}
    appointment = {"doctor": doctor, "date": date, "time": time, "patient_name": patient_name, "cpf": cpf}
    message = "Consulta cancelada com sucesso."
    return {"status": "cancelled", "cancelled_appointment": {**appointment, "specialty": specialty}, "message": message}


def make_app(path: Path, specialty: str) -> FastAPI:
    """Return the clinic.

    Args:
        path: Its db.json.
        specialty: Its specialty.
    """
    tools: Mapping[str, Callable[..., JsonObject]] = {
        handler.__name__: partial(handler, path, specialty)
        for handler in (list_available_slots, book_appointment, cancel_appointment)
    }

    def handle(request: MCPRequest) -> MCPResponse:
        if request.method != "tools/call":
            return MCPResponse(id=request.id, error={"code": -32601, "message": "method not found"})
        tool = tools.get(request.params.name)
        if tool is None:
            return MCPResponse(id=request.id, error={"code": -32602, "message": "unknown tool"})
        return MCPResponse(id=request.id, result=tool(**request.params.arguments))

    app = FastAPI()
    app.add_api_route("/mcp", handle, methods=["POST"], response_model=MCPResponse)
    return app


def serve(app: Starlette) -> None:
    """Serve an ASGI application on a free port of the loopback, and say where.

    Args:
        app: The application.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"peer listening on 127.0.0.1:{listener.getsockname()[1]}", flush=True)
        config = uvicorn.Config(app, log_level="error", access_log=False, timeout_keep_alive=_KEEP_ALIVE_S)
        uvicorn.Server(config).run(sockets=[listener])


def main() -> None:
    """Serve a db.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    serve(make_app(parser.parse_args().database, "Cardiology"))


if __name__ == "__main__":
    main()
