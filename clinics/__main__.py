"""`python -m clinics ID`: runs one clinic until it is asked to end.

Reads its command line and nothing else: no settings from the environment, no .env. With --telemetry, OpenTelemetry
reads its own variables.
"""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from clinics.agenda import AGENDAS
from clinics.startup import StartupError
from clinics.tls_files import TlsFiles
from mesh.ending import hold_end_signals, wait_for_end_signal
from mesh.limits import DEFAULT, OFF, Limits, read_limits
from mesh.put_off import ASYNCIO, UNUSED, put_off

if TYPE_CHECKING:
    from mesh.telemetry import Telemetry


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one clinic; returns when SIGTERM or SIGINT came and all calls in flight have ended.

    Args:
        arguments: The command line without the program's name. None: the process's own.

    Returns:
        The exit status: 0 after an orderly end, 1 if the clinic could not start, 2 for wrong usage.
    """
    # What is loaded until the clinic serves stays, so that looking for garbage in it only delays the start.
    gc.disable()
    options = _parser().parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # gRPC reports a failed bind on stderr by itself; this program says it better. It reads the variable at its import.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if not options.telemetry:  # which uses all of gRPC
        put_off(ASYNCIO, *UNUSED)
    from clinics.program import serve  # noqa: PLC0415 - after both of these

    hold_end_signals()
    try:
        with (
            _telemetry(options) as telemetry,
            serve(
                options.id,
                options.listen,
                options.silo,
                options.agenda,
                options.now,
                keys=options.keys,
                tls=_tls(options),
                limits=_limits(options),
                telemetry=telemetry,
            ) as clinic,
        ):
            print(f"{options.id} listening on {clinic.address}", flush=True)
            gc.enable()
            wait_for_end_signal()
    except StartupError as error:
        print(f"python -m clinics: {error}", file=sys.stderr)
        return error.exit_code
    finally:
        gc.enable()
    return 0


def _tls(options: argparse.Namespace) -> TlsFiles | None:
    if options.tls_cert is None and options.tls_key is None and options.client_ca is None:
        return None
    if options.tls_cert is None or options.tls_key is None:
        raise StartupError("--tls-cert and --tls-key go together, and --client-ca takes both", usage=True)
    return TlsFiles(options.tls_cert, options.tls_key, options.client_ca)


def _telemetry(options: argparse.Namespace) -> AbstractContextManager[Telemetry | None]:
    if not options.telemetry:
        return nullcontext()
    from mesh.telemetry import TelemetryError, open_telemetry  # noqa: PLC0415 - gRPC reads its variable at its import

    try:
        return open_telemetry(options.id)
    except TelemetryError as error:
        raise StartupError(str(error), usage=True) from error


def _limits(options: argparse.Namespace) -> Limits | None:
    if options.rate is None:
        # Without tokens a whole machine would be one caller.
        return None if options.no_auth else DEFAULT
    try:
        return read_limits(options.rate)
    except ValueError:
        raise StartupError(f"--rate must be READ_PER_S,WRITE_PER_S, such as 20,5, or {OFF}", usage=True) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m clinics", description="Runs one clinic of the mesh.")
    parser.add_argument("id", metavar="ID", help="the clinic, such as clinic_a")
    parser.add_argument(
        "--listen", required=True, metavar="HOST:PORT", help="where it listens; port 0 takes a free one"
    )
    parser.add_argument("--silo", required=True, type=Path, metavar="DIR", help="the folder of its db.json")
    parser.add_argument("--agenda", choices=AGENDAS, default=AGENDAS[0], help="its calendar (default: %(default)s)")
    parser.add_argument("--now", metavar="INSTANT", help="fix the appointments' clock, such as 2025-07-15T08:00-03:00")
    parser.add_argument(
        "--rate",
        metavar="READ_PER_S,WRITE_PER_S|off",
        help="how often one caller may call its tools "
        f"(default: {DEFAULT.reads_per_s:g},{DEFAULT.writes_per_s:g}; off with --no-auth)",
    )
    parser.add_argument(
        "--telemetry", action="store_true", help="send traces and metrics where the OTEL_EXPORTER_OTLP_ variables say"
    )
    tls = parser.add_argument_group("TLS", "Needed where other machines can reach the address.")
    tls.add_argument("--tls-cert", type=Path, metavar="FILE", help="the clinic's certificate, PEM")
    tls.add_argument("--tls-key", type=Path, metavar="FILE", help="its private key, PEM")
    tls.add_argument("--client-ca", type=Path, metavar="FILE", help="callers must show a certificate of this CA")
    callers = parser.add_mutually_exclusive_group(required=True)
    callers.add_argument("--keys", type=Path, metavar="DIR", help="folder of the public keys that sign callers' tokens")
    callers.add_argument("--no-auth", action="store_true", help="answer anybody on this machine")
    return parser


if __name__ == "__main__":
    sys.exit(main())
