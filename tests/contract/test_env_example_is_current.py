""".env.example and the READMEs say of the settings what the table says."""

import re
from pathlib import Path

import pytest

from orchestrator.settings import read_settings
from orchestrator.settings_table import PREFIX, SETTINGS
from scripts.env_example import env_example

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / ".env.example"


def test_the_example_is_the_tables() -> None:
    assert EXAMPLE.read_text("utf-8") == env_example(), "run make generate"


def test_every_value_of_the_example_is_accepted(tmp_path: Path) -> None:
    uncommented = re.sub(r"^#(?=[A-Z_]+=)", "", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    dotenv = tmp_path / ".env"
    dotenv.write_text(uncommented, encoding="utf-8")

    settings = read_settings({}, {}, dotenv)

    assert set(re.findall(r"^[A-Z_]+(?==)", uncommented, flags=re.MULTILINE)) == set(SETTINGS)
    assert settings.base_port == 8001
    assert settings.llm is not None
    assert settings.llm.endpoint == "http://127.0.0.1:11434/v1"


def test_the_example_sets_nothing_until_a_line_is_uncommented(tmp_path: Path) -> None:
    assert read_settings({}, {}, EXAMPLE) == read_settings({}, {}, tmp_path / "none")


def rows(readme: str) -> dict[str, str]:
    """Return the defaults of a README's table of settings by variable."""
    found: dict[str, str] = {}
    for line in (ROOT / readme).read_text("utf-8").splitlines():
        if line.startswith(f"| `{PREFIX}"):
            _, names, default, *_ = line.split("|")
            found |= {name: default.replace("`", "").strip() for name in re.findall(r"`(\w+)`", names)}
    return found


@pytest.mark.parametrize("readme", ["README.md", "README.pt-BR.md"])
def test_the_readme_shows_the_same_settings_in_the_same_words(readme: str) -> None:
    shown = rows(readme)
    assert set(shown) <= set(SETTINGS)
    described = " ".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert all(name in described for name in set(SETTINGS) - set(shown))
    values = {name: row.default for name, row in SETTINGS.items() if name in shown and row.default == row.example}
    assert {name: shown[name] for name in values} == values


def test_the_english_readme_has_the_defaults_of_the_table() -> None:
    shown = rows("README.md")
    defaults = {name: SETTINGS[name].default for name in shown if SETTINGS[name].default}
    assert {name: shown[name] for name in defaults} == defaults
