"""The prompt's keys beyond prompt_toolkit's own (Ctrl-R, Ctrl-D, Ctrl-L, Right, Tab).

Keys that act on a running turn are signals, not bindings: the prompt is not there while a turn runs.
"""

from __future__ import annotations

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent


def bindings() -> KeyBindings:
    """Return the key bindings of the main prompt."""
    keys = KeyBindings()

    @keys.add("c-c")
    def _clear_or_hint(event: KeyPressEvent) -> None:
        """Empty the line; on an empty line the prompt ends with KeyboardInterrupt, and the terminal gives a hint."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt())

    return keys
