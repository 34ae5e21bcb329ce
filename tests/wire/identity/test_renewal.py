"""Certificates and keys are renewed in the files of a node that runs, under calls, and none of these is lost."""

from __future__ import annotations

import logging
import shutil
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import grpc
import pytest
from cryptography import x509

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import clinic_service_pb2_grpc
from mesh.channel import open_channel
from mesh.server import NodePolicies
from mesh.tls import ClientTls, Renewed, read_server_tls
from orchestrator.agents.mesh_directory import Channels
from orchestrator.agents.registry import Agent
from orchestrator.security.certificates import make_certificates
from orchestrator.security.token_keys import KeyFolder, TlsFolder
from tests.support.clinics import NOW
from tests.support.tokens import make_keys, token_for
from tests.wire.parity.doors import DEADLINE_S

CALLERS = 4


def wait_until(is_so: Callable[[], bool]) -> None:
    """Ask again and again: a node looks at its files once a second."""
    until = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < until


def swap(new: Path, place: Path) -> None:
    """Put all files of a folder in the place of those of another, as Kubernetes does with a secret: all at once."""
    target = place.with_name(f"{new.name}-now")
    shutil.copytree(new, target)
    link = place.with_name("link")
    link.symlink_to(target)
    link.replace(place)


def ask(channel: grpc.Channel) -> pb.GetClinicResponse:
    stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
    answer: pb.GetClinicResponse = stub.GetClinic(pb.GetClinicRequest(), timeout=DEADLINE_S)
    return answer


def is_answered(address: str, tls: ClientTls) -> bool:
    with open_channel(address, (), tls) as channel:
        try:
            return ask(channel).clinic_id == "clinic_a"
        except grpc.RpcError:
            return False


def serial(address: str) -> int:
    """Return the number of the certificate that a server shows."""
    host, _, port = address.rpartition(":")
    return x509.load_pem_x509_certificate(ssl.get_server_certificate((host, int(port))).encode()).serial_number


@contextmanager
def calling(call: Callable[[], object]) -> Iterator[list[object]]:
    """Yield what is answered to callers who call all the time; an error of theirs is raised at the end."""
    answers: list[object] = []
    is_over = threading.Event()

    def run() -> None:
        while not is_over.is_set():
            answers.append(call())

    with ThreadPoolExecutor(CALLERS) as threads:
        running = [threads.submit(run) for _ in range(CALLERS)]
        try:
            yield answers
        finally:
            is_over.set()
        for each in running:
            each.result(DEADLINE_S)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path, Path]:
    """The place of a secret, and two versions of it by two authorities; the first is in place."""
    first, second, place = tmp_path / "first", tmp_path / "second", tmp_path / "tls"
    for folder in (first, second):
        make_certificates(folder, ["clinic_a"])
    both = b"".join((folder / "ca.pem").read_bytes() for folder in (first, second))
    for folder in (first, second):
        (folder / "ca.pem").write_bytes(both)
    swap(first, place)
    return place, first, second


def test_a_certificate_is_renewed_under_calls_and_new_connections_see_the_new_one(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    place, first, second = folders
    tls = read_server_tls(place / "clinic_a.pem", place / "clinic_a.key", None)
    caller = TlsFolder(first, is_mutual=False).client({})
    with serve("clinic_a", "127.0.0.1:0", tmp_path / "silo", "blueprint", NOW, NodePolicies(tls=tls)) as clinic:
        before = serial(clinic.address)
        with (
            open_channel(clinic.address, (), caller) as channel,
            calling(lambda: (ask(channel).clinic_id, is_answered(clinic.address, caller))) as answers,
        ):
            swap(second, place)
            wait_until(lambda: serial(clinic.address) != before)
            seen = len(answers)
            wait_until(lambda: len(answers) > seen + CALLERS)
    assert set(answers) == {("clinic_a", True)}


@pytest.mark.long
def test_the_authority_of_callers_is_renewed_too(folders: tuple[Path, Path, Path], tmp_path: Path) -> None:
    place, first, _ = folders
    strangers = tmp_path / "strangers"
    make_certificates(strangers, ["clinic_a"])
    tls = read_server_tls(place / "clinic_a.pem", place / "clinic_a.key", place / "ca.pem")
    newcomer = ClientTls((first / "ca.pem").read_bytes(), TlsFolder(strangers).client({}).own)
    with serve("clinic_a", "127.0.0.1:0", tmp_path / "silo", "blueprint", NOW, NodePolicies(tls=tls)) as clinic:
        assert is_answered(clinic.address, TlsFolder(first).client({}))
        assert not is_answered(clinic.address, newcomer)
        shutil.copytree(first, tmp_path / "third")
        (tmp_path / "third" / "ca.pem").write_bytes((strangers / "ca.pem").read_bytes())
        swap(tmp_path / "third", place)
        wait_until(lambda: is_answered(clinic.address, newcomer))
        assert not is_answered(clinic.address, TlsFolder(first).client({}))


@pytest.mark.long
def test_a_caller_shows_its_own_renewed_certificate_and_ends_calls_where_they_began(
    folders: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    place, first, second = folders
    tls = read_server_tls(first / "clinic_a.pem", first / "clinic_a.key", first / "ca.pem")
    with (
        serve("clinic_a", "127.0.0.1:0", tmp_path / "silo", "blueprint", NOW, NodePolicies(tls=tls)) as clinic,
        Channels(Renewed(lambda: TlsFolder(place).client({}))) as channels,
    ):
        agent = Agent("clinic_a", "Cardiology", clinic.address)
        begun = channels.to(agent)
        with calling(lambda: ask(channels.to(agent)).clinic_id) as answers:
            swap(second, place)
            wait_until(lambda: channels.to(agent) is not begun)
            assert ask(begun).clinic_id == ask(channels.to(agent)).clinic_id == "clinic_a"
    assert set(answers) == {"clinic_a"}


@pytest.mark.long
def test_files_that_cannot_be_used_are_logged_and_change_nothing_until_they_can(
    folders: tuple[Path, Path, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place, first, second = folders
    tls = read_server_tls(place / "clinic_a.pem", place / "clinic_a.key", None)
    with serve("clinic_a", "127.0.0.1:0", tmp_path / "silo", "blueprint", NOW, NodePolicies(tls=tls)) as clinic:
        before = serial(clinic.address)
        # One file after another, as some tools do.
        (place / "clinic_a.pem").write_bytes((second / "clinic_a.pem").read_bytes())
        with caplog.at_level(logging.ERROR):
            wait_until(lambda: serial(clinic.address) == before and "still holds" in caplog.text)
        (place / "clinic_a.key").write_bytes((second / "clinic_a.key").read_bytes())
        wait_until(lambda: serial(clinic.address) != before)
        assert is_answered(clinic.address, TlsFolder(first, is_mutual=False).client({}))


def listed(channel: grpc.Channel, token: str) -> str:
    """Return how a call with a token ends: OK, or the status."""
    stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
    metadata = (("authorization", f"Bearer {token}"),)
    try:
        stub.ListAvailableSlots(pb.ListAvailableSlotsRequest(), timeout=DEADLINE_S, metadata=metadata)
    except grpc.RpcError as error:
        return cast("grpc.Call", error).code().name
    return "OK"


def test_a_key_that_comes_is_accepted_and_one_that_goes_is_not_even_for_tokens_that_were_seen(tmp_path: Path) -> None:
    old, new = (make_keys(tmp_path / name) for name in ("old", "new"))
    accepted = KeyFolder(tmp_path / "accepted")
    shutil.copytree(old.public, accepted.public)
    name = accepted.public / "orchestrator.pem"
    with (
        serve("clinic_a", "127.0.0.1:0", tmp_path / "silo", "blueprint", NOW, NodePolicies(accepted.public)) as clinic,
        grpc.insecure_channel(clinic.address) as channel,
    ):
        seen, unseen = token_for(old), token_for(old, issuer="operator")
        assert listed(channel, seen) == "OK"
        assert listed(channel, token_for(new)) == "UNAUTHENTICATED"
        told = set(ask(channel).token_keys)
        with calling(lambda: listed(channel, unseen)) as answers:
            name.write_bytes((new.public / "orchestrator.pem").read_bytes())
            wait_until(lambda: listed(channel, token_for(new)) == "OK")
        assert set(answers) == {"OK"}
        assert listed(channel, seen) == "UNAUTHENTICATED"
        assert set(ask(channel).token_keys) == accepted.fingerprints != told
        (accepted.public / "operator.pem").unlink()
        wait_until(lambda: listed(channel, unseen) == "UNAUTHENTICATED")
