"""The prompt's keys beyond prompt_toolkit's own (Enter, Ctrl-R, Ctrl-D, Ctrl-L, Right, Tab, bracketed paste).

Keys that act on a running turn are `waiting`'s: the prompt is not there while a turn runs.
"""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent


def bindings(show_health: Callable[[], None] | None = None) -> KeyBindings:
    """Return the key bindings of a prompt.

    Args:
        show_health: Draws how the clinics are, while the prompt is out of the way; None leaves F2 alone.
    """
    keys = KeyBindings()

    @keys.add("c-c")
    def _clear_or_leave(event: KeyPressEvent) -> None:
        """Empty the line; on an empty line the prompt ends with KeyboardInterrupt."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt())

    @keys.add("escape", "enter")
    def _new_line(event: KeyPressEvent) -> None:
        """Go on in a new line of the same message."""
        event.current_buffer.insert_text("\n")

    @keys.add("f4")
    def _other_mode(event: KeyPressEvent) -> None:
        """Edit as in the other of emacs and vi."""
        is_emacs = event.app.editing_mode is EditingMode.EMACS
        event.app.editing_mode = EditingMode.VI if is_emacs else EditingMode.EMACS

    if show_health is not None:
        # Above what is being typed.
        keys.add("f2")(lambda _: run_in_terminal(show_health))
    return keys
