"""Modules that wait until they are used are whole when they are, whoever looks first and how."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.home import ROOT

BEGIN = "import sys; from mesh.put_off import ASYNCIO, UNUSED, put_off; put_off(ASYNCIO, *UNUSED);"
LOADED = "print('asyncio.events' in sys.modules);"


def run(code: str) -> str:
    """Return what a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert not done.stderr, done.stderr
    return done.stdout


def test_to_import_one_does_not_load_it() -> None:
    assert run(f"{BEGIN} import asyncio, grpc; from grpc import aio; {LOADED}") == "False\n"


@pytest.mark.parametrize(
    "use",
    [
        "import asyncio; asyncio.run(asyncio.sleep(0))",
        "from asyncio import run, sleep; run(sleep(0))",
        "import grpc; grpc.aio.insecure_channel",
        "from grpc.aio import Server; Server.start",
        "from grpc_health.v1 import health; health.aio.HealthServicer()",
        "from grpc_status import rpc_status; rpc_status.aio.from_call",
    ],
)
def test_to_use_one_loads_it(use: str) -> None:
    assert run(f"{BEGIN} {use}; {LOADED}") == "True\n"


def test_one_that_was_used_is_the_very_same_as_if_it_had_not_been_put_off() -> None:
    code = "import asyncio as one; one.run; import asyncio.events, asyncio as other; print(one is other, type(other))"
    assert run(f"{BEGIN} {code}") == "True <class 'module'>\n"


def test_many_threads_that_look_at_once_find_all_of_it() -> None:
    code = """
import threading
import asyncio
together, found = threading.Barrier(8), []
def look():
    together.wait()
    found.append(asyncio.wait_for)
threads = [threading.Thread(target=look) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
print(len(found), len(set(found)))
"""
    assert run(BEGIN + code) == "8 1\n"


def test_what_is_missing_in_one_is_said_to_be() -> None:
    code = """
import asyncio
try:
    asyncio.no_such_thing
except AttributeError as error:
    print(error)
"""
    assert run(BEGIN + code) == "module 'asyncio' has no attribute 'no_such_thing'\n"


def test_one_that_is_loaded_stays_as_it_is() -> None:
    assert run(f"import asyncio as before; {BEGIN} import asyncio; print(before is asyncio, asyncio.run.__name__)") == (
        "True run\n"
    )


def test_one_that_is_not_installed_stays_missing() -> None:
    code = """
put_off("no_such_module", "grpc.no_such_half")
try:
    import no_such_module
except ModuleNotFoundError as error:
    print(error)
"""
    assert run(BEGIN + code) == "No module named 'no_such_module'\n"
