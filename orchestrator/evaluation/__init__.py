"""The evaluation protocol of blueprint section 5: queries in, figures with confidence intervals out.

It drives the whole pipeline from outside and reads its log; no stage of a turn knows that it is measured.
"""

from orchestrator.evaluation.account import LATENCY_HEADINGS, NOTHING, Occasion, latency_row, value_of
from orchestrator.evaluation.evaluation import Bench, Evaluation, evaluate
from orchestrator.evaluation.ground import SPEAKER, Ground, GroundError
from orchestrator.evaluation.rate import Rate
from orchestrator.evaluation.report import write_report
from orchestrator.evaluation.screen import Screen
from orchestrator.evaluation.sequence import find_turn, sequence_of
from orchestrator.evaluation.statistics import ClinicCalls, ModelCalls, Statistics, misroute_of, statistics_of
from orchestrator.evaluation.suite import Suite, SuiteError, read_suite
from orchestrator.evaluation.turn_log import TurnLogError, log_files, read_turns

__all__ = [
    "LATENCY_HEADINGS",
    "NOTHING",
    "SPEAKER",
    "Bench",
    "ClinicCalls",
    "Evaluation",
    "Ground",
    "GroundError",
    "ModelCalls",
    "Occasion",
    "Rate",
    "Screen",
    "Statistics",
    "Suite",
    "SuiteError",
    "TurnLogError",
    "evaluate",
    "find_turn",
    "latency_row",
    "log_files",
    "misroute_of",
    "read_suite",
    "read_turns",
    "sequence_of",
    "statistics_of",
    "value_of",
    "write_report",
]
