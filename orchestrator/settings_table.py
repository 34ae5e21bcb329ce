"""The settings of `settings.toml`: flag, variable, `.env.example` and error messages follow from a row of it.

`orchestrator.settings` gives the values their types and defaults. This module loads little: `--help` stays quick.
"""

import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mesh.clock import clock_at
from mesh.errors import UsageError
from mesh.limits import read_limits
from mesh.store_url import is_store_url

PREFIX = "CLINIC_MESH_"

_LONGEST_CALL_S = 600.0
_HIGHEST_COUNT = 100_000
_PORTS = range(1024, 65001)
_ROWS = tomllib.loads(Path(__file__).with_name("settings.toml").read_text("utf-8"))


class SettingsError(UsageError):
    """A setting that cannot be used; the message names the variable and what is allowed, never a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A row of `settings.toml`, whose head says what each field is for."""

    variable: str
    example: str
    kind: str = "text"
    words: str = ""
    choices: Sequence[str] = ()
    flag: str = ""
    note: str = ""
    default: str = ""

    @property
    def name(self) -> str:
        """The field of `Settings`, such as data_dir for CLINIC_MESH_DATA_DIR."""
        return self.variable.removeprefix(PREFIX).lower()

    @property
    def allowed(self) -> str:
        """What the setting takes, in words."""
        return self.words or f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"

    def read(self, text: str) -> object:
        """Return the value of a text; raise SettingsError for one that is not allowed."""
        parse, is_allowed = _KINDS[self.kind]
        try:
            value = parse(text)
            is_expected = is_allowed(value) is not False and (not self.choices or text in self.choices)
        except ValueError:
            is_expected = False
        if not is_expected:
            raise SettingsError(f"{self.variable}: {self.allowed} is expected")
        return value


def variable(name: str) -> str:
    """Return the environment variable of a setting: CLINIC_MESH_DATA_DIR for data_dir."""
    return PREFIX + name.upper()


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _prices(text: str) -> tuple[float, float]:
    prompt_usd, completion_usd = map(float, text.split(","))
    return prompt_usd, completion_usd


def _anything(_: object) -> bool:
    return True


def _is_url(text: str) -> bool:
    parts = urlsplit(text)
    _ = parts.port  # raises ValueError when it is none
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and not parts.query and not parts.fragment


_KINDS: Mapping[str, tuple[Callable[[str], Any], Callable[[Any], object]]] = {
    "count": (int, range(_HIGHEST_COUNT + 1).__contains__),
    # It becomes a header: anything else would be an error of the transport, which quotes it.
    "credential": (str, lambda text: text.isascii() and text.isprintable() and " " not in text),
    "file": (_path, _anything),
    "folder": (_path, _anything),
    "instant": (str, clock_at),
    "port": (int, _PORTS.__contains__),
    "postgresql": (str, lambda text: text.startswith(("postgresql://", "postgres://"))),
    "prices": (_prices, lambda prices: all(math.isfinite(price) and price >= 0 for price in prices)),
    "rate": (str, read_limits),
    "seconds": (float, lambda seconds: 0 < seconds <= _LONGEST_CALL_S),
    "store": (str, is_store_url),
    "text": (str, _anything),
    "url": (str, _is_url),
}  # how a text of a kind is read, and what is asked of the value: False, or a ValueError of either, is a no

SETTINGS: Mapping[str, Setting] = {name: Setting(variable=name, **row) for name, row in _ROWS.items()}
"""All settings by variable, in the order of `.env.example`."""
