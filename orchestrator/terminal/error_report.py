"""Describes an unforeseen error for the log without what it may carry.

An exception's text may hold what a person said or who they are; its type and its place in the code do not.
"""

from __future__ import annotations

import traceback


def describe_fault(error: BaseException) -> str:
    """Return an error's type and the lines that it passed, innermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    place = " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {place}"
