"""What is recorded of a turn: the events, which it all hands on, the log, traces and metrics."""

from orchestrator.journal.events import *
from orchestrator.journal.pipeline_log import PipelineLog, TurnLine, TurnRecorder
