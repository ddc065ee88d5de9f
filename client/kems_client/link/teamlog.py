"""The numbered messages of one's team, put in order. Pure.

They come over a PUB, so some can be lost: a number that is missing shows it, also by the beacon
that repeats the last number every second. What is missing is asked for over the ROUTER.
"""

from kems_net.messages import TeamBeacon, TeamMessage

ASK_AGAIN_US = 400_000
"""A gap is asked for again after so long: well over a round trip, well under a second."""


class TeamLog:
    """Which of a team's messages were handed on, and which are missing.

    Call `take_ready` after each arrival: it gives what can be handed on now, in order, once.
    """

    def __init__(self) -> None:
        self.ready = False
        """A beacon has come over the team socket now open."""
        self._last = 0
        self._announced = 0
        self._early: dict[int, TeamMessage] = {}
        self._asked_us: int | None = None

    def opened(self, *, same_team: bool) -> None:
        """A new socket to the team's topic was opened; another team's numbers start anew."""
        self.ready = False
        self._asked_us = None
        if not same_team:
            self._last = self._announced = 0
            self._early.clear()

    def heard(self, message: TeamMessage | TeamBeacon) -> None:
        """Something came over the team socket."""
        match message:
            case TeamMessage():
                self._keep(message)
            case TeamBeacon():
                self.ready = True
                if message.number < self._last:  # the hub counts from the start again
                    self._last = 0
                    self._early.clear()
                self._announced = message.number

    def filled(self, messages: tuple[TeamMessage, ...]) -> None:
        """The hub sent what was missing, as far as it still has it: the rest is given up."""
        self._asked_us = None
        for message in messages:
            self._keep(message)
        known = [number for number in self._early if number > self._last]
        self._last = (min(known) - 1) if known else max(self._last, self._announced)

    def take_ready(self) -> list[TeamMessage]:
        """What follows without a gap on what was handed on before."""
        ready = []
        while (message := self._early.pop(self._last + 1, None)) is not None:
            self._last += 1
            ready.append(message)
        return ready

    def missing_after(self, now_us: int) -> int | None:
        """The number to ask `AskTeamGap` with now, if something is missing and not just asked."""
        if self._announced <= self._last:
            return None
        if self._asked_us is not None and now_us < self._asked_us + ASK_AGAIN_US:
            return None
        self._asked_us = now_us
        return self._last

    def _keep(self, message: TeamMessage) -> None:
        if message.number > self._last:
            self._early[message.number] = message
            self._announced = max(self._announced, message.number)
