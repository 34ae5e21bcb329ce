"""`python -m clinics ID`: runs one clinic until it is asked to end; reads no settings but its command line.

`python -m clinics --check ADDRESS` asks a running one whether it serves, for a supervisor that runs commands.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

# gRPC reports a failed bind on stderr by itself; this program says it better. It reads the variable at its import.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from clinics.log_file import LARGEST, start_logging
from clinics.options import parser_of
from clinics.program import serve
from clinics.startup import StartupError
from clinics.store import OpenShared
from mesh import tls
from mesh.channel import open_channel
from mesh.core_dumps import forbid_core_dumps
from mesh.errors import UsageError
from mesh.limits import DEFAULT, OFF, Limits, read_limits
from mesh.server import NodePolicies, hold_end_signals, wait_for_end_signal
from mesh.telemetry import NOT_INSTALLED, is_installed, shows_metrics
from mesh.tls import Renewed
from mesh.tokens import CredentialError

_CHECK_S = 2.0  # for an answer
_METRICS = 1000  # between the port of a clinic and the one of its metrics

if TYPE_CHECKING:
    from mesh.telemetry_sdk import OpenTelemetry


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a clinic until SIGTERM or SIGINT; return 0, 1 if it cannot start (--check: is not well), 2 for wrong use."""
    forbid_core_dumps()
    if any(each.startswith("--check") for each in (sys.argv[1:] if arguments is None else arguments)):
        return _check(arguments)
    given = _parser().parse_args(arguments)
    hold_end_signals()
    try:
        start_logging(given.log)
        with ExitStack() as parts:
            telemetry = _telemetry(given.id, given.listen, parts) if given.telemetry else None
            policies = NodePolicies(given.keys, _limits(given), _tls(given), telemetry, given.reflection)
            asked = given.id, given.listen, given.silo, given.agenda, given.now
            clinic = serve(*asked, policies, open_shared=_shared(given), clinics=given.clinics)
            parts.enter_context(clinic)
            print(f"{given.id} listening on {clinic.address}", flush=True)
            wait_for_end_signal()
    except (UsageError, CredentialError) as error:
        print(f"python -m clinics: {error}", file=sys.stderr)
        return 2 if isinstance(error, StartupError) and error.usage else 1
    return 0


def _check(arguments: Sequence[str] | None) -> int:
    given = parser_of("check").parse_args(arguments)
    try:
        own = None if given.tls_cert is None else tls.read_certified_key(given.tls_cert, given.tls_key)
        trusted = None if given.ca is None else tls.ClientTls(tls.read_ca(given.ca), own)
        with open_channel(given.check, (), trusted) as channel:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=_CHECK_S)
    except (grpc.RpcError, UsageError) as error:
        problem = error.code().name if isinstance(error, grpc.Call) else error
        print(f"python -m clinics: {given.check}: {problem}", file=sys.stderr)
        return 1
    return 0 if answer.status == health_pb2.HealthCheckResponse.SERVING else 1


def _shared(given: argparse.Namespace) -> OpenShared | None:
    if given.store is None:
        return None
    try:
        from clinics.postgres_storage import PostgresStorage  # noqa: PLC0415 - an extra, which db.json does without
    except ImportError:
        raise StartupError("--store needs psycopg: make extra-postgres", usage=True) from None
    return partial(PostgresStorage, given.store, agenda=given.agenda)


def _telemetry(clinic_id: str, listen: str, parts: ExitStack) -> "OpenTelemetry":
    if not is_installed():
        raise StartupError(NOT_INSTALLED, usage=True)
    from mesh.telemetry_sdk import open_telemetry  # noqa: PLC0415 - an extra, which a clinic without telemetry lacks

    if not shows_metrics():
        return parts.enter_context(open_telemetry(clinic_id))
    _, _, text = listen.rpartition(":")
    port = int(text) + _METRICS if text.isdigit() else 0
    try:
        from opentelemetry.exporter.prometheus import PrometheusMetricReader  # noqa: PLC0415 - few show metrics so
        from prometheus_client import start_http_server  # noqa: PLC0415 - as above

        start_http_server(int(os.environ.get("OTEL_EXPORTER_PROMETHEUS_PORT", port)), addr="127.0.0.1")
    except (ImportError, OSError, OverflowError, ValueError) as error:
        raise StartupError(f"metrics cannot be shown for Prometheus: {error}") from error
    return parts.enter_context(open_telemetry(clinic_id, PrometheusMetricReader()))


def _tls(given: argparse.Namespace) -> Renewed[tls.ServerTls] | None:
    if given.tls_cert is None and given.tls_key is None and given.client_ca is None:
        return None
    if given.tls_cert is None or given.tls_key is None:
        raise StartupError("--tls-cert and --tls-key go together, and --client-ca takes both", usage=True)
    return tls.read_server_tls(given.tls_cert, given.tls_key, given.client_ca)


def _limits(given: argparse.Namespace) -> Limits | None:
    if given.rate is None:
        return None if given.no_auth else DEFAULT  # without tokens a whole machine would be one caller
    try:
        return read_limits(given.rate)
    except ValueError:
        raise StartupError(f"--rate must be READ_PER_S,WRITE_PER_S, such as 20,5, or {OFF}", usage=True) from None


def _parser() -> argparse.ArgumentParser:
    rate = f"{DEFAULT.reads_per_s:g},{DEFAULT.writes_per_s:g}"
    parser = parser_of("clinics", rate=rate, log_mib=LARGEST >> 20)
    callers = parser.add_mutually_exclusive_group(required=True)
    callers.add_argument("--keys", type=Path, metavar="DIR", help="folder of the public keys that sign callers' tokens")
    callers.add_argument("--no-auth", action="store_true", help="answer anybody on this machine")
    return parser


if __name__ == "__main__":
    sys.exit(main())
