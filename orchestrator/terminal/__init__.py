"""The terminal: questions of identity, a prompt with commands, and the drawing of replies.

It decides nothing about a turn: an utterance goes to the conversation as it was typed, and what comes back is drawn.
"""

from orchestrator.terminal.app import Terminal
from orchestrator.terminal.dependencies import ClinicConversation, TerminalDependencies
from orchestrator.terminal.display import Display, keep_still
from orchestrator.terminal.error_report import describe_fault
from orchestrator.terminal.hidden_typing import quiet_input
from orchestrator.terminal.history import DESK_FILE, FILE, PromptHistory
from orchestrator.terminal.mask import mask_cpf
from orchestrator.terminal.preload import Preload
from orchestrator.terminal.privacy_texts import PRIVACY_TEXTS
from orchestrator.terminal.progress import Progress
from orchestrator.terminal.questions import IdentityQuestions
from orchestrator.terminal.renderer import Renderer
from orchestrator.terminal.research.desk_app import DeskDependencies, DeskTurns, ResearchTerminal
from orchestrator.terminal.research.desk_commands import (
    COMMANDS,
    Begin,
    DeskMoment,
    LeaveDesk,
    run_command,
    sessions_blocks,
)
from orchestrator.terminal.research.texts import DESK_PORTUGUESE, RESEARCH_TEXTS
from orchestrator.terminal.texts import PORTUGUESE, TEXTS
from orchestrator.terminal.turn_worker import Taken, TurnFailedError, TurnRunner
from orchestrator.terminal.utterance import TooLongError, clean, harmless
from orchestrator.terminal.view_state import language_of
from orchestrator.terminal.visit import Stay
from orchestrator.terminal.wiping import wipe

__all__ = [
    "COMMANDS",
    "DESK_FILE",
    "DESK_PORTUGUESE",
    "FILE",
    "PORTUGUESE",
    "PRIVACY_TEXTS",
    "RESEARCH_TEXTS",
    "TEXTS",
    "Begin",
    "ClinicConversation",
    "DeskDependencies",
    "DeskMoment",
    "DeskTurns",
    "Display",
    "IdentityQuestions",
    "LeaveDesk",
    "Preload",
    "Progress",
    "PromptHistory",
    "Renderer",
    "ResearchTerminal",
    "Stay",
    "Taken",
    "Terminal",
    "TerminalDependencies",
    "TooLongError",
    "TurnFailedError",
    "TurnRunner",
    "clean",
    "describe_fault",
    "harmless",
    "keep_still",
    "language_of",
    "mask_cpf",
    "quiet_input",
    "run_command",
    "sessions_blocks",
    "wipe",
]
