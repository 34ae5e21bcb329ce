"""Generate the Python code of the contract: protos/ in, generated/ out.

It writes messages, stubs and their type stubs, copies the contract beside them, and moves protoc's imports under the
package `generated`. With `--check` it writes nothing and names the files that are not current. It deliberately does not
lint the contract nor compare it with an earlier one (buf does both), and it never changes a descriptor: a file stays
`mesh/v1/x.proto` on the wire, wherever its Python lives.
"""

import argparse
import ast
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mesh.code_generation import generate_code, module_of
from mesh.errors import UsageError

PROTOS = Path(__file__).resolve().parents[1] / "protos"
GENERATED = PROTOS.parent / "generated"
PACKAGE = GENERATED.name
BYTECODE = "__pycache__"


def generate(protos: Path) -> dict[str, bytes]:
    """Return the generated tree of the contract under `protos`: POSIX path inside the package to content.

    Raise UsageError as `generate_code` does.
    """
    with tempfile.TemporaryDirectory(prefix="generated-") as folder:
        out = Path(folder)
        sources = generate_code(protos, out)
        tree = read_tree(out)
    modules = {module_of(source) for source in sources}
    modules |= {f"{module}_grpc" for module in modules}
    tree = {path: reroot(content, modules) for path, content in tree.items()}
    # The wheel has no protos/: who writes a service of their own imports mesh/v1/options.proto from here.
    contract = {source: (protos / source).read_bytes() for source in sources}
    return tree | contract | dict(_package_files(sources)) | {"py.typed": b""}


def reroot(content: bytes, modules: set[str]) -> bytes:
    """Return Python source in which every name of a generated module is found under the package `generated`.

    Only a name M in `modules` (dotted, as protoc writes it) counts, in four forms: `from M import x`, `from
    parent import M`, `import M` with the expression M it makes usable, and a string that is exactly M (the
    `__module__` that messages are built with). The source is parsed, so comments, the serialised descriptor
    and an import of the product's own package `mesh` are safe.
    """
    lines = content.splitlines(keepends=True)
    # From the end of the file, so that an insertion moves none that is still to come.
    for line, column in sorted(_module_names(ast.parse(content), modules), reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[:column] + f"{PACKAGE}.".encode() + text[column:]
    return b"".join(lines)


def _module_names(tree: ast.Module, modules: set[str]) -> Iterator[tuple[int, int]]:
    """Yield line (from 1) and column (bytes, from 0) of each mention of a generated module."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(parent), names=names, level=0):
                if parent in modules or any(f"{parent}.{alias.name}" in modules for alias in names):
                    yield node.lineno, node.col_offset + len("from ")
            case ast.alias(name=name) if name in modules:
                yield node.lineno, node.col_offset
            case ast.Attribute() if ast.unparse(node) in modules:
                yield node.lineno, node.col_offset
            case ast.Constant(value=str(value)) if value in modules:
                yield node.lineno, node.col_offset + 1
            case _:
                pass


def _package_files(sources: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    yield (
        "__init__.py",
        b'"""Python code of the contract, written by scripts/generate.py: edit the contract, not this."""\n',
    )
    for folder in {parent for source in sources for parent in Path(source).parents[:-1]}:
        name = folder.as_posix()
        yield f"{name}/__init__.py", f'"""Generated from protos/{name}."""\n'.encode()


def read_tree(root: Path) -> dict[str, bytes]:
    """Return the files under `root` but bytecode, POSIX path to content; a missing folder is empty."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and BYTECODE not in path.parts
    }


def differences(wanted: Mapping[str, bytes], found: Mapping[str, bytes]) -> list[str]:
    """Return the paths, sorted, that are missing, stale or different in `found`."""
    return sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))


def write_tree(wanted: Mapping[str, bytes], root: Path) -> list[str]:
    """Make `root` hold exactly `wanted` and return the changed paths; a current file keeps its time."""
    changed = differences(wanted, read_tree(root))
    for name in changed:
        path = root / name
        if name in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(wanted[name])
        else:
            path.unlink()
    for folder in sorted((path for path in root.rglob("*") if path.is_dir()), reverse=True):
        if folder.exists() and not read_tree(folder):
            shutil.rmtree(folder)
    return changed


def main() -> int:
    """Generate, or with `--check` compare, and return the exit code: 0 done, 1 drift or failure."""
    parser = argparse.ArgumentParser(description="Generate the Python code of the contract into generated/.")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that are not current")
    check: bool = parser.parse_args().check
    try:
        wanted = generate(PROTOS)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 1
    if not check:
        for name in write_tree(wanted, GENERATED):
            print(f"{PACKAGE}/{name}")
        return 0
    drift = differences(wanted, read_tree(GENERATED))
    for name in drift:
        print(f"not current: {PACKAGE}/{name}", file=sys.stderr)
    if drift:
        print("run `make generate` and commit the result", file=sys.stderr)
    return 1 if drift else 0


if __name__ == "__main__":
    sys.exit(main())
