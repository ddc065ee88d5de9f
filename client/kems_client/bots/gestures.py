"""What a bot does with its face and its eyes: signs, decoys, glances; and which sign it agrees to.

Pure. A sign is made when the bot holds a four, with decoys at other times; nothing in how a
gesture is made tells which it is.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.memory import Memory
from kems_client.bots.skill_profile import Dice, SkillProfile, chance, interval_us, pick, span_us
from kems_client.state.table_view import TableView
from kems_net.cards import Seat, holds_four
from kems_net.gestures import MAX_SIGN_LENGTH, Gesture, Sign, ends_with_sign
from kems_net.messages import Phase, Presence
from kems_net.rulesheet import Signals

GESTURES_IN_US = 1_080_000
"""At most two gestures a second are allowed; a little more keeps clear of that."""
LOOK_GAP_US = 560_000
"""The same for looks."""
_GESTURE_S = 0.35
"""So long a gesture takes before the next can be made."""
_STARE_S = 1.2
"""How long a look at an opponent rests on him."""
_LEAST_STARE_US = 650_000
"""A gaze sees only after 400 ms."""
_REPEAT_S = 4.0
"""After a whole sign so long passes before it is made again."""
_COY_S = 3.0
"""So long it waits with a sign for opponents to look away, at most."""
_SIGN_SPAN_US = 4_000_000
"""The gestures of one sign lie no farther apart than this, first to last, for each of them."""
_LENGTHS = (1, 1, 1, 2, 2, MAX_SIGN_LENGTH)
"""How long a proposed sign is: long ones are safer and take more time."""
_NEW_SIGN = 0.25
"""The chance that a team of bots takes another sign between rounds."""


class Face(Struct, frozen=True):
    """What a bot's face and eyes are about."""

    made: tuple[Gesture, ...] = ()
    """Its own last gestures."""
    last_us: int = 0
    """When it made the last one."""
    step: int = 0
    """How much of the sign it has made."""
    free_us: int = 0
    """No gesture before this."""
    decoy_us: int | None = None
    """When the next decoy comes; drawn at an opening."""
    coy_until_us: int | None = None
    """Waits so long at most for opponents to look away."""
    look_free_us: int = 0
    glance_us: int | None = None
    """When it next turns from its mates to an opponent."""
    back_us: int = 0
    """Until when it keeps looking at him."""
    target: Seat | None = None


def refreshed(face: Face, profile: SkillProfile, now_us: int, dice: Dice) -> Face:
    """The face at a round's first opening."""
    return replace(
        face,
        step=0,
        decoy_us=now_us + interval_us(profile, profile.bluffs, dice),
        coy_until_us=None,
        glance_us=now_us + interval_us(profile, profile.glances, dice),
        back_us=0,
    )


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


def new_sign(view: TableView, dice: Dice) -> Sign | None:
    """The sign a leading bot proposes in a new huddle; None to leave it at what was agreed."""
    if view.sign is not None and (people(view) or not chance(dice, _NEW_SIGN)):
        return None
    gestures = tuple(Gesture)
    while True:
        length = pick(dice, _LENGTHS)
        sign = tuple(pick(dice, gestures) for _ in range(length))
        if length == 1 or len(set(sign)) > 1:  # the same thing twice looks like one made again
            return sign


# --- Seeing a sign --------------------------------------------------------------------------------


def signed_at_us(view: TableView, memory: Memory, mate: Seat, sign: Sign) -> int | None:
    """When a mate last finished the sign in this round, not having touched a card since.

    Gestures are noticed late and out of order; what counts is when they were made.
    """
    since = max(memory.first_opened_us, memory.moved_us[mate])
    if not memory.first_opened_us:
        return None
    seen = sorted(view.gestures_of(mate, since), key=lambda one: one.at_us)
    for last in range(len(seen) - 1, len(sign) - 2, -1):
        run = seen[last - len(sign) + 1 : last + 1]
        together = run[-1].at_us - run[0].at_us <= _SIGN_SPAN_US * (len(sign) - 1)
        if together and tuple(one.gesture for one in run) == sign:
            return run[-1].at_us
    return None


# --- Gestures -------------------------------------------------------------------------------------


def next_gesture(
    face: Face, view: TableView, profile: SkillProfile, sign: Sign | None, now_us: int, dice: Dice
) -> tuple[Face, Gesture | None, int | None]:
    """The gesture to make, not before an instant: the face, the gesture or None, that instant."""
    if view.phase is not Phase.HUNT or view.opened_at_us is None or not view.in_play:
        return face, None, None
    if sign and holds_four(view.hand):
        return _next_of_sign(face, view, profile, sign, now_us, dice)
    if face.step:
        face = replace(face, step=0, coy_until_us=None)
    if face.decoy_us is None:
        return face, None, None
    choices = [g for g in Gesture if not sign or not ends_with_sign((*face.made, g), sign)]
    if now_us < face.decoy_us or not choices:
        return face, None, face.decoy_us if choices else None
    # The same decoy till it is made: picked from the instant, not drawn anew at each thought.
    return face, choices[face.decoy_us % len(choices)], max(face.decoy_us, face.free_us)


def _next_of_sign(
    face: Face, view: TableView, profile: SkillProfile, sign: Sign, now_us: int, dice: Dice
) -> tuple[Face, Gesture | None, int | None]:
    if face.step == 0 and face.coy_until_us is None:
        waits = view.sheet is not None and view.sheet.signals is Signals.GLIMPSE
        coy = span_us(profile, _COY_S) if waits and chance(dice, profile.guile) else 0
        face = replace(face, coy_until_us=now_us + coy)
    watched = any(view.seats[seat].gaze == view.my_seat for seat in view.opponents)
    if face.step == 0 and watched and now_us < (face.coy_until_us or 0):
        return face, None, face.coy_until_us
    return face, sign[face.step % len(sign)], face.free_us


def gestured(
    face: Face,
    gesture: Gesture,
    profile: SkillProfile,
    sign: Sign | None,
    now_us: int,
    dice: Dice,
    *,
    four: bool,
) -> Face:
    """The face after making a gesture; `four` while the bot holds one."""
    made = (*face.made, gesture)[-MAX_SIGN_LENGTH:]
    decoy = now_us + interval_us(profile, profile.bluffs, dice)
    free = max(now_us + span_us(profile, _GESTURE_S), face.last_us + GESTURES_IN_US)
    step, coy = 0, None
    if four and sign and gesture == sign[face.step % len(sign)]:
        step, coy = face.step + 1, face.coy_until_us
        if step == len(sign):
            step, coy = 0, None
            free = max(free, now_us + max(span_us(profile, _REPEAT_S), GESTURES_IN_US))
    return replace(
        face,
        made=made,
        last_us=now_us,
        step=step,
        coy_until_us=coy,
        free_us=free,
        decoy_us=decoy,
    )


# --- Looks ----------------------------------------------------------------------------------------


def next_look(
    face: Face,
    view: TableView,
    profile: SkillProfile,
    suspect: Seat | None,
    now_us: int,
    dice: Dice,
) -> tuple[Face, Seat | None, int | None]:
    """Whom to look at, if the eyes should move: the face, the seat or None, and when not before."""
    sheet = view.sheet
    if view.phase is not Phase.HUNT or view.me is None or not view.in_play or sheet is None:
        return face, None, None
    if sheet.signals is not Signals.GLIMPSE or face.glance_us is None or not view.mates:
        return face, None, None
    if now_us >= face.glance_us and now_us >= face.back_us:
        stare = max(span_us(profile, _STARE_S), _LEAST_STARE_US)
        on = suspect if suspect is not None else pick(dice, view.opponents)
        again = now_us + stare + interval_us(profile, profile.glances, dice)
        face = replace(face, target=on, back_us=now_us + stare, glance_us=again)
    elif face.target is None or (now_us >= face.back_us and face.target not in view.mates):
        # Of several mates another each time.
        face = replace(face, target=pick(dice, view.mates))
    assert face.glance_us is not None
    turn = face.glance_us if now_us >= face.back_us else face.back_us
    if face.target == view.me.gaze:
        return face, None, max(turn, now_us + 1)
    return face, face.target, face.look_free_us
