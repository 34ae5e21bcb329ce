"""The agents of the mesh: the registry, the gate, the router and the channels to them."""

from orchestrator.agents.gate import check_plan
from orchestrator.agents.mesh_directory import *
from orchestrator.agents.registry import Agent, LiveRegistry, Registry, RegistryError
from orchestrator.agents.registry_file import read_registry
from orchestrator.agents.router import NOT_REACHED, MeshRouter, filled_in, timeout_of
