"""Nothing that a guest types reaches another's terminal raw: names, talk, forfeits, hub names."""

from pathlib import Path

import pytest

from kems_net.messages import Say
from tests.hostile.insider import Insider
from tests.hostile.party import Party, wait_for
from tests.journeys.playing import Client

pytestmark = pytest.mark.xdist_group("hostile terminal")
NASTY = "\x1b]0;owned\x07\x1b[2J\u202egnp\u2066.\x9b31m\x85\r\x00fish\u2028\U000e0041"
VISIBLE = "fish"
"""What is left of it to be read, among other letters."""


def raw(text: str) -> list[str]:
    """The characters of a text that could steer a terminal or fool an eye."""
    return [c for c in text if c != "\n" and not c.isprintable()]


@pytest.mark.parametrize("mode", ["--plain", "--json"])
def test_what_others_type_is_cleaned_before_it_is_shown(tmp_path: Path, mode: str) -> None:
    with (
        Party(tmp_path / "hub", "--rules", "party", "--signals", "private", bots=0) as party,
        Insider(party, f"Eve{NASTY}"[:40], "A", ready=False) as eve,
    ):
        home = tmp_path / "ana"
        options = (mode, "--connect", party.address, "--name", "Ana", "--team", "A")
        with Client(home, *options) as ana:
            ana.shown("in team A" if mode == "--plain" else '"seated"')
            wait_for(lambda: eve.snapshot is not None, "nothing is published")
            name = eve.snapshot.seats[eve.seat].name if eve.snapshot else ""
            assert name.startswith("Eve")
            assert raw(name) == []
            eve.ask(Say(NASTY + VISIBLE * 3))
            ana.shown(VISIBLE * 3)
            assert ana.end() == 0
            assert raw("".join(ana.lines)) == []
            assert ana.complaints() == ""
    assert not [event for event in party.events if raw(str(event))]
