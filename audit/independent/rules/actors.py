"""The rules "Actors", "Staff", "Operators", "Removals", "Exclusions" and "Encrypted texts"."""

import re

from rules.tools import DAY, found

# Who may cause an event. "owner" is the gamer it is about; "money" and "game" are the admin, or an operator with that power.
MAY_CAUSE = {
    "TimeExtended": ("system", "owner"),
    "WinningsTransferred": ("owner",),
    "WithdrawalRequested": ("owner",),
    "GamerExcluded": ("owner",),
    "LimitsSet": ("owner",),
    "LimitsConfirmed": ("owner",),
    "ExclusionLifted": ("owner",),
    "BalanceReleased": ("owner",),
    "WithdrawalReturned": ("money", "owner"),
    "GameStarted": ("system", "game"),
    "GameScheduled": ("system", "game"),
    "ScheduleCancelled": ("game",),
    "DepositApproved": ("system", "money"),
    "PayoutsReleased": ("system", "money"),
    "HistoryLost": ("system",),
    "PayoutOrdered": ("money",),
    "PayoutFailed": ("system",),
    "PayoutSettled": ("money",),
    "LiveResumed": ("system",),
    "RoundEnded": ("system",),
    "DepositRecorded": ("system",),
    "InvoiceCredited": ("system",),
    "ProtectionProfileSet": ("system",),
    "GameReset": ("game",),
    "TimersChanged": ("game",),
    "DepositorStatusSet": ("money",),
    "BalanceAdjusted": ("money",),
    "DepositRejected": ("money",),
    "WithdrawalProcessing": ("money",),
    "WithdrawalCompleted": ("system", "money"),
}
# Events whose gamer must be enrolled, and not the admin.
OF_GAMERS = (
    "InvoiceCredited",
    "WinningsTransferred",
    "BalanceReleased",
    "BalanceAdjusted",
    "DepositApproved",
    "DepositorStatusSet",
)
OF_GAMERS += (
    "StaffStatusSet",
    "WithdrawalRequested",
    "GamerExcluded",
    "LimitsSet",
    "LimitsConfirmed",
    "ExclusionLifted",
)
LENGTHS = {"time-out": (1, 7, 30, 42), "self-exclusion": (184, 366, 731, 1_096, 1_827)}
MOST_ADJUSTED = 100_000_000


def may_cause(type, d):
    if type == "GamerEnrolled":
        return ("admin",) if d["parentId"] is None else ("owner",)
    if type == "TokenPurchased":
        return ("system",) if d["source"] == "invoice" else ("owner",)
    if type == "LiveStarted":
        return ("game",) if d["forced"] else ("system",)
    return MAY_CAUSE.get(type, ("admin",))


class Actors:
    def __init__(self, book):
        self.book = book
        self.staff, self.powers = set(), {}
        self.exclusions = {}  # By gamer: whether it is a self-exclusion, and its end.

    def is_excluded(self, gamer, at):
        """A self-exclusion does not end by itself."""
        is_self, end = self.exclusions.get(gamer, (False, 0))
        return is_self or end > at

    def take(self, event):
        d, owner = event.data, self.owner_of(event)
        yield from self.actor_faults(event, owner)
        yield from self.encryption_faults(d, owner)
        if event.type in OF_GAMERS and not self.book.matrix.is_gamer(owner):
            yield "is for somebody who is not a gamer"
        if event.type in RULES:
            yield from RULES[event.type](self, d, event)

    def owner_of(self, event):
        if event.type == "DepositRejected":
            return self.book.deposits.waiting.get(event.data["depositId"], {}).get("gamerId")
        return event.data.get("buyerId", event.data.get("gamerId"))

    def actor_faults(self, event, owner):
        root = self.book.matrix.root
        changed = event.data.get("gamerId")  # Operators do not act for themselves.
        powers = self.powers.get(event.actor, ()) if event.role == "operator" and event.actor != changed else ()
        held = {
            "admin": event.role == "admin",
            "system": event.role == "system",
            "owner": event.actor == owner and event.role not in ("admin", "system"),
            **{power: event.role == "admin" or power in powers for power in ("money", "game")},
        }
        return found(
            ((event.role == "system") != (event.actor == "system"), "is of a system that is a gamer"),
            (event.role == "admin" and root and event.actor != root.gamer, "is of somebody who is not the admin"),
            (not any(held[one] for one in may_cause(event.type, event.data)), "is of somebody who may not cause it"),
        )

    def encryption_faults(self, d, owner):
        texts = [value for value in d.values() if owner and isinstance(value, str) and value.startswith("encrypted:")]
        right = re.compile(rf"encrypted:1:{re.escape(owner or '')}:[\w-]*", re.ASCII)
        return found((any(not right.fullmatch(text) for text in texts), "has a text that is not encrypted for its gamer"))

    def adjusted(self, d, event):
        changes = (d["purchaseCents"], d["winningsCents"])
        return found(
            (changes == (0, 0), "adjusts nothing"),
            (any(abs(cents) > MOST_ADJUSTED for cents in changes), "adjusts by more than a million dollars"),
        )

    def transferred(self, d, event):
        return found(
            (d["amountCents"] == 0, "transfers nothing"),
            (self.is_excluded(d["gamerId"], event.at), "is of an excluded gamer"),
        )

    def released(self, d, event):
        return found(
            (
                d["amountCents"] == 0 or d["purchaseBalanceCents"] != 0,
                "releases another amount than the whole purchase balance",
            ),
            (not self.is_excluded(d["gamerId"], event.at), "is of a gamer who is not excluded"),
        )

    def bought(self, d, event):
        return found(
            (d["buyerId"] in self.staff, "is bought by staff"),
            (self.is_excluded(d["buyerId"], event.at), "is bought by an excluded gamer"),
        )

    def withdrawal(self, d, event):
        return found((d["gamerId"] in self.staff, "is of staff"))

    def staff_set(self, d, event):
        gamer, is_staff = d["gamerId"], d["isStaff"]
        faults = found(
            ((gamer in self.staff) == is_staff, "changes nothing"),
            (not is_staff and gamer in self.powers, "ends the status of somebody who has powers"),
            (is_staff and gamer == self.book.rounds.leader, "is for the last buyer of the live round"),
        )
        (self.staff.add if is_staff else self.staff.discard)(gamer)
        return faults

    def powers_set(self, d, event):
        gamer, powers = d["gamerId"], d["powers"]
        faults = found(
            (set(powers) == set(self.powers.get(gamer, ())), "changes nothing"),
            (len(set(powers)) != len(powers), "gives a power twice"),
            (powers and gamer not in self.staff, "gives powers to somebody who is not staff"),
        )
        self.powers.pop(gamer, None)
        if powers:
            self.powers[gamer] = powers
        return faults

    def removed(self, d, event):
        gamer = d["gamerId"]
        self.staff.discard(gamer)
        self.powers.pop(gamer, None)
        forfeited = (d["forfeitedPurchaseCents"], d["forfeitedWinningsCents"])
        return found(
            (forfeited != self.book.money.of(gamer), "forfeits other balances than the gamer has"),
            (self.book.withdrawals.is_open_for(gamer), "removes a gamer with an open withdrawal"),
            (gamer == self.book.rounds.leader, "removes the last buyer of the live round"),
        )

    def excluded(self, d, event):
        gamer, until, is_self = d["gamerId"], d["untilMs"], d["kind"] == "self-exclusion"
        was_self, end = self.exclusions.get(gamer, (False, 0))
        is_weaker = self.is_excluded(gamer, event.at) and (until <= end or was_self and not is_self)
        is_shared = (is_self, until) in self.exclusions.values()
        self.exclusions[gamer] = (is_self, until)
        days, rest = divmod(until - event.at, DAY)
        return found(
            (not is_shared and (rest or days not in LENGTHS[d["kind"]]), "has a length that cannot be chosen"),
            (is_weaker, "shortens an exclusion"),
        )

    def lifted(self, d, event):
        is_self, end = self.exclusions.get(d["gamerId"], (False, 0))
        self.exclusions[d["gamerId"]] = (False, d["playsFromMs"])
        return found(
            (not is_self or event.at < end, "lifts what is not a self-exclusion, or not over"),
            (d["playsFromMs"] != event.at + DAY, "does not wait a day"),
        )


RULES = {
    "BalanceAdjusted": Actors.adjusted,
    "WinningsTransferred": Actors.transferred,
    "BalanceReleased": Actors.released,
    "TokenPurchased": Actors.bought,
    "WithdrawalRequested": Actors.withdrawal,
    "StaffStatusSet": Actors.staff_set,
    "PowersSet": Actors.powers_set,
    "GamerRemoved": Actors.removed,
    "GamerExcluded": Actors.excluded,
    "ExclusionLifted": Actors.lifted,
}
