"""Which planner `--planner` means, for the commands that measure or show one."""

from __future__ import annotations

from dataclasses import replace

from orchestrator.llm import ModelConfiguration, PlannerVariant
from orchestrator.settings import Settings, SettingsError


def chosen_model(planner: str, settings: Settings) -> ModelConfiguration | None:
    """Return the model that plans; None for the offline engine, whatever else is configured.

    Args:
        planner: "local", "llm" or "cot".
        settings: Which model is configured.

    Raises:
        SettingsError: A model is asked for and none is configured.
    """
    if planner not in set(PlannerVariant):
        return None
    if settings.llm is None:
        raise SettingsError(
            f"--planner {planner} needs a language model: set CLINIC_MESH_LLM to azure or openai, "
            "then check it with clinic-mesh doctor"
        )
    return replace(settings.llm, planner=PlannerVariant(planner))
