"""The agents of the mesh: the registry, the gate, the router and the channels to them."""

from orchestrator.agents.agent_probe import (ask_clinic, ask_health, ask_tools, serving)
from orchestrator.agents.channels import (Channels)
from orchestrator.agents.gate import (Gate)
from orchestrator.agents.mesh_directory import (MeshDirectory, NOBODY)
from orchestrator.agents.registry import (Agent, CLINIC_SERVICE, LiveRegistry, Registry, RegistryError, Reloaded)
from orchestrator.agents.registry_file import (RegistryFile, read_registry)
from orchestrator.agents.router import (MeshRouter)

__all__ = ['Agent', 'CLINIC_SERVICE', 'Channels', 'Gate', 'LiveRegistry', 'MeshDirectory', 'MeshRouter', 'NOBODY', 'Registry', 'RegistryError', 'RegistryFile', 'Reloaded', 'ask_clinic', 'ask_health', 'ask_tools', 'read_registry', 'serving']
