"""What every test stands on: a home of its own, and no deadlines on a slow machine.

A test marked `realtime` holds real times, which another program on the machine can spoil. It
may be tried once more, is then named as flaky in the last lines, and more than two such tests fail
the run. No other test is tried again.
"""

from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter
from hypothesis import settings

MAX_FLAKY = 2

settings.register_profile("kems", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)
settings.load_profile("kems")


@pytest.fixture(autouse=True)
def home_of_nobody(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A fresh home, also for the processes a test starts: no test sees or changes a user's keys."""
    home = tmp_path_factory.mktemp("home", numbered=True)
    monkeypatch.setenv("KEMS_HOME", str(home))
    return home


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lets tests that hold real times be tried once more."""
    for item in items:
        if item.get_closest_marker("realtime"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def flaky_tests(reporter: TerminalReporter) -> list[str]:
    """The tests of this run that passed only when they were tried again."""
    failed = {report.nodeid for report in reporter.stats.get("failed", ())}
    return sorted({report.nodeid for report in reporter.stats.get("rerun", ())} - failed)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fails a run in which too many tests needed a second try."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    flaky = flaky_tests(reporter) if isinstance(reporter, TerminalReporter) else []
    if exitstatus == pytest.ExitCode.OK and len(flaky) > MAX_FLAKY:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Names them in the last lines."""
    found = flaky_tests(terminalreporter)
    for nodeid in found:
        terminalreporter.write_line(f"flaky: {nodeid}", yellow=True)
    if len(found) > MAX_FLAKY:
        terminalreporter.write_line(f"more than {MAX_FLAKY} flaky tests: failed", red=True)
