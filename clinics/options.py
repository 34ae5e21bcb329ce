"""The options of a clinic's programs, which `options.toml` declares."""

import argparse
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clinics.agenda import AGENDAS
from clinics.profile import CLINICS

_KINDS: Mapping[str, Mapping[str, Any]] = {
    "path": {"type": Path},
    "flag": {"action": "store_true"},
    "switch": {"action": argparse.BooleanOptionalAction},
    "agenda": {"choices": AGENDAS, "default": AGENDAS[0]},
    "clinics": {"type": Path, "default": CLINICS},
}  # what argparse is given for each `kind` of a row


def parser_of(program: str, prog: str = "python -m clinics", **told: object) -> argparse.ArgumentParser:
    """Return the parser of a program; `told` fills in what its help says."""
    table = tomllib.loads(Path(__file__).with_name("options.toml").read_text("utf-8"))
    page = table["programs"][program]
    parser = argparse.ArgumentParser(prog=prog, description=page["description"])
    groups: dict[str, Any] = {"": parser}
    for name in page["takes"]:
        row = {**table["rows"][name]}
        names, kind, group = row.pop("names"), row.pop("kind", ""), row.pop("group", "")
        if group not in groups:
            groups[group] = parser.add_argument_group(group, table["groups"][group])
        groups[group].add_argument(*names, **_KINDS.get(kind, {}), **{**row, "help": row["help"].format(**told)})
    return parser
