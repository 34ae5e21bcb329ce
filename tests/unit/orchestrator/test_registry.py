from pathlib import Path

import pytest

from mesh.errors import DomainError
from orchestrator.registry import Agent, RegistryError, read_registry

ONE = "agents:\n  - {id: clinic_a, specialty: Cardiology}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mesh.yaml"


def test_the_products_own_registry_holds_the_blueprints_six_clinics_from_the_base_port_on() -> None:
    assert tuple(read_registry(8001).values()) == (
        Agent("clinic_a", "Cardiology", "127.0.0.1:8001"),
        Agent("clinic_b", "Dermatology", "127.0.0.1:8002"),
        Agent("clinic_c", "Cardiology", "127.0.0.1:8003"),
        Agent("clinic_d", "Orthopedics", "127.0.0.1:8004"),
        Agent("clinic_e", "Orthopedics", "127.0.0.1:8005"),
        Agent("clinic_f", "Dermatology", "127.0.0.1:8006"),
    )


def test_an_address_of_its_own_leaves_the_others_their_places(file: Path) -> None:
    file.write_text(
        "agents:\n"
        "  - {id: first, specialty: Cardiology}\n"
        "  - {id: far, specialty: Cardiology, address: 'clinic.example:443'}\n"
        "  - {id: six, specialty: Dermatology, address: '[::1]:8001'}\n"
        "  - {id: last, specialty: Dermatology}\n"
    )
    addresses = {agent.id: agent.address for agent in read_registry(9000, file).values()}
    assert addresses == {
        "first": "127.0.0.1:9000",
        "far": "clinic.example:443",
        "six": "[::1]:8001",
        "last": "127.0.0.1:9003",
    }


BROKEN = {
    "empty file": ("", "the file: "),
    "no mapping": ("- clinic_a\n", "the file: "),
    "no agents": ("agents: []\n", "agents: "),
    "other key": (f"{ONE}clinics: []\n", "clinics: "),
    "agents no list": ("agents: clinic_a\n", "agents: "),
    "agent no mapping": ("agents: [clinic_a]\n", "agents.0: "),
    "no id": ("agents:\n  - {specialty: Cardiology}\n", "agents.0.id: "),
    "id in capitals": ("agents:\n  - {id: Clinic_A, specialty: Cardiology}\n", "agents.0.id: "),
    "id a number": ("agents:\n  - {id: 1, specialty: Cardiology}\n", "agents.0.id: "),
    "no specialty": (f"{ONE}  - {{id: clinic_b}}\n", "agents.1.specialty: "),
    "empty specialty": (f"{ONE}  - {{id: clinic_b, specialty: ''}}\n", "agents.1.specialty: "),
    "unknown field": (f"{ONE}  - {{id: b, specialty: X, port: 8002}}\n", "agents.1.port: "),
    "address without port": (f"{ONE}  - {{id: b, specialty: X, address: localhost}}\n", "agents.1.address: "),
    "address without host": (f"{ONE}  - {{id: b, specialty: X, address: ':8002'}}\n", "agents.1.address: "),
    "address with a space": (f"{ONE}  - {{id: b, specialty: X, address: 'a b:8002'}}\n", "agents.1.address: "),
    "port zero": (f"{ONE}  - {{id: b, specialty: X, address: 'a:0'}}\n", "agents.1.address: "),
    "port too large": (f"{ONE}  - {{id: b, specialty: X, address: 'a:65536'}}\n", "agents.1.address: "),
    "two of one id": (f"{ONE}  - {{id: clinic_a, specialty: X}}\n", "agents.1.id: "),
    "two at one address": (f"{ONE}  - {{id: b, specialty: X, address: '127.0.0.1:8001'}}\n", "agents.1.address: "),
    "no YAML": ("agents: [\n", "no valid YAML: "),
    "control character": ("agents: \x00\n", "no valid YAML: "),
}


@pytest.mark.parametrize(("text", "place"), list(BROKEN.values()), ids=list(BROKEN))
def test_a_broken_registry_is_refused_with_file_and_place_in_one_line(file: Path, text: str, place: str) -> None:
    file.write_text(text)
    with pytest.raises(RegistryError) as refusal:
        read_registry(8001, file)
    message = str(refusal.value)
    assert message.startswith(f"{file}: {place}")
    assert "\n" not in message


def test_a_registry_that_is_no_text_is_refused_with_the_byte(file: Path) -> None:
    file.write_bytes(b"agents: \xff")
    with pytest.raises(RegistryError, match=f"^{file}: byte 8: "):
        read_registry(8001, file)


def test_a_registry_that_is_not_there_is_refused_with_its_path(file: Path) -> None:
    with pytest.raises(RegistryError, match=f"^{file}: cannot be read: No such file"):
        read_registry(8001, file)


def test_an_agent_that_the_registry_does_not_hold_is_refused_naming_those_it_does(file: Path) -> None:
    file.write_text(f"{ONE}  - {{id: clinic_b, specialty: Dermatology}}\n")
    registry = read_registry(8001, file)
    assert registry.find("clinic_b") is registry["clinic_b"]
    with pytest.raises(DomainError) as refusal:
        registry.find("clinic_z")
    assert refusal.value.reason == "UNKNOWN_AGENT"
    assert refusal.value.metadata == {"agents": "clinic_a, clinic_b"}
