import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from kems_client.endings import RefusingError
from kems_client.link.endpoints import Endpoint
from kems_client.link.places import Met
from kems_client.link.trust import check_trust, met
from kems_net.errors import UsageError
from kems_net.identity import known_hubs
from tests.client.scenes import probe_answer

if sys.platform != "win32":
    import resource

KEY, OTHER = "k" * 40, "x" * 40


def endpoint(key: str = KEY, name: str = "Lou's hub") -> Endpoint:
    return Endpoint("192.168.1.7", 5570, replace(probe_answer(key, 1, 2), name=name))


def test_a_hub_is_trusted_on_first_use_and_a_changed_key_stops_the_player(tmp_path: Path) -> None:
    known = known_hubs(tmp_path)
    check_trust(endpoint(), "192.168.1.7", known, trust_new=False)
    check_trust(endpoint(), None, known, trust_new=False)
    with pytest.raises(RefusingError, match="--trust-new-hub") as error:
        check_trust(endpoint(OTHER), None, known, trust_new=False)
    assert "\n" not in str(error.value)
    with pytest.raises(RefusingError):
        check_trust(endpoint(OTHER, "renamed"), "192.168.1.7:5570", known, trust_new=False)
    check_trust(endpoint(OTHER), None, known, trust_new=True)
    check_trust(endpoint(OTHER), None, known, trust_new=False)


@pytest.mark.posix(reason="it bounds the size of files of a process")
def test_who_need_not_pin_a_hub_plays_on_a_full_disk(tmp_path: Path) -> None:
    known = known_hubs(tmp_path)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limit[1]))
    try:
        check_trust(endpoint(), None, known, trust_new=False, must_pin=False)
        with pytest.raises(UsageError, match="known hubs"):
            check_trust(endpoint(), None, known, trust_new=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    check_trust(endpoint(), None, known, trust_new=False)
    with pytest.raises(RefusingError):
        check_trust(endpoint(OTHER), None, known, trust_new=False, must_pin=False)


def test_it_is_known_whether_a_hub_has_been_met(tmp_path: Path) -> None:
    known = known_hubs(tmp_path)
    assert met(endpoint(), None, known) is Met.NEW
    check_trust(endpoint(), "192.168.1.7", known, trust_new=False)
    assert met(endpoint(), None, known) is Met.SAME
    assert met(endpoint(OTHER), None, known) is Met.CHANGED
    assert met(endpoint(OTHER, "renamed"), "192.168.1.7:5570", known) is Met.CHANGED
