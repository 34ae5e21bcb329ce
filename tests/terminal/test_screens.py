"""The screens in the READMEs are what the program shows today."""

import pytest

from tests.screens.__main__ import FOLDER
from tests.screens.conversations import CONVERSATIONS, Conversation, screen_of
from tests.support.home import ROOT, Home


@pytest.mark.long(but=1)
@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda conversation: conversation.name)
def test_a_screen_is_what_the_program_draws(served_home: Home, conversation: Conversation) -> None:
    drawn = screen_of(conversation, served_home)
    kept = (FOLDER / f"{conversation.name}.svg").read_text("utf-8")
    assert drawn == kept, "the screen has changed: run `make screens` and look at it"


def test_every_screen_is_shown_and_none_is_left_over() -> None:
    names = {f"{conversation.name}.svg" for conversation in CONVERSATIONS}
    assert {path.name for path in FOLDER.iterdir()} == names
    shown = "".join((ROOT / readme).read_text("utf-8") for readme in ("README.md", "README.pt-BR.md"))
    assert all(f"docs/screens/{name}" in shown for name in names)
