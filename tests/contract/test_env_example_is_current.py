""".env.example offers every setting there is, with values that are accepted."""

import re
from pathlib import Path

from orchestrator.llm.configuration import OF_SDK
from orchestrator.settings import ALLOWED, VOYAGE_KEY, read_settings, variable

EXAMPLE = Path(__file__).parents[2] / ".env.example"


def test_the_example_offers_every_setting_with_a_value_that_is_accepted(tmp_path: Path) -> None:
    uncommented = re.sub(r"^#(?=[A-Z_]+=)", "", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    dotenv = tmp_path / ".env"
    dotenv.write_text(uncommented, encoding="utf-8")

    settings = read_settings({}, {}, dotenv)

    assert set(re.findall(r"^[A-Z_]+(?==)", uncommented, flags=re.MULTILINE)) == {
        *map(variable, ALLOWED),
        *OF_SDK,
        VOYAGE_KEY,
    }
    assert settings.base_port == 8001
    assert settings.llm is not None
    assert settings.llm.endpoint == "http://127.0.0.1:11434/v1"


def test_the_example_sets_nothing_until_a_line_is_uncommented(tmp_path: Path) -> None:
    assert read_settings({}, {}, EXAMPLE) == read_settings({}, {}, tmp_path / "none")
