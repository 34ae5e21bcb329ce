from orchestrator.journal.events import Event, EventChannel, TurnStarted

FIRST = TurnStarted("session", "first")
SECOND = TurnStarted("session", "second")


def test_every_listener_hears_every_event_in_order() -> None:
    one: list[Event] = []
    other: list[Event] = []
    channel = EventChannel([one.append])
    channel.subscribe(other.append)
    channel.publish(FIRST)
    channel.publish(SECOND)
    assert one == other == [FIRST, SECOND]


def test_listeners_are_told_in_the_order_they_came() -> None:
    told: list[str] = []
    channel = EventChannel([lambda _: told.append("first")])
    channel.subscribe(lambda _: told.append("second"))
    channel.publish(FIRST)
    assert told == ["first", "second"]


def test_a_listener_that_was_removed_hears_nothing_more() -> None:
    heard: list[Event] = []
    channel = EventChannel()
    leave = channel.subscribe(heard.append)
    channel.publish(FIRST)
    leave()
    channel.publish(SECOND)
    assert heard == [FIRST]


def test_a_listener_may_leave_while_it_is_told_and_the_others_still_hear() -> None:
    heard: list[Event] = []
    channel = EventChannel()

    def once(_: Event) -> None:
        leave()

    leave = channel.subscribe(once)
    channel.subscribe(heard.append)
    channel.publish(FIRST)
    channel.publish(SECOND)
    assert heard == [FIRST, SECOND]
