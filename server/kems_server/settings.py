"""How the host set the hub up, once everything has been checked."""

from enum import StrEnum

from msgspec import Struct

from kems_net.rulesheet import RuleSheet


class Lag(StrEnum):
    """How bad the worst way to a player is: the host says so, it is never measured."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


CREDIT_US = {Lag.GOOD: 15_000, Lag.FAIR: 25_000, Lag.POOR: 60_000}
"""C of DESIGN.md, Who was first?: how far before its arrival a press can count."""


class HubSettings(Struct, frozen=True):
    """What a hub needs to know to run its tables."""

    name: str
    sheet: RuleSheet
    """Its seconds are at tempo already."""
    players: int
    team_size: int
    tempo: float = 1.0
    tables: tuple[str, ...] = ("main",)
    lag: Lag = Lag.FAIR
    code: str | None = None
    """The word to be told at the door; None: nobody is asked."""
    matches: int = 0
    """The hub ends after so many matches; 0 for never."""
    beat_ms: int = 250
    """How often clients send a `Beat`."""
    requests_per_s: int = 50
    """Of one player, on average; twice as many may come at once."""
    frames_per_s: int = 400
    """Of one connection, everything counted; who sends more is cut off."""
    watchers: int = 32
    """How many may watch one table."""
