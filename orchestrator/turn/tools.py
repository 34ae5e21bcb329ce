"""The contract as the orchestrator uses it: one service, its tools and what its reasons mean.

The only place that says which service the agents of the registry serve.
"""

from __future__ import annotations

from google.rpc.error_details_pb2 import RetryInfo

from generated.clinic.v1 import clinic_service_pb2, error_reason_pb2
from mesh.catalogue import Catalogue
from mesh.errors import DomainError
from mesh.reasons import Reasons

SERVICE = clinic_service_pb2.DESCRIPTOR.services_by_name["ClinicService"]
CATALOGUE = Catalogue(SERVICE)
REASONS = Reasons(error_reason_pb2.ErrorReason.DESCRIPTOR)

REFUSAL_DETAILS = (clinic_service_pb2.SlotAlternatives, RetryInfo)
"""Messages that a refusal may carry, typed."""


def is_decision(error: DomainError) -> bool:
    """Return whether a clinic itself said no; a reason that this contract does not list proves nothing."""
    reason = REASONS.get(error.reason)
    return reason is not None and reason.is_decision


def is_write(action: str) -> bool:
    """Return whether a tool changes something; an unknown one is taken to."""
    return action not in CATALOGUE or not CATALOGUE[action].read_only
