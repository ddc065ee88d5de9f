"""What the bench of the duel says of rounds that were counted."""

import pytest

from bench.duel_facts import Contre, Four, KemsSaid, Round, Signal
from bench.duel_figures import (
    contres,
    four_ends,
    guess,
    guessed,
    lengths,
    matches_won,
    median,
    points_share,
    share,
    timing_auc,
)
from kems_net.gestures import Gesture, Sign

NOSE, EAR, TAP = Gesture.NOSE, Gesture.EAR, Gesture.TAP
SIGN: Sign = (NOSE, EAR)


def _round(a: int = 0, b: int = 0, length_s: float = 60.0) -> Round:
    return Round(opened_us=10**6, ended_us=10**6 + round(length_s * 10**6), points=[a, b])


def _said(*seen: Gesture, sign: Sign = SIGN) -> KemsSaid:
    """A Kem's of team A before which seat 1 had seen these of seat 0."""
    return KemsSaid(0, sign, ((1, seen), (3, ())), None)


def test_a_share_lies_in_its_interval_which_narrows_with_more() -> None:
    few, many = share(3, 10), share(300, 1000)
    assert few.low < few.value == many.value == 0.3 < few.high
    assert many.high - many.low < few.high - few.low
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)


def test_points_are_shared_between_a_team_and_the_average_of_the_others() -> None:
    two = points_share([(_round(3, 1), 0), (_round(0, 1), 1)])
    assert two.value == pytest.approx(4 / 5)
    three = Round(points=[2, 1, 3])
    assert points_share([(three, 0)]).value == pytest.approx(0.5)
    assert points_share([(_round(), 0)]).value == 0.5


def test_matches_are_counted_to_the_target_one_after_another() -> None:
    rounds = [(_round(2, 0), 0), (_round(0, 1), 0), (_round(1, 0), 0), (_round(0, 3), 0)]
    won = matches_won(rounds, 3)
    assert (won.value, won.count) == (0.5, 2)


def test_fours_and_contres_are_counted_by_what_came_of_them() -> None:
    each = _round()
    each.fours = [Four(0, 1, end="kems"), Four(1, 1, end="contre"), Four(2, 1)]
    each.contres = [
        Contre(0, "B", right=True, on_gesture=True, on_swaps=False),
        Contre(1, "A", right=True, on_gesture=False, on_swaps=False),
        Contre(2, "B", right=False, on_gesture=True, on_swaps=True),
    ]
    each.moments, each.moments_seen = 10, 2
    ends, said = four_ends([each]), contres([each])
    assert [round(ends[kind].value, 2) for kind in ("kems", "contre", "unused")] == [0.33] * 3
    assert said["wrong"].value == pytest.approx(1 / 3)
    assert (said["seen"].value, said["random"].value) == (0.5, 0.2)


def test_lengths_are_told_by_the_middle_and_by_how_many_are_in_time() -> None:
    long = lengths([_round(length_s=s) for s in (10, 40, 50, 130)], 30, 120)
    assert long["median_s"].value == 50
    assert long["within"].value == 0.5
    assert long["stalemates"].value == 1
    assert median([]).count == 0


def test_timing_that_says_nothing_is_half_and_timing_that_says_all_is_one() -> None:
    def auc(signs: range, decoys: range) -> float:
        each = _round()
        each.signals = [Signal(0, meant=True, after_us=at) for at in signs]
        each.signals += [Signal(0, meant=False, after_us=at) for at in decoys]
        return timing_auc([each]).value

    assert auc(range(10), range(10)) == pytest.approx(0.5)
    assert auc(range(10), range(20, 30)) == auc(range(20, 30), range(10)) == 1


def test_a_naive_observer_guesses_what_came_before_every_kems() -> None:
    kems = [_said(TAP, *SIGN), _said(*SIGN), _said(*SIGN, TAP)]
    assert guess(1, "A", 2, kems) == SIGN
    assert guess(3, "A", 2, kems) is None
    assert guess(1, "B", 2, kems) is None


def test_a_guess_is_right_only_if_it_is_the_sign_that_is_used_at_last() -> None:
    rounds = [_round() for _ in range(6)]
    for each in rounds[:3]:
        each.kems = [_said(*SIGN)]
    known = guessed(rounds, 4, 2)
    assert (known.value, known.count) == (0.5, 2)
    rounds[5].kems = [_said(TAP, sign=(TAP,))]
    assert guessed(rounds, 4, 2).value == 0
