"""Reads `capabilities.yaml`: a registry, or the line of the mistake.

Strict: a key that nobody knows is refused, so that a typing error never is a rule that does nothing. No message repeats
a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from orchestrator.agents.registry import (
    FALLBACK,
    ROUTING,
    Agent,
    ConflictPolicy,
    FallbackRules,
    Registry,
    RegistryError,
    RoutingRules,
)
from orchestrator.agents.yaml_document import Item, Loader, MistakeError
from orchestrator.turn import FallbackPolicy

_OWN = Path(__file__).parent.with_name("capabilities.yaml")
_LAST_PORT = 65535
_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_CODE = re.compile(r"[^\W\d_][\w -]{0,63}")

_Rules = TypeVar("_Rules", RoutingRules, FallbackRules)
_Check = Callable[[Item, Item], None]
"""Holds an agent's service and intents against the contract."""


class RegistryFile:
    """A file that describes a registry.

    Args:
        base_port: Port of the first agent; those without an address follow in the file's order.
        path: The file; None for `capabilities.yaml` of this package.
    """

    def __init__(self, base_port: int, path: Path | None = None) -> None:
        self._base_port = base_port
        self._path = path or _OWN
        self._name = str(path) if path else _OWN.name

    def read(self) -> Registry:
        """Return the registry, with its form checked; the names of services and tools are taken as they stand.

        The contract that knows those takes as long to load as all else before the clinics are started.

        Raises:
            RegistryError: The file cannot be read, is no YAML, or does not describe agents; the message names the line.
        """
        return self._registry(lambda _service, _intents: None)

    def checked(self) -> Registry:
        """Return the registry, with its names held against the contract, too.

        Raises:
            RegistryError: As `read`, or it names a service or a tool that there is not.
        """
        return self._registry(_check_names)

    def _registry(self, check: _Check) -> Registry:
        try:
            loader = Loader(self._path.read_text("utf-8"))
            try:
                return _registry_of(Item(loader, loader.get_single_node()), self._base_port, check)
            finally:
                loader.dispose()
        except OSError as error:
            raise RegistryError(f"{self._name}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise RegistryError(f"{self._name}: byte {error.start}: no UTF-8 text") from error
        except (yaml.YAMLError, RecursionError) as error:
            raise RegistryError(f"{self._name}: no valid YAML: {' '.join(str(error).split())}") from error
        except MistakeError as error:
            raise RegistryError(f"{self._name}: {error}") from error


def read_registry(base_port: int, path: Path | None = None) -> Registry:
    """Return the checked registry of a file; see `RegistryFile`.

    Raises:
        RegistryError: It cannot be used.
    """
    return RegistryFile(base_port, path).checked()


def _registry_of(root: Item, base_port: int, check: _Check) -> Registry:
    parts = root.fields("agents", optional=("routing", "fallback"))
    agents: dict[str, Agent] = {}
    for number, item in enumerate(parts["agents"].items()):
        fields = item.fields("id", "service", "match", optional=("address", "constraints"))
        agent = _agent(fields, f"127.0.0.1:{base_port + number}", check)
        if agent.id in agents:
            fields["id"].fail("an earlier agent has the same id")
        if any(agent.address == earlier.address for earlier in agents.values()):
            fields.get("address", item).fail(f"an earlier agent is at {agent.address}")
        agents[agent.id] = agent
    return Registry(
        agents,
        _changed(ROUTING, parts.get("routing"), _ROUTING_KEYS),
        _changed(FALLBACK, parts.get("fallback"), _FALLBACK_KEYS),
    )


def _agent(fields: Mapping[str, Item], own_address: str, check: _Check) -> Agent:
    match = fields["match"].fields("intents", "domains")
    domains = match["domains"].texts(_CODE, "a name of letters, digits, spaces, - and _ is expected")
    intents = match["intents"].texts()
    check(fields["service"], match["intents"])
    constraints = fields["constraints"].fields(optional=("max_tokens",)) if "constraints" in fields else {}
    return Agent(
        id=fields["id"].text(_ID, "a name of small letters, digits and _ is expected"),
        specialty=domains[0],
        address=_address(fields["address"]) if "address" in fields else own_address,
        intents=intents,
        other_domains=domains[1:],
        service=fields["service"].text(),
        max_tokens=constraints["max_tokens"].whole(1) if "max_tokens" in constraints else None,
    )


def _address(item: Item) -> str:
    text = item.text()
    host, _, port = text.rpartition(":")
    is_number = port.isascii() and port.isdecimal()
    if host.split() != [host] or not is_number or not 0 < int(port) <= _LAST_PORT:
        item.fail("host:port is expected")
    return text


def _inside(item: Item) -> str:
    text = item.text()
    parts = Path(text).parts
    if Path(text).is_absolute() or ".." in parts or not parts:
        item.fail("a folder inside the data folder is expected")
    return text


_ROUTING_KEYS: Mapping[str, Callable[[Item], Any]] = {
    "confidence_threshold": Item.share,
    "topk": lambda item: item.whole(1),
    "conflict_policy": lambda item: item.choice(ConflictPolicy),
    "auto_split_if_conflict": Item.flag,
}
_FALLBACK_KEYS: Mapping[str, Callable[[Item], Any]] = {
    "policy": lambda item: item.choice(FallbackPolicy),
    "max_tokens": lambda item: item.whole(16, 4096),
    "folder": _inside,
    "max_records": lambda item: item.whole(1, 1000),
}


def _changed(rules: _Rules, item: Item | None, keys: Mapping[str, Callable[[Item], Any]]) -> _Rules:
    """Return rules with what a mapping of the file says in the place of what holds where it says nothing."""
    given = {} if item is None else item.fields(optional=tuple(keys))
    return replace(rules, **{name: keys[name](value) for name, value in given.items()})


def _check_names(service: Item, intents: Item) -> None:
    from orchestrator.turn import CATALOGUE, SERVICE  # noqa: PLC0415 - `RegistryFile.read` says why

    if service.text() != SERVICE.full_name:
        service.fail(f"there is no such service; known is {SERVICE.full_name}")
    for intent in intents.items():
        if intent.text() not in CATALOGUE:
            intent.fail(f"no tool of its service; they are: {', '.join(CATALOGUE)}")
