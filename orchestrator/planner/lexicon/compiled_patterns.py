"""Compile regular expressions once for all processes, as Python does its modules: else they are half of a first answer.

`re` has no public way to keep what it compiles a pattern to: numbers, which its engine checks when it takes them. Here
they stand beside this module's bytecode and under its rules (PYTHONDONTWRITEBYTECODE, PYTHONPYCACHEPREFIX) until a file
of the lexicon changes. Where a Python does it in another way, or the file is of no use, `re` compiles as ever.

Most patterns need not be tried on a text: a text of twelve words holds some 150 pieces of two to four letters, and few
of the thousands of rows have one of theirs among them. For each way in which a pattern can match, one piece is chosen:
how its longest word begins.
"""

import atexit
import json
import re
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

_PATH = cache_from_source(__file__).removesuffix("pyc") + "json"
_UNUSABLE = (ArithmeticError, AttributeError, ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError)
ANYTHING = frozenset({""})  # what any text holds
COSTS = {4: 1, 3: 3, 2: 8}  # of the pieces by their letters: how much more often a shorter one stands in a text


def compiled(source: str) -> re.Pattern[str]:
    """Return the pattern of a regular expression of the lexicon, as `re.compile` does."""
    return _made(source)[0]


def needed(source: str) -> frozenset[str]:
    """Return the pieces of which any text that a regular expression of the lexicon matches in holds one."""
    return _made(source)[1]


@cache
def _made(source: str) -> tuple[re.Pattern[str], frozenset[str]]:
    try:
        known, engine = _known()
        flags, groups, names, numbers, needs = known.get(source) or known.setdefault(source, _numbers_of(source))
        code = array("I", zlib.decompress(b64decode(numbers))).tolist()
        name_of = {number: name for name, number in names.items()}.get
        pattern: re.Pattern[str] = engine(source, flags, code, groups - 1, names, tuple(map(name_of, range(groups))))
    except (*_UNUSABLE, zlib.error):
        return re.compile(source), frozenset({""})
    return pattern, frozenset(needs)


def _numbers_of(source: str) -> list[Any]:
    parsed = import_module("re._parser").parse(source)
    code = array("I", map(int, import_module("re._compiler")._code(parsed, 0))).tobytes()  # noqa: SLF001 - see above
    state = parsed.state
    needs = [""] if state.flags & re.IGNORECASE else sorted(needed_pieces(parsed))
    return [int(state.flags), state.groups, state.groupdict, b64encode(zlib.compress(code, 1)).decode(), needs]


@cache
def _known() -> tuple[dict[str, list[Any]], Any]:
    """Return the numbers of what any process compiled, to which this one adds its own at its end, and the engine."""
    engine, here = import_module("_sre"), Path(__file__).parent
    changed_ns = max(file.stat().st_mtime_ns for file in (*here.glob("*.*"), *here.glob("patterns/*.*")))
    made_for = f"{sys.version} {engine.MAGIC} {changed_ns}"
    try:
        kept = json.loads(Path(_PATH).read_bytes())
        known = kept["patterns"] if kept["made_for"] == made_for else {}
    except _UNUSABLE:
        known = {}
    before = len(known)

    def keep() -> None:
        if len(known) > before and not sys.dont_write_bytecode:
            content = json.dumps({"made_for": made_for, "patterns": known}).encode()
            SourceFileLoader(__name__, __file__).set_data(_PATH, content)

    atexit.register(keep)
    return known, engine.compile


def needed_pieces(parsed: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """Return the pieces of which any text that a pattern, as `re` parses it, matches in holds one."""
    return min(_each_needed(parsed), key=lambda pieces: sum(COSTS.get(len(piece), 1000) for piece in pieces))


def _each_needed(parsed: Iterable[tuple[Any, Any]]) -> Iterator[frozenset[str]]:
    yield ANYTHING
    letters = ""
    for code, given in ((str(code), given) for code, given in (*parsed, ("", ""))):
        if code == "LITERAL":
            letters += chr(given)
            continue
        if code == "AT":  # a place between two letters
            continue
        if len(letters) > 1:
            yield frozenset({max((*letters.split(), letters[:2]), key=len)[: max(COSTS)]})
        letters = ""
        if code == "SUBPATTERN" and not given[1]:
            yield needed_pieces(given[3])
        elif code == "BRANCH":
            yield frozenset().union(*map(needed_pieces, given[1]))
        elif code in {"MAX_REPEAT", "MIN_REPEAT"} and given[0]:
            yield needed_pieces(given[2])
        elif code == "ASSERT":
            yield needed_pieces(given[1])
