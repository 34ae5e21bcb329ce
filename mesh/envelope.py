"""The envelope door: MCP's methods for tools (JSON-RPC 2.0) over the same handlers as the typed door.

Sources: JSON-RPC 2.0, sections 4 and 5; MCP, "Tools"; the blueprint, section 2.2. gRPC says OK, the body the error.
"""

from collections.abc import Sequence
from dataclasses import asdict

from google.protobuf import json_format, struct_pb2
from google.protobuf.message import Message

from generated.mesh.v1 import tool_service_pb2
from generated.mesh.v1.tool_service_pb2 import CallRequest, CallResponse
from mesh.arguments import Json, json_of, object_schema, request_of
from mesh.call_admission import Refusals
from mesh.caller import Caller
from mesh.catalogue import Catalogue, Tool, arguments_of, rpc_path
from mesh.errors import DomainError
from mesh.reasons import Reasons, failure_of
from mesh.service import Service
from mesh.telemetry import noted_attributes

DESCRIPTOR = tool_service_pb2.DESCRIPTOR.services_by_name["ToolService"]  # the service that `Envelope` implements
_PATH = rpc_path(DESCRIPTOR.methods_by_name["Call"]).lstrip("/")
_METHODS = "initialize, ping, tools/call, tools/list"
_PROTOCOL = "2025-11-25"  # the version of MCP whose `initialize` is answered
_INSTRUCTIONS = (
    "This agent speaks gRPC (mesh.v1.ToolService.Call), not HTTP or stdio: one envelope a call, no session, no"
    " notifications. Call tools/list, then tools/call with a token."
)
_LARGEST_ID = 2**53


class Envelope:
    """Implements `mesh.v1.ToolService` for the tools of other services."""

    def __init__(self, services: Sequence[Service], reasons: Reasons, refusals: Refusals) -> None:
        self._catalogue = Catalogue(*(service.descriptor for service in services))
        self._handlers = {name: handler for service in services for name, handler in service.handlers.items()}
        self._reasons = reasons
        self._refusals = refusals
        name = services[0].descriptor.full_name if services else DESCRIPTOR.full_name
        introduction: dict[str, Json] = {
            "protocolVersion": _PROTOCOL,
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": name, "version": name.rpartition(".")[0].rpartition(".")[2]},
            "instructions": _INSTRUCTIONS,
        }
        self._introduction = _struct(introduction)
        self._listing = _struct({"tools": [_description(tool) for tool in self._catalogue.values()]})

    def call(self, request: CallRequest, caller: Caller) -> CallResponse:
        """Execute one envelope; see `mesh.v1.ToolService.Call`."""
        response = CallResponse(jsonrpc="2.0", id=struct_pb2.Value(null_value=struct_pb2.NULL_VALUE))
        try:
            _check_id(request)
            response.id.CopyFrom(request.id)
            response.result.CopyFrom(self._result(request, caller))
        except Exception as fault:  # noqa: BLE001 (this door answers every fault in the body)
            failure = failure_of(fault, self._reasons, request.params.name, caller.trace_id)
            # A name that the caller made up is not counted by itself: there is no end to them.
            self._refusals.count(request.params.name if request.params.name in self._handlers else _PATH, failure)
            response.error.CopyFrom(self._error(failure))
        if (noted := noted_attributes.get(None)) is not None:
            noted |= self._attributes(request, response)
        return response

    def _attributes(self, request: CallRequest, response: CallResponse) -> dict[str, str]:
        """Return what telemetry says of a call by MCP's conventions; a text of the caller's own is not in it."""
        attributes = {}
        if request.method in _METHODS.split(", "):
            attributes["mcp.method.name"] = request.method
        if request.params.name in self._handlers:
            attributes["gen_ai.tool.name"] = request.params.name
        if response.HasField("error"):
            attributes["error.type"] = str(response.error.code)
        return attributes

    def _result(self, request: CallRequest, caller: Caller) -> struct_pb2.Struct:
        if request.jsonrpc != "2.0":
            raise DomainError("INVALID_ENVELOPE", 'jsonrpc must be "2.0"')
        match request.method:
            case "tools/call":
                return self._call_tool(request, caller)
            case "tools/list":
                if request.params.name or request.params.HasField("arguments"):
                    raise DomainError("INVALID_ARGUMENTS", "tools/list takes no name and no arguments")
                return self._listing
            case "initialize":
                return self._introduction
            case "ping":
                return struct_pb2.Struct()
            case _:
                problem = f"no such method; the methods are: {_METHODS}"
                raise DomainError("METHOD_NOT_FOUND", problem, metadata={"methods": _METHODS})

    def _call_tool(self, request: CallRequest, caller: Caller) -> struct_pb2.Struct:
        if not request.params.name:
            raise DomainError("INVALID_ENVELOPE", "tools/call needs params with the name of a tool")
        tool = self._catalogue.find(request.params.name)
        guarded = self._handlers[tool.name]
        # Before the arguments are looked at, which takes longer the more there are.
        caller = guarded.check_caller(caller)
        try:
            arguments = json_format.MessageToDict(request.params.arguments)
        except ValueError as error:
            # A binary Struct can hold what JSON cannot: infinities and NaN.
            raise DomainError("INVALID_ARGUMENTS", "the arguments hold a number that JSON does not know") from error
        return _struct(json_of(guarded(request_of(tool, arguments), caller)))

    def _error(self, error: DomainError) -> tool_service_pb2.Error:
        reason = self._reasons[error.reason]
        data: dict[str, Json] = {
            "reason": reason.name,
            "domain": reason.domain,
            "metadata": dict(error.metadata),
            "violations": [asdict(fault) for fault in error.violations],
            "details": [
                {"@type": f"type.googleapis.com/{detail.DESCRIPTOR.full_name}", **json_of(detail)}
                for detail in error.details
                if isinstance(detail, Message)
            ],
        }
        return tool_service_pb2.Error(code=reason.json_rpc_code, message=error.message, data=_struct(data))


def _check_id(request: CallRequest) -> None:
    kind = request.id.WhichOneof("kind")
    if kind == "number_value":
        number = request.id.number_value
        if not (number.is_integer() and abs(number) <= _LARGEST_ID):
            raise DomainError("INVALID_ENVELOPE", "a numeric id must be a whole number from -2^53 to 2^53")
    elif kind != "string_value":
        raise DomainError("INVALID_ENVELOPE", "id must be a string or a whole number")


def _description(tool: Tool) -> dict[str, Json]:
    return {
        "name": tool.name,
        "description": tool.options.description,
        "inputSchema": object_schema(tool.arguments),
        "outputSchema": object_schema(arguments_of(tool.method.output_type)),
        "annotations": {
            "readOnlyHint": tool.read_only,
            "destructiveHint": tool.options.destructive,
            "idempotentHint": tool.options.idempotent,
            "openWorldHint": False,
        },
    }


def _struct(values: dict[str, Json]) -> struct_pb2.Struct:
    struct = struct_pb2.Struct()
    struct.update(values)
    return struct
