"""What a hub's discovery endpoint answers, as lines of text too, and typed addresses. Pure."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kems_client.endings import NoHubError, RefusingError
from kems_net.codec import WireError, decode_probe_answer, spoken_version
from kems_net.errors import UsageError
from kems_net.messages import PROTOCOL_VERSION, ProbeAnswer, TableLine
from kems_net.phrases import counted, in_english
from kems_net.sanitize import clean_name
from kems_net.topics import DISCOVERY_PORT

MAX_NAME_COLUMNS = 60
"""Of a hub's name: half as many again as our hubs allow, for wide letters are cut sooner."""
NAMELESS = "a hub"
"""What a hub is called whose name can't be seen."""
_LONGEST_NAME, _LONGEST_LABEL = 253, 63
"""Characters of a host's name, and between two of its dots (RFC 1035)."""


class Endpoint(Struct, frozen=True):
    """A hub whose discovery endpoint has answered."""

    host: str
    port: int
    answer: ProbeAnswer


def read_endpoint(host: str, port: int, frame: bytes) -> Endpoint:
    """The hub that answered so.

    Raises:
        RefusingError: it speaks another version.
        NoHubError: it is no hub of Kem's.
    """
    theirs = spoken_version(frame)
    if theirs is not None and theirs != PROTOCOL_VERSION:
        raise RefusingError(version_line(theirs))
    try:
        answer = decode_probe_answer(frame)
    except WireError:
        raise NoHubError(f"what answers at {address(host, port)} is no hub of Kem's") from None
    name = clean_name(answer.name, MAX_NAME_COLUMNS) or NAMELESS
    return Endpoint(host, port, replace(answer, name=name))


def another_hub(old: Endpoint, new: Endpoint) -> str | None:
    """Why the hub that answers now can't be the one we were joined to; None if it can."""
    if new.answer.key != old.answer.key:
        return "another hub, with another key, has taken its place"
    return None


def has_moved(old: Endpoint, new: Endpoint) -> bool:
    """Whether the hub has come back on other ports."""
    ports = (old.answer.router_port, old.answer.public_port)
    return ports != (new.answer.router_port, new.answer.public_port)


def version_line(theirs: int) -> str:
    """One line for the person whose hub speaks another version than this client."""
    older = "this client (pip install -U kems-net)" if theirs > PROTOCOL_VERSION else "the hub"
    return (
        f"the hub speaks version {theirs}, this client version {PROTOCOL_VERSION}: update {older}"
    )


def address(host: str, port: int) -> str:
    """Host and port as one types them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def read_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST[:PORT]`, where an IPv6 host with a port stands in brackets.

    Raises:
        UsageError: it is no address.
    """
    host, port = _split(text.strip())
    if not host or any(c.isspace() or c in "/[]" for c in host):
        raise UsageError(
            f"--connect {text!r}: write HOST or HOST:PORT, as 192.168.1.7:{DISCOVERY_PORT}"
        )
    if len(host) > _LONGEST_NAME or max(map(len, host.split("."))) > _LONGEST_LABEL:
        raise UsageError(f"--connect {host[:40]}...: no machine has so long a name")
    if port is None:
        return host, DISCOVERY_PORT
    if not (port.isascii() and port.isdigit() and 1 <= int(port) <= 65535):
        raise UsageError(f"--connect {text!r}: {port!r} is no port; a port is 1 to 65535")
    return host, int(port)


def _split(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        good = bracket and (not rest or rest.startswith(":"))
        return (host, rest[1:] if rest else None) if good else ("", None)
    if text.count(":") == 1:
        host, _, port = text.partition(":")
        return host, port
    return text, None


def list_of(endpoints: Sequence[Endpoint]) -> list[str]:
    """The hubs and their tables, as lines."""
    lines = []
    for endpoint in endpoints:
        lines.append(hub_line(endpoint))
        lines += [f"    {table_line(table)}" for table in endpoint.answer.tables]
    return lines


def hub_line(endpoint: Endpoint) -> str:
    """A hub in a line of text."""
    code = "; asks for a code" if endpoint.answer.code_needed else ""
    return f"{endpoint.answer.name} at {address(endpoint.host, endpoint.port)}{code}"


def table_line(table: TableLine) -> str:
    """A table in a line of text."""
    free = in_english(counted("1 seat free", "{count} seats free", table.free_seats))
    return f"table {table.name}: {table.sheet}, {table.players} players, {free}, {table.phase}"
