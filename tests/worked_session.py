"""The worked session of docs/protocol.md, as a real hub plays it with four peers, seen by Ana.

`python -m tests.worked_session` prints it; a test holds it against the document.
"""

import json
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import to_builtins

from kems_net.cards import Card
from kems_net.gestures import Gesture
from kems_net.messages import (
    PROTOCOL_VERSION,
    Beat,
    CallContre,
    CallKems,
    Command,
    FromPlayer,
    Hello,
    HubPing,
    HubPong,
    Leave,
    Look,
    MakeGesture,
    Message,
    Phase,
    Ping,
    Probe,
    Ready,
    Request,
    ShareSign,
    ShowProof,
    Snapshot,
    Swap,
    TeamBeacon,
    Welcome,
)
from tests.server.gathering import EPOCH, Gathering, hub_settings

HUB_KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
COLUMNS = 96
REST = "..."
"""Stands for what is left out."""


class Session:
    """Four peers at a hub, and what Ana sends and hears, as text."""

    def __init__(self) -> None:
        self.gathering = Gathering(hub_settings(name="Kem's at Ana's"), seed=3)
        self.gathering.hub.listens({("main", "A"): 5573, ("main", "B"): 5574})
        self.ana, self.bo, self.cleo, self.dee = (self.gathering.fake_player() for _ in range(4))
        self.lines: list[str] = []
        self._ids = 0
        self._heard = {"hub": 0, "public": len(self.gathering.public), "team": 0}
        self._shown: dict[str, Any] = {}

    @property
    def now_us(self) -> int:
        return self.gathering.now_us

    def tell(self, words: str) -> None:
        """A remark."""
        wrapped = textwrap.wrap(words, COLUMNS, initial_indent="# ", subsequent_indent="# ")
        self.lines += ["", *wrapped] if self.lines else wrapped

    def probe(self) -> None:
        self._write(">", "probe", Probe(PROTOCOL_VERSION))
        self._write("<", "probe", self.gathering.hub.probe_answer(HUB_KEY, 5571, 5572))

    def say(self, message: FromPlayer) -> None:
        """Ana says something, and hears what follows at once."""
        self._write(">", "hub", message)
        self.ana.send(message)
        self.hear()

    def ask(self, command: Command, *, pressed_ms_ago: int = 0) -> None:
        """Ana asks for something, and hears what follows within a tenth of a second."""
        self._ids += 1
        stamp_us = self.now_us - 1000 * pressed_ms_ago
        message = Request(self._ids, EPOCH, stamp_us, command)
        self._write(">", "hub", message)
        self.ana.send(message)
        self.pass_time(0.1)

    def pass_time(self, seconds: float) -> None:
        """Time passes, and Ana hears what comes."""
        while seconds > 0:
            step = min(seconds, 0.25)
            self.gathering.wait(step)
            for fake_player in (self.ana, self.bo, self.cleo, self.dee):
                fake_player.beat()
                fake_player.pong()
            seconds -= step
        self.hear()

    def quiet(self) -> None:
        """A moment in which nobody beats: a press can't be stamped before one's last beat."""
        self.gathering.wait(0.02)

    def hear(self) -> None:
        """Write down what Ana has heard and has not been written yet, without what is repeated."""
        self._hear("hub", self.ana.inbox, lambda message: not isinstance(message, HubPing))
        self._hear("public", self.gathering.public, self._is_news)
        team = self.gathering.team["main", "A"]
        self._hear("team", team, lambda message: not isinstance(message, TeamBeacon))

    def show(self, where: str, message: Message) -> None:
        """Write down one message that is left out elsewhere."""
        self._write("<", where, message)

    def _hear(
        self, where: str, messages: Sequence[Message], wanted: Callable[[Message], bool]
    ) -> None:
        for message in messages[self._heard[where] :]:
            if wanted(message):
                self._write("<", where, message)
        self._heard[where] = len(messages)

    def _is_news(self, message: Message) -> bool:
        return not isinstance(message, Snapshot) or message.number != self._shown.get("number")

    def _write(self, latency: str, where: str, message: Message) -> None:
        parts = to_builtins(message, builtin_types=(Card,))
        if isinstance(message, Welcome):
            parts["sheet"] = REST
        if isinstance(message, Hello):
            del parts["substitute"]  # as everybody leaves it out
        if isinstance(message, Snapshot):
            before, self._shown = self._shown, parts
            parts = _changed(before, parts, ("type", "number", "phase")) if before else parts
        text = json.dumps(parts, ensure_ascii=False).replace(f'"{REST}": "{REST}"', REST)
        self.lines += textwrap.wrap(
            text.replace(f'"{REST}"', REST),
            COLUMNS,
            initial_indent=f"{latency} {where:<7}",
            subsequent_indent=" " * 9,
            break_long_words=False,
            break_on_hyphens=False,
        )


def _changed(
    before: dict[str, Any], after: dict[str, Any], always: Sequence[str]
) -> dict[str, Any]:
    """What is new in a map, and three dots for the rest."""
    kept = {k: v for k, v in after.items() if k in always or v != before[k]}
    if "seats" in kept:
        kept["seats"] = [
            REST if new == old else _changed(old, new, ("type", "name"))
            for old, new in zip(before["seats"], after["seats"], strict=True)
        ]
    if "news" in kept:
        fresh = [news for news in after["news"] if news not in before["news"]]
        kept["news"] = [*([REST] if len(fresh) < len(after["news"]) else []), *fresh]
    return {**kept, REST: REST} if len(kept) < len(after) else kept


def session() -> str:
    """The whole of it."""
    s = Session()
    _arrive(s)
    _agree(s)
    _hunt(s)
    _accuse(s)
    _end(s)
    return "\n".join(s.lines) + "\n"


def _arrive(s: Session) -> None:
    s.tell(
        "The discovery endpoint, over a REQ socket without CURVE. It gives the hub's key and ports."
    )
    s.probe()
    s.tell(
        "DEALER and SUB, with CURVE. The hello says who comes. The welcome's sheet is left out "
        "here (see Rule sheets). Before the first deal the hand is empty. The snapshot is shown "
        "whole this once; later ones show only what has changed."
    )
    s.say(Hello(PROTOCOL_VERSION, "Ana", "A", program="example 0.1"))
    s.tell("She opens a SUB to port 5573. Its first beacon shows that the team channel works.")
    s.pass_time(0.3)
    s.show("team", TeamBeacon(0))
    s.tell(
        "What is the hub's time? sent_us is her own clock and comes back as it was. If her clock "
        "shows 5400 when the pong comes, the hub's time is hers + hub_us - 5200, to 200 or better."
    )
    s.say(Ping(5000))
    s.tell("The hub measures the way to her as well; she answers at once.")
    s.pass_time(1)
    pinged = [message for message in s.ana.inbox if isinstance(message, HubPing)][-1]
    s.show("hub", pinged)
    s.say(HubPong(pinged.nonce))
    s.tell("From now on beats go out every 250 ms. They are left out below, as is what repeats.")
    s.say(Beat(s.now_us))


def _agree(s: Session) -> None:
    s.tell("The others come. Cleo is of team A as well.")
    for fake_player, name, team in ((s.bo, "Bo", "B"), (s.cleo, "Cleo", "A"), (s.dee, "Dee", "B")):
        fake_player.hello(name, team)
    s.pass_time(0.1)
    s.tell("Ana proposes a sign; Cleo takes it by repeating it. Team B hears nothing of this.")
    sign = (Gesture.NOSE, Gesture.EAR)
    s.ask(ShareSign(sign))
    s.cleo.ask(ShareSign(sign))
    s.pass_time(0.1)
    s.tell("All are ready, Ana last: the match begins with a huddle.")
    for fake_player in (s.bo, s.cleo, s.dee):
        fake_player.ask(Ready())
    s.pass_time(0.1)
    s.ask(Ready())
    s.tell("All are ready again, Ana last: the deal. The table cards lie face down.")
    for fake_player in (s.bo, s.cleo, s.dee):
        fake_player.ask(Ready())
    s.pass_time(0.1)
    s.ask(Ready())


def _hunt(s: Session) -> None:
    s.tell("The countdown is over: faces turn, and by this sheet the hunt opens with them.")
    while s.gathering.snapshot().phase is not Phase.HUNT:
        s.pass_time(0.05)
    s.pass_time(1)
    s.tell(
        "A swap, stamped with hub time at the key press, 12 ms before it arrives. All see which "
        "cards went and came; whose hand it was she is told herself, and whoever looks at her."
    )
    s.quiet()
    wanted = s.gathering.snapshot().cards[0]
    s.ask(Swap((s.ana.hand[0],), (wanted,)), pressed_ms_ago=12)
    s.tell(
        "Bo reaches for a card, and so does Ana, 3 ms later. Nothing of hers moves, and she "
        "is told who was faster; the others, who do not look at Bo, are not."
    )
    s.quiet()
    wanted = s.gathering.snapshot().cards[1]
    s.bo.ask(Swap((s.bo.hand[0],), (wanted,)), pressed_ms_ago=9)
    s.ask(Swap((s.ana.hand[1],), (wanted,)), pressed_ms_ago=6)
    s.tell("Cleo scratches her nose. Ana's gaze rests on her, so the team is told at once.")
    s.cleo.ask(MakeGesture(Gesture.NOSE))
    s.pass_time(0.1)
    s.tell("She looks at Bo, seat 1, and half a second later sees a wink. Nobody else is told.")
    s.ask(Look(1))
    s.pass_time(0.5)
    s.bo.ask(MakeGesture(Gesture.WINK))
    s.pass_time(0.1)
    s.tell("Bo swaps again while Ana's gaze rests on Bo: she is told who it was.")
    s.bo.ask(Swap((s.bo.hand[1],), (s.gathering.snapshot().cards[2],)))
    s.pass_time(0.1)


def _accuse(s: Session) -> None:
    s.tell("Ana says Contre-Kem's against team B, and is wrong: by this sheet no point is lost.")
    s.ask(CallContre("B"))
    s.tell("Each of team B shows the accusers two cards of different rank; Dee is too slow.")
    ranks = {card.rank: card for card in s.bo.hand}
    s.bo.ask(ShowProof(tuple(ranks.values())[:2]))
    s.pass_time(10.2)
    s.tell("She has no contre left in this round.")
    s.ask(CallContre("B"))


def _end(s: Session) -> None:
    s.tell("Ana says Kem's, but Cleo holds no four: a point for team B, and the round is over.")
    s.ask(CallKems())
    s.tell("A swap of hers, pressed a moment after that, comes too late.")
    s.quiet()
    s.ask(Swap((s.ana.hand[0],), (s.bo.hand[0],)), pressed_ms_ago=10)
    s.tell("She leaves for good.")
    s.ask(Leave())


if __name__ == "__main__":
    print(session(), end="")
