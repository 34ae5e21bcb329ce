"""TLS with real certificates: who shows none, or another authority's, is not spoken with."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import grpc
import pytest
from cryptography import x509

from clinics.__main__ import main as run_clinic
from clinics.program import serve
from clinics.startup import StartupError
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1 import clinic_service_pb2_grpc
from mesh.channel import open_channel
from mesh.errors import UsageError
from mesh.server import NodePolicies, Server, open_node
from mesh.tls import ClientTls, ServerTls, UnprotectedAddressError, is_loopback, read_ca, read_certified_key
from orchestrator.agents.registry import Agent, Registry
from orchestrator.composition.connection import protection_of
from orchestrator.fleet.clinic_probe import Absence, Member, Present, probe
from orchestrator.security.certificates import make_certificates
from orchestrator.security.token_keys import TlsFolder
from orchestrator.settings import read_settings
from tests.support.clinics import NOW
from tests.support.tokens import make_keys
from tests.wire.parity.doors import DEADLINE_S

CLINICS = ("clinic_a", "clinic_b")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home") / "tls"
    make_certificates(folder, CLINICS)
    return folder


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates of the same names by another authority."""
    folder = tmp_path_factory.mktemp("elsewhere") / "tls"
    make_certificates(folder, CLINICS)
    return folder


@contextmanager
def clinic_with(certificates: Path, silo: Path, *, is_mutual: bool, listen: str = "127.0.0.1:0") -> Iterator[Server]:
    ca = read_ca(certificates / "ca.pem") if is_mutual else None
    keys = None if is_loopback(listen) else make_keys(silo.parent).public
    own = read_certified_key(certificates / "clinic_a.pem", certificates / "clinic_a.key")
    with serve(
        "clinic_a", listen, silo, "blueprint", NOW, NodePolicies(keys, tls=lambda: ServerTls(own, ca))
    ) as clinic:
        yield clinic


def ask(address: str, tls: ClientTls | None) -> str:
    """Return the id of the clinic that answers."""
    with open_channel(address, (), tls) as channel:
        stub = clinic_service_pb2_grpc.ClinicServiceStub(channel)
        return str(stub.GetClinic(pb.GetClinicRequest(), timeout=DEADLINE_S).clinic_id)


def port_of(clinic: Server) -> str:
    return clinic.address.rpartition(":")[2]


def refusal(address: str, tls: ClientTls | None) -> grpc.StatusCode:
    with pytest.raises(grpc.RpcError) as refused:
        ask(address, tls)
    return cast("grpc.Call", refused.value).code()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_clinic_shows_its_certificate_to_who_trusts_its_authority(
    certificates: Path, tmp_path: Path, host: str
) -> None:
    with clinic_with(certificates, tmp_path, is_mutual=False) as clinic:
        assert ask(f"{host}:{port_of(clinic)}", TlsFolder(certificates, is_mutual=False).client({})) == "clinic_a"


def test_mutual_tls_asks_for_both_certificates(certificates: Path, strangers: Path, tmp_path: Path) -> None:
    ours = TlsFolder(certificates).client({})
    with clinic_with(certificates, tmp_path, is_mutual=True) as clinic:
        assert ask(clinic.address, ours) == "clinic_a"
        assert refusal(clinic.address, replace(ours, own=None)) is grpc.StatusCode.UNAVAILABLE
        assert (
            refusal(clinic.address, replace(ours, own=TlsFolder(strangers).client({}).own))
            is grpc.StatusCode.UNAVAILABLE
        )


def probe_command(certificates: Path, name: str | None) -> list[str]:
    own = [] if name is None else [f"--tls-cert={certificates / name}.pem", f"--tls-key={certificates / name}.key"]
    return [f"--ca={certificates / 'ca.pem'}", *own]


def test_a_supervisor_asks_for_health_under_tls(
    certificates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with clinic_with(certificates, tmp_path, is_mutual=True) as clinic:
        check = ["--check", clinic.address]
        assert run_clinic([*check, *probe_command(certificates, "probe")]) == 0
        assert run_clinic([f"--check={clinic.address}", *probe_command(certificates, "probe")]) == 0
        assert run_clinic([*check, *probe_command(certificates, None)]) == 1
    assert run_clinic([*check, *probe_command(certificates, "probe")]) == 1
    assert capsys.readouterr().err == f"python -m clinics: {clinic.address}: UNAVAILABLE\n" * 2


def test_a_clinics_certificate_is_none_to_call_with(certificates: Path, tmp_path: Path) -> None:
    other = read_certified_key(certificates / "clinic_b.pem", certificates / "clinic_b.key")
    with clinic_with(certificates, tmp_path, is_mutual=True) as clinic:
        tls = ClientTls(read_ca(certificates / "ca.pem"), other)
        assert refusal(clinic.address, tls) is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("is_mutual", [True, False])
def test_where_a_certificate_is_pinned_no_other_of_the_same_authority_will_do(
    certificates: Path, tmp_path: Path, *, is_mutual: bool
) -> None:
    folder = TlsFolder(certificates, is_mutual)
    with clinic_with(certificates, tmp_path, is_mutual=is_mutual) as clinic:
        pinned = folder.client({clinic.address: Path("clinic_a.pem"), "127.0.0.1:1": Path("clinic_b.pem")})
        assert ask(clinic.address, pinned) == "clinic_a"
        assert len({pinned, folder.client({})}) == 2
        other = folder.client({clinic.address: certificates / "clinic_b.pem"})
        assert refusal(clinic.address, other) is grpc.StatusCode.UNAVAILABLE


def test_a_pinned_certificate_takes_tls(tmp_path: Path) -> None:
    agent = Agent("clinic_a", "Cardiology", "127.0.0.1:8001", certificate=Path("clinic_a.pem"))
    settings = read_settings({"data_dir": str(tmp_path)}, {}, tmp_path / ".env")
    with pytest.raises(UsageError, match="pins certificates"):
        protection_of(settings, Registry({"clinic_a": agent}))


def test_a_clinic_of_another_authority_is_not_spoken_with(certificates: Path, strangers: Path, tmp_path: Path) -> None:
    with clinic_with(strangers, tmp_path, is_mutual=False) as clinic:
        assert refusal(clinic.address, TlsFolder(certificates).client({})) is grpc.StatusCode.UNAVAILABLE


def test_plain_and_tls_do_not_meet(certificates: Path, tmp_path: Path) -> None:
    tls = TlsFolder(certificates).client({})
    with clinic_with(certificates, tmp_path / "tls", is_mutual=False) as clinic:
        assert refusal(clinic.address, None) is grpc.StatusCode.UNAVAILABLE
        assert probe(Member("clinic_a", clinic.address, tmp_path)) is Absence.STRANGER
        assert isinstance(probe(Member("clinic_a", clinic.address, tmp_path), tls, timeout_s=DEADLINE_S), Present)
    with serve("clinic_a", "127.0.0.1:0", tmp_path / "plain", "blueprint", NOW) as clinic:
        assert refusal(clinic.address, tls) is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "192.0.2.1:8001", "example.org:8001"])
def test_an_address_that_others_reach_is_not_served_in_the_clear(tmp_path: Path, listen: str) -> None:
    keys = make_keys(tmp_path).public
    with pytest.raises(StartupError, match=r"can be reached by other machines.*--tls-cert") as refused:
        serve("clinic_a", listen, tmp_path / "silo", "blueprint", NOW, NodePolicies(keys))
    assert refused.value.usage
    with pytest.raises(StartupError, match=r"can be reached by other machines, which takes --keys"):
        serve("clinic_a", listen, tmp_path / "silo", "blueprint", NOW)
    with pytest.raises(UnprotectedAddressError):
        open_node("library", listen, {}, [])


def test_an_address_that_others_reach_is_served_with_tls(certificates: Path, tmp_path: Path) -> None:
    with clinic_with(certificates, tmp_path, is_mutual=True, listen="0.0.0.0:0") as clinic:
        assert ask(f"127.0.0.1:{port_of(clinic)}", TlsFolder(certificates).client({})) == "clinic_a"


@pytest.mark.parametrize("address", ["192.0.2.1:8001", "clinics.example.org:8001", "[2001:db8::1]:8001", "0.0.0.0:1"])
def test_another_machine_is_not_called_in_the_clear(address: str) -> None:
    with pytest.raises(UnprotectedAddressError, match="takes TLS"):
        open_channel(address, ())


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.8.8.8:1", "localhost:1", "[::1]:1"])
def test_this_machine_is_its_own_loopback(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize("address", ["127.0.0.1.example.org:1", "localhost.example.org:1", "", ":1", "127.1:1"])
def test_what_only_looks_like_the_loopback_is_another_machine(address: str) -> None:
    assert not is_loopback(address)


def test_certificates_are_private_and_name_their_clinic_and_this_machine(certificates: Path) -> None:
    assert {stat.S_IMODE(path.stat().st_mode) for path in certificates.iterdir()} == {0o600}
    certificate = x509.load_pem_x509_certificate((certificates / "clinic_b.pem").read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["clinic_b", "localhost"]
    assert [str(address) for address in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1", "::1"]


def test_certificates_that_are_there_are_never_replaced_and_missing_ones_are_added(tmp_path: Path) -> None:
    assert len(make_certificates(tmp_path, CLINICS)) == 6
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert make_certificates(tmp_path, CLINICS) == ()
    assert make_certificates(tmp_path, (*CLINICS, "clinic_c")) == (tmp_path / "clinic_c.pem",)
    assert {path: path.read_bytes() for path in before} == before
    read_certified_key(tmp_path / "clinic_c.pem", tmp_path / "clinic_c.key")


@pytest.mark.parametrize("gone", ["ca.key", "ca.pem", "clinic_a.key", "clinic_a.pem"])
def test_half_of_a_pair_is_not_made_whole(tmp_path: Path, gone: str) -> None:
    make_certificates(tmp_path, CLINICS)
    (tmp_path / gone).unlink()
    with pytest.raises(UsageError, match="is there without"):
        make_certificates(tmp_path, CLINICS)
    assert not (tmp_path / gone).exists()


def test_files_that_cannot_be_used_are_named_at_the_start(certificates: Path, strangers: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.pem").touch()
    for certificate, key in (
        (certificates / "clinic_a.pem", certificates / "clinic_b.key"),
        (certificates / "clinic_a.pem", strangers / "clinic_a.key"),
        (tmp_path / "empty.pem", certificates / "clinic_a.key"),
        (tmp_path / "missing.pem", certificates / "clinic_a.key"),
    ):
        with pytest.raises(UsageError, match=certificate.name):
            read_certified_key(certificate, key)
    with pytest.raises(UsageError, match=r"empty\.pem: not a certificate"):
        read_ca(tmp_path / "empty.pem")
