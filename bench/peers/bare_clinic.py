"""The clinic's own handlers on a gRPC server with nothing between: no interceptor, token, form check or second door.

What the mesh adds to a call is the difference to `python -m clinics`. With --delay-ms every listing takes that long.
"""

from __future__ import annotations

import argparse
import math
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import grpc
from google.protobuf.message import Message

from bench.agenda import CLINIC
from bench.processes import NOW
from clinics.agenda import agenda_of
from clinics.file_storage import FileStorage
from clinics.operation_log import OPERATIONS, OperationLog
from clinics.profile import load_patients, load_profile
from clinics.program import MAX_WRITES
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.servicer import ClinicServicer
from clinics.silo import DatabaseFile
from clinics.store import SlotStore
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.call_admission import MOST_CALLS
from mesh.caller import Caller
from mesh.clock import clock_at
from mesh.private_file import Disk
from mesh.server import hold_end_signals, wait_for_end_signal

_SERVICE = pb.DESCRIPTOR.services_by_name["ClinicService"].full_name
_ANYBODY = Caller("bench", math.inf)


def _method(clinic: ClinicServicer, delay_s: float) -> grpc.RpcMethodHandler[Message, Message]:
    def answer(request: pb.ListAvailableSlotsRequest, context: grpc.ServicerContext) -> pb.ListAvailableSlotsResponse:
        del context
        if delay_s:
            time.sleep(delay_s)
        return clinic.list_available_slots(request, _ANYBODY)

    return grpc.unary_unary_rpc_method_handler(
        answer, pb.ListAvailableSlotsRequest.FromString, pb.ListAvailableSlotsResponse.SerializeToString
    )


def main() -> None:
    """Serve a db.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("--delay-ms", type=float, default=0)
    options = parser.parse_args()
    hold_end_signals()
    profile = load_profile(CLINIC)
    silo, disk = options.database.parent, Disk()
    operations = OperationLog(silo / OPERATIONS, disk, bytes(32), lambda: datetime.now(UTC))
    archive = RequestArchive(silo / ARCHIVE, disk, datetime.now(UTC))
    storage = FileStorage(DatabaseFile(options.database, disk), archive, bytes(32))
    store = SlotStore(storage, utc_now=lambda: datetime.now(UTC), max_waiting=MAX_WRITES, operations=operations)
    clinic = ClinicServicer(profile, agenda_of(profile, "blueprint"), load_patients(CLINIC), store, clock_at(NOW))
    server = grpc.server(ThreadPoolExecutor(MOST_CALLS), options=(("grpc.so_reuseport", 0),))
    methods = {"ListAvailableSlots": _method(clinic, options.delay_ms / 1000)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, methods),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"peer listening on 127.0.0.1:{port}", flush=True)
    wait_for_end_signal()
    server.stop(None).wait()
    store.close()


if __name__ == "__main__":
    main()
