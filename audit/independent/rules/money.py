"""The chapters "Accounts" and "Postings": what each event does to the money."""

from collections import defaultdict

MAY_BE_NEGATIVE = ("world:crypto", "house:adjustments")

# Events that move amountCents from an account to another.
TRANSFERS = {
    "WinningsTransferred": ("winnings", "purchase"),
    "BalanceReleased": ("purchase", "winnings"),
    "InvoiceCredited": ("world:crypto", "purchase"),
    "WithdrawalRequested": ("winnings", "payouts:pending"),
    "WithdrawalReturned": ("payouts:pending", "winnings"),
    "WithdrawalCompleted": ("payouts:pending", "world:crypto"),
    "ProfitWithdrawalRequested": ("house:profit", "payouts:pending"),
    "ProfitWithdrawalReturned": ("payouts:pending", "house:profit"),
    "ProfitWithdrawalCompleted": ("payouts:pending", "world:crypto"),
}


def postings(type, d):
    """The postings of an event, as (account, cents)."""

    def account(name):
        return f"gamer:{d['gamerId']}:{name}" if name in ("purchase", "winnings") else name

    def move(source, target, cents):
        return [(account(source), -cents), (account(target), cents)]

    if type == "TokenPurchased":
        payer = "world:crypto" if d["source"] == "invoice" else f"gamer:{d['buyerId']}:purchase"
        shares = [("jackpot", d["jackpotShareCents"]), ("house:profit", d["houseShareCents"])]
        paid = [(f"gamer:{one['gamerId']}:winnings", one["cents"]) for one in d["allocations"]]
        return [(payer, -d["costCents"]), *shares, *paid, ("house:unclaimed", d["unclaimedCents"])]
    if type == "RoundEnded":
        return move("jackpot", f"gamer:{d['winner']['gamerId']}:winnings", d["jackpotCents"]) if d["winner"] else []
    if type == "BalanceAdjusted":
        changes = (("purchase", d["purchaseCents"]), ("winnings", d["winningsCents"]))
        return [posting for target, cents in changes for posting in move("house:adjustments", target, cents)]
    if type == "DepositApproved":
        return move("world:crypto", "purchase", d["amountCents"]) + move(
            "world:crypto", "house:deposit-fees", d["feeCents"]
        )
    if type == "GamerRemoved":
        changes = (("purchase", d["forfeitedPurchaseCents"]), ("winnings", d["forfeitedWinningsCents"]))
        return [posting for source, cents in changes for posting in move(source, "house:forfeited", cents)]
    return move(*TRANSFERS[type], d["amountCents"]) if type in TRANSFERS else []


def stated_balances(d):
    """The balances that an event says its accounts have after it."""
    owner = d.get("buyerId", d.get("gamerId"))
    if "purchaseBalanceCents" in d:
        yield f"gamer:{owner}:purchase", d["purchaseBalanceCents"]
    if "winningsBalanceCents" in d:
        yield f"gamer:{owner}:winnings", d["winningsBalanceCents"]


class Money:
    def __init__(self):
        self.balances = defaultdict(int)

    def of(self, gamer):
        """A gamer's two balances."""
        return self.balances[f"gamer:{gamer}:purchase"], self.balances[f"gamer:{gamer}:winnings"]

    def take(self, event):
        posted = postings(event.type, event.data)
        if sum(cents for _, cents in posted) != 0:
            yield "has postings that do not sum to zero"
        for account, cents in posted:
            self.balances[account] += cents
            if self.balances[account] < 0 and account not in MAY_BE_NEGATIVE:
                yield f"leaves {account} below zero"
        for account, cents in stated_balances(event.data):
            if self.balances[account] != cents:
                yield f"says that {account} has {cents}, and it has {self.balances[account]}"
        if event.type == "TokenPurchased" and event.data["jackpotCents"] != self.balances["jackpot"]:
            yield "says another jackpot than its account has"
