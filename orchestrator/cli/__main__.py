"""Run the command: `python -m orchestrator.cli`."""

import sys

from orchestrator.cli import main

if __name__ == "__main__":
    sys.exit(main())
