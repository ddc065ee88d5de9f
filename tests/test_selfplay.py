"""Bots against bots at the real hub, with no socket: what the bench of the duel counts is true."""

import pytest

from bench.duel_facts import Round
from bench.selfplay import SelfPlay, setting
from kems_client.bots.skill_profile import Level, Pace, skill_profile_of
from kems_net.cards import team_of
from kems_net.messages import CallKind

HARD = skill_profile_of(Level.HARD, Pace.HUMAN)


def _played(sheet: str = "party", players: int = 4, rounds: int = 6, seed: int = 3) -> list[Round]:
    return SelfPlay(setting(sheet, players, [HARD] * players, seed)).play(rounds)


def test_the_same_seed_plays_the_same_match() -> None:
    assert _played() == _played()
    assert _played(seed=4) != _played()


@pytest.mark.parametrize(("sheet", "players"), [("tournament", 4), ("letters", 4), ("party", 6)])
def test_rounds_have_a_length_a_verdict_and_points_as_the_verdict_says(
    sheet: str, players: int
) -> None:
    for each in _played(sheet, players):
        assert each.verdict is not None
        assert each.length_s > 0
        assert sum(each.points) >= (each.verdict.call is not None and each.verdict.right)


def test_whoever_held_a_four_that_was_called_is_counted_as_its_holder() -> None:
    ends = []
    for each in _played(rounds=20):
        verdict = each.verdict
        assert verdict is not None
        ends += [four.end for four in each.fours]
        if verdict.right and verdict.call is CallKind.KEMS:
            assert any(four.end == "kems" for four in each.fours)
            teams = {team_of(said.signer, 2) for said in each.kems}
            assert teams == {team_of(verdict.caller or 0, 2)}
        if verdict.right and verdict.call is CallKind.CONTRE:
            assert any(four.end == "contre" for four in each.fours)
            assert each.contres[-1].right
    assert {"kems", "contre"} <= set(ends)


def test_nobody_is_shown_more_of_swaps_than_what_their_eyes_rested_on() -> None:
    play = SelfPlay(setting("party", 4, [HARD] * 4, 5))
    play.play(4)
    for bot in play.bots:
        seen = [move.seat for move in bot.view.moves]
        assert seen.count(bot.seat) < len(seen)
        assert None in seen
