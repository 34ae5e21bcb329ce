"""What a person may set, from flags, the environment or .env: one frozen value, read once.

A flag wins over the environment and the environment over .env. This module does not decide whether name and CPF make
an identity, and touches no clinic, model or file besides .env.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from platformdirs import user_data_path

from mesh.clock import Clock, clock_at
from orchestrator.llm import MODEL_VARIABLES, ModelConfiguration, PlannerVariant, read_model_configuration
from orchestrator.settings_table import PREFIX, SETTINGS, SettingsError, variable
from orchestrator.turn import Language, Role, language_of_locale

HistoryKind = StrEnum("HistoryKind", "COMMANDS REDACTED OFF")  # what the terminal's history keeps when it ends

_TYPES: Mapping[str, Callable[[Any], object]] = {
    "role": Role,
    "language": Language,
    "tls": "mutual".__eq__,
    "history": HistoryKind,
    "telemetry": "on".__eq__,
    "memory": "on".__eq__,
}  # what the choices of the table become


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one run, as `settings.toml` describes them; paths are absolute."""

    data_dir: Path
    log_dir: Path
    keys_dir: Path
    agenda: str = "rolling"  # the calendar that the clinics hold, as in `python -m clinics --agenda`
    now: str | None = None  # the ISO 8601 instant, with an offset, at which their time stands still; None: real time
    base_port: int = 8001
    registry: Path | None = None  # None: the one that comes with the product
    role: Role = Role.PATIENT
    language: Language = Language.PT
    tls_dir: Path | None = None  # None: no TLS
    clinics_dir: Path | None = None  # clinics of the user's own; None: those of the product alone
    store: str | None = None  # the PostgreSQL server of the agendas, without a password; None: files
    tls: bool = True  # whether the orchestrator shows a certificate, too
    rate: str | None = None  # None: the clinics' default
    mcp_issuer: str | None = None  # besides the keys folder; None: no other
    mcp_jwks: Path | None = None  # None: where that issuer's metadata say
    travel_min: int = 30
    history: HistoryKind = HistoryKind.COMMANDS
    telemetry: bool | None = None  # None: where the environment says where traces go
    memory: bool = True
    memory_url: str | None = field(default=None, repr=False)  # None: a file in the data folder
    voyage_api_key: str | None = field(default=None, repr=False)
    name: str | None = field(default=None, repr=False)  # as given; None: ask
    cpf: str | None = field(default=None, repr=False)  # as given; None: ask
    llm: ModelConfiguration | None = None  # None: the offline engine plans and writes

    @property
    def clock(self) -> Clock:
        """The clock of appointments: standing still at `now` where that is set."""
        return clock_at(self.now)

    @property
    def today(self) -> date:
        """The date of appointments, in America/Sao_Paulo."""
        return self.clock().date()

    def model_for(self, planner: str) -> ModelConfiguration | None:
        """Return the model that plans, None for the offline engine; raise SettingsError where none is configured."""
        if planner not in set(PlannerVariant):
            return None
        if self.llm is None:
            needed = "set CLINIC_MESH_LLM to azure or openai, then check it with clinic-mesh doctor"
            raise SettingsError(f"--planner {planner} needs a language model: {needed}")
        return replace(self.llm, planner=PlannerVariant(planner))

    def silo(self, clinic: str) -> Path:
        """Return the folder that belongs to a clinic alone."""
        return self.data_dir / self.agenda / clinic


def read_settings(flags: Mapping[str, str], environ: Mapping[str, str], dotenv: Path) -> Settings:
    """Return this run's settings from `flags` by field name, the environment and .env, if any; raise SettingsError."""
    try:
        kept = {key: value for key, value in dotenv_values(dotenv).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{dotenv}: cannot be read as UTF-8 text in .env form") from error
    variables = {**_set(kept), **_set(environ)}
    _refuse_unknown(variables)
    given = {**variables, **{variable(name): text for name, text in flags.items()}}
    values: dict[str, Any] = {
        setting.name: _TYPES[setting.name](value) if setting.name in _TYPES else value
        for name, setting in SETTINGS.items()
        if name in given and name not in MODEL_VARIABLES
        for value in (setting.read(given[name]),)
    }
    values.setdefault("language", language_of_locale(environ, Language.PT))
    data_dir: Path = values.setdefault("data_dir", user_data_path("clinic-mesh", appauthor=False))
    folders = {"log_dir": data_dir / "logs", "keys_dir": data_dir / "keys"}
    return Settings(**{**folders, **values}, llm=read_model_configuration(given))


def _set(variables: Mapping[str, str]) -> dict[str, str]:
    """Return what is set to anything; an empty variable counts as unset."""
    return {key: value for key, value in variables.items() if value.strip()}


def _refuse_unknown(variables: Mapping[str, str]) -> None:
    ours = [name for name in SETTINGS if name.startswith(PREFIX)]
    for key in variables:
        if key.startswith(PREFIX) and key not in SETTINGS:
            near = get_close_matches(key, ours, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(ours)}"
            raise SettingsError(f"{key}: there is no such setting; {hint}")
