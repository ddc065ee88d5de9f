"""The rule sheet: which rules a match is played by, as a value.

Declarations: what each key is called, which values it takes, what it is by default; and the
questions that words and checks both ask. The bounds in the types hold for a TOML file and on the
wire alike. Reading and checking a file is in `sheetfile`, plain English in `rulewords`.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct, field

from kems_net.cards import HAND_SIZE, PACK_SIZES, TABLE_SIZE


class Pack(StrEnum):
    """The smallest pack a sheet plays with; `auto` is 32. A bigger one is taken where it must."""

    AUTO = "auto"
    SHORT = "32"
    SINGLE = "52"
    DOUBLE = "104"


class LuckyHand(StrEnum):
    """What happens to three or four cards of one rank straight from the deal."""

    REDRAW_SHUFFLED = "redraw-shuffled"
    """They are shown, shuffled into the stock, and as many are drawn anew."""
    REDRAW_BOTTOM = "redraw-bottom"
    """They are shown, go to the bottom of the stock, and as many are drawn anew."""
    REDEAL = "redeal"
    """The whole deal is done again."""
    KEPT = "kept"


class Swept(StrEnum):
    """Where swept cards go."""

    DISCARD_WHEN_SHORT = "discard-when-short"
    """The discard; shuffled into a stock of fewer than four cards, as one new stock."""
    DISCARD_WHEN_OUT = "discard-when-out"
    """The discard; the stock's last cards are drawn first, then it is the new stock, shuffled."""
    STOCK_BOTTOM = "stock-bottom"
    OUT = "out"
    """Out of the round, which ends without score when the stock cannot give four."""


class Scoring(StrEnum):
    """What calls earn: points for oneself, or letters for the others."""

    POINTS = "points"
    LETTERS = "letters"


class DoubleCall(StrEnum):
    """How Double Kem's is called."""

    ALONE = "alone"
    """As one call, by a player who holds a four."""
    SUCCESSIVE = "successive"
    """By a teammate of the one who rightly said Kem's, within `double_window_s`."""


class After(StrEnum):
    """What a wrong call does to the round."""

    ENDS = "ends"
    GOES_ON = "goes-on"


class ContreNames(StrEnum):
    """Whom a Contre-Kem's accuses."""

    TEAM = "team"
    PLAYER = "player"


class Holder(StrEnum):
    """Who must hold a four for a contre to be right: anybody of the team, or the one named."""

    TEAM = "team"
    PLAYER = "player"


class Side(StrEnum):
    """Whom a right contre against two or more fours favours."""

    ACCUSER = "accuser"
    ACCUSED = "accused"


class Proof(StrEnum):
    """What is shown after a wrong contre."""

    TEAM_SHOWS_TEAM = "team-shows-team"
    """Each of the accused team shows two cards of different rank to the accusing team."""
    ACCUSED_SHOWS_ACCUSER = "accused-shows-accuser"
    """The accused shows two cards of different rank to the accuser alone."""
    HANDS_SHOWN = "hands-shown"
    """Whole hands, to all; the round is over."""


class LostBy(StrEnum):
    """Who may contre no more in this round after a wrong contre."""

    TEAM = "team"
    ACCUSER = "accuser"
    NOBODY = "nobody"


class Signals(StrEnum):
    """Who learns of a gesture: teammates, whoever looks, or everybody."""

    PRIVATE = "private"
    GLIMPSE = "glimpse"
    OPEN = "open"


class SwapsSeen(StrEnum):
    """Who learns whose hand a swap came from: whoever looks at the swapper, or everybody."""

    GAZE = "gaze"
    ALL = "all"


class OpenedBy(StrEnum):
    """What opens a round's first hunt: a countdown, or the dealer's word."""

    COUNTDOWN = "countdown"
    DEALER = "dealer"


class Away(StrEnum):
    """What a hunt does while a player is away."""

    PAUSE = "pause"
    PLAY_ON = "play-on"


class Exchange(StrEnum):
    """Whether a swap is one request, all or nothing, or two."""

    SWAP = "swap"
    LAY_THEN_TAKE = "lay-then-take"


MIN_TEMPO = 0.05
"""A countdown of a second takes 50 ms: in less a message is not with everybody."""
MAX_TEMPO = 20
"""A countdown of three seconds takes a minute: nobody plays more slowly."""
MAX_SECONDS = 86_400
"""No timer is longer than a day."""

Seconds = Annotated[float, Meta(ge=0, le=MAX_SECONDS)]
Countdown = Annotated[float, Meta(ge=0.05, le=MAX_SECONDS)]
"""In less the news that cards will turn can't be with everybody before they do."""
RoundSeconds = Annotated[float, Meta(ge=5, le=MAX_SECONDS)]
"""In less nobody finds four cards of a rank and has a sign seen, not even bots."""
VerdictSeconds = Annotated[float, Meta(ge=0.2, le=MAX_SECONDS)]
"""In less it is gone before it can be seen."""
Points = Annotated[int, Meta(ge=0, le=100)]
Reward = Annotated[int, Meta(ge=1, le=100)]
Players = Annotated[int, Meta(ge=4, le=12)]
TeamSize = Annotated[int, Meta(ge=2, le=4)]
_ONE_LINE = r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\Z"
Line = Annotated[str, Meta(min_length=1, max_length=120, pattern=_ONE_LINE)]
"""One line of text, without blanks at its ends."""


class RuleKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything a rule sheet says. Seconds are in keys that end in `_s`."""

    name: Annotated[str, Meta(min_length=1, max_length=40, pattern=_ONE_LINE)]
    title: Line
    """The sheet in one line."""

    players: Annotated[tuple[Players, ...], Meta(min_length=1)]
    """The numbers of players it can be played by."""
    team_sizes: dict[str, Annotated[tuple[TeamSize, ...], Meta(min_length=1)]] = field(
        default_factory=dict
    )
    """By number of players, as text: the team sizes allowed, the usual one first. Else 2."""
    pack: Pack = Pack.AUTO
    lucky_hand: LuckyHand
    swept: Swept
    calls_locked_by_sweep: bool = False
    """No calls from a sweep's proposal to the next opening, or until it is voided."""
    exchange: Exchange = Exchange.SWAP

    scoring: Scoring
    word: Annotated[str, Meta(min_length=1, max_length=12, pattern=r"^[^\W\d_]+\Z")] = "KEMPS"
    """With letters: what is spelled; a team that has all of it is out."""
    target: Annotated[int, Meta(ge=0, le=1000)]
    """Points that win the match; 0: it never ends by itself. Means nothing with letters."""

    kems: Reward = 1
    """Points of a right Kem's (or letters to every other team)."""
    double_call: DoubleCall
    double: Reward = 2
    """Points of a right Double Kem's, in all (or letters to every other team)."""
    double_window_s: Seconds = 3.0
    """How long a right Kem's waits for its Double, with `double_call = "successive"`."""
    wrong_call: Points = 1
    """Points of a wrong Kem's or Double to every other team (or letters to the caller's)."""
    after_wrong_call: After

    contre_names: ContreNames
    contre_right_if: Holder
    contre_one: Points = 1
    """Points of a right contre when one of the accused team holds a four (or letters to it)."""
    contre_many: Points | None = None
    """The same when two or more do; None: as `double`. See `contre_many_points`."""
    contre_many_to: Side
    """Who gets `contre_many`. With letters, "accuser" means the accused team gets the letters."""
    contre_wrong: Points = 0
    """Points of a wrong contre to the accused team (or letters to the accuser's)."""
    proof: Proof
    proof_s: Seconds = 10.0
    """How long the accused may choose what to show; then the hub picks two cards that prove it."""
    contre_lost_by: LostBy
    after_wrong_contre: After

    forfeit: bool = False
    """Whether the winners of a round set the losers a forfeit."""
    forfeits: Annotated[tuple[Line, ...], Meta(max_length=32)] = ()
    """The list they may pick from."""

    signals: Signals = Signals.GLIMPSE
    notice_s: Seconds = 20.0
    """With `glimpse`: how late teammates whose gaze is elsewhere notice a gesture."""
    swaps_seen: SwapsSeen = SwapsSeen.GAZE
    """Which cards went and came is public at once; this says who learns whose hand it was."""

    huddle_s: Seconds = 60.0
    open: OpenedBy
    dealer_wait_s: Seconds = 15.0
    """With `open = "dealer"`: after so long the hunt opens by itself."""
    countdown_s: Countdown = 3.0
    """Before a round's first reveal."""
    countdown_after_sweep_s: Countdown = 1.0
    study_s: tuple[Seconds, Seconds] = (0.0, 0.0)
    """Between the turning and the opening: the hub draws a time between these two."""
    sweep_after_s: Seconds = 5.0
    """A sweep can be proposed so long after the opening."""
    consent_s: Seconds = 5.0
    """A proposed sweep happens after so long without an objection."""
    max_round_s: RoundSeconds = 300.0
    """A round that nobody ends is ended without score."""
    verdict_s: VerdictSeconds = 8.0
    """How long a verdict is shown."""
    away_s: Seconds = 20.0
    """How long a player may be away before a bot sits in."""
    away: Away = Away.PAUSE

    @property
    def contre_many_points(self) -> int:
        """Points of a right contre against two or more fours (or letters)."""
        return self.double if self.contre_many is None else self.contre_many


def team_sizes_of(sheet: RuleKeys, players: int) -> tuple[int, ...]:
    """The team sizes a sheet allows with so many players, the usual one first."""
    return sheet.team_sizes.get(str(players), (2,))


def cards_needed(players: int) -> int:
    """The cards a pack must have for so many: hands, table, and four more in the stock."""
    return players * HAND_SIZE + TABLE_SIZE + TABLE_SIZE


def pack_size_of(sheet: RuleKeys, players: int) -> int | None:
    """The cards in the pack: the sheet's, or the next bigger that is enough; None if none is."""
    least = PACK_SIZES[0] if sheet.pack is Pack.AUTO else int(sheet.pack)
    enough = max(least, cards_needed(players))
    return next((size for size in PACK_SIZES if size >= enough), None)
