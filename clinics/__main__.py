"""`python -m clinics ID`: runs one clinic until it is asked to end.

Reads its command line and nothing else: no environment, no .env.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from clinics.agenda import AGENDAS
from clinics.program import serve
from clinics.startup import StartupError

_ENDING = {signal.SIGTERM, signal.SIGINT}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one clinic; returns when SIGTERM or SIGINT came and all calls in flight have ended.

    Args:
        arguments: The command line without the program's name. None: the process's own.

    Returns:
        The exit status: 0 after an orderly end, 1 if the clinic could not start, 2 for wrong usage.
    """
    options = _parser().parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # Blocked before any thread is made, so that the signals wait for sigwait however early they come.
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        with serve(options.id, options.listen, options.silo, options.agenda, _instant(options.now)) as clinic:
            print(f"{options.id} listening on {clinic.address}", flush=True)
            signal.sigwait(_ENDING)
    except StartupError as error:
        print(f"python -m clinics: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m clinics", description="Runs one clinic of the mesh.")
    parser.add_argument("id", metavar="ID", help="the clinic, such as clinic_a")
    parser.add_argument(
        "--listen", required=True, metavar="HOST:PORT", help="where it listens; port 0 takes a free one"
    )
    parser.add_argument("--silo", required=True, type=Path, metavar="DIR", help="the folder of its db.json")
    parser.add_argument("--agenda", choices=AGENDAS, default=AGENDAS[0], help="its calendar (default: %(default)s)")
    parser.add_argument("--now", metavar="INSTANT", help="fix the appointments' clock, such as 2025-07-15T08:00-03:00")
    return parser


def _instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise StartupError("--now must be an ISO instant with an offset, such as 2025-07-15T08:00-03:00", usage=True)
    return instant


if __name__ == "__main__":
    sys.exit(main())
