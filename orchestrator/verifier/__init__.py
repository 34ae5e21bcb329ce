"""The verifier: rules R1 to R4 over data and replies (blueprint 2.3.2)."""

from orchestrator.verifier.advice import names_drug
from orchestrator.verifier.audit import AUDIT_PLACEHOLDERS, AuditingVerifier
from orchestrator.verifier.literals import dates_in, folded, pattern_of, times_in
from orchestrator.verifier.rules import RuleVerifier, verdict_of
