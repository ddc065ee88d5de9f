"""What a hub says, for tests of a client: ana (A), bo (B), cy (A), di (B), seats 0 to 3."""

from collections.abc import Sequence

from msgspec.structs import replace

from kems_net.cards import Card
from kems_net.messages import (
    PROTOCOL_VERSION,
    Hand,
    News,
    NewsKind,
    Phase,
    Presence,
    ProbeAnswer,
    PublicSeat,
    Seated,
    Snapshot,
    TableLine,
    Welcome,
)
from kems_net.sheetfile import load_sheet
from kems_net.topics import team_topic

NAMES = ("ana", "bo", "cy", "di")
EPOCH = 7
HAND = "7S KD 7C 4H"
TABLE = "7H QC 10D AS"


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a line."""
    return tuple(Card(word) for word in text.split())


def probe_answer(key: str, router_port: int, public_port: int) -> ProbeAnswer:
    """A hub with one table."""
    table = TableLine("kems", "tournament", 4, 3, "lobby")
    return ProbeAnswer(PROTOCOL_VERSION, "Lou's hub", key, router_port, public_port, (table,))


def welcome(seat: int | None = 0, sheet: str = "tournament", epoch: int = EPOCH) -> Welcome:
    """A player is in."""
    rules = load_sheet(sheet)
    return Welcome(PROTOCOL_VERSION, "Lou's hub", epoch, "kems", seat, rules, 1.0, 20)


def seated(seat: int = 0, team_port: int = 5573) -> Seated:
    """A player's seat and team."""
    team = "AB"[seat % 2]
    return Seated(seat, team, team_port, team_topic("kems", team).decode())


def snapshot(number: int, phase: Phase = Phase.HUNT, table: str = TABLE) -> Snapshot:
    """The four at the table; in a hunt it opened at a second of hub time."""
    seats = tuple(
        PublicSeat(name, "AB"[s % 2], Presence.HERE, ready=False, cards=4, gaze=(s + 2) % 4)
        for s, name in enumerate(NAMES)
    )
    return Snapshot(
        "kems",
        EPOCH,
        number,
        phase,
        round=1,
        dealer=0,
        seats=seats,
        cards=cards(table),
        stock=32,
        discard=0,
        scores=(0, 0),
        opened_at_us=1_000_000 if phase is Phase.HUNT else None,
    )


def hand(number: int, hand: str = HAND, table: str = TABLE) -> Hand:
    """One's hand."""
    return Hand(number, cards(hand), cards(table))


def with_news(scene: Snapshot, *kinds: NewsKind, seat: int = 1) -> Snapshot:
    """The same, with news of a player numbered from 1."""
    news = tuple(News(n, kind, seat) for n, kind in enumerate(kinds, 1))
    return replace(scene, news=news)


def with_presence(scene: Snapshot, presences: Sequence[Presence]) -> Snapshot:
    """The same, with somebody else on the seats."""
    seats = tuple(replace(s, presence=p) for s, p in zip(scene.seats, presences, strict=True))
    return replace(scene, seats=seats)
