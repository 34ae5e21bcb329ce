"""What a terminal and a script share: clean lines, turns that can be cancelled, progress, drawing; no prompt."""

from orchestrator.console.desk_commands import DESK_COMMANDS, SHORT_ID, DeskSession, sessions_blocks, write_new_file
from orchestrator.console.renderer import Display, Renderer
from orchestrator.console.turn_runner import Progress, TurnFailedError, TurnRunner, on_signal, preload
from orchestrator.console.utterance import LONGEST, TooLongError, clean, harmless, path_of, quiet_input
