"""The service config lets gRPC repeat what the contract says may be repeated, and nothing else."""

import json
from typing import Any

from mesh.channel import service_config
from tests.support.library import library_service


def config(*services: Any) -> Any:
    return json.loads(service_config(services))


def test_reads_and_writes_with_a_request_id_are_repeated() -> None:
    (methods,) = config(library_service())["methodConfig"]
    assert methods["name"] == [
        {"service": "library.v1.LibraryService", "method": method} for method in ("GetLibrary", "FindBooks", "LendBook")
    ]


def test_only_a_call_that_was_not_served_is_repeated() -> None:
    (methods,) = config(library_service())["methodConfig"]
    assert methods["retryPolicy"]["retryableStatusCodes"] == ["UNAVAILABLE"]


def test_a_channel_for_no_service_repeats_nothing() -> None:
    assert config() == {"methodConfig": []}
