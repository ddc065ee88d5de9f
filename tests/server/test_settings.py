"""How the host set the hub up."""

from kems_server.settings import CREDIT_US, HubSettings, Lag

from kems_net.rulesheet import load_sheet


def test_a_worse_network_gives_each_press_more_credit() -> None:
    assert [CREDIT_US[lag] for lag in Lag] == [15_000, 25_000, 60_000]


def test_a_hub_is_fair_endless_and_open_unless_the_host_says_otherwise() -> None:
    settings = HubSettings("hub", load_sheet("party"), players=4, team_size=2)
    assert settings.lag is Lag.FAIR
    assert settings.matches == 0
    assert settings.code is None
