"""The turns of a trial with a language model, with the steps that a good model chooses in each.

`tests/sentences/model_trial.jsonl` holds a turn a line. A scope stands in it as text ("specialty Cardiology; time from
12:00; except weekday fri & time before 10:00; shown; said in the person's words") under a letter.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.support.chat_server import Body, Reply
from tests.support.played_model import SAFE, data_of, purpose_of

TrialTurn = Mapping[str, Any]

_AT_A_LOSS = {"do": "answer", "topic": "ask_request"}
_OPERATIONS = {"in", "not_in", "from", "after", "until", "before"}


def trial_conversations() -> dict[str, list[TrialTurn]]:
    """Return the turns of each conversation by its name."""
    path = Path(__file__).parents[1] / "sentences" / "model_trial.jsonl"
    turns = map(json.loads, path.read_text("utf-8").splitlines())
    return {name: list(group) for name, group in groupby(turns, key=lambda turn: turn["turn"].partition(".")[0])}


@cache
def _tokenizer() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it opens its tables in an outdated way
        bpe_openai = import_module("bpe_openai")  # a second of tables, for these tests alone
    return bpe_openai.get_encoding("o200k_base")


class TrialModel:
    """Answers each utterance of a conversation with its steps; `text` stands wherever a model may write freely."""

    def __init__(self, text: str = "") -> None:
        self._turn: TrialTurn = {}
        self._text = text
        self.asked: list[str] = []
        """What was asked, in order."""
        self.tokens: list[int] = []
        """The tokens of each prompt, its schema included."""

    def take(self, turn: TrialTurn) -> None:
        """Make a turn the one that is answered."""
        self._turn = turn

    def __call__(self, body: Body) -> Reply:
        """Return the answer to a request."""
        self.asked.append(purpose_of(body))
        texts = [str(message["content"]) for message in body["messages"]]
        schema = json.dumps(body.get("response_format"), separators=(",", ":"))
        self.tokens.append(sum(len(_tokenizer().encode_ordinary(text)) for text in (*texts, schema)))
        if purpose_of(body) == "audit":
            return SAFE
        assert self._turn["said"] == data_of(body)["utterance"]
        is_plan = purpose_of(body) == "plan"
        steps = [
            self._step(one)
            for one in self._turn.get("steps" if is_plan else "reply", [{"do": "answer", "topic": "ask_request"}])
        ]
        return json.dumps({"steps": steps, "more": self._turn.get("more", False)}, ensure_ascii=False)

    def _step(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._step(one) for one in value]
        if not isinstance(value, dict):
            return value
        made = {name: self._step(one) for name, one in value.items()}
        if isinstance(value.get("scope"), str):
            made["scope"] = self._scope(value["scope"])
        if "sides" in value:
            made["sides"] = [_condition(one) for one in value["sides"]]
        for name in {"filters", "first_of"} & value.keys():
            made[name] = [self._scope(one) for one in value[name]]
        return made | {name: self._text for name in {"word", "words", "because"} & value.keys() if self._text}

    def _scope(self, letter: str) -> dict[str, object]:
        scope: dict[str, Any] = {"where": [], "except": [], "among": "read", "said": None}
        for part in self._turn[letter].split("; "):
            first, _, rest = part.partition(" ")
            if first == "shown":
                scope["among"] = "shown"
            elif first == "said":
                scope["said"] = self._text or rest
            elif first == "except":
                scope["except"].append([_condition(one) for one in rest.split(" & ")])
            else:
                scope["where"].append(_condition(part))
        return scope


def _condition(text: str) -> dict[str, object]:
    field, _, rest = text.partition(" ")
    first, _, values = rest.partition(" ")
    op, values = (first, values) if first in _OPERATIONS else ("in", rest)
    return {"field": field, "op": op, "values": values.split(",")}
