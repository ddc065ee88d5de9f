"""Why a player can't take part: errors whose text is the one line he is shown."""


class NoHubError(Exception):
    """No hub can be reached. Commands end with exit code 3."""


class UnknownHostError(NoHubError):
    """The address that was typed has a name in it which nobody here knows."""


class RefusingError(Exception):
    """The hub keeps us out, or its key has changed. Commands end with exit code 4."""
