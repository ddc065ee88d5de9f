"""A hub to be measured: the parts of `kems-server`'s, but nothing that players do ends a hunt.

One process, for benches to start: CURVE, the journal, all sockets, the real loop. What one player
may send is not limited, since that is not what they measure. It says one line, `READY` and where it
is, and serves until SIGTERM.

    python bench/open_hub.py PORT [--tables N]
"""

import argparse
import json
import signal
import sys
import tempfile
from pathlib import Path

from kems_net.sheetfile import load_sheet
from kems_server.clockwork import dice_of, fresh_epoch, start_clock
from kems_server.journal.journal import FILE_NAME, open_journal
from kems_server.journal.sessions import open_session
from kems_server.settings import HubSettings, Lag
from kems_server.tables.hub import Hub
from kems_server.transport.floodgate import Share
from kems_server.transport.loop import Loop
from kems_server.transport.ports import Ports
from kems_server.transport.service import Sockets, new_key_pair
from kems_server.views.effects import Effect, Finish
from kems_server.views.notices import AnyNotice

LOOPBACK = "127.0.0.1"
SEED = 7
UNLIMITED = 10**6


def settings(tables: int) -> HubSettings:
    """Hunts that last for a day."""
    sheet = load_sheet("tournament").with_(
        countdown_s=0.1, study_s=[0.0, 0.0], max_round_s=86_400.0, signals="private", away="play-on"
    )
    return HubSettings(
        "bench",
        sheet,
        players=4,
        team_size=2,
        tables=tuple(f"table-{number}" for number in range(tables)),
        lag=Lag.GOOD,
        requests_per_s=UNLIMITED,
        frames_per_s=UNLIMITED,
    )


def serve(router_port: int, tables: int, folder: Path) -> int:
    """Serve until told to end; the exit code."""
    chosen, keys, ended = settings(tables), new_key_pair(), list[Effect]()
    signal.signal(signal.SIGTERM, lambda _signal, _frame: ended.append(Finish(0)))
    teams = {(table, team): 0 for table in chosen.tables for team in "AB"}
    unbounded = Share(bytes_per_s=2**40, bytes_at_once=2**40)
    sockets = Sockets(keys, (LOOPBACK,), Ports(0, router_port, 0, teams), playing=unbounded)
    journal = open_journal(folder / FILE_NAME)
    open_session(journal, chosen)
    hub = Hub(chosen, dice_of(SEED), fresh_epoch())
    hub.listens(sockets.ports.teams)
    ports, events = sockets.ports, list[AnyNotice]()
    answer = hub.probe_answer(keys[0], ports.router, ports.public)
    loop = Loop(sockets, hub, start_clock(), events.append, lambda: answer, journal)
    where = {"key": keys[0], "router": ports.router, "public": ports.public}
    print("READY", json.dumps(where), flush=True)
    code = loop.run(lambda _now_us: ended)
    journal.close()
    sockets.close()
    return code


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("port", type=int, help="of the ROUTER; 0 for a free one")
    parser.add_argument("--tables", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kems-open-hub-") as folder:
        return serve(asked.port, asked.tables, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
