"""The registry: what its file says, the line of each mistake, and being read again while it is in use."""

from __future__ import annotations

from pathlib import Path

import pytest

from mesh.errors import DomainError
from orchestrator.agents.registry import (
    Agent,
    ConflictPolicy,
    FallbackRules,
    LiveRegistry,
    Registry,
    RegistryError,
    RoutingRules,
)
from orchestrator.agents.registry_file import read_registry
from orchestrator.turn.routing import FallbackPolicy
from orchestrator.turn.step_actions import CATALOGUE

TOOLS = tuple(CATALOGUE)


def entry(agent_id: str, domain: str = "Cardiology", more: str = "") -> str:
    """One agent on four lines."""
    return (
        f"  - id: {agent_id}\n"
        "    service: clinic.v1.ClinicService\n"
        f"    match: {{intents: [list_available_slots], domains: [{domain}]}}\n"
        f"    {more or 'constraints: {}'}\n"
    )


ONE = f"agents:\n{entry('clinic_a')}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mesh.yaml"


def test_the_products_own_registry_holds_the_blueprints_six_clinics_from_the_base_port_on() -> None:
    registry = read_registry(8001)
    assert tuple(registry.values()) == tuple(
        Agent(f"clinic_{letter}", specialty, f"127.0.0.1:{port}", TOOLS, max_tokens=8000)
        for letter, specialty, port in (
            ("a", "Cardiology", 8001),
            ("b", "Dermatology", 8002),
            ("c", "Cardiology", 8003),
            ("d", "Orthopedics", 8004),
            ("e", "Orthopedics", 8005),
            ("f", "Dermatology", 8006),
        )
    )
    assert registry.routing == RoutingRules()
    assert registry.fallback == FallbackRules()


def test_the_service_that_agents_are_taken_to_have_is_the_clinics() -> None:
    assert Agent("a", "X", "127.0.0.1:1").service == "clinic.v1.ClinicService"


def test_an_address_of_its_own_leaves_the_others_their_places(file: Path) -> None:
    file.write_text(
        "agents:\n"
        + entry("first")
        + entry("far", more="address: 'clinic.example:443'")
        + entry("six", more="address: '[::1]:8001'")
        + entry("last")
    )
    addresses = {agent.id: agent.address for agent in read_registry(9000, file).values()}
    assert addresses == {
        "first": "127.0.0.1:9000",
        "far": "clinic.example:443",
        "six": "[::1]:8001",
        "last": "127.0.0.1:9003",
    }


def test_intents_domains_constraints_and_rules_are_what_the_file_says(file: Path) -> None:
    file.write_text(
        "agents:\n"
        "  - id: both\n"
        "    service: clinic.v1.ClinicService\n"
        "    match: {intents: [query], domains: [Cardiology, Sports medicine]}\n"
        "    constraints: {max_tokens: 20}\n"
        "routing: {confidence_threshold: 0.5, topk: 1, conflict_policy: first_listed, auto_split_if_conflict: false}\n"
        "fallback: {policy: answer, max_tokens: 64, folder: a/b, max_records: 3}\n"
    )
    registry = read_registry(8001, file)
    (agent,) = registry.values()
    assert (agent.specialty, agent.domains) == ("Cardiology", ("Cardiology", "Sports medicine"))
    assert (agent.intents, agent.max_tokens) == (("query",), 20)
    assert (agent.takes("query"), agent.takes("get_patient")) == (True, False)
    assert registry.routing == RoutingRules(0.5, 1, ConflictPolicy.FIRST_LISTED, auto_split_if_conflict=False)
    assert registry.fallback == FallbackRules(FallbackPolicy.ANSWER, 64, "a/b", 3)


def test_a_name_and_a_certificate_of_the_registrys_own_are_what_the_file_says(file: Path) -> None:
    file.write_text(f"agents:\n{entry('clinic_a', more='name: Clínica da Praça')}    certificate: tls/a.pem\n", "utf-8")
    agent = read_registry(9000, file)["clinic_a"]
    assert (agent.name, agent.certificate) == ("Clínica da Praça", Path("tls/a.pem"))


def test_a_clinic_has_a_server_of_its_own_where_the_file_says_so(file: Path) -> None:
    file.write_text(f"{ONE}    store: postgresql://clinics@db.example/clinics\n")
    assert read_registry(9000, file)["clinic_a"].store == "postgresql://clinics@db.example/clinics"


@pytest.mark.parametrize("url", ["postgresql://clinics:secret@db.example/clinics", "postgres://db/c?password=secret"])
def test_a_password_of_a_server_is_refused_and_not_repeated(file: Path, url: str) -> None:
    file.write_text(f"{ONE}    store: {url}\n")
    with pytest.raises(RegistryError, match=r"line 6: .*store: .*without a password") as refused:
        read_registry(9000, file)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("name", ['"a\\u001bb"', '"a\\nb"', '"a  b"', '" a"', "a" * 121, '""'])
def test_a_name_that_is_not_one_printable_line_is_refused(file: Path, name: str) -> None:
    file.write_text(f"agents:\n{entry('clinic_a', more=f'name: {name}')}", "utf-8")
    with pytest.raises(RegistryError, match=r"line 5: agents\[0\]\.name"):
        read_registry(9000, file)


def test_two_agents_of_one_name_are_refused(file: Path) -> None:
    file.write_text(f"agents:\n{entry('clinic_a', more='name: A')}{entry('clinic_b', more='name: A')}", "utf-8")
    with pytest.raises(RegistryError, match=r"agents\[1\]\.name: an earlier agent has the same name"):
        read_registry(9000, file)


def broken(more: str, base: str = ONE) -> str:
    return base + more


UNKNOWN_INTENT = """agents:
  - id: b
    service: clinic.v1.ClinicService
    match:
      domains: [X]
      intents:
        - query
        - book_apointment
"""

BROKEN = {
    "empty file": ("", 1, "the root: "),
    "no mapping": ("- clinic_a\n", 1, "the root: "),
    "no agents": ("agents: []\n", 1, "agents: "),
    "other key": (broken("clinics: []\n"), 6, "clinics: "),
    "agents no list": ("agents: clinic_a\n", 1, "agents: "),
    "agent no mapping": ("agents: [clinic_a]\n", 1, "agents[0]: "),
    "no id": ("agents:\n  - service: clinic.v1.ClinicService\n", 2, "agents[0].id: "),
    "id in capitals": (f"agents:\n{entry('Clinic_A')}", 2, "agents[0].id: "),
    "id a number": (f"agents:\n{entry('1')}", 2, "agents[0].id: "),
    "no match": (broken("  - id: b\n    service: clinic.v1.ClinicService\n"), 6, "agents[1].match: "),
    "no intents": (
        "agents:\n  - id: b\n    service: s\n    match:\n      domains: [X]\n",
        4,
        "agents[0].match.intents: ",
    ),
    "empty intents": (
        "agents:\n  - id: b\n    service: s\n    match:\n      intents: []\n      domains: [X]\n",
        5,
        "agents[0].match.intents: ",
    ),
    "unknown intent": (
        UNKNOWN_INTENT,
        8,
        "agents[0].match.intents[1]: no tool of its service; they are: list_available_slots, ",
    ),
    "intent twice": (
        "agents:\n  - id: b\n    service: s\n    match: {intents: [query, query], domains: [X]}\n",
        4,
        "agents[0].match.intents: ",
    ),
    "id that ends with a line": ("agents:\n" + entry('"b\\n"'), 2, "agents[0].id: "),
    "domain that ends with a line": (broken(entry("b", '"X\\n"')), 8, "agents[1].match.domains[0]: "),
    "empty domain": (broken(entry("b", "''")), 8, "agents[1].match.domains[0]: "),
    "no domains": (broken(entry("b", "")), 8, "agents[1].match.domains: "),
    "domain twice": (broken(entry("b", "X, X")), 8, "agents[1].match.domains: "),
    "unknown service": (
        broken("  - id: b\n    service: clinic.v2.ClinicService\n    match: {intents: [query], domains: [X]}\n"),
        7,
        "agents[1].service: known is clinic.v1.ClinicService; any other needs `contract`",
    ),
    "contract of a clinic": (broken(entry("b", more="contract: reflection")), 7, "agents[1].service: the contract of"),
    "name of a service": (
        broken(
            "  - id: b\n    service: x.v1.X\n    contract: reflection\n"
            "    match: {intents: [f], domains: [X]}\n    name: B\n"
        ),
        10,
        "agents[1].name: clinics alone have it",
    ),
    "unknown field": (broken(entry("b", more="port: 8002")), 9, "agents[1].port: "),
    "unknown constraint": (
        broken(entry("b", more="constraints: {max_token: 1}")),
        9,
        "agents[1].constraints.max_token",
    ),
    "no tokens": (broken(entry("b", more="constraints: {max_tokens: 0}")), 9, "agents[1].constraints.max_tokens: "),
    "address without port": (broken(entry("b", more="address: localhost")), 9, "agents[1].address: "),
    "address without host": (broken(entry("b", more="address: ':8002'")), 9, "agents[1].address: "),
    "address with a space": (broken(entry("b", more="address: 'a b:8002'")), 9, "agents[1].address: "),
    "port zero": (broken(entry("b", more="address: 'a:0'")), 9, "agents[1].address: "),
    "port too large": (broken(entry("b", more="address: 'a:65536'")), 9, "agents[1].address: "),
    "two of one id": (broken(entry("clinic_a")), 6, "agents[1].id: "),
    "two at one address": (broken(entry("b", more="address: '127.0.0.1:8001'")), 9, "agents[1].address: "),
    "a key twice": (broken("routing: {topk: 1}\nrouting: {topk: 2}\n"), 7, "routing: the key is there twice"),
    "a key of an agent twice": (broken(entry("b", more="id: c")), 9, "agents[1].id: the key is there twice"),
    "threshold above one": (broken("routing: {confidence_threshold: 65}\n"), 6, "routing.confidence_threshold: "),
    "no group": (broken("routing:\n  topk: 0\n"), 7, "routing.topk: "),
    "unknown policy for ties": (broken("routing: {conflict_policy: coin}\n"), 6, "routing.conflict_policy: "),
    "split no truth": (broken("routing: {auto_split_if_conflict: 1}\n"), 6, "routing.auto_split_if_conflict: "),
    "no time": (broken("routing: {task_timeout_seconds: 0}\n"), 6, "routing.task_timeout_seconds: "),
    "unknown fallback": (broken("fallback:\n  policy: guess\n"), 7, "fallback.policy: "),
    "no answer": (broken("fallback:\n  max_tokens: 1\n"), 7, "fallback.max_tokens: "),
    "folder elsewhere": (broken("fallback:\n  folder: ../up\n"), 7, "fallback.folder: "),
    "folder at the root": (broken("fallback:\n  folder: /tmp\n"), 7, "fallback.folder: "),
    "a number that is none": (broken("routing: {topk: !!int two}\n"), 6, "routing.topk: a whole number"),
    "a date that is none": (broken("fallback: {folder: 2025-13-45}\n"), 6, "fallback.folder: text is expected"),
    "a key that is a list": (broken("? [routing, fallback]\n: {}\n"), 6, "the root: a key is a single word"),
    "an alias of itself": ("agents: &a [*a]\n", None, "no valid YAML: "),
    "two documents": (f"{ONE}---\n{ONE}", None, "no valid YAML: "),
    "no YAML": ("agents: [\n", None, "no valid YAML: "),
    "control character": ("agents: \x00\n", None, "no valid YAML: "),
}


@pytest.mark.parametrize(("text", "line", "place"), list(BROKEN.values()), ids=list(BROKEN))
def test_a_broken_registry_is_refused_with_file_line_and_place_in_one_line(
    file: Path, text: str, line: int | None, place: str
) -> None:
    file.write_text(text)
    with pytest.raises(RegistryError) as refusal:
        read_registry(8001, file)
    message = str(refusal.value)
    assert message.startswith(f"{file}: {place}" if line is None else f"{file}: line {line}: {place}")
    assert "\n" not in message


def test_a_registry_that_is_no_text_is_refused_with_the_byte(file: Path) -> None:
    file.write_bytes(b"agents: \xff")
    with pytest.raises(RegistryError, match=f"^{file}: byte 8: "):
        read_registry(8001, file)


def test_a_registry_that_is_not_there_is_refused_with_its_path(file: Path) -> None:
    with pytest.raises(RegistryError, match=f"^{file}: cannot be read: No such file"):
        read_registry(8001, file)


def test_an_agent_that_the_registry_does_not_hold_is_refused_naming_those_it_does(file: Path) -> None:
    file.write_text(broken(entry("clinic_b")))
    registry = read_registry(8001, file)
    assert registry.find("clinic_b") is registry["clinic_b"]
    with pytest.raises(DomainError) as refusal:
        registry.find("clinic_z")
    assert refusal.value.reason == "UNKNOWN_AGENT"
    assert refusal.value.metadata == {"agents": "clinic_a, clinic_b"}


def live(file: Path) -> LiveRegistry:
    return LiveRegistry(read_registry(8001, file), lambda: read_registry(8001, file))


def test_whoever_holds_a_live_registry_sees_what_a_reload_brings(file: Path) -> None:
    file.write_text(broken(entry("clinic_b")))
    registry = live(file)
    file.write_text(f"agents:\n{entry('clinic_b')}{entry('clinic_c')}routing: {{topk: 1}}\n")
    registry.reload()
    assert list(registry) == ["clinic_b", "clinic_c"]
    assert "clinic_a" not in registry
    assert registry.routing.topk == 1
    with pytest.raises(DomainError):
        registry.find("clinic_a")


def test_a_file_that_cannot_be_used_leaves_the_registry_as_it_was(file: Path) -> None:
    file.write_text(ONE)
    registry = live(file)
    file.write_text(broken(entry("b", more="port: 1")))
    with pytest.raises(RegistryError, match=r"line 9: agents\[1\]\.port: "):
        registry.reload()
    assert list(registry) == ["clinic_a"]


def test_who_is_going_through_a_registry_while_it_is_reloaded_goes_on_with_the_old_one(file: Path) -> None:
    file.write_text(broken(entry("clinic_b")))
    registry = live(file)
    agents = iter(registry.values())
    next(agents)
    file.write_text(f"agents:\n{entry('clinic_z')}")
    registry.reload()
    assert [agent.id for agent in agents] == ["clinic_b"]


def test_agents_can_be_somewhere_else_with_all_else_as_it_was() -> None:
    agent = Agent("a", "X", "127.0.0.1:1", ("query",), ("Y",), max_tokens=9)
    moved = Registry({"a": agent}, RoutingRules(topk=1)).with_addresses({"a": "127.0.0.1:7"})
    assert moved["a"] == Agent("a", "X", "127.0.0.1:7", ("query",), ("Y",), max_tokens=9)
    assert moved.routing.topk == 1
