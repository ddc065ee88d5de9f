from kems_client.state.notices import NOTICE_US, note
from kems_client.state.screen_state import ScreenState, Tone
from kems_net.phrases import phrase

NOW_US = 7_000_000


def test_what_a_player_is_told_goes_after_a_moment() -> None:
    notice = note(ScreenState(now_us=NOW_US), phrase("the hub is back"), Tone.GOOD).notice
    assert notice is not None
    assert (notice.text, notice.tone) == (phrase("the hub is back"), Tone.GOOD)
    assert notice.until_us == NOW_US + NOTICE_US


def test_the_newest_notice_takes_the_place_of_the_one_before() -> None:
    state = note(ScreenState(now_us=NOW_US), phrase("the hub is back"), Tone.GOOD)
    notice = note(state, phrase("talk is closed"), Tone.PLAIN, for_us=5).notice
    assert notice is not None
    assert (notice.text, notice.until_us) == (phrase("talk is closed"), NOW_US + 5)
