"""What the person is shown after a turn, and a session as Markdown.

There, what a person typed is escaped, so that it cannot add a heading, a link or HTML. A review's search strategy, and
a theory and its rivals, are made anew of the question whenever they are shown; the state does not keep them.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile

from orchestrator.planner.lexicon import phrases, sections
from orchestrator.planner.text import fold_phrase
from orchestrator.research.graph.feasibility import Count, FeasibilityTable, condition_name, read_population
from orchestrator.research.graph.state import MethodologistOutput, MultiAgentState, listed
from orchestrator.research.rules import LEXICON, Element, Elements
from orchestrator.texts import Texts, texts_in
from orchestrator.turn import Block, Language, Paragraph, Reply, Table, TurnOutcome

_CONSTRUCTS = (Element.EXPOSURE, Element.OUTCOME, Element.POPULATION)


def reply_of(state: MultiAgentState, counts: FeasibilityTable | None) -> Reply:
    """Return the answer to the person's last words; `counts` is None where no clinic was asked."""
    texts = texts_in(state.language)
    since_the_person = takewhile(lambda saying: saying.speaker != "researcher", reversed(state.conversation_history))
    sayings = [*since_the_person][::-1]
    judged = state.methodologist_output if any(saying.speaker == "methodologist" for saying in sayings) else None
    blocks: list[Block] = []
    for saying in sayings:
        name = texts.text(f"research.speakers.{saying.speaker}")
        if judged is not None and saying.speaker == "methodologist":
            blocks += _verdict_blocks(judged, texts, f"{name}: ")
        else:
            blocks.append(Paragraph(f"{name}: {saying.text}"))
    if judged is not None and judged.status == "approved":
        blocks += _plan_blocks(state)
    rejected = judged is not None and judged.status == "rejected"
    if judged is not None and not rejected and counts is not None:
        blocks += _feasibility_blocks(counts, texts)
    return Reply(state.language, TurnOutcome.REFUSED if rejected else _outcome(counts), tuple(blocks))


def _verdict_blocks(judged: MethodologistOutput, texts: Texts, introduction: str = "") -> Iterator[Paragraph | Table]:
    yield Paragraph(f"{introduction}{judged.justification}")
    if judged.improvements:
        named = texts.table("research.aspects")
        rows = tuple((named[each.aspect], each.gap, each.suggestion) for each in judged.improvements)
        yield Table(texts.lines("research.improvement_columns"), rows)


def version_blocks(state: MultiAgentState) -> tuple[Table, ...]:
    """Return the versions of a question with their gaps; empty before the first."""
    texts = texts_in(state.language)
    rows = []
    for version in state.hypothesis_versions:
        aspects = listed((each.aspect for each in version.feedback.improvements), texts)
        rows.append((f"V{version.version}", version.question, aspects or "—"))
    return (Table(texts.lines("research.version_columns"), tuple(rows)),) if rows else ()


def _plan_blocks(state: MultiAgentState) -> Iterator[Paragraph | Table]:
    # Nothing for a hypothesis, and before there is a question.
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


def _feasibility_blocks(counts: FeasibilityTable, texts: Texts) -> Iterator[Paragraph | Table]:
    if not counts.population.conditions:
        yield Paragraph(texts.text("research.counts_none"))
    elif not counts.total.answered:
        yield Paragraph(texts.text("research.counts_unanswered"))
    else:
        names = ", ".join(condition_name(code, texts.language) for code in counts.population.conditions)
        yield Paragraph(texts.text("research.counts_title", conditions=names))
        rows = tuple(_count_row(count, texts) for count in (*counts.counts, counts.total))
        yield Table(texts.lines("research.counts_columns"), rows)
    if counts.population.unchecked:
        criteria = ", ".join(texts.table("research.criteria")[code] for code in counts.population.unchecked)
        yield Paragraph(texts.text("research.unchecked", criteria=criteria))


def _count_row(count: Count, texts: Texts) -> tuple[str, str, str]:
    specialty = (texts.language is Language.PT and count.portuguese) or count.specialty
    specialty = specialty or texts.text("research.counts_total")
    known = texts.text("research.suppressed") if count.patients is None else str(count.patients)
    patients = known if count.answered else texts.text("research.unknown")
    return specialty, f"{count.answered}/{count.clinics}", patients


def _outcome(counts: FeasibilityTable | None) -> TurnOutcome:
    if counts is None or counts.total.answered == counts.total.clinics:
        return TurnOutcome.OK
    return TurnOutcome.PARTIAL if counts.total.answered else TurnOutcome.ALL_DOWN


def exported(state: MultiAgentState, counts: FeasibilityTable | None) -> str:
    """Return a session as Markdown; `counts` is None where no clinic was asked."""
    texts, judged = texts_in(state.language), state.methodologist_output
    focal = () if state.focal_argument is None else (texts.text(f"research.export.intents.{state.intent}"),)
    blocks = [*map(Paragraph, focal), *version_blocks(state), *(_verdict_blocks(judged, texts) if judged else ())]
    blocks += _plan_blocks(state)
    if counts is not None:
        blocks += [*_feasibility_blocks(counts, texts), Paragraph(texts.text("research.export.suppression"))]
    elif state.intent != "review_literature":
        blocks.append(Paragraph(texts.text("research.counts_unavailable")))
    title, session = texts.text("research.export.title"), texts.text("research.export.session")
    return "\n\n".join((f"# {title}", f"{session}: `{state.session_id}`", *map(_markdown, blocks))) + "\n"


def _markdown(block: Paragraph | Table) -> str:
    if isinstance(block, Paragraph):
        return _text(block.text)
    rows = (block.columns, ["---"] * len(block.columns), *block.rows)
    return "\n".join(f"| {' | '.join(map(_text, row))} |" for row in rows)


def _text(text: str) -> str:
    return re.sub(r"[\\`*_\[\]<>|#]", r"\\\g<0>", text)
