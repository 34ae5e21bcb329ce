"""The memory as a service of the mesh, for other programs; loaded when it is served."""

from orchestrator.memory.serving.memory_service import SERVICE, MemoryService
