"""A node's health by gRPC's own service (grpc.health.v1), which refuses malformed bytes as all other methods do."""

from __future__ import annotations

import grpc
from grpc_health.v1 import health
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from mesh.caller import TRACE_KEY, caller_of
from mesh.errors import DomainError
from mesh.reasons import Reasons
from mesh.transport import LONGEST_CALL_S, read_request, refuse


def health_handlers(servicer: health.HealthServicer, reasons: Reasons) -> grpc.GenericRpcHandler:
    """Return the service, for a gRPC server."""

    def check(content: bytes, context: grpc.ServicerContext) -> HealthCheckResponse:
        trace_id = caller_of(context, LONGEST_CALL_S).trace_id
        try:
            request = read_request(HealthCheckRequest.FromString, content)
        except DomainError as error:
            refuse(context, trace_id, error, reasons)
        context.set_trailing_metadata(((TRACE_KEY, trace_id),))
        return servicer.Check(request, context)

    return grpc.method_handlers_generic_handler(
        health.SERVICE_NAME,
        {
            "Check": grpc.unary_unary_rpc_method_handler(
                check, response_serializer=HealthCheckResponse.SerializeToString
            ),
            "Watch": grpc.unary_stream_rpc_method_handler(
                servicer.Watch, HealthCheckRequest.FromString, HealthCheckResponse.SerializeToString
            ),
        },
    )
