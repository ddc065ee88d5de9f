"""What keeps a match from beginning, in one sentence. Pure.

A match begins when every seat is taken, everybody is here, and everybody is ready.
"""

from kems_client.state.table_view import TableView
from kems_client.text.widths import cut
from kems_net.messages import Phase, Presence
from kems_net.phrases import Phrase, counted, phrase
from kems_net.sanitize import clean

NAMED = 2
"""Of more than so many players only the number is told."""
NAME_CELLS = 12


def waits_for(view: TableView) -> Phrase | None:
    """What the next match waits for; None while one is on, or before anything is known."""
    if view.snapshot is None or view.phase not in (Phase.LOBBY, Phase.OVER):
        return None
    free = [seat for seat in view.seats if seat.presence is Presence.EMPTY]
    if free:
        return counted(
            "It waits for one more player or a bot.",
            "It waits for {count} more players or bots.",
            len(free),
        )
    away = [seat.name for seat in view.seats if seat.presence is Presence.AWAY]
    if away:
        return phrase("It waits till {who} is back.", who=_names(away[:1]))
    others = [
        seat.name
        for number, seat in enumerate(view.seats)
        if not seat.ready and number != view.my_seat
    ]
    if len(others) > NAMED:
        return counted(
            "It waits till one other is ready.",
            "It waits till {count} others are ready.",
            len(others),
        )
    if others:
        return phrase("It waits for {who} to be ready.", who=_names(others))
    if view.me is not None and not view.me.ready:
        return phrase("It waits for you.")
    return None


def _names(names: list[str]) -> str:
    return ", ".join(cut(clean(name), NAME_CELLS, "") for name in names)
