"""Where the agents are and what they are for: `capabilities.yaml`, validated.

The registry knows no doctor and no tool; those are the agents' own and the contract's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from mesh.errors import DomainError

_LAST_PORT = 65535


class RegistryError(ValueError):
    """The registry cannot be used; the message names the file and the place."""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent of the mesh.

    Attributes:
        id: What plans and replies call it.
        specialty: The specialty's code; agents of one specialty are asked together.
        address: Host and port.
    """

    id: str
    specialty: str
    address: str


class Registry(Mapping[str, Agent]):
    """Agents by id, in the file's order."""

    def __init__(self, agents: Mapping[str, Agent]) -> None:
        self._agents = dict(agents)

    def __getitem__(self, agent_id: str) -> Agent:
        return self._agents[agent_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._agents)

    def __len__(self) -> int:
        return len(self._agents)

    def find(self, agent_id: str) -> Agent:
        """Return the agent called `agent_id`.

        Raises:
            DomainError: UNKNOWN_AGENT, naming the agents there are.
        """
        agent = self._agents.get(agent_id)
        if agent is None:
            names = ", ".join(self._agents)
            raise DomainError("UNKNOWN_AGENT", f"no such agent; the agents are: {names}", metadata={"agents": names})
        return agent


def _address(text: str) -> str:
    host, _, port = text.rpartition(":")
    is_number = port.isascii() and port.isdecimal()
    if host.split() != [host] or not is_number or not 0 < int(port) <= _LAST_PORT:
        raise ValueError("host:port is expected")
    return text


class _AgentEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    specialty: Annotated[str, Field(min_length=1)]
    address: Annotated[str, AfterValidator(_address)] | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    agents: Annotated[tuple[_AgentEntry, ...], Field(min_length=1)]


def read_registry(base_port: int, path: Path | None = None) -> Registry:
    """Return the registry of a file, or the one that comes with the product.

    Args:
        base_port: Port of the first agent; those without an address follow in the file's order.
        path: The file; None for `capabilities.yaml` of this package.

    Raises:
        RegistryError: The file cannot be read, is no YAML, or does not describe agents.
    """
    name = str(path) if path else "capabilities.yaml"
    agents: dict[str, Agent] = {}
    for place, entry in enumerate(_entries(name, path)):
        agent = Agent(entry.id, entry.specialty, entry.address or f"127.0.0.1:{base_port + place}")
        if agent.id in agents:
            raise RegistryError(f"{name}: agents.{place}.id: an earlier agent has the same id")
        if any(agent.address == earlier.address for earlier in agents.values()):
            raise RegistryError(f"{name}: agents.{place}.address: an earlier agent is at {agent.address}")
        agents[agent.id] = agent
    return Registry(agents)


def _entries(name: str, path: Path | None) -> tuple[_AgentEntry, ...]:
    try:
        text = path.read_text("utf-8") if path else _own_file()
        return _File.model_validate(yaml.safe_load(text)).agents
    except OSError as error:
        raise RegistryError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RegistryError(f"{name}: byte {error.start}: no UTF-8 text") from error
    except yaml.YAMLError as error:
        raise RegistryError(f"{name}: no valid YAML: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"]) or "the file"
        raise RegistryError(f"{name}: {place}: {fault['msg']}") from error


def _own_file() -> str:
    return resources.files(__package__).joinpath("capabilities.yaml").read_text("utf-8")
