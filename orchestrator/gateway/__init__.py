"""The mesh for MCP clients; what loads the MCP SDK is `mcp_server` and `mcp_http` alone."""

from orchestrator.gateway.held_proposals import LIFE_S, ProposalError, ProposalFolder
from orchestrator.gateway.mesh_gateway import MeshGateway
