"""A bot's mind: from what its seat can see, the commands it sends now and when to think again.

Pure: the clock and the dice are arguments, and a bot knows nothing but its `TableView`. Every act
is first wished, then, after the time it takes this bot to come to it, done. Hand, voice, face and
eyes work side by side, one act at a time each.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.actions import Action, Moment, hand_action
from kems_client.bots.belief import four_chance, hints_of
from kems_client.bots.card_valuation import CardValuation
from kems_client.bots.decisions import contre_needs
from kems_client.bots.gestures import (
    Face,
    gestured,
    interrupted,
    new_sign,
    next_gesture,
    refreshed,
    sign_known,
    sign_to_share,
    signed_at_us,
)
from kems_client.bots.intents import Intent, Part, Pending, part_of, pursue
from kems_client.bots.learned import NOTHING, Learned, learn, signs_of
from kems_client.bots.looks import LOOK_GAP_US, Eyes, next_look
from kems_client.bots.memory import Gaze, Hand, Memory, card_valuation_of, remember
from kems_client.bots.skill_profile import (
    Dice,
    Effort,
    Level,
    Pace,
    SkillProfile,
    chance,
    skill_profile_of,
    span_us,
    weights_for,
)
from kems_client.state.signs import Seen
from kems_client.state.table_view import TableView
from kems_net.cards import Rank, Seat
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
"""A refused command is not tried again for so long, at a person's pace; a fast bot's is shorter."""
_PLACES = 12
"""Of which one is drawn for an idle swap; a multiple of most numbers of table cards."""
_WEIGH_AGAIN_US = 500_000
"""What only time changes in a belief is weighed so often."""
_ALERT = 0.55
"""From so much of what a contre needs on, the bot has the word on its lips,"""
_ALERT_S = 1.2
"""after so long."""


class Belief(Struct, frozen=True):
    """How likely a four seems in each other hand, and what that was weighed from."""

    likely: Mapping[Seat, float] = {}
    kept: Mapping[Seat, int] = {}
    reasons: frozenset[Seat] = frozenset()
    """Of whom it has seen something: a gesture since their last swap, two cards they keep."""
    signed_us: int = 0
    """When a mate last made the sign, with no swap seen since; 0 for not at all."""
    valuation: CardValuation = CardValuation()
    at_us: int = 0
    hands: tuple[Hand, ...] = ()
    gestures: tuple[Seen, ...] = ()
    gazes: tuple[Gaze, ...] = ()
    shunned: tuple[tuple[Rank, int], ...] = ()
    alert_us: int = 0
    """Since when somebody has seemed nearly worth a contre; 0 for not now."""


class Brain(Struct, frozen=True):
    """Everything a bot has in mind."""

    profile: SkillProfile
    memory: Memory = Memory()
    belief: Belief = Belief()
    learned: Learned = NOTHING
    face: Face = Face()
    eyes: Eyes = Eyes()
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
    """When it last said Kem's or Double: signs seen before that have been used up."""
    contred_us: int = 0
    """When it last said Contre."""
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
    """To be sent now. Give the brain their ids by `asked`."""
    wake_us: int | None
    """Think again then, at the latest; None: when something is heard."""


def new_brain(level: Level, pace: Pace) -> Brain:
    """The mind of a bot that has seen nothing yet."""
    return brain_of(skill_profile_of(level, pace))


def brain_of(profile: SkillProfile) -> Brain:
    """The same, of any temperament."""
    return Brain(profile)


def asked(brain: Brain, command: Command, request: int, now_us: int) -> Brain:
    """The brain knowing that a command was sent under that id."""
    return replace(
        brain, pending=(*brain.pending, Pending(request, part_of(command), command, now_us))
    )


def think(brain: Brain, view: TableView, now_us: int, dice: Dice) -> Thought:
    """What the bot does now, and when it must think again. Hub time in microseconds."""
    if view.me is None or view.snapshot is None or not view.connected:
        return Thought(brain, (), None)
    brain = _settled(_noticed(brain, view, now_us, dice), view, now_us)
    brain = _weighed(brain, view, now_us)
    commands: list[Command] = []
    wakes: list[int] = []
    for part in Part:
        brain, action, wake_us = _action(brain, part, view, now_us, dice)
        if wake_us is not None:
            wakes.append(wake_us)
        if any(request.part is part for request in brain.pending):
            action = None
        intents, command, due_us = pursue(brain.intents, part, action, brain.profile, now_us, dice)
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
        if view.phase is Phase.VERDICT:
            brain = replace(brain, learned=learn(brain.learned, brain.memory, view, brain.profile))
        if view.phase is Phase.HUDDLE:
            brain = _with_fresh_sign(brain, view, dice)
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
        brain = replace(brain, face=face, eyes=Eyes(free_us=brain.eyes.free_us))
        brain = replace(brain, called_us=0, contred_us=0, objected_for=None, word_for=None)
    return brain


def _with_fresh_sign(brain: Brain, view: TableView, dice: Dice) -> Brain:
    """In a huddle: another sign to propose, if the old one may be known."""
    sign = new_sign(view, brain.profile, dice, exposed=brain.learned.exposed)
    if sign is None:
        return replace(brain, fresh=brain.shared)
    return replace(brain, fresh=sign, learned=replace(brain.learned, exposed=False))


def _settled(brain: Brain, view: TableView, now_us: int) -> Brain:
    """The brain after reading the answers; what was refused is left alone for a while."""
    if not brain.pending and not brain.cooldown:
        return brain
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
    """The brain after that command was refused: a sign begins anew, a word is still to be said."""
    if isinstance(command, MakeGesture):
        return replace(brain, face=interrupted(brain.face))
    return replace(brain, word_for=None) if isinstance(command, OpenHunt) else brain


# --- Weighing -------------------------------------------------------------------------------------


def _weighed(brain: Brain, view: TableView, now_us: int) -> Brain:
    """The brain with how likely a four seems in each hand, weighed anew where anything changed."""
    old, memory, sheet = brain.belief, brain.memory, view.sheet
    if sheet is None or not memory.first_opened_us or view.phase is not Phase.HUNT:
        if old.likely or not old.at_us:
            nothing = dict.fromkeys(range(len(view.seats)), 0.0)
            return replace(brain, belief=Belief(nothing, dict.fromkeys(nothing, 0), at_us=1))
        return brain
    same = (
        old.hands is memory.hands
        and old.gestures is view.gestures
        and old.shunned is memory.shunned
    )
    if same and old.gazes is memory.gazes and now_us < old.at_us + _WEIGH_AGAIN_US:
        return brain
    weights = weights_for(brain.profile, sheet.pack_size(len(view.seats)))
    likely: dict[Seat, float] = {}
    kept: dict[Seat, int] = {}
    reasons: set[Seat] = set()
    for seat, at in enumerate(view.seats):
        if seat == view.my_seat or at.out:
            likely[seat], kept[seat] = 0.0, 0
            continue
        signs = signs_of(brain.learned, at.team)
        hints = hints_of(memory, view, seat, brain.profile, signs, now_us)
        likely[seat] = four_chance(hints, weights, memory.off)
        kept[seat] = memory.best[seat].kept
        if hints is None or hints.gestured or hints.kept2:
            reasons.add(seat)
    highest = max((likely[seat] for seat in view.opponents), default=0.0)
    alert_us = 0
    if highest >= _ALERT * contre_needs(sheet, brain.profile):
        alert_us = old.alert_us or now_us
    signed = old.signed_us
    if not same:
        signed = _signed_us(brain, view)
    valuation = old.valuation
    if old.hands is not memory.hands or old.shunned is not memory.shunned:
        valuation = card_valuation_of(memory, view, brain.profile, sheet.pack_size(len(view.seats)))
    belief = Belief(
        likely=likely,
        kept=kept,
        reasons=frozenset(reasons),
        signed_us=signed,
        valuation=valuation,
        at_us=now_us,
        hands=memory.hands,
        gestures=view.gestures,
        gazes=memory.gazes,
        shunned=memory.shunned,
        alert_us=alert_us,
    )
    return replace(brain, belief=belief)


def _signed_us(brain: Brain, view: TableView) -> int:
    """When a mate last made the sign, with no swap seen since; 0 if none has."""
    sign = sign_known(view, brain.shared)
    if sign is None:
        return 0
    return max(
        (signed_at_us(view, brain.memory, brain.profile, mate, sign) or 0 for mate in view.mates),
        default=0,
    )


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
            eyes, seat, at_us = next_look(
                brain.eyes, view, brain.profile, brain.belief.likely, now_us, dice
            )
            brain = brain if eyes is brain.eyes else replace(brain, eyes=eyes)
            if seat is None:
                return brain, None, at_us
            return brain, Action(Look(seat), Effort.REFLEX, at_us or 0), None


def _moment(brain: Brain, view: TableView, now_us: int) -> Moment:
    belief = brain.belief
    return Moment(
        now_us=now_us,
        phase_since_us=brain.phase_since_us,
        sign=sign_known(view, brain.shared),
        shared=brain.shared,
        fresh=brain.fresh,
        called_us=brain.called_us,
        contred_us=brain.contred_us,
        likely=belief.likely,
        kept=belief.kept,
        reasons=belief.reasons,
        signed_us=belief.signed_us,
        valuation=belief.valuation,
        alert=bool(belief.alert_us)
        and now_us - belief.alert_us >= span_us(brain.profile, _ALERT_S),
        idle_swap=brain.idle_swap,
        gave_word=brain.word_for == brain.memory.reveals,
        objected=brain.objected_for == brain.memory.reveals,
        avoid=tuple(command for command, _ in brain.cooldown),
    )


# --- Doing ----------------------------------------------------------------------------------------


def _did(brain: Brain, command: Command, view: TableView, now_us: int, dice: Dice) -> Brain:
    """The brain after sending a command."""
    match command:
        case MakeGesture():
            face = gestured(brain.face, command.gesture, view, brain.profile, now_us, dice)
            return replace(brain, face=face)
        case Look():
            return replace(brain, eyes=replace(brain.eyes, free_us=now_us + LOOK_GAP_US))
        case ShareSign():
            return replace(brain, shared=command.sign, fresh=command.sign)
        case CallKems() | CallDouble():
            return replace(brain, called_us=now_us)
        case CallContre():
            return replace(brain, contred_us=now_us)
        case OpenHunt():
            return replace(brain, word_for=brain.memory.reveals)
        case ObjectSweep():
            return replace(brain, objected_for=brain.memory.reveals)
        case Swap():
            return replace(brain, idle_swap=None)
        case (
            Lay()
            | Take()
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
