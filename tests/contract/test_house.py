"""The rules that keep the house one that a newcomer finds their way in: sizes, names, owners, doors.

A rule that does not hold everywhere yet names where; those lists only get shorter.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRODUCT = ("mesh", "clinics", "orchestrator", "prompts", "protos")

MOST_LINES, MOST_MODULES = 42_000, 300
MOST_LINES_OF_A_MODULE, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS, FEWEST_LINES = 300, 60, 6, 40

HALL = {"conversation.py", "settings.py", "settings_table.py", "stages.py"}
SAME_FILE_NAMES: set[str] = set()
SAME_CLASS_NAMES: set[str] = set()
ENTRY_POINTS = {"serve"}
"""Functions that more may be given to."""
SMALL: set[str] = set()
LAZY = {  # beside cli and composition
    "clinics/__main__.py",
    "clinics/transfer.py",
    "mesh/tokens.py",
    "orchestrator/memory/voyage.py",
    "orchestrator/security/token_keys.py",
}
OWNERS: Mapping[str, set[str]] = {
    r"unicodedata\.(normalize|combining)": {
        "mesh/text_folding.py",
        "orchestrator/research/rules/folded_text.py",
        "orchestrator/verifier/drafts/forbidden_topics.py",
        "orchestrator/verifier/rules.py",
    },
    r"\b0o600\b|\bS_I[RW]USR\b": {"mesh/private_file.py"},
    r'"(book|cancel|reschedule)_appointment"|"list_available_slots"': {
        "clinics/servicer.py",
        "orchestrator/turn/step_actions.py",
    },
}
"""What has an owner, as it is written, and who may write it."""


@cache
def modules() -> Mapping[str, str]:
    """The product's modules with their text."""
    files = (path for top in PRODUCT for path in sorted((ROOT / top).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}


@cache
def trees() -> Mapping[str, ast.Module]:
    return {name: ast.parse(text) for name, text in modules().items()}


def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield all functions below a node, methods with their class."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
        yield from functions(child, f"{child.name}." if isinstance(child, ast.ClassDef) else prefix)


def lines(text: str) -> int:
    return text.count("\n")


def repeated(places: Mapping[str, set[str]], allowed: set[str]) -> dict[str, set[str]]:
    return {name: where for name, where in places.items() if len(where) > 1 and name not in allowed}


def test_the_product_stays_small() -> None:
    rooms = [name for name in modules() if not name.endswith("__init__.py")]
    assert sum(map(lines, modules().values())) <= MOST_LINES
    assert len(rooms) <= MOST_MODULES


def test_the_hall_holds_at_most_six_modules() -> None:
    hall = {path.name for path in (ROOT / "orchestrator").glob("*.py")} - {"__init__.py"}
    assert hall <= HALL
    assert len(hall) <= 6


def test_no_module_and_no_function_is_too_long() -> None:
    # A door only names what it hands on.
    rooms = {name: text for name, text in modules().items() if not name.endswith("__init__.py")}
    long = {name for name, text in rooms.items() if lines(text) > MOST_LINES_OF_A_MODULE}
    for name, tree in trees().items():
        for function, node in functions(tree):
            if (node.end_lineno or 0) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION:
                long.add(f"{name}: {function}")
    assert long == set()


def test_no_function_takes_too_many_parameters() -> None:
    found = set()
    for name, tree in trees().items():
        for function, node in functions(tree):
            given = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            if len(given) - (given[:1] in (["self"], ["cls"])) > MOST_PARAMETERS and function not in ENTRY_POINTS:
                found.add(f"{name}: {function}")
    assert found == set()


def test_a_file_name_and_the_name_of_a_public_class_occur_once() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    classes: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees().items():
        if not name.endswith(("__init__.py", "__main__.py")):
            files[Path(name).name].add(name)
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].add(name)
    assert repeated(files, SAME_FILE_NAMES) == {}
    assert repeated(classes, SAME_CLASS_NAMES) == {}


def test_a_small_module_has_more_than_one_user() -> None:
    users: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for one in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                    users[one.replace(".", "/") + ".py"].add(name)
    small = {name for name, text in modules().items() if lines(text) < FEWEST_LINES and "__" not in name}
    assert {name for name in small if len(users[name]) == 1 and "__init__" not in str(users[name])} <= SMALL


def test_imports_stand_at_the_top_but_where_programs_are_put_together() -> None:
    lazy = set()
    for name, tree in trees().items():
        if not name.startswith(("orchestrator/cli/", "orchestrator/composition/")):
            for _, function in functions(tree):
                if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(function)):
                    lazy.add(name)
    assert lazy <= LAZY


def test_what_has_an_owner_is_written_there_alone() -> None:
    for what, owners in OWNERS.items():
        assert {name for name, text in modules().items() if re.search(what, text)} <= owners, what


def test_no_file_holds_the_marks_of_a_merge() -> None:
    mark = re.compile(r"^(?:<{7} |={7}$|>{7} )", re.MULTILINE)
    kept = (path for top in (*PRODUCT, "tests", "docs", "bench") for path in (ROOT / top).rglob("*"))
    texts = (path for path in kept if path.suffix in {".py", ".txt", ".toml", ".md", ".proto", ".yaml", ".jsonl"})
    assert [path.relative_to(ROOT) for path in texts if mark.search(path.read_text("utf-8"))] == []


def late_constants(tree: ast.Module) -> Iterator[str]:
    """Yield the constants of a module that stand behind its first function or class and need none of them."""
    made = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)} | {"globals"}
    begun = False
    for node in tree.body:
        begun = begun or isinstance(node, ast.FunctionDef | ast.ClassDef)
        if begun and isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            named = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
            stored = {one.id for one in named if isinstance(one.ctx, ast.Store)}
            if made.isdisjoint(one.id for one in named if isinstance(one.ctx, ast.Load)):
                yield from stored
            made |= stored


def test_constants_stand_at_the_head_of_their_module() -> None:
    late = {name: found for name, tree in trees().items() if (found := list(late_constants(tree)))}
    assert late == {}
