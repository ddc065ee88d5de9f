"""What one table has sent: snapshot numbers, hands, the team messages kept, repeats.

It asks `views` what may be sent, and only decides whether it is new. The public view is built once
a turn at most, and a number is used only for a snapshot that differs from the last. The newest is
repeated, so that a lost one costs a second at most.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from functools import reduce

from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Card, Seat, Team
from kems_net.messages import (
    Gestured,
    PrivateNews,
    SignShared,
    TeamBeacon,
    TeamBody,
    TeamGap,
    TeamMessage,
)
from kems_server.players.lobby import Lobby, team_keys
from kems_server.rules.events import AnyEvent, Laid, Swapped, Took
from kems_server.rules.state import Table
from kems_server.views.effects import (
    Effect,
    Publish,
    PublishTeam,
    SendTo,
)
from kems_server.views.opening_scheduler import OpeningScheduler
from kems_server.views.views import (
    Delivery,
    deliveries_of,
    hand_view,
    public_view,
)

REPEAT_US = 1_000_000
"""So often: what got lost costs a second at most."""
EAGER_US = 200_000
"""How often while somebody's sockets are still connecting, so that they need not wait a second."""
EAGER_FOR_US = 2_000_000


class Repeats:
    """The repeats of one table. Ask `is_time` at `due_us` at the latest."""

    def __init__(self) -> None:
        self.due_us = self._eager_until_us = 0

    def at_once(self, now_us: int) -> None:
        """Something that all should see was changed: repeat now."""
        self.due_us = now_us

    def be_eager(self, now_us: int) -> None:
        """Somebody's sockets are connecting now: repeat often, so that they soon have all."""
        self._eager_until_us = now_us + EAGER_FOR_US
        self.due_us = min(self.due_us, now_us + EAGER_US)

    def is_time(self, now_us: int) -> bool:
        """Whether to repeat now; if so, the next time is set."""
        if now_us < self.due_us:
            return False
        self.due_us = now_us + (EAGER_US if now_us < self._eager_until_us else REPEAT_US)
        return True


TEAM_MESSAGES_KEPT = 256
"""About what a team says and signals in a few rounds."""
GAP_MESSAGES = 40
"""At most so many in one answer, to stay far below the longest frame."""


class TeamTalk:
    """The numbered messages of one team: the last ones, and those its sign depends on."""

    def __init__(self, number: int = 0, messages: Sequence[TeamMessage] = ()) -> None:
        self.number = number
        self._kept: deque[TeamMessage] = deque(messages, maxlen=TEAM_MESSAGES_KEPT)
        self._signs: tuple[TeamMessage, ...] = reduce(with_sign, messages, ())

    def add(self, body: TeamBody) -> TeamMessage:
        """The message with its number."""
        self.number += 1
        message = TeamMessage(self.number, body)
        self._kept.append(message)
        self._signs = with_sign(self._signs, message)
        return message

    def after(self, number: int) -> TeamGap:
        """The messages that followed that one, oldest first; ask again for more."""
        oldest = self._kept[0].number if self._kept else 0
        signs = [sign for sign in self._signs if sign.number < oldest]
        following = [message for message in (*signs, *self._kept) if message.number > number]
        return TeamGap(tuple(following[:GAP_MESSAGES]))


def with_sign(signs: tuple[TeamMessage, ...], new: TeamMessage) -> tuple[TeamMessage, ...]:
    """The messages that a team's sign depends on, after one more message.

    They are the last two in which the same sign was shared by two, and the newest of each player
    since: with them a player who comes back finds the same sign that the team plays by.
    """
    if not isinstance(new.body, SignShared):
        return signs
    shared = [(one, one.body) for one in signs if isinstance(one.body, SignShared)]
    seat, sign = new.body.seat, new.body.sign
    for one, body in reversed(shared):
        if body.seat != seat and body.sign == sign:
            return (one, new)
    signed = [body.sign for _, body in shared]
    kept = [one for one, body in shared if body.seat != seat or signed.count(body.sign) > 1]
    return (*kept, new)


class Publisher:
    """Turns what happened at a table into what is sent."""

    def __init__(
        self,
        name: str,
        epoch: int,
        table: Table,
        lobby: Lobby,
        talk: Mapping[Team, TeamTalk] | None = None,
    ) -> None:
        self.recorded = True
        """Whether the journal can be written, as everybody is told."""
        self._name = name
        self._epoch = epoch
        self._table = table
        self._lobby = lobby
        self._snapshot = public_view(table, lobby, name, epoch, 0)
        self._hands: list[tuple[Card, ...]] = [seat.hand for seat in table.seats]
        teams = TEAM_LETTERS[: table.teams]
        self._talk = {team: (talk or {}).get(team) or TeamTalk() for team in teams}

    def deliver(
        self,
        table: Table,
        lobby: Lobby,
        events: Sequence[AnyEvent],
        opening_scheduler: OpeningScheduler | None = None,
    ) -> list[Effect]:
        """What is to be sent after a turn in which this happened, besides the openings.

        No snapshot while they are ahead of the table: it would hide the face-up cards again.
        """
        effects: list[Effect] = []
        ahead = opening_scheduler is not None and opening_scheduler.ahead
        fresh = not ahead and self._fresh_snapshot(table, lobby)
        number = self._snapshot.number
        seen: list[Effect] = []
        for event in events:
            by_hand = isinstance(event, Swapped | Laid | Took)
            for news in deliveries_of(event, table, number):
                sent = self._send(news, lobby, opening_scheduler)
                (seen if by_hand else effects).extend(sent)
        if fresh:
            effects.append(Publish(self._name, self._snapshot))
        effects += seen  # after it: how many were looking may not delay what reaches everybody
        for seat, state in enumerate(table.seats):
            if state.hand != self._hands[seat]:
                self._hands[seat] = state.hand
                effects.extend(self.hand(table, lobby, seat))
        return effects

    @property
    def number(self) -> int:
        """Of the newest snapshot."""
        return self._snapshot.number

    def snapshot(self) -> Publish:
        """The newest snapshot, once more."""
        return Publish(self._name, self._snapshot)

    def hand(self, table: Table, lobby: Lobby, seat: Seat) -> list[Effect]:
        """Sends whoever sits there their hand, if anybody does."""
        occupant = lobby.occupants[seat]
        if occupant is None:
            return []
        return [SendTo(occupant.acting, hand_view(table, seat, self._snapshot.number))]

    def hand_over(self, seat: Seat) -> None:
        """Somebody else plays for that seat now: the next `deliver` sends them its hand."""
        self._hands[seat] = ()

    def beacons(self, lobby: Lobby) -> list[Effect]:
        """The beacon of each team that has somebody."""
        return [
            PublishTeam(self._name, team, TeamBeacon(talk.number))
            for team, talk in self._talk.items()
            if team_keys(lobby, team)
        ]

    def talk(self, team: Team) -> TeamTalk:
        """The messages sent to a team."""
        return self._talk[team]

    def said(self) -> dict[Team, int]:
        """By team, the number of its last message."""
        return {team: talk.number for team, talk in self._talk.items()}

    def _fresh_snapshot(self, table: Table, lobby: Lobby) -> bool:
        """Whether what all may see has changed; it has the next number then."""
        unchanged = table is self._table and lobby is self._lobby
        if unchanged and self.recorded is self._snapshot.recorded:
            return False
        self._table, self._lobby = table, lobby
        number = self._snapshot.number
        view = public_view(table, lobby, self._name, self._epoch, number, recorded=self.recorded)
        if view == self._snapshot:
            return False
        self._snapshot = replace(view, number=number + 1)
        return True

    def _send(
        self,
        news: Delivery,
        lobby: Lobby,
        opening_scheduler: OpeningScheduler | None,
    ) -> list[Effect]:
        to, message = news.to, news.message
        if isinstance(message, PrivateNews):
            assert isinstance(to, int)
            occupant = lobby.occupants[to]
            if occupant is None or (
                opening_scheduler is not None
                and opening_scheduler.has_delivered(occupant.acting, message)
            ):
                return []
            return [SendTo(occupant.acting, message)]
        if to is None:
            assert isinstance(message, Gestured)
            return [Publish(self._name, message)]
        assert isinstance(to, str)
        return [PublishTeam(self._name, to, self._talk[to].add(_add_name(message, lobby)))]


def _add_name(message: TeamBody, lobby: Lobby) -> TeamBody:
    """Words and signs with their sender's name, since somebody else may have the seat later."""
    occupant = lobby.occupants[message.seat]
    if isinstance(message, Gestured) or occupant is None:
        return message
    return replace(message, name=occupant.name)
