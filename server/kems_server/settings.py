"""How the host set the hub up, once everything has been checked."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from kems_net.sheetfile import RuleSheet


class Lag(StrEnum):
    """How bad the worst way to a player is: the host says so, it is never measured."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


class HubSettings(Struct, frozen=True):
    """What a hub needs to know to run its tables."""

    name: str
    sheet: RuleSheet
    """Its seconds are at tempo already."""
    players: Annotated[int, Meta(ge=2, le=12)]
    team_size: Annotated[int, Meta(ge=1, le=6)]
    tempo: Annotated[float, Meta(gt=0)] = 1.0
    tables: tuple[str, ...] = ("main",)
    lag: Lag = Lag.FAIR
    code: str | None = None
    """The word to be told at the discovery endpoint; None: nobody is asked."""
    matches: int = 0
    """The hub ends after so many matches; 0 for never."""
    beat_ms: int | None = None
    """How often players beat while a hunt is on; None: as often as so many can (`beat_ms_of`)."""
    requests_per_s: int = 50
    """Of one player, on average; twice as many may come at once."""
    frames_per_s: int = 400
    """Of one connection, everything counted; who sends more is cut off."""
    watchers: int = 32
    """How many may watch one table."""


BEAT_MS = {24: 20, 100: 50}
"""By how many can sit at all tables together. A beat costs the hub up to 165 us of a core."""
CROWDED_BEAT_MS = 100


def beat_ms_of(settings: HubSettings) -> int:
    """How often players beat while a hunt is on."""
    if settings.beat_ms is not None:
        return settings.beat_ms
    seats = settings.players * len(settings.tables)
    return next((beat_ms for most, beat_ms in BEAT_MS.items() if seats <= most), CROWDED_BEAT_MS)
