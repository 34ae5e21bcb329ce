"""Domain errors as gRPC statuses and back, by the codes of the contract's `ErrorReason` enums.

A node's status carries google.rpc.ErrorInfo and BadRequest; one without them comes from gRPC itself.
"""

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import grpc
from google.protobuf import any_pb2
from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from generated.mesh.v1 import error_reason_pb2, options_pb2
from mesh.errors import ContractBreachError, DomainError, Violation, internal_error
from mesh.sanitizer import clean_text, sanitized

_PREFIX = "ERROR_REASON_"
_REASON_FORM = re.compile(r"[A-Z][A-Z0-9_]{0,62}")  # google.rpc.ErrorInfo
_LONGEST_TEXT = 1000  # characters of a text of a refusal
_MOST_DETAILS = 32
_LONGEST_RETRY_MS = 86_400_000  # a day
_MESH = error_reason_pb2.DESCRIPTOR.package
_STATUS_CODES = {code.value[0]: code for code in grpc.StatusCode}
_TRANSPORT_REASONS = tomllib.loads(Path(__file__).with_name("transport_reasons.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason and its codes."""

    name: str  # such as "SLOT_UNAVAILABLE"
    domain: str  # what the enum states, else the package, such as "clinic.v1"
    status: grpc.StatusCode
    json_rpc_code: int
    unchanged: bool = False  # a call that is refused for it changed nothing, unless the metadata says otherwise

    @property
    def is_decision(self) -> bool:
        """Whether the agent itself said no; only then was an earlier try under the same request_id not made."""
        return self.domain != _MESH


class Reasons(dict[str, Reason]):
    """The mesh's own reasons and those of the given enums, by name; ValueError for a name or code that is wrong."""

    def __init__(self, *enums: EnumDescriptor) -> None:
        super().__init__()
        for enum in (error_reason_pb2.ErrorReason.DESCRIPTOR, *enums):
            for reason in _reasons_of(enum):
                if reason.name in self:
                    raise ValueError(f"two packages list the reason {reason.name}")
                self[reason.name] = reason

    def of(self, error: DomainError) -> Reason | None:
        """Return the reason of an error; None for one that these enums do not list, or that another package lists."""
        reason = self.get(error.reason)
        return reason if reason is not None and error.domain in {None, reason.domain} else None

    def may_have_changed(self, error: DomainError) -> bool:
        """Return whether a write that failed with an error may have been made all the same."""
        reason, outcome = self.of(error), error.metadata.get("outcome")
        return reason is None or outcome == "unknown" or not (reason.unchanged or outcome == "unchanged")


def _reasons_of(enum: EnumDescriptor) -> Iterator[Reason]:
    for value in enum.values:
        if value.number == 0:
            continue
        meaning = value.GetOptions().Extensions[options_pb2.error]
        if not meaning.status or not meaning.json_rpc_code:
            raise ValueError(f"{enum.full_name}.{value.name} lacks a status or a JSON-RPC code")
        yield Reason(
            name=value.name.removeprefix(_PREFIX),
            domain=enum.GetOptions().Extensions[options_pb2.error_domain] or enum.file.package,
            status=_STATUS_CODES[meaning.status],
            json_rpc_code=meaning.json_rpc_code,
            unchanged=meaning.unchanged,
        )


def failure_of(fault: Exception, reasons: Reasons, method: str, trace_id: str) -> DomainError:
    """Return what the caller of `method` gets: the refusal, or INTERNAL for what `reasons` do not list; log that."""
    if not isinstance(fault, DomainError):
        return internal_error(fault, method, trace_id)
    if fault.reason in reasons:
        return fault
    breach = ContractBreachError(f"it raised {fault.reason[:64]!r}, which is no reason of the contract")
    return internal_error(breach, method, trace_id)


def to_status(error: DomainError, reasons: Reasons, *, repeated: bool = False) -> status_pb2.Status:
    """Return the google.rpc.Status that says what `error` says; `repeated`: the call may have been served before."""
    reason, metadata = reasons[error.reason], error.metadata
    # Unless the agent itself decides, the outcome of a repeated call is unknown.
    if repeated and not reason.is_decision:
        metadata = {**metadata, "outcome": "unknown"}
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=reason.name, domain=reason.domain, metadata=metadata)]
    if error.violations:
        faults = [error_details_pb2.BadRequest.FieldViolation(**asdict(fault)) for fault in error.violations]
        details.append(error_details_pb2.BadRequest(field_violations=faults))
    details.extend(detail for detail in error.details if isinstance(detail, Message))
    status = status_pb2.Status(code=reason.status.value[0], message=error.message)
    for detail in details:
        status.details.add().Pack(detail)
    return status


def from_call(call: grpc.Call, details: tuple[type[Message], ...] = ()) -> DomainError:
    """Return the domain error of a failed call, with its texts clean and those `details` that keep the contract."""
    status: status_pb2.Status | None = None
    with suppress(ValueError, DecodeError):  # garbled, or at odds with the call's own status: changed on the way
        status = rpc_status.from_call(call)
    if status is not None:
        info = error_details_pb2.ErrorInfo()
        bad_request = error_details_pb2.BadRequest()
        unpacked: list[Message] = []
        for packed in status.details[:_MOST_DETAILS]:
            if packed.Unpack(info) or packed.Unpack(bad_request):
                continue
            unpacked.extend(_unpack(packed, details))
        if _REASON_FORM.fullmatch(info.reason):
            return DomainError(
                info.reason,
                _bounded(status.message),
                metadata={_bounded(key): _bounded(value) for key, value in info.metadata.items()},
                violations=tuple(
                    Violation(
                        _bounded(fault.field),
                        _bounded(fault.description),
                        fault.reason if _REASON_FORM.fullmatch(fault.reason) else "",
                    )
                    for fault in bad_request.field_violations[:_MOST_DETAILS]
                ),
                details=tuple(unpacked),
                domain=info.domain,
            )
    code = call.code().name
    reason, message = _TRANSPORT_REASONS.get(code, ("INTERNAL", f"the call failed with {code}"))
    # Whoever ended the call does not say what became of it.
    return DomainError(reason, message, metadata={"outcome": "unknown"})


def retry_after_s(error: DomainError) -> float | None:
    """Return the seconds after which a refused caller may ask again; None where the refusal does not say."""
    delays = (detail.retry_delay for detail in error.details if isinstance(detail, error_details_pb2.RetryInfo))
    return next((delay.ToTimedelta().total_seconds() for delay in delays), None)


def _bounded(text: str) -> str:
    return clean_text(text[:_LONGEST_TEXT])


def _unpack(packed: any_pb2.Any, types: tuple[type[Message], ...]) -> list[Message]:
    message = next((empty for empty in (kind() for kind in types) if packed.Unpack(empty)), None)
    if isinstance(message, error_details_pb2.RetryInfo):
        delay = message.retry_delay  # a duration beyond ten thousand years cannot even be printed
        delay.FromMilliseconds(min(max(delay.seconds * 1000 + delay.nanos // 1_000_000, 0), _LONGEST_RETRY_MS))
    return [] if message is None or sanitized(message) is None else [message]
