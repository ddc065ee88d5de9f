"""The table of a match: what may happen (`decide`), what follows (`evolve`), what is due next.

Which request is lawful in which phase stands at the head. The rules themselves are in the topic
modules: course, hunt, sweep, calls, proof, signs, pause. No dice, clock, socket or file in them.
"""

from itertools import chain, takewhile

from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Lay,
    Leave,
    Look,
    MakeGesture,
    NotReady,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    ProposeSweep,
    Ready,
    Reason,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)
from kems_server.rules import calls, course, hunt, pause, proof, signs, sweep
from kems_server.rules.decision import (
    RACING,
    Ask,
    Decision,
    Dice,
    EndMatch,
    GoAway,
    PassTime,
    ResumeTable,
    SitDown,
    TableCommand,
    refuse,
)
from kems_server.rules.due import next_due
from kems_server.rules.events import (
    AnyEvent,
    BecameNotReady,
    Judged,
    MatchEnded,
    RoundEnded,
    SeatEmptied,
    SeatTaken,
)
from kems_server.rules.evolve import evolve, replay
from kems_server.rules.state import IN_MATCH, IN_ROUND, Table, in_play

__all__ = ["LAWFUL", "decide", "due_us", "evolve", "replay"]

_LOBBY, _HUDDLE, _REVEAL = Phase.LOBBY, Phase.HUDDLE, Phase.REVEAL
_HUNT, _VERDICT, _OVER = Phase.HUNT, Phase.VERDICT, Phase.OVER
_IN_ROUND, _IN_MATCH = frozenset(IN_ROUND), frozenset(IN_MATCH)
_ALWAYS = frozenset(Phase)

LAWFUL: dict[type, frozenset[Phase]] = {
    Swap: _IN_ROUND,
    Lay: _IN_ROUND,
    Take: _IN_ROUND,
    CallKems: _IN_ROUND,
    CallDouble: _IN_ROUND,
    CallContre: _IN_ROUND,
    ProposeSweep: frozenset({_HUNT}),
    PassSweep: frozenset({_HUNT}),
    ObjectSweep: frozenset({_HUNT}),
    ShowProof: _IN_ROUND,
    MakeGesture: _IN_MATCH,
    Look: _IN_MATCH,
    Say: _ALWAYS,
    ShareSign: _ALWAYS,
    Ready: frozenset({_LOBBY, _HUDDLE, _VERDICT, _OVER}),
    NotReady: frozenset({_LOBBY, _HUDDLE, _VERDICT, _OVER}),
    OpenHunt: frozenset({_REVEAL}),
    VoteEnd: _IN_MATCH,
    SetForfeit: frozenset({_HUDDLE, _VERDICT, _OVER}),
    ChangeTeam: frozenset(),
    Leave: frozenset(),
}
"""In which phases a request can be lawful. Talk is refused by its own rule, with its own reason;
ChangeTeam and Leave are the lobby's, not the table's."""

_OPEN = (Look, Say, ShareSign, ShowProof)
"""What a player may do in a match whose team is out of it: watch and talk, and show a proof
that is still owed. The rest is for those who play on: they wait for nobody who is out."""

_AFTER_ROUND = frozenset({_VERDICT, _HUDDLE, _OVER})
_ENDINGS = (RoundEnded, MatchEnded)


def decide(table: Table, command: TableCommand, dice: Dice) -> Decision:
    """What happens when this is asked of the table; in one settled order of stamps."""
    decision = _decide(table, command, dice)
    if not any(isinstance(h, _ENDINGS) for h in decision.events):
        return decision
    events = decision.events
    if table.window is not None and not any(isinstance(h, Judged) for h in events):
        events = _judge_before_the_end(table, events)
    # Nobody gets out of a proof by ending the round: what is owed is shown with its end.
    at_us = events[0].at_us
    shown = (proof.show_for_player(due, at_us, dice) for due in table.proofs)
    return Decision((*chain.from_iterable(shown), *events), decision.refusal)


def _judge_before_the_end(table: Table, events: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
    """The same end, whatever brought it, after the verdict on the right Kem's called before it."""
    before = tuple(takewhile(lambda h: not isinstance(h, _ENDINGS), events))
    end = events[len(before)]
    at_end = replay(table, before)
    judged = calls.close_window(at_end, end.at_us).events
    match_over = any(isinstance(h, MatchEnded) for h in judged)
    if match_over or not any(isinstance(h, MatchEnded) for h in events):
        return (*before, *judged)
    return (*before, *judged, *course.end_match(replay(at_end, judged), end.at_us))


def _decide(table: Table, command: TableCommand, dice: Dice) -> Decision:
    match command:
        case Ask():
            return _decide_command(table, command, dice)
        case PassTime():
            return _decide_time(table, command.at_us, dice)
        case SitDown():
            return _decide_back(table, command)
        case GoAway():
            return _decide_away(table, command, dice)
        case EndMatch():
            on = table.phase in IN_MATCH
            return Decision(course.end_match(table, command.at_us) if on else ())
        case ResumeTable():
            return Decision(pause.when_resumed(table, command.at_us))


def due_us(table: Table) -> int | None:
    """When the next timer of the table runs out; None if none runs."""
    due = next_due(table)
    return None if due is None else due.at_us


def _decide_command(table: Table, asked: Ask, dice: Dice) -> Decision:
    seat, at_us, command = asked.seat, asked.at_us, asked.command
    if table.phase not in LAWFUL[type(command)]:
        return _not_now(table, asked)
    if table.phase in IN_MATCH and seat not in in_play(table) and not isinstance(command, _OPEN):
        return refuse(Reason.OUT_OF_THE_MATCH)
    if table.pause is not None and not isinstance(command, pause.ALLOWED):
        return refuse(Reason.PAUSED)
    match command:
        case Swap():
            return hunt.swap(table, asked, command.lay, command.take)
        case Lay():
            return hunt.lay(table, seat, command.cards, at_us)
        case Take():
            return hunt.take(table, asked, command.cards)
        case CallKems():
            return calls.kems(table, seat, at_us)
        case CallDouble():
            return calls.double(table, seat, at_us)
        case CallContre():
            return calls.contre(table, seat, command.accused, at_us)
        case ProposeSweep():
            return sweep.propose(table, seat, at_us, dice)
        case PassSweep():
            return sweep.consent(table, seat, at_us, dice)
        case ObjectSweep():
            return sweep.object_to(table, seat, at_us)
        case ShowProof():
            return proof.show(table, seat, command.cards, at_us)
        case MakeGesture():
            return signs.gesture(table, seat, command.gesture, at_us)
        case Look():
            return signs.look(table, seat, command.seat, at_us)
        case Say():
            return signs.talk(table, seat, command.text, at_us)
        case ShareSign():
            return signs.propose_sign(table, seat, command.sign, at_us)
        case Ready():
            return course.ready(table, seat, at_us, dice)
        case NotReady():
            return course.not_ready(seat, at_us)
        case OpenHunt():
            return course.say_open(table, seat, at_us, dice)
        case VoteEnd():
            return course.vote_end(table, seat, at_us)
        case SetForfeit():
            return course.set_forfeit(table, seat, command.text, at_us)
        case ChangeTeam() | Leave():
            return refuse(Reason.NOT_NOW)


def _not_now(table: Table, asked: Ask) -> Decision:
    """Refused; who reached or called too late learns who ended the round, and by how much."""
    verdict = table.verdict
    if table.phase not in _AFTER_ROUND or not isinstance(asked.command, RACING):
        return refuse(Reason.NOT_NOW)
    if verdict is None:
        return refuse(Reason.NOT_NOW)
    margin = asked.at_us - verdict.at_us
    return refuse(Reason.ROUND_OVER, by=verdict.caller, margin_us=margin)


def _decide_time(table: Table, now_us: int, dice: Dice) -> Decision:
    due = next_due(table)
    if due is None or due.at_us > now_us:
        return Decision()
    return Decision(due.happens(table, max(due.at_us, table.at_us), dice))


def _decide_back(table: Table, sat: SitDown) -> Decision:
    """A player is there, or back; a pause that waited only for them is over."""
    if table.seats[sat.seat].present:
        hasty = sat.takes_over and table.seats[sat.seat].ready
        return Decision((BecameNotReady(at_us=sat.at_us, seat=sat.seat),) if hasty else ())
    taken = SeatTaken(at_us=sat.at_us, seat=sat.seat)
    return Decision((taken, *pause.when_back(evolve(table, taken), sat.at_us)))


def _decide_away(table: Table, went: GoAway, dice: Dice) -> Decision:
    """A player is gone: the hunt waits for them, or whatever waited only for them goes on."""
    if not table.seats[went.seat].present:
        return Decision()
    emptied = SeatEmptied(at_us=went.at_us, seat=went.seat)
    after = evolve(table, emptied)
    waits = pause.when_away(after, went.seat, went.at_us)
    if waits or after.pause is not None:
        return Decision((emptied, *waits, *course.when_all_voted(after, went.at_us)))
    return Decision(
        (
            emptied,
            *course.when_all_ready(after, went.at_us, dice),
            *sweep.when_all_passed(after, went.at_us, dice),
            *course.when_all_voted(after, went.at_us),
        )
    )
