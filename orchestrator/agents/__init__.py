"""The agents of the mesh: the registry, the gate, the router and the channels to them."""

from orchestrator.agents.gate import Gate
from orchestrator.agents.mesh_directory import (
    Channels,
    MeshDirectory,
    ask_clinic,
    ask_health,
    ask_refusals,
    ask_tools,
    at_once,
    introduction_of,
    serving,
)
from orchestrator.agents.registry import Agent, LiveRegistry, Registry, RegistryError
from orchestrator.agents.registry_file import read_registry
from orchestrator.agents.router import NOT_REACHED, MeshRouter, filled_in, timeout_of
