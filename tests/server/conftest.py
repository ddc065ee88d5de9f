"""What the tests of the hub stand on: no journal stays open after its test."""

from collections.abc import Iterator

import pytest

from tests.server.recorded import RecordedEvening


@pytest.fixture(autouse=True)
def journals_are_closed() -> Iterator[None]:
    """Closes the journals of the evenings that a test has begun."""
    before = len(RecordedEvening.every)
    yield
    for evening in RecordedEvening.every[before:]:
        evening.journal.close()
    del RecordedEvening.every[before:]
