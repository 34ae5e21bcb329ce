"""`python -m clinics ID`: runs one clinic until it is asked to end; reads no settings but its command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

# gRPC reports a failed bind on stderr by itself; this program says it better. It reads the variable at its import.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from clinics.agenda import AGENDAS
from clinics.log_file import LARGEST, start_logging
from clinics.program import serve
from clinics.startup import StartupError
from mesh.core_dumps import forbid_core_dumps
from mesh.limits import DEFAULT, OFF, Limits, read_limits
from mesh.server import hold_end_signals, wait_for_end_signal
from mesh.telemetry import TelemetryError, is_installed
from mesh.tls import ServerTls, TlsFileError, read_ca, read_certified_key

if TYPE_CHECKING:
    from mesh.telemetry_sdk import OpenTelemetry


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a clinic until SIGTERM or SIGINT; return 0 after an orderly end, 1 if it cannot start, 2 for wrong usage."""
    forbid_core_dumps()
    given = _parser().parse_args(arguments)
    hold_end_signals()
    try:
        start_logging(given.log)
        with ExitStack() as parts:
            telemetry = _telemetry(given.id, parts) if given.telemetry else None
            clinic = parts.enter_context(
                serve(
                    given.id,
                    given.listen,
                    given.silo,
                    given.agenda,
                    given.now,
                    keys=given.keys,
                    tls=_tls(given),
                    limits=_limits(given),
                    telemetry=telemetry,
                    reflection=given.reflection,
                )
            )
            print(f"{given.id} listening on {clinic.address}", flush=True)
            wait_for_end_signal()
    except StartupError as error:
        print(f"python -m clinics: {error}", file=sys.stderr)
        return 2 if error.usage else 1
    return 0


def _telemetry(clinic_id: str, parts: ExitStack) -> OpenTelemetry:
    if not is_installed():
        raise StartupError(str(TelemetryError()), usage=True)
    from mesh.telemetry_sdk import open_telemetry  # noqa: PLC0415 - an extra, which a clinic without telemetry lacks

    return parts.enter_context(open_telemetry(clinic_id))


def _tls(given: argparse.Namespace) -> ServerTls | None:
    if given.tls_cert is None and given.tls_key is None and given.client_ca is None:
        return None
    if given.tls_cert is None or given.tls_key is None:
        raise StartupError("--tls-cert and --tls-key go together, and --client-ca takes both", usage=True)
    try:
        own = read_certified_key(given.tls_cert, given.tls_key)
        return ServerTls(own, None if given.client_ca is None else read_ca(given.client_ca))
    except TlsFileError as error:
        raise StartupError(str(error)) from None


def _limits(given: argparse.Namespace) -> Limits | None:
    if given.rate is None:
        # Without tokens a whole machine would be one caller.
        return None if given.no_auth else DEFAULT
    try:
        return read_limits(given.rate)
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
        "--log",
        type=Path,
        metavar="FILE",
        help=f"write the log to FILE, a new one every {LARGEST >> 20} MiB, and keep one before it (default: to stderr)",
    )
    parser.add_argument(
        "--telemetry", action="store_true", help="send traces and metrics where the OTEL_EXPORTER_OTLP_ variables say"
    )
    parser.add_argument(
        "--reflection",
        action=argparse.BooleanOptionalAction,
        help="describe the contract to anybody who asks (default: on the loopback only)",
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
