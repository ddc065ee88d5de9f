"""Where things stand on a screen of a given size: four layouts, and one for too little room. Pure.

Rows and columns count from 0. The table cards and the hand stand in columns under one another, so
that a hand's key and a table's key belong together.
"""

from msgspec import Struct
from msgspec.structs import replace

from kems_client.drawing.measures import (
    BIG_CARD,
    CARD,
    GRAND_HEIGHT,
    GRAND_PANELS,
    LARGE_CARD,
    NAME_CELLS,
    NARROW_PANEL,
    PANEL,
    PANEL_WIDTH,
    PLATE_CELLS,
    SIDE_HEIGHT,
    SMALL_CARD,
    SMALL_FELT,
    TABLE_HEIGHT,
    TALL_CARD,
    WIDE_WIDTH,
    Rect,
    Size,
    size_of,
)


class SeatPlace(Struct, frozen=True):
    """Where a seat is drawn, and to which side its text leans."""

    rect: Rect
    align: str


class Layout(Struct, frozen=True):
    """Where everything is."""

    size: Size
    width: int
    height: int
    main: int
    """Columns left of the side panel."""
    seats: tuple[SeatPlace, ...]
    """From the player's left round the table."""
    felt: Rect
    board: Rect
    """The felt when no hand lies before it: lobby, huddle, verdict."""
    card: tuple[int, int]
    columns: tuple[int, ...]
    """Where the four cards of table and hand begin."""
    table_y: int
    hand_y: int
    prompt_y: int
    calls_y: int
    """The row of keys in a round; between rounds it is `keys_y`."""
    keys_y: int
    hint_y: int
    """Advice between rounds."""
    gestures: Rect
    """One row, or a block beside the hand."""
    talk: Rect
    side: Rect | None


def arrange(width: int, height: int, others: int, *, watching: bool = False) -> Layout:
    """The layout for a screen of that size, and so many players besides oneself.

    Who only watches has no hand, so the felt is as large as the board where talk has its own panel,
    and where it has none, talk has the hand's place.
    """
    layout = _arranged(width, height, others)
    if not watching:
        return layout
    if layout.side is None:
        felt, y = layout.felt, layout.hand_y
        talk = Rect(felt.x, y, felt.width, max(0, layout.keys_y - 1 - y))
        return replace(layout, talk=talk, prompt_y=y - 1)
    board, high = layout.board, layout.seats[0].rect.height
    top = min(place.rect.y for place in layout.seats)
    plates = layout.size is Size.GRAND
    card, felt, columns = layout.card, board, layout.columns
    big = replace(board, width=_felt_width(BIG_CARD, 3, 4))
    big = replace(big, x=(layout.main - big.width) // 2)
    if plates and big.x >= PLATE_CELLS + 2 and board.height >= BIG_CARD[1] + 2:
        card, felt, columns = BIG_CARD, big, _columns(big, BIG_CARD[0], 3, 4)
    return replace(
        layout,
        card=card,
        columns=columns,
        felt=felt,
        seats=_seats(layout.main, top, felt, others, high=high, plates=plates),
        table_y=felt.y + (felt.height - card[1]) // 2,
        prompt_y=felt.y + felt.height,
    )


def _arranged(width: int, height: int, others: int) -> Layout:
    match size_of(width, height):
        case Size.NONE | Size.COMPACT:
            return _compact(width, height, others)
        case Size.TABLE:
            return _table(width, height, others)
        case Size.SIDE:
            return _side(width, height, others)
        case Size.GRAND:
            return _grand(width, height, others)


def round_the_table(others: int) -> tuple[int, int, int]:
    """How many sit on the left, at the top and on the right; the middle one sits opposite."""
    wing = next((count for least, count in ((9, 3), (6, 2), (3, 1)) if others >= least), 0)
    return wing, others - 2 * wing, wing


def _compact(width: int, height: int, others: int) -> Layout:
    columns = 4 if others > 6 else 3
    cell = (width - 2) // columns
    rows = max(1, -(-others // columns))
    seats = tuple(
        SeatPlace(Rect(1 + (i % columns) * cell, 1 + i // columns, cell - 1, 1), "<")
        for i in range(others)
    )
    top = 1 + rows
    felt = Rect((width - SMALL_FELT[0]) // 2, top, *SMALL_FELT)
    hand_y = felt.y + felt.height + 1
    talk_y = hand_y + SMALL_CARD[1] + 1
    talk = Rect(felt.x, talk_y, felt.width, max(0, height - 3 - talk_y))
    return Layout(
        size=Size.COMPACT,
        width=width,
        height=height,
        main=width,
        seats=seats,
        felt=felt,
        board=Rect(1, top, width - 2, height - 3 - top),
        card=SMALL_CARD,
        columns=_columns(felt, SMALL_CARD[0], 2, 2),
        table_y=top + 1,
        hand_y=hand_y,
        prompt_y=hand_y + SMALL_CARD[1],
        calls_y=height - 3,
        keys_y=height - 2,
        hint_y=height - 3,
        gestures=Rect(0, height - 2, width, 1),
        talk=talk,
        side=None,
    )


def _table(width: int, height: int, others: int) -> Layout:
    spare = height - TABLE_HEIGHT
    head, keys, felt_air = min(1, spare + 1), min(1, spare + 1), min(1, spare // 3)
    top = 1 + head
    felt = _felt(width, top + 2, CARD, 1, 2, felt_air)
    columns = _columns(felt, CARD[0], 1, 2)
    hand_y = felt.y + felt.height + 1
    left, right = columns[0] - 3, columns[-1] + CARD[0] + 2
    return Layout(
        size=Size.TABLE,
        width=width,
        height=height,
        main=width,
        seats=_seats(width, top, felt, others, high=2, plates=False),
        felt=felt,
        board=Rect(felt.x, felt.y, felt.width, height - 2 - keys - felt.y),
        card=CARD,
        columns=columns,
        table_y=felt.y + 1 + felt_air,
        hand_y=hand_y,
        prompt_y=felt.y + felt.height,
        calls_y=height - 2,
        keys_y=height - 2,
        hint_y=height - 3,
        gestures=Rect(1, hand_y, left, CARD[1]),
        talk=Rect(right, hand_y, width - right - 1, height - 3 - hand_y),
        side=None,
    )


def _side(width: int, height: int, others: int) -> Layout:
    side = NARROW_PANEL if width < PANEL_WIDTH else PANEL
    main = width - side
    spare = height - SIDE_HEIGHT
    card = TALL_CARD if spare >= 6 else CARD  # two rows more for cards, and four for the air
    spare -= 2 * (card[1] - CARD[1])
    felt_air = min(1, max(0, spare - 2) // 4)
    air = min(1, spare // 2)
    top = 2
    felt = _felt(main, top + 2 + air, card, 1, 2, felt_air)
    columns = _columns(felt, card[0], 1, 2)
    prompt_y = felt.y + felt.height + min(1, max(0, spare - 1))
    hand_y = prompt_y + 2
    keys_y = hand_y + card[1] + 1
    rest = height - 2 - keys_y
    gestures_y = keys_y + (1 if rest >= 3 else 0)
    calls_y = gestures_y + (2 if rest >= 4 else 1)
    return Layout(
        size=Size.SIDE,
        width=width,
        height=height,
        main=main,
        seats=_seats(main, top, felt, others, high=2, plates=False),
        felt=felt,
        board=Rect(felt.x, felt.y, felt.width, calls_y - 1 - felt.y),
        card=card,
        columns=columns,
        table_y=felt.y + 1 + felt_air,
        hand_y=hand_y,
        prompt_y=prompt_y,
        calls_y=calls_y,
        keys_y=calls_y,
        hint_y=calls_y + 1,
        gestures=Rect(0, gestures_y, main, 1),
        talk=Rect(0, 0, 0, 0),
        side=Rect(main, 2, side, height - 4),
    )


def _grand(width: int, height: int, others: int) -> Layout:
    wide = width >= WIDE_WIDTH
    side = next(panel for least, panel in GRAND_PANELS if width >= least)
    main = width - side
    card, gap, pad = LARGE_CARD, 3 if wide else 2, 4 if wide else 2
    spare = height - GRAND_HEIGHT
    top = 3 if spare >= 2 else 2
    felt = _felt(main, top + 4 + 1, card, gap, pad, 1)
    columns = _columns(felt, card[0], gap, pad)
    prompt_y = felt.y + felt.height + 1
    hand_y = prompt_y + 2
    gestures_y = hand_y + card[1] + 2
    return Layout(
        size=Size.GRAND,
        width=width,
        height=height,
        main=main,
        seats=_seats(main, top, felt, others, high=4, plates=True),
        felt=felt,
        board=Rect(felt.x, felt.y, felt.width, gestures_y - felt.y),
        card=card,
        columns=columns,
        table_y=felt.y + 2,
        hand_y=hand_y,
        prompt_y=prompt_y,
        calls_y=gestures_y + 2,
        keys_y=gestures_y + 2,
        hint_y=gestures_y + 3,
        gestures=Rect(0, gestures_y, main, 1),
        talk=Rect(0, 0, 0, 0),
        side=Rect(main, 2, side, height - 4),
    )


def _felt(main: int, y: int, card: tuple[int, int], gap: int, pad: int, air: int) -> Rect:
    wide = _felt_width(card, gap, pad)
    return Rect((main - wide) // 2, y, wide, card[1] + 3 + 2 * air)


def _felt_width(card: tuple[int, int], gap: int, pad: int) -> int:
    return 4 * card[0] + 3 * gap + 2 * pad + 2


def _columns(felt: Rect, card_width: int, gap: int, pad: int) -> tuple[int, ...]:
    return tuple(felt.x + 1 + pad + i * (card_width + gap) for i in range(4))


def _seats(
    main: int, top: int, felt: Rect, others: int, *, high: int, plates: bool
) -> tuple[SeatPlace, ...]:
    """Left side from below, the top from the left, the right side from above."""
    left, above, right = round_the_table(others)
    wide = min(felt.x - 2, NAME_CELLS)
    gap = 1 if felt.height < left * (high + 2) else 2
    used = left * high + max(0, left - 1) * gap
    first = felt.y + max(0, (felt.height - used) // 2)
    rows = [first + i * (high + gap) for i in range(left)]
    places = [SeatPlace(Rect(felt.x - 1 - wide, y, wide, high), ">") for y in reversed(rows)]
    cell = min(main // max(1, above), 26 if plates else 17)
    x = (main - cell * above) // 2
    places += [SeatPlace(Rect(x + i * cell + 1, top, cell - 2, high), "^") for i in range(above)]
    at = felt.x + felt.width + 1
    places += [SeatPlace(Rect(at, y, wide, high), "<") for y in rows[:right]]
    return tuple(places)
