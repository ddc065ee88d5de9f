"""Whom a bot looks at: looking is what the game is played with. Pure.

Who watches an opponent sees what they take and do, and misses the mate's sign; who watches the
mate sees the sign and nothing else.
"""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from kems_client.bots.skill_profile import Dice, SkillProfile, chance, draw_delay_us, weighted
from kems_client.state.table_view import TableView
from kems_net.cards import Seat
from kems_net.messages import Phase
from kems_net.rulesheet import Signals, SwapsSeen

LOOK_GAP_US = 560_000
"""At most two looks a second are allowed; a little more keeps clear of that."""
_LEAST_STARE_US = 700_000
"""A gaze sees only after 400 ms."""


_EACH = 0.15
"""What draws a look to somebody of whom nothing is thought, beside how likely a four seems."""


class Eyes(Struct, frozen=True):
    """What a bot's eyes are about."""

    target: Seat | None = None
    until_us: int = 0
    """When it chooses anew."""
    free_us: int = 0
    """No look before this."""


def next_look(
    eyes: Eyes,
    view: TableView,
    profile: SkillProfile,
    likely: Mapping[Seat, float],
    now_us: int,
    dice: Dice,
) -> tuple[Eyes, Seat | None, int | None]:
    """Whom to look at, if the eyes should move: the eyes, the seat or None, and when not before.

    `likely` says how likely a four seems in each other hand.
    """
    sheet = view.sheet
    if view.phase is not Phase.HUNT or view.me is None or not view.in_play or sheet is None:
        return eyes, None, None
    if sheet.signals is not Signals.GLIMPSE and sheet.swaps_seen is SwapsSeen.ALL:
        return eyes, None, None
    if now_us >= eyes.until_us:
        until = now_us + max(draw_delay_us(profile, profile.stare_s, dice), _LEAST_STARE_US)
        eyes = replace(eyes, target=_choice(view, profile, likely, dice), until_us=until)
    if eyes.target is None or eyes.target == view.me.gaze:
        return eyes, None, max(eyes.until_us, now_us + 1)
    return eyes, eyes.target, eyes.free_us


def _choice(
    view: TableView, profile: SkillProfile, likely: Mapping[Seat, float], dice: Dice
) -> Seat | None:
    playing = tuple(seat for seat in view.opponents if not view.seats[seat].out)
    mates = view.mates
    if not mates or not playing:
        return None
    pull = max(likely.get(mate, 0.0) for mate in mates) * profile.mate_pull
    seats = playing if chance(dice, profile.away * (1 - pull)) else mates
    weights = [_EACH + likely.get(seat, 0.0) * profile.suspects for seat in seats]
    return weighted(dice, seats, weights)
