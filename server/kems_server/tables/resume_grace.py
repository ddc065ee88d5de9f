"""How a table that was brought back waits for its people, so that nobody finds the hunt begun.

Pure. Until all who were there have said hello again, or a moment has passed, nothing is settled.
"""

from collections.abc import Mapping

from kems_net.cards import team_of
from kems_server.players.peers import Peer
from kems_server.rules.state import Table
from kems_server.views.notices import GoingOn, Joined

LONGEST_US = 1_200_000
"""A client notices within 0.6 s that its hub is gone, and looks for it every half second."""


class ResumeGrace:
    """The wait of one table, from the first turn of its new life on."""

    def __init__(self) -> None:
        self.until_us: int | None = None
        """When it is over at the latest; None before the first turn."""

    def begin(self, now_us: int, peers: Mapping[str, Peer]) -> None:
        """The hub lives again: whoever was here counts as heard now."""
        self.until_us = now_us + LONGEST_US
        for peer in peers.values():
            peer.heard_us = now_us

    def is_over(self, now_us: int, peers: Mapping[str, Peer]) -> bool:
        """Whether all are back, or had their time."""
        assert self.until_us is not None
        missing = (peer for peer in peers.values() if not (peer.bound or peer.away))
        return now_us >= self.until_us or next(missing, None) is None


def going_on(name: str, table: Table, peers: Mapping[str, Peer]) -> GoingOn:
    """How a table that was brought back stands, for the host to read."""
    people = tuple(
        Joined(name, each.name, each.seat, team_of(each.seat, table.teams), each.bot)
        for each in peers.values()
        if each.seat is not None and not each.is_substitute
    )
    return GoingOn(name, table.phase.value, table.round, table.scores, people)
