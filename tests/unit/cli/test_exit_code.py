"""Exit codes: every outcome has one, and a run of several turns ends with the most serious."""

import re

import pytest

from orchestrator.cli.command_line import parse_arguments
from orchestrator.cli.exit_code import ExitCode, most_serious
from orchestrator.turn.reply import TurnOutcome


def test_every_outcome_has_its_code() -> None:
    assert len({*map(ExitCode.of, TurnOutcome)}) == len(TurnOutcome)


def test_the_help_lists_the_codes_in_the_order_of_their_weight(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    listed = capsys.readouterr().out.split("exit codes")[1].split("\n\n")[0]
    assert [int(code) for code in re.findall(r"(\d+) [a-z]", listed)] == list(ExitCode)


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], ExitCode.OK),
        ([ExitCode.OK, ExitCode.PARTIAL], ExitCode.PARTIAL),
        ([ExitCode.CONFIRM, ExitCode.REFUSED, ExitCode.OK], ExitCode.REFUSED),
        ([ExitCode.UNKNOWN_WRITE, ExitCode.INTERNAL], ExitCode.UNKNOWN_WRITE),
        ([ExitCode.PARTIAL, ExitCode.ALL_DOWN, ExitCode.USAGE], ExitCode.ALL_DOWN),
    ],
)
def test_the_most_serious_code_wins(codes: list[ExitCode], expected: ExitCode) -> None:
    assert most_serious(codes) is expected
