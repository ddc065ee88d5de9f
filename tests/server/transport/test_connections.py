"""What the system tells of TCP connections, and how one is ended."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from kems_server.transport.connections import (
    bytes_received,
    descriptors,
    ends_of,
    hang_up,
    identity_of,
    round_trip_us,
)

Pair = tuple[socket.socket, socket.socket, int]
TRIES = 10_000


@pytest.fixture
def pair() -> Iterator[Pair]:
    """The hub's end of a connection, the other end, and the hub's port."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        other = stack.enter_context(socket.create_connection(listening.getsockname()))
        ours = stack.enter_context(listening.accept()[0])
        yield ours, other, listening.getsockname()[1]


def known(descriptor: int) -> int:
    """The identity of what is a connection."""
    identity = identity_of(descriptor)
    assert identity is not None
    return identity


@pytest.mark.linux
def test_what_has_come_over_a_connection_is_known_before_it_is_read(pair: Pair) -> None:
    ours, other, _ = pair
    other.sendall(b"x" * 1234)
    for tries in count():
        if bytes_received(descriptors())[ours.fileno()][1] == 1234:
            break
        assert tries < TRIES
    assert 0 not in bytes_received(descriptors())
    theirs = other.fileno()
    assert bytes_received([theirs]) == {theirs: (identity_of(theirs), 0)}


@pytest.mark.linux
def test_the_shortest_round_trip_is_known_and_a_program_that_answers_late_does_not_change_it(
    pair: Pair,
) -> None:
    ours, other, _ = pair
    identity = known(ours.fileno())
    for _ in range(3):
        ours.sendall(b"ping")
        other.recv(4)
        other.sendall(b"pong, by a program that took its time")
        ours.recv(100)
    seen = round_trip_us(ours.fileno(), identity)
    assert seen is not None
    assert seen < 10_000, "loopback takes microseconds"
    assert round_trip_us(ours.fileno(), identity + 1) is None
    assert round_trip_us(0, known(0)) is None


def test_both_ends_of_a_connection_are_known(pair: Pair) -> None:
    ours, other, port = pair
    assert ends_of(ours.fileno()) == (port, "127.0.0.1")
    assert ends_of(other.fileno()) == (other.getsockname()[1], "127.0.0.1")
    ours.sendall(b"both still work")
    assert other.recv(100) == b"both still work"


@pytest.mark.posix(reason="libzmq aborts on Windows if its socket is shut, so the hub shuts none")
def test_a_connection_is_ended_from_outside_of_who_owns_it(pair: Pair) -> None:
    ours, other, _ = pair
    hang_up(ours.fileno(), known(ours.fileno()))
    assert other.recv(100) == b""


@pytest.mark.posix(reason="nothing is shut on Windows")
def test_who_has_the_descriptor_of_a_connection_just_closed_is_another_and_let_alone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        gone = socket.create_connection(listening.getsockname())
        accepted = listening.accept()[0]
        number, identity = accepted.fileno(), known(accepted.fileno())
        accepted.close()
        gone.close()
        with socket.create_connection(listening.getsockname()) as other:
            ours = listening.accept()[0]
            if ours.fileno() != number:  # the system gave it another one
                os.dup2(ours.fileno(), number)
                ours = socket.socket(fileno=number)
            with ours:
                assert identity_of(number) not in (identity, None)
                hang_up(number, identity)
                other.sendall(b"still here")
                assert ours.recv(100) == b"still here"


@pytest.mark.posix(reason="descriptors of files and of sockets are one kind of number there alone")
def test_what_is_no_connection_can_be_asked_and_ended_without_harm() -> None:
    reading, writing = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        for number in (reading, 2**20, listening.fileno()):
            assert ends_of(number) is None
            hang_up(number, identity_of(number) or 0)
        with socket.create_connection(listening.getsockname()) as other:
            listening.accept()[0].close()
            assert other.recv(1) == b""
    os.write(writing, b"x")
    assert os.read(reading, 1) == b"x"
    os.close(reading)
    os.close(writing)


@pytest.mark.posix(reason="limits of a process are POSIX")
@pytest.mark.parametrize(("soft", "wanted", "got"), [(64, 100, 100), (64, 10, 64)])
def test_room_is_made_for_connections_and_never_taken(soft: int, wanted: int, got: int) -> None:
    program = (
        "import resource; from kems_server.transport.connections import make_room;"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, hard)); make_room({wanted});"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE), hard)"
    )
    said = subprocess.run((sys.executable, "-c", program), capture_output=True, check=True).stdout
    now, hard, before = (int(word) for word in said.split())
    assert (now, hard) == (got, before)


@pytest.mark.posix(reason="limits of a process are POSIX")
def test_no_more_room_is_made_than_the_system_allows() -> None:
    program = (
        "import resource; from kems_server.transport.connections import make_room;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 80)); make_room(100);"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    said = subprocess.run((sys.executable, "-c", program), capture_output=True, check=True).stdout
    assert said.split() == [b"80", b"80"]


@pytest.mark.linux
def test_memory_that_is_free_again_is_given_back() -> None:
    program = (
        "from kems_server.transport.connections import give_back_memory; from pathlib import Path\n"
        "held = lambda: int(Path('/proc/self/statm').read_text().split()[1]) * 4096\n"
        "taken = [bytes(50_000) for _ in range(2000)]; keeps = bytes(50_000); most = held()\n"
        "del taken; give_back_memory(); print(most - held())"
    )
    said = subprocess.run((sys.executable, "-c", program), capture_output=True, check=True).stdout
    assert int(said) > 90_000_000
