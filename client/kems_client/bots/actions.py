"""What a bot would do next with its cards and its voice, if nothing hindered it. Pure.

One action at a time, the most pressing first. When it is done, and whether it is still wanted then,
is the business of `brains`.
"""

from collections.abc import Iterator, Mapping
from math import prod

from msgspec import Struct

from kems_client.bots.card_valuation import CardValuation, best_swap, idle_card, proof_cards
from kems_client.bots.decisions import contre_needs, kems_needs, prefers_double
from kems_client.bots.gestures import leads, people, sign_to_share
from kems_client.bots.memory import Memory
from kems_client.bots.skill_profile import Effort, SkillProfile, span_us
from kems_client.state.table_view import TableView
from kems_net.cards import HAND_SIZE, Seat, holds_four
from kems_net.gestures import Sign
from kems_net.messages import (
    CallContre,
    CallDouble,
    CallKems,
    Command,
    Lay,
    ObjectSweep,
    OpenHunt,
    PassSweep,
    Phase,
    Presence,
    ProposeSweep,
    Ready,
    SetForfeit,
    ShowProof,
    Snapshot,
    Swap,
    Take,
    VoteEnd,
)
from kems_net.rulesheet import ContreNames, Exchange, Holder
from kems_net.sheetfile import RuleSheet

_WAIT_FOR_PEOPLE_S = 8.0
"""So long a bot waits for a person to agree on a sign, before it is ready without one."""
_WAIT_FOR_BOTS_S = 3.0
_SWEEP_AGAIN_S = 8.0
"""So long a bot leaves it after a sweep was stopped: somebody had a use for these cards."""


class Action(Struct, frozen=True):
    """A command the bot would like to send."""

    command: Command
    effort: Effort
    not_before_us: int = 0


class Moment(Struct, frozen=True):
    """What is on a bot's mind besides what it sees and remembers."""

    now_us: int
    phase_since_us: int
    sign: Sign | None
    shared: Sign | None
    fresh: Sign | None
    called_us: int
    contred_us: int
    likely: Mapping[Seat, float]
    """By seat, how likely a four seems in that hand."""
    kept: Mapping[Seat, int]
    """By seat, how many of one rank it was seen to take and keep."""
    reasons: frozenset[Seat]
    """Of whom it has seen something that is a reason for a contre."""
    signed_us: int
    """When a mate last made the sign."""
    valuation: CardValuation
    alert: bool
    """It has been ready for a while to say Contre."""
    idle_swap: int | None
    gave_word: bool
    """It has said the hunt is open already."""
    objected: bool
    """To a sweep on this reveal."""
    avoid: tuple[Command, ...]
    """Refused lately."""


def hand_action(
    view: TableView, memory: Memory, profile: SkillProfile, moment: Moment
) -> Action | None:
    """What the bot would do next; None to bide its time."""
    snapshot, sheet = view.snapshot, view.sheet
    if snapshot is None or sheet is None or snapshot.pause_ends_us is not None:
        return None
    actions = _in_order(view, snapshot, sheet, memory, profile, moment)
    return next((action for action in actions if action.command not in moment.avoid), None)


def _in_order(
    view: TableView,
    snapshot: Snapshot,
    sheet: RuleSheet,
    memory: Memory,
    profile: SkillProfile,
    moment: Moment,
) -> Iterator[Action]:
    if view.in_play and view.phase not in (Phase.LOBBY, Phase.OVER) and _people_want_the_end(view):
        yield Action(VoteEnd(), Effort.LEISURE)
    match view.phase:
        case Phase.LOBBY | Phase.OVER:
            yield from _ready(view, Effort.LEISURE)
        case Phase.HUDDLE:
            agreed = _agreed(view, moment)
            wait_s = _WAIT_FOR_PEOPLE_S if people(view) else _WAIT_FOR_BOTS_S
            not_before = 0 if agreed else moment.phase_since_us + span_us(profile, wait_s)
            if view.in_play:
                yield from _ready(view, Effort.THOUGHT, not_before)
        case Phase.REVEAL:
            yield from _opening_word(view, snapshot, moment)
            yield from _calls(view, snapshot, sheet, memory, profile, moment)
        case Phase.HUNT:
            if view.owes_proof:
                yield Action(ShowProof(proof_cards(view.hand)), Effort.THOUGHT)
            yield from _calls(view, snapshot, sheet, memory, profile, moment)
            if view.may_swap:
                yield from _cards(view, snapshot, sheet, memory, profile, moment)
        case Phase.VERDICT:
            yield from _forfeit(view, snapshot, sheet, moment)
            if view.in_play:
                yield from _ready(view, Effort.LEISURE)


# --- Between hunts --------------------------------------------------------------------------------


def _ready(view: TableView, effort: Effort, not_before_us: int = 0) -> Iterator[Action]:
    if view.me is not None and not view.me.ready:
        yield Action(Ready(), effort, not_before_us)


def _agreed(view: TableView, moment: Moment) -> bool:
    """Whether the bot has nothing left to settle with its team."""
    persons = people(view)
    if persons and all(view.seats[seat].ready for seat in persons):
        return True
    if sign_to_share(view, moment.shared, moment.fresh) is not None:
        return False
    return view.sign is not None and (bool(persons) or view.sign == moment.shared)


def _people_want_the_end(view: TableView) -> bool:
    here = [seat for seat in view.seats if seat.presence is Presence.HERE]
    persons = [seat for seat in here if not seat.out]
    asked = view.me is not None and not view.me.voted_end
    return asked and bool(persons) and all(seat.voted_end for seat in persons)


def _forfeit(
    view: TableView, snapshot: Snapshot, sheet: RuleSheet, moment: Moment
) -> Iterator[Action]:
    """One bot of the winners sets the forfeit, unless there is a person to think of one."""
    forfeit = snapshot.forfeit
    if forfeit is None or forfeit.text is not None or not sheet.forfeits:
        return
    busy = any(not view.seats[seat].ready for seat in people(view))
    if view.my_team in forfeit.winners and leads(view) and not busy:
        text = sheet.forfeits[moment.phase_since_us % len(sheet.forfeits)]
        yield Action(SetForfeit(text), Effort.THOUGHT)


def _opening_word(view: TableView, snapshot: Snapshot, moment: Moment) -> Iterator[Action]:
    """The dealer gives the word, once the cards can be seen."""
    if snapshot.opens_by_word and view.is_dealer and view.cards and not moment.gave_word:
        yield Action(OpenHunt(), Effort.LEISURE)


# --- Calls ----------------------------------------------------------------------------------------


def _calls(
    view: TableView,
    snapshot: Snapshot,
    sheet: RuleSheet,
    memory: Memory,
    profile: SkillProfile,
    moment: Moment,
) -> Iterator[Action]:
    if snapshot.calls_locked or not memory.reveals or not view.in_play:
        return
    if snapshot.double_window is not None:
        if snapshot.double_window.caller in view.mates:
            yield Action(CallDouble(), Effort.REFLEX)
        return
    double = prefers_double(sheet) and holds_four(view.hand)
    call: Command = CallDouble() if double else CallKems()
    if moment.signed_us > moment.called_us:
        yield Action(call, Effort.REFLEX)
    elif _moved_since(moment.called_us, view.mates, memory):
        needed = kems_needs(sheet, profile)
        if any(_seems(seat, needed, profile.kems_kept, moment) for seat in view.mates):
            yield Action(call, Effort.THOUGHT)
    yield from _contre(view, sheet, memory, profile, moment)


def _seems(seat: Seat, needed: float, kept: int | None, moment: Moment) -> bool:
    """Whether a four seems likely enough to call without a sign."""
    if kept is not None:
        return moment.kept[seat] >= kept
    return moment.likely[seat] >= needed


def _moved_since(called_us: int, seats: tuple[Seat, ...], memory: Memory) -> bool:
    """Whether one of these was seen to swap since a call showed that they had no four."""
    return not called_us or any(memory.hands[seat].moved_us > called_us for seat in seats)


def _contre(
    view: TableView, sheet: RuleSheet, memory: Memory, profile: SkillProfile, moment: Moment
) -> Iterator[Action]:
    seats = tuple(seat for seat in view.opponents if not view.seats[seat].out)
    if view.me is None or view.me.contre_lost or not seats:
        return
    suspect = max(seats, key=lambda seat: moment.likely[seat])
    by_team = sheet.contre_names is ContreNames.TEAM
    team = view.seats[suspect].team
    if profile.contre_kept is not None:
        if moment.kept[suspect] < profile.contre_kept:
            return
    elif team_chance(view, sheet, suspect, moment.likely) < contre_needs(sheet, profile):
        return
    accused = tuple(seat for seat in seats if view.seats[seat].team == team)
    if not profile.blind and moment.reasons.isdisjoint(accused):
        return
    if _moved_since(moment.contred_us, accused, memory):
        effort = Effort.REFLEX if moment.alert else Effort.THOUGHT
        yield Action(CallContre(team if by_team else suspect), effort)


def team_chance(
    view: TableView, sheet: RuleSheet, suspect: Seat, likely: Mapping[Seat, float]
) -> float:
    """How likely a contre that names a suspect, or their team, is right."""
    if sheet.contre_right_if is Holder.PLAYER:
        return likely[suspect]
    team = view.seats[suspect].team
    return 1 - prod(1 - likely[s] for s in view.opponents if view.seats[s].team == team)


# --- Cards and sweeps -----------------------------------------------------------------------------


def _cards(
    view: TableView,
    snapshot: Snapshot,
    sheet: RuleSheet,
    memory: Memory,
    profile: SkillProfile,
    moment: Moment,
) -> Iterator[Action]:
    opened = view.opened_at_us or 0
    short = HAND_SIZE - len(view.hand)
    wanted = best_swap(view.hand, view.cards, moment.valuation)
    apart = sheet.exchange is Exchange.LAY_THEN_TAKE
    if wanted is not None and (apart or not short):
        if short:
            yield Action(Take(wanted.take[:short]), Effort.THOUGHT, opened)
        elif apart:
            yield Action(Lay(wanted.lay), Effort.THOUGHT, opened)
        else:
            yield Action(Swap(wanted.lay, wanted.take), Effort.THOUGHT, opened)
    four = holds_four(view.hand)
    if view.must_answer_sweep:
        # A sweep can lock the calls: who holds a four wants their partner to be heard.
        locks = sheet.calls_locked_by_sweep and not (snapshot.sweep and snapshot.sweep.final)
        if four and locks and not moment.objected:
            yield Action(ObjectSweep(), Effort.REFLEX)
        yield Action(PassSweep(), Effort.THOUGHT)
    if snapshot.sweep is not None:
        return
    idle = idle_card(view.hand)
    if moment.idle_swap is not None and idle is not None and view.cards and not apart:
        card = view.cards[moment.idle_swap % len(view.cards)]
        yield Action(Swap((idle,), (card,)), Effort.LEISURE, opened)
    if not four and all(seat.out or seat.cards == HAND_SIZE for seat in view.seats):
        not_before = opened + round(sheet.sweep_after_s * 1_000_000)
        if memory.sweep_us:
            not_before = max(not_before, memory.sweep_us + span_us(profile, _SWEEP_AGAIN_S))
        yield Action(ProposeSweep(), Effort.LEISURE, not_before)
