"""What a person may set, from flags, the environment or .env: one frozen value, read once.

A flag wins over the environment and the environment over .env. Name and CPF are never flags, because other people
read process lists. Whether they make an identity is not decided here, nor are clinics or files touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError

from mesh.clock import Clock, clock_at
from orchestrator.identity import Role

PREFIX = "CLINIC_MESH_"


class AgendaKind(StrEnum):
    """Which calendar the clinics hold; the values are those of `python -m clinics --agenda`."""

    ROLLING = "rolling"
    BLUEPRINT = "blueprint"


class SettingsError(ValueError):
    """A setting that cannot be used; the message names the variable and what is allowed, never a value."""


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def _instant(text: str) -> str:
    clock_at(text)
    return text


def _default_data_dir() -> Path:
    return user_data_path("clinic-mesh", appauthor=False)


class Settings(BaseModel):
    """The settings of one run.

    Attributes:
        data_dir: Where agendas and the terminal's history are kept. Absolute.
        log_dir: Where the JSON-lines log and the clinics' output go. Absolute; `logs` in `data_dir` unless set.
        agenda: Which calendar the clinics hold.
        now: An ISO 8601 instant with an offset at which appointments' time stands still; None: real time.
        base_port: The first clinic's port; the others follow.
        role: On whose behalf the person speaks.
        name: The person's full name as given; None: ask. Hidden in representations.
        cpf: The person's CPF as given; None: ask. Hidden in representations.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    data_dir: Annotated[Path, AfterValidator(_absolute)] = Field(default_factory=_default_data_dir)
    log_dir: Annotated[Path, AfterValidator(_absolute)] = Field(
        default_factory=lambda given: given["data_dir"] / "logs"
    )
    agenda: AgendaKind = AgendaKind.ROLLING
    now: Annotated[str, AfterValidator(_instant)] | None = None
    base_port: int = Field(default=8001, ge=1024, le=65000)
    role: Role = Role.PATIENT
    name: SecretStr | None = None
    cpf: SecretStr | None = None

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
    "role": "patient or operator",
    "name": "a full name",
    "cpf": "a CPF",
}
"""What each setting takes, in words; its keys are all settings there are."""


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
    values = {**_named(_dotenv(dotenv)), **_named(environ), **flags}
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        field = str(error.errors(include_input=False, include_context=False)[0]["loc"][0])
        raise SettingsError(f"{variable(field)}: {ALLOWED[field]} is expected") from None


def _dotenv(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        return {key: value for key, value in dotenv_values(path).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read as UTF-8 text in .env form") from error


def _named(variables: Mapping[str, str]) -> dict[str, str]:
    """Return what is set to anything, by field name; an empty variable counts as unset."""
    named: dict[str, str] = {}
    for key, value in variables.items():
        if not key.startswith(PREFIX) or not value.strip():
            continue
        field = key.removeprefix(PREFIX).lower()
        if field not in ALLOWED:
            near = get_close_matches(key, map(variable, ALLOWED), n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(map(variable, ALLOWED))}"
            raise SettingsError(f"{key}: there is no such setting; {hint}")
        named[field] = value
    return named
