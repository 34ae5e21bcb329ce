"""The service config lets gRPC repeat what the contract says may be repeated, and nothing else."""

import gc
import json
import weakref
from typing import Any

import pytest

from mesh.catalogue import Catalogue
from mesh.channel import open_channel, service_config, stub_of
from mesh.tls import UnprotectedAddressError
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
    assert methods["retryPolicy"]["retryableStatusCodes"] == ["UNAVAILABLE", "CANCELLED"]


def test_a_channel_for_no_service_repeats_nothing() -> None:
    assert config()["methodConfig"] == []


def test_calls_go_to_the_replicas_in_turn_that_say_that_they_are_well() -> None:
    replicated = json.loads(service_config([library_service()], replicated=True))
    assert replicated["loadBalancingConfig"] == [{"round_robin": {}}]
    assert replicated["healthCheckConfig"] == {"serviceName": "library.v1.LibraryService"}
    assert {"loadBalancingConfig", "healthCheckConfig"}.isdisjoint(config(library_service()))


@pytest.mark.parametrize(
    "address", ["dns:///127.0.0.1:1", "dns:///localhost:1", "ipv4:127.0.0.1:1,127.0.0.2:1", "ipv6:[::1]:1"]
)
def test_replicas_of_this_machine_are_called_in_the_clear(address: str) -> None:
    open_channel(address, [library_service()]).close()


@pytest.mark.parametrize(
    "address", ["dns:///clinic-a:1", "ipv4:127.0.0.1:1,192.0.2.1:1", "ipv4:192.0.2.1:1", "127.0.0.1:1,192.0.2.1:1"]
)
def test_no_replica_of_another_machine_is(address: str) -> None:
    with pytest.raises(UnprotectedAddressError):
        open_channel(address, [library_service()])


def test_a_stub_is_made_once_for_a_tool_of_a_channel_and_goes_with_the_channel() -> None:
    tools = Catalogue(library_service())
    channel, other = (open_channel("127.0.0.1:1", [library_service()]) for _ in range(2))
    stub, _ = stub_of(channel, tools["find_books"])
    assert stub_of(channel, tools["find_books"])[0] is stub
    assert stub_of(channel, tools["lend_book"])[0] is not stub
    assert stub_of(other, tools["find_books"])[0] is not stub
    gone = weakref.ref(channel)
    channel.close()
    del channel
    gc.collect()
    assert gone() is None
    other.close()
