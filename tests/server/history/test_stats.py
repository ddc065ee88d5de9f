from pathlib import Path

from msgspec.structs import replace

from kems_net.cards import Card
from kems_net.messages import Phase
from kems_net.sheetfile import load_sheet
from kems_server.history.stats import Team, figures
from kems_server.journal.history import SUBSTITUTES
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.journal.sessions import close_session
from kems_server.players.lobby import Occupant
from kems_server.rules.events import MatchEnded, MatchStarted, RaceLost, SeatTaken
from kems_server.rules.state import new_table
from kems_server.rules.table import evolve
from kems_server.views.journal_entry import Happened, Placing, SeatsTaken, Step
from tests.server.recorded import RecordedSession, bot_settings

TABLE = new_table(load_sheet("party"), 4, 2)


def test_a_match_of_bots_is_counted_as_it_was_played(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings("tournament"), seed=3).play()
    found = figures(session.journal)
    table = session.table
    assert (found.matches, found.rounds) == (1, table.round)
    assert len(found.players) == 4
    assert all(player.bot and player.matches == 1 for player in found.players)
    winners = {player.name for player in found.players if player.won}
    (letter,) = table.winners
    assert winners == {f"bot {seat}" for seat in range(4) if "AB"[seat % 2] == letter}
    assert [player.won for player in found.players] == [1, 1, 0, 0], "who won most comes first"
    said = sum(player.calls_right + player.calls_wrong for player in found.players)
    assert said == sum(call.right + call.wrong for call in found.calls) >= table.round
    races = session.journal.rows("SELECT count(*) FROM races")[0][0]
    assert sum(player.races_won for player in found.players) == races
    assert sum(player.races_lost for player in found.players) == races == len(found.margins_us)
    assert found.reactions_us == tuple(sorted(found.reactions_us)) != ()
    assert {team.names for team in found.teams} == {("bot 0", "bot 2"), ("bot 1", "bot 3")}
    session.journal.close()


def test_the_same_bots_are_the_same_players_in_another_match(tmp_path: Path) -> None:
    for _ in range(2):
        session = RecordedSession(tmp_path, bot_settings(), seed=4).play()
        close_session(session.journal)
        found = figures(session.journal)
        session.journal.close()
    assert found.matches == 2
    assert [player.matches for player in found.players] == [2, 2, 2, 2]
    assert sum(team.won for team in found.teams) == 2


def test_races_of_a_bot_that_sat_in_count_for_no_person_but_the_match_does(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    people = tuple(Placing(Occupant(name, name, bot=False)) for name in ("Ana", "Bo", "Cy", "Dee"))
    sat_in = Placing(replace(people[0].occupant, substitute="key of a bot"))
    table, steps = TABLE, []
    for event in (
        MatchStarted(at_us=2, dealer=0),
        RaceLost(at_us=3, seat=1, card=Card("QH"), to=0, margin_us=7_000),
        MatchEnded(at_us=4, winners=("A",)),
    ):
        table = evolve(table, event)
        steps.append(Step(event, table))
    taken = SeatsTaken("main", 2, (sat_in, *people[1:]))
    journal.write([taken, Happened("main", TABLE, tuple(steps), {})], 5)
    found = {player.name: player for player in figures(journal).players}
    journal.close()
    assert (found["Ana"].won, found["Ana"].races_won) == (1, 0)
    assert (found[SUBSTITUTES].races_won, found[SUBSTITUTES].bot) == (1, True)
    assert found["Bo"].races_lost == 1


def test_races_and_reactions_of_a_round_are_counted_when_it_is_over(tmp_path: Path) -> None:
    session = RecordedSession(tmp_path, bot_settings("tournament"), seed=3)
    session.play(until=Phase.HUNT)
    while not session.journal.rows("SELECT count(*) FROM reactions")[0][0]:
        session.steps(1)
    assert session.table.phase is Phase.HUNT
    assert figures(session.journal).reactions_us == ()
    session.play(until=Phase.VERDICT)
    assert figures(session.journal).reactions_us != ()
    session.journal.close()


def test_a_person_is_known_by_their_key_and_a_team_by_its_people(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    keys = ("a", "b", "c", "d")
    for names in (("Ana", "Bo", "Cy", "Dee"), ("Anna", "Bo", "Cy", "Dee")):
        placings = tuple(
            Placing(Occupant(key, name, bot=False)) for key, name in zip(keys, names, strict=True)
        )
        table, steps = TABLE, []
        for event in (
            SeatTaken(at_us=1, seat=0),
            MatchStarted(at_us=2, dealer=0),
            RaceLost(at_us=3, seat=1, card=Card("QH"), to=0, margin_us=7_000),
            MatchEnded(at_us=4, winners=("A",)),
        ):
            table = evolve(table, event)
            steps.append(Step(event, table))
        journal.write(
            [SeatsTaken("main", 2, placings), Happened("main", TABLE, tuple(steps), {})], 5
        )
    found = figures(journal)
    journal.close()
    anna = found.players[0]
    assert (anna.name, anna.matches, anna.won) == ("Anna", 2, 2)
    assert (anna.races_won, anna.won_by_us, anna.lost_by_us) == (2, 7_000, None)
    assert found.teams[0] == Team(("Ana", "Cy"), 1, 1)


def test_an_empty_journal_has_empty_figures(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / FILE_NAME)
    found = figures(journal)
    assert (found.matches, found.players, found.calls) == (0, (), ())
    journal.close()
