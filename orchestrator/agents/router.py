"""Send steps to clinics: those of different clinics at once, those of one clinic in order (blueprint 2.3, 4.1).

The router names no tool: what an action is, whether it writes and what it needs come from the catalogue.
"""

import logging
import time
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import cast

import grpc
from google.protobuf.message import Message

from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.mesh.v1 import options_pb2
from mesh.arguments import request_of
from mesh.catalogue import Tool
from mesh.channel import CallOptions, call_tool
from mesh.clock import Clock
from mesh.errors import DomainError, Violation
from mesh.policies import invalid_arguments
from mesh.sanitizer import Sanitized
from orchestrator import turn
from orchestrator.agents.answer_check import is_answer_to, without_foreign
from orchestrator.agents.mesh_directory import MOST_AT_ONCE, Channels, MeshDirectory, ask_health
from orchestrator.agents.registry import Agent, Registry, RoutingRules
from orchestrator.journal import ClinicAnswered, ClinicAsked, EventChannel
from orchestrator.security import CredentialError, Credentials

READ_TIMEOUT_S = 2.0
WRITE_TIMEOUT_S = 5.0
CONNECT_TIMEOUT_S = 1.0  # that a write waits for a healthy clinic; reconnecting backs off half a second at most

_POLL_S = 0.05

_log = logging.getLogger(__name__)

# Messages whose doctors are compared with those of the clinic.
_LISTS = (pb.ListAvailableSlotsResponse, pb.SlotAlternatives, pb.ListAppointmentsResponse)
NOT_REACHED = frozenset({"UNREACHABLE", "TIMED_OUT", "OVERLOADED", "METHOD_NOT_FOUND"})


@dataclass(frozen=True, slots=True)
class MeshRouter(AbstractContextManager["MeshRouter"]):
    """Dispatch steps; a context manager that ends its threads."""

    registry: Registry
    channels: Channels  # used by nobody else: a turn that is stopped closes them
    events: EventChannel
    credentials: Credentials
    directory: MeshDirectory | None = None  # None: what is listed is not compared with what a clinic says of itself
    clock: Clock | None = None  # None: nor with the time
    took_s: dict[str, float] = field(default_factory=dict, init=False)  # by clinic, the last times
    # Threads are made on demand, so that a registry that grows finds enough of them.
    pool: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, MOST_AT_ONCE, "router"), init=False)

    def dispatch(self, steps: Sequence[turn.Step], scope: turn.TurnScope) -> tuple[turn.StepResult, ...]:
        """Execute steps and return their results in the steps' order."""
        # A clinic's failure costs its own later steps, and those that were to come after what failed.
        done: dict[int, turn.StepResult] = {}
        for wave in _waves(steps):
            ready = [step for step in wave if step.after not in done or done[step.after].status is turn.StepStatus.DONE]
            done |= {step.step_id: turn.StepResult(step, turn.StepStatus.SKIPPED) for step in wave if step not in ready}
            done |= {result.step.step_id: result for result in self._at_once(ready, scope)}
        return tuple(done[step.step_id] for step in steps)

    def _at_once(self, steps: Sequence[turn.Step], scope: turn.TurnScope) -> Iterator[turn.StepResult]:
        by_clinic: dict[str, list[turn.Step]] = {}
        # Where there are more than threads, those come last that took longest before: they may not answer now either.
        for step in sorted(steps, key=lambda step: self.took_s.get(step.clinic, 0.0)):
            by_clinic.setdefault(step.clinic, []).append(step)
        groups, asked_at = by_clinic.values(), time.monotonic()
        # Each thread goes on in a copy of the caller's context, where the current span is.
        running = [self.pool.submit(copy_context().run, self._in_order, group, scope, asked_at) for group in groups]
        for future in running:
            while wait((future,), timeout=_POLL_S).not_done:
                # Again and again: a call may have been on its way to a channel when the others were closed.
                if scope.cancel.is_set():
                    self.channels.hang_up()
            yield from future.result()

    def _in_order(self, steps: Sequence[turn.Step], scope: turn.TurnScope, asked_at: float) -> list[turn.StepResult]:
        results: list[turn.StepResult] = []
        began = time.monotonic()
        for step in steps:
            if scope.cancel.is_set() or any(result.status is not turn.StepStatus.DONE for result in results):
                results.append(turn.StepResult(step, turn.StepStatus.SKIPPED))
                continue
            with self.events.span("step"):
                self.events.publish(ClinicAsked(step.step_id, step.clinic, step.action))
                result = self._execute(step, scope, began - asked_at)
                reason = result.error.reason if result.error else None
                told = step.step_id, step.clinic, step.action, result.status, reason
                self.events.publish(ClinicAnswered(*told, items=result.entries, elapsed_s=result.elapsed_s))
            results.append(result)
        self.took_s[steps[0].clinic] = max(time.monotonic() - began, self.took_s.get(steps[0].clinic, 0.0) / 2)
        return results

    def _execute(self, step: turn.Step, scope: turn.TurnScope, waited_s: float) -> turn.StepResult:
        started = time.monotonic()
        try:
            agent, tool = self.registry.find(step.clinic), turn.CATALOGUE.find(step.action)
            request = _request(step, tool, scope.identity)
        except DomainError as error:
            return turn.StepResult(step, turn.StepStatus.REFUSED, error=error, elapsed_s=time.monotonic() - started)
        try:
            answer = self._call(agent, tool, request, scope, waited_s)
        except DomainError as error:
            details = (self._checked(agent, Sanitized(one)) for one in error.details if isinstance(one, Message))
            error.details = tuple(detail.message for detail in details if detail is not None)
            status = turn.StepStatus.UNREACHED if error.reason in NOT_REACHED else turn.StepStatus.REFUSED
            if turn.is_write(step.action) and turn.REASONS.may_have_changed(error):
                status = turn.StepStatus.UNKNOWN
            return turn.StepResult(step, status, error=error, elapsed_s=time.monotonic() - started)
        if answer.dropped:
            _log.warning("%s: %d entries of %s break the contract", step.clinic, answer.dropped, tool.name)
        elapsed_s = time.monotonic() - started
        return turn.StepResult(step, turn.StepStatus.DONE, answer.message, dropped=answer.dropped, elapsed_s=elapsed_s)

    def _call(self, agent: Agent, tool: Tool, request: Message, scope: turn.TurnScope, waited_s: float) -> Sanitized:
        channel, rules = self.channels.to(agent), self.registry.routing
        writes, token = not tool.read_only, self._token(agent, scope)
        if writes:
            _wait_until_ready(channel, token)
        # A turn does not wait longer for many clinics than for one.
        timeout_s, details = timeout_of(tool, rules) - (0.0 if writes else waited_s), turn.REFUSAL_DETAILS
        options = CallOptions(timeout_s, scope.turn_id, token, details, scope.confirmed_by)
        answer = self._checked(agent, call_tool(channel, tool, request, options))
        now = None if self.clock is None else self.clock()
        if answer is None or not is_answer_to(request, answer.message, now):
            raise DomainError("WRONG_ANSWER", "the clinic answered something else than it was asked for")
        listed = answer.message
        if isinstance(listed, pb.ListAvailableSlotsResponse) and answer.dropped and not listed.available_slots:
            # That nothing is free would be another statement than the clinic's
            raise DomainError("WRONG_ANSWER", "no opening of the clinic fits the contract and what it says of itself")
        return answer

    def _checked(self, agent: Agent, answer: Sanitized) -> Sanitized | None:
        if self.directory is None or not isinstance(answer.message, _LISTS):
            return answer
        clinic = self.directory.introduction(agent)
        checked = without_foreign(answer, clinic)
        if checked is not answer:
            checked = without_foreign(answer, self.directory.introduction(agent, unlike=clinic))
        return checked

    def _token(self, agent: Agent, scope: turn.TurnScope) -> str:
        try:
            return self.credentials.token(scope.identity, scope.role, agent.id)
        except CredentialError as error:
            raise DomainError("UNAUTHENTICATED", str(error), metadata={"agent": agent.id}) from error

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(wait=True, cancel_futures=True)


def _waves(steps: Sequence[turn.Step]) -> Collection[Sequence[turn.Step]]:
    # Those that wait for none of the others, those that wait for one of these, and so on.
    waves: dict[int, list[turn.Step]] = {}
    depth: dict[int | None, int] = {}
    for step in steps:
        depth[step.step_id] = depth.get(step.after, -1) + 1
        waves.setdefault(depth[step.step_id], []).append(step)
    return waves.values()


def timeout_of(tool: Tool, rules: RoutingRules) -> float:
    """Return how many seconds a call of a tool may take."""
    if tool.read_only:
        return rules.task_timeout_seconds or READ_TIMEOUT_S
    return rules.write_timeout_seconds or WRITE_TIMEOUT_S


def filled_in(tool: Tool, identity: turn.Identity, request_id: str | None = None) -> dict[str, str]:
    """Return the arguments that the orchestrator fills in, as the contract marks them; None makes a new request_id."""
    if not tool.filled_in:
        return {}
    values: Mapping[int, str] = {
        options_pb2.INJECTED_PATIENT_NAME: identity.name,
        options_pb2.INJECTED_CPF: identity.cpf,
        options_pb2.INJECTED_REQUEST_ID: request_id or str(uuid.uuid4()),
    }
    return {name: values[kind] for name, kind in tool.filled_in.items()}


def _request(step: turn.Step, tool: Tool, identity: turn.Identity) -> Message:
    # Raise INVALID_ARGUMENTS if the step itself brings an injected argument, or others than the tool takes.
    injected = filled_in(tool, identity, step.request_id)
    if not isinstance(step.call, turn.ToolCall):
        return tool.request_class(**step.parameters, **injected)
    given = step.call.arguments
    if brought := [name for name in injected if name in given]:
        why = "filled in by the orchestrator, never by a plan"
        raise invalid_arguments(tool, [Violation(name, why, "NOT_YOURS") for name in brought])
    return request_of(tool, {**given, **injected})


def _wait_until_ready(channel: grpc.Channel, token: str) -> None:
    # Ask for the clinic's health first, so that a write that fails before is known not to be made ("unchanged").
    reason = "no healthy clinic was reached in time"
    try:
        if ask_health(channel, CONNECT_TIMEOUT_S, token, wait_for_ready=True):
            return
    except grpc.RpcError as error:
        if cast("grpc.Call", error).code() is grpc.StatusCode.CANCELLED:
            reason = "the turn was stopped"
    except ValueError:  # what gRPC says of a closed channel
        reason = "the turn was stopped"
    raise DomainError("UNREACHABLE", f"{reason}; nothing was sent", metadata={"outcome": "unchanged"})
