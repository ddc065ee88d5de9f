"""The players round the table: who they are, what they did last, and whom they look at. Pure."""

from kems_client.drawing.brush import Brush, Span, span_cells
from kems_client.drawing.layout import Layout, SeatPlace
from kems_client.drawing.measures import Rect, Size
from kems_client.state.gaze import gaze_rests, watching_counts
from kems_client.state.keys import EYES_AT
from kems_client.state.screen_state import Mode, ScreenState, Tone, accuse_keys, others_clockwise
from kems_client.text.widths import width
from kems_net.cards import Seat
from kems_net.messages import Phase, Presence, PublicSeat

EYED_CELLS = 12
"""Of the name of whom somebody looks at."""
FEWEST_CELLS = 2
"""Less of a name is none."""
UNWATCHED = "?"
"""Behind the name of an opponent at whom nobody of the player's team looks."""
FEW_UNWATCHED = 4
"""Of more it is no news: a team of two sees two of ten."""


def paint_seats(brush: Brush, state: ScreenState, layout: Layout) -> None:
    """Everybody else, from the player's left round the table."""
    for seat, place in zip(others_clockwise(state), layout.seats, strict=False):
        key = _accuse_key(state, seat) or _look_key(state, seat)
        if key is not None:
            brush.spot(place.rect, key)
        if layout.size is Size.COMPACT:
            _short(brush, state, seat, place)
        else:
            _tall(brush, state, seat, place, plate=layout.size is Size.GRAND)


def _tall(brush: Brush, state: ScreenState, seat: Seat, place: SeatPlace, *, plate: bool) -> None:
    rect = place.rect
    if plate:
        gold = seat in state.view.mates or _is_eyed(state, seat)
        heavy = _is_eyed(state, seat)
        brush.box(rect, "room.gold" if gold else "room.faint", heavy=heavy)
        rect = Rect(rect.x + 2, rect.y + 1, rect.width - 4, rect.height - 2)
    align = "<" if plate else place.align
    first = _first(brush, state, seat, rect.width, roomy=True)
    brush.line(rect.x, rect.y, rect.width, first, align)
    second = _second(brush, state, seat)
    if span_cells(second) > rect.width:
        second = _second(brush, state, seat, brief=True)
    if _is_unwatched(state, seat) and _few_unwatched(state):
        second = _with_unwatched(brush, second, rect.width)
    brush.line(rect.x, rect.y + 1, rect.width, second, align)


def _short(brush: Brush, state: ScreenState, seat: Seat, place: SeatPlace) -> None:
    """Both lines in one row: the name gives way, but not to what matters least."""
    rect = place.rect
    whole = span_cells(_first(brush, state, seat, rect.width))
    second = _second(brush, state, seat, left=rect.width - whole - 1)
    if whole + 1 + span_cells(second) > rect.width:
        second = second[:1]
    room = max(6, rect.width - 1 - span_cells(second)) if second else rect.width
    after = brush.line(rect.x, rect.y, rect.width, _first(brush, state, seat, room))
    brush.line(after + 1, rect.y, rect.x + rect.width - after - 1, second)


def _first(
    brush: Brush, state: ScreenState, seat: Seat, wide: int, *, roomy: bool = False
) -> list[Span]:
    """Team and name, and whether one watches them, or nobody of one's team does.

    Where many are unwatched and there is little room, it is not told.
    """
    at = state.view.seats[seat]
    spans: list[Span] = []
    key = _accuse_key(state, seat)
    if key is not None:
        spans.append(brush.cap_span(key, "cap.coral"))
        spans.append(("room", " "))
    mine = seat in state.view.mates
    if mine:
        spans.append(("room.goldbold", f"{brush.glyphs.mate} "))
    else:
        spans.append(("room.dim", f"{at.team} "))
    used = sum(len(text) for _, text in spans)
    if at.presence is Presence.EMPTY:
        return [*spans, ("room.faint", brush.words("free seat"))]
    if _is_eyed(state, seat):
        eyes = brush.glyphs.eyes
        name = brush.name(at.name, max(FEWEST_CELLS, wide - used - width(eyes) - 2))
        style = "seat.target" if gaze_rests(state) else "seat.turning"
        return [*spans, (style, f"{eyes} {name}")]
    few = _few_unwatched(state)
    mark: Span = ("room.coral" if few else "room.faint", f" {UNWATCHED}")
    room = wide - used - width(mark[1])
    marked = [mark] * (_is_unwatched(state, seat) and (few or roomy))
    name = brush.name(at.name, max(FEWEST_CELLS, room if marked else wide - used))
    return [*spans, (_name_style(state, seat, at), name), *marked]


def _name_style(state: ScreenState, seat: Seat, at: PublicSeat) -> str:
    if at.out or at.presence is Presence.AWAY:
        return "room.faint"
    return "room.goldbold" if seat in state.view.mates else "room.bold"


def _is_eyed(state: ScreenState, seat: Seat) -> bool:
    """Whether the player looks at them, where that counts for something."""
    return state.looks_at == seat and state.phase is Phase.HUNT and watching_counts(state)


def _is_unwatched(state: ScreenState, seat: Seat) -> bool:
    """Whether nobody of the player's team looks at that opponent."""
    at = state.view.seats[seat]
    absent = at.out or at.presence in (Presence.EMPTY, Presence.AWAY)
    if absent or state.phase is not Phase.HUNT or state.mode is Mode.ACCUSE:
        return False
    if not watching_counts(state):
        return False
    return seat in state.view.unwatched and state.looks_at != seat


def _few_unwatched(state: ScreenState) -> bool:
    return len(state.view.unwatched) <= FEW_UNWATCHED


def _look_key(state: ScreenState, seat: Seat) -> str | None:
    """A click on a player turns the eyes to them, in a hunt."""
    playing = state.at_play and state.phase is Phase.HUNT and state.mode is Mode.PLAY
    empty = state.view.seats[seat].presence is Presence.EMPTY
    return f"{EYES_AT}{seat}" if playing and not empty else None


def _accuse_key(state: ScreenState, seat: Seat) -> str | None:
    """The key that names this player, or their team, while a contre waits for a name."""
    if state.mode is not Mode.ACCUSE:
        return None
    team = state.view.seats[seat].team
    return next((key for key, whom in accuse_keys(state).items() if whom in (seat, team)), None)


def _second(
    brush: Brush, state: ScreenState, seat: Seat, *, left: int | None = None, brief: bool = False
) -> list[Span]:
    """What they are, or did last, or whom they look at; with `left`, behind the name in its row.

    In brief, what they did is told by its cards or its gesture alone.
    """
    short = left is not None
    view, at = state.view, state.view.seats[seat]
    if at.presence is Presence.EMPTY:
        return []
    if at.out:
        return [("room.faint", brush.words("out"))]
    if at.presence is Presence.AWAY:
        return [("room.coral", brush.words("away"))]
    if not state.hunting:
        return _between_rounds(brush, state, at, short=short)
    last = state.last_of(seat)
    if last is not None:
        text = brush.words(last.short if short or brief else last.text)
        return _did(brush, text, last.tone, mate=seat in view.mates, roomy=not short)
    return _looks(brush, state, seat, left)


def _did(brush: Brush, text: str, tone: Tone, *, mate: bool, roomy: bool) -> list[Span]:
    match tone:
        case Tone.GESTURE if mate:
            return [("seat.bubble", f" {text} " if roomy else text)]
        case Tone.GESTURE:
            return [("seat.gesture", brush.glyphs.wave + text if roomy else text)]
        case Tone.CALL | Tone.BAD:
            return [("room.coralbold", text)]
        case Tone.PLAIN | Tone.GOOD | Tone.TALK | Tone.UNSEEN:
            return [("seat.act", text)]


def _looks(brush: Brush, state: ScreenState, seat: Seat, left: int | None) -> list[Span]:
    """Whom somebody looks at: worth seeing at once if it is the player.

    Most look at their own partners most of the time; only who does not is told, and of a partner of
    the player's also that they do. Behind a name that is told closer together, and only if it is
    the player does the name give way to it.
    """
    view, at = state.view, state.view.seats[seat]
    mate = seat in view.mates
    at_home = at.gaze is not None and view.seats[at.gaze].team == at.team
    told = not at_home or (mate and at.gaze == view.my_seat and watching_counts(state))
    if at.gaze is None or not told or state.phase is not Phase.HUNT:
        bot = brush.words("bot")
        is_bot = at.presence is Presence.BOT and (left is None or width(bot) <= left)
        return [("room.faint", bot)] * is_bot
    eyes = brush.glyphs.eyes + " " * (left is None)
    if at.gaze == view.my_seat:
        name = brush.name(view.name_of(at.gaze), EYED_CELLS)
        style = "room.gold" if mate else "room.coralbold"
        return [(style, eyes + (name if state.replayed else brush.words("you")))]
    room = EYED_CELLS if left is None else min(EYED_CELLS, left - width(eyes))
    if room < FEWEST_CELLS:
        return []
    return [("room.faint", eyes + brush.name(state.view.name_of(at.gaze), room))]


def _with_unwatched(brush: Brush, second: list[Span], wide: int) -> list[Span]:
    """That nobody of one's team looks at an opponent, in a word, where there is room for it."""
    gap: list[Span] = [("room", " ")] * bool(second)
    both = [*second, *gap, ("room.coral", brush.words("unwatched"))]
    return both if span_cells(both) <= wide else second


def _between_rounds(brush: Brush, state: ScreenState, at: PublicSeat, *, short: bool) -> list[Span]:
    bot: list[Span] = [("room.dim", brush.words("bot"))] if at.presence is Presence.BOT else []
    if at.ready:
        return [*bot, ("room.mint", " " * bool(bot) + brush.words("ready"))]
    if at.voted_end:
        return [*bot, ("room.dim", " " * bool(bot) + brush.words("votes to end"))]
    if state.phase in (Phase.LOBBY, Phase.OVER) and not bot and not short:
        return [("room.faint", brush.words("not ready"))]
    return bot
