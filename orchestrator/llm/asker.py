"""The language model as one turn uses it: counted, timed, told to progress and log, left alone while it fails.

What is asked and what becomes of the text is the stages' business.
"""

from __future__ import annotations

import time

from orchestrator.journal import EventChannel, ModelAnswered, ModelAsked, ModelSuspended, ModelThrottled
from orchestrator.llm.circuit import Circuit
from orchestrator.llm.model import Completion, LanguageModel, ModelError, ModelRequest
from orchestrator.llm.throttle import UNTHROTTLED, Throttle
from orchestrator.stages import TurnScope
from orchestrator.turn import ModelFailure


class ModelLine:
    """Asks a model on behalf of one turn; an `Asker`.

    Every call ends with one `ModelAnswered`. A call that is not made because the model is left alone is not announced
    and ends with the failure SUSPENDED, so that the turn's line in the log says why no model took part in it.

    Args:
        model: The model.
        circuit: Whether it is left alone; shared by all turns.
        events: Told of each call.
        scope: The turn.
        throttle: How often one person may ask; shared by all turns.
    """

    def __init__(
        self,
        model: LanguageModel,
        circuit: Circuit,
        events: EventChannel,
        scope: TurnScope,
        throttle: Throttle = UNTHROTTLED,
    ) -> None:
        self._model = model
        self._circuit = circuit
        self._events = events
        self._scope = scope
        self._throttle = throttle

    def ask(self, request: ModelRequest) -> str:
        """Return the answer to a prompt.

        Raises:
            ModelError: There is none; SUSPENDED when the model was not asked, because it failed a moment ago, and
                THROTTLED when it was not, because the same person has asked too often.
        """
        wait_s = self._throttle.take(request.purpose, self._scope.speaker)
        if wait_s is not None:
            refusal = ModelError(ModelFailure.THROTTLED, "asked too often; wait a while", retry_after_s=wait_s)
            self._events.publish(ModelThrottled(self._scope.turn_id, request.purpose, wait_s))
            self._answered(request, refusal, 0.0)
            raise refusal
        if not self._circuit.admits():
            error = ModelError(ModelFailure.SUSPENDED, "the model failed a moment ago and is left alone for a while")
            self._answered(request, error, 0.0)
            raise error
        started = time.monotonic()
        try:
            self._events.publish(ModelAsked(self._scope.turn_id, request.purpose))
            completion = self._model.complete(request, self._scope.cancel)
        except ModelError as error:
            pause_s = self._circuit.failed(error)
            self._answered(request, error, time.monotonic() - started)
            if pause_s is not None:
                self._events.publish(ModelSuspended(self._scope.turn_id, error.failure, pause_s))
            raise
        except BaseException:
            # An interruption, or a fault of ours: it says nothing of the model, and the circuit must not wait for it.
            self._circuit.failed(ModelError(ModelFailure.CANCELLED, "the call was left"))
            raise
        self._circuit.succeeded()
        self._answered(request, completion, time.monotonic() - started)
        return completion.text

    def _answered(self, request: ModelRequest, outcome: Completion | ModelError, elapsed_s: float) -> None:
        failure = outcome.failure if isinstance(outcome, ModelError) else None
        self._events.publish(
            ModelAnswered(
                self._scope.turn_id,
                request.purpose,
                model=self._model.name,
                usage=outcome.usage,
                retries=outcome.retries,
                failure=failure,
                elapsed_s=elapsed_s,
            )
        )
