"""What a screen shows, as one frozen value: what the player knows, and which keys they pressed.

Pure: the value and questions about it. How keys and messages change it is in `presenter`, how it
looks in `paint`. Times are hub time in microseconds (`_us`).
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kems_client.state.keys import DIGITS
from kems_client.state.table_view import TableView
from kems_net.cards import HAND_SIZE, TABLE_SIZE, Card, Seat, Team
from kems_net.gestures import Gesture, Sign
from kems_net.messages import Command, Phase, Reason, Verdict
from kems_net.phrases import Phrase

FRESH_US = 1_500_000
"""How long a card that has come is marked."""
SEEN_US = 150_000
"""Nobody reacts faster to a changed table: a key pressed sooner meant what lay there before."""
SECOND_US = 1_000_000
LAST_SECONDS_US = 20_000_000
"""The end of a round is counted down from here on."""
LAST_US = 6_000_000
"""How long the last thing somebody did stands beside their name."""

MORE_CARDS = 3
"""Table cards beyond four that have a place: more at once would be a heap."""


class Mode(StrEnum):
    """What the keys do now."""

    PLAY = "play"
    TALK = "talk"
    FORFEIT = "forfeit"
    """Typing a forfeit."""
    ACCUSE = "accuse"
    """Contre was said; the next key names whom."""
    HELP = "help"
    REPLAY = "replay"
    """A recorded match is looked at: no key of the game does anything."""


class Tone(StrEnum):
    """How a line is meant."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    GESTURE = "gesture"
    CALL = "call"
    TALK = "talk"
    UNSEEN = "unseen"
    """Cards went and came, and the player did not see whose hand it was."""


class Preferences(Struct, frozen=True):
    """What the player may set."""

    armed: bool = False
    """Calls need their key twice."""
    hints: bool = True
    """Advice is shown, until the player knows the game."""
    bell: bool = True
    bots: str | None = None
    """How well the bots play of somebody who plays alone."""


class Link(Struct, frozen=True):
    """How far away the hub is."""

    delay_us: int | None = None
    """One way; None before it is known."""
    uncertainty_us: int | None = None


class Slot(Struct, frozen=True):
    """One place for a card, which stays where it is while cards come and go."""

    card: Card | None = None
    before: Card | None = None
    """What lay there last."""
    since_us: int = 0


class Line(Struct, frozen=True):
    """A line of what has happened."""

    who: Seat | None
    text: Phrase
    tone: Tone = Tone.PLAIN
    name: str = ""
    """Of the player on that seat then: the seat may have another one by now."""


class Last(Struct, frozen=True):
    """The last thing a player was seen doing."""

    seat: Seat
    text: Phrase
    short: Phrase
    """The same where there is little room."""
    tone: Tone
    at_us: int
    """When it was seen here."""


class Notice(Struct, frozen=True):
    """A notice to the player, for a moment."""

    text: Phrase
    tone: Tone
    until_us: int


class Tally(Struct, frozen=True):
    """How the match went for the player, for its end."""

    swaps: int = 0
    lost_us: tuple[int, ...] = ()
    """By how much each race was lost."""
    calls_right: int = 0
    calls_wrong: int = 0
    gestures: int = 0
    looks: int = 0
    rounds: int = 0


class ScreenState(Struct, frozen=True):
    """Everything a picture is painted from."""

    view: TableView = TableView()
    now_us: int = 0
    hand: tuple[Slot, ...] = (Slot(),) * HAND_SIZE
    table: tuple[Slot, ...] = (Slot(),) * (TABLE_SIZE + MORE_CARDS)
    """The last ones are for cards that were laid and not yet taken."""
    lay: tuple[Card, ...] = ()
    """Cards of the player's own that are picked up."""
    take: tuple[Card, ...] = ()
    """Table cards that they reach for."""
    mode: Mode = Mode.PLAY
    typed: str = ""
    typed_us: int = 0
    """When they last typed; keys that follow at once are not meant for the game."""
    locked_until_us: int = 0
    """Till then keys do nothing: talk was closed while they typed."""
    rules_page: int = 0
    """How many pages of the rules were turned forward in the lobby, less those turned back."""
    draft: tuple[Gesture, ...] = ()
    """The sign they are putting together."""
    armed: str = ""
    """The key that waits for its second press."""
    armed_until_us: int = 0
    accuse_until_us: int = 0
    leave_until_us: int = 0
    """Till then the key that leaves means it: the player has been asked."""
    called: str = ""
    """The key that has called last."""
    called_until_us: int = 0
    """Till then it may still be held down."""
    gaze: Seat | None = None
    """Where they want to look next."""
    gaze_at_us: int = 0
    """When that is asked for: only the last of quick presses is."""
    gaze_before: Seat | None = None
    """Whom they looked at before they turned to their partner, or from them."""
    gaze_since_us: int = 0
    """When the hub said that they look where they look."""
    waiting: tuple[tuple[int, Command], ...] = ()
    """Requests without an answer, by id."""
    lines: tuple[Line, ...] = ()
    """What has happened lately, oldest first."""
    told: int = 0
    """How many lines there have been in all."""
    sweep_line: int = 0
    """Which of them is about sweeps on these table cards, counted from 1; 0 for none."""
    sweeps: int = 0
    """How many have been proposed on these table cards."""
    lasts: tuple[Last, ...] = ()
    notice: Notice | None = None
    tally: Tally = Tally()
    judged: tuple[str, ...] = ()
    """The names by seat when the last verdict was given: a seat may have another player since."""
    round_told: int = 0
    """How many lines there were when the last hunt ended."""
    round_over_us: int = 0
    """When the last hunt ended, as it was heard here."""
    verdict_until_us: int = 0
    """After a match: till then the verdict that decided it is shown, and then the scores."""
    news_seen: int = 0
    link: Link = Link()
    preferences: Preferences = Preferences()
    bells: int = 0
    """How often the bell should have rung by now."""

    @property
    def phase(self) -> Phase:
        """Where in its course the match is."""
        return self.view.phase

    @property
    def watching(self) -> bool:
        """Whether they have no seat."""
        return self.view.welcome is not None and self.view.my_seat is None

    @property
    def replayed(self) -> bool:
        """Whether a recorded match is looked at."""
        return self.mode is Mode.REPLAY

    @property
    def at_play(self) -> bool:
        """Whether the keys of the game are the player's to press."""
        return not self.watching and not self.replayed

    @property
    def looks_at(self) -> Seat | None:
        """Whom the player looks at, or has just turned to."""
        me = self.view.me
        return self.gaze if self.gaze is not None else me.gaze if me else None

    @property
    def hunting(self) -> bool:
        """Whether cards lie on the table, or are about to."""
        return self.phase in (Phase.REVEAL, Phase.HUNT)

    @property
    def decision(self) -> Verdict | None:
        """After a match, the verdict of its last round, if it had one."""
        verdict = self.view.snapshot.verdict if self.view.snapshot else None
        over = self.phase is Phase.OVER and verdict is not None and verdict.ends_round
        return verdict if over else None

    @property
    def deciding(self) -> bool:
        """Whether that verdict is shown, and not yet the scores."""
        return self.decision is not None and self.now_us < self.verdict_until_us

    def judged_name(self, seat: Seat) -> str:
        """The name of the player on a seat when the last verdict was given."""
        known = self.judged[seat] if 0 <= seat < len(self.judged) else ""
        return known or self.view.name_of(seat)

    def name_in(self, line: Line) -> str | None:
        """Whose line it is, by the name they had then; None for the player's own."""
        me = self.view.me
        own = line.who == self.view.my_seat and not self.replayed
        if own and (not line.name or me is None or me.name == line.name):
            return None
        return line.name or self.view.name_of(line.who or 0)

    def last_of(self, seat: Seat) -> Last | None:
        """What a player was last seen doing, while it is fresh."""
        last = next((last for last in self.lasts if last.seat == seat), None)
        return last if last is not None and self.now_us < last.at_us + LAST_US else None


def others_clockwise(state: ScreenState) -> tuple[Seat, ...]:
    """The other seats from the player's left round the table; all, for a spectator."""
    count = len(state.view.seats)
    me = state.view.my_seat
    if me is None:
        return tuple(range(count))
    return tuple((me + step) % count for step in range(1, count))


def seconds_to(state: ScreenState, at_us: int | None) -> int | None:
    """Whole seconds left, as a countdown shows them: never 0 before its time."""
    if at_us is None:
        return None
    return max(0, -((state.now_us - at_us) // SECOND_US))


def accusable(state: ScreenState) -> tuple[Team | Seat, ...]:
    """Whom a contre may name, as this rule sheet has it: teams, or players clockwise."""
    view = state.view
    if view.sheet is None:
        return ()
    if view.sheet.contre_names == "team":
        mine = view.my_team
        out = {at.team for at in view.seats if at.out}
        return tuple(team for team in view.teams if team != mine and team not in out)
    return tuple(
        seat
        for seat in others_clockwise(state)
        if seat in view.opponents and not view.seats[seat].out
    )


def accuse_keys(state: ScreenState) -> dict[str, Team | Seat]:
    """The key that names each of them: digits, for letters are keys of cards."""
    return dict(zip(DIGITS, accusable(state), strict=False))


def contre_barred(state: ScreenState) -> Reason | None:
    """Why no contre of the player's can count now, as far as is known here."""
    view, snapshot = state.view, state.view.snapshot
    if view.me is not None and view.me.contre_lost:
        return Reason.CONTRE_LOST
    if snapshot is not None and snapshot.double_window is not None:
        return Reason.DOUBLE_WINDOW
    if snapshot is not None and snapshot.calls_locked:
        return Reason.CALLS_LOCKED
    return None


def proposed_by_mates(state: ScreenState) -> tuple[Seat, Sign] | None:
    """The newest sign that a teammate has proposed and the player has not taken."""
    mine = state.view.my_seat
    own = next((sign for seat, sign in state.view.proposals if seat == mine), None)
    others = [(seat, sign) for seat, sign in state.view.proposals if seat != mine]
    if not others or others[-1][1] == own or others[-1][1] == state.view.sign:
        return None
    return others[-1]


def waits_for_dealer(state: ScreenState) -> bool:
    """Whether the faces are up and the player's word opens the hunt."""
    view = state.view
    return (
        view.snapshot is not None
        and view.snapshot.opens_by_word
        and bool(view.cards)
        and view.opened_at_us is None
        and view.is_dealer
    )


def may_propose_sweep(state: ScreenState) -> bool:
    """Whether the hunt has been open for so long that the rules let a sweep be proposed."""
    opened_us, sheet, snapshot = state.view.opened_at_us, state.view.sheet, state.view.snapshot
    if opened_us is None or sheet is None or snapshot is None or snapshot.sweep is not None:
        return False
    return state.now_us >= opened_us + sheet.sweep_after_s * SECOND_US


def may_set_forfeit(state: ScreenState) -> bool:
    """Whether it is for the player's team to set a forfeit."""
    snapshot = state.view.snapshot
    forfeit = snapshot.forfeit if snapshot else None
    return forfeit is not None and forfeit.text is None and state.view.my_team in forfeit.winners


NOTICE_US = 3_000_000
"""Long enough to read a sentence in the middle of a hunt."""


def note(state: ScreenState, text: Phrase, tone: Tone, for_us: int = NOTICE_US) -> ScreenState:
    """The state with a notice to the player for a moment."""
    return replace(state, notice=Notice(text, tone, state.now_us + for_us))


def settle_cards(slots: tuple[Slot, ...], cards: tuple[Card, ...], now_us: int) -> tuple[Slot, ...]:
    """The places after the cards have become these: newcomers take the places that fell free.

    Where all are new, or none is left, nothing is remembered of what lay there.
    """
    if not cards:
        return (Slot(),) * len(slots)
    if not any(slot.card in cards for slot in slots):
        fresh = [Slot(card, None, now_us) for card in cards]
        return tuple((*fresh, *(Slot(),) * len(slots))[: len(slots)])
    new = [card for card in cards if card not in {slot.card for slot in slots}]
    settled = []
    for slot in slots:
        if slot.card is not None and slot.card in cards:
            settled.append(slot)
        elif new:
            settled.append(Slot(new.pop(0), slot.card, now_us))
        elif slot.card is not None:
            settled.append(Slot(None, slot.card, now_us))
        else:
            settled.append(slot)
    return tuple(settled)


def resolve_card(slot: Slot, at_us: int) -> Card | None:
    """The card that a key meant: what lay there when the eye saw it, not what the hub did since.

    A card that has come less than `SEEN_US` ago can't have been seen; the key was for the one
    before. The hub says then who was faster.
    """
    if slot.before is not None and at_us < slot.since_us + SEEN_US:
        return slot.before
    return slot.card
