from kems_server.transport.gate import DISCOVERY_DOMAIN, GLOBAL_DOMAIN, Gate, team_domain

KEY = bytes(range(32))
OTHER = bytes(range(1, 33))


def question(domain: bytes, key: bytes, mechanism: bytes = b"CURVE") -> list[bytes]:
    return [b"1.0", b"7", domain, b"192.0.2.7", b"", mechanism, key]


def is_let_in(gate: Gate, domain: bytes, key: bytes) -> bool:
    return gate.answer(question(domain, key))[2] == b"200"


def test_anybody_with_a_key_comes_in_where_all_may_and_is_known_by_it() -> None:
    gate = Gate(bytes.hex)
    assert gate.answer(question(GLOBAL_DOMAIN, KEY)) == [
        b"1.0", b"7", b"200", b"OK", KEY.hex().encode(), b"",
    ]  # fmt: skip


def test_nobody_hears_a_team_before_its_players_are_known() -> None:
    assert not is_let_in(Gate(bytes.hex), team_domain("main", "A"), KEY)


def test_a_player_hears_their_own_team_and_no_other() -> None:
    gate = Gate(bytes.hex)
    gate.admit(team_domain("main", "A"), frozenset({KEY.hex()}))
    gate.admit(team_domain("main", "B"), frozenset({OTHER.hex()}))
    assert is_let_in(gate, team_domain("main", "A"), KEY)
    assert not is_let_in(gate, team_domain("main", "B"), KEY)


def test_who_left_a_team_is_let_in_no_more_and_named_as_gone() -> None:
    gate = Gate(bytes.hex)
    domain = team_domain("main", "A")
    assert gate.admit(domain, frozenset({KEY.hex(), OTHER.hex()})) == frozenset()
    assert gate.admit(domain, frozenset({OTHER.hex()})) == {KEY.hex(), OTHER.hex()}
    assert not is_let_in(gate, domain, KEY)
    assert is_let_in(gate, domain, OTHER)


def test_a_key_that_has_been_cut_off_is_let_in_nowhere() -> None:
    gate = Gate(bytes.hex)
    gate.admit(team_domain("main", "A"), frozenset({KEY.hex(), OTHER.hex()}))
    gate.hears = lambda key: key != KEY.hex()
    for domain in (GLOBAL_DOMAIN, team_domain("main", "A")):
        assert not is_let_in(gate, domain, KEY)
        assert is_let_in(gate, domain, OTHER)


def test_at_the_endpoint_anybody_is_let_in_without_a_key_and_with_one_nobody() -> None:
    gate = Gate(bytes.hex)
    assert gate.answer(question(DISCOVERY_DOMAIN, b"", b"NULL")[:6])[2:5] == [b"200", b"OK", b""]
    assert not is_let_in(gate, DISCOVERY_DOMAIN, KEY)
    assert gate.answer(question(GLOBAL_DOMAIN, b"", b"NULL")[:6])[2] == b"400"


def test_a_key_is_asked_for_and_no_password_will_do() -> None:
    gate = Gate(bytes.hex)
    for bad in (
        question(GLOBAL_DOMAIN, b"", b"NULL"),
        question(GLOBAL_DOMAIN, b"word", b"PLAIN"),
        question(GLOBAL_DOMAIN, KEY[:31]),
        question(b"", KEY),
        question(GLOBAL_DOMAIN, KEY)[:6],
        [],
    ):
        assert gate.answer(bad)[2] == b"400"
