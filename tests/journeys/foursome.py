"""Four programs at one table, in the lobby of a hub of their own."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.journeys.hosting import Hosted
from tests.journeys.playing import Program, Said


class Foursome:
    """The players of seats 0 to 3: A1, B1, A2, B2."""

    def __init__(self, players: tuple[Program, ...]) -> None:
        self.players = players

    @property
    def table(self) -> Said:
        """The newest snapshot that anybody has."""
        return max((p.last["snapshot"] for p in self.players), key=lambda s: int(s["number"]))

    def hand(self, seat: int) -> list[str]:
        """A player's hand, as they know it."""
        return list(self.players[seat].last["hand"]["hand"])

    def reach(self, phase: str) -> None:
        """All have heard that the table is in a phase."""
        for player in self.players:
            player.catch_up("snapshot", lambda s: bool(s["phase"] == phase))

    def to_the_hunt(self) -> None:
        """From the lobby into the hunt of the first round."""
        for phase in ("huddle", "hunt"):
            for player in self.players:
                player.must("ready")
            self.reach(phase)
        for player in self.players:
            player.catch_up("hand", lambda h: len(h["hand"]) == 4)


@contextmanager
def foursome(home: Path, sheet: str) -> Iterator[Foursome]:
    """Four programs in the lobby of a hub that plays by a sheet, each with a key of its own."""
    with ExitStack() as stack:
        quick = ("--port", "0", "--bind", "127.0.0.1", "--tempo", "0.05", "--seed", "11")
        hosted = stack.enter_context(Hosted(home, "--rules", sheet, "--players", "4", *quick))
        address = f"127.0.0.1:{hosted.until('listening')['discovery_port']}"
        players = []
        for name, team in (("ana", "A"), ("bo", "B"), ("cy", "A"), ("di", "B")):
            player = Program(
                home, "--connect", address, "--name", name, "--team", team, "--profile", name
            )
            stack.enter_context(player)
            player.until("seated")
            player.catch_up("snapshot", lambda _: True)
            players.append(player)
        yield Foursome(tuple(players))
