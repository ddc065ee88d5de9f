"""Whether what is said of a table can be: the seats and teams that it names are there. Pure.

A type can't say this, because how many seats a table has is itself a message. Hubs and recordings
are judged by it before anything of theirs is shown; the hub has no use for it.
"""

from collections.abc import Iterable, Iterator

from kems_net.cards import HAND_SIZE, TEAM_LETTERS, Card, Seat, Team, team_of
from kems_net.gestures import MAX_SIGN_LENGTH
from kems_net.messages import (
    Accepted,
    Farewell,
    Gestured,
    Glimpse,
    Hand,
    HubPing,
    OnPublicTopic,
    OnTeamTopic,
    Opening,
    Pong,
    ProofShown,
    Refused,
    Seated,
    SignShared,
    Snapshot,
    SwapSeen,
    TeamBeacon,
    TeamGap,
    TeamMessage,
    ToPlayer,
    Verdict,
    Welcome,
)

MAX_SEATS = 12
MAX_CARDS = 104
"""Two packs: as many cards as there are at a table."""
BEATS_MS = range(5, 5_000)
"""How often a hub may want beats: a pause of nothing would keep a client busy for ever."""
MAX_WHOLE = 2**53
"""More can't be held by those who count in doubles; a stamp of it lies 285 years ahead."""
MAX_SCORE = 1_000_000

FromHub = ToPlayer | OnPublicTopic | OnTeamTopic


def teams_of(snapshot: Snapshot) -> tuple[Team, ...]:
    """The team of each seat."""
    return tuple(at.team for at in snapshot.seats)


def can_be(message: FromHub) -> bool:
    """Whether a message agrees with itself, at whatever table."""
    seats = tuple(seats_named(message))
    if not (all(0 <= seat < MAX_SEATS for seat in seats) and _numbers_can_be(message)):
        return False
    match message:
        case Snapshot():
            return _snapshot_can_be(message, seats)
        case Welcome():
            return message.beat_ms in BEATS_MS
        case Hand():
            return len(message.hand) <= HAND_SIZE and len(message.cards) <= MAX_CARDS
        case Opening():
            return len(message.cards) <= MAX_CARDS
        case ProofShown():
            return len(message.cards) <= HAND_SIZE
        case SwapSeen():
            return max(len(message.laid), len(message.took)) <= HAND_SIZE
        case TeamGap():
            return all(map(can_be, message.messages))
        case TeamMessage(body=SignShared() as shared):
            return 1 <= len(shared.sign) <= MAX_SIGN_LENGTH
        case _:
            return True


def fits(message: FromHub, teams: tuple[Team, ...]) -> bool:
    """Whether a message can be at a table with these teams, by seat."""
    if not can_be(message):
        return False
    if isinstance(message, Snapshot):
        return teams_of(message) == teams  # the seats it names are its own
    if isinstance(message, Seated) and teams[message.seat : message.seat + 1] != (message.team,):
        return False
    return all(seat < len(teams) for seat in seats_named(message))


def seats_named(message: FromHub) -> Iterator[Seat]:
    """The seats that a message speaks of."""
    match message:
        case Snapshot():
            yield from _seats_in_snapshot(message)
        case Gestured() | Glimpse() | SwapSeen() | Seated():
            yield message.seat
        case ProofShown():
            yield from (message.seat, *message.shown_to)
        case Welcome():
            yield from _some(message.seat)
            if isinstance(message.last_answer, Refused):
                yield from _some(message.last_answer.by)
        case Refused():
            yield from _some(message.by)
        case TeamMessage():
            yield message.body.seat
        case TeamGap():
            for each in message.messages:
                yield each.body.seat
        case Farewell() | Accepted() | Hand() | Opening() | Pong() | HubPing() | TeamBeacon():
            return


def _numbers_can_be(message: FromHub) -> bool:
    """Whether its numbers and stamps are such as both ends can count with."""
    values = (getattr(message, name) for name in message.__struct_fields__)
    return all(-MAX_WHOLE <= value <= MAX_WHOLE for value in values if isinstance(value, int))


def _seats_in_snapshot(snapshot: Snapshot) -> Iterator[Seat]:
    yield from (snapshot.dealer, *_some(*(at.gaze for at in snapshot.seats)))
    yield from _some(*(news.seat for news in snapshot.news))
    yield from (hand.seat for hand in snapshot.lucky)
    yield from (swap.seat for swap in snapshot.last_moments)
    if snapshot.sweep is not None:
        yield from (snapshot.sweep.by, *snapshot.sweep.passed, *snapshot.sweep.missing)
    for proof in snapshot.proofs:
        yield from (*proof.accused, *proof.shown_to)
    if snapshot.double_window is not None:
        yield snapshot.double_window.caller
    if snapshot.verdict is not None:
        verdict = snapshot.verdict
        accused = verdict.accused if isinstance(verdict.accused, int) else None
        yield from _some(verdict.caller, accused)
        yield from (hand.seat for hand in verdict.hands)


def _snapshot_can_be(snapshot: Snapshot, named: tuple[Seat, ...]) -> bool:
    teams = teams_of(snapshot)
    sides = len(set(teams))
    return (
        1 <= len(teams) <= MAX_SEATS
        and 1 <= sides <= len(TEAM_LETTERS)
        and teams == tuple(team_of(seat, sides) for seat in range(len(teams)))
        and all(seat < len(teams) for seat in named)
        and len(snapshot.scores) == sides
        and all(0 <= score <= MAX_SCORE for score in snapshot.scores)
        and all(0 <= at.cards <= HAND_SIZE for at in snapshot.seats)
        and min(snapshot.stock, snapshot.discard, snapshot.round) >= 0
        and _cards_can_be(snapshot)
        and _sides_can_be(snapshot, TEAM_LETTERS[:sides])
    )


def _cards_can_be(snapshot: Snapshot) -> bool:
    hands: list[tuple[Card, ...]] = [hand.cards for hand in snapshot.lucky]
    hands += [cards for swap in snapshot.last_moments for cards in (swap.laid, swap.took)]
    if snapshot.verdict is not None:
        hands += [hand.cards for hand in snapshot.verdict.hands]
    return len(snapshot.cards) <= MAX_CARDS and all(len(hand) <= HAND_SIZE for hand in hands)


def _sides_can_be(snapshot: Snapshot, letters: str) -> bool:
    named: list[Team] = list(snapshot.winners)
    if snapshot.forfeit is not None:
        named += (*snapshot.forfeit.winners, *snapshot.forfeit.losers)
    verdict: Verdict | None = snapshot.verdict
    if verdict is not None:
        named += [verdict.accused] if isinstance(verdict.accused, str) else []
        if len(verdict.points) != len(letters) or max(map(abs, verdict.points)) > MAX_SCORE:
            return False
    return all(len(team) == 1 and team in letters for team in named)


def _some(*seats: Seat | None) -> Iterable[Seat]:
    """Those of them that are seats at all."""
    return (seat for seat in seats if seat is not None)
