"""The hub's TCP connections as the system knows them: how much has come, from where, and their end.

libzmq owns them and tells little; the system tells the rest by their descriptors. Nothing is
decided here: `floodgate` and the hub do.
"""

import ctypes
import os
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache

if sys.platform != "win32":
    import resource

COUNTED = sys.platform.startswith("linux")
"""Whether the system tells how much has come over a connection."""
CAN_HANG_UP = sys.platform != "win32"
"""Whether a connection of libzmq's can be ended from outside: on Windows that ends the process."""
_ESTABLISHED = 1
_STATE_AT, _RECEIVED_AT, _RECORD_BYTES = 0, 128, 136
"""Where Linux's `struct tcp_info` has the state, and since 4.1 the bytes received."""
_ROUND_TRIP_AT, _WITH_ROUND_TRIP_BYTES = 148, 152
"""The shortest round trip of the last five minutes, in microseconds: `tcpi_min_rtt`, since 4.6."""
_NONE_YET = 2**32 - 1


@cache
def _library() -> ctypes.CDLL:
    """The C library, opened once: it is asked for each connection, often."""
    return ctypes.CDLL(None)


@cache
def _room_for_an_answer() -> tuple[
    "ctypes.Array[ctypes.c_char]", ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p
]:
    """Where the system writes what it knows of a connection: made once, for each swap asks."""
    record, size = ctypes.create_string_buffer(_WITH_ROUND_TRIP_BYTES), ctypes.c_uint()
    record_at, size_at = map(ctypes.c_void_p, map(ctypes.addressof, (record, size)))
    return record, size, record_at, size_at


def descriptors() -> list[int]:
    """Everything this process has open, connections among it, if `COUNTED`."""
    return [int(name) for name in os.listdir("/proc/self/fd")] if COUNTED else []


def identity_of(descriptor: int) -> int | None:
    """A number that no other connection has, not even the next one with the same descriptor.

    It is the inode of the socket on Linux; elsewhere it stands for the addresses and ports of both
    ends. None if the descriptor is no connection.
    """
    try:
        if COUNTED:
            return os.fstat(descriptor).st_ino
        line = socket.socket(fileno=descriptor)
    except OSError:
        return None
    try:
        return hash((line.getsockname(), line.getpeername()))
    except OSError:
        return None
    finally:
        line.detach()


def bytes_received(among: Iterable[int]) -> dict[int, tuple[int, int]]:
    """By descriptor, the identity of each that is a TCP connection and how much has come over it.

    Empty unless `COUNTED`.
    """
    delivered: dict[int, tuple[int, int]] = {}
    if COUNTED and sys.platform != "win32":
        getsockopt, tcp, of_tcp = _library().getsockopt, socket.IPPROTO_TCP, socket.TCP_INFO
        record, size = ctypes.create_string_buffer(_RECORD_BYTES), ctypes.c_uint()
        record_at, size_at = map(ctypes.c_void_p, map(ctypes.addressof, (record, size)))
        for number in among:
            size.value = _RECORD_BYTES
            # Asked for first: if the number changes hands in between, the next look finds that out.
            identity = identity_of(number)
            if identity is None or getsockopt(number, tcp, of_tcp, record_at, size_at):
                continue  # it is something else
            answer = record.raw
            if size.value == _RECORD_BYTES and answer[_STATE_AT] == _ESTABLISHED:
                delivered[number] = identity, int.from_bytes(answer[_RECEIVED_AT:], sys.byteorder)
    return delivered


def round_trip_us(descriptor: int, identity: int) -> int | None:
    """The shortest round trip that the system has seen on a connection lately; None if it is gone.

    Acknowledgements are sent by the other machine's kernel, which no program there can hold
    back. None also where the system does not tell.
    """
    if not COUNTED or sys.platform == "win32":
        return None
    record, size, record_at, size_at = _room_for_an_answer()
    size.value = _WITH_ROUND_TRIP_BYTES
    getsockopt, tcp, of_tcp = _library().getsockopt, socket.IPPROTO_TCP, socket.TCP_INFO
    if identity_of(descriptor) != identity or getsockopt(
        descriptor, tcp, of_tcp, record_at, size_at
    ):
        return None
    answer = record.raw
    if size.value < _WITH_ROUND_TRIP_BYTES or answer[_STATE_AT] != _ESTABLISHED:
        return None
    least_us = int.from_bytes(answer[_ROUND_TRIP_AT:], sys.byteorder)
    return least_us if least_us < _NONE_YET else None


def ends_of(descriptor: int) -> tuple[int, str] | None:
    """The port at our end of a connection and the address at the other; None if it is none."""
    try:
        line = socket.socket(fileno=descriptor)
    except OSError:
        return None
    try:
        return int(line.getsockname()[1]), str(line.getpeername()[0])
    except OSError:
        return None
    finally:
        line.detach()


def hang_up(descriptor: int, identity: int) -> None:
    """End a connection. libzmq, which has no call for that, finds it closed by the other end.

    It may be closed already, and its descriptor another's: so only the one of that identity.
    Nothing happens unless `CAN_HANG_UP`.
    """
    if not CAN_HANG_UP:
        return
    try:
        held = os.dup(descriptor)  # while this is open the connection can't become another one
    except OSError:
        return
    try:
        line = socket.socket(fileno=held)
    except OSError:
        os.close(held)
        return
    with line, suppress(OSError):  # it may be gone by now
        line.getpeername()  # a socket that listens has none
        if identity_of(held) == identity:
            line.shutdown(socket.SHUT_RDWR)


def make_room(connections: int) -> None:
    """Let this process have so many connections, as far as the system allows."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = connections if hard == resource.RLIM_INFINITY else min(connections, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def give_back_memory() -> None:
    """Give memory that is free by now back to the system, which keeps it for us otherwise."""
    if COUNTED:
        trim = getattr(_library(), "malloc_trim", None)  # other C libraries have none
        if trim is not None:
            trim(0)
