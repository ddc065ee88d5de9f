"""Who is here and how it stands, as the host's console shows it: a fold of the events. Pure."""

from dataclasses import dataclass, field, replace

from kems_net.cards import Team
from kems_server.host.notice_lines import AnyLine, Note, in_words, scores_in_words
from kems_server.views.notices import (
    CameBack,
    Closing,
    Disconnected,
    GoingOn,
    Joined,
    Left,
    Listening,
    MatchOver,
    Misbehaved,
    Recording,
    RoundOver,
    SatIn,
    SubstituteWanted,
    WentSilent,
)


@dataclass(frozen=True)
class Present:
    """Somebody at a table."""

    table: str
    name: str
    team: Team | None
    """None: watches."""
    bot: bool
    away: bool = False
    sat_in: bool = False
    """A bot plays for them while they are away."""


@dataclass(frozen=True)
class Roster:
    """What the notices so far say."""

    people: tuple[Present, ...] = ()
    scores: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """By table, since its first round ended."""
    opening: Listening | None = None
    client: str = "kems-client"
    """What one types to start the client."""


def after(roster: Roster, notice: AnyLine) -> Roster:
    """The roster once this has happened."""
    match notice:
        case Joined(table, name, _seat, team, bot):
            others = _without(roster, table, name)
            return replace(roster, people=(*others, Present(table, name, team, bot)))
        case Left(table, name):
            return replace(roster, people=_without(roster, table, name))
        case WentSilent(table, name):
            return _with_away(roster, table, name, away=True)
        case CameBack(table, name):
            return _with_away(roster, table, name, away=False)
        case SatIn(table, name):
            return _with_away(roster, table, name, away=True, sat_in=True)
        case RoundOver(table=table, scores=scores) | MatchOver(table=table, scores=scores):
            return replace(roster, scores=roster.scores | {table: scores})
        case Listening():
            return replace(roster, opening=notice)
        case GoingOn(table=table, people=people, scores=scores):
            for joined in people:
                roster = after(roster, joined)
            return replace(roster, scores=roster.scores | {table: scores})
        case Closing() | Misbehaved() | Disconnected() | Recording() | Note() | SubstituteWanted():
            return roster


def _without(roster: Roster, table: str, name: str) -> tuple[Present, ...]:
    return tuple(each for each in roster.people if (each.table, each.name) != (table, name))


def _with_away(
    roster: Roster, table: str, name: str, *, away: bool, sat_in: bool = False
) -> Roster:
    people = tuple(
        replace(each, away=away, sat_in=sat_in)
        if (each.table, each.name) == (table, name)
        else each
        for each in roster.people
    )
    return replace(roster, people=people)


def who_in_words(roster: Roster) -> str:
    """Who is here, a line each."""
    if not roster.people:
        return "nobody is here yet"
    ordered = sorted(roster.people, key=lambda each: (each.table, each.team or "~", each.name))
    return "\n".join(_line(each) for each in ordered)


def _line(present: Present) -> str:
    place = "watches" if present.team is None else f"team {present.team}"
    states = ("bot", present.bot), ("away", present.away), ("a bot sits in", present.sat_in)
    marks = [word for word, is_so in states if is_so]
    return f"{present.table}  {place}  {present.name}" + (
        f"  ({', '.join(marks)})" if marks else ""
    )


def score_in_words(roster: Roster) -> str:
    """How it stands, a line a table."""
    if not roster.scores:
        return "no round has ended yet"
    return "\n".join(f"{table}  {scores_in_words(each)}" for table, each in roster.scores.items())


def addresses_in_words(roster: Roster) -> str:
    """What players type to join."""
    return "not open yet" if roster.opening is None else in_words(roster.opening, roster.client)
