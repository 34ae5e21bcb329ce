"""Who the agents are, where they are, what each is for, and how a turn finds its way to them.

The registry knows no doctor and describes no tool; those are the agents' own and the contract's.
"""

from collections.abc import Callable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from mesh.errors import DomainError, UsageError
from orchestrator.turn import SERVICE, FallbackPolicy

REFLECTED = "reflection"  # the contract of a service that reflects it itself


class RegistryError(UsageError):
    """The registry cannot be used; the message names the file and the place."""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent of the mesh."""

    id: str
    specialty: str  # the code of its first domain; agents of one specialty are asked together (the blueprint's Rule 10)
    address: str  # host and port
    intents: tuple[str, ...] | None = None  # names of the tools that it may be called for; None for all of its service
    other_domains: tuple[str, ...] = ()  # codes of what else it is for
    service: str = SERVICE.full_name
    max_tokens: int | None = None  # the longest request that is meant for it, by an estimate; None for no limit
    name: str | None = None  # what people call it, whatever it says of itself; None: what it says
    certificate: Path | None = None  # the only certificate that it may show, in PEM form; None: any of the mesh's CA
    contract: str | None = None  # of a service of one's own: REFLECTED, or a file with a descriptor set; None: a clinic
    store: str | None = None  # the PostgreSQL server of a clinic's agenda; None: that of the settings, or its db.json

    @property
    def domains(self) -> tuple[str, ...]:
        """All that it is for, the specialty first."""
        return (self.specialty, *self.other_domains)

    def takes(self, intent: str) -> bool:
        """Return whether it may be called for a tool."""
        return self.intents is None or intent in self.intents


class ConflictPolicy(StrEnum):
    """Which of two agents with the same score goes first."""

    PREFER_SPECIFIC = "prefer_specific"  # the one with more domains in common with the request
    FIRST_LISTED = "first_listed"  # the registry's order


@dataclass(frozen=True, slots=True)
class RoutingRules:
    """The rules by which a classification finds its agents."""

    confidence_threshold: float = 0.65  # the least score of an agent, and the least confidence of a classification
    topk: int = 2  # how many groups of equal agents one subtask may go to
    conflict_policy: ConflictPolicy = ConflictPolicy.PREFER_SPECIFIC  # what decides between equal scores
    # Requests of several intents are split into subtasks; else it is asked which comes first
    auto_split_if_conflict: bool = True
    task_timeout_seconds: int | None = None  # how long a read may take; None for the router's own limit
    write_timeout_seconds: int | None = None  # how long a write may take, once a healthy clinic was found


@dataclass(frozen=True, slots=True)
class FallbackRules:
    """What is done with requests that no agent is for."""

    policy: FallbackPolicy = FallbackPolicy.UNSUPPORTED
    max_tokens: int = 300  # the longest direct answer
    folder: str = "proposals"  # where proposals are kept, relative to the data folder
    max_records: int = 50  # how many proposals are kept at most


ROUTING = RoutingRules()
FALLBACK = FallbackRules()  # both are the defaults of a registry


class Registry(Mapping[str, Agent]):
    """Clinics by id, in the file's order, and the rules for routing to them; `with_services` has the others, too."""

    def __init__(
        self,
        agents: Mapping[str, Agent],
        routing: RoutingRules = ROUTING,
        fallback: FallbackRules = FALLBACK,
        services: Mapping[str, Agent] = MappingProxyType({}),
    ) -> None:
        self._agents = dict(agents)
        self._services = dict(services)
        self.routing = routing  # by which a classification finds its agents
        self.fallback = fallback  # for a request that no agent serves

    @property
    def with_services(self) -> Mapping[str, Agent]:
        """All agents by id, clinics first: no plan has a step for the others, whose tools people and programs call."""
        return {**self._agents, **self._services}

    def __getitem__(self, agent_id: str) -> Agent:
        return self._agents[agent_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._agents)

    def __len__(self) -> int:
        return len(self._agents)

    # Of one content, whatever is swapped in meanwhile; Mapping's own view looks each key up again.

    def values(self) -> ValuesView[Agent]:
        """Return the agents."""
        return self._agents.values()

    def with_addresses(self, addresses: Mapping[str, str]) -> "Registry":
        """Return the same registry with its agents elsewhere."""
        agents = {agent.id: replace(agent, address=addresses[agent.id]) for agent in self.values()}
        return Registry(agents, self.routing, self.fallback, self._services)

    def find(self, agent_id: str) -> Agent:
        """Return the agent called `agent_id`; raise `DomainError` UNKNOWN_AGENT, naming the agents there are."""
        agent = self.get(agent_id)
        if agent is None:
            names = ", ".join(self)
            raise DomainError("UNKNOWN_AGENT", f"no such agent; the agents are: {names}", metadata={"agents": names})
        return agent


class LiveRegistry(Registry):
    """A registry that can be read again while it is in use; its content changes all at once."""

    def __init__(self, registry: Registry, read: Callable[[], Registry]) -> None:
        vars(self).update(vars(registry))
        self._read = read

    def reload(self) -> None:
        """Take what the file says now; raise `UsageError`, with nothing changed, if it cannot be used."""
        vars(self).update(vars(self._read()))
