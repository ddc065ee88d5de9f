from kems_client.drawing.glyphs import ASCII, UNICODE
from kems_client.drawing.look import choose_look
from kems_client.drawing.theme import Depth, mono


def test_the_look_follows_the_terminal() -> None:
    good = choose_look({"TERM": "xterm-256color"}, encoding="utf-8", color=True)
    assert (good.glyphs, good.depth) == (UNICODE, Depth.INDEXED)
    bare = choose_look({"TERM": "xterm"}, encoding="ascii", color=False)
    assert (bare.glyphs, bare.theme) == (ASCII, mono())


def test_the_mouse_is_off_if_nobody_wants_it() -> None:
    assert not choose_look({}, encoding="utf-8", color=True).mouse
    assert choose_look({}, encoding="utf-8", color=True, mouse=True).mouse
