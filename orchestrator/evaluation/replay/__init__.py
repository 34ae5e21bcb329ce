"""Sessions rebuilt from a history of texts, for `plan --input` and evaluations."""

from orchestrator.evaluation.replay.case import Case, CaseError, read_cases
from orchestrator.evaluation.replay.case_planning import CasePlanning
from orchestrator.evaluation.replay.dry_run import DryRun
from orchestrator.evaluation.replay.rebuilt_session import Rebuilding

__all__ = ["Case", "CaseError", "CasePlanning", "DryRun", "Rebuilding", "read_cases"]
