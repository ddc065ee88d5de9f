"""Who may connect to which socket: ZAP questions and answers as plain values (RFC 27).

The one decision of the server about CURVE keys. No socket here: `service` carries the frames.
"""

from collections.abc import Callable, Sequence

GLOBAL_DOMAIN = b"global"
"""ROUTER and the public PUB: any key."""

DISCOVERY_DOMAIN = b"door"
"""The discovery endpoint: anybody, without a key. That it asks at all keeps peers of ZMTP
1 and 2 out, of whom libzmq takes no good care."""

_VERSION = b"1.0"
_KEY_BYTES = 32


def team_domain(table: str, team: str) -> bytes:
    """The ZAP domain of a team's own socket."""
    return f"team-{table}-{team}".encode()


class Gate:
    """Which keys each domain lets in. A domain it does not know lets nobody in.

    `key_text` turns the 32 bytes of a key into its text.
    """

    def __init__(self, key_text: Callable[[bytes], str]) -> None:
        self.hears: Callable[[str], bool] = lambda _key: True
        """Whether a key is let in anywhere at the moment: it has not been cut off."""
        self._key_text = key_text
        self._teams: dict[bytes, frozenset[str]] = {}

    def admit(self, domain: bytes, keys: frozenset[str]) -> frozenset[str]:
        """Let exactly these keys into a domain from now on; those that were in before."""
        before = self._teams.get(domain, frozenset())
        self._teams[domain] = keys
        return before

    def answer(self, question: Sequence[bytes]) -> list[bytes]:
        """The ZAP answer to a ZAP question; its user id is the key's text."""
        request_id = question[1] if len(question) > 1 else b""
        if question[2:3] == [DISCOVERY_DOMAIN] and question[5:] == [b"NULL"]:
            return [_VERSION, request_id, b"200", b"OK", b"", b""]
        key = self._key_let_in(question)
        if key is None:
            return [_VERSION, request_id, b"400", b"not admitted", b"", b""]
        return [_VERSION, request_id, b"200", b"OK", key.encode(), b""]

    def _key_let_in(self, question: Sequence[bytes]) -> str | None:
        if len(question) != 7 or question[0] != _VERSION or question[5] != b"CURVE":
            return None
        domain, credentials = question[2], question[6]
        if len(credentials) != _KEY_BYTES:
            return None
        key = self._key_text(credentials)
        admitted = domain == GLOBAL_DOMAIN or key in self._teams.get(domain, frozenset())
        return key if admitted and self.hears(key) else None
