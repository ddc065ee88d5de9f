"""The rule sheet: which rules a match is played by, as a checked value.

Reading a sheet (a shipped one, or a host's own TOML file), checking that its values can work
together, and questions about it belong here. What the keys are is in `rulekeys`; what they do is in
the hub.
"""

from kems_net.rulekeys import After as After
from kems_net.rulekeys import Away as Away
from kems_net.rulekeys import ContreNames as ContreNames
from kems_net.rulekeys import DoubleCall as DoubleCall
from kems_net.rulekeys import Exchange as Exchange
from kems_net.rulekeys import Holder as Holder
from kems_net.rulekeys import LostBy as LostBy
from kems_net.rulekeys import LuckyHand as LuckyHand
from kems_net.rulekeys import OpenedBy as OpenedBy
from kems_net.rulekeys import Pack as Pack
from kems_net.rulekeys import Proof as Proof
from kems_net.rulekeys import RuleKeys
from kems_net.rulekeys import Scoring as Scoring
from kems_net.rulekeys import Side as Side
from kems_net.rulekeys import Signals as Signals
from kems_net.rulekeys import Swept as Swept


class RuleSheet(RuleKeys, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rule sheet whose values can work together."""

    @property
    def letters_out(self) -> int:
        """How many letters put a team out."""
        return len(self.word)

    @property
    def contre_many_points(self) -> int:
        """Points of a right contre against two or more fours."""
        return self.double if self.contre_many is None else self.contre_many
