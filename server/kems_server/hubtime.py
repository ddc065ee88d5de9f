"""Hub time as every module counts it: whole microseconds that never go back. No clock here."""

NEVER_US = 2**62
"""Later than any time."""


def us(seconds: float) -> int:
    """Seconds of a sheet as microseconds of hub time."""
    return round(seconds * 1_000_000)
