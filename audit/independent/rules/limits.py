"""The rules "Limits" and "Profile". The calendar is New York's, from the system's time zones."""

from collections import Counter
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from rules.tools import DAY, found

NEW_YORK = ZoneInfo("America/New_York")
KINDS, PERIODS, SUMS = ("spending", "deposits", "loss"), ("day", "week", "month"), ("spending", "deposits", "won")
NONE = {kind: {period: None for period in PERIODS} for kind in KINDS}
MOST = 100_000_000


def periods_at(at):
    """The day, the week (by its Monday) and the month in New York."""
    day = datetime.fromtimestamp(at // 1000, timezone.utc).astimezone(NEW_YORK).date()
    return {"day": day, "week": day - timedelta(days=day.weekday()), "month": day.replace(day=1)}


def values(limits):
    return [limits[kind][period] for kind in KINDS for period in PERIODS]


def lower(before, requested):
    return [
        min((one for one in both if one is not None), default=None) for both in zip(values(before), values(requested))
    ]


class Limits:
    def __init__(self):
        self.limited = {}  # By gamer: limits, and higher ones with the time from which they are confirmed.
        self.played = {}  # By gamer: cents by sum, period and its beginning.
        self.profile = {"profile": "none", "limits": NONE, "mustChooseLimits": False}

    def take(self, event):
        d, at = event.data, event.at
        if event.type == "LimitsSet":
            yield from self.set(d, at)
        elif event.type == "LimitsConfirmed":
            yield from self.confirm(d, at)
        elif event.type == "ProtectionProfileSet":
            yield from found((d == self.profile, "changes nothing"), self.too_high(d["limits"]))
            self.profile = d
        elif event.type == "TokenPurchased":
            must_choose = self.profile["mustChooseLimits"] and d["buyerId"] not in self.limited
            kinds = KINDS if d["source"] == "invoice" else ("spending", "loss")
            over = self.breaks(d["buyerId"], kinds, d["costCents"], at)
            yield from found((over, "breaks a limit"), (must_choose, "is of a gamer who has to choose limits first"))
            self.count(d["buyerId"], "spending", d["costCents"], at)
            if d["source"] == "invoice":
                self.count(d["buyerId"], "deposits", d["costCents"], at)
        elif event.type == "RoundEnded" and d["winner"]:
            self.count(d["winner"]["gamerId"], "won", d["jackpotCents"], at)
        elif event.type == "DepositApproved":
            yield from found((self.breaks(d["gamerId"], ("deposits",), d["amountCents"], at), "breaks a limit"))
            self.count(d["gamerId"], "deposits", d["amountCents"], at)
        elif event.type == "InvoiceCredited":
            self.count(d["gamerId"], "deposits", d["amountCents"], at)
        elif event.type == "DepositRecorded" and d["reason"] == "over-limit":
            over = d["gamerId"] and self.breaks(d["gamerId"], ("deposits",), d["amountCents"], at)
            yield from found((not over, "parks a deposit that breaks no limit"))
        elif event.type == "GamerRemoved":
            self.limited.pop(d["gamerId"], None)
            self.played.pop(d["gamerId"], None)

    def too_high(self, limits):
        return (
            any(limit is not None and limit > MOST for limit in values(limits)),
            "sets a limit above a million dollars",
        )

    def set(self, d, at):
        gamer, higher = d["gamerId"], d["higher"]
        before, _ = self.limited.get(gamer, (NONE, None))
        played = self.played.get(gamer, {})
        self.keep(gamer, d["limits"], higher)
        counted = {
            sum: {period: played.get((sum, period, begun), 0) for period, begun in periods_at(at).items()}
            for sum in SUMS
        }
        return found(
            self.too_high(d["limits"]),
            (values(d["limits"]) != lower(before, higher["limits"] if higher else d["limits"]), "raises a limit at once"),
            (higher and higher["confirmableFromMs"] != at + DAY, "does not wait a day for higher limits"),
            (d["used"] != counted, "says that the gamer played for other amounts"),
        )

    def confirm(self, d, at):
        _, higher = self.limited.get(d["gamerId"], (NONE, None))
        self.keep(d["gamerId"], d["limits"], None)
        is_due = higher and higher["limits"] == d["limits"] and at >= higher["confirmableFromMs"]
        return found((not is_due, "confirms limits that were not requested, or within a day"))

    def keep(self, gamer, limits, higher):
        if higher is None and limits == NONE:
            self.limited.pop(gamer, None)
        else:
            self.limited[gamer] = (limits, higher)

    def count(self, gamer, sum, cents, at):
        for period, begun in periods_at(at).items():
            self.played.setdefault(gamer, Counter())[(sum, period, begun)] += cents

    def breaks(self, gamer, kinds, cents, at):
        own, _ = self.limited.get(gamer, (NONE, None))
        played = self.played.get(gamer, Counter())
        for kind in kinds:
            for period, begun in periods_at(at).items():
                used = played[("spending" if kind == "loss" else kind, period, begun)]
                if kind == "loss":
                    used -= played[("won", period, begun)]
                limits = (own[kind][period], self.profile["limits"][kind][period])
                if any(limit is not None and used + cents > limit for limit in limits):
                    return True
        return False
