"""What is said of what is remembered, in both languages; `responder.memories` fills it in.

What a person said is quoted in their own words, {said}, whatever language they are answered in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from orchestrator.responder.wording import Counted
from orchestrator.turn import Language, MemoryKind, MemoryStatus


class MemoryTexts(NamedTuple):
    """The texts of one language.

    Attributes:
        saved: It was noted.
        undo: How to undo the last that was.
        until: How long it holds: {day}.
        known: It had been noted before.
        refused: By what stands in the way: it was not noted.
        found: {count} things are remembered; a table of them follows.
        none: Nothing is.
        columns: Headings of that table: number, what was said, what it is about, since when, until when.
        how_to_forget: What can be said about it.
        forgotten: One thing was forgotten.
        forgot_all: {count} things were.
        ambiguous: Several fit; a table of them follows, and nothing was forgotten.
        nothing_to_forget: Nothing fits.
        nothing_noted: Nothing was noted in this conversation.
        failed: The memory could not be used.
        kinds: What a memory is about.
        mark: The remark on an opening that is against what was said.
        marked: Openings are marked so, and still there.
        against: What is proposed is against it.
        as_preferred: {count} openings are as the person prefers.
    """

    saved: str
    undo: str
    until: str
    known: str
    refused: Mapping[MemoryStatus, str]
    found: Counted
    none: str
    columns: tuple[str, str, str, str, str]
    how_to_forget: str
    forgotten: str
    forgot_all: Counted
    ambiguous: str
    nothing_to_forget: str
    nothing_noted: str
    failed: str
    kinds: Mapping[MemoryKind, str]
    mark: str
    marked: str
    against: str
    as_preferred: Counted


_PORTUGUESE = MemoryTexts(
    saved="Anotei: “{said}”.",
    undo="Para desfazer, diga “esquece isso”.",
    until="Vale até {day}.",
    known="Isso eu já tinha anotado: “{said}”.",
    refused={
        MemoryStatus.HEALTH: "Isso eu não guardo: informações de saúde ficam só no prontuário das clínicas.",
        MemoryStatus.PERSONAL_DATA: (
            "Isso eu não guardo: nome, CPF, telefone, e-mail e endereço ficam só no cadastro das clínicas."
        ),
        MemoryStatus.INVALID: "Isso eu não anotei: diga em uma frase curta e específica.",
        MemoryStatus.FULL: (
            "Não anotei: já guardo o máximo de anotações. Diga “o que você sabe de mim?” e me faça esquecer alguma."
        ),
    },
    found=Counted("Sei uma coisa que você me disse:", "Sei {count} coisas que você me disse:"),
    none="Não guardei nada sobre você.",
    columns=("Nº", "O que você disse", "Sobre", "Dito em", "Vale até"),
    how_to_forget="Para apagar uma, diga “esquece a lembrança 1”; para apagar todas, “apaga tudo o que sabe de mim”.",
    forgotten="Esqueci: “{said}”.",
    forgot_all=Counted(
        "Apaguei a única coisa que sabia de você.", "Apaguei tudo o que sabia de você: {count} anotações."
    ),
    ambiguous="Há mais de uma anotação assim, e não apaguei nenhuma:",
    nothing_to_forget="Não guardei nada assim.",
    nothing_noted="Não anotei nada nesta conversa.",
    failed="Não consegui usar as minhas anotações agora. Tente de novo em instantes.",
    kinds={
        MemoryKind.PREFERENCE: "preferência",
        MemoryKind.RESTRICTION: "restrição",
        MemoryKind.PERSONAL: "sobre você",
        MemoryKind.AVAILABILITY: "disponibilidade",
    },
    mark="você não pode",
    marked="Você disse: {said}. Marquei os horários que não combinam com isso; eles continuam na lista.",
    against="Atenção: você disse {said}.",
    as_preferred=Counted(
        "Você disse: {said}. Um dos horários é assim.", "Você disse: {said}. {count} dos horários são assim."
    ),
)

_ENGLISH = MemoryTexts(
    saved="Noted: “{said}”.",
    undo="To undo that, say “forget that”.",
    until="It holds until {day}.",
    known="I had noted that already: “{said}”.",
    refused={
        MemoryStatus.HEALTH: "I do not keep that: what concerns your health belongs in the clinics' records only.",
        MemoryStatus.PERSONAL_DATA: (
            "I do not keep that: name, CPF, phone, e-mail and address are in the clinics' registration only."
        ),
        MemoryStatus.INVALID: "I did not note that: say it in one short, specific sentence.",
        MemoryStatus.FULL: (
            "I did not note that: I keep as many notes as I can. "
            "Ask “what do you know about me?” and have me forget one."
        ),
    },
    found=Counted("I know one thing that you told me:", "I know {count} things that you told me:"),
    none="I have kept nothing about you.",
    columns=("No.", "What you said", "About", "Said on", "Holds until"),
    how_to_forget="To delete one, say “forget memory 1”; to delete all, “delete everything you know about me”.",
    forgotten="Forgotten: “{said}”.",
    forgot_all=Counted(
        "I have deleted the one thing I knew about you.", "I have deleted all I knew about you: {count} notes."
    ),
    ambiguous="There is more than one note like that, and I deleted none:",
    nothing_to_forget="I have kept nothing like that.",
    nothing_noted="I have noted nothing in this conversation.",
    failed="I could not use my notes just now. Try again in a moment.",
    kinds={
        MemoryKind.PREFERENCE: "preference",
        MemoryKind.RESTRICTION: "restriction",
        MemoryKind.PERSONAL: "about you",
        MemoryKind.AVAILABILITY: "availability",
    },
    mark="you can't",
    marked="You said: {said}. I marked the openings that do not go with it; they are still on the list.",
    against="Mind that you said {said}.",
    as_preferred=Counted(
        "You said: {said}. One of the openings is like that.",
        "You said: {said}. {count} of the openings are like that.",
    ),
)

MEMORY_TEXTS: Mapping[Language, MemoryTexts] = {Language.PT: _PORTUGUESE, Language.EN: _ENGLISH}
