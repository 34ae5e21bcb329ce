"""What implements the services of mesh/v1/refusal_service.proto; generated, never edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import generated.mesh.v1.refusal_service_pb2 as mesh_v1_refusal_service_pb2
    from mesh.caller import Caller


class RefusalServiceHandlers(Protocol):
    """What implements mesh.v1.RefusalService: a method for each RPC."""

    def list_refusals(self, request: mesh_v1_refusal_service_pb2.ListRefusalsRequest, caller: Caller, /) -> mesh_v1_refusal_service_pb2.ListRefusalsResponse: ...
