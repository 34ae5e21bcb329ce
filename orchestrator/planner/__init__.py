"""The planner: it understands what people write to a clinic and plans the steps (blueprint 2.3.1)."""

from orchestrator.planner.about_self import noted
from orchestrator.planner.dialogue.acts import as_agreed
from orchestrator.planner.offline import OfflinePlanner
