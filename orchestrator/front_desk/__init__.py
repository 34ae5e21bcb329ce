"""The front desk: what operators say about agendas, and whom they serve."""

from orchestrator.front_desk.agenda_request import ends_serving, served_in, session_for
from orchestrator.front_desk.agenda_turns import FrontDesk
from orchestrator.front_desk.agenda_words import day_blocks, entries_of, reason_of, state_of
