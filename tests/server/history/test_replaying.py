"""A replay shows a seat what it was told in the game, and no more."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from kems_client.fullscreen.replay import Replay
from kems_client.state.replay_player import begin
from kems_net.cards import team_of
from kems_net.errors import UsageError
from kems_net.messages import (
    Gestured,
    Glimpse,
    Hand,
    Message,
    Opening,
    Phase,
    ProofShown,
    Seated,
    Snapshot,
    SwapSeen,
    TeamMessage,
    Welcome,
)
from kems_net.recording import encode_recording, greeting, read, visible_to
from kems_net.rulesheet import Signals
from kems_server.history.replaying import instants_of, record, seat_named
from kems_server.journal.history import Match, find, load
from tests.fakewire import AnyMessage, Chair
from tests.server.recorded import RecordedSession, bot_settings

PRIVATE = (Glimpse, SwapSeen, ProofShown, Opening)


class Played:
    """A match, and everything each seat was told of it in the game."""

    def __init__(self, folder: Path) -> None:
        settings = bot_settings("party", signals=Signals.GLIMPSE.value)
        session = RecordedSession(folder, settings, seed=9)
        self.delivered: dict[str, list[AnyMessage]] = {chair.name: [] for chair in session.chairs}
        session.wire.watch.append(self._hear)
        session.play()
        self.match: Match = load(session.journal, find(session.journal, "last"))
        session.journal.close()

    def _hear(self, chair: Chair, message: AnyMessage) -> None:
        self.delivered[chair.name].append(message)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("played"))


def replayed(match: Match, seat: int | None) -> list[Message]:
    return [message for instant in instants_of(record(match), seat) for message in instant.messages]


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_sees_the_hands_gestures_proofs_and_talk_it_saw_then(
    played: Played, seat: int
) -> None:
    game = played.delivered[f"bot {seat}"]
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
    names = ("seat", "gesture", "cards", "opened", "at_us", "laid", "took")
    return tuple(getattr(message, name, None) for name in names)


def test_everybody_s_view_holds_nothing_that_was_told_in_private(played: Played) -> None:
    kinds = {type(message) for message in replayed(played.match, None)}
    assert kinds == {Welcome, Snapshot}


def test_every_snapshot_of_the_replay_was_published_in_the_game_or_lies_between_two(
    played: Played,
) -> None:
    game = [m for m in played.delivered["bot 0"] if isinstance(m, Snapshot)]
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


# --- the recording that a screen shows -----------------------------------------------------------


def test_a_file_tells_every_view_what_print_tells_it(played: Played) -> None:
    recording = record(played.match)
    again = read(encode_recording(recording))
    assert again == recording
    for seat in (None, 0, 1, 2, 3):
        heard: list[Message] = list(greeting(again.heading, seat))
        heard += [each for m in again.moments for each in visible_to(m, again.heading, seat)]
        assert heard == replayed(played.match, seat)


def test_whoever_is_named_as_told_was_told_it_in_the_game(played: Played) -> None:
    in_game = [{_essence(m) for m in played.delivered[f"bot {seat}"]} for seat in range(4)]
    for moment in record(played.match).moments:
        for views in moment.delivered:
            match views.to:
                case None:
                    assert isinstance(views.message, Snapshot)
                case str() as team:
                    ears = [seat for seat in range(4) if team_of(seat, 2) == team]
                    assert all(_essence(views.message) in in_game[seat] for seat in ears)
                case seat:
                    assert _essence(views.message) in in_game[seat]


def _essence(message: object) -> str:
    """What it tells: a replay counts its own snapshots and team messages."""
    if isinstance(message, TeamMessage):
        return repr(message.body)
    return repr(replace(message, snapshot=0) if isinstance(message, Hand | Opening) else message)


@pytest.mark.parametrize("seat", range(4))
def test_the_screen_of_a_seat_never_holds_what_that_seat_was_not_told(
    played: Played, seat: int
) -> None:
    replay = Replay(read(encode_recording(record(played.match))))
    delivered = played.delivered[f"bot {seat}"]
    hands: set[frozenset[str]] = {frozenset(m.hand) for m in delivered if isinstance(m, Hand)} | {
        frozenset()
    }
    bodies = {repr(m.body) for m in delivered if isinstance(m, TeamMessage)}
    glimpses = {_timeless(m) for m in delivered if isinstance(m, Glimpse)}
    proofs = {_timeless(m) for m in delivered if isinstance(m, ProofShown)}
    replay_player = begin(replay.index, seat)
    for at_us in replay.index.stops_us[seat]:
        view = replay.state(replace(replay_player, now_us=at_us)).view
        assert frozenset(view.hand) in hands
        assert {repr(said) for said in view.talk} <= bodies
        seen = [(each.seat, each.gesture, each.at_us) for each in view.gestures]
        assert all(
            repr(Gestured(*each)) in bodies or _timeless(Glimpse(*each)) in glimpses
            for each in seen
        )
        assert {_timeless(shown_to) for shown_to in view.proofs} <= proofs


def test_the_screen_of_all_shows_no_hand_no_sign_and_no_talk(played: Played) -> None:
    replay = Replay(record(played.match))
    replay_player = begin(replay.index)
    for at_us in replay.index.stops_us[None]:
        view = replay.state(replace(replay_player, now_us=at_us)).view
        assert (view.hand, view.sign, view.proposals, view.talk) == ((), None, (), ())
        assert (view.gestures, view.proofs, view.my_seat) == ((), (), None)


def test_the_heading_names_hub_table_and_players(played: Played) -> None:
    head = record(played.match).heading
    assert (head.match, head.welcome.hub, head.welcome.table) == (1, "hub", played.match.line.at)
    assert [(each.name, each.team) for each in head.players] == [
        *(("bot 0", "A"), ("bot 1", "B"), ("bot 2", "A"), ("bot 3", "B"))
    ]


def test_a_match_that_went_on_after_a_crash_is_one_recording(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    session = RecordedSession(tmp_path / "first", bot_settings(), seed=4)
    session.play(until=Phase.HUNT, round_number=2).steps(20)
    resumed = session.killed(tmp_path / "second").play()
    match = load(resumed.journal, find(resumed.journal, "last"))
    recording = read(encode_recording(record(match)))
    index = Replay(recording).index
    assert len(index.rounds_us) == resumed.table.round
    assert index.over_us is not None
    times_us = [moment.at_us for moment in recording.moments]
    assert times_us == sorted(times_us)
