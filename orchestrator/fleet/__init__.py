"""The clinics on this machine as processes: find, start, watch and stop them. The fleet knows nothing of turns."""

from orchestrator.fleet.clinic_probe import Member, Present, probe
from orchestrator.fleet.fleet import Fleet, temporary_fleet
from orchestrator.fleet.fleet_status import *
from orchestrator.fleet.process import *
