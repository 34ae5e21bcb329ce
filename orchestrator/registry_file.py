"""Reads `capabilities.yaml`: a registry, or the line of the mistake.

Strict: a key that nobody knows is refused, so that a typing error never is a rule that does nothing. No message repeats
a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from orchestrator.registry import (
    FALLBACK,
    ROUTING,
    Agent,
    ConflictPolicy,
    FallbackPolicy,
    FallbackRules,
    Registry,
    RegistryError,
    RoutingRules,
)

_LAST_PORT = 65535
_DEEPEST = 6

_Place = Sequence[str | int]
"""Keys and positions from the root of the file."""


class RegistryFile:
    """A file that describes a registry.

    Args:
        base_port: Port of the first agent; those without an address follow in the file's order.
        path: The file; None for `capabilities.yaml` of this package.
    """

    def __init__(self, base_port: int, path: Path | None = None) -> None:
        self._base_port = base_port
        self._path = path
        self._name = str(path) if path else "capabilities.yaml"

    def read(self) -> Registry:
        """Return the registry, with its form checked; the names of services and tools are taken as they stand.

        The contract that knows those takes as long to load as all else before the clinics are started.

        Raises:
            RegistryError: The file cannot be read, is no YAML, or does not describe agents; the message names the line.
        """
        return self._registry(lambda _: None)

    def checked(self) -> Registry:
        """Return the registry, with its names held against the contract, too.

        Raises:
            RegistryError: As `read`, or it names a service or a tool that there is not.
        """
        return self._registry(_check_names)

    def _registry(self, check: Callable[[_File], None]) -> Registry:
        root, content = self._parsed()
        try:
            _check_keys(root)
            file = _File.model_validate(content)
            check(file)
            return _registry_of(file, self._base_port)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            raise self._error(root, first["loc"], first["msg"]) from error
        except _MistakeError as error:
            raise self._error(root, error.place, str(error)) from error

    def _parsed(self) -> tuple[yaml.Node | None, object]:
        try:
            text = self._path.read_text("utf-8") if self._path else _own_file()
            loader = yaml.SafeLoader(text)
            try:
                root = loader.get_single_node()
                return root, None if root is None else loader.construct_document(root)
            finally:
                loader.dispose()
        except OSError as error:
            raise RegistryError(f"{self._name}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise RegistryError(f"{self._name}: byte {error.start}: no UTF-8 text") from error
        except (yaml.YAMLError, RecursionError) as error:
            raise RegistryError(f"{self._name}: no valid YAML: {' '.join(str(error).split())}") from error

    def _error(self, root: yaml.Node | None, place: _Place, fault: str) -> RegistryError:
        where = ".".join(map(str, place)) or "the file"
        return RegistryError(f"{self._name}: line {_line(root, place)}: {where}: {fault}")


def read_registry(base_port: int, path: Path | None = None) -> Registry:
    """Return the checked registry of a file; see `RegistryFile`.

    Raises:
        RegistryError: It cannot be used.
    """
    return RegistryFile(base_port, path).checked()


class _MistakeError(ValueError):
    """Two places that do not go together, or a name that nobody knows."""

    def __init__(self, place: _Place, message: str) -> None:
        super().__init__(message)
        self.place = place


def _address(text: str) -> str:
    host, _, port = text.rpartition(":")
    is_number = port.isascii() and port.isdecimal()
    if host.split() != [host] or not is_number or not 0 < int(port) <= _LAST_PORT:
        raise ValueError("host:port is expected")
    return text


def _inside(text: str) -> str:
    parts = Path(text).parts
    if Path(text).is_absolute() or ".." in parts or not parts:
        raise ValueError("a folder inside the data folder is expected")
    return text


def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise ValueError("a name is there twice")
    return names


_Code = Annotated[str, Field(pattern=r"^[^\W\d_][\w -]{0,63}\Z")]


class _Model(BaseModel):
    # Python's own expressions: the other engine takes 20 ms of every start to compile 64 letters of any alphabet.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, regex_engine="python-re")


class _Match(_Model):
    intents: Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_once)]
    domains: Annotated[tuple[_Code, ...], Field(min_length=1), AfterValidator(_once)]


class _Constraints(_Model):
    max_tokens: Annotated[int, Field(ge=1)] | None = None


class _AgentEntry(_Model):
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}\Z")]
    service: str
    address: Annotated[str, AfterValidator(_address)] | None = None
    match: _Match
    constraints: _Constraints = _Constraints()


class _Routing(_Model):
    confidence_threshold: Annotated[float, Field(ge=0, le=1)] = ROUTING.confidence_threshold
    topk: Annotated[int, Field(ge=1)] = ROUTING.topk
    conflict_policy: ConflictPolicy = ROUTING.conflict_policy
    auto_split_if_conflict: Annotated[bool, Field(strict=True)] = ROUTING.auto_split_if_conflict


class _Fallback(_Model):
    policy: FallbackPolicy = FALLBACK.policy
    max_tokens: Annotated[int, Field(ge=16, le=4096)] = FALLBACK.max_tokens
    folder: Annotated[str, AfterValidator(_inside)] = FALLBACK.folder
    max_records: Annotated[int, Field(ge=1, le=1000)] = FALLBACK.max_records


class _File(_Model):
    agents: Annotated[tuple[_AgentEntry, ...], Field(min_length=1)]
    routing: _Routing = _Routing()
    fallback: _Fallback = _Fallback()


def _registry_of(file: _File, base_port: int) -> Registry:
    agents: dict[str, Agent] = {}
    for number, entry in enumerate(file.agents):
        place = ("agents", number)
        agent = Agent(
            entry.id,
            entry.match.domains[0],
            entry.address or f"127.0.0.1:{base_port + number}",
            entry.match.intents,
            entry.match.domains[1:],
            entry.service,
            entry.constraints.max_tokens,
        )
        if agent.id in agents:
            raise _MistakeError((*place, "id"), "an earlier agent has the same id")
        if any(agent.address == earlier.address for earlier in agents.values()):
            raise _MistakeError((*place, "address"), f"an earlier agent is at {agent.address}")
        agents[agent.id] = agent
    return Registry(agents, RoutingRules(**file.routing.model_dump()), FallbackRules(**file.fallback.model_dump()))


def _check_names(file: _File) -> None:
    from orchestrator.contract import CATALOGUE, SERVICE  # noqa: PLC0415 - `RegistryFile.read` says why

    for number, entry in enumerate(file.agents):
        place = ("agents", number)
        if entry.service != SERVICE.full_name:
            raise _MistakeError((*place, "service"), f"there is no such service; known is {SERVICE.full_name}")
        for at, intent in enumerate(entry.match.intents):
            if intent not in CATALOGUE:
                tools = ", ".join(CATALOGUE)
                raise _MistakeError((*place, "match", "intents", at), f"no tool of its service; they are: {tools}")


def _check_keys(root: yaml.Node | None, place: _Place = ()) -> None:
    """Refuse a mapping that holds a key twice: YAML itself would silently take the last.

    Raises:
        _MistakeError: One does.
    """
    if len(place) > _DEEPEST:
        return  # an alias of itself, which is refused as what it is not
    match root:
        case yaml.MappingNode():
            seen: set[object] = set()
            for key, value in root.value:
                here = (*place, str(key.value))
                if isinstance(key, yaml.ScalarNode) and key.value in seen:
                    raise _MistakeError(here, "the key is there twice")
                if isinstance(key, yaml.ScalarNode):
                    seen.add(key.value)
                _check_keys(value, here)
        case yaml.SequenceNode():
            for number, value in enumerate(root.value):
                _check_keys(value, (*place, number))
        case _:
            pass


def _line(root: yaml.Node | None, place: _Place) -> int:
    """Return the line of a place, counted from 1; of what is missing, that of what it is missing in."""
    node, line = root, 1
    for part in place:
        match node:
            case yaml.MappingNode():
                # A mistake in a key stands where the key does.
                found = [(key, value) for key, value in node.value if key.value == part]
                if not found:
                    break
                key, node = found[-1]
                line = key.start_mark.line + 1
            case yaml.SequenceNode() if isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                line = node.start_mark.line + 1
            case _:
                break
    return line


def _own_file() -> str:
    return resources.files(__package__).joinpath("capabilities.yaml").read_text("utf-8")
