"""What agents say they offer, over the wire, beside what the registry wants of them."""

from __future__ import annotations

from orchestrator.agents.registry import Agent
from orchestrator.fleet.fleet_status import OfferedTools, ask_offers
from tests.support.doors import open_library
from tests.support.free_ports import free_base_port


def test_an_intent_that_an_agent_does_not_offer_is_flagged() -> None:
    with open_library() as library:
        agents = [
            Agent("able", "Books", library.address, ("lend_book",)),
            Agent("lacking", "Books", library.address, ("query", "lend_book", "get_patient")),
            Agent("silent", "Books", f"127.0.0.1:{free_base_port()}", ("query",)),
        ]
        offers = ask_offers(agents, None)
    tools = offers["able"].tools
    assert tools is not None
    assert "lend_book" in tools
    assert offers == {
        "able": OfferedTools(tools, refusals=()),
        "lacking": OfferedTools(tools, ("query", "get_patient"), ()),
        "silent": OfferedTools(None),
    }
