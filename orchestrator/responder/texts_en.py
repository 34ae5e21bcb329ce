"""What is said in English."""

from __future__ import annotations

from orchestrator.responder.texts import (
    ConsentTexts,
    FailureTexts,
    FilterTexts,
    Label,
    ListingTexts,
    PatientTexts,
    ReplyTexts,
)
from orchestrator.responder.wording import Counted
from orchestrator.turn import ReceiptKind, Rule, Topic

_TOPICS = {
    Topic.ASK_REQUEST: (
        "I did not quite get that. I can show openings and book, move or cancel an appointment in {specialties}. "
        "For example: “I need a cardiologist” or “is there a dermatologist tomorrow morning?”."
    ),
    Topic.ASK_WHICH_FIRST: "Those are different things at once. Which shall I begin with?",
    Topic.ASK_SPECIALTY: "Sure. Which specialty: {one_specialty}?",
    Topic.ASK_WHICH_DOCTOR: "Which of these doctors?",
    Topic.ASK_WHICH_OFFER: "Which of these openings? Say its number, or the doctor with the day and time.",
    Topic.ASK_ANOTHER_TIME: (
        "No problem. Which day or time suits you better? I can also look at another doctor or specialty."
    ),
    Topic.ASK_WHICH_APPOINTMENT: "Which of these appointments do you mean?",
    Topic.ASK_APPOINTMENT: "Which appointment? Say {missing}.",
    Topic.ASK_NEW_TIME: "Move it to when? Say the new day and time, or ask to see the openings.",
    Topic.ASK_CHANGE: "So you cannot come. Would you like to cancel the appointment, or move it to another day?",
    Topic.ASK_GO_ON: "Shall I go on with your request? (yes/no)",
    Topic.ASK_PATIENT_ID: "What is the patient id? It looks like CARD-001.",
    Topic.ASK_QUERY: "What should I look for? Say a condition, a medication or an exam.",
    Topic.OFFER_SPECIALTY: (
        "I cannot assess symptoms, but complaints like this are usually seen in {specialty}. "
        "Shall I show the openings? If it suddenly gets worse, call SAMU on 192."
    ),
    Topic.UNKNOWN_CLINIC: "I do not know that clinic. Ours are {clinics}.",
    Topic.UNKNOWN_DOCTOR: "No such doctor attends in our clinics. Name the specialty and I will show who does.",
    Topic.MOMENT_IN_PAST: "That day or time has passed. Which other moment suits you?",
    Topic.NO_SUCH_DAY: "No calendar has that day. Which day did you mean?",
    Topic.MY_APPOINTMENTS: (
        "In this conversation you have the appointments below. To change one, say “move” or “cancel”. "
        "Those booked at another time I cannot see; to change one of them, say the doctor, the day and the time."
    ),
    Topic.NO_APPOINTMENTS: (
        "You have no appointment from this conversation, and those booked at another time I cannot see. "
        "To change one of them, say the doctor, the day and the time."
    ),
    Topic.CLINIC_MATTERS: (
        "Only the clinic itself can say: I know the agendas, but not prices, insurance, addresses or papers. "
        "I can show openings and book, move or cancel an appointment in {specialties}."
    ),
    Topic.POSSIBLE_EMERGENCY: (
        "If it is severe, began suddenly or gets worse, call SAMU on 192 now, or go to the nearest emergency room."
    ),
    Topic.DIAGNOSIS: (
        "I cannot give a diagnosis or a medical opinion; that takes a doctor and a visit. "
        "I can show openings in {specialties}. If it is urgent, call SAMU on 192."
    ),
    Topic.DOSAGE: (
        "I cannot suggest a medication or a dose; please ask the doctor who treats you. "
        "If you like, I can show openings in {specialties}."
    ),
    Topic.OTHER_PERSON: "I cannot show or change another person's data. I can help with your own appointments.",
    Topic.OPERATORS_ONLY: "That information is for the clinics' staff only. I can help with your own appointments.",
    Topic.INSTRUCTIONS: (
        "I cannot change or show my rules. I can show openings and book, move or cancel appointments."
    ),
    Topic.OTHER_SPECIALTY: "We do not have that specialty. We have {specialties}. Shall I show openings in one?",
    Topic.OFF_TOPIC: "I cannot help with that: I only handle appointments in {specialties}. Shall I show openings?",
    Topic.UNSUPPORTED: (
        "I have nobody to pass this request on to as it stands, so no clinic was asked. "
        "I can show openings and book, move or cancel appointments in {specialties}."
    ),
    Topic.DIRECT_ANSWER: (
        "There is no specialised service for this request, and no clinic was asked. "
        "Here is a direct and limited answer:"
    ),
    Topic.NO_DIRECT_ANSWER: (
        "There is no specialised service for this request, and without one I have no safe answer to give. "
        "I can show openings and book, move or cancel appointments in {specialties}."
    ),
    Topic.AGENT_PROPOSED: (
        "There is no service for requests of this kind yet. I have noted the suggestion for the team, without your "
        "data. For now I can show openings and book, move or cancel appointments in {specialties}."
    ),
    Topic.GREETING: "Hello! I can show openings and book, move or cancel appointments in {specialties}.",
    Topic.THANKS: "You are welcome! If there is anything else, just say so.",
    Topic.FAREWELL: "Goodbye, and take care!",
    Topic.HELP: (
        "Write as you would speak to the front desk. Some examples:\n"
        "  “I need to see a cardiologist”\n"
        "  “an orthopedist next week, in the morning”\n"
        "  “the earliest one”, “the second one”\n"
        "  “I need to reschedule my appointment”\n"
        "  “cancel my appointment”\n"
        "Before I book, move or cancel anything I show what will be done and wait for your “yes”."
    ),
    Topic.HOW_IT_WORKS: (
        "You name a specialty or a doctor and I ask all of its clinics at once ({specialties}). "
        "You choose by number, I show a summary, and I send the request to the clinic only after your “yes”. "
        "Moving and cancelling work the same way."
    ),
    Topic.NOTHING_DONE: "All right, nothing was changed. What else can I do for you?",
    Topic.WHAT_ELSE: "If you would like to see openings or book an appointment, just say so.",
    Topic.NO_HEALTH_MEMORY: (
        "I keep nothing about your health: that belongs in the clinics' records only. "
        "If you would like an appointment, say with which specialty: {one_specialty}."
    ),
    Topic.MEDICAL_EMERGENCY: (
        "Call SAMU on 192 now. This may be an emergency; go to the nearest emergency room, or ask someone close by to "
        "take you. I will help with the appointment afterwards."
    ),
    Topic.SELF_HARM: (
        "If there is danger right now, call SAMU on 192. To talk to someone, at any hour and free of charge, call CVV "
        "on 188. You do not have to go through this without support; stay near someone you trust."
    ),
}

_LABELS = {
    Label.NUMBER: "No.",
    Label.OPTION: "Option",
    Label.DATE: "Date",
    Label.TIME: "Time",
    Label.DOCTOR: "Doctor",
    Label.CLINIC: "Clinic",
    Label.SPECIALTY: "Specialty",
    Label.REMARK: "Note",
    Label.PATIENT: "Patient",
    Label.PATIENT_ID: "Id",
    Label.CPF: "CPF",
    Label.BIRTH_DATE: "Birth date",
    Label.CONDITION: "Condition",
    Label.MEDICATIONS: "Medications",
    Label.EXAMS: "Exams",
    Label.ADDRESS: "Address",
    Label.PHONE: "Phone",
    Label.FROM: "From",
    Label.TO: "To",
}

ENGLISH = ReplyTexts(
    topics=_TOPICS,
    blocked={
        Rule.R1: "Answer blocked (R1): it held a dosage or treatment that the clinics' data do not confirm.",
        Rule.R2: "Answer blocked (R2): it held personal data of another person.",
        Rule.R3: "Answer blocked (R3): it held a diagnosis or medical advice.",
        Rule.R4: "Answer blocked (R4): the text did not agree with what the clinics answered.",
        Rule.AUDIT: "Answer blocked (AUDIT): the audit did not clear what the clinics answered. Please ask again.",
    },
    labels=_LABELS,
    conjunction="and",
    listing=ListingTexts(
        found=Counted(
            "I found 1 opening in {specialties} ({clinics}).",
            "I found {count} openings in {specialties} ({clinics}).",
        ),
        filtered="Filter: {filter}.",
        earliest="The earliest: {moment}, {doctor}, {clinic}.",
        earliest_mark="earliest",
        opening="{date}, at {time}, with {doctor} ({clinic})",
        hidden=Counted(
            "There is 1 more opening outside what you asked for; say “all openings” to see it.",
            "There are {count} more openings outside what you asked for; say “all openings” to see them.",
        ),
        none_fits="There is no opening like the one you asked for ({filter}). The nearest:",
        none_free="There is no opening in {specialties} at the moment. Try another doctor, specialty or day.",
        alternatives="Openings close to it:",
        no_alternatives="There is no other opening close to it. Ask for openings to see other days.",
        choose="To choose one, say its number.",
    ),
    filters=FilterTexts(
        day="{day}",
        day_range="from {first} to {last}",
        from_day="from {first} on",
        until_day="until {last}",
        time="at {time}",
        time_range="between {first} and {last}",
        from_time="from {first} on",
        until_time="until {last}",
        weekdays="{weekdays}",
        excluded="except {days}",
    ),
    patients=PatientTexts(
        found=Counted("I found 1 patient:", "I found {count} patients:"),
        none="No patient matches what you asked for. Try another word, or ask for the list of patients.",
        record="Patient {patient_id}",
        not_found="None of the clinics asked has a patient with that id. Please check the id.",
        not_found_so_far="The clinics that answered have no patient with that id; ask again in a moment.",
    ),
    failures=FailureTexts(
        no_answer="{clinic} did not answer ({seconds}).",
        shown="Showing {answered} of {asked} clinics. Ask again in a moment to see the rest.",
        all_down="None of the clinics asked answered. Try again in a moment.",
        refusals={
            "SLOT_UNAVAILABLE": "That time is not open.",
            "APPOINTMENT_NOT_FOUND": (
                "I found no appointment of yours with that doctor on that day and time. Check them and say it again."
            ),
            "APPOINTMENT_CONFLICT": "You already have another appointment there at that time. Choose another opening.",
            "APPOINTMENT_IN_PAST": "That appointment has begun or passed; it can no longer be moved or cancelled.",
            "PATIENT_NOT_FOUND": "That clinic has no patient with that id.",
            "REQUEST_ID_REUSED": "The clinic already has another request under this code. Please ask again.",
            "STORAGE_UNAVAILABLE": "The clinic could not write its agenda. Try again in a moment.",
            "INVALID_ARGUMENTS": "The clinic did not accept the request. Say the doctor, the day and the time again.",
            "UNAUTHENTICATED": (
                "The clinic did not recognise who is calling: it trusts other keys, or the clocks do not agree. "
                "Whoever looks after the system finds out more with “clinic-mesh status”."
            ),
            "PERMISSION_DENIED": "The clinic does not allow this to the person who is speaking.",
        },
        rate_limited=Counted(
            "The clinic was asked too often in a short time. Try again in 1 second.",
            "The clinic was asked too often in a short time. Try again in {count} seconds.",
        ),
        refused="The clinic could not do what was asked. Try again in a moment.",
        nothing_changed="Nothing was changed.",
        try_again="Try again in a moment.",
        unknown=(
            "{clinic} did not confirm in time ({seconds}): outcome unknown. The request may or may not have arrived. "
            "To find out, answer “yes”: I repeat the same request, and the clinic will not do it twice."
        ),
        still_unknown=(
            "The outcome of the request is not known. To find out, answer “yes”: I repeat the same request, and the "
            "clinic will not do it twice."
        ),
        skipped="This step was not attempted, because the one before it failed.",
        old_still_booked=(
            "The new appointment is booked, but you still hold the old one too: to give that up, say “cancel”."
        ),
        old_stays="Your old appointment stays as it is.",
    ),
    consent=ConsentTexts(
        titles={
            "book_appointment": "Book an appointment",
            "reschedule_appointment": "Move an appointment",
            "cancel_appointment": "Cancel an appointment",
        },
        confirm="Shall I go ahead? (yes/no)",
        again="The first time the clinic did not confirm in time. With your “yes” I repeat that very request, once.",
        dropped="All right, nothing was changed.",
        abandoned=(
            "All right, I will not repeat the request. What came of it is still unknown; ask the clinic whether the "
            "change was made."
        ),
        superseded=(
            "The request before this one will not be repeated, and what came of it is still unknown; ask the clinic "
            "whether the change was made."
        ),
        cancelled="Stopped, as you asked.",
        receipts={
            ReceiptKind.CONFIRMED: "Appointment booked",
            ReceiptKind.RESCHEDULED: "Appointment moved",
            ReceiptKind.CANCELLED: "Appointment cancelled",
        },
        after_receipt={
            ReceiptKind.CONFIRMED: "If you need to move or cancel it, just say so.",
            ReceiptKind.RESCHEDULED: "If you need to move it again or cancel it, just say so.",
            ReceiptKind.CANCELLED: "If you would like another time, just say so.",
        },
    ),
)
