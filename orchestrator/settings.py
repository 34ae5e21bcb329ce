"""What a person may set, from flags, the environment or .env: one frozen value, read once.

A flag wins over the environment and the environment over .env. Name, CPF and the keys of a language model are never
flags, because other people read process lists. Whether name and CPF make an identity is not decided here, nor are
clinics, models or files touched.

So few values do not pay for a schema library: loading one would delay every prompt by 60 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from dotenv import dotenv_values
from platformdirs import user_data_path

from mesh.clock import Clock, clock_at
from mesh.limits import read_limits
from orchestrator.llm import OWN, ModelConfiguration, ModelSettingsError, read_model_configuration
from orchestrator.turn import Role

PREFIX = "CLINIC_MESH_"

_T = TypeVar("_T")


class AgendaKind(StrEnum):
    """Which calendar the clinics hold; the values are those of `python -m clinics --agenda`."""

    ROLLING = "rolling"
    BLUEPRINT = "blueprint"


class TlsKind(StrEnum):
    """Who shows a certificate, where TLS is used."""

    MUTUAL = "mutual"
    SERVER = "server"


class HistoryKind(StrEnum):
    """What the terminal's history keeps when the terminal ends."""

    COMMANDS = "commands"
    REDACTED = "redacted"
    OFF = "off"


class SettingsError(ValueError):
    """A setting that cannot be used; the message names the variable and what is allowed, never a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one run.

    Attributes:
        data_dir: Where agendas and the terminal's history are kept. Absolute.
        log_dir: Where the JSON-lines log and the clinics' output go. Absolute.
        agenda: Which calendar the clinics hold.
        now: An ISO 8601 instant with an offset at which appointments' time stands still; None: real time.
        base_port: The first clinic's port; the others follow.
        registry: The file of the agents, absolute; None: the one that comes with the product.
        role: On whose behalf the person speaks.
        keys_dir: What tokens are signed with. Absolute.
        tls_dir: The certificates, absolute; None: no TLS.
        tls: Whether clinics ask the orchestrator for its certificate too.
        rate: How often one caller may call the tools of a clinic that is started here; None: the clinics' default.
        history: What the terminal's history keeps in its file.
        telemetry: Whether traces and metrics are sent; None: where the environment says where to.
        memory: Whether what a patient says of themselves is remembered.
        memory_url: The PostgreSQL server that holds it; None: a file in the data folder. Hidden in representations.
        voyage_key: A key of Voyage AI, by whose embeddings it is searched, too; None: by words alone. Hidden, too.
        name: The person's full name as given; None: ask. Hidden in representations.
        cpf: The person's CPF as given; None: ask. Hidden in representations.
        llm: The language model that plans and writes; None: the offline engine does.
    """

    data_dir: Path
    log_dir: Path
    agenda: AgendaKind
    now: str | None
    base_port: int
    registry: Path | None
    role: Role
    keys_dir: Path
    tls_dir: Path | None
    tls: TlsKind
    rate: str | None
    history: HistoryKind
    telemetry: bool | None
    memory: bool
    memory_url: str | None = field(repr=False)
    voyage_key: str | None = field(repr=False)
    name: str | None = field(repr=False)
    cpf: str | None = field(repr=False)
    llm: ModelConfiguration | None = None

    @property
    def clock(self) -> Clock:
        """The clock of appointments: standing still at `now` where that is set."""
        return clock_at(self.now)

    @property
    def today(self) -> date:
        """The date of appointments, in America/Sao_Paulo."""
        return self.clock().date()

    def silo(self, clinic: str) -> Path:
        """Return the folder that belongs to a clinic alone."""
        return self.data_dir / self.agenda.value / clinic


ALLOWED: Mapping[str, str] = {
    "data_dir": "a folder",
    "log_dir": "a folder",
    "agenda": "rolling or blueprint",
    "now": "an ISO 8601 instant with a UTC offset, such as 2025-07-15T08:00-03:00",
    "base_port": "a port from 1024 to 65000",
    "registry": "a file",
    "role": "patient or operator",
    "keys_dir": "a folder",
    "tls_dir": "a folder",
    "tls": "mutual or server",
    "rate": "off, or reads and writes per second, such as 20,5",
    "history": "commands, redacted or off",
    "telemetry": "on or off",
    "memory": "on or off",
    "memory_url": "an address postgresql://...",
    "name": "a full name",
    "cpf": "a CPF",
    **{name.removeprefix(PREFIX).lower(): text for name, text in OWN.items()},
}
"""What each setting takes, in words; its keys are all settings there are."""

VOYAGE_KEY = "VOYAGE_API_KEY"
"""The vendor's own variable."""

_PORTS = range(1024, 65001)


def variable(field: str) -> str:
    """Return the environment variable of a setting: CLINIC_MESH_DATA_DIR for data_dir."""
    return PREFIX + field.upper()


def read_settings(flags: Mapping[str, str], environ: Mapping[str, str], dotenv: Path) -> Settings:
    """Return the settings of this run.

    Args:
        flags: Settings by field name, as given on the command line; never name or cpf.
        environ: The process's environment.
        dotenv: A file in .env form; it need not exist.

    Raises:
        SettingsError: A value is not allowed, or a CLINIC_MESH_ variable is none that exists.
    """
    variables = {**_set(_dotenv(dotenv)), **_set(environ)}
    given = {**_named(variables), **flags}
    data_dir = _read(given, "data_dir", _path, user_data_path("clinic-mesh", appauthor=False))
    return Settings(
        data_dir=data_dir,
        log_dir=_read(given, "log_dir", _path, data_dir / "logs"),
        agenda=_read(given, "agenda", AgendaKind, AgendaKind.ROLLING),
        now=_read(given, "now", _instant, None),
        base_port=_read(given, "base_port", _port, 8001),
        registry=_read(given, "registry", _path, None),
        role=_read(given, "role", Role, Role.PATIENT),
        keys_dir=_read(given, "keys_dir", _path, data_dir / "keys"),
        tls_dir=_read(given, "tls_dir", _path, None),
        tls=_read(given, "tls", TlsKind, TlsKind.MUTUAL),
        rate=_read(given, "rate", _rate, None),
        history=_read(given, "history", HistoryKind, HistoryKind.COMMANDS),
        telemetry=_read(given, "telemetry", _switch, None),
        memory=_read(given, "memory", _switch, default=True),
        memory_url=_read(given, "memory_url", _postgresql, None),
        voyage_key=variables.get(VOYAGE_KEY),
        name=given.get("name"),
        cpf=given.get("cpf"),
        llm=_model({**variables, **{variable(name): value for name, value in given.items()}}),
    )


def _read(given: Mapping[str, str], setting: str, parse: Callable[[str], _T], default: _T) -> _T:
    if setting not in given:
        return default
    try:
        return parse(given[setting])
    except (ValueError, KeyError):
        raise SettingsError(f"{variable(setting)}: {ALLOWED[setting]} is expected") from None


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _instant(text: str) -> str:
    clock_at(text)
    return text


def _switch(text: str) -> bool:
    return {"on": True, "off": False}[text]


def _postgresql(text: str) -> str:
    if not text.startswith(("postgresql://", "postgres://")):
        raise ValueError
    return text


def _rate(text: str) -> str:
    read_limits(text)
    return text


def _port(text: str) -> int:
    port = int(text)
    if port not in _PORTS:
        raise ValueError
    return port


def _dotenv(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        return {key: value for key, value in dotenv_values(path).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read as UTF-8 text in .env form") from error


def _set(variables: Mapping[str, str]) -> dict[str, str]:
    """Return what is set to anything; an empty variable counts as unset."""
    return {key: value for key, value in variables.items() if value.strip()}


def _named(variables: Mapping[str, str]) -> dict[str, str]:
    """Return our own variables by field name."""
    named: dict[str, str] = {}
    for key, value in variables.items():
        if not key.startswith(PREFIX):
            continue
        field = key.removeprefix(PREFIX).lower()
        if field not in ALLOWED:
            near = get_close_matches(key, map(variable, ALLOWED), n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(map(variable, ALLOWED))}"
            raise SettingsError(f"{key}: there is no such setting; {hint}")
        named[field] = value
    return named


def _model(variables: Mapping[str, str]) -> ModelConfiguration | None:
    try:
        return read_model_configuration(variables)
    except ModelSettingsError as error:
        raise SettingsError(str(error)) from None
