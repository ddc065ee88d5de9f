"""A membership over wires that are two lists: no socket, no hub, only frames."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator

import pytest

from kems_client.endings import NoHubError, RefusingError
from kems_client.link.endpoints import Endpoint
from kems_client.link.heard import ConnectionLost, Heard, HubGone
from kems_client.link.membership import MAX_TURN_FRAMES, Membership, Origin
from kems_net.codec import decode_from_player, encode
from kems_net.messages import (
    PROTOCOL_VERSION,
    Accepted,
    CallKems,
    Farewell,
    FarewellReason,
    FromPlayer,
    Hello,
    HubPing,
    HubPong,
    Leave,
    Message,
    Ping,
    Pong,
    Request,
    Welcome,
)
from tests.client.scenes import probe_answer, seated, snapshot, welcome

DISCOVERY = Endpoint("lou", 5570, probe_answer("k" * 40, 1, 2))
HELLO = Hello(PROTOCOL_VERSION, "ana")


class PaperWires:
    """Frames in and out, on paper. The hub at the other end answers hellos and pings."""

    def __init__(self, on_edge: Callable[[], None], answer: Message) -> None:
        self.sent: list[FromPlayer] = []
        self.teams: list[bytes] = []
        self.opened: list[Endpoint] = []
        self.closed = False
        self.break_next: Exception | None = None
        self._edge = on_edge
        self._answer = answer
        self._frames: list[tuple[Origin, list[bytes]]] = []

    def say(self, message: Message, line: Origin = Origin.HUB) -> None:
        self._frames.append((line, [encode(message)]))
        self._edge()

    def frames_behind(self, frames: list[tuple[Origin, list[bytes]]]) -> None:
        self._frames += frames
        self._edge()

    def connection(self, line: Origin) -> None:
        self._frames.append((line, []))
        self._edge()

    def open(self, endpoint: Endpoint) -> None:
        self.opened.append(endpoint)
        self._frames.append((Origin.UP, []))

    def open_team(self, endpoint: Endpoint, port: int, topic: bytes) -> None:
        assert endpoint == self.opened[-1]
        assert port == 5573
        self.teams.append(topic)

    def read(self) -> Iterator[tuple[Origin, list[bytes]]]:
        if self.break_next is not None:
            raise self.break_next
        while self._frames:
            yield self._frames.pop(0)

    def send(self, frame: bytes) -> bool:
        message = decode_from_player(frame)
        self.sent.append(message)
        if isinstance(message, Hello):
            self._frames.append((Origin.HUB, [encode(self._answer)]))
        if isinstance(message, Ping):
            pong = Pong(message.sent_us, message.sent_us + 1_000)
            self._frames.append((Origin.HUB, [encode(pong)]))
        return True

    def shut(self) -> None:
        self._frames.clear()

    def close(self) -> None:
        self.closed = True


Scene = Callable[[Membership, PaperWires], Coroutine[None, None, None]]


def play(
    scene: Scene, answer: Message | None = None, endpoint: Endpoint | Exception = DISCOVERY
) -> list[PaperWires]:
    """The scene, with a member who has entered."""
    made: list[PaperWires] = []

    async def probe(host: str, port: int, timeout_s: float) -> Endpoint:
        assert (host, port, timeout_s) == ("lou", 5570, 1.0)
        if isinstance(endpoint, Exception):
            raise endpoint
        return endpoint

    async def session() -> None:
        loop = asyncio.get_running_loop()

        def wires(on_edge: Callable[[], None]) -> PaperWires:
            made.append(PaperWires(on_edge, answer or welcome()))
            return made[-1]

        member = Membership(DISCOVERY, HELLO, lambda: int(loop.time() * 1e6), 2.5, wires, probe)
        async with member:
            await member.enter()
            await scene(member, made[0])

    asyncio.run(asyncio.wait_for(session(), 20))
    return made


async def until(member: Membership, kind: type[Heard]) -> Heard:
    async for message in member.messages():
        if isinstance(message, kind):
            return message
    raise AssertionError(f"no {kind.__name__}")


def test_a_member_has_entered_when_they_are_welcome_and_knows_the_time() -> None:
    async def scene(member: Membership, wires: PaperWires) -> None:
        assert wires.sent[0] == HELLO
        assert member.welcome == welcome()
        assert member.clock.synced
        assert abs(member.hub_now_us() - member.local_us() - 1_000) < 5_000

    [wires] = play(scene)
    assert wires.closed


def test_a_request_goes_out_at_once_and_its_answer_is_heard() -> None:
    async def scene(member: Membership, wires: PaperWires) -> None:
        number = member.send(CallKems(), stamp_us=7)
        assert wires.sent[-1] == Request(number, welcome().epoch, 7, CallKems())
        wires.say(Accepted(number))
        assert await until(member, Accepted) == Accepted(number)

    play(scene)


def test_a_seat_opens_the_teams_socket_and_the_hubs_ping_is_answered() -> None:
    async def scene(_member: Membership, wires: PaperWires) -> None:
        wires.say(seated())
        assert wires.teams == [b"team/kems/A/"]
        wires.say(HubPing(9))
        assert HubPong(9) in wires.sent

    play(scene)


def test_a_flood_of_frames_is_read_in_turns() -> None:
    async def scene(member: Membership, wires: PaperWires) -> None:
        flood = [(Origin.PUBLIC, [b"table/kems/", encode(snapshot(n))]) for n in range(1, 1_200)]
        wires.frames_behind(flood)
        last = 0
        async for message in member.messages():
            number = getattr(message, "number", 0)
            last = max(last, number)
            if last == 1_199:
                break
        assert last > 2 * MAX_TURN_FRAMES

    play(scene)


def test_a_hub_that_refuses_is_quoted_by_name() -> None:
    async def scene(_member: Membership, _wires: PaperWires) -> None:
        raise AssertionError("not reached")

    with pytest.raises(RefusingError, match="Lou's hub: no seat is free"):
        play(scene, Farewell(FarewellReason.FULL, "no seat is free"))


def test_who_leaves_waits_for_the_goodbye_only_so_long() -> None:
    async def scene(member: Membership, wires: PaperWires) -> None:
        leaving = asyncio.ensure_future(member.close(leave=True))
        await asyncio.sleep(0)
        assert isinstance(wires.sent[-1], Request)
        assert wires.sent[-1].command == Leave()
        wires.say(Farewell(FarewellReason.LEFT, "bye"))
        await asyncio.wait_for(leaving, 0.3)
        await member.close()

    play(scene)


def test_a_hub_known_to_be_gone_ends_the_messages() -> None:
    async def scene(member: Membership, _wires: PaperWires) -> None:
        member.give_up("it ended")
        member.give_up("it ended twice")
        assert await until(member, HubGone) == HubGone("it ended")

    play(scene)


def test_a_hub_that_moved_is_followed_and_a_stranger_in_its_place_is_not() -> None:
    moved = Endpoint("lou", 5570, probe_answer("k" * 40, 3, 4))
    stranger = Endpoint("lou", 5570, probe_answer("x" * 40, 1, 2))

    async def away(member: Membership, wires: PaperWires) -> None:
        wires.connection(Origin.DOWN)
        await until(member, ConnectionLost)

    async def follows(member: Membership, wires: PaperWires) -> None:
        await away(member, wires)
        await until(member, Welcome)
        assert wires.opened == [DISCOVERY, moved]
        assert member.endpoint == moved

    async def refuses(member: Membership, wires: PaperWires) -> None:
        await away(member, wires)
        gone = await until(member, HubGone)
        assert isinstance(gone, HubGone)
        assert "another key" in gone.reason

    async def names_versions(member: Membership, wires: PaperWires) -> None:
        await away(member, wires)
        assert await until(member, HubGone) == HubGone("the hub speaks version 9")

    async def keeps_trying(member: Membership, wires: PaperWires) -> None:
        await away(member, wires)
        gone = await until(member, HubGone)
        assert isinstance(gone, HubGone)
        assert "does not answer" in gone.reason

    play(follows, endpoint=moved)
    play(refuses, endpoint=stranger)
    play(names_versions, endpoint=RefusingError("the hub speaks version 9"))
    play(keeps_trying, endpoint=NoHubError("nobody answers"))


def test_a_bug_in_a_turn_stops_the_player_instead_of_being_lost() -> None:
    async def scene(member: Membership, wires: PaperWires) -> None:
        wires.break_next = ZeroDivisionError("a bug")
        wires.connection(Origin.UP)
        with pytest.raises(ZeroDivisionError, match="a bug"):
            await until(member, HubGone)

    play(scene)
