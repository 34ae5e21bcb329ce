"""The desk's texts in English."""

from __future__ import annotations

from orchestrator.research.rules import Aspect, Element, ScreeningRefusal
from orchestrator.research.texts import DeskTexts, GapTexts

ENGLISH = DeskTexts(
    gaps={
        Element.EXPOSURE: GapTexts(
            "What makes the difference (the exposure or intervention) is missing.",
            "Name what is compared, for example: receiving reminders by text message.",
            "What do you think makes the difference here?",
        ),
        Element.OUTCOME: GapTexts(
            "What changes (the outcome) is missing.",
            "Name the result that is observed, for example: missed appointments.",
            "What changes for these people when that happens?",
        ),
        Element.POPULATION: GapTexts(
            "Not specified",
            "Say whom it is about, for example: adults 18-40 years.",
            "In whom did you see this? Would it be the same in other people?",
        ),
        Element.COMPARISON: GapTexts(
            "There is nothing to compare with.",
            "Say with whom or what it is compared, for example: those who receive no reminders.",
            "Compared with whom or what? Without a comparison, what would prove the idea wrong?",
        ),
        Element.MEASURE: GapTexts(
            "The outcome does not come to a number yet.",
            "Choose a measure, for example: a scale, a questionnaire, a rate or a test's value.",
            "How would you recognise the change in numbers?",
        ),
        Element.TIME: GapTexts(
            "The time over which the events are counted is missing.",
            "Give a time, for example: 12 months.",
            "For how long would one have to watch to see the difference?",
        ),
    },
    refusals={
        ScreeningRefusal.CRISIS: "A call for help is no research question.",
        ScreeningRefusal.IDENTIFIES: (
            "This wants to identify patients. Only counts leave the clinics: names, CPFs and records are shown to "
            "nobody who "
            "does research."
        ),
        ScreeningRefusal.HARMFUL: (
            "The study would expose people to harm or watch them without their consent; no ethics committee would "
            "approve it."
        ),
        ScreeningRefusal.ADVICE: (
            "This asks for a diagnosis or a treatment, which are a health professional's to give; it is no research."
        ),
        ScreeningRefusal.ERRAND: (
            "This is a request to the clinics and no research: for appointments, use the clinic-mesh terminal."
        ),
        ScreeningRefusal.VALUES: (
            "The question is about what is right, or about what no data decide; no observation could answer it."
        ),
    },
    aspects={
        Aspect.POPULATION: "population",
        Aspect.METRICS: "metrics",
        Aspect.VARIABLES: "variables",
        Aspect.TESTABILITY: "testability",
    },
    crisis=(
        "This comes before any research: if you or somebody else is in danger now, call an ambulance, in Brazil "
        "SAMU on 192. To "
        "talk to somebody at any hour, CVV answers on 188 in Brazil, free and in confidence."
    ),
    explore=(
        "I see no relation yet that could be studied. Say in a sentence what you observed: what changes, in whom, "
        "and what "
        "seems to make the difference."
    ),
    explore_population=(
        "I know whom it is about: {population}. What changes for them, and what seems to make the difference?"
    ),
    to_structurer="The observation relates things that can be studied; the structurer makes a question of it.",
    to_structurer_again="The answer fills in what was missing ({gaps}); the structurer puts the question again.",
    to_methodologist="Before anything is structured, the methodologist must say whether this is research.",
    nothing_added="That does not fill in what is missing. {reflection} {suggestion}",
    finished="This session is complete. /export keeps the result, /new begins with another observation.",
    analysis_new="A new observation. Recognised: {known}.",
    analysis_answer="An answer to the methodologist. It adds: {known}.",
    analysis_vague="Nothing in the text can be added to the question.",
    analysis_refused="The text is no observation to structure.",
    emerged="The text relates variables: the conversation has moved from exploration to a hypothesis.",
    matured="The question lacks nothing more: the hypothesis can become a method. /export keeps the result.",
    structured="V{version}: {question}",
    problem_both="It is not known whether and how much {exposure} changes {outcome} in {population}.",
    problem_outcome="It is not known what explains {outcome} in {population}.",
    problem_exposure="It is not known what changes with {exposure} in {population}.",
    contribution="An answer would help services to decide with data what to offer {population}.",
    somebody="a group that is not defined yet",
    approved=(
        "V{version} is testable: it says in whom, what is compared and what is measured, and a result can "
        "contradict it. Approved."
    ),
    needs_refinement=(
        "V{version} is not testable yet. Gaps: {gaps}. There are three versions at most: answer at once what you "
        "can, with "
        "semicolons between."
    ),
    ended_open=(
        "V{version} is the last version and still has gaps: {gaps}. The session ends here without approval; /export "
        "keeps "
        "what is missing."
    ),
    speakers={
        "researcher": "You",
        "orchestrator": "Orchestrator",
        "structurer": "Structurer",
        "methodologist": "Methodologist",
    },
    version_columns=("Version", "Question", "Gaps"),
    improvement_columns=("Aspect", "What is missing", "Suggestion"),
    counts_title="Patients of the clinics with: {conditions}",
    counts_columns=("Specialty", "Clinics that answered", "Patients"),
    counts_total="Total",
    counts_none="The population names no condition that the clinics record; there is nothing to count.",
    counts_unanswered="No clinic answered the count.",
    counts_unavailable="The clinics could not be asked; patients were not counted.",
    suppressed="withheld (fewer than 3, or would tell)",
    unknown="not known",
    unchecked="Cannot be checked here: {criteria}.",
    specialties={"Cardiology": "Cardiology", "Dermatology": "Dermatology", "Orthopedics": "Orthopedics"},
    criteria={
        "age": "age",
        "sex": "sex",
        "time": "time",
        "place": "place",
        "medication": "medication",
        "exam": "exams",
        "adherence": "adherence",
        "severity": "severity",
        "habit": "habits",
        "other_condition": "another condition",
        "combination": "a combination of conditions",
        "exclusion": "exclusion of a condition",
    },
)
