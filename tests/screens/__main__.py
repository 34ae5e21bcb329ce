"""`python -m tests.screens`: draws the READMEs' screens anew into docs/screens."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.screens.conversations import CONVERSATIONS, screen_of
from tests.support.home import ROOT, Home

FOLDER = ROOT / "docs" / "screens"


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    for conversation in CONVERSATIONS:
        with tempfile.TemporaryDirectory() as folder:
            home = Home(Path(folder) / "home")
            try:
                path = FOLDER / f"{conversation.name}.svg"
                path.write_text(screen_of(conversation, home), encoding="utf-8")
            finally:
                home.close()
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
