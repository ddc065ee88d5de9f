"""What every test stands on: a home of its own, and no deadlines on a slow machine."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kems", deadline=None)
settings.load_profile("kems")


@pytest.fixture(autouse=True)
def home_of_nobody(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A fresh home, also for the processes a test starts: no test sees or changes a user's keys."""
    home = tmp_path_factory.mktemp("home", numbered=True)
    monkeypatch.setenv("KEMS_HOME", str(home))
    return home
