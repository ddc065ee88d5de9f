"""What a bot does with its face: signs and decoys, and which sign it agrees to. Pure.

A sign is made when the bot holds a four, a decoy when it does not. Both come after a swap of its
own, so long after it, as often again, and wait alike till the right eyes look: nothing in how or
when a gesture is made tells which it is.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.belief import noticed_gestures
from kems_client.bots.memory import Memory
from kems_client.bots.skill_profile import (
    Dice,
    SkillProfile,
    chance,
    draw_delay_us,
    interval_us,
    pick,
    span_us,
)
from kems_client.state.table_view import TableView
from kems_net.cards import Card, Seat, holds_four
from kems_net.gestures import MAX_SIGN_LENGTH, Gesture, Sign, ends_with_sign
from kems_net.messages import Phase, Presence
from kems_net.rulesheet import Signals

GESTURES_IN_US = 1_080_000
"""At most two gestures a second are allowed; a little more keeps clear of that."""
GESTURE_US = 450_000
"""So long a gesture takes before the next can be made: a person must be able to read it."""
_SIGN_SPAN_US = 4_000_000
"""The gestures of one sign lie no farther apart than this, first to last, for each of them."""
_LENGTHS = (1, 1, 2, 2, 2, MAX_SIGN_LENGTH)
"""How long a proposed sign is: long ones are safer and take more time."""
_TIMES = 6
"""A sign or a decoy is made so often at most without anything else event."""


class Act(Struct, frozen=True):
    """A sign or a decoy that is to be made."""

    gestures: Sign
    from_us: int
    """Not before this."""
    by_us: int
    """Waits till then at most for the right eyes."""
    step: int = 0
    """How much of it has been made."""
    times: int = 0
    """How often it has been made."""


class Face(Struct, frozen=True):
    """What a bot's face is about."""

    made: tuple[Gesture, ...] = ()
    """Its own last gestures."""
    last_us: int = 0
    before_us: int = 0
    """When it made the last one, and the one before."""
    hand: tuple[Card, ...] = ()
    """As it was when it last drew what to do."""
    act: Act | None = None
    idle_us: int | None = None
    """When the next decoy comes that no swap has brought."""
    seen_us: int = 0
    """An opponent may have seen a sign of the bot then; 0 for never since the last new one."""


def refreshed(face: Face, profile: SkillProfile, now_us: int, dice: Dice) -> Face:
    """The face at a round's first opening."""
    idle = now_us + interval_us(profile, profile.idle_decoys, dice) if profile.idle_decoys else None
    return replace(face, act=None, hand=(), idle_us=idle)


def sign_known(view: TableView, shared: Sign | None) -> Sign | None:
    """The sign the bot goes by: what its team agreed, else what it last said itself."""
    return view.sign or shared


# --- Agreeing -------------------------------------------------------------------------------------


def people(view: TableView) -> tuple[Seat, ...]:
    """The teammates who are no bots."""
    here = (Presence.HERE, Presence.AWAY)
    return tuple(s for s in view.mates if view.seats[s].presence in here)


def leads(view: TableView) -> bool:
    """Whether this is the bot that speaks for the bots of its team: the lowest seat of them."""
    bots = [s for s in view.mates if view.seats[s].presence is Presence.BOT]
    return view.my_seat is not None and all(view.my_seat < s for s in bots)


def sign_to_share(view: TableView, shared: Sign | None, fresh: Sign | None) -> Sign | None:
    """What to say to the team now: a person's sign, else the leading bot's; `fresh` if one leads.

    None when there is nothing to add.
    """
    persons = people(view)
    words = [sign for seat, sign in view.proposals if seat in persons]
    if words:
        return words[-1] if words[-1] != shared else None
    if leads(view):
        return fresh if fresh != shared else None
    led = [s for s in view.mates if view.seats[s].presence is Presence.BOT]
    said = [sign for seat, sign in view.proposals if led and seat == min(led)]
    return said[-1] if said and said[-1] != shared else None


def new_sign(view: TableView, profile: SkillProfile, dice: Dice, *, exposed: bool) -> Sign | None:
    """The sign a leading bot proposes in a new huddle; None to leave it at what was agreed.

    `exposed`: an opponent may have seen the old one before a Kem's, or at a contre.
    """
    stays = people(view) or not exposed or not chance(dice, profile.new_sign)
    if view.sign is not None and stays:
        return None
    gestures = tuple(Gesture)
    while True:
        length = pick(dice, _LENGTHS)
        sign = tuple(pick(dice, gestures) for _ in range(length))
        if length == 1 or len(set(sign)) > 1:  # the same thing twice looks like one made again
            return sign


# --- Seeing a sign --------------------------------------------------------------------------------


def signed_at_us(
    view: TableView, memory: Memory, profile: SkillProfile, mate: Seat, sign: Sign
) -> int | None:
    """When a mate last finished the sign in this round, and was not seen to swap since.

    Gestures are noticed late and out of order; what counts is when they were made.
    """
    since = max(memory.first_opened_us, memory.hands[mate].moved_us)
    if not memory.first_opened_us:
        return None
    seen = noticed_gestures(memory, view, mate, profile, since)
    for last in range(len(seen) - 1, len(sign) - 2, -1):
        run = seen[last - len(sign) + 1 : last + 1]
        together = run[-1].at_us - run[0].at_us <= _SIGN_SPAN_US * (len(sign) - 1)
        if together and tuple(one.gesture for one in run) == sign:
            return run[-1].at_us
    return None


# --- Gestures -------------------------------------------------------------------------------------


def next_gesture(
    face: Face,
    view: TableView,
    profile: SkillProfile,
    sign: Sign | None,
    now_us: int,
    dice: Dice,
) -> tuple[Face, Gesture | None, int | None]:
    """The gesture to make, not before an instant: the face, the gesture or None, that instant."""
    if view.phase is not Phase.HUNT or view.opened_at_us is None or not view.in_play:
        return face, None, None
    if view.hand != face.hand:
        face = _after_a_swap(face, view, profile, sign, now_us, dice)
    if face.idle_us is not None and now_us >= face.idle_us:
        idle = now_us + interval_us(profile, profile.idle_decoys, dice)
        face = replace(face, idle_us=idle)
        if face.act is None:
            face = replace(face, act=_decoy(face, profile, sign, now_us, dice))
    act = face.act
    if act is None:
        return face, None, face.idle_us
    if now_us < act.from_us:
        return face, None, act.from_us
    if act.step == 0 and now_us < act.by_us and not _eyes_are_right(view):
        return face, None, act.by_us
    free_us = max(face.last_us + GESTURE_US, face.before_us + GESTURES_IN_US)
    return face, act.gestures[act.step], max(act.from_us, free_us)


def _eyes_are_right(view: TableView) -> bool:
    """Whether no opponent looks at the bot, where that matters."""
    if view.sheet is None or view.sheet.signals is not Signals.GLIMPSE:
        return True
    return all(view.seats[seat].gaze != view.my_seat for seat in view.opponents)


def mate_looks(view: TableView) -> bool:
    """Whether a mate looks at the bot."""
    return any(view.seats[seat].gaze == view.my_seat for seat in view.mates)


def _after_a_swap(
    face: Face, view: TableView, profile: SkillProfile, sign: Sign | None, now_us: int, dice: Dice
) -> Face:
    """The hand has changed: what the bot is going to do about it."""
    face = replace(face, hand=view.hand, act=None)
    if not sign:
        return face
    from_us = now_us + draw_delay_us(profile, profile.lag_s, dice)
    by_us = from_us + span_us(profile, profile.hold_s)
    if holds_four(view.hand):
        if not chance(dice, profile.signs):
            return face
        late_us = span_us(profile, profile.late_s)
        return replace(face, act=Act(sign, from_us + late_us, by_us + late_us))
    if not chance(dice, profile.decoys):
        return face
    return replace(face, act=_decoy(face, profile, sign, from_us, dice))


def _decoy(face: Face, profile: SkillProfile, sign: Sign | None, from_us: int, dice: Dice) -> Act:
    """Something like the sign that is not the sign, whatever was made before it."""
    length, gestures = len(sign) if sign else 1, tuple(Gesture)
    while True:
        decoy = tuple(pick(dice, gestures) for _ in range(length))
        done = (*face.made, *decoy, *decoy)  # it may be made twice
        new = range(len(face.made) + 1, len(done) + 1)
        if not sign or not any(ends_with_sign(done[:at], sign) for at in new):
            return Act(decoy, from_us, from_us + span_us(profile, profile.hold_s))


def gestured(
    face: Face, gesture: Gesture, view: TableView, profile: SkillProfile, now_us: int, dice: Dice
) -> Face:
    """The face after making a gesture."""
    made = (*face.made, gesture)[-MAX_SIGN_LENGTH:]
    face = replace(face, made=made, last_us=now_us, before_us=face.last_us)
    four = holds_four(view.hand)
    if four and not _eyes_are_right(view):
        face = replace(face, seen_us=now_us)
    act = face.act
    if act is None:
        return face
    act = replace(act, step=act.step + 1)
    if act.step < len(act.gestures):
        return replace(face, act=act)
    act = replace(act, step=0, times=act.times + 1)
    again = (four and chance(dice, profile.signs)) or chance(dice, profile.decoys_again)
    if not again or (act.times >= _TIMES and not four):
        return replace(face, act=None)
    from_us = now_us + draw_delay_us(profile, profile.repeat_s, dice)
    return replace(
        face, act=replace(act, from_us=from_us, by_us=from_us + span_us(profile, profile.hold_s))
    )


def interrupted(face: Face) -> Face:
    """The face after a gesture was refused: what it was making begins anew."""
    return face if face.act is None else replace(face, act=replace(face.act, step=0))
