"""docs/architecture.md names the rooms, files and names that there are, in the order of imports."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = re.findall(r"^\| `((?:client|server)/\w+/\w+)` \|", PAGE, re.MULTILINE)
NAMED = re.findall(r"`([\w/]+\.(?:py|po|md|toml))`(?:: ((?:`\w+`(?:, | and )?)+))?", PAGE)


def layer_of(package: str, room: str) -> int:
    """How high a room stands in its package's import contract; the lowest is 0."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    (layers,) = [each["layers"] for each in contracts if each.get("containers") == [package]]
    (height,) = [
        height
        for height, layer in enumerate(reversed(layers))
        if room in [name.strip() for name in layer.split(":")]
    ]
    return height


@pytest.mark.parametrize(
    ("folder", "package"), [("client", "kems_client"), ("server", "kems_server")]
)
def test_all_rooms_are_listed_each_above_those_that_import_it(folder: str, package: str) -> None:
    there = {each.parent.name for each in (ROOT / folder / package).glob("*/__init__.py")}
    listed = [room.split("/")[2] for room in ROOMS if room.startswith(f"{folder}/")]
    assert sorted(listed) == sorted(there)
    heights = [layer_of(package, room) for room in listed]
    assert heights == sorted(heights)


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED}))
def test_every_file_that_the_page_names_is_there(path: str) -> None:
    found = [*ROOT.glob(path), *ROOT.glob(f"*/*/{path}"), *ROOT.glob(f"*/{path}")]
    assert found, path


@pytest.mark.parametrize(("path", "names"), [each for each in NAMED if each[1]])
def test_every_name_that_the_page_gives_stands_in_its_file(path: str, names: str) -> None:
    source = (ROOT / path).read_text(encoding="utf-8")
    for name in re.findall(r"`(\w+)`", names):
        assert re.search(rf"\b(def|class) {name}\b|^{name}\b", source, re.MULTILINE), name
