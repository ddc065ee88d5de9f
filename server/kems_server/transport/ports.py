"""Where a hub listens: addresses and ports as values, before and after its sockets are open."""

from collections.abc import Sequence

from msgspec import Struct

from kems_net.cards import Team
from kems_net.errors import UsageError
from kems_net.topics import PUBLIC_STEP, ROUTER_STEP, team_port

LOOPBACK = "127.0.0.1"
EVERY_IPV4, EVERY_IPV6 = "0.0.0.0", "::"
_LAST_PORT = 65535


class Ports(Struct, frozen=True):
    """The port of each of a hub's sockets."""

    endpoint: int
    router: int
    public: int
    teams: dict[tuple[str, Team], int]
    """By table and team."""

    def every(self) -> tuple[int, ...]:
        """All of them, the discovery endpoint's first."""
        return (self.endpoint, self.router, self.public, *self.teams.values())


def wanted_ports(port: int, tables: Sequence[str], teams: Sequence[Team]) -> Ports:
    """The ports counted up from the discovery endpoint's; all 0 if that is 0.

    Raises:
        UsageError: they would not all be ports.
    """
    pairs = [(index, table, team) for index, table in enumerate(tables) for team in teams]
    if port == 0:
        return Ports(0, 0, 0, {(table, team): 0 for _, table, team in pairs})
    by_team = {(table, team): team_port(port, index, team) for index, table, team in pairs}
    ports = Ports(port, port + ROUTER_STEP, port + PUBLIC_STEP, by_team)
    if not 0 < port <= max(ports.every()) <= _LAST_PORT:
        raise UsageError(
            f"--port {port}: the hub needs ports {port} to {max(ports.every())}, "
            f"and they end at {_LAST_PORT}"
        )
    return ports


def endpoint(address: str, port: int) -> str:
    """How ZeroMQ writes where to listen; port 0 for any free one."""
    host = f"[{address}]" if ":" in address else address
    return f"tcp://{host}:{port or '*'}"


def nearest_address(binds: Sequence[str]) -> str:
    """The address by which this machine itself reaches a hub that listens there."""
    if any(address in (EVERY_IPV4, EVERY_IPV6, LOOPBACK) for address in binds):
        return LOOPBACK
    return binds[0]


def reachable_by(binds: Sequence[str], machine: Sequence[str]) -> tuple[str, ...]:
    """The addresses to type, the likeliest first; `machine` are those it has, in that order."""
    if EVERY_IPV6 in binds:
        found = tuple(machine)
    elif EVERY_IPV4 in binds:
        found = tuple(address for address in machine if ":" not in address)
    else:
        found = tuple(binds)
    return found or (LOOPBACK,)


def typed(address: str, port: int) -> str:
    """The address and the port as a player types them."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
