"""The terminal: questions of identity, a prompt with commands, and replies; it decides nothing about a turn."""

from orchestrator.terminal.clinic_terminal import ClinicTerminal
from orchestrator.terminal.desk_terminal import DeskTerminal
from orchestrator.terminal.loop import TerminalDependencies
from orchestrator.terminal.questions import IdentityQuestions
from orchestrator.terminal.secrecy import DESK_FILE, FILE, PromptHistory
from orchestrator.terminal.slash_commands import ClinicServices, Request
