"""What the tests of the hub stand on: no journal stays open after its test."""

from collections.abc import Iterator

import pytest

from tests.server.recorded import RecordedSession


@pytest.fixture(autouse=True)
def journals_are_closed() -> Iterator[None]:
    """Closes the journals of the sessions that a test has begun."""
    before = len(RecordedSession.every)
    yield
    for session in RecordedSession.every[before:]:
        session.journal.close()
    del RecordedSession.every[before:]
