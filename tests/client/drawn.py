"""Moments at a table, as states of a screen: what pictures and the presenter's tests begin with.

Names, cards and figures are made up; nothing here is a test.
"""

from collections.abc import Callable

from msgspec.structs import replace

from kems_client.fullscreen.reports import proof_shown
from kems_client.state.screen_state import Last, Line, Link, Mode, ScreenState, Slot, Tally, Tone
from kems_client.state.signs import Seen, SeenOn
from kems_client.state.table_view import TableView
from kems_net.cards import Card, team_of
from kems_net.gestures import Gesture
from kems_net.messages import (
    CallKind,
    DoubleWindow,
    Forfeit,
    Phase,
    Presence,
    ProofAsked,
    ProofShown,
    PublicSeat,
    Said,
    Seated,
    ShownHand,
    Snapshot,
    SwapSeen,
    SweepProposed,
    Verdict,
    Welcome,
)
from kems_net.phrases import phrase, verbatim
from kems_net.rulesheet import Exchange
from kems_net.sheetfile import RuleSheet, load_sheet

NAMES = (
    "Nour",
    "Samir",
    "Chloé",
    "Youssef",
    "Zoé",
    "Karim",
    "Marc",
    "Hana",
    "Omar",
    "Élise",
    "Inès",
)
NOW_US = 100_000_000


def cards(text: str) -> tuple[Card, ...]:
    """`7H QC` as cards."""
    return tuple(Card(name) for name in text.split())


def names_of(players: int, teams: int) -> tuple[str, ...]:
    """Nour sits on seat 0, and Leïla is the first teammate clockwise."""
    names = list(NAMES[: players - 1])
    names.insert(teams, "Leïla")
    return tuple(names)


def seats(players: int, teams: int) -> tuple[PublicSeat, ...]:
    """Everybody in their place, looking at their partner."""
    return tuple(
        PublicSeat(
            name=name,
            team=team_of(seat, teams),
            presence=Presence.HERE,
            ready=False,
            cards=4,
            gaze=(seat + teams) % players,
        )
        for seat, name in enumerate(names_of(players, teams))
    )


def snapshot(players: int, teams: int, phase: Phase, **changes: object) -> Snapshot:
    """The public table."""
    plain = Snapshot(
        table="Salon",
        epoch=1,
        number=10,
        phase=phase,
        round=3,
        dealer=1,
        seats=seats(players, teams),
        cards=(),
        stock=20,
        discard=4,
        scores=(3, 2, 4, 0, 1, 2)[:teams],
    )
    return replace(plain, **changes)


def view(snap: Snapshot, sheet: RuleSheet | None = None) -> TableView:
    """What Nour knows."""
    return TableView(
        welcome=Welcome(
            version=1,
            hub="Living room",
            epoch=1,
            table="Salon",
            seat=0,
            sheet=sheet or load_sheet("tournament"),
            tempo=1.0,
            beat_ms=20,
        ),
        seated=Seated(seat=0, team="A", team_port=5573, team_topic="team/salon/A"),
        team_ready=True,
        snapshot=snap,
        moment=snap.number,
        hand_moment=snap.number,
    )


def slots(text: str, places: int = 4) -> tuple[Slot, ...]:
    """So many places with these cards."""
    there = [Slot(card=card) for card in cards(text)]
    return tuple((there + [Slot()] * places)[:places])


def state_of(known: TableView) -> ScreenState:
    """A screen at rest."""
    return ScreenState(view=known, now_us=NOW_US, link=Link(1_400, 600))


FEED = (
    Line(None, phrase("The hunt is open")),
    Line(1, phrase("{lay} for {take}", lay="4♠", take="Q♣")),
    Line(5, phrase("{lay} for {take}", lay="9♥", take="10♦")),
    Line(6, phrase("tugs ear"), Tone.GESTURE),
    Line(4, phrase("{lay} for {take}", lay="2♦", take="A♠")),
    Line(7, phrase("CONTRE!"), Tone.CALL),
    Line(8, phrase("coughs"), Tone.GESTURE),
    Line(9, phrase("{lay} for {take}", lay="K♠", take="7♥")),
)


def hunt(players: int = 12, teams: int = 6, sheet: str = "tournament") -> ScreenState:
    """In the middle of a hunt: cards on the table, things being done."""
    rules = load_sheet(sheet)
    snap = snapshot(
        players,
        teams,
        Phase.HUNT,
        cards=cards("7H QC 10D AS"),
        opened_at_us=NOW_US - 20_000_000,
        ends_us=NOW_US + 200_000_000,
    )
    known = replace(
        view(snap, rules.with_(target=5) if rules.target else rules),
        cards=snap.cards,
        hand=cards("7S KD 7C 4H"),
        opened_at_us=snap.opened_at_us,
        sign=(Gesture.NOSE, Gesture.EAR),
    )
    table = list(slots("7H QC 10D AS", 7))
    table[1] = Slot(card=Card("QC"), before=Card("4S"), since_us=NOW_US - 500_000)
    ago_us = NOW_US - 800_000
    took = phrase("took {cards}", cards="Q♣")
    coughing = min(2, players - 2) if teams != 2 else 3
    lasts = (
        Last(1, took, verbatim("Q♣"), Tone.PLAIN, ago_us),
        Last(teams, phrase("tugs ear"), phrase("ear"), Tone.GESTURE, ago_us),
        Last(coughing, phrase("coughs"), phrase("cough"), Tone.GESTURE, ago_us),
    )
    return replace(
        state_of(known),
        table=tuple(table),
        hand=slots("7S KD 7C 4H"),
        lasts=lasts,
        lines=tuple(line for line in FEED if line.who is None or line.who < players),
        tally=Tally(swaps=3, rounds=5),
    )


def picked(players: int = 12, teams: int = 6) -> ScreenState:
    """One card is picked up."""
    return replace(hunt(players, teams), lay=cards("7S"))


def _with_snapshot(state: ScreenState, **changes: object) -> ScreenState:
    assert state.view.snapshot is not None
    snap = replace(state.view.snapshot, **changes)
    return replace(state, view=replace(state.view, snapshot=snap))


def watched() -> ScreenState:
    """An opponent looks at Nour, a seat is away, a bot sits in."""
    state = hunt(6, 3)
    changed = list(state.view.seats)
    changed[1] = replace(changed[1], gaze=0)
    changed[2] = replace(changed[2], gaze=1)
    changed[4] = replace(changed[4], presence=Presence.AWAY)
    changed[5] = replace(changed[5], presence=Presence.BOT)
    return replace(_with_snapshot(state, seats=tuple(changed)), lasts=())


def eyed(looks_at: int = 1) -> ScreenState:
    """Nour looks at Samir, and sees that it is Samir who took the queen; nobody looks at Chloé.

    Whose 10♦ that was Nour was not told. Leïla looks at Nour.
    """
    state = hunt(4, 2)
    changed = list(state.view.seats)
    changed[0] = replace(changed[0], gaze=looks_at)
    lines = (
        FEED[0],
        FEED[1],
        Line(None, phrase("{lay} for {take}", lay="9♥", take="10♦"), Tone.UNSEEN),
    )
    lasts = tuple(last for last in state.lasts if last.seat == looks_at)
    return replace(_with_snapshot(state, seats=tuple(changed)), lasts=lasts, lines=lines)


def turning() -> ScreenState:
    """Nour has just turned to Chloé, and does not see her yet."""
    return replace(eyed(), gaze=3, gaze_at_us=NOW_US + 100_000)


def explained(sheet: str = "tournament") -> ScreenState:
    """The round is over, and what was done last is told."""
    lately = (
        SwapSeen(40, 1, cards("4S"), cards("QC"), NOW_US - 9_400_000),
        SwapSeen(41, 3, cards("9H"), cards("10D"), NOW_US - 6_100_000),
        SwapSeen(42, 0, cards("8D"), cards("KC"), NOW_US - 4_800_000),
        SwapSeen(43, 2, cards("JS"), cards("7C"), NOW_US - 2_300_000),
    )
    return _with_snapshot(judged(sheet, 4, 2), last_moments=lately)


def sweeping() -> ScreenState:
    """A sweep is proposed, and two have not answered."""
    sweep = SweepProposed(
        by=1, ends_us=NOW_US + 3_400_000, passed=(2, 4), missing=(0, 5), final=False
    )
    return _with_snapshot(hunt(6, 3), sweep=sweep)


def accusing(sheet: str = "tournament") -> ScreenState:
    """Contre has been said; whom?"""
    return replace(hunt(6, 3, sheet), mode=Mode.ACCUSE, accuse_until_us=NOW_US + 4_000_000)


def proving() -> ScreenState:
    """Nour was accused wrongly and owes a proof."""
    asked = ProofAsked(accused=(0,), shown_to=(1,), ends_us=NOW_US + 7_000_000)
    return replace(_with_snapshot(hunt(4, 2), proofs=(asked,)), lay=cards("KD"))


def accused(hand: str = "7S KD 7C 4H") -> ScreenState:
    """Nour is accused wrongly, and has chosen nothing yet."""
    return replace(proving(), lay=(), hand=slots(hand))


def proved() -> ScreenState:
    """Nour's proof was shown: to whom, and which cards."""
    shown = ProofShown(seat=0, cards=cards("KD 7S"), shown_to=(1,))
    return proof_shown(hunt(4, 2), shown)


def seeing_proof() -> ScreenState:
    """Samir has shown Nour's team a hand without a four."""
    shown = ProofShown(seat=1, cards=cards("9D 5S"), shown_to=(0, 2))
    return proof_shown(hunt(4, 2), shown)


def doubling() -> ScreenState:
    """The partner said Kem's; Double?"""
    window = DoubleWindow(caller=3, ends_us=NOW_US + 2_000_000)
    return _with_snapshot(hunt(6, 3, "classic"), double_window=window)


def counting(players: int = 6, teams: int = 3) -> ScreenState:
    """Three seconds to the first reveal."""
    snap = snapshot(players, teams, Phase.REVEAL, reveal_at_us=NOW_US + 2_600_000)
    known = replace(view(snap), hand=cards("7S KD 7C 4H"))
    return replace(
        state_of(known),
        hand=slots("7S KD 7C 4H"),
        lines=(Line(None, phrase("Round {number}: {who} deals", number=3, who="Samir")),),
    )


def lobby(players: int = 6, teams: int = 3, sheet: str = "party") -> ScreenState:
    """Some have come, some are ready."""
    snap = snapshot(players, teams, Phase.LOBBY, round=0, scores=(0,) * teams)
    changed = list(snap.seats)
    changed[1] = replace(changed[1], ready=True)
    changed[2] = replace(changed[2], presence=Presence.BOT, ready=True)
    changed[-1] = replace(changed[-1], presence=Presence.EMPTY, name="")
    snap = replace(snap, seats=tuple(changed))
    return state_of(view(snap, load_sheet(sheet)))


def huddle(players: int = 6, teams: int = 3) -> ScreenState:
    """The partner proposes a sign, and they talk."""
    snap = snapshot(players, teams, Phase.HUDDLE, ends_us=NOW_US + 42_000_000)
    known = replace(
        view(snap),
        proposals=((teams, (Gesture.NOSE, Gesture.EAR)),),
        talk=(Said(teams, "nose, then ear?"), Said(0, "too easy, they all do that")),
    )
    return replace(
        state_of(known),
        lines=(
            Line(teams, verbatim("nose, then ear?"), Tone.TALK),
            Line(0, verbatim("too easy, they all do that"), Tone.TALK),
        ),
        mode=Mode.TALK,
        typed="brow twi",
    )


def agreed() -> ScreenState:
    """The team has its sign."""
    state = huddle()
    sign = (Gesture.BROW, Gesture.TAP, Gesture.COUGH)
    known = replace(state.view, sign=sign, proposals=((3, sign), (0, sign)))
    return replace(state, view=known, mode=Mode.PLAY, typed="")


def judged(sheet: str = "party", players: int = 6, teams: int = 3) -> ScreenState:
    """Leïla held four sevens, Nour said Kem's."""
    verdict = Verdict(
        call=CallKind.KEMS,
        caller=0,
        accused=None,
        right=True,
        points=(1,) + (0,) * (teams - 1),
        ends_round=True,
        hands=(ShownHand(teams, cards("7S 7H 7D 7C")), ShownHand(0, cards("KD 10S 4H KC"))),
        at_us=NOW_US,
    )
    forfeit = Forfeit(winners=("A",), losers=("B", "C"), text=None) if sheet == "party" else None
    snap = snapshot(
        players,
        teams,
        Phase.VERDICT,
        verdict=verdict,
        forfeit=forfeit,
        ends_us=NOW_US + 6_000_000,
    )
    return state_of(view(snap, load_sheet(sheet)))


def finished() -> ScreenState:
    """The match is over, and won."""
    snap = snapshot(6, 3, Phase.OVER, scores=(10, 7, 4), winners=("A",))
    tally = Tally(swaps=37, lost_us=(12_000, 3_400, 41_000), calls_right=4, calls_wrong=1)
    return replace(state_of(view(snap)), tally=tally)


def decided(sheet: str = "tournament", players: int = 4, teams: int = 2) -> ScreenState:
    """The verdict of the round that decides the match."""
    state = judged(sheet, players, teams)
    over = _with_snapshot(
        state, phase=Phase.OVER, scores=(10, *range(teams - 1)), winners=("A",), ends_us=None
    )
    return replace(over, verdict_until_us=NOW_US + 6_000_000)


def signed() -> ScreenState:
    """Leïla has just made the team's sign, and a newcomer is told so."""
    state = hunt(4, 2)
    seen = (
        Seen(2, Gesture.NOSE, NOW_US - 1_500_000, SeenOn.TEAM),
        Seen(2, Gesture.EAR, NOW_US - 700_000, SeenOn.TEAM),
    )
    return replace(state, view=replace(state.view, gestures=seen), tally=Tally(swaps=3))


def laid() -> ScreenState:
    """Where laying and taking are two: five cards on the table, three in the hand."""
    state = hunt(4, 2, "classic")
    assert state.view.welcome is not None
    sheet = state.view.welcome.sheet.with_(exchange=Exchange.LAY_THEN_TAKE)
    on_table, held = cards("7H QC 10D AS 4H"), cards("7S KD 7C")
    known = replace(state.view, welcome=replace(state.view.welcome, sheet=sheet), hand=held)
    return replace(
        _with_snapshot(replace(state, view=replace(known, cards=on_table)), cards=on_table),
        table=tuple(Slot(card=card) for card in on_table) + (Slot(),) * 2,
        hand=slots("7S KD 7C"),
    )


def watching() -> ScreenState:
    """Somebody without a seat, in the middle of a hunt."""
    state = hunt(8, 4)
    assert state.view.welcome is not None
    welcome = replace(state.view.welcome, seat=None)
    known = replace(state.view, welcome=welcome, seated=None, hand=(), sign=None)
    return replace(state, view=known, hand=(Slot(),) * 4)


SCENES: dict[str, Callable[[], ScreenState]] = {
    "nothing": ScreenState,
    "hunt": hunt,
    "picked": picked,
    "hunt-of-four": lambda: hunt(4, 2),
    "hunt-of-nine": lambda: hunt(9, 3),
    "watched": watched,
    "eyes": eyed,
    "turning": turning,
    "explained": explained,
    "explained-party": lambda: explained("party"),
    "sweep": sweeping,
    "accuse": accusing,
    "accuse-team": lambda: accusing("party"),
    "proof": proving,
    "accused": accused,
    "proved": proved,
    "proof-seen": seeing_proof,
    "double": doubling,
    "countdown": counting,
    "lobby": lobby,
    "huddle": huddle,
    "agreed": agreed,
    "verdict": judged,
    "verdict-tournament": lambda: judged("tournament", 4, 2),
    "over": finished,
    "decided": decided,
    "decided-party": lambda: decided("party", 6, 3),
    "over-decided": lambda: replace(decided(), verdict_until_us=0),
    "signed": signed,
    "laid": laid,
    "watching": watching,
    "help": lambda: replace(hunt(4, 2), mode=Mode.HELP),
}
"""Every moment by name."""
