"""What is said on the READMEs' screens, and what the program answers to it: July 2025 at the fixed agenda."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from tests.screens.svg import svg_of
from tests.support.home import Home
from tests.support.tty import Tty

_WHO = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation to be shown.

    Attributes:
        name: Of its file.
        lines: What is typed.
        toolbar: What the toolbar must say before the screen is taken.
        locale: Of the person's machine.
    """

    name: str
    lines: tuple[str, ...]
    toolbar: str
    locale: str


CONVERSATIONS = (
    Conversation(
        "agendamento",
        ("quero um cardiologista", "pode ser com o Dr. Fernando dia 18 às 10h", "sim"),
        "6/6",
        "pt_BR.UTF-8",
    ),
    Conversation(
        "booking",
        ("show me a dermatologist on friday", "the first one", "yes", "move it to monday at 9"),
        "open proposal",
        "en_US.UTF-8",
    ),
)


def screen_of(conversation: Conversation, home: Home) -> str:
    """Return the screen after a conversation as SVG.

    Args:
        conversation: What is said.
        home: A machine on which nothing was booked yet.
    """
    with closing(Tty(home, **_WHO, LANG=conversation.locale)) as tty:
        for line in conversation.lines:
            tty.say(line)
        tty.wait_until_drawn(conversation.toolbar)
        return svg_of(tty.cells, "clinic-mesh")
