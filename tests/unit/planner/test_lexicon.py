"""The tables of the lexicon: well formed, folded, and without rows that cannot match."""

from __future__ import annotations

import inspect
import re
from contextlib import suppress
from importlib import resources
from pathlib import Path
from types import ModuleType

import pytest

from orchestrator.planner.calendar import date_grammar, range_grammar, time_grammar
from orchestrator.planner.calendar.moments import Reference
from orchestrator.planner.lexicon import each_match, needed
from orchestrator.planner.lexicon.tables import pattern, patterns, phrases, rows, said_in, sections, table, words
from orchestrator.planner.text.normalised_text import fold_phrase, normalise
from tests.support.sentences import sections as sentences

PHRASE_FILES = ("memories", "requests", "references", "safety", "smalltalk", "specialties")
NO_PHRASES = {("references", "ordinals"), ("references", "cardinals"), ("references", "nouns")} | {
    ("memories", name) for name in ("weekdays", "weekday_sets", "subjects")
}
SECTIONS = [(file, section) for file in PHRASE_FILES for section in sections(file)]
_SENTENCES = ("conversations.txt", "clinic_facts.txt", "consent.txt", "own_words.txt", "days_told.txt")
SAID = [normalise(one).folded for name in _SENTENCES for _, said in sentences(name) for one in said][::4]


def test_every_row_is_a_phrase() -> None:
    assert [place for place in SECTIONS if place not in NO_PHRASES and table(*place).fullmatch("")] == []


@pytest.mark.parametrize("file", [*PHRASE_FILES, "calendar", "slang", "words"])
def test_every_row_is_folded(file: str) -> None:
    for section, table_rows in sections(file).items():
        for row in table_rows:
            assert row == fold_phrase(row), (section, row)


@pytest.mark.parametrize("file", PHRASE_FILES)
def test_no_row_stands_twice_in_a_section(file: str) -> None:
    for section, table_rows in sections(file).items():
        assert len(table_rows) == len(set(table_rows)), section


@pytest.mark.parametrize("file", [*PHRASE_FILES, "clinic_facts", "danger_words", "wishes"])
def test_no_repeated_choice_holds_any_word_beside_a_word(file: str) -> None:
    """Such a word could be read in two ways each time it is repeated, and a long text would take for ever."""
    choices = re.compile(r"\(((?:[^()]|\([^()]*\))*)\)\*")
    for section in sections(file):
        for row in rows(file, section):
            repeated = [one[1].split("|") for one in choices.finditer(row)]
            assert [one for one in repeated if len(one) > 1 and "_" in map(str.strip, one)] == [], (section, row)


@pytest.mark.parametrize("file", PHRASE_FILES)
def test_no_row_is_spelled_in_a_way_that_expansion_would_change(file: str) -> None:
    for section in sections(file):
        for row in rows(file, section):
            if re.fullmatch(r"[a-z ]+", row):
                assert normalise(row).folded == row, (section, row)


def test_typos_are_only_corrected_towards_words_that_are_right() -> None:
    assert not words("keywords") & words("everyday")


@pytest.mark.parametrize(
    ("row", "fits", "fails"),
    [
        ("cancel*", ["cancelar", "cancel", "quero cancelar!"], ["xcancelar", "canal"]),
        ("dor no (pe|joelho)", ["dor no pe", "dor, no joelho"], ["dor no", "dor no peito", "dor. no pe"]),
        ("quero (muito )?ir", ["quero ir", "quero muito ir"], ["quero pouco ir", "quero"]),
        ("ver ... vaga", ["ver vaga", "ver se tem alguma vaga"], ["ver se tem mais uma outra vaga"]),
        ("para # horas", ["para 10 horas"], ["para dez horas"]),
        ("paciente _", ["paciente ana"], ["paciente"]),
    ],
)
def test_a_phrase_fits_what_it_says(row: str, fits: list[str], fails: list[str]) -> None:
    pattern = phrases([row])
    assert all(pattern.search(text) for text in fits)
    assert not any(pattern.search(text) for text in fails)


@pytest.mark.parametrize(
    ("section", "fits", "fails"),
    [
        ("next_day", ["no dia seguinte", "no dia, seguinte", "the following day"], ["dia", "no dia seguinte da prova"]),
        ("own_relative", ["minha mae", "my great grandson"], ["minha, mae", "my great, grandson", "mae"]),
        ("row_number", ["3", "tres", "ten"], ["terceiro", "#"]),
    ],
)
def test_a_pattern_may_name_the_phrases_of_a_table(section: str, fits: list[str], fails: list[str]) -> None:
    found = pattern("patterns", section)
    assert [text for text in fits if not found.search(text)] == []
    assert [text for text in fails if found.search(text)] == []


def test_no_section_of_the_patterns_stands_twice() -> None:
    folder = Path(date_grammar.__file__).parents[1] / "lexicon" / "patterns"
    names = re.findall(r"^\[(\w+)\]$", "\n".join(path.read_text("utf-8") for path in folder.iterdir()), re.MULTILINE)
    assert sorted(names) == sorted(set(names))


def test_every_pattern_is_used() -> None:
    room = Path(date_grammar.__file__).parents[1]
    text = " ".join(path.read_text("utf-8") for path in (room / "lexicon" / "patterns").iterdir())
    code = " ".join(path.read_text("utf-8") for path in room.rglob("*.py"))
    written = {row.partition(" = ")[0] for table_rows in sections("written_out").values() for row in table_rows}
    names = [name for name in sections("patterns") if name not in written]
    assert [name for name in names if f'"{name}"' not in code and f"{{{name}}}" not in text] == []


@pytest.mark.parametrize("file", [*PHRASE_FILES, "patterns"])
def test_a_section_is_found_wherever_its_pattern_matches(file: str) -> None:
    ways = {}
    for name in (name for name in sections(file) if (file, name) not in NO_PHRASES):
        with suppress(re.error):  # rows that share names of groups are no one pattern
            ways[name] = pattern(file, name) if file == "patterns" else table(file, name)
    for said in SAID:
        assert said_in(said, file, tuple(ways)) == {name for name, way in ways.items() if way.search(said)}, said


@pytest.mark.parametrize("section", ["life", "hour_alone", "nth_day", "row_by_place", "not_this", "excused"])
def test_the_matches_of_rows_are_those_of_each_row(section: str) -> None:
    for said in SAID:
        found = [one.span() for row in patterns("patterns", section) for one in row.finditer(said)]
        assert [one.span() for one in each_match(section, said)] == found, said


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("marcar|cancel(?:ar|o)", {"marc", "canc"}),
        ("(?:ja )?quero(?= ir)", {"quer"}),
        (r"\bnao\b", {"nao"}),
        ("(?:hoje|x+) ou", {"ou"}),
        (r"(?i)hoje", {""}),
        (r"[a-z]+|\d", {""}),
    ],
)
def test_a_pattern_needs_a_piece_of_each_way_in_which_it_matches(source: str, pieces: set[str]) -> None:
    assert needed(source) == pieces


def test_a_row_outside_the_phrase_language_is_an_error() -> None:
    with pytest.raises(ValueError, match="not in the phrase language"):
        phrases(["dor [forte]"])


@pytest.mark.parametrize(
    ("grammar", "tables"),
    [
        (date_grammar, ("dates", "weekdays", "days", "english days", "feasts")),
        (range_grammar, ("first ranges", "last ranges", "counted", "counted from today")),
        (time_grammar, ("times",)),
    ],
)
def test_every_reader_of_a_grammar_has_a_form(grammar: ModuleType, tables: tuple[str, ...]) -> None:
    named = {"_" + row.partition(" ")[0] for name in tables for row in rows("calendar_forms", name)}
    functions = inspect.getmembers(grammar, inspect.isfunction)
    taken = {name: [*inspect.get_annotations(one).values()][-3:-1] for name, one in functions}
    assert {name for name, types in taken.items() if types == [re.Match[str], Reference]} == named


def test_every_part_of_the_forms_is_used() -> None:
    parts = [name for name, found in sections("calendar_forms").items() if len(found) == 1 and " = " not in found[0]]
    text = resources.files("orchestrator.planner.lexicon").joinpath("calendar_forms.txt").read_text("utf-8")
    code = " ".join(path.read_text("utf-8") for path in Path(date_grammar.__file__).parent.glob("*.py"))
    used = set(re.findall(r"\{([a-z_]+)\}", text)) | set(re.findall(r"pattern\([\"']([a-z_]+)[\"']\)", code))
    assert set(parts) - used == {"source_pt", "source_en"}
