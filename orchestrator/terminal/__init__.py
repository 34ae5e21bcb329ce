"""The terminal: questions of identity, a prompt with commands, and the drawing of replies.

It decides nothing about a turn: an utterance goes to the conversation as it was typed, and what comes back is drawn.
"""

from orchestrator.terminal.actions import Leave, NewResearch
from orchestrator.terminal.clinic_terminal import ClinicTerminal
from orchestrator.terminal.dependencies import ClinicConversation, ClinicServices, TerminalDependencies
from orchestrator.terminal.desk_commands import DESK_COMMANDS, DeskView, run_desk_command, sessions_blocks
from orchestrator.terminal.desk_terminal import DeskTerminal
from orchestrator.terminal.hidden_typing import quiet_input
from orchestrator.terminal.history import DESK_FILE, FILE, PromptHistory
from orchestrator.terminal.progress import Progress
from orchestrator.terminal.questions import IdentityQuestions
from orchestrator.terminal.renderer import Display, Renderer, keep_still
from orchestrator.terminal.turn_runner import TurnFailedError, TurnRunner
from orchestrator.terminal.utterance import TooLongError, clean, harmless
from orchestrator.terminal.view_state import Stay, language_of

__all__ = [
    "DESK_COMMANDS",
    "DESK_FILE",
    "FILE",
    "ClinicConversation",
    "ClinicServices",
    "ClinicTerminal",
    "DeskTerminal",
    "DeskView",
    "Display",
    "IdentityQuestions",
    "Leave",
    "NewResearch",
    "Progress",
    "PromptHistory",
    "Renderer",
    "Stay",
    "TerminalDependencies",
    "TooLongError",
    "TurnFailedError",
    "TurnRunner",
    "clean",
    "harmless",
    "keep_still",
    "language_of",
    "quiet_input",
    "run_desk_command",
    "sessions_blocks",
]
