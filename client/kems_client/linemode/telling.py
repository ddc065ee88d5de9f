"""What a player reads in line mode when something is heard: lines for a person. Pure.

It compares what was known before with what is known after; how things are worded is in `sentences`.
"""

from enum import Enum, auto

from msgspec import Struct

from kems_client.linemode import sentences
from kems_client.linemode.hints import hint, with_examples
from kems_client.link.heard import (
    ConnectionBack,
    ConnectionLost,
    Heard,
    HubGone,
    NeverAnswered,
    TeamReady,
)
from kems_client.state.moves import seat_of_news
from kems_client.state.table_view import TableView
from kems_net.cards import holds_four
from kems_net.messages import (
    Accepted,
    Farewell,
    Gestured,
    Glimpse,
    Hand,
    News,
    NewsKind,
    Opening,
    Phase,
    Presence,
    ProofShown,
    Refused,
    Said,
    Seated,
    SignShared,
    Snapshot,
    SwapSeen,
    TeamBody,
    TeamMessage,
    Welcome,
)

MOMENTS_TOLD = 8
"""Of what was done last in a round, so many lines at most."""


class Tone(Enum):
    """What kind of thing a line says."""

    EVENT = auto()
    MINE = auto()
    """One's own cards."""
    TEAM = auto()
    """For one's team alone."""
    NO = auto()
    """A refusal, or trouble."""
    HINT = auto()


class Line(Struct, frozen=True):
    """One line for a person."""

    tone: Tone
    text: str


def lines_for(before: TableView, after: TableView, message: Heard) -> list[Line]:
    """The lines for a player who knew `before`, heard the message, and knows `after`."""
    lines = _said(before, after, message)
    advice = hint(after)
    if advice is not None and advice != hint(before):
        lines.append(Line(Tone.HINT, with_examples(after, advice)))
    return lines


def _said(before: TableView, after: TableView, message: Heard) -> list[Line]:
    match message:
        case Welcome():
            watching = " to watch" if message.seat is None else ""
            title = message.sheet.title
            lines = [_event(f"you are at {message.hub}, table {message.table}{watching}: {title}")]
            if message.waits:
                lines.append(_event("a round is on: when it is over you get the seat of a bot"))
            return lines
        case Seated():
            return [_event(f"you sit on seat {message.seat + 1}, in team {message.team}")]
        case Farewell():
            return [Line(Tone.NO, message.text)]
        case Accepted() | TeamReady():
            return []
        case Refused():
            return [Line(Tone.NO, sentences.refusal(after, message))]
        case Hand():
            return _hand(before, after)
        case Opening():
            return _opening(before, after, opened=message.opened)
        case Glimpse():
            return [_event(sentences.gesture_seen(after, message.seat, message.gesture))]
        case SwapSeen():
            return _swap_seen(after, message)
        case ProofShown():
            return [_event(sentences.proof_shown(after, message))]
        case Snapshot():
            return _snapshot(before, after) if after is not before else []
        case Gestured():
            return [_event(sentences.gesture_seen(after, message.seat, message.gesture))]
        case TeamMessage():
            return _team(before, after, message.body)
        case ConnectionLost():
            return [Line(Tone.NO, f"the hub is away; trying for {message.give_up_s:.0f} s ...")]
        case ConnectionBack():
            return [_event("the hub is back")]
        case HubGone():
            return [Line(Tone.NO, message.reason)]
        case NeverAnswered():
            what = type(message.command).__name__
            fate = (
                "heard, its answer was lost" if message.settled else "not heard: nothing was done"
            )
            return [Line(Tone.NO, f"your {what} was {fate}")]


def _event(text: str) -> Line:
    return Line(Tone.EVENT, text)


def _hand(before: TableView, after: TableView) -> list[Line]:
    if after.hand == before.hand or not after.hand:
        return []
    lines = [Line(Tone.MINE, f"your hand: {sentences.cards_in_words(after.hand)}")]
    if holds_four(after.hand) and not holds_four(before.hand):
        sign = f": {sentences.sign_in_words(after.sign)}" if after.sign else ""
        lines.append(Line(Tone.MINE, f"you hold a four! make your sign{sign}"))
    return lines


def _swap_seen(after: TableView, seen: SwapSeen) -> list[Line]:
    """Whose hand it was, if the news came before; else the news will name it."""
    news = after.snapshot.news if after.snapshot else ()
    if not news or seen.number > news[-1].number or seen.seat == after.my_seat:
        return []
    return [_event(sentences.swap_seen(after, seen))]


def _opening(before: TableView, after: TableView, *, opened: bool) -> list[Line]:
    table = sentences.cards_in_words(after.cards)
    if opened and before.opened_at_us is None and after.opened_at_us is not None:
        return [_event(f"the hunt is open! table: {table}")]
    if after.cards != before.cards:
        return [_event(f"the faces turn: {table}")]
    return []


def _team(before: TableView, after: TableView, body: TeamBody) -> list[Line]:
    match body:
        case Gestured():
            return [Line(Tone.TEAM, sentences.gesture_seen(after, body.seat, body.gesture))]
        case Said():
            return [Line(Tone.TEAM, f"[team] {body.name or after.name_of(body.seat)}: {body.text}")]
        case SignShared():
            sign = sentences.sign_in_words(body.sign)
            share = sentences.verb(after, body.seat, "share", "shares")
            lines = [Line(Tone.TEAM, f"[team] {share} a sign: {sign}")]
            if after.sign is not None and after.sign != before.sign:
                agreed = sentences.sign_in_words(after.sign)
                lines.append(Line(Tone.TEAM, f"[team] your sign is: {agreed}"))
            return lines


# --- the public table -----------------------------------------------------------------------------


def _snapshot(before: TableView, after: TableView) -> list[Line]:
    old, new = before.snapshot, after.snapshot
    if new is None or old is new:
        return []
    named = (seat_of_news(after.moves, one) for one in _fresh_news(old, new))
    lines = [_event(sentences.news(after, one)) for one in named]
    if old is not None:
        lines += _people(before, after, old, new)
    if old is None or old.phase is not new.phase or old.round != new.round:
        lines += _phase(after, new)
    lines += _questions(after, old, new)
    if new.verdict is not None and (old is None or new.verdict != old.verdict):
        lines += [_event(sentences.shown_hand(after, shown)) for shown in new.verdict.hands]
        lines.append(_event(sentences.verdict(after, new.verdict)))
        lines.append(_event(f"scores: {sentences.scores(after)}"))
    if new.last_moments and (old is None or not old.last_moments):
        lines += [_event(said) for said in sentences.last_moments(after, new)[-MOMENTS_TOLD:]]
    if new.phase is Phase.OVER and (old is None or old.phase is not Phase.OVER):
        lines.append(_event(sentences.winners(after)))
    if _cards_to_tell(before, after):
        lines.append(_event(f"table: {sentences.cards_in_words(after.cards)}"))
    return lines


def _cards_to_tell(before: TableView, after: TableView) -> bool:
    return bool(after.cards) and after.cards != before.cards and after.phase is Phase.HUNT


def _fresh_news(old: Snapshot | None, new: Snapshot) -> list[News]:
    """What the player has not read yet; numbers begin anew with each match."""
    if old is None:
        return []
    people = (NewsKind.LEFT, NewsKind.RETURNED)  # the seats show them
    last = old.news[-1].number if old.news else 0
    newest = new.news[-1].number if new.news else 0
    fresh = [one for one in new.news if one.number > last or newest < last]
    return [one for one in fresh if one.kind not in people]


def _people(before: TableView, after: TableView, old: Snapshot, new: Snapshot) -> list[Line]:
    lines: list[Line] = []
    for seat, (was, now) in enumerate(zip(old.seats, new.seats, strict=False)):
        if seat != after.my_seat and (was.presence, was.name) != (now.presence, now.name):
            lines.append(_event(_presence(before, after, seat)))
        taken_over = was.name != now.name and not now.ready  # the one before was ready, not they
        if was.ready is not now.ready and new.phase is old.phase and not taken_over:
            ready = "ready" if now.ready else "not ready any more"
            lines.append(_event(f"{sentences.verb(after, seat, 'are', 'is')} {ready}"))
        if now.voted_end and not was.voted_end:
            lines.append(_event(f"{sentences.verb(after, seat, 'vote', 'votes')} to end the match"))
    return lines


def _presence(before: TableView, after: TableView, seat: int) -> str:
    """What has become of a player: the same name on a seat is the same player."""
    was, now = before.seats[seat], after.seats[seat]
    name, is_same = after.name_of(seat), was.name == now.name
    match now.presence:
        case Presence.EMPTY:
            return f"{before.name_of(seat)} leaves seat {seat + 1}"
        case Presence.HERE if is_same and was.presence is not Presence.EMPTY:
            return f"{name} is back"
        case Presence.HERE:
            return f"{name} is here, in team {now.team}"
        case Presence.AWAY:
            return f"{name} is away"
        case Presence.BOT if is_same and was.presence is not Presence.EMPTY:
            return f"a bot sits in for {name}"
        case Presence.BOT:
            return f"{name}, a bot, is here, in team {now.team}"


def _pause(after: TableView, new: Snapshot) -> str:
    """Whom the hunt waits for, and how long at most."""
    missing = [
        after.name_of(seat)
        for seat, at in enumerate(new.seats)
        if at.presence in (Presence.AWAY, Presence.EMPTY)
    ]
    limit = "" if after.sheet is None else f", {after.sheet.away_s:g} s at most"
    return f"the hunt waits for {' and '.join(missing) or 'somebody'}{limit}"


def _phase(after: TableView, new: Snapshot) -> list[Line]:
    match new.phase:
        case Phase.LOBBY:
            return [_event("you are in the lobby")]
        case Phase.HUDDLE:
            return [_event(f"round {new.round + 1} is next: teams agree on their signs in private")]
        case Phase.REVEAL:
            dealer = sentences.verb(after, new.dealer, "deal", "deals")
            return [_event(f"round {new.round}: {dealer}; four cards lie face down")]
        case Phase.HUNT | Phase.VERDICT | Phase.OVER:
            return []


def _questions(after: TableView, old: Snapshot | None, new: Snapshot) -> list[Line]:
    """What has been asked of somebody since the snapshot before."""
    lines: list[Line] = []
    if new.sweep is not None and (old is None or old.sweep != new.sweep):
        lines.append(_event(sentences.sweep(after, new.sweep)))
    asked = () if old is None else old.proofs
    lines += [_event(sentences.proof_asked(after, p)) for p in new.proofs if p not in asked]
    if new.double_window is not None and (old is None or old.double_window is None):
        lines.append(_event(sentences.double_window(after, new.double_window)))
    if new.forfeit is not None and (old is None or old.forfeit != new.forfeit):
        lines.append(_event(sentences.forfeit(new.forfeit)))
    if new.lucky and (old is None or old.lucky != new.lucky):
        lines += [_event(f"lucky: {sentences.shown_hand(after, shown)}") for shown in new.lucky]
    if not new.recorded and (old is None or old.recorded):
        lines.append(Line(Tone.NO, "the hub can't write down what happens: not recorded"))
    paused = old is not None and old.pause_ends_us is not None
    if new.pause_ends_us is not None and not paused:
        lines.append(_event(_pause(after, new)))
    elif new.pause_ends_us is None and paused:
        lines.append(_event("the game goes on"))
    return lines
