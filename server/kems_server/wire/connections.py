"""The hub's TCP connections as the system knows them: how much has come, from where, and their end.

libzmq owns them and tells little; the system tells the rest by their descriptors. Nothing is
decided here: `floodgate` and the hub do.
"""

import ctypes
import os
import socket
import sys
from collections.abc import Iterable
from functools import cache

if sys.platform != "win32":
    import resource

COUNTED = sys.platform.startswith("linux")
"""Whether the system tells how much has come over a connection."""
_ESTABLISHED = 1
_STATE_AT, _RECEIVED_AT, _RECORD_BYTES = 0, 128, 136
"""Where Linux's `struct tcp_info` has the state, and since 4.1 the bytes received."""


@cache
def _library() -> ctypes.CDLL:
    """The C library, opened once: it is asked for each connection, often."""
    return ctypes.CDLL(None)


def descriptors() -> list[int]:
    """Everything this process has open, connections among it, if `COUNTED`."""
    return [int(name) for name in os.listdir("/proc/self/fd")] if COUNTED else []


def bytes_received(among: Iterable[int]) -> dict[int, int]:
    """By descriptor, how much has come over each that is a TCP connection, if `COUNTED`."""
    told: dict[int, int] = {}
    if COUNTED and sys.platform != "win32":
        getsockopt, tcp, of_tcp = _library().getsockopt, socket.IPPROTO_TCP, socket.TCP_INFO
        record, size = ctypes.create_string_buffer(_RECORD_BYTES), ctypes.c_uint()
        record_at, size_at = map(ctypes.c_void_p, map(ctypes.addressof, (record, size)))
        for number in among:
            size.value = _RECORD_BYTES
            if getsockopt(number, tcp, of_tcp, record_at, size_at):
                continue  # it is something else
            answer = record.raw
            if size.value == _RECORD_BYTES and answer[_STATE_AT] == _ESTABLISHED:
                told[number] = int.from_bytes(answer[_RECEIVED_AT:], sys.byteorder)
    return told


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


def hang_up(descriptor: int, address: str) -> None:
    """End a connection. libzmq, which has no call for that, finds it closed by the other end.

    It may be closed already, and its number another's: so only if the other end has that address.
    """
    try:
        line = socket.socket(fileno=descriptor)
    except OSError:
        return
    try:
        if _plain(str(line.getpeername()[0])) == _plain(address):
            line.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # it is gone, or a listening socket has its number
    finally:
        line.detach()


def _plain(address: str) -> str:
    """Without the interface that follows a link-local address."""
    return address.partition("%")[0]


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
