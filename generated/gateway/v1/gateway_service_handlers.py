"""What implements the services of gateway/v1/gateway_service.proto; generated, never edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import generated.gateway.v1.gateway_service_pb2 as gateway_v1_gateway_service_pb2
    from mesh.caller import Caller


class GatewayServiceHandlers(Protocol):
    """What implements gateway.v1.GatewayService: a method for each RPC."""

    def find_openings(self, request: gateway_v1_gateway_service_pb2.FindOpeningsRequest, caller: Caller, /) -> gateway_v1_gateway_service_pb2.FindOpeningsResponse: ...

    def my_appointments(self, request: gateway_v1_gateway_service_pb2.MyAppointmentsRequest, caller: Caller, /) -> gateway_v1_gateway_service_pb2.MyAppointmentsResponse: ...
