"""The felt after a round and after a match: the call, the cards that decided it, scores. Pure."""

from kems_client.drawing.brush import MINI, Brush, Span, span_cells
from kems_client.drawing.figures import blocks
from kems_client.drawing.glyphs import UNICODE, labels
from kems_client.drawing.measures import CARD, Rect, is_large
from kems_client.drawing.paint_board import SHORT_BOARD, talk_rows
from kems_client.drawing.rows import BLANK, Row, card_rows, chips, inside, paint_rows, text_rows
from kems_client.state.keys import GESTURE_KEYS
from kems_client.state.screen_state import ScreenState, may_set_forfeit, seconds_to
from kems_client.text.widths import fit, wrap
from kems_net.cards import Seat, Team
from kems_net.messages import CallKind, Forfeit, ShownHand, Snapshot, SwapSeen, Verdict
from kems_net.phrases import Phrase, counted, phrase
from kems_net.rulesheet import Scoring
from kems_net.sanitize import clean
from kems_net.sheetfile import sheet_text

MAX_FORFEITS = 8
DECISION_ROWS = 3
"""Of the sentence that tells the decision, and the air round it."""
LARGE_TEAMS = 4
"""For more the scores have no room to be large."""
FIGURE_CELLS = 18
"""Three digits drawn large."""
FEW_MOMENTS = 2
"""Of what was done last, however little room there is."""
NAME_CELLS = 14
"""Before a hand: the letter of the team, and the name."""


def verdict_phrase(state: ScreenState, verdict: Verdict) -> Phrase:
    """How a call was judged, in one sentence."""
    name = state.judged_name
    if verdict.call is None or verdict.caller is None:
        return phrase("Nobody called in time: no score.")
    who = clean(name(verdict.caller))
    match verdict.call:
        case CallKind.KEMS if verdict.right:
            return phrase("{who}: Kem's! A partner holds a four.", who=who)
        case CallKind.KEMS:
            return phrase("{who}: Kem's! But no partner holds a four.", who=who)
        case CallKind.DOUBLE if verdict.right:
            return phrase("{who}: Double Kem's! Both hold a four.", who=who)
        case CallKind.DOUBLE:
            return phrase("{who}: Double Kem's! But not both hold one.", who=who)
        case CallKind.CONTRE:
            accused = _accused(state, verdict.accused)
            if verdict.right:
                return phrase("{who}: Contre to {whom}! Right.", who=who, whom=accused)
            return phrase("{who}: Contre to {whom}! Wrong.", who=who, whom=accused)


def _accused(state: ScreenState, accused: Seat | Team | None) -> Phrase | str:
    if isinstance(accused, str):
        return phrase("team {team}", team=accused)
    return "?" if accused is None else clean(state.judged_name(accused))


def points_phrase(state: ScreenState, verdict: Verdict) -> Phrase | None:
    """Who got how much by it."""
    gains = [
        f"{team} +{points}"
        for team, points in zip(state.view.teams, verdict.points, strict=False)
        if points
    ]
    if not gains:
        return None
    sheet = state.view.sheet
    if sheet is not None and sheet.scoring is Scoring.LETTERS:
        return phrase("letters: {gains}", gains="   ".join(gains))
    return phrase("points: {gains}", gains="   ".join(gains))


def paint_verdict(brush: Brush, state: ScreenState, board: Rect) -> None:
    """The call, the hands that decided it, the points, and the forfeit."""
    brush.felt(board)
    room, snapshot = inside(board), state.view.snapshot
    verdict = snapshot.verdict if snapshot else None
    if snapshot is None or verdict is None:
        paint_rows(brush, room, [Row((("felt.dim", brush.words("The round is over.")),))])
        return
    brush.banner(board, *_title(brush, state, verdict))
    sentence = brush.words(verdict_phrase(state, verdict))
    rows = [BLANK, *text_rows(sentence, "felt.bold", room.width)]
    points = points_phrase(state, verdict)
    if points is not None:
        rows += text_rows(brush.words(points), "felt.gold", room.width)
    if state.deciding:
        rows += text_rows(brush.words("It decides the match."), "felt.goldbold", room.width)
    last = [*talk_rows(brush, state, room.width, 2)]
    if board.height >= SHORT_BOARD:
        last += _next_rows(brush, state, snapshot)
    forfeit = _forfeit_rows(brush, state, snapshot.forfeit, room.width)
    moments = _moment_rows(brush, state, snapshot)
    few = moments[-FEW_MOMENTS:]
    space = room.height - len(rows) - len(last) - 1
    for_hands = max(min(len(verdict.hands), space), space - min(6, len(forfeit)) - len(few))
    rows += [BLANK, *_hand_rows(brush, state, verdict.hands, room.width, for_hands)]
    left_over = room.height - len(rows) - len(last)
    whole = _forfeit_rows(brush, state, snapshot.forfeit, room.width, whole=True)
    if len(whole) > left_over - len(few):
        whole = forfeit[: max(0, left_over - len(few))]
    free = left_over - len(whole)
    most = max(min(len(few), free), free - 1)  # a row of air before them, where there are more
    lately = moments[-most:] if most > 0 else []
    rows += [*[BLANK] * (bool(lately) and most < free), *lately, *whole]
    rows += [BLANK] * (len(rows) + len(last) < room.height)
    paint_rows(brush, room, rows + last, top=len(rows) + len(last) >= room.height - 1)


def _moment_rows(brush: Brush, state: ScreenState, snapshot: Snapshot) -> list[Row]:
    """Who did what with cards last, and how long before the end: so one learns why."""
    moves, verdict = snapshot.last_moments, snapshot.verdict
    if not moves:
        return []
    ended_us = moves[-1].at_us if verdict is None else max(verdict.at_us, moves[-1].at_us)
    rows = []
    for move in moves:
        ago = brush.words("{ago} s before", ago=f"{(ended_us - move.at_us) / 1_000_000:.1f}")
        mine = move.seat in (state.view.my_seat, *state.view.mates)
        who = brush.name(state.view.name_of(move.seat), NAME_CELLS - 2)
        did = brush.words(moved_phrase(move))
        spans = (
            ("felt.dim", f"{ago}  "),
            ("felt.gold" if mine else "felt", f"{who} "),
            ("felt.dim", did),
        )
        rows.append(Row(spans))
    return rows


def moved_phrase(move: SwapSeen) -> Phrase:
    """What somebody did with cards, in short."""
    laid, took = labels(move.laid, UNICODE), labels(move.took, UNICODE)
    if move.laid and move.took:
        return phrase("{lay} for {take}", lay=laid, take=took)
    return phrase("laid {cards}", cards=laid) if laid else phrase("took {cards}", cards=took)


def _next_rows(brush: Brush, state: ScreenState, snapshot: Snapshot) -> list[Row]:
    """What comes next by itself, and when."""
    if state.deciding:
        left = seconds_to(state, state.verdict_until_us)
        return [Row((("felt.dim", brush.words("the scores in {left} s", left=left or 0)),))]
    left = seconds_to(state, snapshot.ends_us)
    if left is None:
        return []
    return [Row((("felt.dim", brush.words("next huddle in {left} s", left=left)),))]


def _title(brush: Brush, state: ScreenState, verdict: Verdict) -> tuple[str, str]:
    names = {
        CallKind.KEMS: brush.words("KEM'S!"),
        CallKind.DOUBLE: brush.words("DOUBLE KEM'S!"),
        CallKind.CONTRE: brush.words("CONTRE!"),
    }
    called = names[verdict.call] if verdict.call else brush.words("NO SCORE")
    good = _won(state, verdict)
    if good is None:
        return called, "banner" if verdict.right else "alarm"
    how = brush.words("your team wins this one") if good else brush.words("not your round")
    return f"{called}  {how}", "banner" if good else "alarm"


def _won(state: ScreenState, verdict: Verdict) -> bool | None:
    """Whether one's own team gained by it, or kept out of harm; None where nobody did."""
    view = state.view
    if view.my_team is None or not any(verdict.points):
        return None
    mine = dict(zip(view.teams, verdict.points, strict=False)).get(view.my_team, 0)
    letters = view.sheet is not None and view.sheet.scoring is Scoring.LETTERS
    return (mine == 0) if letters else mine > 0


def _hand_rows(
    brush: Brush, state: ScreenState, hands: tuple[ShownHand, ...], cells: int, space: int
) -> list[Row]:
    """Each hand with its owner: as large as there is room, in one row at the least."""
    large = len(hands) * (CARD[1] + 1) <= space and cells >= NAME_CELLS + 4 * (CARD[0] + 1)
    size = CARD if large else MINI if len(hands) * MINI[1] <= space else None
    rows: list[Row] = []
    for number, shown in enumerate(hands):
        at = state.view.seats[shown.seat] if 0 <= shown.seat < len(state.view.seats) else None
        mine = at is not None and at.team == state.view.my_team
        team = f"{at.team} " if at else ""
        name = fit(brush.name(state.judged_name(shown.seat), NAME_CELLS - 3), NAME_CELLS - 2)
        owner: tuple[Span, ...] = (("felt.dim", team), ("felt.gold" if mine else "felt", name))
        if size is None:
            rows.append(Row((*owner, *chips(shown.cards, brush.glyphs))))
            continue
        blank: tuple[Span, ...] = (("felt", " " * NAME_CELLS),)
        rows += [BLANK] * (large and number > 0)
        for y, spans in enumerate(card_rows(shown.cards, size, brush.glyphs)):
            rows.append(Row((*(owner if y == size[1] // 2 else blank), *spans)))
    return rows[: max(1, space)]


def _forfeit_rows(
    brush: Brush, state: ScreenState, forfeit: Forfeit | None, cells: int, *, whole: bool = False
) -> list[Row]:
    """What the losers have to do, or what can be picked: a row each, or as many as it needs."""
    if forfeit is None:
        return []
    losers, many = ", ".join(forfeit.losers), len(forfeit.losers) > 1
    if forfeit.text is not None:
        one = phrase("Forfeit for team {losers}:", losers=losers)
        said = brush.words(phrase("Forfeit for teams {losers}:", losers=losers) if many else one)
        rows = [BLANK, Row((("felt.coral", said),))]
        return rows + text_rows(brush.words(sheet_text(forfeit.text)), "felt.bold", cells)
    if not may_set_forfeit(state) or state.replayed:
        return [BLANK, Row((("felt.dim", brush.words("The winners think of a forfeit.")),))]
    one = phrase("Set team {losers} a forfeit:", losers=losers)
    title = brush.words(phrase("Set teams {losers} a forfeit:", losers=losers) if many else one)
    rows = [BLANK, Row((("felt.goldbold", title),))]
    offered = state.view.sheet.forfeits[:MAX_FORFEITS] if state.view.sheet else ()
    for number, text in enumerate(offered, 1):
        key = GESTURE_KEYS[number - 1]
        said = brush.words(sheet_text(text))
        first, *more = (wrap(said, cells - 2) if whole else ()) or (said,)
        rows.append(Row((("felt.bold", f"{key} "), ("felt", first)), "<", (key, key)))
        rows += [Row((("felt", f"  {line}"),), "<", (key,)) for line in more]
    return rows


# --- the end of a match ---------------------------------------------------------------------------


def paint_over(brush: Brush, state: ScreenState, board: Rect) -> None:
    """Who has won, the scores, and how it went for the player."""
    brush.felt(board)
    room, snapshot = inside(board), state.view.snapshot
    if snapshot is None:
        return
    mine = state.view.my_team in snapshot.winners
    brush.banner(board, brush.words("THE MATCH IS OVER"), "banner")
    large = is_large(board) and len(state.view.teams) <= LARGE_TEAMS
    rows = [BLANK, *_winner_rows(brush, state, snapshot, room.width), BLANK]
    rows += _score_rows(brush, state, snapshot, large=large)
    if state.view.me is not None and not state.replayed:  # it knows of no race that was lost
        rows += [BLANK, *_tally_rows(brush, state)]
    if snapshot.forfeit is not None:
        rows += _forfeit_rows(brush, state, snapshot.forfeit, room.width)
    talk = talk_rows(brush, state, room.width, 1)
    left = room.height - len(rows) - len(talk) - DECISION_ROWS if large else 0
    decided = _decision_rows(brush, state, room.width, left)
    if len(rows) + len(decided) + len(talk) <= room.height:
        rows += decided
    rows += talk
    paint_rows(brush, room, rows, top=not mine and len(rows) >= room.height)


def _decision_rows(brush: Brush, state: ScreenState, cells: int, high: int) -> list[Row]:
    """What decided the match, with hands of so many rows: in short, where that is too little."""
    verdict = state.decision
    if verdict is None:
        return []
    said = brush.words(verdict_phrase(state, verdict))
    hands = _hand_rows(brush, state, verdict.hands, cells, max(high, len(verdict.hands)))
    return [BLANK, *text_rows(said, "felt.dim", cells), *(hands if verdict.hands else [])]


def _winner_rows(brush: Brush, state: ScreenState, snapshot: Snapshot, cells: int) -> list[Row]:
    if not snapshot.winners:
        return [Row((("felt.bold", brush.words("Nobody wins: it ends level.")),))]
    names = [at.name for at in snapshot.seats if at.team in snapshot.winners]
    team = ", ".join(snapshot.winners)
    title = brush.words("TEAM {team} WINS", team=team)
    mine = state.view.my_team in snapshot.winners
    said = brush.words("Well played!") if mine else ""
    rows = [Row((("felt.goldbold", title),))]
    rows += text_rows(clean(" & ".join(names)), "felt.bold", cells)
    return [*rows, *text_rows(said, "felt.gold", cells)]


def _score_rows(brush: Brush, state: ScreenState, snapshot: Snapshot, *, large: bool) -> list[Row]:
    sheet = state.view.sheet
    letters = sheet is not None and sheet.scoring is Scoring.LETTERS
    scores = sorted(
        zip(state.view.teams, snapshot.scores, strict=False),
        key=lambda pair: (pair[1] if letters else -pair[1], pair[0]),
    )
    rows = []
    for team, score in scores:
        names = " & ".join(at.name for at in snapshot.seats if at.team == team)
        style = "felt.gold" if team == state.view.my_team else "felt"
        points = (sheet.word[:score] or "-") if letters and sheet else str(score)
        name = fit(brush.name(clean(names), 24), 24)
        if large and brush.glyphs.pixels and points.isdecimal():
            label: Span = (style, f"{team}  {name} ")
            blank: Span = (style, " " * span_cells([label]))
            lines = zip(*(blocks(digit) for digit in points), strict=True)
            figure = [f"{' '.join(line):>{FIGURE_CELLS}}" for line in lines]
            for y, cells in enumerate(figure):
                rows.append(Row((label if y == 1 else blank, (style, cells))))
            rows.append(BLANK)
        else:
            rows.append(Row(((style, f"{team}  {name} "), (style, f"{points:>5}"))))
    return rows


def _tally_rows(brush: Brush, state: ScreenState) -> list[Row]:
    tally = state.tally
    rows = [
        brush.words(
            "You: {swaps}, {lost}",
            swaps=counted("1 swap", "{count} swaps", tally.swaps),
            lost=counted("1 race lost", "{count} races lost", len(tally.lost_us)),
        )
    ]
    if tally.lost_us:
        closest = min(tally.lost_us) / 1000
        rows.append(brush.words("the closest by {ms} ms", ms=f"{closest:.1f}"))
    rows.append(
        brush.words(
            "calls: {right} right, {wrong} wrong", right=tally.calls_right, wrong=tally.calls_wrong
        )
    )
    return [Row((("felt.dim", row),)) for row in rows]
