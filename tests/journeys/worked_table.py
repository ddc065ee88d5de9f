"""A hub and four programs that bring about the situations of the worked cases, and play them.

The programs are one script: it sees all four hands, and lets the players pass each other cards
over the table until those hold a four who shall.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from kems_net.cards import HAND_SIZE, Card, Rank
from tests.journeys.hosting import Event, Hosted
from tests.journeys.playing import Program, Said

Call = tuple[int, str, Said]
"""Who says what, with the fields it has."""
NAMES = ("ana", "bo", "cy", "di", "eve", "flo")
QUICK = {
    "open": '"countdown"',
    "countdown_s": "0.05",
    "countdown_after_sweep_s": "0.05",
    "study_s": "[0, 0]",
    "sweep_after_s": "0",
    "consent_s": "60",
    "verdict_s": "60",
    "proof_s": "60",
    "double_window_s": "1.5",  # enough for a partner on a busy machine, and waited for when silent
    "target": "10",
}
"""Timers for programs. No rule of the worked cases is among them."""


def quick_sheet(name: str, folder: Path, **changes: str) -> Path:
    """One of the four sheets as a host may change it: with these values in place of its own."""
    text = (resources.files("kems_net") / "sheets" / f"{name}.toml").read_text(encoding="utf-8")
    for key, value in (QUICK | changes).items():
        text, found = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
        assert found == 1, key
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


class WorkedTable:
    """Players on the seats A1 B1 A2 B2 ..., as one script sees and moves them."""

    def __init__(self, players: Sequence[Program], listening: Event) -> None:
        self.players = players
        self.listening = listening
        """The hub's ports and key."""
        self.hands: list[list[Card]] = [[] for _ in players]
        self.cards: list[Card] = []
        self._tags = 0

    # --- the course of a match ---

    @property
    def table(self) -> Said:
        """The newest snapshot that anybody has."""
        return max((p.last["snapshot"] for p in self.players), key=lambda s: int(s["number"]))

    def new_match(self) -> None:
        """All vote for ending what is on; then the first hunt of a match from 0 : 0 opens."""
        if self.table["phase"] not in ("lobby", "over"):
            self._all("vote_end")
            self._reach("over")
        self._all("ready")
        self.next_hunt()
        assert not any(self.table["scores"])

    def next_hunt(self) -> None:
        """From the verdict, or the huddle, into the next hunt."""
        if self.table["phase"] == "verdict":
            self._all("ready")
        self._reach("huddle")
        for player in self.players:
            player.last.pop("hand", None)
        self._all("ready")
        self._opened()
        self._read_hands()

    def give_fours(self, *seats: int) -> None:
        """These players come to hold a four each, and nobody else does."""
        while len(self._whole_ranks()) < len(seats):
            self._hoard()
            self.propose_sweep()
            self.pass_sweep()
        targets = dict(zip(seats, self._whole_ranks(), strict=False))
        for seat, rank in targets.items():
            self._collect(seat, rank)
        for seat, hand in enumerate(self.hands):
            if seat not in targets and self._is_four(hand):
                other = next(card for card in self.cards if card.rank != hand[0].rank)
                self.swap(seat, hand[0], other)
        assert {seat for seat, hand in enumerate(self.hands) if self._is_four(hand)} == set(seats)

    # --- what players do ---

    def swap(self, seat: int, lay: Card, take: Card) -> None:
        """One card for one, which must succeed."""
        player = self.players[seat]
        player.must("swap", lay=[lay], take=[take])
        hand = player.catch_up("hand", lambda h: take in h["hand"] and lay not in h["hand"])
        self.hands[seat] = [Card(card) for card in hand["hand"]]
        self.cards = [Card(card) for card in hand["cards"]]

    def propose_sweep(self, seat: int = 0) -> None:
        """They propose one, and everybody has heard of it."""
        self.players[seat].must("propose_sweep")
        for player in self.players:
            player.catch_up("snapshot", lambda s: s["sweep"] is not None)

    def pass_sweep(self) -> None:
        """All who have not agreed to it do, and the hunt opens again."""
        self._all("pass_sweep", self.table["sweep"]["missing"])
        self._opened()

    def say(self, seat: int, kind: str, **fields: Any) -> Said:
        """A call, and its answer; if it is accepted all have heard what came of it."""
        (answer,) = self.press((seat, kind, fields))
        return answer

    def press(self, *calls: Call, apart_us: int = 0) -> list[Said]:
        """Calls pressed and stamped so far apart, one after the other, and their answers."""
        before = self.table
        stamp_us: int | None = None
        tags = []
        for seat, kind, fields in calls:
            while (now_us := self._now_us(seat)) < (0 if stamp_us is None else stamp_us + apart_us):
                pass
            stamp_us = now_us if stamp_us is None else stamp_us + apart_us
            tags.append(self._ask(seat, kind, stamp_us=stamp_us, **fields))
        answers = [self._answer(call[0], tag) for call, tag in zip(calls, tags, strict=True)]
        if any(answer["type"] == "accepted" for answer in answers):
            self._changed(before, "verdict", "double_window")
        return answers

    # --- what came of it ---

    def outcome(self) -> str:
        """The score and whether the round ended, as the rules write it: "1:0, ends"."""
        for player in self.players:
            player.catch_up("snapshot", lambda s: s["double_window"] is None)
        score = ":".join(map(str, self.table["scores"]))
        return f"{score}, {'on' if self.table['phase'] in ('reveal', 'hunt') else 'ends'}"

    def show_proofs(self) -> tuple[set[int], dict[int, set[int]]]:
        """All who owe a proof give it: to whom it was due, and which proofs each player saw."""
        (asked,) = self.table["proofs"]
        for seat in asked["accused"]:
            first = self.hands[seat][0]
            other = next(card for card in self.hands[seat] if card.rank != first.rank)
            self.players[seat].must("show_proof", cards=[first, other])
        for seat in asked["shown_to"]:
            seen = self.proofs_seen(seat)
            while len(seen) < len(asked["accused"]):
                self.players[seat].until("proof_shown")
                seen = self.proofs_seen(seat)
        for player in self.players:
            player.ask("look", seat=99)  # what the hub sent them before this is here then
        return set(asked["shown_to"]), {s: self.proofs_seen(s) for s in range(len(self.players))}

    def proofs_seen(self, seat: int) -> set[int]:
        """Whose proofs a player was shown since the newest deal, besides their own."""
        said = self.players[seat].said
        dealt = max(i for i, one in enumerate(said) if _is_deal(one))
        shown = [one for one in said[dealt:] if one["type"] == "proof_shown"]
        for one in shown:
            assert len({Card(card).rank for card in one["cards"]}) == 2
            assert set(one["cards"]) <= set(self.hands[one["seat"]])
        return {one["seat"] for one in shown} - {seat}

    # --- by which means ---

    def _all(self, kind: str, seats: Sequence[int] | None = None) -> None:
        """Players ask for the same at the same time, and get it."""
        asking = range(len(self.players)) if seats is None else seats
        tags = [(seat, self._ask(seat, kind)) for seat in asking]
        for seat, tag in tags:
            answer = self._answer(seat, tag)
            assert answer["type"] == "accepted", (kind, answer)

    def _ask(self, seat: int, kind: str, **fields: Any) -> str:
        self._tags += 1
        tag = f"worked-{self._tags}"
        self.players[seat].write(json.dumps({"type": kind, "tag": tag, **fields}))
        return tag

    def _answer(self, seat: int, tag: str) -> Said:
        while (said := self.players[seat].hear()).get("tag") != tag:
            pass
        return said

    def _now_us(self, seat: int) -> int:
        return int(self.players[seat].ask("now")["hub_us"])

    def _reach(self, phase: str) -> None:
        for player in self.players:
            player.catch_up("snapshot", lambda s: bool(s["phase"] == phase))

    def _changed(self, before: Said, *fields: str) -> None:
        """Everybody has heard that one of these is not as it was."""

        def fits(table: Said) -> bool:
            newer = table["number"] > before["number"]
            return newer and any(table[field] != before[field] for field in fields)

        for player in self.players:
            player.catch_up("snapshot", fits)

    def _opened(self) -> None:
        """Everybody has seen the faces and the opening, and that instant is past."""
        for player in self.players:
            opening = player.until("opening", lambda o: bool(o["opened"]))
            number = opening["snapshot"]
            player.catch_up("snapshot", _not_before(number))
            self.cards = [Card(card) for card in opening["cards"]]
        for seat in range(len(self.players)):
            while self._now_us(seat) <= opening["at_us"]:
                pass

    def _read_hands(self) -> None:
        for seat, player in enumerate(self.players):
            hand = player.catch_up("hand", lambda h: len(h["hand"]) == HAND_SIZE)
            self.hands[seat] = [Card(card) for card in hand["hand"]]

    def _seen(self) -> list[Card]:
        return [card for cards in (*self.hands, self.cards) for card in cards]

    def _whole_ranks(self) -> list[Rank]:
        """The ranks of which all four are in hands and on the table."""
        counted = Counter(card.rank for card in self._seen())
        return [rank for rank, count in counted.most_common() if count == HAND_SIZE]

    def _hoard(self) -> None:
        """The commonest ranks go into the hands, so that a sweep takes the rarest away."""
        counted = Counter(card.rank for card in self._seen())

        def use(card: Card) -> tuple[int, str]:
            return counted[card.rank], card.rank

        while True:
            best = max(self.cards, key=use)
            seat = min(
                range(len(self.hands)), key=lambda seat: min(use(card) for card in self.hands[seat])
            )
            worst = min(self.hands[seat], key=use)
            if use(worst) >= use(best):
                return
            self.swap(seat, worst, best)

    def _collect(self, seat: int, rank: Rank) -> None:
        """They take all four of a rank, which others lay on the table for them."""
        while not self._is_four(self.hands[seat]) or self.hands[seat][0].rank != rank:
            there = [card for card in self.cards if card.rank == rank]
            if there:
                spare = next(card for card in self.hands[seat] if card.rank != rank)
                self.swap(seat, spare, there[0])
                continue
            giver, card = next(
                (s, c) for s, h in enumerate(self.hands) for c in h if s != seat and c.rank == rank
            )
            self.swap(giver, card, next(c for c in self.cards if c.rank != rank))

    @staticmethod
    def _is_four(hand: Sequence[Card]) -> bool:
        return len({card.rank for card in hand}) == 1


def _not_before(number: int) -> Callable[[Said], bool]:
    return lambda snapshot: bool(snapshot["number"] >= number)


def _is_deal(said: Said) -> bool:
    """The last thing heard before a round's cards: that all were ready."""
    return bool(said["type"] == "snapshot" and said["phase"] == "huddle")


@contextmanager
def worked_table(folder: Path, sheet: Path, players: int = 4) -> Iterator[WorkedTable]:
    """A hub that plays by a sheet, and all its players in the lobby."""
    with ExitStack() as stack:
        options = ("--rules", str(sheet), "--players", str(players), "--seed", "11")
        where = ("--port", "0", "--bind", "127.0.0.1", "--lag", "good")
        hosted = stack.enter_context(Hosted(folder / "hub", *options, *where))
        listening = hosted.until("listening")
        address = f"127.0.0.1:{listening['discovery_port']}"
        programs = [
            stack.enter_context(
                Program(
                    folder,
                    *("--connect", address, "--name", name, "--profile", name),
                    *("--team", "ABC"[seat % (players // 2)]),
                )
            )
            for seat, name in enumerate(NAMES[:players])
        ]
        for program in programs:
            program.catch_up("seated", lambda _: True)
            program.catch_up("snapshot", _all_here)
        programs.sort(key=lambda program: int(program.last["seated"]["seat"]))
        yield WorkedTable(programs, listening)


def _all_here(snapshot: Said) -> bool:
    return all(seat["presence"] == "here" for seat in snapshot["seats"])
