"""Keys and known hubs, on a real file system and with real processes."""

import stat
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kems_net.errors import UsageError
from kems_net.identity import (
    Identity,
    KnownHubs,
    MakePair,
    Trust,
    home_folder,
    keep_hub_pair,
    known_folder,
    known_hubs,
    load_hub_identity,
    load_identity,
)

KEY_ONE = "1" * 40
KEY_TWO = "2" * 40
HOLD_THE_KEY = """
import sys
from pathlib import Path
from kems_net.identity import load_identity
held = load_identity(Path(sys.argv[1]), lambda: ("p" * 40, "s" * 40))
print("temporary" if held.temporary else "kept", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def make_pair() -> MakePair:
    """Pairs that can be told apart: the first is 00…, the second 11…"""
    numbers = count()

    def make() -> tuple[str, str]:
        digit = str(next(numbers))
        return digit * 40, f"{digit}x" * 20

    return make


def let_go(identity: Identity) -> None:
    assert identity.lock is not None
    identity.lock.release()


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has loaded the key of `tmp_path`."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_THE_KEY, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "kept\n"
        yield process
        process.kill()


def test_a_player_is_the_same_person_at_the_next_party(tmp_path: Path, make_pair: MakePair) -> None:
    first = load_identity(tmp_path, make_pair)
    let_go(first)
    again = load_identity(tmp_path, make_pair)
    let_go(again)
    assert (again.public, again.secret) == (first.public, first.secret)
    assert not again.temporary


def test_each_profile_is_somebody_else(tmp_path: Path, make_pair: MakePair) -> None:
    ana = load_identity(tmp_path, make_pair, "ana")
    bo = load_identity(tmp_path, make_pair, "bo")
    assert ana.public != bo.public
    assert not bo.temporary
    let_go(ana)
    let_go(bo)


@pytest.mark.parametrize("name", ["", "../ana", "a b", "a.b", "é", "a" * 41, "ana\n"])
def test_a_profile_name_cannot_leave_the_folder(
    name: str, tmp_path: Path, make_pair: MakePair
) -> None:
    with pytest.raises(UsageError, match="letters, digits"):
        load_identity(tmp_path, make_pair, name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.posix(reason="who may read a file is said by its mode")
def test_nobody_else_on_the_machine_can_read_a_key(tmp_path: Path, make_pair: MakePair) -> None:
    let_go(load_identity(tmp_path, make_pair))
    path = tmp_path / "default.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    let_go(load_identity(tmp_path, make_pair))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_secret_is_not_printed_with_its_identity(tmp_path: Path, make_pair: MakePair) -> None:
    identity = load_identity(tmp_path, make_pair)
    let_go(identity)
    assert identity.public in repr(identity)
    assert identity.secret not in repr(identity)


@pytest.mark.usefixtures("holder")
def test_a_second_client_of_one_person_gets_a_temporary_key(
    tmp_path: Path, make_pair: MakePair
) -> None:
    second = load_identity(tmp_path, make_pair)
    assert second.temporary
    assert second.public != "p" * 40
    assert (tmp_path / "default.key").read_text(encoding="utf-8").count("p" * 40) == 1


def test_a_client_killed_at_once_leaves_its_key_free(
    tmp_path: Path, make_pair: MakePair, holder: subprocess.Popen[str]
) -> None:
    holder.kill()
    holder.wait()
    again = load_identity(tmp_path, make_pair)
    let_go(again)
    assert (again.public, again.temporary) == ("p" * 40, False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "public = ",
        f'public = "{KEY_ONE}"\n',
        f'public = "{KEY_ONE}"\nsecret = "short"\n',
        f'public = 7\nsecret = "{KEY_ONE}"\n',
        "# " + "x" * 5000,
    ],
)
def test_a_damaged_key_file_is_named_and_kept(
    text: str, tmp_path: Path, make_pair: MakePair
) -> None:
    path = tmp_path / "default.key"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"default\.key is damaged"):
        load_identity(tmp_path, make_pair)
    assert path.read_text(encoding="utf-8") == text


def test_a_key_file_of_random_bytes_is_damaged(tmp_path: Path, make_pair: MakePair) -> None:
    (tmp_path / "default.key").write_bytes(b"\xff\xfe\x00key")
    with pytest.raises(UsageError, match="is damaged"):
        load_identity(tmp_path, make_pair)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, make_pair: MakePair) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(UsageError, match="file"):
        load_identity(tmp_path / "file" / "keys", make_pair)


def test_who_need_not_keep_a_key_plays_with_a_temporary_one_where_none_can_be_kept(
    tmp_path: Path, make_pair: MakePair
) -> None:
    (tmp_path / "file").write_text("not a folder")
    identity = load_identity(tmp_path / "file" / "keys", make_pair, must_keep=False)
    assert identity.temporary
    with pytest.raises(UsageError, match="profile"):
        load_identity(tmp_path, make_pair, "../elsewhere", must_keep=False)


def test_a_key_is_used_and_locked_where_no_lock_can_be_made(
    tmp_path: Path, make_pair: MakePair
) -> None:
    kept = load_identity(tmp_path, make_pair)
    let_go(kept)
    (tmp_path / "default.lock").unlink()
    (tmp_path / "default.lock").mkdir()  # as impossible to write as in a folder that is read only
    again = load_identity(tmp_path, make_pair)
    assert (again.public, again.temporary) == (kept.public, False)
    assert load_identity(tmp_path, make_pair).temporary
    let_go(again)


def test_two_hubs_cannot_share_a_folder(tmp_path: Path, make_pair: MakePair) -> None:
    first = load_hub_identity(tmp_path, make_pair)
    with pytest.raises(UsageError, match="another hub is running"):
        load_hub_identity(tmp_path, make_pair)
    let_go(first)
    again = load_hub_identity(tmp_path, make_pair)
    let_go(again)
    assert again.public == first.public


def test_a_match_carried_elsewhere_keeps_its_hub_key(tmp_path: Path, make_pair: MakePair) -> None:
    keep_hub_pair(tmp_path / "new", KEY_ONE, KEY_TWO)
    hub = load_hub_identity(tmp_path / "new", make_pair)
    let_go(hub)
    assert (hub.public, hub.secret) == (KEY_ONE, KEY_TWO)


def test_the_folder_is_the_one_the_user_names(tmp_path: Path) -> None:
    assert home_folder({"KEMS_HOME": str(tmp_path)}) == tmp_path
    assert home_folder({}).name == "kems-net"


def test_a_hub_is_new_once_and_then_known(tmp_path: Path) -> None:
    hubs = known_hubs(tmp_path)
    assert hubs.check("Ana's laptop", "10.0.0.5:5570", KEY_ONE) is Trust.NEW
    hubs.trust("Ana's laptop", "10.0.0.5:5570", KEY_ONE)
    assert hubs.check("Ana's laptop", "10.0.0.5:5570", KEY_ONE) is Trust.SAME
    assert hubs.check("Ana's laptop", None, KEY_ONE) is Trust.SAME
    assert hubs.check("Bo's laptop", None, KEY_TWO) is Trust.NEW


def test_a_stranger_under_a_known_name_is_noticed(tmp_path: Path) -> None:
    hubs = known_hubs(tmp_path)
    hubs.trust("Ana's laptop", None, KEY_ONE)
    assert hubs.check("Ana's laptop", None, KEY_TWO) is Trust.CHANGED
    assert hubs.check("Ana's laptop", "10.0.0.9", KEY_TWO) is Trust.CHANGED


@pytest.mark.parametrize("double", ["ANA's laptop", "Αna's laptop", "Ana\u2019s lapt\u043ep\ufe0f"])
def test_a_stranger_whose_name_looks_like_a_known_one_is_noticed(
    double: str, tmp_path: Path
) -> None:
    hubs = known_hubs(tmp_path)
    hubs.trust("Ana's laptop", None, KEY_ONE)
    assert hubs.check(double, None, KEY_TWO) is Trust.CHANGED
    assert hubs.check(double, None, KEY_ONE) is Trust.SAME
    hubs.trust(double, None, KEY_TWO)
    assert hubs.check("Ana's laptop", None, KEY_TWO) is Trust.SAME


def test_a_stranger_at_a_known_address_is_noticed(tmp_path: Path) -> None:
    hubs = known_hubs(tmp_path)
    hubs.trust("Ana's laptop", "HUB.local:5570", KEY_ONE)
    assert hubs.check("Free party", " hub.local:5570", KEY_TWO) is Trust.CHANGED
    assert hubs.check("Free party", "elsewhere", KEY_TWO) is Trust.NEW


def test_a_hub_that_took_another_name_is_known_by_its_address(tmp_path: Path) -> None:
    hubs = known_hubs(tmp_path)
    hubs.trust("Ana's laptop", "10.0.0.5", KEY_ONE)
    assert hubs.check("Ana's new laptop", "10.0.0.5", KEY_ONE) is Trust.SAME


def test_trusting_a_changed_hub_replaces_its_key(tmp_path: Path) -> None:
    hubs = known_hubs(tmp_path)
    hubs.trust("Ana's laptop", "10.0.0.5", KEY_ONE)
    hubs.trust("Ana's laptop", "10.0.0.5", KEY_TWO)
    assert hubs.check("Ana's laptop", "10.0.0.5", KEY_TWO) is Trust.SAME
    assert [path.name for path in tmp_path.iterdir()] == ["known_hubs.toml"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[names]\n"Ana',
        "[names]\n",
        '[names]\n"Ana" = 7\n[addresses]\n',
        '[names]\n"Ana" = "short"\n[addresses]\n',
        "names = 3\naddresses = 4\n",
    ],
)
def test_a_torn_file_of_known_hubs_is_named_and_kept(text: str, tmp_path: Path) -> None:
    hubs = known_hubs(tmp_path)
    hubs.path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"known_hubs\.toml is damaged"):
        hubs.check("Ana", None, KEY_ONE)
    with pytest.raises(UsageError, match=r"known_hubs\.toml is damaged"):
        hubs.trust("Ana", None, KEY_ONE)
    assert hubs.path.read_text(encoding="utf-8") == text


def test_known_hubs_that_are_no_file_are_named(tmp_path: Path) -> None:
    hubs = KnownHubs(tmp_path)
    with pytest.raises(UsageError, match="known hubs"):
        hubs.check("Ana", None, KEY_ONE)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(name=st.text(min_size=1, max_size=30))
def test_a_hub_of_any_name_is_known_again(name: str, tmp_path: Path) -> None:
    hubs = KnownHubs(tmp_path / "any" / "known.toml")
    hubs.path.unlink(missing_ok=True)
    hubs.trust(name, name, KEY_ONE)
    assert hubs.check(name, name, KEY_ONE) is Trust.SAME
    assert hubs.check(name, name, KEY_TWO) is Trust.CHANGED


def test_a_user_without_a_home_is_told_what_to_set() -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for find in (nobody, lambda: Path("~/.config/kems-net")):
        with pytest.raises(UsageError, match="set KEMS_HOME"):
            known_folder(find)
    assert known_folder(lambda: Path("/home/ana")) == Path("/home/ana")


def test_hubs_that_an_editor_has_saved_with_a_byte_order_mark_are_known(tmp_path: Path) -> None:
    hubs = known_hubs(tmp_path)
    hubs.trust("Lou", None, KEY_ONE)
    hubs.path.write_bytes(b"\xef\xbb\xbf" + hubs.path.read_bytes())
    assert hubs.check("Lou", None, KEY_ONE) is Trust.SAME
