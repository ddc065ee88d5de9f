"""Four programs over real sockets: who was faster, who learns what, and what a team says."""

from pathlib import Path

import pytest

from kems_net.sheetfile import sheet_source
from kems_server.rules.state import GAZE_RESTS_US
from tests.journeys.foursome import foursome

pytestmark = pytest.mark.realtime

A1, B1, A2, B2 = range(4)


@pytest.mark.parametrize("seen", ["gaze", "all"])
def test_two_reach_for_one_card_and_the_later_keeps_their_hand(tmp_path: Path, seen: str) -> None:
    """Who reaches after it was told that the card is gone is told no more, where gazes count."""
    text, gaze = sheet_source("tournament"), 'swaps_seen = "gaze"'
    rules = text.replace(gaze, f'swaps_seen = "{seen}"')
    sheet = tmp_path / "mine.toml"
    sheet.write_text(rules, encoding="utf-8")
    with foursome(tmp_path, str(sheet)) as four:
        four.to_the_hunt()
        wanted = four.table["cards"][0]
        first, second = four.players[A1], four.players[B1]
        laid, kept = four.hand(A1)[0], four.hand(B1)[0]
        while first.ask("now")["hub_us"] < four.table["opened_at_us"] + GAZE_RESTS_US:
            pass  # so that every gaze has rested
        first.must("swap", lay=[laid], take=[wanted], stamp_us=first.ask("now")["hub_us"])
        second.catch_up("snapshot", lambda s: any(wanted in one["took"] for one in s["news"]))
        lost = second.ask("swap", lay=[kept], take=[wanted], stamp_us=0)
        assert (lost["type"], lost["reason"], lost["card"]) == ("refused", "card-taken", wanted)
        told = seen == "all"
        assert (lost["by"] == A1, lost["margin_us"] is not None) == (told, told)
        assert kept in four.hand(B1)
        first.catch_up("hand", lambda h: wanted in h["hand"] and laid not in h["hand"])
        mate = four.players[A2]  # whose gaze rests on her
        if seen == "gaze":
            assert mate.catch_up("swap_seen", lambda _: True)["seat"] == A1
        else:
            mate.ask("now")
            assert "swap_seen" not in mate.last


def test_a_wrong_contre_shows_two_cards_to_the_accuser_and_to_nobody_else(tmp_path: Path) -> None:
    with foursome(tmp_path, "tournament") as four:
        four.to_the_hunt()
        four.players[B1].must("call_contre", accused=A1)
        shown = four.players[B1].catch_up("proof_shown", lambda _: True)
        assert shown["seat"] == A1
        assert len({card[:-1] for card in shown["cards"]}) == 2
        own = four.players[A1].catch_up("proof_shown", lambda _: True)
        assert (own["cards"], own["shown_to"]) == (shown["cards"], [B1])
        for other in (A2, B2):
            four.players[other].ask("now")
            assert "proof_shown" not in four.players[other].last


def test_what_a_team_says_and_signs_reaches_the_team_alone(tmp_path: Path) -> None:
    with foursome(tmp_path, "tournament") as four:
        four.players[A1].until("team_ready")
        four.players[A1].must("say", text="nose, then ear?")
        four.players[A1].must("share_sign", sign=["nose", "ear"])
        mate = four.players[A2]
        said = mate.catch_up("team_message", lambda m: m["body"]["type"] == "said")
        assert said["body"] == {
            "type": "said",
            "seat": A1,
            "text": "nose, then ear?",
            "name": "ana",
        }
        mate.until("team_message", lambda m: m["body"]["type"] == "sign_shared")
        for opponent in (B1, B2):
            four.players[opponent].ask("now")
            assert "team_message" not in four.players[opponent].last
