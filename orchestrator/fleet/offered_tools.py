"""What the agents offer, as they say it themselves through the envelope door, beside what the registry says of them.

It asks for lists of tools (MCP's tools/list), which needs no token, and calls none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import grpc
from google.protobuf import struct_pb2

from generated.mesh.v1.tool_service_pb2 import CallRequest
from generated.mesh.v1.tool_service_pb2_grpc import ToolServiceStub
from mesh.channel import open_channel
from mesh.tls import ClientTls
from orchestrator.agents import Agent

_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """What an agent offers.

    Attributes:
        tools: The names of its tools, in its own order; None when it did not say.
        lacking: Intents that the registry gives it and it does not offer.
    """

    tools: tuple[str, ...] | None
    lacking: tuple[str, ...] = ()


def ask_offers(agents: Sequence[Agent], tls: ClientTls | None) -> Mapping[str, OfferedTools]:
    """Return what some agents offer, by their ids; all are asked at once.

    Args:
        agents: Those to ask.
        tls: What the orchestrator speaks TLS with.
    """
    with ThreadPoolExecutor(len(agents) or 1, thread_name_prefix="offers") as pool:
        offers = pool.map(lambda agent: _offer(agent, tls), agents)
        return dict(zip((agent.id for agent in agents), offers, strict=True))


def _offer(agent: Agent, tls: ClientTls | None) -> OfferedTools:
    tools = offered_tools(agent.address, tls)
    if tools is None:
        return OfferedTools(None)
    return OfferedTools(tools, tuple(intent for intent in agent.intents or () if intent not in tools))


def offered_tools(address: str, tls: ClientTls | None, timeout_s: float = _TIMEOUT_S) -> tuple[str, ...] | None:
    """Return the names of the tools that are offered at an address; None when nobody says."""
    request = CallRequest(jsonrpc="2.0", id=struct_pb2.Value(number_value=1), method="tools/list")
    with open_channel(address, (), tls) as channel:
        try:
            answer = ToolServiceStub(channel).Call(request, timeout=timeout_s)
        except grpc.RpcError:
            return None
    listed = answer.result.fields["tools"].list_value.values if "tools" in answer.result.fields else None
    if listed is None:
        return None
    return tuple(tool.struct_value.fields["name"].string_value for tool in listed)
