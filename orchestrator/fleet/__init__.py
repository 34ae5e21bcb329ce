"""The clinics on this machine as processes: finding, starting, watching and stopping them.

The fleet knows addresses, silos and log files. It knows nothing of turns, and what a clinic says about a patient never
passes through here.
"""

from orchestrator.fleet.address_probe import probe
from orchestrator.fleet.finding import Present
from orchestrator.fleet.fleet import Calendar, Fleet
from orchestrator.fleet.fleet_status import Entry, call_roll
from orchestrator.fleet.health_watch import Pulse
from orchestrator.fleet.log_tail import LogTail
from orchestrator.fleet.member import Member
from orchestrator.fleet.offered_tools import OfferedTools, ask_offers
from orchestrator.fleet.process import clinic_command, clinic_environment, log_file
from orchestrator.fleet.silo_holder import Holder, end, find_holder, find_holders
from orchestrator.fleet.temporary import temporary_fleet
from orchestrator.fleet.trouble import FleetError, Trouble

__all__ = [
    "Calendar",
    "Entry",
    "Fleet",
    "FleetError",
    "Holder",
    "LogTail",
    "Member",
    "OfferedTools",
    "Present",
    "Pulse",
    "Trouble",
    "ask_offers",
    "call_roll",
    "clinic_command",
    "clinic_environment",
    "end",
    "find_holder",
    "find_holders",
    "log_file",
    "probe",
    "temporary_fleet",
]
