"""Names of tables, topics and ports, made and read in one place.

A message on a topic is two frames: the topic, then the message. Elsewhere a message is one frame.
"""

import re

from kems_net.cards import TEAM_LETTERS, Team

DISCOVERY_PORT = 5570
ROUTER_STEP = 1
PUBLIC_STEP = 2
TEAM_STEP = 3
TEAMS_PER_TABLE = len(TEAM_LETTERS)
"""Team ports are DOOR_PORT + 3 + 6 * table + team, unless the hub took free ones."""

_TABLE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,23}")


def is_table_name(text: str) -> bool:
    """Whether the text can name a table: 1 to 24 letters, digits and hyphens."""
    return _TABLE_NAME.fullmatch(text) is not None


def table_topic(table: str) -> bytes:
    """The public topic of a table's snapshots. Ends in a slash: no name is another's prefix."""
    return f"table/{table}/".encode()


def team_topic(table: str, team: Team) -> bytes:
    """The team-only topic of a team."""
    return f"team/{table}/{team}/".encode()


def team_port(base: int, table: int, team: Team) -> int:
    """The default port of a team's own PUB, for the table's index from 0."""
    return base + TEAM_STEP + TEAMS_PER_TABLE * table + TEAM_LETTERS.index(team)
