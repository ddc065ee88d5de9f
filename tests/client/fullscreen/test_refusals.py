import pytest
from msgspec.structs import replace

from kems_client.fullscreen.refusals import refusal
from kems_client.linemode.sentences import refusal as in_line_mode
from kems_client.text.languages import speaks
from kems_net.cards import Card
from kems_net.messages import Reason, Refused
from kems_net.phrases import in_english
from tests.client.drawn import hunt


@pytest.mark.parametrize("reason", Reason)
def test_the_screen_and_line_mode_say_the_same(reason: Reason) -> None:
    refused = Refused(1, reason, by=1, margin_us=12_000)
    assert in_english(refusal(hunt(4, 2).view, refused)) == in_line_mode(hunt(4, 2).view, refused)


def test_a_race_lost_names_the_card_the_winner_and_the_margin() -> None:
    lost = Refused(1, Reason.CARD_TAKEN, by=1, margin_us=900, card=Card("QH"), photo_finish=True)
    view = hunt(4, 2).view
    said = in_english(refusal(view, lost))
    assert said == "Q♥ is gone: Samir was 0.9 ms faster (a photo finish)"
    unknown = replace(lost, by=None, margin_us=None, card=None, photo_finish=False)
    assert in_english(refusal(view, unknown)) == "that card is gone"


def test_a_margin_is_said_with_the_unit_of_the_language() -> None:
    lost = Refused(1, Reason.CARD_TAKEN, by=1, margin_us=12_000, card=Card("QH"))
    said = speaks("ar")(refusal(hunt(4, 2).view, lost))
    assert "12 م.ث" in said
    assert "ms" not in said
