"""A match told in sentences, from the messages that were seen of it. Pure.

Nothing is known here but what a client knows, so a replay in words says no more than one in lines.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Seat
from kems_net.messages import (
    CallKind,
    Gestured,
    Glimpse,
    Hand,
    Message,
    News,
    NewsKind,
    Opening,
    Phase,
    ProofShown,
    Said,
    SignShared,
    Snapshot,
    SwapSeen,
    TeamMessage,
    Verdict,
    Welcome,
)

_NEWS = {
    NewsKind.SWEPT: "the table is swept",
    NewsKind.FALSE_START: "starts too early",
    NewsKind.SWEEP_PROPOSED: "proposes a sweep",
    NewsKind.SWEEP_PASSED: "passes",
    NewsKind.SWEEP_OBJECTED: "objects to the sweep",
    NewsKind.SWEEP_VOIDED: "lays a fresh card: no sweep",
    NewsKind.KEMS: "says Kem's",
    NewsKind.DOUBLE: "says Double Kem's",
    NewsKind.CONTRE: "says Contre-Kem's",
    NewsKind.REDEAL: "the deal is done again",
    NewsKind.LEFT: "is away",
    NewsKind.RETURNED: "is here",
}
_PHASES = {
    Phase.LOBBY: "the lobby",
    Phase.HUDDLE: "the huddle",
    Phase.REVEAL: "the cards lie on the table",
    Phase.HUNT: "the hunt is open",
    Phase.VERDICT: "the round is over",
}
_CALLS = {
    CallKind.KEMS: "Kem's",
    CallKind.DOUBLE: "Double Kem's",
    CallKind.CONTRE: "Contre-Kem's",
}


class Delivery(Struct, frozen=True):
    """What has been narrated so far, as far as the next sentence needs it."""

    snapshot: Snapshot | None = None
    hand: tuple[str, ...] = ()
    seen: tuple[SwapSeen, ...] = ()
    """Whose hands swaps came from that the news will tell of."""


def narrate(delivered: Delivery, message: Message) -> tuple[Delivery, tuple[str, ...]]:
    """What has been narrated after one more message, and its sentences."""
    match message:
        case Welcome():
            return delivered, (f"{message.sheet.name}: {message.sheet.title}",)
        case Snapshot():
            return Delivery(message, delivered.hand), tuple(_snapshot(delivered, message))
        case SwapSeen():
            return replace(delivered, seen=(*delivered.seen, message)), ()
        case Hand():
            if message.hand == delivered.hand:
                return delivered, ()
            return replace(delivered, hand=message.hand), (f"the hand: {_cards(message.hand)}",)
        case Opening():
            word = "open" if message.opened else "face up"
            return delivered, (f"{word}: {_cards(message.cards)}",)
        case Glimpse() | Gestured():
            return delivered, (f"{_name(delivered.snapshot, message.seat)}: {message.gesture}",)
        case ProofShown():
            return delivered, (
                f"{_name(delivered.snapshot, message.seat)} shows {_cards(message.cards)}",
            )
        case TeamMessage():
            return delivered, (_team(delivered.snapshot, message),)
        case _:
            return delivered, ()


def clock(at_us: int, since_us: int) -> str:
    """The time since the beginning, as minutes, seconds and thousandths."""
    journal_buffer, rest_us = divmod(max(0, at_us - since_us), 60_000_000)
    return f"{journal_buffer:3}:{rest_us / 1_000_000:06.3f}"


def _snapshot(knows: Delivery, now: Snapshot) -> list[str]:
    last, before = 0, knows.snapshot
    if before is not None and before.news:
        last = before.news[-1].number
    elif before is None and now.news:
        last = now.news[-1].number
    seen = {each.number: each.seat for each in knows.seen}
    named = (replace(each, seat=seen.get(each.number, each.seat)) for each in now.news)
    fresh = (news for news in named if news.number > last)
    delivered = [_news(_known(before, now, news), news) for news in fresh]
    if before is not None and now.round > before.round:
        delivered.append(f"-- round {now.round}, dealt by {_name(now, now.dealer)} --")
    if now.phase is not Phase.OVER and (before is None or now.phase is not before.phase):
        delivered.append(_PHASES[now.phase])
    if now.verdict is not None and (before is None or now.verdict != before.verdict):
        delivered.extend(_verdict(now, now.verdict))
    if now.last_moments and (before is None or not before.last_moments):
        ended_us = now.last_moments[-1].at_us if now.verdict is None else now.verdict.at_us
        delivered.extend(_moment(now, move, ended_us) for move in now.last_moments)
    if (
        now.forfeit is not None
        and now.forfeit.text
        and (not before or now.forfeit != before.forfeit)
    ):
        delivered.append(f"forfeit: {now.forfeit.text}")
    if now.phase is Phase.OVER and (before is None or before.phase is not Phase.OVER):
        delivered.append(f"won by {' and '.join(now.winners) or 'nobody'}; {_scores(now)}")
    return delivered


def _known(before: Snapshot | None, now: Snapshot, news: News) -> Snapshot:
    """The snapshot that has the name: who has left may have no seat in the newer one."""
    return before if before is not None and news.kind is NewsKind.LEFT else now


def _news(snapshot: Snapshot, news: News) -> str:
    who = _name(snapshot, news.seat)
    match news.kind:
        case NewsKind.SWAPPED:
            return f"{who} swaps {_cards(news.laid)} for {_cards(news.took)}"
        case NewsKind.LAID:
            return f"{who} lays {_cards(news.laid)}"
        case NewsKind.TOOK:
            return f"{who} takes {_cards(news.took)}"
        case NewsKind.LUCKY_HAND:
            return f"{who} had a lucky hand: {_cards(news.laid)}"
        case NewsKind.SWEPT | NewsKind.REDEAL:
            return _NEWS[news.kind]
        case _:
            return f"{who} {_NEWS[news.kind]}"


def _moment(snapshot: Snapshot, move: SwapSeen, ended_us: int) -> str:
    """What somebody did with cards, so long before the end."""
    before = f"{max(0, ended_us - move.at_us) / 1_000_000:.1f} s before:"
    if move.laid and move.took:
        did = f"swapped {_cards(move.laid)} for {_cards(move.took)}"
    else:
        did = f"laid {_cards(move.laid)}" if move.laid else f"took {_cards(move.took)}"
    return f"{before} {_name(snapshot, move.seat)} {did}"


def _verdict(snapshot: Snapshot, verdict: Verdict) -> list[str]:
    if verdict.call is None:
        return ["nobody ended the round"] if verdict.ends_round else []
    right = "right" if verdict.right else "wrong"
    points = ", ".join(
        f"{team} {'+' if each > 0 else ''}{each}"
        for team, each in zip(TEAM_LETTERS, verdict.points, strict=False)
        if each
    )
    shown = "; ".join(f"{_name(snapshot, h.seat)} {_cards(h.cards)}" for h in verdict.hands)
    whom = ""
    if verdict.accused is not None:
        accused = verdict.accused
        whom = f" of {accused if isinstance(accused, str) else _name(snapshot, accused)}"
    line = f"{_CALLS[verdict.call]}{whom} by {_name(snapshot, verdict.caller)} is {right}"
    return [f"{line}: {points or 'no points'}; {_scores(snapshot)}" + (f" ({shown})" * bool(shown))]


def _team(snapshot: Snapshot | None, message: TeamMessage) -> str:
    who = _name(snapshot, message.body.seat)
    match message.body:
        case Gestured():
            return f"[team] {who}: {message.body.gesture}"
        case Said():
            return f"[team] {message.body.name or who}: {message.body.text!r}"
        case SignShared():
            return f"[team] {who} proposes the sign {', then '.join(message.body.sign)}"


def _name(snapshot: Snapshot | None, seat: Seat | None) -> str:
    if seat is None:
        return "somebody"
    name = "" if snapshot is None else snapshot.seats[seat].name
    return name or f"seat {seat}"


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(cards) or "nothing"


def _scores(snapshot: Snapshot) -> str:
    return " ".join(
        f"{team} {score}" for team, score in zip(TEAM_LETTERS, snapshot.scores, strict=False)
    )
