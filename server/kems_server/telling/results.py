"""What the host is told of a round, or a match, that is over."""

from kems_server.rules.happenings import MatchEnded, RoundEnded
from kems_server.rules.state import Table
from kems_server.telling.effects import MatchOver, RoundOver


def result_of(ended: RoundEnded | MatchEnded, table: Table, name: str) -> RoundOver | MatchOver:
    """How it ended; `table` is the table afterwards, `name` what it is called."""
    match ended:
        case RoundEnded():
            return RoundOver(name, table.round, ended.verdict, table.scores)
        case MatchEnded():
            return MatchOver(name, table.scores, table.winners, table.round)
