"""A replay shows a seat what it was told in the game, and no more."""

from pathlib import Path

import pytest

from kems_net.errors import UsageError
from kems_net.messages import (
    Glimpse,
    Hand,
    Message,
    Opening,
    ProofShown,
    Seated,
    Snapshot,
    TeamMessage,
    Welcome,
)
from kems_net.rulesheet import Signals
from kems_server.archive.history import Match, find, load
from kems_server.lookback.replaying import record, seat_named, shown
from tests.fakewire import AnyMessage, Chair
from tests.server.recorded import RecordedEvening, bot_settings

PRIVATE = (Glimpse, ProofShown, Opening)


class Played:
    """A match, and everything each seat was told of it in the game."""

    def __init__(self, folder: Path) -> None:
        settings = bot_settings("party", signals=Signals.GLIMPSE.value)
        evening = RecordedEvening(folder, settings, seed=9)
        self.told: dict[str, list[AnyMessage]] = {chair.name: [] for chair in evening.chairs}
        evening.wire.watch.append(self._hear)
        evening.play()
        self.match: Match = load(evening.journal, find(evening.journal, "last"))
        evening.journal.close()

    def _hear(self, chair: Chair, message: AnyMessage) -> None:
        self.told[chair.name].append(message)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("played"))


def replayed(match: Match, seat: int | None) -> list[Message]:
    return [message for instant in shown(record(match), seat) for message in instant.messages]


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_the_hands_gestures_proofs_and_talk_it_saw_then(
    played: Played, seat: int
) -> None:
    game = played.told[f"bot {seat}"]
    again = replayed(played.match, seat)
    assert _changes([m.hand for m in again if isinstance(m, Hand)]) == _changes(
        [m.hand for m in game if isinstance(m, Hand)]
    )
    for kind in PRIVATE:
        assert [_timeless(m) for m in again if isinstance(m, kind)] == [
            _timeless(m) for m in game if isinstance(m, kind)
        ]
    bodies = [m.body for m in again if isinstance(m, TeamMessage)]
    assert bodies == [m.body for m in game if isinstance(m, TeamMessage)]


def _changes(hands: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Without those that only repeat the one before."""
    return [hand for n, hand in enumerate(hands) if n == 0 or hand != hands[n - 1]]


def _timeless(message: object) -> tuple[object, ...]:
    """Without the number of its snapshot: a replay counts its own."""
    names = ("seat", "gesture", "cards", "opened", "at_us")
    return tuple(getattr(message, name, None) for name in names)


def test_everybody_s_view_holds_nothing_that_was_told_in_private(played: Played) -> None:
    kinds = {type(message) for message in replayed(played.match, None)}
    assert kinds == {Welcome, Snapshot}


def test_every_snapshot_of_the_replay_was_published_in_the_game_or_lies_between_two(
    played: Played,
) -> None:
    game = [m for m in played.told["bot 0"] if isinstance(m, Snapshot)]
    again = [m for m in replayed(played.match, None) if isinstance(m, Snapshot)]
    assert [m.number for m in again] == sorted({m.number for m in again})
    last = game[-1]
    final = again[-1]
    assert (final.scores, final.round, final.winners) == (last.scores, last.round, last.winners)
    assert final.seats == last.seats
    assert {m.scores for m in again} == {m.scores for m in game}


def test_a_replay_begins_as_a_client_does(played: Played) -> None:
    welcome, seated, snapshot, *_ = replayed(played.match, 2)
    assert isinstance(welcome, Welcome)
    assert welcome.sheet == played.match.start.sheet
    assert isinstance(seated, Seated)
    assert (seated.seat, seated.team) == (2, "A")
    assert isinstance(snapshot, Snapshot)


def test_a_seat_is_named_by_its_player_or_its_number(played: Played) -> None:
    assert seat_named(played.match, "Bot 3") == 3
    assert seat_named(played.match, "1") == 1
    with pytest.raises(UsageError, match="there were bot 0, bot 1, bot 2, bot 3"):
        seat_named(played.match, "Zoe")
    with pytest.raises(UsageError, match="nobody called '4'"):
        seat_named(played.match, "4")
