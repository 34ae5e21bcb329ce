"""The gateway as an MCP server, for both eras of the protocol (2026-07-28, and 2025-11-25 and before).

Consent is asked by elicitation. Where the host cannot ask, a write becomes a proposal that waits in a terminal.
"""

import json
import logging
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from mesh.errors import DomainError, internal_error
from orchestrator.gateway.held_proposals import LIFE_S, HeldProposal
from orchestrator.gateway.mesh_gateway import GatewayTool, MeshGateway, input_schema, output_schema, shown
from orchestrator.texts import Texts
from orchestrator.turn import TurnScope

NAME = "clinic-mesh"

logging.getLogger("mcp").setLevel(logging.ERROR)  # what the SDK warns of repeats what a client sent

_MODERN = "2026-07-28"
_ANSWER_S = 20.0  # that somebody may take to answer a form, in the older era
_STATE_S = 300.0  # for which a form may be answered, in the newer one
_AT_ONCE = 16  # calls that are made at the same time; others wait
_CONSENT = "consent"
_LISTED_MS = 60_000
_CLINIC_URI = "clinic://"

_Answer = TypeVar("_Answer")
_Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class McpGateway:
    """The handlers of the server; `scope` says for whom the call under way is made."""

    gateway: MeshGateway
    scope: Callable[[], TurnScope]
    texts: Texts
    threads: anyio.CapacityLimiter = field(default_factory=partial(anyio.CapacityLimiter, _AT_ONCE), init=False)

    def server(self) -> Server[Any]:
        """Return the server, to be run over a transport."""
        server = Server[Any](
            NAME,
            version=version("clinic-mesh"),
            title="Clinic Mesh",
            instructions=self.texts.text("gateway.instructions"),
            cache_hints={"tools/list": CacheHint(ttl_ms=_LISTED_MS, scope="private")},
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_read_resource=self.read_resource,
        )
        keys = [secrets.token_bytes(32)]
        security = RequestStateSecurity(keys=keys, ttl=_STATE_S, bind_principal=lambda _: self.scope().identity.cpf)
        server.middleware.append(RequestStateBoundary(security, default_audience=NAME))
        return server

    async def list_tools(self, _: _Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Return what the person's role is offered."""
        clinics = await self._in_thread(self.gateway.directory.clinics)
        said = {one.id: f"{one.name}, {one.specialty}" for one in clinics}
        offered = self.gateway.tools[self.scope().role]
        return types.ListToolsResult(tools=[_described(tool, said) for tool in offered.values()])

    async def call_tool(
        self, context: _Context, call: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Call a tool; a refusal of the mesh is a result with `isError`."""
        scope = self.scope()
        arguments = call.arguments or {}
        try:
            self.gateway.count(scope)
            offered = self.gateway.find(call.name, scope.role)
            if offered.tool.read_only:
                return _result(await self._in_thread(self.gateway.read, offered, arguments, scope))
            proposal = await self._in_thread(self.gateway.proposal, offered, arguments, scope)
            return await self._write(context, call, proposal, scope)
        except DomainError as error:
            if error.reason == "UNKNOWN_TOOL":
                raise MCPError(code=types.INVALID_PARAMS, message=error.message) from None
            return _refused(error)
        except Exception as fault:  # noqa: BLE001 (a client gets no detail of it)
            return _refused(internal_error(fault, "tools/call", str(uuid.uuid4())))

    async def list_resources(self, _: _Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """Return the clinics: what each states of itself."""
        resources = [
            types.Resource(uri=f"{_CLINIC_URI}{one.id}", name=one.id, title=one.name, mime_type="application/json")
            for one in await self._in_thread(self.gateway.directory.clinics)
        ]
        return types.ListResourcesResult(resources=resources)

    async def read_resource(self, _: _Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Return the facts of one clinic as JSON."""
        uri, clinics = str(asked.uri), await self._in_thread(self.gateway.directory.clinics)
        clinic = next((one for one in clinics if f"{_CLINIC_URI}{one.id}" == uri), None)
        if clinic is None:
            raise MCPError(code=types.INVALID_PARAMS, message="there is no such clinic", data={"uri": uri})
        stated = {} if clinic.details is None else MessageToDict(clinic.details, preserving_proto_field_name=True)
        facts = {"id": clinic.id, "name": clinic.name, "specialty": clinic.specialty, "doctors": clinic.doctors}
        text = json.dumps({**facts, **stated}, ensure_ascii=False)
        contents = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _write(
        self, context: _Context, call: types.CallToolRequestParams, proposal: HeldProposal, scope: TurnScope
    ) -> types.CallToolResult | types.InputRequiredResult:
        question = self.texts.text("gateway.question", write=self.gateway.told(proposal, self.texts))
        asked = {"yes": {"type": "boolean", "title": self.texts.text("gateway.yes"), "default": False}}
        schema = {"type": "object", "properties": asked, "required": ["yes"]}
        form = types.ElicitRequestFormParams(message=question, requested_schema=schema)
        answer: Any = None
        if context.protocol_version >= _MODERN:
            if call.request_state is not None:
                # Sealed by the boundary for these arguments and this person: the same write, however often it comes.
                proposal = replace(proposal, request_id=call.request_state)
                given = (call.input_responses or {}).get(_CONSENT)
                answer = given if isinstance(given, types.ElicitResult) else None
            if answer is None and _asks(context):
                requests: Any = {_CONSENT: types.ElicitRequest(params=form)}
                return types.InputRequiredResult(input_requests=requests, request_state=proposal.request_id)
        elif _asks(context):
            try:
                with anyio.fail_after(_ANSWER_S):
                    answer = await context.session.elicit_form(form.message, form.requested_schema, context.request_id)
            except (MCPError, TimeoutError):
                answer = None
        if answer is None:
            proposal_id = await self._in_thread(self.gateway.proposals.keep, proposal, scope.identity)
            command = f"clinic-mesh confirm {proposal_id}"
            return _result({"status": "proposed", "proposal": proposal_id, "confirm_with": command})
        if answer.action != "accept" or (answer.content or {}).get("yes") is not True:
            return _result({"status": "declined"})
        client = context.session.client_params
        host = "an MCP host" if client is None else client.client_info.name
        try:
            written = await self._in_thread(self.gateway.write, proposal, scope, host)
        except DomainError as error:
            unsure = self.gateway.may_have_changed(proposal, error)
            return _refused(error, self.texts.text("gateway.unknown") if unsure else "")
        return _result({"status": "done", "result": written})

    async def _in_thread(self, function: Callable[..., _Answer], *arguments: object) -> _Answer:
        return await anyio.to_thread.run_sync(partial(function, *arguments), limiter=self.threads)


async def serve_stdio(server: Server[Any]) -> None:
    """Serve one client over standard input and output until it closes them."""
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _described(offered: GatewayTool, clinics: dict[str, str]) -> types.Tool:
    options = offered.tool.options
    waits = f" Asks the person first; else it waits {LIFE_S // 60} minutes for a terminal."
    return types.Tool(
        name=offered.name,
        description=options.description + ("" if offered.tool.read_only else waits),
        input_schema=input_schema(offered, clinics),
        output_schema=output_schema(offered),
        annotations=types.ToolAnnotations(
            read_only_hint=offered.tool.read_only,
            destructive_hint=options.destructive,
            idempotent_hint=options.idempotent,
            open_world_hint=False,
        ),
    )


def _asks(context: _Context) -> bool:
    capabilities = context.session.client_capabilities
    asks = None if capabilities is None else capabilities.elicitation
    return asks is not None and (asks.form is not None or asks.url is None)


def _result(answer: dict[str, Any]) -> types.CallToolResult:
    text = types.TextContent(text=json.dumps(answer, ensure_ascii=False))
    return types.CallToolResult(content=[text], structured_content=answer)


def _refused(error: DomainError, added: str = "") -> types.CallToolResult:
    details = [shown(detail) for detail in error.details if isinstance(detail, Message)]
    said = f"{error.reason}: {error.message}"
    text = " ".join(part for part in (said, added, json.dumps(details, ensure_ascii=False) if details else "") if part)
    meta = {"clinic-mesh/reason": error.reason, "clinic-mesh/details": details}
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True, _meta=meta)
