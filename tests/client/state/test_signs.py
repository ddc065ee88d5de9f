from kems_client.state.signs import agreed_sign, with_proposal
from kems_net.gestures import Gesture

NOSE = (Gesture.NOSE,)
YAWN = (Gesture.YAWN, Gesture.TAP)
TWO_PEOPLE = frozenset({0, 2})


def test_a_players_last_proposal_counts() -> None:
    proposals = with_proposal(with_proposal((), 0, NOSE), 0, YAWN)
    assert proposals == ((0, YAWN),)


def test_two_people_must_both_share_a_sign() -> None:
    assert agreed_sign(((0, NOSE), (2, YAWN)), TWO_PEOPLE, None) is None
    assert agreed_sign(((0, NOSE), (2, NOSE)), TWO_PEOPLE, None) == NOSE


def test_the_newest_agreement_of_a_big_team_counts() -> None:
    four = ((0, NOSE), (3, NOSE), (6, YAWN), (9, YAWN))
    assert agreed_sign(four, frozenset({0, 3, 6, 9}), NOSE) == YAWN


def test_the_only_person_of_a_team_decides() -> None:
    assert agreed_sign(((0, NOSE), (2, YAWN)), frozenset({2}), None) == YAWN
    assert agreed_sign(((0, NOSE),), frozenset({2}), None) is None
