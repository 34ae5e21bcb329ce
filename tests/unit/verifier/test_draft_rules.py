"""A model's text is held to the letter: hardly a good answer is refused, and no lie passes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.turn.identity import Language
from orchestrator.turn.reply import Draft, Paragraph, Reply, Rule, TurnOutcome
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import AFTERNOON, CLINICS, plan_of
from tests.support.draft_turns import BOTH, EN, LIST_PT
from tests.support.drafts import Lies, all_lies, composed_drafts, good_drafts, incomplete_drafts
from tests.support.model_drafts import Turn
from tests.support.siege import some_of

FALSE_BLOCKS_AT_MOST = 0.02

COMPOSED, IN_MANY_HANDS = list(composed_drafts()), list(good_drafts())
ALL_LIES = list(all_lies())
UNKNOWN_TO_THE_RULES = "You can just show up on Friday at 10:00."
"""A claim that the rules take for the opening it names: for conversations alone."""


@pytest.mark.parametrize(("clean", "at_least"), [(COMPOSED, 300), (IN_MANY_HANDS, 600)], ids=["composed", "many hands"])
def test_hardly_a_clean_answer_is_refused(clean: list[tuple[Turn, str]], at_least: int) -> None:
    assert len(clean) >= at_least
    tried = some_of(clean)
    refused = [text for turn, text in tried if not turn.verdict(text).safe]
    assert len(refused) <= FALSE_BLOCKS_AT_MOST * len(tried), refused


def test_the_lies_are_many_and_all_different() -> None:
    texts = [(lies.kind, id(lies.turn), text) for lies in ALL_LIES for text in lies.drafts()]
    assert len(set(texts)) == len(texts) >= 2500


@pytest.mark.parametrize(
    "lies", ALL_LIES, ids=lambda lies: f"{lies.kind} ({lies.turn.plan.language}, {lies.sentences[0]})"
)
def test_no_lie_passes_and_no_note_repeats_it(lies: Lies) -> None:
    verdicts = {text: lies.turn.verdict(text) for text in some_of(list(lies.drafts()))}
    assert [text for text, verdict in verdicts.items() if verdict.safe and UNKNOWN_TO_THE_RULES not in text] == []
    notes = {verdict.note for verdict in verdicts.values()}
    assert all(note.isascii() and not any(map(str.isdigit, note[2:])) for note in notes)
    assert not any(name in note for note in notes for name in ("Ricardo", "Fernando", "Clinic ", "Carlos"))


@pytest.mark.parametrize(
    ("turn", "text"), list(incomplete_drafts()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_answer_that_leaves_out_a_part_does_not_pass(turn: Turn, text: str) -> None:
    verdict = turn.verdict(text)
    assert (verdict.rule, verdict.note) == (Rule.R4, "R4: a part was left out")


def test_the_words_alone_decide_where_code_put_in_the_rest() -> None:
    """A draft from elsewhere, whose parts and handles say that all is well, is held to the same rules."""
    turn = LIST_PT
    shown = Reply(
        Language.PT, TurnOutcome.OK, (*turn.reply.blocks, Paragraph("Marquei a Dra. Helena Prado para amanhã."))
    )
    draft = Draft(shown, "Marquei a Dra. Helena Prado para amanhã.")
    verdict = RuleVerifier().check_draft(draft, turn.answers, turn.session, turn.plan, CLINICS)
    assert not verdict.safe


def test_tomorrow_may_be_said_only_by_who_was_asked_for_it() -> None:
    turn = Turn.of(*BOTH, plan=plan_of(BOTH, wish=LIST_PT.plan.wish), utterance="tem amanhã?")
    assert not turn.verdict("Amanhã há estes horários:\n\n{slots}").safe


def test_a_period_of_the_filter_is_told_of_the_openings_in_it() -> None:
    turn = Turn.of(*BOTH, plan=plan_of(BOTH, EN, AFTERNOON))
    assert turn.verdict("In the afternoon there is one opening:\n\n{slots}\n\n{notice:1}").safe
    assert not turn.verdict("In the evening there is one opening:\n\n{slots}\n\n{notice:1}").safe


def test_without_a_clinic_that_says_its_name_nothing_is_known_of_it() -> None:
    silent = tuple(replace(clinic, name=clinic.id, doctors=()) for clinic in CLINICS)
    draft = LIST_PT.drafted("A Clínica Z tem estes horários:\n\n{slots}")
    verdict = RuleVerifier().check_draft(draft, LIST_PT.answers, LIST_PT.session, LIST_PT.plan, silent)
    assert not verdict.safe


PIECES = (
    "às",
    "vinte e um",
    "nove e meia",
    "24 da tarde",
    "dia 31 de fevereiro",
    "Clínica A,",
    "Dr.",
    "Ricardo",
    "mais cedo é",
)
MORE_PIECES = (
    "não há horários",
    "{slot:1}",
    "at half past",
    "from 9 to",
    "99:99",
    "²",
    "٣",
    "1.000.000",
    "foi marcada -",
    "( “",
)
WORDS = st.sampled_from((*PIECES, *MORE_PIECES))


@settings(max_examples=80, deadline=None)
@given(st.lists(WORDS | st.text(max_size=3), max_size=25).map(" ".join))
def test_any_text_has_a_verdict(text: str) -> None:
    verdict = LIST_PT.verdict(f"Horários: {{slots}} {text}")
    assert verdict.note == "OK" if verdict.rule is None else verdict.note.startswith(f"{verdict.rule}: ")
