"""Two commits measured in one run: the working tree and the files of an earlier commit, in processes of their own.

Both are driven through what exists in both: the command line, and the contract on the wire.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.measure import Figure
from bench.processes import ROOT, scratch


@dataclass(frozen=True, slots=True)
class Checkout:
    """The files of a commit.

    Attributes:
        name: What figures call it.
        tree: The folder, which goes in front of the modules that a process finds.
    """

    name: str
    tree: Path


HERE = Checkout("working tree", ROOT)


@contextmanager
def checked_out(commit: str) -> Iterator[Checkout]:
    """Yield the files of a commit in a folder that goes away.

    Raises:
        RuntimeError: There is no such commit.
    """
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=False)
    if archive.returncode != 0:
        raise RuntimeError(archive.stderr.decode().strip())
    with scratch() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
        yield Checkout(commit, folder)


def ratio(figures: dict[str, Figure], base: Checkout) -> Figure:
    """Return the working tree's figure over the earlier commit's."""
    return figures[HERE.name].over(figures[base.name])
