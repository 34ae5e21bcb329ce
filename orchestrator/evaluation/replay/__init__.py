"""Sessions rebuilt from a history of texts, for `plan --input` and evaluations."""

from orchestrator.evaluation.replay.case_planning import Case, CaseError, CasePlanning, read_cases
