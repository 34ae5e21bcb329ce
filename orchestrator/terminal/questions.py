"""Ask who is speaking: full name and CPF, at a private prompt that masks the CPF."""

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property

from orchestrator.console import harmless
from orchestrator.terminal.loop import Prompt, TerminalDependencies
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
        cpf_question, bad_cpf = self._texts.text("terminal.ask_cpf"), self._texts.text("terminal.bad_cpf")
        bad_name = self._texts.text("terminal.bad_name")
        known_name = self._usable(name, self._name_question, lambda said: parse_name(harmless(said)), bad_name)
        while True:
            identity = Identity(known_name, self._usable(cpf, cpf_question, parse_cpf, bad_cpf, is_secret=True))
            self._say(f"CPF {identity.masked_cpf}")
            if identity.has_valid_check_digits or self._accepts_doubt():
                return identity
            cpf = None

    @cached_property
    def _prompt(self) -> Prompt:
        # Made for the first question: whose name and CPF are known is asked none, and should not wait for it.
        return Prompt(self._dependencies)

    def _usable(
        self, given: str | None, question: str, parse: Callable[[str], str], reason: str, *, is_secret: bool = False
    ) -> str:
        # What is given if it can be read, else what is typed, asked for again with the reason until it can.
        while True:
            said = self._prompt.ask(question, is_secret=is_secret) if given is None else given
            if given is not None or not self._tells_of_danger(said):
                with suppress(IdentityError):
                    return parse(said)
                self._say(reason)
            given = None

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
