"""What is recorded of a turn: events, the log, traces and metrics."""

from orchestrator.journal.events import (AgentFinished, AgentStarted, ClinicAnswered, ClinicAsked, Event, EventChannel, FellBack, Gathered, MemoryDone, MemoryRecalled, ModelAnswered, ModelAsked, ModelSuspended, ModelThrottled, Planned, Routed, StateChanged, TurnFinished, TurnStarted, Verified)
from orchestrator.journal.pipeline_log import (PipelineLog)

__all__ = ['AgentFinished', 'AgentStarted', 'ClinicAnswered', 'ClinicAsked', 'Event', 'EventChannel', 'FellBack', 'Gathered', 'MemoryDone', 'MemoryRecalled', 'ModelAnswered', 'ModelAsked', 'ModelSuspended', 'ModelThrottled', 'PipelineLog', 'Planned', 'Routed', 'StateChanged', 'TurnFinished', 'TurnStarted', 'Verified']
