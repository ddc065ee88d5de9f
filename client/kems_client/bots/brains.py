"""A bot's mind: from what its seat can see, the orders it gives now and when to think again.

Pure: the clock and the dice are arguments, and a bot knows nothing but its `TableView`. Every act
is first wished, then, after the time it takes this bot to come to it, done. Hand, voice, face and
eyes work side by side, one act at a time each.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.actions import Action, Moment, hand_action
from kems_client.bots.gestures import (
    LOOK_GAP_US,
    Face,
    gestured,
    new_sign,
    next_gesture,
    next_look,
    refreshed,
    sign_known,
    sign_to_share,
)
from kems_client.bots.intents import Intent, Part, Pending, part_of, pursued
from kems_client.bots.memory import Memory, remember, suspicion
from kems_client.bots.skill_profile import (
    Dice,
    Effort,
    Level,
    Pace,
    SkillProfile,
    chance,
    skill_profile_of,
    span_us,
)
from kems_client.state.table_view import TableView
from kems_net.cards import Seat, holds_four
from kems_net.gestures import Sign
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    ChangeTeam,
    Command,
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
    Refused,
    Say,
    SetForfeit,
    ShareSign,
    ShowProof,
    Swap,
    Take,
    VoteEnd,
)

_ANSWER_WITHIN_US = 3_000_000
"""An answer that has not come by then never will: the connection broke."""
_COOLDOWN_S = 0.7
"""A refused order is not tried again for so long, at a person's pace; a fast bot's is shorter."""
_SUSPECT = 0.3
"""From here on an opponent is worth a look."""
_BOLDNESS = 0.2
"""How far apart the least and the most nerve lie that it can have in a round."""
_PLACES = 12
"""Of which one is drawn for an idle swap; a multiple of most numbers of table cards."""


class Brain(Struct, frozen=True):
    """Everything a bot has in mind."""

    profile: SkillProfile
    memory: Memory = Memory()
    face: Face = Face()
    intents: tuple[Intent, ...] = ()
    pending: tuple[Pending, ...] = ()
    cooldown: tuple[tuple[Command, int], ...] = ()
    """Refused lately, and until when it is not tried again."""
    shared: Sign | None = None
    """The sign it last told its team."""
    fresh: Sign | None = None
    """The sign it means to propose in this huddle, or the one it last did."""
    phase: Phase | None = None
    phase_since_us: int = 0
    called_us: int = 0
    """When it last called: signs seen before that have been used up."""
    boldness: float = 0.0
    """How much bolder it is than usual, this round."""
    idle_swap: int | None = None
    """This reveal it swaps an idle card: for the table card of that place."""
    objected_for: int | None = None
    """The reveal on which it has objected to a sweep: once each."""
    word_for: int | None = None
    """The reveal that it has said the word for."""


class Thought(Struct, frozen=True):
    """What came of thinking."""

    brain: Brain
    commands: tuple[Command, ...]
    """To be sent now. Tell the brain their ids by `asked`."""
    wake_us: int | None
    """Think again then, at the latest; None: when something is heard."""


def new_brain(level: Level, pace: Pace) -> Brain:
    """The mind of a bot that has seen nothing yet."""
    return Brain(skill_profile_of(level, pace))


def asked(brain: Brain, command: Command, request: int, now_us: int) -> Brain:
    """The brain knowing that an order was sent under that id."""
    return replace(
        brain, pending=(*brain.pending, Pending(request, part_of(command), command, now_us))
    )


def think(brain: Brain, view: TableView, now_us: int, dice: Dice) -> Thought:
    """What the bot does now, and when it must think again. Hub time in microseconds."""
    if view.me is None or view.snapshot is None or not view.connected:
        return Thought(brain, (), None)
    brain = _settled(_noticed(brain, view, now_us, dice), view, now_us)
    commands: list[Command] = []
    wakes: list[int] = []
    for part in Part:
        brain, action, wake_us = _action(brain, part, view, now_us, dice)
        if wake_us is not None:
            wakes.append(wake_us)
        if any(request.part is part for request in brain.pending):
            action = None
        intents, command, due_us = pursued(brain.intents, part, action, brain.profile, now_us, dice)
        if intents is not brain.intents:
            brain = replace(brain, intents=intents)
        if command is not None:
            commands.append(command)
            brain = _did(brain, command, view, now_us, dice)
        if due_us is not None:
            wakes.append(due_us)
    wakes += [until for _, until in brain.cooldown]
    wakes += [request.sent_us + _ANSWER_WITHIN_US for request in brain.pending]
    wake = min((at for at in wakes if at > now_us), default=None)
    return Thought(brain, tuple(commands), wake)


# --- Noticing -------------------------------------------------------------------------------------


def _noticed(brain: Brain, view: TableView, now_us: int, dice: Dice) -> Brain:
    """The brain after taking in what is new."""
    if view.phase is not brain.phase:
        brain = replace(brain, phase=view.phase, phase_since_us=now_us)
        if view.phase is Phase.HUDDLE:
            brain = replace(brain, fresh=new_sign(view, dice) or brain.shared)
    before = brain.memory
    memory = remember(before, view, brain.profile, now_us, dice)
    if memory is before:
        return brain
    brain = replace(brain, memory=memory)
    if memory.reveals == before.reveals and memory.round == before.round:
        return brain
    idle_swap = int(dice.random() * _PLACES) if chance(dice, brain.profile.swaps_idly) else None
    brain = replace(brain, idle_swap=idle_swap)
    if memory.reveals == 1 and before.first_opened_us != memory.first_opened_us:
        face = refreshed(brain.face, brain.profile, now_us, dice)
        brain = replace(brain, face=face, boldness=(dice.random() - 0.5) * _BOLDNESS)
        brain = replace(brain, called_us=0, objected_for=None, word_for=None)
    return brain


def _settled(brain: Brain, view: TableView, now_us: int) -> Brain:
    """The brain after reading the answers; what was refused is left alone for a while."""
    cooldown = tuple(entry for entry in brain.cooldown if entry[1] > now_us)
    pending: list[Pending] = []
    for request in brain.pending:
        answer = view.answer_to(request.id)
        if isinstance(answer, Refused):
            cooldown = (*cooldown, (request.command, now_us + span_us(brain.profile, _COOLDOWN_S)))
            brain = _rebuffed(brain, request.command)
        elif answer is None and now_us - request.sent_us < _ANSWER_WITHIN_US:
            pending.append(request)
    if len(pending) == len(brain.pending) and cooldown == brain.cooldown:
        return brain
    return replace(brain, pending=tuple(pending), cooldown=cooldown)


def _rebuffed(brain: Brain, command: Command) -> Brain:
    """The brain after that order was refused: a sign begins anew, a word is still to be said."""
    if isinstance(command, MakeGesture):
        return replace(brain, face=replace(brain.face, step=0))
    return replace(brain, word_for=None) if isinstance(command, OpenHunt) else brain


# --- Wishing --------------------------------------------------------------------------------------


def _action(
    brain: Brain, part: Part, view: TableView, now_us: int, dice: Dice
) -> tuple[Brain, Action | None, int | None]:
    """What the bot would do with a part of it, and when to ask again if nothing happens."""
    match part:
        case Part.HAND:
            action = hand_action(view, brain.memory, brain.profile, _moment(brain, view, now_us))
            return brain, action, None
        case Part.VOICE:
            sign = None
            if view.may_talk:
                fresh = brain.fresh if view.phase is Phase.HUDDLE else brain.shared
                sign = sign_to_share(view, brain.shared, fresh)
            return brain, None if sign is None else Action(ShareSign(sign), Effort.THOUGHT), None
        case Part.FACE if not view.in_play:
            return brain, None, None
        case Part.FACE:
            sign = sign_known(view, brain.shared)
            face, gesture, at_us = next_gesture(brain.face, view, brain.profile, sign, now_us, dice)
            brain = brain if face is brain.face else replace(brain, face=face)
            if gesture is None:
                return brain, None, at_us
            return brain, Action(MakeGesture(gesture), Effort.REFLEX, at_us or 0), None
        case Part.EYES:
            suspect = _suspect(brain, view, now_us) if _glances(brain, now_us) else None
            face, seat, at_us = next_look(brain.face, view, brain.profile, suspect, now_us, dice)
            brain = brain if face is brain.face else replace(brain, face=face)
            if seat is None:
                return brain, None, at_us
            return brain, Action(Look(seat), Effort.REFLEX, at_us or 0), None


def _moment(brain: Brain, view: TableView, now_us: int) -> Moment:
    return Moment(
        now_us=now_us,
        phase_since_us=brain.phase_since_us,
        sign=sign_known(view, brain.shared),
        shared=brain.shared,
        fresh=brain.fresh,
        called_us=brain.called_us,
        boldness=brain.boldness,
        idle_swap=brain.idle_swap,
        gave_word=brain.word_for == brain.memory.reveals,
        objected=brain.objected_for == brain.memory.reveals,
        avoid=tuple(command for command, _ in brain.cooldown),
    )


def _glances(brain: Brain, now_us: int) -> bool:
    """Whether it is time to turn to an opponent."""
    return brain.face.glance_us is not None and now_us >= brain.face.glance_us


def _suspect(brain: Brain, view: TableView, now_us: int) -> Seat | None:
    """The opponent most worth a look."""
    likely = {
        seat: suspicion(brain.memory, view, seat, brain.profile, now_us) for seat in view.opponents
    }
    if not likely:
        return None
    seat = max(likely, key=lambda seat: likely[seat])
    return seat if likely[seat] >= _SUSPECT else None


# --- Doing ----------------------------------------------------------------------------------------


def _did(brain: Brain, command: Command, view: TableView, now_us: int, dice: Dice) -> Brain:
    """The brain after giving an order."""
    match command:
        case MakeGesture():
            sign, four = sign_known(view, brain.shared), holds_four(view.hand)
            face = gestured(
                brain.face, command.gesture, brain.profile, sign, now_us, dice, four=four
            )
            return replace(brain, face=face)
        case Look():
            return replace(brain, face=replace(brain.face, look_free_us=now_us + LOOK_GAP_US))
        case ShareSign():
            return replace(brain, shared=command.sign, fresh=command.sign)
        case CallKems() | CallDouble():
            return replace(brain, called_us=now_us)
        case OpenHunt():
            return replace(brain, word_for=brain.memory.reveals)
        case ObjectSweep():
            return replace(brain, objected_for=brain.memory.reveals)
        case Swap():
            return replace(brain, idle_swap=None)
        case (
            Lay()
            | Take()
            | CallContre()
            | ProposeSweep()
            | PassSweep()
            | ShowProof()
            | Say()
            | Ready()
            | NotReady()
            | VoteEnd()
            | SetForfeit()
            | ChangeTeam()
            | Leave()
        ):
            return brain
