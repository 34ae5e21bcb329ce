"""How memories are kept, found and forgotten, one person at a time; loaded when a memory is first used."""

from orchestrator.memory.keeping.handler import MemoryHandler, SubjectKey
