"""What follows a question that is no hypothesis to test: a review's search strategy, a theory and its rivals.

Both are made anew of the question and its intent whenever they are shown; the state does not keep them.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from orchestrator.planner.lexicon import phrases, sections
from orchestrator.planner.text import fold_phrase
from orchestrator.research.graph.population import condition_name, read_population
from orchestrator.research.graph.state import MultiAgentState
from orchestrator.research.rules import LEXICON, Element, Elements
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Language, Paragraph, Table

_CONSTRUCTS = (Element.EXPOSURE, Element.OUTCOME, Element.POPULATION)


def plan_blocks(state: MultiAgentState) -> Iterator[Paragraph | Table]:
    """Yield the plan of the last version's question; nothing for a hypothesis, and before there is a question."""
    if state.last is not None and state.intent == "review_literature":
        yield from _search_strategy(state.known, state.language)
    elif state.last is not None and state.intent == "build_theory":
        yield from _theory(state.known, texts_in(state.language))


def _search_strategy(elements: Elements, language: Language) -> Iterator[Paragraph | Table]:
    texts = texts_in(language)
    terms = {element: _terms_of(elements[element], language) for element in _CONSTRUCTS if elements[element]}
    rows = (
        (texts.text(f"research.elements.{element}"), *("; ".join(found[each]) or "?" for each in Language))
        for element, found in terms.items()
    )
    yield Paragraph(texts.text("research.search.title"))
    yield Table(texts.lines("research.search.columns"), tuple(rows))
    for each in Language:
        blocks = (" OR ".join(f'"{term}"' for term in found[each]) for found in terms.values() if found[each])
        query = " AND ".join(f"({block})" for block in blocks)
        yield Paragraph(texts.text(f"research.search.query_{each}", query=query or "?"))
    if not all(found[each] for found in terms.values() for each in Language):
        yield Paragraph(texts.text("research.search.untranslated"))
    people = elements.population or texts.text("research.somebody")
    about = texts.all_of(elements[element] for element in terms if element is not Element.POPULATION)
    years = elements.time or texts.text("research.search.years")
    yield Paragraph(texts.text("research.search.method", population=people, about=about, years=years))


def _terms_of(phrase: str, language: Language) -> Mapping[Language, tuple[str, ...]]:
    # What names nothing known is a term itself, in the language of the person, and has none in the other.
    folded = fold_phrase(phrase)
    named = [code for code, pattern in _concepts().items() if pattern.search(folded)]
    conditions = read_population(phrase, language).conditions
    found = {
        each: (
            *(condition_name(code, each) for code in conditions),
            *(term for code in named for term in sections("terms", LEXICON)[f"{each}.{code}"]),
        )
        for each in Language
    }
    return found if any(found.values()) else {each: (phrase,) if each is language else () for each in Language}


@cache
def _concepts() -> Mapping[str, re.Pattern[str]]:
    tables = sections("terms", LEXICON)
    return {
        code: phrases(fold_phrase(term.replace("-", " ")) for each in Language for term in tables[f"{each}.{code}"])
        for code in (name.removeprefix("pt.") for name in tables if name.startswith("pt."))
    }


def _theory(elements: Elements, texts: Texts) -> Iterator[Paragraph | Table]:
    unknown = texts.text("research.theory.unknown")
    named = {element.value: elements[element] or unknown for element in _CONSTRUCTS}
    yield Paragraph(texts.text("research.theory.title", **named))
    roles = ((text, texts.text(f"research.theory.roles.{role}")) for role, text in named.items())
    yield Table(texts.lines("research.theory.construct_columns"), tuple(roles))
    rivals = (
        (texts.text(f"research.theory.claims.{rival}", **named), test)
        for rival, test in texts.table("research.theory.tests").items()
    )
    yield Table(texts.lines("research.theory.rival_columns"), tuple(rivals))
