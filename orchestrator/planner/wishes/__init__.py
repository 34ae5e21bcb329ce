"""What an utterance wants: the names and conditions in it, and the words that join and deny them."""

from orchestrator.planner.wishes.conditions import *
from orchestrator.planner.wishes.named_entities import *
from orchestrator.planner.wishes.relative_words import Relation, find_relation
from orchestrator.planner.wishes.specialties import *
from orchestrator.planner.wishes.universe import beyond_standing
from orchestrator.planner.wishes.visit_requests import VisitRequest, Wishes
from orchestrator.planner.wishes.wish_scanner import bounds_in
from orchestrator.planner.wishes.wish_tokens import RELATIVE, Kind, Token
