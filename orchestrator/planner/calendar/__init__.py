"""Dates, times and ranges in Portuguese and English."""

from orchestrator.planner.calendar.calendar_math import minute_beside, outside, week_of
from orchestrator.planner.calendar.moment_parser import find_values, read_moments
from orchestrator.planner.calendar.moments import *
from orchestrator.planner.calendar.shifts import Shift, find_shift, parse_shift
from orchestrator.planner.calendar.time_grammar import in_part, readings
