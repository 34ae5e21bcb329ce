"""The pager: pages forth and back, every way out, and nothing but the screen it borrowed."""

import io

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output.vt100 import Vt100_Output

from orchestrator.terminal.pager import Pager
from orchestrator.texts import Texts
from orchestrator.turn import Language

ROWS = 6
TEXT = "".join(f"linha {number}\n" for number in range(1, 21))
TEXTS = Texts(Language.PT, {"terminal": {"turn": {"page": "linhas {first} a {last} de {total}"}}})


def paged(keys: PipeInput, typed: str) -> str:
    """Return all that was written to the screen while these keys were typed."""
    file = io.StringIO()
    output = Vt100_Output(file, lambda: Size(rows=ROWS, columns=40), term="xterm", enable_cpr=False)
    pager = Pager(TEXT, TEXTS)
    keys.send_text(typed)
    pager.show(keys, output)
    return pager.status


@pytest.mark.parametrize(
    ("typed", "status"),
    [
        ("q", "linhas 1 a 5 de 20"),
        (" q", "linhas 6 a 10 de 20"),
        ("   " + " q", "linhas 16 a 20 de 20"),
        ("  bq", "linhas 6 a 10 de 20"),
        ("bq", "linhas 1 a 5 de 20"),
        ("jjkq", "linhas 2 a 6 de 20"),
        ("Gq", "linhas 16 a 20 de 20"),
        ("Ggq", "linhas 1 a 5 de 20"),
        ("\x1b[6~\x1b[B\x1b[Aq", "linhas 6 a 10 de 20"),
    ],
)
def test_keys_turn_the_pages_and_stop_at_both_ends(keys: PipeInput, typed: str, status: str) -> None:
    assert paged(keys, typed) == status
