import pytest

from kems_client.text.farewells import FAREWELLS, GONE, parting
from kems_client.text.languages import speaks
from kems_net.messages import Farewell, FarewellReason
from kems_net.phrases import in_english
from kems_server.views.farewells import farewell

FRENCH = speaks("fr")


@pytest.mark.parametrize("reason", FarewellReason)
def test_what_a_hub_usually_says_is_said_in_the_players_language(reason: FarewellReason) -> None:
    usual = farewell(reason)
    (said,) = parting(usual, None)
    assert in_english(said) == usual.text
    assert FRENCH(said) == FRENCH(FAREWELLS[reason]) != usual.text


def test_what_a_hub_says_besides_is_not_lost() -> None:
    said = parting(Farewell(FarewellReason.CLOSING, "the host went to bed"), None)
    assert [FRENCH(each) for each in said] == [
        "le serveur ferme : merci d'avoir joué",
        "the host went to bed",
    ]


def test_why_a_hub_is_gone_is_said_in_the_players_language() -> None:
    assert [FRENCH(each) for each in parting(None, "the hub does not answer any more")] == [
        "le serveur ne répond plus"
    ]
    assert [in_english(each) for each in parting(None, "{what} now?")] == ["{what} now?"]
    assert all(FRENCH(each) != in_english(each) for each in GONE)
