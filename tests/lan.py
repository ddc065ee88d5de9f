#!/usr/bin/env python3
"""A simulated LAN of N hosts = N network namespaces on one Ethernet segment. Needs root, /dev/net/tun, iproute2; no netem.

tap mode (default): each host's eth0 is a TAP whose fd is held by this process, a user-space Ethernet switch which adds
  per-host one-way delay (ms), jitter (ms, uniform +-), loss (%), rate (kbit/s), separately up and down, changeable while running.
  Multicast/broadcast are flooded, so mDNS works; ARP, IPv4, IPv6, TCP and UDP are all the kernel's own.
bridge mode: veth pairs on a kernel bridge (no delay; `rate` through tc tbf).

  lan.py up N [--delay MS] [--jitter MS] [--loss PCT] [--mode tap|bridge] [--name kz] [--no-mcast-route]   foreground; ^C, TERM or stdin EOF cleans up
  lan.py set I key=val ... [--name kz]   keys: delay jitter loss rate, each also as up_/down_ ; I = host number or 'all';  link=0/1 pulls the cable;  mdns=0/1 blocks multicast DNS
  lan.py exec I CMD...  |  lan.py down   (cleans up what an `up` killed with -9 left behind)  |  lan.py list
Host I (0..N-1): namespace NAME-I, address 10.77.0.(I+1)/24, fd77::(I+1)/64, MAC 02:77:00:00:00:(I+1).
Python: with Lan(3, delay=10) as lan: p = lan.popen(1, ['python3', ...]); lan.set(1, up_delay=40); lan.ip(0)"""
from __future__ import annotations
import argparse, fcntl, heapq, json, os, random, select, signal, socket, struct, subprocess, sys, time
from collections.abc import Sequence
from typing import Any
KEYS = ('delay', 'jitter', 'loss', 'rate')

def sh(*a, check=True, quiet=False):
    return subprocess.run(list(map(str, a)), check=check, stdout=subprocess.DEVNULL if quiet else None, stderr=subprocess.DEVNULL if quiet else None)
def ns_cmd(name, i, cmd): return ['ip', 'netns', 'exec', f'{name}-{i}', *map(str, cmd)]
def sock_path(name): return f'/run/{name}.lan.sock'
def host_ip(i): return f'10.77.0.{i + 1}'

def setup_ns(name, i, mcast):
    ns = f'{name}-{i}'; sh('ip', 'netns', 'add', ns)
    # no IPv6 duplicate-address detection wait; must be set before the device is moved in
    sh(*ns_cmd(name, i, ['sh', '-c', 'echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad; echo 0 > /proc/sys/net/ipv6/conf/all/accept_dad']))
    sh('ip', '-n', ns, 'link', 'set', 'lo', 'up')
def address_ns(name, i, mcast):
    ns = f'{name}-{i}'
    sh('ip', '-n', ns, 'link', 'set', 'eth0', 'address', '02:77:00:00:00:%02x' % (i + 1))
    sh('ip', '-n', ns, 'addr', 'add', host_ip(i) + '/24', 'dev', 'eth0')
    sh('ip', '-n', ns, '-6', 'addr', 'add', f'fd77::{i + 1:x}/64', 'dev', 'eth0', 'nodad')
    sh('ip', '-n', ns, 'link', 'set', 'eth0', 'up')
    if mcast: sh('ip', '-n', ns, 'route', 'add', '224.0.0.0/4', 'dev', 'eth0')

def down(name):
    out = subprocess.run(['ip', 'netns', 'list'], capture_output=True, text=True).stdout
    for l in out.splitlines():
        ns = l.split()[0]
        if ns.startswith(name + '-') and ns[len(name) + 1:].isdigit(): sh('ip', 'netns', 'del', ns, check=False)
    sh('ip', 'link', 'del', name + 'br', check=False, quiet=True)
    try: os.unlink(sock_path(name))
    except FileNotFoundError: pass

class Switch:
    def __init__(self, name, n, params):
        self.fds, self.q, self.seq, self.last, self.busy = [], [], 0, {}, {}
        self.link = [1] * n; self.mdns = [1] * n
        self.up = [dict(params) for _ in range(n)]; self.dn = [dict(delay=0, jitter=0, loss=0, rate=0) for _ in range(n)]
        self.stats = dict(frames=0, dropped=0, late_max_ms=0.0)
        for i in range(n):
            fd = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(fd, 0x400454ca, struct.pack('16sH14x', f'{name}t{i}'.encode(), 0x0002 | 0x1000))  # IFF_TAP|IFF_NO_PI
            setup_ns(name, i, True)
            sh('ip', 'link', 'set', f'{name}t{i}', 'netns', f'{name}-{i}', 'name', 'eth0')                 # the fd stays attached
            self.fds.append(fd)
    def configure(self, i, kv):
        for k, v in kv.items():
            v = float(v)
            if k == 'link': self.link[i] = int(v)
            elif k == 'mdns': self.mdns[i] = int(v)
            elif k.startswith('up_'): self.up[i][k[3:]] = v
            elif k.startswith('down_'): self.dn[i][k[5:]] = v
            elif k in KEYS: self.up[i][k] = v          # plain key = the way up only, i.e. one-way delay counted once per frame
    def forward(self, i, frame, now):
        if frame[0] & 1: dsts = [j for j in range(len(self.fds)) if j != i]
        else:
            j = frame[5] - 1; dsts = [j] if frame[:5] == b'\x02\x77\0\0\0' and 0 <= j < len(self.fds) and j != i else []
        mdns = frame[:6] in (b'\x01\0\x5e\0\0\xfb', b'\x33\x33\0\0\0\xfb')
        for j in dsts:
            if not (self.link[i] and self.link[j]): self.stats['dropped'] += 1; continue
            if mdns and not (self.mdns[i] and self.mdns[j]): self.stats['dropped'] += 1; continue
            t = now; drop = False
            for p, key in ((self.up[i], ('u', i)), (self.dn[j], ('d', j))):
                if p['loss'] and random.random() * 100 < p['loss']: drop = True; break
                if p['rate']:
                    b = max(self.busy.get(key, 0), t); t = self.busy[key] = b + len(frame) * 8 / (p['rate'] * 1e3)
                t += max(0.0, p['delay'] + (random.uniform(-p['jitter'], p['jitter']) if p['jitter'] else 0)) / 1e3
            if drop: self.stats['dropped'] += 1; continue
            t = max(t, self.last.get((i, j), 0)); self.last[i, j] = t        # order kept per pair
            self.seq += 1; heapq.heappush(self.q, (t, self.seq, j, frame))
    def run(self, ctl, stop_fds):
        now = time.monotonic; sel = select.select; idx = {fd: i for i, fd in enumerate(self.fds)}; rfds = [*self.fds, ctl, *stop_fds]
        while True:
            to = max(0, self.q[0][0] - now()) if self.q else None
            r, _, _ = sel(rfds, [], [], to)
            for fd in r:
                if fd == ctl:
                    msg, addr = ctl_sock.recvfrom(4096)
                    m = json.loads(msg); hosts = range(len(self.fds)) if m['host'] == 'all' else [int(m['host'])]
                    for i in hosts: self.configure(i, m['set'])
                    if addr: ctl_sock.sendto(json.dumps(dict(stats=self.stats, up=self.up, down=self.dn, link=self.link)).encode(), addr)
                elif fd in idx:
                    for _ in range(64):
                        try: f = os.read(fd, 2048)
                        except BlockingIOError: break
                        except OSError: break
                        self.stats['frames'] += 1; self.forward(idx[fd], f, now())
                else:
                    if not os.read(fd, 64): return
            t = now()
            while self.q and self.q[0][0] <= t:
                due, _, j, f = heapq.heappop(self.q); self.stats['late_max_ms'] = max(self.stats['late_max_ms'], (t - due) * 1e3)
                try: os.write(self.fds[j], f)
                except OSError: self.stats['dropped'] += 1
                t = now()

ctl_sock = None
def up(a):
    global ctl_sock
    n, name = a.n, a.name; down(name)
    r, w = os.pipe()
    for s in (signal.SIGTERM, signal.SIGINT): signal.signal(s, lambda *_: os.close(w) if not closed.append(1) and len(closed) == 1 else None)
    closed = []
    params = dict(delay=a.delay, jitter=a.jitter, loss=a.loss, rate=a.rate)
    try:
        if a.mode == 'tap': sw = Switch(name, n, params)
        else:
            sh('ip', 'link', 'add', name + 'br', 'type', 'bridge', 'mcast_snooping', '0'); sh('ip', 'link', 'set', name + 'br', 'up')
            for i in range(n):
                setup_ns(name, i, True)
                sh('ip', 'link', 'add', f'{name}v{i}', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', f'{name}-{i}')
                sh('ip', 'link', 'set', f'{name}v{i}', 'master', name + 'br', 'up')
                if a.rate: sh('tc', 'qdisc', 'add', 'dev', f'{name}v{i}', 'root', 'tbf', 'rate', f'{int(a.rate)}kbit', 'burst', '4kb', 'latency', '50ms')
        for i in range(n): address_ns(name, i, not a.no_mcast_route)
        if a.mode == 'tap': ctl_sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); ctl_sock.bind(sock_path(name))
        print('ready', flush=True)
        stop = [r] + ([] if sys.stdin is None or sys.stdin.closed else [0] if a.stdin else [])
        if a.mode == 'tap':
            sw.run(ctl_sock.fileno(), stop); print(json.dumps(sw.stats), file=sys.stderr)
        else: select.select(stop, [], [])
    finally: down(name)

class Lan:
    def __init__(self, n: int, name: str = 'kz', mode: str = 'tap', delay: float = 0, jitter: float = 0, loss: float = 0, rate: float = 0, mcast_route: bool = True) -> None:
        self.n, self.name = n, name
        self.p = subprocess.Popen([sys.executable, os.path.abspath(__file__), 'up', str(n), '--name', name, '--mode', mode, '--delay', str(delay), '--jitter', str(jitter),
                                   '--loss', str(loss), '--rate', str(rate), '--stdin', *([] if mcast_route else ['--no-mcast-route'])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.p.stdout.readline().strip() != 'ready': raise RuntimeError('LAN did not come up')
    def ip(self, i: int) -> str: return host_ip(i)
    def cmd(self, i: int, cmd: Sequence[str]) -> list[str]: return ns_cmd(self.name, i, cmd)
    def popen(self, i: int, cmd: Sequence[str], **kw: Any) -> subprocess.Popen[str]: return subprocess.Popen(self.cmd(i, cmd), **{'text': True, **kw})
    def run(self, i: int, cmd: Sequence[str], **kw: Any) -> subprocess.CompletedProcess[str]: return subprocess.run(self.cmd(i, cmd), **{'text': True, **kw})
    def set(self, host: int | str, **kv: float) -> dict[str, Any]: return control(self.name, host, kv)
    def close(self) -> None: self.p.stdin.close(); self.p.wait(15); self.p.stdout.close()
    def __enter__(self) -> Lan: return self
    def __exit__(self, *a: object) -> None: self.close()

def control(name, host, kv):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); me = f'/run/{name}.ctl.{os.getpid()}'
    try:
        s.bind(me); s.settimeout(3); s.sendto(json.dumps(dict(host=host, set=kv)).encode(), sock_path(name)); return json.loads(s.recv(65536))
    finally: s.close(); os.unlink(me)

if __name__ == '__main__':
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter); ap.add_argument('--name', default='kz')
    sp = ap.add_subparsers(dest='c', required=True)
    u = sp.add_parser('up'); u.add_argument('n', type=int); u.add_argument('--name', default='kz'); u.add_argument('--mode', default='tap', choices=['tap', 'bridge'])
    for k in KEYS: u.add_argument('--' + k, type=float, default=0)
    u.add_argument('--stdin', action='store_true', help='stop at EOF on stdin'); u.add_argument('--no-mcast-route', action='store_true')
    s = sp.add_parser('set'); s.add_argument('host'); s.add_argument('kv', nargs='*'); s.add_argument('--name', default='kz')
    e = sp.add_parser('exec'); e.add_argument('host'); e.add_argument('cmd', nargs=argparse.REMAINDER)
    sp.add_parser('down'); sp.add_parser('list'); a = ap.parse_args()
    if a.c == 'up': up(a)
    elif a.c == 'set': print(json.dumps(control(a.name, a.host, dict(x.split('=') for x in a.kv))))
    elif a.c == 'exec': c = ns_cmd(a.name, a.host, a.cmd); os.execvp(c[0], c)
    elif a.c == 'down': down(a.name)
    else: sh('ip', 'netns', 'list')
