"""A terminal's display that a test can size, and that hears its bell."""

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import DummyOutput


class Display(DummyOutput):
    """A display of 100 by 30 cells; it keeps what is written past the pictures."""

    def __init__(self) -> None:
        self.size = Size(rows=30, columns=100)
        self.rung = 0
        self.raw: list[str] = []

    def get_size(self) -> Size:
        return self.size

    def bell(self) -> None:
        self.rung += 1

    def write_raw(self, data: str) -> None:
        self.raw.append(data)
