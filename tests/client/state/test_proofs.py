from msgspec.structs import replace

from kems_client.state.proofs import may_prove, proof_keys, proven, shown_to
from kems_net.messages import Phase, ProofAsked
from kems_net.phrases import in_english
from tests.client.drawn import accused, cards, hunt, proving, snapshot


def test_a_proof_is_shown_to_a_player_by_name_or_to_a_team_by_its_letter() -> None:
    view = hunt(4, 2).view
    assert in_english(shown_to(view, (1,))) == "Samir"
    assert in_english(shown_to(view, (1, 3))) == "team B"
    assert in_english(shown_to(view, (1, 2))) == "Samir, Leïla"


def test_after_one_card_the_keys_of_other_ranks_are_left() -> None:
    assert proof_keys(accused("7S 7D 7C 4H")) == "S D F G"
    chosen = replace(accused("7S 7D 7C 4H"), lay=cards("7D"))
    assert proof_keys(chosen) == "G"
    assert not may_prove(chosen, cards("7S")[0])
    assert proof_keys(proving()) == "S F G"


def test_what_is_owed_no_more_has_been_proved() -> None:
    before = snapshot(4, 2, Phase.HUNT, proofs=(ProofAsked((1, 3), (0, 2), 9),))
    after = replace(before, proofs=(ProofAsked((3,), (0, 2), 9),))
    assert proven(before, after) == ((1, (0, 2)),)
    assert proven(before, before) == ()
