"""What a command loads before it does anything: the clinics are launched first, so it must be little."""

import subprocess
import sys

from tests.support.home import ROOT


def test_grpc_is_not_loaded_before_the_clinics_have_been_launched() -> None:
    code = "import sys, orchestrator.cli.commands; print('grpc' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "False\n"


def test_no_schema_library_is_loaded_before_the_first_prompt() -> None:
    code = (
        "import sys, orchestrator.cli.commands, orchestrator.cli.in_terminal as _;"
        "from orchestrator.agents.registry_file import read_registry; read_registry(8001);"
        "print('pydantic' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "False\n"
