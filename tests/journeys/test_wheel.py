"""What people install: the sdist, the wheel made from it, and a game played far from this tree."""

import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.journeys.playing import Program

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(300)]
TOP = Path(__file__).parents[2]


def run(*words: str | Path, cwd: Path) -> None:
    """A command that must end well; what it printed stands in the failure."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the sdist."""
    made = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", made, TOP, cwd=made)
    assert len(list(made.glob("*.tar.gz"))) == 1
    (found,) = made.glob("*.whl")
    return found


def test_a_wheel_brings_three_packages_with_all_their_files_and_no_others(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    packages = {name.split("/")[0] for name in names if ".dist-info" not in name.split("/")[0]}
    assert packages == {"kems_net", "kems_client", "kems_server"}
    assert {"kems_net/py.typed", "kems_net/sheets/party.toml"} <= names
    for language in ("fr", "ar"):
        assert any(name.startswith("kems_client/words/") and language in name for name in names)


def test_a_solo_game_is_played_from_the_wheel_to_its_first_verdict(
    wheel: Path, tmp_path: Path
) -> None:
    place = tmp_path / "elsewhere"
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    where = "import kems_client, kems_net, kems_server; print(kems_client.__file__)"
    found = subprocess.run((python, "-c", where), cwd=tmp_path, capture_output=True, check=True)
    assert str(place) in found.stdout.decode()
    command = (str(place / "bin" / "kems-client"),)
    with Program(tmp_path / "home", "--solo", "--name", "ana", command=command) as ana:
        ana.until("welcome")
        ana.ask("ready")
        ana.until("snapshot", lambda said: said["phase"] == "huddle")
        ana.ask("ready")
        ana.until("snapshot", lambda said: said["phase"] == "hunt")
        ana.ask("call_kems")  # of a partner who can't hold a four yet, most likely
        verdict = ana.until("snapshot", lambda said: said["verdict"] is not None)["verdict"]
        assert (verdict["call"], verdict["caller"]) == ("kems", ana.last["welcome"]["seat"])
