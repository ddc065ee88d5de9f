import pytest

from kems_client.drawing.layout import arrange, round_the_table
from kems_client.drawing.measures import PLATE_CELLS, Rect

SIZES = ((60, 20), (79, 60), (80, 24), (97, 50), (98, 28), (139, 60), (140, 46), (200, 50))


@pytest.mark.parametrize("others", range(3, 13))
def test_the_seats_are_even_round_the_table(others: int) -> None:
    left, top, right = round_the_table(others)
    assert left == right
    assert left + top + right == others
    assert top >= left


def _apart(one: Rect, other: Rect) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@pytest.mark.parametrize("others", [3, 5, 7, 8, 11, 12])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_lies_upon_anything_else(size: tuple[int, int], others: int) -> None:
    layout = arrange(*size, others)
    hand = Rect(layout.columns[0], layout.hand_y, layout.columns[3], layout.card[1])
    places = [place.rect for place in layout.seats]
    assert len(places) == others
    for number, rect in enumerate(places):
        assert all(_apart(rect, other) for other in (*places[number + 1 :], layout.felt, hand))
    assert layout.felt.y + layout.felt.height <= layout.hand_y
    assert layout.hand_y + layout.card[1] < layout.calls_y < layout.height - 1
    if layout.side is not None:
        assert layout.side.x + layout.side.width == layout.width
        assert all(rect.x + rect.width <= layout.side.x for rect in places)


@pytest.mark.parametrize("size", SIZES)
def test_hand_and_table_substitute_columns_under_one_another(size: tuple[int, int]) -> None:
    layout = arrange(*size, 3)
    gaps = {b - a for a, b in zip(layout.columns, layout.columns[1:], strict=False)}
    assert len(gaps) == 1
    assert layout.felt.x < layout.columns[0]
    assert layout.columns[3] + layout.card[0] < layout.felt.x + layout.felt.width


@pytest.mark.parametrize("size", [(98, 28), (100, 30), (200, 50)])
def test_who_watches_has_a_larger_felt_and_nobody_sits_on_it(size: tuple[int, int]) -> None:
    layout = arrange(*size, 12, watching=True)
    assert (layout.felt.y, layout.felt.height) == (layout.board.y, layout.board.height)
    assert layout.felt.height > arrange(*size, 12).felt.height
    for place in layout.seats:
        assert _apart(place.rect, layout.felt)
    assert layout.felt.y < layout.table_y
    assert layout.table_y + layout.card[1] < layout.felt.y + layout.felt.height


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("others", [4, 8, 12])
def test_who_watches_has_talk_in_the_place_of_a_hand(width: int, height: int, others: int) -> None:
    seen = arrange(width, height, others, watching=True)
    if seen.side is None:
        assert seen.talk.x == seen.felt.x
        assert seen.talk.y == seen.hand_y
        assert seen.talk.height >= 5
        assert seen.talk.y + seen.talk.height < seen.keys_y
    else:
        assert (seen.felt.y, seen.felt.height) == (seen.board.y, seen.board.height)


@pytest.mark.parametrize("others", [4, 12])
def test_on_a_big_screen_who_watches_has_larger_cards_and_plates_keep_their_names(
    others: int,
) -> None:
    seen = arrange(200, 50, others, watching=True)
    assert seen.card > arrange(200, 50, others).card
    assert seen.columns[0] > seen.felt.x
    assert seen.columns[-1] + seen.card[0] < seen.felt.x + seen.felt.width
    for place in seen.seats:
        assert place.rect.width >= PLATE_CELLS
        assert place.rect.x >= 1
        assert place.rect.x + place.rect.width < seen.main
    assert arrange(140, 46, others, watching=True).card == arrange(140, 46, others).card


@pytest.mark.parametrize("width", range(140, 240))
def test_beside_the_large_cards_there_is_room_for_a_plate_with_a_name(width: int) -> None:
    layout = arrange(width, 46, 11)
    inside = [place.rect.width - 4 for place in layout.seats]
    assert min(inside) >= 12
    assert all(place.rect.x >= 1 for place in layout.seats)
    assert all(place.rect.x + place.rect.width < layout.main for place in layout.seats)
