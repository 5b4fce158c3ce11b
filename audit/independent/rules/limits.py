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
        self.limited = {}  # By gamer: limits, wanted, confirmable from, and what limits of version 1 leave out.
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
            over = self.breaks(d["buyerId"], ("spending", "loss"), d["costCents"], at, min)
            yield from found((over, "breaks a limit"), (must_choose, "is of a gamer who has to choose limits first"))
            self.count(d["buyerId"], "spending", d["costCents"], at)
            if d["source"] == "invoice":
                self.count(d["buyerId"], "deposits", d["costCents"], at)
        elif event.type == "RoundEnded" and d["winner"]:
            self.count(d["winner"]["gamerId"], "won", d["jackpotCents"], at)
        elif event.type == "DepositApproved":
            yield from found((self.breaks(d["gamerId"], ("deposits",), d["amountCents"], at, min), "breaks a limit"))
            self.count(d["gamerId"], "deposits", d["amountCents"], at)
        elif event.type == "InvoiceCredited":
            self.count(d["gamerId"], "deposits", d["amountCents"], at)
        elif event.type == "DepositRecorded" and d["reason"] == "over-limit":
            over = d["gamerId"] and self.breaks(d["gamerId"], ("deposits",), d["amountCents"], at, max)
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
        gamer, wanted = d["gamerId"], d["wanted"]
        before, _, _, left_out = self.limited.get(gamer, (NONE, None, 0, None))
        played = self.played.get(gamer, {})
        if "used" in d:
            left_out = None
        elif left_out is None:
            left_out = dict(played)
        self.keep(gamer, d["limits"], wanted, d["confirmableFromEpochMs"], left_out)
        counted = {
            sum: {period: played.get((sum, period, begun), 0) for period, begun in periods_at(at).items()}
            for sum in SUMS
        }
        return found(
            self.too_high(d["limits"]),
            (values(d["limits"]) != lower(before, wanted or d["limits"]), "raises a limit at once"),
            (d["confirmableFromEpochMs"] != (at + DAY if wanted else None), "does not wait a day for higher limits"),
            (d.get("used", counted) != counted, "says that the gamer played for other amounts"),
        )

    def confirm(self, d, at):
        _, wanted, confirmable_from, left_out = self.limited.get(d["gamerId"], (NONE, None, 0, None))
        self.keep(d["gamerId"], d["limits"], None, None, left_out)
        return found(
            (wanted != d["limits"] or at < confirmable_from, "confirms limits that were not wanted, or within a day")
        )

    def keep(self, gamer, limits, wanted, confirmable_from, left_out):
        if wanted is None and limits == NONE:
            self.limited.pop(gamer, None)
        else:
            self.limited[gamer] = (limits, wanted, confirmable_from, left_out)

    def count(self, gamer, sum, cents, at):
        for period, begun in periods_at(at).items():
            self.played.setdefault(gamer, Counter())[(sum, period, begun)] += cents

    def breaks(self, gamer, kinds, cents, at, choose):
        """Limits of version 1 were counted in two ways: `choose` is min for what must break one, max for what may."""
        own, _, _, left_out = self.limited.get(gamer, (NONE, None, 0, None))
        for kind in kinds:
            for period, begun in periods_at(at).items():

                def used(without):
                    def of(sum):
                        key = (sum, period, begun)
                        return self.played.get(gamer, {}).get(key, 0) - without.get(key, 0)

                    return of("spending") - of("won") if kind == "loss" else of(kind)

                ways = [used({}), used(left_out)] if left_out else [used({})]
                limits = ((own[kind][period], choose(ways)), (self.profile["limits"][kind][period], ways[0]))
                if any(limit is not None and most + cents > limit for limit, most in limits):
                    return True
        return False
