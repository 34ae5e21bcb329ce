"""What a terminal and a script share: clean lines, turns that can be cancelled, progress, drawing; no prompt."""

from orchestrator.console.desk_commands import DESK_COMMANDS, SHORT_ID, DeskView, run_desk_command, sessions_blocks
from orchestrator.console.progress import Progress
from orchestrator.console.renderer import Display, Renderer
from orchestrator.console.slash_commands import (
    Action,
    ChangeSession,
    Command,
    NewResearch,
    Request,
    Save,
    SaveCalendar,
    Say,
    Show,
    Suggestion,
    command_of,
    help_blocks,
    show_text,
)
from orchestrator.console.turn_runner import ClinicConversation, TurnFailedError, TurnRunner, on_signal, preload
from orchestrator.console.utterance import LONGEST, TooLongError, clean, harmless, quiet_input
