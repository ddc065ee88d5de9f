"""Kem's, Double, Contre: the verdicts, from the rule sheet."""

from msgspec import Struct
from msgspec.structs import replace

from kems_net.cards import TEAM_LETTERS, Seat, Team, holds_four
from kems_net.messages import CallKind, Forfeit, Phase, Reason, ShownHand, Verdict
from kems_net.rulesheet import After, ContreNames, DoubleCall, Holder, LostBy, Scoring, Side
from kems_server.hubtime import us
from kems_server.rules.course import end_round, match_winners, reveal_hands
from kems_server.rules.decision import Decision, refuse
from kems_server.rules.events import AnyEvent, Judged, MatchEnded, WindowOpened
from kems_server.rules.evolve import evolve
from kems_server.rules.hunt import false_start
from kems_server.rules.proof import ask_proofs
from kems_server.rules.state import (
    Table,
    calls_locked,
    holders,
    is_out,
    mates_of,
    team_at,
    team_seats,
    teams_in_play,
)


class Judgement(Struct, frozen=True):
    """A call judged, before it is known whether it also ends the match."""

    call: CallKind
    caller: Seat
    right: bool
    points: tuple[int, ...]
    ends_round: bool
    winners: tuple[Team, ...]
    losers: tuple[Team, ...]
    hands: tuple[ShownHand, ...]
    """Shown to all if the round ends by it."""
    accused: Seat | Team | None = None
    contre_lost: tuple[Seat, ...] = ()


def kems(table: Table, seat: Seat, at_us: int) -> Decision:
    """Somebody says Kem's: right if a teammate of theirs holds a four."""
    hindered = _may_not_call(table, seat, at_us)
    if hindered is not None:
        return hindered
    found = holders(table, mates_of(table, seat))
    if not found:
        return _judge(table, _wrong_call(table, seat, CallKind.KEMS), at_us)
    if table.sheet.double_call is DoubleCall.SUCCESSIVE:
        ends = at_us + us(table.sheet.double_window_s)
        return Decision((WindowOpened(at_us=at_us, seat=seat, ends_us=ends),))
    right = _right_call(table, seat, CallKind.KEMS, table.sheet.kems, reveal_hands(table, found))
    return _judge(table, right, at_us)


def double(table: Table, seat: Seat, at_us: int) -> Decision:
    """Somebody says Double: alone, or after their teammate's Kem's, as the sheet has it."""
    match table.sheet.double_call:
        case DoubleCall.ALONE:
            return _double_alone(table, seat, at_us)
        case DoubleCall.SUCCESSIVE:
            return _double_after_kems(table, seat, at_us)


def _double_alone(table: Table, seat: Seat, at_us: int) -> Decision:
    hindered = _may_not_call(table, seat, at_us)
    if hindered is not None:
        return hindered
    own, mates = holders(table, (seat,)), holders(table, mates_of(table, seat))
    if not own or not mates:
        return _judge(table, _wrong_call(table, seat, CallKind.DOUBLE), at_us)
    hands = reveal_hands(table, own + mates)
    right = _right_call(table, seat, CallKind.DOUBLE, table.sheet.double, hands)
    return _judge(table, right, at_us)


def _double_after_kems(table: Table, seat: Seat, at_us: int) -> Decision:
    window = table.window
    if window is None:
        return _may_not_call(table, seat, at_us) or refuse(Reason.NO_KEMS_BEFORE)
    if seat not in mates_of(table, window.caller):
        return refuse(Reason.DOUBLE_WINDOW, by=window.caller)
    both = holds_four(window.hands[window.caller]) and holds_four(window.hands[seat])
    return close_window(table, at_us, doubled_by=seat if both else None)


def close_window(table: Table, at_us: int, *, doubled_by: Seat | None = None) -> Decision:
    """The right Kem's that waited is judged, single or doubled, on the hands at its stamp."""
    window = table.window
    assert window is not None
    if doubled_by is not None:
        seats: tuple[Seat, ...] = (window.caller, doubled_by)
        kind, points = CallKind.DOUBLE, table.sheet.double
    else:
        mates = mates_of(table, window.caller)
        seats = tuple(s for s in mates if holds_four(window.hands[s]))
        kind, points = CallKind.KEMS, table.sheet.kems
    hands = tuple(ShownHand(s, window.hands[s]) for s in seats)
    return _judge(table, _right_call(table, window.caller, kind, points, hands), at_us)


def contre(table: Table, seat: Seat, accused: Seat | Team, at_us: int) -> Decision:
    """Somebody says Contre-Kem's against a team or a player."""
    hindered = _may_not_call(table, seat, at_us) or _may_not_accuse(table, seat, accused)
    if hindered is not None:
        return hindered
    team = accused if isinstance(accused, str) else team_at(table, accused)
    found = holders(table, team_seats(table, team))
    is_right = accused in found if table.sheet.contre_right_if is Holder.PLAYER else bool(found)
    if not is_right:
        return _wrong_contre(table, seat, accused, team, at_us)
    return _judge(table, _right_contre(table, seat, accused, team, len(found)), at_us)


def _may_not_call(table: Table, seat: Seat, at_us: int) -> Decision | None:
    reveal = table.reveal
    if table.phase is Phase.REVEAL and reveal is not None and (reveal.first or reveal.opens_again):
        # Otherwise a player who presses again and again in a pause would call first after it.
        return false_start(seat, at_us)
    if calls_locked(table):
        return refuse(Reason.CALLS_LOCKED)
    if table.window is not None:
        return refuse(Reason.DOUBLE_WINDOW, by=table.window.caller)
    return None


def _may_not_accuse(table: Table, seat: Seat, accused: Seat | Team) -> Decision | None:
    names_team = table.sheet.contre_names is ContreNames.TEAM
    if isinstance(accused, str):
        if not names_team:
            return refuse(Reason.NAME_A_PLAYER)
        if TEAM_LETTERS.index(accused) >= table.teams:
            return refuse(Reason.NO_SUCH_TEAM)
        team = accused
    else:
        if names_team:
            return refuse(Reason.NAME_A_TEAM)
        if accused >= table.players:
            return refuse(Reason.NO_SUCH_SEAT)
        team = team_at(table, accused)
    if team == team_at(table, seat):
        return refuse(Reason.OWN_TEAM)
    if is_out(table, team):
        return refuse(Reason.NO_SUCH_TEAM)
    return refuse(Reason.CONTRE_LOST) if table.seats[seat].contre_lost else None


def _award(table: Table, teams: tuple[Team, ...], points: int) -> tuple[int, ...]:
    """Points to these teams, as a tuple by team. Nobody gets more letters than the word has."""
    awarded = []
    for index, score in enumerate(table.scores):
        given = points if TEAM_LETTERS[index] in teams else 0
        if table.sheet.scoring is Scoring.LETTERS:
            given = min(given, table.sheet.letters_out - score)
        awarded.append(given)
    return tuple(awarded)


def _other_teams(table: Table, team: Team) -> tuple[Team, ...]:
    return tuple(other for other in teams_in_play(table) if other != team)


def _right_call(
    table: Table, caller: Seat, kind: CallKind, points: int, hands: tuple[ShownHand, ...]
) -> Judgement:
    own = team_at(table, caller)
    others = _other_teams(table, own)
    letters = table.sheet.scoring is Scoring.LETTERS
    return Judgement(
        call=kind,
        caller=caller,
        right=True,
        points=_award(table, others if letters else (own,), points),
        ends_round=True,
        winners=(own,),
        losers=others,
        hands=hands,
    )


def _wrong_call(table: Table, caller: Seat, kind: CallKind) -> Judgement:
    own = team_at(table, caller)
    others = _other_teams(table, own)
    letters = table.sheet.scoring is Scoring.LETTERS
    return Judgement(
        call=kind,
        caller=caller,
        right=False,
        points=_award(table, (own,) if letters else others, table.sheet.wrong_call),
        ends_round=table.sheet.after_wrong_call is After.ENDS,
        winners=others,
        losers=(own,),
        hands=reveal_hands(table, team_seats(table, own)),
    )


def _right_contre(
    table: Table, caller: Seat, accused: Seat | Team, team: Team, fours: int
) -> Judgement:
    sheet, own = table.sheet, team_at(table, caller)
    points = sheet.contre_one if fours == 1 else sheet.contre_many_points
    backfires = fours > 1 and sheet.contre_many_to is Side.ACCUSED
    letters = sheet.scoring is Scoring.LETTERS
    gets = team if letters != backfires else own
    return Judgement(
        call=CallKind.CONTRE,
        caller=caller,
        right=True,
        points=_award(table, (gets,), points),
        ends_round=True,
        winners=(team,) if backfires else (own,),
        losers=(own,) if backfires else (team,),
        hands=reveal_hands(table, holders(table, team_seats(table, team))),
        accused=accused,
    )


def _wrong_contre(
    table: Table, caller: Seat, accused: Seat | Team, team: Team, at_us: int
) -> Decision:
    sheet, own = table.sheet, team_at(table, caller)
    match sheet.contre_lost_by:
        case LostBy.TEAM:
            lost = team_seats(table, own)
        case LostBy.ACCUSER:
            lost = (caller,)
        case LostBy.NOBODY:
            lost = ()
    gets = own if sheet.scoring is Scoring.LETTERS else team
    judgement = Judgement(
        call=CallKind.CONTRE,
        caller=caller,
        right=False,
        points=_award(table, (gets,), sheet.contre_wrong),
        ends_round=sheet.after_wrong_contre is After.ENDS,
        winners=(team,),
        losers=(own,),
        hands=reveal_hands(table, team_seats(table, team)),
        accused=accused,
        contre_lost=lost,
    )
    decision = _judge(table, judgement, at_us)
    if len(decision.events) > 1:
        return decision
    proofs = ask_proofs(table, caller, accused, at_us)
    return Decision(decision.events + proofs)


def _judge(table: Table, judgement: Judgement, at_us: int) -> Decision:
    """The verdict as events: points, then the end of the round and of the match if so."""
    verdict = Verdict(
        call=judgement.call,
        caller=judgement.caller,
        accused=judgement.accused,
        right=judgement.right,
        points=judgement.points,
        ends_round=False,
        at_us=at_us,
    )
    judged = Judged(at_us=at_us, verdict=verdict, contre_lost=judgement.contre_lost)
    scored = evolve(table, judged)
    winners = match_winners(scored)
    # Who is out could do nothing for the rest of the round, and the others not get their cards.
    puts_out = teams_in_play(scored) != teams_in_play(table)
    if not (judgement.ends_round or winners or puts_out):
        return Decision((judged,))
    final = replace(verdict, ends_round=True, hands=judgement.hands)
    forfeit = Forfeit(judgement.winners, judgement.losers, None) if table.sheet.forfeit else None
    events: tuple[AnyEvent, ...] = (
        replace(judged, verdict=final),
        end_round(table, final, forfeit, at_us),
    )
    if winners:
        events = (*events, MatchEnded(at_us=at_us, winners=winners))
    return Decision(events)
