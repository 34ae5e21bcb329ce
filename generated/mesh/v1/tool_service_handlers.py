"""What implements the services of mesh/v1/tool_service.proto; generated, never edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import generated.mesh.v1.tool_service_pb2 as mesh_v1_tool_service_pb2
    from mesh.caller import Caller


class ToolServiceHandlers(Protocol):
    """What implements mesh.v1.ToolService: a method for each RPC."""

    def call(self, request: mesh_v1_tool_service_pb2.CallRequest, caller: Caller, /) -> mesh_v1_tool_service_pb2.CallResponse: ...
