"""Draws the golden pictures anew: `python -m tests.client.redraw`. Look at the diff afterwards.

A picture is named after its moment, its size and, where it is not the usual one, its set of signs
or its language.
"""

from pathlib import Path

from kems_client.drawing.glyphs import GLYPHS, UNICODE
from kems_client.drawing.paint import paint
from kems_client.drawing.paint_picker import paint_picker
from kems_client.drawing.paint_replay import paint_replay_player
from kems_client.options import LANGUAGES
from kems_client.text.languages import speaks
from kems_net.phrases import in_english
from tests.client.drawn import SCENES
from tests.client.listed import LISTS
from tests.client.recordings import REPLAYS

PICTURES = Path(__file__).parent / "pictures"
DRAWN = (
    "picked.60x20",
    "picked.80x24",
    "picked.100x30",
    "hunt.140x46",
    "hunt.200x50",
    "hunt-of-four.80x24",
    "hunt-of-nine.100x30",
    "hunt-of-four.80x24.ascii",
    "picked.60x20.ascii",
    "hunt-of-four.80x24.console",
    "watched.60x20",
    "watched.100x30",
    "eyes.60x20",
    "eyes.80x24",
    "eyes.100x30",
    "eyes.140x46",
    "eyes.80x24.ascii",
    "eyes.80x24.fr",
    "eyes.60x20.ar",
    "turning.80x24",
    "explained.60x20",
    "explained.80x24",
    "explained.100x30",
    "explained.140x46",
    "explained-party.80x24",
    "explained.80x24.fr",
    "sweep.80x24",
    "accuse.80x24",
    "accuse-team.60x20",
    "accused.60x20",
    "accused.80x24",
    "accused.140x46",
    "accused.80x24.fr",
    "accused.60x20.ar",
    "proof.80x24",
    "proof.60x20",
    "proof.140x46",
    "proved.60x20",
    "proved.80x24",
    "proved.140x46",
    "proof-seen.80x24",
    "double.100x30",
    "countdown.80x24",
    "countdown.60x20",
    "lobby.60x20",
    "lobby.100x30",
    "lobby.60x20.fr",
    "lobby.80x24.fr",
    "lobby.60x20.ar",
    "lobby.100x30.ar",
    "verdict.80x24.fr",
    "huddle.60x20",
    "huddle.80x24",
    "huddle.140x46",
    "over.140x46",
    "agreed.200x50.ar",
    "agreed.100x30",
    "verdict.80x24",
    "verdict.60x20",
    "verdict-tournament.200x50",
    "over.80x24",
    "decided.60x20",
    "decided.80x24",
    "decided.140x46",
    "decided-party.60x20",
    "decided.80x24.fr",
    "decided.60x20.ar",
    "over-decided.80x24",
    "signed.100x30",
    "laid.80x24",
    "watching.60x20",
    "watching.100x30",
    "help.80x24",
    "help.60x20",
    "nothing.80x24",
    "hunt.59x20",
    "two-hubs.60x20",
    "two-hubs.60x20.fr",
    "two-hubs.100x30",
    "one-hub.80x24",
    "one-hub.60x20.ascii",
    "suspect.60x20",
    "crowded.60x20",
    "to-watch.200x50",
    "one-hub.59x20",
    "replay.60x20",
    "replay.80x24",
    "replay-all.100x30",
    "replay-all.60x20.ascii",
    "replay-keys.80x24",
    "replay-huddle.80x24.fr",
)


def draw(name: str) -> str:
    """The picture of that name, as text."""
    moment, size, *how = name.split(".")
    columns, rows = (int(part) for part in size.split("x"))
    glyphs = next((GLYPHS[each] for each in how if each in GLYPHS), UNICODE)
    say = next((speaks(each) for each in how if each in LANGUAGES), in_english)
    if moment in LISTS:
        return paint_picker(LISTS[moment](), columns, rows, glyphs, say).text() + "\n"
    if moment in REPLAYS:
        replay, replay_player = REPLAYS[moment]()
        state = replay.state(replay_player)
        return (
            paint_replay_player(
                state, replay_player, replay.index, columns, rows, glyphs, say
            ).text()
            + "\n"
        )
    return paint(SCENES[moment](), columns, rows, glyphs, say).text() + "\n"


def main() -> None:
    """Write them all."""
    for name in DRAWN:
        (PICTURES / f"{name}.txt").write_text(draw(name), encoding="utf-8")


if __name__ == "__main__":
    main()
