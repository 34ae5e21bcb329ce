"""Read `capabilities.yaml` strictly: an unknown key is refused, a fault names the line and repeats no value."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from mesh.sanitizer import clean_text
from mesh.store_url import EXPECTED, is_store_url
from mesh.strict_document import ANY_TEXT, DocumentError, Item, Reader
from orchestrator.agents import registry
from orchestrator.turn import CATALOGUE, SERVICE, FallbackPolicy

_OWN = Path(__file__).parent.with_name("capabilities.yaml")
_LAST_PORT = 65535
_LONGEST_NAME = 120
_LONGEST_TASK_S = 60
_ADDRESS = "host:port is expected"
_NAME = f"one line of at most {_LONGEST_NAME} printable characters is expected"
_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_CODE = re.compile(r"[^\W\d_][\w -]{0,63}")

# The same loader twice; the one in C takes a tenth of the time, and not every build of the library has it.
_Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

_OPTIONAL = ("address", "name", "certificate", "constraints", "contract", "store")
_ROUTING_KEYS: Mapping[str, Reader] = {
    "confidence_threshold": Item.share,
    "topk": lambda item: item.whole(1),
    "conflict_policy": lambda item: item.choice(registry.ConflictPolicy),
    "auto_split_if_conflict": Item.flag,
    "task_timeout_seconds": lambda item: item.whole(1, _LONGEST_TASK_S),
    "write_timeout_seconds": lambda item: item.whole(1, _LONGEST_TASK_S),
}


def read_registry(base_port: int, path: Path | None = None) -> registry.Registry:
    """Return the registry of a file, or our own; addresses follow from `base_port`. Raise RegistryError for a fault."""
    file, name = path or _OWN, str(path or _OWN.name)
    try:
        loader = _Loader(file.read_text("utf-8"))
        try:
            lines, node = {"": 1}, loader.get_single_node()
            value = None if node is None else _value_of(loader, node, "", lines)
            return _registry_of(Item(value, lines=lines), base_port, file.parent)
        finally:
            loader.dispose()
    except OSError as error:
        raise registry.RegistryError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise registry.RegistryError(f"{name}: byte {error.start}: no UTF-8 text") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise registry.RegistryError(f"{name}: no valid YAML: {' '.join(str(error).split())}") from error
    except DocumentError as error:
        raise registry.RegistryError(f"{name}: {error}") from error


def _value_of(loader: yaml.CSafeLoader | yaml.SafeLoader, node: yaml.Node, place: str, lines: dict[str, int]) -> object:
    """Return a node's value, and note the line of each place in it: that of its key, or its own in a list."""
    match node:
        case yaml.MappingNode():
            fields: dict[str, object] = {}
            for key, value in node.value:
                line = key.start_mark.line + 1
                if not isinstance(key, yaml.ScalarNode):
                    raise DocumentError(f"line {line}: {place or 'the root'}: a key is a single word here")
                below = f"{place}.{key.value}" if place else key.value
                if key.value in fields:  # YAML itself would silently take the last
                    raise DocumentError(f"line {line}: {below}: the key is there twice")
                lines[below] = line
                fields[key.value] = _value_of(loader, value, below, lines)
            return fields
        case yaml.SequenceNode():
            lines |= {f"{place}[{number}]": item.start_mark.line + 1 for number, item in enumerate(node.value)}
            return [_value_of(loader, item, f"{place}[{number}]", lines) for number, item in enumerate(node.value)]
        case _:
            try:
                return loader.construct_object(node)
            except ValueError:  # what looks like a date or a number, and is none; the message may repeat it
                return None


def _registry_of(root: Item, base_port: int, folder: Path) -> registry.Registry:
    parts = root.fields("agents", optional=("routing", "fallback"))
    agents: dict[str, registry.Agent] = {}
    for number, item in enumerate(_listed(parts["agents"])):
        fields = item.fields("id", "service", "match", optional=_OPTIONAL)
        agent = _agent(fields, f"127.0.0.1:{base_port + number}", folder)
        if agent.id in agents:
            fields["id"].fail("an earlier agent has the same id")
        if agent.name is not None and agent.name in {earlier.name for earlier in agents.values()}:
            fields["name"].fail("an earlier agent has the same name")
        if any(agent.address == earlier.address for earlier in agents.values()):
            fields.get("address", item).fail(f"an earlier agent is at {agent.address}")
        agents[agent.id] = agent
    routing = parts["routing"].read(registry.RoutingRules, _ROUTING_KEYS) if "routing" in parts else registry.ROUTING
    fallback = (
        parts["fallback"].read(registry.FallbackRules, _FALLBACK_KEYS) if "fallback" in parts else registry.FALLBACK
    )
    clinics = {agent.id: agent for agent in agents.values() if agent.contract is None}
    services = {agent.id: agent for agent in agents.values() if agent.contract is not None}
    return registry.Registry(clinics, routing, fallback, services)


def _agent(fields: Mapping[str, Item], own_address: str, folder: Path) -> registry.Agent:
    match = fields["match"].fields("intents", "domains")
    domains = _names(match["domains"], _CODE, "a name of letters, digits, spaces, - and _ is expected")
    intents = _names(match["intents"])
    contract = fields["contract"].text(ANY_TEXT) if "contract" in fields else None
    if contract is not None and contract != registry.REFLECTED:
        contract = str(folder / contract)
    _check_names(fields["service"], match["intents"], contract)
    for key in ("name", "constraints", "store"):
        if contract is not None and key in fields:
            fields[key].fail("clinics alone have it: no plan leads to another service")
    constraints = fields["constraints"].fields(optional=("max_tokens",)) if "constraints" in fields else {}
    return registry.Agent(
        id=fields["id"].text(_ID, "a name of small letters, digits and _ is expected"),
        specialty=domains[0],
        address=fields["address"].accepted(_is_address, _ADDRESS, ANY_TEXT) if "address" in fields else own_address,
        intents=intents,
        other_domains=domains[1:],
        service=fields["service"].text(ANY_TEXT),
        max_tokens=constraints["max_tokens"].whole(1) if "max_tokens" in constraints else None,
        name=fields["name"].accepted(_is_name, _NAME) if "name" in fields else None,
        certificate=Path(fields["certificate"].text()) if "certificate" in fields else None,
        contract=contract,
        store=fields["store"].accepted(is_store_url, EXPECTED, ANY_TEXT) if "store" in fields else None,
    )


def _listed(item: Item) -> Sequence[Item]:
    items = item.items()
    if not items:
        item.fail("a list with at least one item is expected")
    return items


def _names(item: Item, form: re.Pattern[str] = ANY_TEXT, expected: str = "text is expected") -> tuple[str, ...]:
    names = tuple(each.text(form, expected) for each in _listed(item))
    if len(set(names)) < len(names):
        item.fail("a name is there twice")
    return names


def _is_address(text: str) -> bool:
    host, _, port = text.rpartition(":")
    return host.split() == [host] and port.isascii() and port.isdecimal() and 0 < int(port) <= _LAST_PORT


def _is_inside(folder: str) -> bool:
    parts = Path(folder).parts
    return bool(parts) and not Path(folder).is_absolute() and ".." not in parts


def _is_name(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and clean_text(text) == text


_FALLBACK_KEYS: Mapping[str, Reader] = {
    "policy": lambda item: item.choice(FallbackPolicy),
    "max_tokens": lambda item: item.whole(16, 4096),
    "folder": lambda item: item.accepted(_is_inside, "a folder inside the data folder is expected", ANY_TEXT),
    "max_records": lambda item: item.whole(1, 1000),
}


def _check_names(service: Item, intents: Item, contract: str | None) -> None:
    is_clinic = service.text(ANY_TEXT) == SERVICE.full_name
    if is_clinic and contract is not None:
        service.fail("the contract of clinics is known; leave `contract` out")
    if not is_clinic and contract is None:
        wanted = f"`contract`, a descriptor set or {registry.REFLECTED}"
        service.fail(f"known is {SERVICE.full_name}; any other needs {wanted}")
    for intent in intents.items():
        if intent.text(ANY_TEXT) not in CATALOGUE and is_clinic:
            intent.fail(f"no tool of its service; they are: {', '.join(CATALOGUE)}")
