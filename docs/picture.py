"""Makes the pictures of the README: the real client in a pseudo terminal, drawn as an SVG.

    python docs/picture.py docs/table.svg [--size 100x30] [--keys s] [--colours 256]
    python docs/picture.py docs/round.svg --moving [--size 80x24]

It plays alone against bots. A still picture shows the hunt when a few cards have changed hands and
the keys given were pressed; a moving one the moments of a round, from the opening to the verdict.
"""

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from docs.svg import Rows, moving_svg_of, svg_of  # noqa: E402 - found only now
from tests.journeys.terminal import Terminal  # noqa: E402

Frame = tuple[float, Rows]
"""When the screen began to look like this, in seconds, and how it looked."""

MANY = "many"
TERMINALS = {
    MANY: {"COLORTERM": "truecolor"},
    "256": {"COLORTERM": "", "TERM": "xterm-256color"},
    "16": {"COLORTERM": "", "TERM": "xterm-16color"},
}
"""What terminals of so many colours say of themselves."""
SMALL_ROWS = 20
SOONEST_S = 0.4
"""Screens that follow one another faster are shown as one."""
OPENING_S, BEFORE_CALL_S, VERDICT_S = 9.0, 4.0, 4.0
"""How much is shown of the beginning, of the time before the call, and of the verdict."""
ROUND_S = 240.0
"""A round against bots takes a minute or two."""
SWAPS = ("su", "di", "fo", "gp")
SWAP_EVERY_S = 2.2
HELD_S = 0.8
"""A key that is pressed again later than this was let go between."""


@contextmanager
def game(size: tuple[int, int], *, hints: bool, colours: str = MANY) -> Iterator[Terminal]:
    """A game against bots, its huddle over, on a terminal of so many colours."""
    with tempfile.TemporaryDirectory() as home:
        environ = {"KEMS_HOME": home, "KEMS_NAME": "Nour", "KEMS_NO_HINTS": str(int(not hints))}
        environ |= TERMINALS[colours]
        command = (sys.executable, "-m", "kems_client", "--solo")
        with Terminal(command, environ, *size) as terminal:
            terminal.until("READY")
            terminal.press("r")
            terminal.until("HUDDLE")
            terminal.press("23\r")
            terminal.until("agreed")
            terminal.press("r")
            yield terminal
            _leave(terminal)


def _leave(terminal: Terminal) -> None:
    """In a match the first press asks, and one that is held down is no second."""
    terminal.press("\x11")
    terminal.until("again leaves")
    asked_s = time.monotonic()
    terminal.until(lambda: time.monotonic() > asked_s + HELD_S)
    terminal.press("\x11")
    terminal.ended()


def still(size: tuple[int, int], keys: str, colours: str) -> str:
    """The middle of a hunt."""
    with game(size, hints=False, colours=colours) as terminal:
        terminal.until("CONTRE")
        terminal.press("h")  # eyes on an opponent: what they take stands beside their name
        terminal.until(lambda: has_swaps(terminal.text, small=size[1] <= SMALL_ROWS), 90.0)
        for key in keys:
            terminal.press(key)
            terminal.read(0.3)
        return svg_of(terminal.cells())


def has_swaps(text: str, *, small: bool) -> bool:
    """Whether a few cards have changed hands; a small screen keeps few lines of that."""
    return text.count(" for ") >= 1 if small else text.count(" for ") >= 2 and "took" in text


def moving(size: tuple[int, int]) -> str:
    """The moments of a round: it opens, cards change hands, somebody calls, who was right."""
    frames: list[Frame] = []
    with game(size, hints=True) as terminal:
        terminal.until(lambda: "HUDDLE" not in terminal.text)
        began = time.monotonic()
        replay(terminal, frames, until=lambda: "GO ON" in terminal.text, play=player(terminal))
        called = time.monotonic()
        replay(terminal, frames, until=lambda: time.monotonic() > called + VERDICT_S)
        ended = time.monotonic()
    kept = [
        (at, rows) for at, rows in frames if at < began + OPENING_S or at > called - BEFORE_CALL_S
    ]
    ends = [*(at for at, _ in kept[1:]), ended]
    shown = [(min(end - at, VERDICT_S), rows) for (at, rows), end in zip(kept, ends, strict=True)]
    return moving_svg_of(shown)


def replay(
    terminal: Terminal,
    frames: list[Frame],
    *,
    until: Callable[[], bool],
    play: Callable[[], None] = lambda: None,
) -> None:
    """Note how the screen looks, each time it has changed, until that is true."""
    deadline = time.monotonic() + ROUND_S
    while not until():
        if time.monotonic() > deadline:
            raise SystemExit(f"the round did not end within {ROUND_S:.0f} s")
        play()
        terminal.read(0.05)
        now_s, rows = time.monotonic(), terminal.cells()
        if frames and now_s - frames[-1][0] < SOONEST_S:
            frames[-1] = (frames[-1][0], rows)
        elif not frames or rows != frames[-1][1]:
            frames.append((now_s, rows))


def player(terminal: Terminal) -> Callable[[], None]:
    """Somebody who swaps at random, and does what the screen says when it counts."""
    swaps, next_s = itertools.cycle(SWAPS), time.monotonic() + SWAP_EVERY_S
    keys = ""

    def play() -> None:
        nonlocal keys, next_s
        now_s = time.monotonic()
        if now_s < next_s or "The hunt is open" not in terminal.text:
            return
        if "press Space" in terminal.text:
            keys = " "
        elif "Make your sign now" in terminal.text:
            keys = "23"
        elif not keys:
            keys = next(swaps)
        terminal.press(keys[0])
        keys = keys[1:]
        next_s = now_s + (SWAP_EVERY_S if not keys else 0.6)

    return play


def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--size", default="100x30")
    parser.add_argument("--keys", default="s")
    parser.add_argument("--colours", default=MANY, choices=TERMINALS)
    parser.add_argument("--moving", action="store_true")
    asked = parser.parse_args()
    columns, rows = (int(part) for part in asked.size.split("x"))
    size = columns, rows
    picture = moving(size) if asked.moving else still(size, asked.keys, asked.colours)
    asked.path.write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
