"""What a command loads before its first prompt: libraries that take long and that the prompt does not use wait."""

import subprocess
import sys

from tests.support.home import ROOT

HEAVY = (
    "pydantic",
    "openai",
    "langgraph",
    "sqlite3",
    "psycopg",
    "opentelemetry.context",
    "cryptography",
    "orchestrator.memory",
)


def test_nothing_that_the_prompt_does_not_use_is_loaded_before_it() -> None:
    code = (
        "import sys, orchestrator.cli.commands, orchestrator.cli.in_terminal as _;"
        "from orchestrator.agents.registry_file import read_registry; read_registry(8001);"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "[]\n"
