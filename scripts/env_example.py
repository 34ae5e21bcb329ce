"""Print `.env.example`, which follows from the table of settings."""

import sys
import textwrap

from orchestrator.settings_table import SETTINGS

_WIDTH = 118
_HEAD = """\
# Settings of clinic-mesh. Copy this file to .env and uncomment what you change; everything has a default.
# A flag of the command wins over the environment, and the environment over .env. Only the command reads .env:
# a clinic it starts is given its own settings and nothing else.
"""


def env_example() -> str:
    """Return the text of `.env.example`."""
    parts = [_HEAD]
    for setting in SETTINGS.values():
        flag = f"{setting.flag[:1].upper()}{setting.flag[1:]}." if setting.flag else ""
        default = f"Default: {setting.default}." if setting.default not in {"", setting.example} else ""
        if comment := " ".join(filter(None, [flag, setting.note, default])):
            parts.append("\n" + textwrap.indent(textwrap.fill(comment, _WIDTH - 2), "# ") + "\n")
        parts.append(f"#{setting.variable}={setting.example}\n")
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(env_example())
