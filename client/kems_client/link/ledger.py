"""A player's requests that wait: for their answer, or for the team channel. Pure."""

from kems_client.link.heard import NeverAnswered
from kems_net.messages import Accepted, Command, Refused, Request

TEAM_WAIT_US = 3_000_000
"""A `Ready` waits so long for the team channel; then the hub may judge."""


class Ledger:
    """The ids given and the requests that are open."""

    def __init__(self) -> None:
        self.held_until_us: int | None = None
        """When what is held is sent at the latest."""
        self._next_id = 1
        self._open: dict[int, Command] = {}
        self._held: list[Request] = []

    def next_id(self) -> int:
        """An id above all before it."""
        self._next_id += 1
        return self._next_id - 1

    def begin_after(self, last_id: int) -> None:
        """The hub has settled ids up to this one: new ones lie above."""
        self._next_id = max(self._next_id, last_id + 1)

    def asked(self, request: Request) -> None:
        """A request was made and waits for its answer."""
        self._open[request.id] = request.command

    def answered(self, answer: Accepted | Refused) -> bool:
        """An answer came; whether it was still waited for."""
        return self._open.pop(answer.id, None) is not None

    @property
    def newest_sent(self) -> int | None:
        """The newest id that was sent and waits for its answer."""
        held = {request.id for request in self._held}
        return max((number for number in self._open if number not in held), default=None)

    def give_up(self, up_to: int | None, *, settled: bool) -> list[NeverAnswered]:
        """Stop waiting for the answers up to an id, or for all of them (None)."""
        numbers = [number for number in self._open if up_to is None or number <= up_to]
        return [NeverAnswered(n, self._open.pop(n), settled) for n in numbers]

    @property
    def holds(self) -> bool:
        """Whether requests are held back: those after them must wait too, ids only grow."""
        return bool(self._held)

    def hold(self, request: Request, now_us: int) -> None:
        """Keep a request back till `release`."""
        if not self._held:
            self.held_until_us = now_us + TEAM_WAIT_US
        self._held.append(request)

    def release(self) -> list[Request]:
        """What was held, to be sent (or forgotten) now."""
        held, self._held, self.held_until_us = self._held, [], None
        return held
