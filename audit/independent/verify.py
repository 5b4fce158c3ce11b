"""Replays an export of the ledger (npm run audit -- export ledger.jsonl) and checks that no cent was forged.

Written from docs/for-auditors.md alone, with Python's standard library alone: python3 verify.py ledger.jsonl
Prints the events, the last chain, balances, winners and findings as JSON. Exits with 1 when it finds anything wrong.
The page's last chapter tells what it leaves to "npm run audit -- verify".
"""
import json
import sys
from collections import defaultdict
from hashlib import sha256

MAY_BE_NEGATIVE = ("world:crypto", "house:adjustments")
TERMS_OF_VERSION_1 = {"tokenPriceCents": 30, "jackpotShareCents": 13, "houseShareCents": 2}


def canonical(value):
    """RFC 8785, for values whose names are ASCII and whose numbers are whole."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def chain_of(before, event):
    bound = {name: value for name, value in event["metadata"].items() if name != "chain"}
    lines = [before, event["id"], event["type"], canonical(event["data"]), canonical(bound)]
    return sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def merkle_root(leaves):
    """RFC 6962, section 2.1: a leaf is hashed after a byte 0, two nodes after a byte 1."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0].encode())
    left = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha256(b"\1" + merkle_root(leaves[:left]).digest() + merkle_root(leaves[left:]).digest())


def postings(type, d):
    """The table "Postings" of the page, as (account, cents)."""
    def move(source, target, cents):
        return [(source, -cents), (target, cents)]

    purchase, winnings = (f"gamer:{d.get('gamerId')}:{kind}" for kind in ("purchase", "winnings"))
    if type == "TokenPurchased":
        payer = "world:crypto" if d["source"] == "invoice" else f"gamer:{d['buyerId']}:purchase"
        shares = [("jackpot", d["jackpotShareCents"]), ("house:profit", d["houseShareCents"])]
        paid = [(f"gamer:{one['gamerId']}:winnings", one["cents"]) for one in d["allocations"]]
        return [(payer, -d["costCents"]), *shares, *paid, ("house:unclaimed", d["unclaimedCents"])]
    if type == "RoundEnded":
        return move("jackpot", f"gamer:{d['winner']['gamerId']}:winnings", d["jackpotCents"]) if d["winner"] else []
    if type == "BalanceAdjusted":
        return move("house:adjustments", purchase, d["purchaseCents"]) + move("house:adjustments", winnings, d["winningsCents"])
    if type == "DepositApproved":
        return move("world:crypto", purchase, d["amountCents"]) + move("world:crypto", "house:deposit-fees", d["feeCents"])
    if type == "GamerRemoved":
        return move(purchase, "house:forfeited", d["forfeitedPurchaseCents"]) + move(winnings, "house:forfeited", d["forfeitedWinningsCents"])
    moves = {
        "WinningsTransferred": (winnings, purchase),
        "BalanceReleased": (purchase, winnings),
        "InvoiceCredited": ("world:crypto", purchase),
        "WithdrawalRequested": (winnings, "payouts:pending"),
        "WithdrawalReturned": ("payouts:pending", winnings),
        "WithdrawalCompleted": ("payouts:pending", "world:crypto"),
        "ProfitWithdrawalRequested": ("house:profit", "payouts:pending"),
        "ProfitWithdrawalReturned": ("payouts:pending", "house:profit"),
        "ProfitWithdrawalCompleted": ("payouts:pending", "world:crypto"),
    }
    return move(*moves[type], d["amountCents"]) if type in moves else []


def verify(lines):
    chain, number, at, terms, bought = "0" * 64, 0, 0, TERMS_OF_VERSION_1, []
    balances, winners, findings = defaultdict(int), [], []
    waits = {}
    for event in map(json.loads, lines):
        type, d, metadata = event["type"], event["data"], event["metadata"]
        faults = []
        if event["number"] != number + 1 or metadata["at"] < at:
            faults.append("does not follow the event before it")
        if chain_of(chain, event) != metadata["chain"]:
            faults.append("has a chain that does not follow")
        number, chain, at = event["number"], metadata["chain"], metadata["at"]
        if type == "GameStarted":
            terms, bought = d.get("terms", TERMS_OF_VERSION_1), []
        if type == "TokenPurchased":
            bought.append((d, at))
            shares = (("costCents", "tokenPriceCents"), ("jackpotShareCents", "jackpotShareCents"), ("houseShareCents", "houseShareCents"))
            if any(d[share] != d["quantity"] * terms[each] for share, each in shares):
                faults.append("has a price or a share that is not that of its round")
        if type == "RoundEnded":
            last = bought[-1][0] if bought else None
            if d["winner"] != (last and {"gamerId": last["buyerId"], "purchaseId": last["purchaseId"]}):
                faults.append("names a winner who did not buy last")
            if d["jackpotCents"] != balances["jackpot"]:
                faults.append("has another jackpot than its account")
            leaves = [f"{one['purchaseId']} {one['buyerId']} {one['quantity']} {when}" for one, when in bought]
            if merkle_root(leaves).hexdigest() != d["merkleRoot"]:
                faults.append("has another Merkle root than its purchases")
            if d["winner"]:
                winners.append([d["roundId"], d["winner"]["gamerId"], d["jackpotCents"]])
        if type == "WithdrawalRequested":
            waits[d["withdrawalId"]] = d.get("heldUntilEpochMs") or 0
        if type in ("WithdrawalProcessing", "WithdrawalCompleted") and at < waits.get(d["withdrawalId"], 0):
            faults.append("pays a new address in its waiting time")
        if type == "WithdrawalReturned" and metadata["actor"]["id"] == d["gamerId"] and at >= waits.get(d["withdrawalId"], 0):
            faults.append("is stopped by its gamer after its waiting time")
        posted = postings(type, d)
        if sum(cents for _, cents in posted) != 0:
            faults.append("has postings that do not sum to zero")
        for account, cents in posted:
            balances[account] += cents
            if balances[account] < 0 and account not in MAY_BE_NEGATIVE:
                faults.append(f"leaves {account} below zero")
        findings += [f"event {number}: {type} {fault}" for fault in faults]
    held = {account: cents for account, cents in sorted(balances.items()) if cents != 0}
    return {"events": number, "chain": chain, "balances": held, "winners": winners, "findings": findings}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as export:
        verdict = verify(export)
    print(json.dumps(verdict, indent=2))
    sys.exit(1 if verdict["findings"] else 0)
