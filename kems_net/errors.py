"""The errors that cross module borders; everything else that is raised is a bug and stops us."""


class UsageError(Exception):
    """A setting, file or option that cannot work; its text is the one line the user is shown.

    Commands end with exit code 2 on it.
    """
