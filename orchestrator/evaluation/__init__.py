"""The evaluation protocol of blueprint section 5, driven from outside over the whole pipeline and its log."""

from orchestrator.evaluation.evaluation import SPEAKER, Bench, EvaluationClinics, OperatorCredentials, evaluate
from orchestrator.evaluation.figures import LATENCY_HEADINGS, NOTHING, Latency, Rate, latency_row, share_of
from orchestrator.evaluation.log_statistics import *
from orchestrator.evaluation.report_tables import Occasion, drawn_table, screen_of, write_report
from orchestrator.evaluation.suite import Suite, SuiteError
from orchestrator.evaluation.turn_log import log_files, read_turns
