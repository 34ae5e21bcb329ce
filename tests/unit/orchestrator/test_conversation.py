import json
import threading
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.errors import DomainError
from orchestrator.journal.events import Gathered, Planned, Routed, TurnFinished, TurnStarted, Verified
from orchestrator.journal.pipeline_log import PipelineLog
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, Proposed, Question, Step
from orchestrator.turn.reply import SAFE, Rule, TurnOutcome, Verdict
from orchestrator.turn.reply_steps import Choice, Courtesy, OpeningScope, ReplySteps, Target
from orchestrator.turn.routing import StepStatus, TaskStatus
from orchestrator.turn.topics import PlanKind, Topic
from tests.support.fake_verifier import FakeVerifier
from tests.support.steps import step_of
from tests.unit.orchestrator.fakes import Answer, FakeReplyChooser
from tests.unit.orchestrator.scene import BOOKING, CARLOS, LISTING, NOW, Scene, acknowledged, slots

THANKS = Plan(PlanKind.SMALLTALK, Language.EN, topic=Topic.THANKS)
WHEN = Plan(PlanKind.CLARIFY, Language.PT, topic=Topic.ASK_NEW_TIME, question=Question(Topic.ASK_NEW_TIME))
BROKEN = Verdict(Rule.R2, "personal data of somebody else")


def test_the_planner_is_given_the_utterance_the_session_and_the_clinics_time() -> None:
    scene = Scene({})
    before = scene.session
    scene.say("oi")
    assert scene.planner.asked == [("oi", before, datetime.fromisoformat(NOW))]


def test_a_plan_without_steps_calls_no_clinic_and_is_verified_all_the_same() -> None:
    scene = Scene({"thanks": THANKS})
    assert scene.say("thanks") == "say: thanks"
    assert scene.router.dispatched == []
    assert [type(event) for event in scene.events] == [TurnStarted, Planned, Routed, Verified, TurnFinished]


def test_the_steps_of_a_turn_share_its_id_the_identity_and_the_way_to_stop_it() -> None:
    scene = Scene({"horários": LISTING})
    cancel = threading.Event()
    scene.say("horários", cancel)
    started = scene.events[0]
    ((steps, dispatch),) = scene.router.dispatched
    assert isinstance(started, TurnStarted)
    assert steps == LISTING.steps
    assert (dispatch.turn_id, dispatch.identity) == (started.turn_id, CARLOS)
    assert dispatch.cancel is cancel


def test_a_listener_hears_of_one_turn_in_order() -> None:
    scene = Scene({"horários": LISTING})
    scene.say("horários")
    started, planned, routed, gathered, data, reply, finished = scene.events
    assert isinstance(started, TurnStarted)
    assert started.session_id == scene.session.session_id
    assert isinstance(planned, Planned)
    assert planned.plan == LISTING
    assert isinstance(routed, Routed)
    assert routed.decision.chosen == ("clinic_a",)
    assert isinstance(gathered, Gathered)
    assert [(result.task.intent, result.status) for result in gathered.results] == [
        ("list_available_slots", TaskStatus.SUCCESS)
    ]
    assert isinstance(data, Verified)
    assert isinstance(reply, Verified)
    assert [(data.subject, data.verdict), (reply.subject, reply.verdict)] == [("data", SAFE), ("reply", SAFE)]
    assert isinstance(finished, TurnFinished)
    assert (finished.outcome, finished.reply) == (TurnOutcome.OK, "answer: done")


def test_no_two_turns_share_an_id() -> None:
    scene = Scene({})
    scene.say("oi")
    scene.say("oi")
    assert len({event.turn_id for event in scene.events if isinstance(event, TurnStarted)}) == 2


def test_what_a_listener_hears_of_a_reply_is_redacted() -> None:
    scene = Scene({}, verifier=FakeVerifier(reply=Verdict(Rule.R2, "Carlos Teste, 123.456.789-00")))
    assert "123.456.789-00" in scene.say("oi")
    finished = scene.events[-1]
    assert isinstance(finished, TurnFinished)
    assert finished.reply == "blocked: [NAME], [CPF]; receipts: none"


def test_a_file_gets_neither_the_speakers_data_of_a_reply_nor_those_of_a_plan(tmp_path: Path) -> None:
    asking = replace(LISTING, steps=(step_of(1, "clinic_a", "query", {"query": "sou Carlos Teste, 123.456.789-00"}),))
    refusal = Verdict(Rule.R2, "Carlos Teste, 123.456.789-00")
    scene = Scene({"oi": asking}, answer=lambda _: slots("09:00"), verifier=FakeVerifier(reply=refusal))
    scene.channel.subscribe(PipelineLog(tmp_path, CARLOS))
    assert "123.456.789-00" in scene.say("oi")
    (file,) = tmp_path.iterdir()
    line = json.loads(file.read_text("utf-8"))
    assert line["reply"] == "blocked: [NAME], [CPF]; receipts: none"
    assert line["plan"]["steps"][0]["parameters"] == {"query": "sou [NAME], [CPF]"}
    line["verdicts"].clear()  # a rule's note is the rule's own words, but for this fake one
    assert not any(secret in json.dumps(line) for secret in ("Carlos", "123.456"))


@pytest.mark.parametrize("verifier", [FakeVerifier(data=BROKEN), FakeVerifier(reply=BROKEN)], ids=["data", "reply"])
def test_a_blocked_answer_is_replaced_by_the_note_but_the_receipt_of_a_write_stays(verifier: FakeVerifier) -> None:
    scene = Scene({"marque": BOOKING}, verifier=verifier, consent_given=True)
    reply = scene.answer("marque")
    assert reply.plain == "blocked: personal data of somebody else; receipts: confirmed"
    assert reply.outcome is TurnOutcome.REFUSED
    assert len(scene.session.receipts) == 1


def test_blocked_data_reaches_no_responder_and_so_no_second_check() -> None:
    scene = Scene({"horários": LISTING}, verifier=FakeVerifier(data=BROKEN))
    scene.say("horários")
    assert [event.subject for event in scene.events if isinstance(event, Verified)] == ["data"]


def test_a_text_without_steps_can_be_blocked_too() -> None:
    scene = Scene({"thanks": THANKS}, verifier=FakeVerifier(reply=BROKEN))
    assert scene.say("thanks") == "blocked: personal data of somebody else; receipts: none"


def test_the_verifier_is_given_the_clinics_answers_and_the_receipts_of_this_turn_only() -> None:
    scene = Scene({"marque": BOOKING, "horários": LISTING}, consent_given=True)
    scene.say("marque")
    scene.say("horários")
    booked, listed = scene.verifier.answers
    assert isinstance(booked.results[0].response, pb.BookAppointmentResponse)
    assert booked.results[0].response.status == "confirmed"
    assert listed.utterance == "horários"
    assert [len(receipts) for receipts in scene.verifier.receipts] == [1, 0]


def test_a_listing_replaces_the_offers_and_nothing_else_does() -> None:
    answers: dict[str, list[Answer]] = {
        "list_available_slots": [slots("09:00", "10:30"), slots("14:00")],
        "query": [DomainError("INTERNAL", "the agent failed")],
    }
    query = replace(LISTING, steps=(step_of(1, "clinic_a", "query", {"query": "asma"}),))
    scene = Scene(
        {"horários": LISTING, "busca": query, "thanks": THANKS}, answer=lambda step: answers[step.action].pop(0)
    )
    times: list[list[str]] = []
    for utterance in ("horários", "busca", "thanks", "?", "horários"):
        scene.say(utterance)
        times.append([f"{offer.number} {offer.time:%H:%M}" for offer in scene.session.offers])
    assert times == [["1 09:00", "2 10:30"]] * 4 + [["1 14:00"]]


def test_a_listing_that_finds_nothing_leaves_no_offer() -> None:
    answers: list[Answer] = [slots("09:00"), slots()]
    scene = Scene({"horários": LISTING}, answer=lambda _: answers.pop(0))
    scene.say("horários")
    scene.say("horários")
    assert scene.session.offers == ()


def test_a_proposal_leaves_the_offers_and_a_booking_takes_its_own_away() -> None:
    scene = Scene({"horários": LISTING, "marque": BOOKING})
    for utterance, numbers in (("horários", [1, 2]), ("marque", [1, 2]), ("sim", [2])):
        scene.say(utterance)
        assert [offer.number for offer in scene.session.offers] == numbers


def test_a_question_stands_for_one_turn() -> None:
    scene = Scene({"remarque": WHEN, "thanks": THANKS, "horários": LISTING})
    for following in ("thanks", "horários"):
        scene.say("remarque")
        assert scene.session.question == WHEN.question
        scene.say(following)
        assert scene.session.question is None


def test_the_language_of_a_reply_is_the_first_guess_for_the_next_utterance() -> None:
    scene = Scene({"thanks": THANKS})
    guesses = [scene.session.language]
    for utterance in ("thanks", "?"):
        scene.say(utterance)
        guesses.append(scene.session.language)
    assert guesses == [Language.PT, Language.EN, Language.PT]


def test_the_history_keeps_every_turn_as_it_was_said_and_shown() -> None:
    scene = Scene({"thanks": THANKS, "marque": BOOKING})
    for utterance in ("thanks", "marque", ""):
        scene.say(utterance)
    assert [(exchange.utterance, exchange.reply) for exchange in scene.session.history] == [
        ("thanks", "say: thanks"),
        ("marque", "propose: book_appointment"),
        ("", "dropped"),
    ]


def test_the_session_that_a_turn_began_with_is_left_as_it_was() -> None:
    scene = Scene({"marque": BOOKING}, consent_given=True)
    before = scene.session
    copy = replace(before)
    scene.say("marque")
    assert before == copy
    assert scene.session.session_id == before.session_id


def test_a_turn_that_was_stopped_says_so_and_nothing_else() -> None:
    cancel = threading.Event()

    def stop(_: Step) -> Answer:
        cancel.set()
        return StepStatus.SKIPPED

    scene = Scene({"horários": LISTING}, answer=stop)
    reply = scene.answer("horários", cancel)
    assert (reply.plain, reply.outcome) == ("cancelled", TurnOutcome.CANCELLED)


def test_a_stopped_turn_still_shows_what_was_written() -> None:
    cancel = threading.Event()

    def stop(step: Step) -> Answer:
        cancel.set()
        return acknowledged(step)

    scene = Scene({"marque": BOOKING}, answer=stop, consent_given=True)
    assert scene.answer("marque", cancel).plain == "answer: done"


def test_the_log_hears_of_the_plan_of_a_consented_turn_too() -> None:
    scene = Scene({"marque": BOOKING})
    scene.say("marque")
    scene.events.clear()
    scene.say("sim")
    (planned,) = (event for event in scene.events if isinstance(event, Planned))
    assert [step.action for step in planned.plan.steps] == ["book_appointment"]


ACHES = Verdict(Rule.R3, "R3: medical advice")


def test_what_a_model_chose_for_the_reply_is_said_by_code_once_the_data_are_verified() -> None:
    chooser = FakeReplyChooser(ReplySteps((Courtesy.GREET,), shown=(OpeningScope(),)))
    scene = Scene({"horários": LISTING}, chooser=chooser)
    assert scene.say("horários") == "answer: greet, done"
    assert [event.subject for event in scene.events if isinstance(event, Verified)] == ["data", "reply"]


def test_no_model_is_asked_about_data_that_the_verifier_blocks() -> None:
    chooser = FakeReplyChooser(ReplySteps((Courtesy.GREET,)))
    scene = Scene({"horários": LISTING}, chooser=chooser, verifier=FakeVerifier(data=ACHES))
    assert "greet" not in scene.say("horários")


def test_the_template_answers_when_the_model_chose_nothing() -> None:
    scene = Scene({"horários": LISTING}, chooser=FakeReplyChooser(None))
    assert scene.say("horários") == "answer: done"


def test_no_model_chooses_for_a_turn_that_calls_no_clinic_or_proposes_a_write() -> None:
    chooser = FakeReplyChooser(ReplySteps((Courtesy.GREET,)))
    scene = Scene({"thanks": THANKS, "marca": BOOKING}, chooser=chooser)
    assert [scene.say("thanks"), scene.say("marca")] == ["say: thanks", "propose: book_appointment"]


def test_a_choice_among_the_openings_that_were_read_is_proposed_and_only_then() -> None:
    first = Target(first_of=(OpeningScope(),))
    plan = replace(LISTING, reply=ReplySteps(choice=Choice(book=(first,))), asks_first=True)
    scene = Scene({"o mais cedo": plan}, consent_given=True)
    assert scene.say("o mais cedo") == "propose: book_appointment"


def test_writes_that_the_words_do_not_bear_out_are_proposed_though_consent_was_given_beforehand() -> None:
    scene = Scene({"marca": replace(BOOKING, asks_first=True)}, consent_given=True)
    assert scene.say("marca") == "propose: book_appointment"
    assert scene.router.dispatched == []
    assert scene.say("sim") == "answer: done"


def test_a_models_reasoning_is_withheld_where_a_reply_could_not_say_it() -> None:
    proposed = Proposed(LISTING.steps, used=True, reasoning=("Cardiologia.",))
    reasoned = replace(LISTING, reasoning=("Why.",), proposed=proposed)
    cleared, withheld = Scene({"horários": reasoned}), Scene({"horários": reasoned}, verifier=FakeVerifier(reply=ACHES))
    for scene in (cleared, withheld):
        scene.say("horários")
    plans = [event.plan for scene in (cleared, withheld) for event in scene.events if isinstance(event, Planned)]
    assert [plan.reasoning for plan in plans] == [("Cardiologia.",), ("Why.",)]


def test_a_turn_that_was_stopped_while_it_was_planned_says_so_and_calls_nobody() -> None:
    scene = Scene({"marca": BOOKING})
    stopped = threading.Event()
    stopped.set()
    assert scene.say("marca", stopped) == "cancelled"
    assert scene.router.dispatched == []
    assert scene.session.proposal is None


def test_a_models_reasoning_for_a_plan_that_is_not_used_is_not_told() -> None:
    proposed = Proposed(LISTING.steps, used=False, reasoning=("Cardiologia.",))
    scene = Scene({"horários": replace(LISTING, reasoning=("Why.",), proposed=proposed)})
    scene.say("horários")
    (plan,) = [event.plan for event in scene.events if isinstance(event, Planned)]
    assert plan.reasoning == ("Why.",)
