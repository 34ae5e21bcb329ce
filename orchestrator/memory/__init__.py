"""What people say about themselves, remembered; nothing of clinic answers, other people or health is."""

from orchestrator.memory.memory_store import MEMORY_FILE, MemoryStore, MissingStore, StoreError
from orchestrator.memory.turn_memory import MemoryKeeper, executed, recalled, with_listed_memories
from orchestrator.memory.voyage import VoyageEmbeddings
