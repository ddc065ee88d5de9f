"""How the host set the hub up."""

import pytest
from msgspec.structs import replace

from kems_net.sheetfile import load_sheet
from kems_server.settings import HubSettings, Lag, beat_ms_of

SETTINGS = HubSettings("hub", load_sheet("party"), players=4, team_size=2)


def test_a_hub_is_fair_endless_and_open_unless_the_host_says_otherwise() -> None:
    assert SETTINGS.lag is Lag.FAIR
    assert SETTINGS.matches == 0
    assert SETTINGS.code is None


@pytest.mark.parametrize(
    ("players", "tables", "beat_ms"),
    [(4, 1, 20), (12, 1, 20), (12, 2, 20), (4, 7, 50), (4, 25, 50), (4, 100, 100)],
)
def test_at_a_hub_with_many_tables_players_beat_less_often(
    players: int, tables: int, beat_ms: int
) -> None:
    names = tuple(f"table-{number}" for number in range(tables))
    assert beat_ms_of(replace(SETTINGS, players=players, tables=names)) == beat_ms


def test_the_host_can_say_how_often_players_beat() -> None:
    assert beat_ms_of(replace(SETTINGS, beat_ms=33)) == 33
