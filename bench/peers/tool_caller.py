"""Lists slots by `mesh.channel.call_tool` as often as a line of standard input says; answers with the median in µs.

Run as a file, not as a module: it takes the mesh of whatever tree PYTHONPATH names.
"""

from __future__ import annotations

import statistics
import sys
import time
import uuid
from collections.abc import Callable
from functools import partial

import grpc
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh import channel as mesh_channel
from mesh.catalogue import Catalogue, Tool

_TIMEOUT_S = 30.0


def main(address: str, token: str) -> None:
    """Call the clinic at `address` until standard input ends."""
    service = pb.DESCRIPTOR.services_by_name["ClinicService"]
    tool, trace_id = Catalogue(service)["list_available_slots"], str(uuid.uuid4())
    with mesh_channel.open_channel(address, [service]) as channel:
        call = _call(channel, tool, trace_id, token)
        for line in sys.stdin:
            times: list[float] = []
            for _ in range(int(line)):
                request = pb.ListAvailableSlotsRequest()
                started = time.perf_counter()
                call(request)
                times.append(time.perf_counter() - started)
            print(statistics.median(times) * 1e6, flush=True)


def _call(channel: grpc.Channel, tool: Tool, trace_id: str, token: str) -> Callable[[Message], object]:
    if not hasattr(mesh_channel, "CallOptions"):  # commits before there were any
        return partial(
            mesh_channel.call_tool,
            channel,
            tool,
            timeout_s=_TIMEOUT_S,
            trace_id=trace_id,
            token=token,  # type: ignore[call-arg]
        )
    options = mesh_channel.CallOptions(_TIMEOUT_S, trace_id, token)
    return lambda request: mesh_channel.call_tool(channel, tool, request, options)


if __name__ == "__main__":
    main(*sys.argv[1:])
