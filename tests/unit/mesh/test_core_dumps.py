from __future__ import annotations

import subprocess
import sys

import pytest

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")


@LINUX
@pytest.mark.parametrize(
    "start",
    [
        "from mesh.core_dumps import forbid_core_dumps; forbid_core_dumps()",
        "import sys, orchestrator.cli as cli; sys.argv[1:] = ['eval', '-h']\ntry: cli.main()\nexcept SystemExit: pass",
        "import sys, orchestrator.cli as cli; sys.modules['click'] = None\ntry: cli.main()\nexcept ImportError: pass",
        "from clinics.__main__ import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    ],
    ids=["mesh", "orchestrator", "before it loads", "clinics"],
)
def test_a_process_of_ours_leaves_no_core_dump(start: str) -> None:
    look = (
        "import ctypes, resource, sys\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3), file=sys.stderr)"
    )
    command = [sys.executable, "-c", f"{start}\n{look}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == "(0, 0) 0"
