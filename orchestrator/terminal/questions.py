"""Ask who is speaking: full name and CPF, at a private prompt that masks the CPF."""

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property

from orchestrator.console import harmless
from orchestrator.terminal.prompt import Prompt, TerminalDependencies
from orchestrator.texts import texts_in
from orchestrator.turn import Identity, IdentityError, Language, parse_cpf, parse_name


class IdentityQuestions:
    """The questions before the conversation, with texts in the session's language."""

    def __init__(
        self, language: Language, dependencies: TerminalDependencies, name_question: str | None = None
    ) -> None:
        self._language = language
        self._texts = texts_in(language)
        self._name_question = name_question or self._texts.text("terminal.ask_name")
        self._dependencies = dependencies

    def ask(self, name: str | None = None, cpf: str | None = None) -> Identity:
        """Return who is speaking, asking for what is not given; raise EOFError or KeyboardInterrupt if they leave."""
        texts = self._texts
        known_name = None if name is None else self._usable_name(name)
        known_name = known_name or self._asked(self._name_question, self._usable_name)
        while True:
            known_cpf = None if cpf is None else self._usable_cpf(cpf)
            known_cpf = known_cpf or self._asked(texts.text("terminal.ask_cpf"), self._usable_cpf, is_secret=True)
            identity = Identity(known_name, known_cpf)
            self._say(f"CPF {identity.masked_cpf}")
            if identity.has_valid_check_digits or self._accepts_doubt():
                return identity
            cpf = None

    @cached_property
    def _prompt(self) -> Prompt:
        # Made for the first question: whose name and CPF are known is asked none, and should not wait for it.
        return Prompt(self._dependencies)

    def _asked(self, question: str, usable: Callable[[str], str | None], *, is_secret: bool = False) -> str:
        answer = None
        while answer is None:
            typed = self._prompt.ask(question, is_secret=is_secret)
            answer = None if self._tells_of_danger(typed) else usable(typed)
        return answer

    def _usable_name(self, text: str) -> str | None:
        with suppress(IdentityError):
            return parse_name(harmless(text))
        self._say(self._texts.text("terminal.bad_name"))
        return None

    def _usable_cpf(self, text: str) -> str | None:
        with suppress(IdentityError):
            return parse_cpf(text)
        self._say(self._texts.text("terminal.bad_cpf"))
        return None

    def _tells_of_danger(self, text: str) -> bool:
        # Whoever cannot wait says so at the first prompt there is.
        answer = self._dependencies.danger_answer(text, self._language)
        if answer is not None:
            self._say(answer.plain)
        return answer is not None

    def _accepts_doubt(self) -> bool:
        self._say(self._texts.text("terminal.doubtful_cpf"))
        answer = self._prompt.ask(self._texts.text("terminal.ask_doubtful"))
        self._tells_of_danger(answer)
        return answer.strip().lower() in self._texts.lines("terminal.yes_words")

    def _say(self, text: str) -> None:
        self._dependencies.renderer.console.print(text)
