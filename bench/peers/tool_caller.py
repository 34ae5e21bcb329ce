"""Lists slots by `mesh.channel.call_tool` as often as a line of standard input says; answers with the median in µs.

Run as a file, not as a module: it takes the mesh of whatever tree PYTHONPATH names.
"""

from __future__ import annotations

import statistics
import sys
import time
import uuid

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.catalogue import Catalogue
from mesh.channel import call_tool, open_channel

_TIMEOUT_S = 30.0


def main(address: str, token: str) -> None:
    """Call the clinic at `address` until standard input ends."""
    service = pb.DESCRIPTOR.services_by_name["ClinicService"]
    tool, trace_id = Catalogue(service)["list_available_slots"], str(uuid.uuid4())
    with open_channel(address, [service]) as channel:
        for line in sys.stdin:
            times: list[float] = []
            for _ in range(int(line)):
                request = pb.ListAvailableSlotsRequest()
                started = time.perf_counter()
                call_tool(channel, tool, request, timeout_s=_TIMEOUT_S, trace_id=trace_id, token=token)
                times.append(time.perf_counter() - started)
            print(statistics.median(times) * 1e6, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
