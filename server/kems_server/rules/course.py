"""The course of a match: ready, huddle, deal, reveal, opening, the ends of round and match."""

from functools import reduce

from kems_net.cards import Seat, Team, clockwise, team_of
from kems_net.messages import Forfeit, Phase, Reason, ShownHand, Verdict
from kems_net.rulesheet import OpenedBy, Scoring
from kems_server.hubtime import us
from kems_server.rules import pause
from kems_server.rules.deal import Drawn, deal_round, draw_after_sweep
from kems_server.rules.decision import Decision, Dice, refuse
from kems_server.rules.events import (
    AnyEvent,
    BecameNotReady,
    BecameReady,
    Dealt,
    FacesTurned,
    ForfeitSet,
    HuddleBegan,
    HuntOpened,
    MatchEnded,
    MatchStarted,
    OpeningSet,
    RevealBegan,
    RoundEnded,
    VotedEnd,
)
from kems_server.rules.evolve import evolve
from kems_server.rules.state import IN_MATCH, Table, awaited, in_play, team_at, teams_in_play

SOONEST_OPENING_US = 200_000
"""After the word: so that the hub can tell each player ahead, and all hear it at one instant."""


def ready(table: Table, seat: Seat, at_us: int, dice: Dice) -> Decision:
    """A player is ready; what all were waiting for begins with the last of them."""
    became = BecameReady(at_us=at_us, seat=seat)
    return Decision((became, *when_all_ready(evolve(table, became), at_us, dice)))


def not_ready(seat: Seat, at_us: int) -> Decision:
    """A player takes it back."""
    return Decision((BecameNotReady(at_us=at_us, seat=seat),))


def when_all_ready(table: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """What begins if everybody it waits for is ready; nothing otherwise."""
    waiting_for = awaited(table)
    if not waiting_for or not all(table.seats[s].ready for s in waiting_for):
        return ()
    match table.phase:
        case Phase.LOBBY | Phase.OVER:
            full = all(seat.present and seat.ready for seat in table.seats)
            return start_match(table, at_us, dice) if full else ()
        case Phase.HUDDLE:
            return deal(table, at_us, dice)
        case Phase.VERDICT:
            return (begin_huddle(table, at_us),)
        case Phase.REVEAL | Phase.HUNT:
            return ()


def start_match(table: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """A match from nothing, with a dealer by lot, and its first huddle."""
    dealer = dice.shuffled(range(table.players))[0]
    return (MatchStarted(at_us=at_us, dealer=dealer), begin_huddle(table, at_us))


def begin_huddle(table: Table, at_us: int) -> HuddleBegan:
    """The next huddle."""
    return HuddleBegan(at_us=at_us, ends_us=at_us + us(table.sheet.huddle_s))


def deal(table: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """The next round's deal and its first reveal; it waits for who vanished in the huddle.

    The dealer moves on by one seat each round.
    """
    dealer = table.dealer
    if table.round > 0:
        playing = in_play(table)
        dealer = next(s for s in clockwise(table.dealer, table.players) if s in playing)
    dealt = deal_round(table, dealer, dice)
    event = Dealt(
        at_us=at_us,
        round=table.round + 1,
        dealer=dealer,
        hands=dealt.hands,
        stock=dealt.stock,
        lucky=dealt.lucky,
        redeals=dealt.redeals,
    )
    drawn = Drawn(dealt.stock[:4], dealt.stock[4:], (), ())
    reveal = _begin_reveal(table, dealer, drawn, at_us, dice, first=True)
    begun: tuple[AnyEvent, ...] = (event, reveal)
    return (*begun, *pause.for_the_absent(reduce(evolve, begun, table), at_us))


def _begin_reveal(
    table: Table, by: Seat, drawn: Drawn, at_us: int, dice: Dice, *, first: bool
) -> RevealBegan:
    sheet = table.sheet
    reveal_at = at_us + us(sheet.countdown_s if first else sheet.countdown_after_sweep_s)
    waits_for_word = first and sheet.open is OpenedBy.DEALER
    return RevealBegan(
        at_us=at_us,
        by=by,
        first=first,
        cards=drawn.cards,
        stock=drawn.stock,
        discard=drawn.discard,
        gone=drawn.gone,
        reveal_at_us=reveal_at,
        open_at_us=None if waits_for_word else reveal_at + _study_us(table, dice),
    )


def _study_us(table: Table, dice: Dice) -> int:
    low, high = table.sheet.study_s
    return us(dice.between(low, high))


def sweep_away(table: Table, by: Seat, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """The table cards are swept and new ones lie face down; or the stock is empty: round over."""
    drawn = draw_after_sweep(table, dice)
    if drawn is None:
        return end_without_score(table, at_us)
    return (_begin_reveal(table, by, drawn, at_us, dice, first=False),)


def turn_faces(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The faces turn; with no time to study them the hunt opens at the same instant."""
    assert table.reveal is not None
    turned = FacesTurned(at_us=at_us)
    open_at = table.reveal.open_at_us
    if open_at is not None and open_at <= at_us:
        return (turned, *open_hunt(table, at_us))
    return (turned,)


def open_hunt(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The hunt is open. The longest time of a round counts from its first opening."""
    ends = table.round_ends_us
    if ends is None:
        ends = at_us + us(table.sheet.max_round_s)
    return (HuntOpened(at_us=at_us, round_ends_us=ends),)


def say_open(table: Table, seat: Seat, at_us: int, dice: Dice) -> Decision:
    """The dealer gives the word; nobody, the dealer included, can foresee when it takes effect.

    Only in a round's first reveal: after a sweep the hunt opens by itself, whatever the sheet.
    """
    reveal = table.reveal
    if table.sheet.open is not OpenedBy.DEALER:
        return refuse(Reason.NOT_IN_THIS_SHEET)
    if reveal is None or not reveal.faces_up or reveal.open_at_us is not None:
        return refuse(Reason.NOT_NOW)
    if seat != reveal.by:
        return refuse(Reason.NOT_DEALER, by=reveal.by)
    return Decision(set_opening(table, at_us, dice))


def set_opening(table: Table, at_us: int, dice: Dice) -> tuple[AnyEvent, ...]:
    """The opening is drawn."""
    open_at = at_us + max(_study_us(table, dice), SOONEST_OPENING_US)
    return (OpeningSet(at_us=at_us, open_at_us=open_at),)


def end_without_score(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """A round nobody won."""
    nothing = Verdict(
        call=None,
        caller=None,
        accused=None,
        right=False,
        points=(0,) * table.teams,
        ends_round=True,
        at_us=at_us,
    )
    return (end_round(table, nothing, None, at_us),)


def end_round(table: Table, verdict: Verdict, forfeit: Forfeit | None, at_us: int) -> RoundEnded:
    """The round is over, its verdict shown for a while."""
    ends = at_us + us(table.sheet.verdict_s)
    return RoundEnded(at_us=at_us, verdict=verdict, forfeit=forfeit, ends_us=ends)


def match_winners(table: Table) -> tuple[Team, ...]:
    """Who has won the match, as the scores stand; nobody yet if empty."""
    if table.sheet.scoring is Scoring.LETTERS:
        left = teams_in_play(table)
        return left if len(left) == 1 else ()
    reached = table.sheet.target > 0 and max(table.scores) >= table.sheet.target
    return leaders(table) if reached else ()


def leaders(table: Table) -> tuple[Team, ...]:
    """The team that leads; empty if none leads alone."""
    letters = table.sheet.scoring is Scoring.LETTERS
    best = min(table.scores) if letters else max(table.scores)
    teams = tuple(team_of(i, table.teams) for i, s in enumerate(table.scores) if s == best)
    return teams if len(teams) == 1 else ()


def vote_end(table: Table, seat: Seat, at_us: int) -> Decision:
    """A player votes to end the match; with the last present one it ends."""
    voted = VotedEnd(at_us=at_us, seat=seat)
    return Decision((voted, *when_all_voted(evolve(table, voted), at_us)))


def when_all_voted(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The end of the match if everybody has voted for it who is present and plays."""
    voters = awaited(table)
    if table.phase not in IN_MATCH or not voters:
        return ()
    return end_match(table, at_us) if all(table.seats[s].voted_end for s in voters) else ()


def end_match(table: Table, at_us: int) -> tuple[AnyEvent, ...]:
    """The match ends now; who leads alone has won."""
    return (MatchEnded(at_us=at_us, winners=leaders(table)),)


def set_forfeit(table: Table, seat: Seat, text: str, at_us: int) -> Decision:
    """A winner of the round says what the losers must do."""
    forfeit = table.forfeit
    tidy = " ".join(text.split())
    if forfeit is None or forfeit.text is not None or not tidy:
        return refuse(Reason.NO_FORFEIT_DUE)
    if team_at(table, seat) not in forfeit.winners:
        return refuse(Reason.NO_FORFEIT_DUE)
    return Decision((ForfeitSet(at_us=at_us, seat=seat, text=tidy),))


def reveal_hands(table: Table, seats: tuple[Seat, ...]) -> tuple[ShownHand, ...]:
    """The hands of these seats, to be shown to all."""
    return tuple(ShownHand(s, table.seats[s].hand) for s in seats)
