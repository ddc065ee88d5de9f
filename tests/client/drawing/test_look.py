from kems_client.drawing.glyphs import ASCII, UNICODE
from kems_client.drawing.look import choose_look
from kems_client.drawing.theme import Depth, mono
from kems_client.options import Settings
from kems_client.state.screen_state import Preferences
from kems_net.phrases import phrase


def test_the_look_follows_the_terminal() -> None:
    good = choose_look(Settings(), {"TERM": "xterm-256color"}, "utf-8", color=True)
    assert (good.glyphs, good.depth) == (UNICODE, Depth.INDEXED)
    bare = choose_look(Settings(), {"TERM": "xterm"}, "ascii", color=False)
    assert (bare.glyphs, bare.theme) == (ASCII, mono())


def test_the_mouse_is_off_if_nobody_wants_it() -> None:
    assert not choose_look(Settings(), {}, "utf-8", color=True).mouse
    assert choose_look(Settings(mouse=True), {}, "utf-8", color=True).mouse


def test_a_players_settings_shape_their_look() -> None:
    wanted = Settings(ascii=True, lang="fr", theme="light", armed=True, mute=True, no_hints=True)
    look = choose_look(wanted, {"TERM": "xterm-256color"}, "utf-8", color=True)
    assert look.glyphs is ASCII
    assert look.say(phrase("help")) == "aide"
    assert look.preferences == Preferences(armed=True, hints=False, bell=False)


def test_who_plays_alone_has_easy_bots_unless_they_want_others() -> None:
    def bots(wanted: Settings) -> str | None:
        return choose_look(wanted, {}, "utf-8", color=True).preferences.bots

    assert bots(Settings(solo=True)) == "easy"
    assert bots(Settings(solo=True, bot_level="hard")) == "hard"
    assert bots(Settings(bot_level="hard")) is None
    assert choose_look(Settings(), {}, "utf-8", color=False).depth is Depth.NONE
