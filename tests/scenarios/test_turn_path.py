"""How much code a turn passes, counted on two clinics in this process; `make bench-ways` prints the same."""

from bench.ways import count_ways

MOST_CALLS = {"a1 list": 2000, "a2 choose": 1300, "a3 consent": 1380}
MOST_MODULES = {"a1 list": 88, "a2 choose": 81, "a3 consent": 71}


def test_no_turn_passes_more_calls_and_modules_than_it_did() -> None:
    passed = {name: (counter.calls.total(), len(counter.modules)) for name, counter in count_ways()}
    assert {name: calls for name, (calls, _) in passed.items() if calls > MOST_CALLS[name]} == {}
    assert {name: modules for name, (_, modules) in passed.items() if modules > MOST_MODULES[name]} == {}
