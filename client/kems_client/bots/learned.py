"""What a bot learns from round to round: the signs of other teams, and whether its own is known.

Pure. After each four that was called, it asks what it had seen that player do shortly before. What
came before two of them is taken for the team's sign, until it fails.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.belief import noticed_gestures
from kems_client.bots.memory import Memory
from kems_client.bots.skill_profile import SkillProfile
from kems_client.state.table_view import TableView
from kems_net.cards import Seat, Team, holds_four
from kems_net.gestures import MAX_SIGN_LENGTH, Sign
from kems_net.messages import CallKind

_BEFORE_US = 25_000_000
_KEPT_FOURS = 3
"""Of a team, so many of its last fours are kept in mind: signs change."""
_ENOUGH = 2
"""What was done before so many of them is a sign."""


class Learned(Struct, frozen=True):
    """What a bot has learned of others' signs."""

    before_fours: tuple[tuple[Team, tuple[Sign, ...]], ...] = ()
    """By team, for each of its last fours everything it may have meant by it, newest last."""
    exposed: bool = False
    """An opponent may know the bot's own sign."""


NOTHING = Learned()


def signs_of(learned: Learned, team: Team) -> tuple[Sign, ...]:
    """What a team is thought to mean a four by."""
    fours = [signs for of, signs in learned.before_fours if of == team]
    seen = {sign for signs in fours for sign in signs}
    often = [sign for sign in seen if sum(sign in signs for signs in fours) >= _ENOUGH]
    return tuple(sorted(often, key=len))[-2:]


def learn(learned: Learned, memory: Memory, view: TableView, profile: SkillProfile) -> Learned:
    """What is learned at a verdict: from who held a four, and what was seen of them."""
    verdict = view.snapshot.verdict if view.snapshot else None
    if verdict is None or not verdict.right or verdict.call is None or not memory.hands:
        return learned
    mine = (view.my_seat, *view.mates)
    for shown in verdict.hands:
        if not holds_four(shown.cards):
            continue
        if shown.seat in mine:
            known = verdict.call is CallKind.CONTRE or _was_watched(memory, view, shown.seat)
            learned = replace(learned, exposed=learned.exposed or known)
            continue
        since = max(memory.hands[shown.seat].moved_us, verdict.at_us - _BEFORE_US)
        seen = noticed_gestures(memory, view, shown.seat, profile, since)
        done = tuple(one.gesture for one in seen)
        if done:
            team = view.seats[shown.seat].team
            entry = team, tuple(sorted(_parts(done)))
            same = [each for each in learned.before_fours if each[0] == team]
            rest = [each for each in learned.before_fours if each[0] != team]
            before = (*rest, *same[-(_KEPT_FOURS - 1) :], entry)
            learned = replace(learned, before_fours=before)
    return learned


def _parts(done: Sign) -> set[Sign]:
    """Every run of one to three gestures in what somebody did."""
    sizes = range(1, MAX_SIGN_LENGTH + 1)
    return {done[at : at + size] for size in sizes for at in range(len(done) - size + 1)}


def _was_watched(memory: Memory, view: TableView, seat: Seat) -> bool:
    """Whether an opponent looked at a player at the end."""
    return any(memory.gazes[opponent].at == seat for opponent in view.opponents)
