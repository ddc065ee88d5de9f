from kems_client.drawing.measures import GRAND_PANELS, GRAND_WIDTH, Size, size_of


def test_each_layout_begins_at_its_size() -> None:
    assert [size_of(59, 40), size_of(60, 19)] == [Size.NONE, Size.NONE]
    assert [size_of(60, 20), size_of(79, 40)] == [Size.COMPACT, Size.COMPACT]
    assert [size_of(80, 24), size_of(120, 27)] == [Size.TABLE, Size.TABLE]
    assert [size_of(98, 28), size_of(139, 99)] == [Size.SIDE, Size.SIDE]
    assert size_of(140, 46) is Size.GRAND


def test_every_screen_with_large_cards_has_a_panel_and_a_wider_one_no_narrower() -> None:
    least, panels = zip(*GRAND_PANELS, strict=True)
    assert least[-1] == GRAND_WIDTH
    assert list(least) == sorted(least, reverse=True)
    assert list(panels) == sorted(panels, reverse=True)
