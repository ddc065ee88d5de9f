from kems_client.drawing.glyphs import ASCII, UNICODE
from kems_client.drawing.look import choose_look, look_for
from kems_client.drawing.theme import Depth, mono
from kems_client.options import Settings as Wanted
from kems_net.phrases import phrase


def test_the_look_follows_the_terminal() -> None:
    good = choose_look({"TERM": "xterm-256color"}, encoding="utf-8", color=True)
    assert (good.glyphs, good.depth) == (UNICODE, Depth.INDEXED)
    bare = choose_look({"TERM": "xterm"}, encoding="ascii", color=False)
    assert (bare.glyphs, bare.theme) == (ASCII, mono())


def test_the_mouse_is_off_if_nobody_wants_it() -> None:
    assert not choose_look({}, encoding="utf-8", color=True).mouse
    assert choose_look({}, encoding="utf-8", color=True, mouse=True).mouse


def test_a_players_settings_shape_his_look() -> None:
    wanted = Wanted(ascii=True, lang="fr", theme="light", armed=True, mute=True, no_hints=True)
    look = look_for(wanted, {"TERM": "xterm-256color"}, "utf-8", color=True)
    assert look.glyphs is ASCII
    assert look.say(phrase("help")) == "aide"
    assert (look.settings.armed, look.settings.bell, look.settings.hints) == (True, False, False)
    assert look_for(Wanted(), {}, "utf-8", color=False).depth is Depth.NONE
