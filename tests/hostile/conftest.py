"""The party that the attacks of one module are made against, one after the other."""

from collections.abc import Iterator

import pytest

from tests.hostile.party import Party


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    """A hub whose four bots play an endless match."""
    with Party(tmp_path_factory.mktemp("party"), "--rules", "tournament", "--target", "0") as each:
        yield each
