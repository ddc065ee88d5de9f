"""What a call is worth under the sheet's points: how likely a four must be to say it. Pure.

Everything is counted in points of difference to the other teams. Waiting is worth something too: a
mate's four can still be signed, an opponent's can still cost a Kem's.
"""

from kems_client.bots.skill_profile import SkillProfile
from kems_net.rulesheet import After, DoubleCall, LostBy
from kems_net.sheetfile import RuleSheet

_ROUND = 0.1
"""What a round that goes on is worth to a team that has just had the worse of it, in Kem's."""
_SHARE_LOST = {LostBy.TEAM: 1.0, LostBy.ACCUSER: 0.6, LostBy.NOBODY: 0.0}
"""How much of a team's right to contre a wrong one takes away: a mate keeps theirs."""


def kems_needs(sheet: RuleSheet, profile: SkillProfile) -> float:
    """How likely a mate's four must be for a Kem's without their sign."""
    if profile.kems_at is not None:
        return profile.kems_at
    right, wrong = float(sheet.kems), float(sheet.wrong_call)
    if sheet.after_wrong_call is After.GOES_ON:
        wrong -= _ROUND
    return wrong / (right * (1 - profile.kems_wait) + wrong)


def contre_needs(sheet: RuleSheet, profile: SkillProfile) -> float:
    """How likely an opponent's four must be for a contre."""
    if profile.contre_at is not None:
        return profile.contre_at
    right, theirs = float(sheet.contre_one), float(sheet.kems)
    wrong = sheet.contre_wrong * (1 + profile.shy)
    # A round that ends takes the right to a later contre with it.
    ends = sheet.after_wrong_contre is After.ENDS
    lost = 1.0 if ends else _SHARE_LOST[sheet.contre_lost_by]
    wrong += profile.contre_lost * right * lost
    return wrong / (right + wrong + profile.contre_risk * theirs)


def prefers_double(sheet: RuleSheet) -> bool:
    """Whether a holder who sees their mate's sign says Double instead of Kem's."""
    return sheet.double_call is DoubleCall.ALONE and sheet.double >= sheet.kems
