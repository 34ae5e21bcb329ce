"""What is recorded of a turn: events, the log, traces and metrics."""

from orchestrator.journal.events import (
    AgentStarted,
    ClinicAnswered,
    ClinicAsked,
    Event,
    EventChannel,
    FellBack,
    Gathered,
    MemoryDone,
    MemoryRecalled,
    ModelAnswered,
    ModelAsked,
    ModelSuspended,
    ModelThrottled,
    Planned,
    QuestionJudged,
    Routed,
    TurnFinished,
    TurnStarted,
    Verified,
)
from orchestrator.journal.pipeline_log import PipelineLog, TurnLine, TurnRecorder
