"""The rules "Deposits" and "Withdrawals"."""

from rules.tools import DAY, found

LEAST_WITHDRAWAL = 1_000
SETTLES = ("WithdrawalCompleted", "WithdrawalReturned", "ProfitWithdrawalCompleted", "ProfitWithdrawalReturned")
DEPOSITOR_TIME = 30 * DAY


def fee_faults(d):
    total = d["amountCents"] + d["feeCents"]
    credited = total * 100 // 105 if d["purpose"] == "deposit" else total
    return found(
        (d["amountCents"] != credited or credited == 0, "credits another part of the payment than all but the fee")
    )


class Deposits:
    def __init__(self):
        self.payments, self.ids, self.waiting = set(), set(), {}

    def take(self, event):
        d, type = event.data, event.type
        if type == "DepositRecorded":
            yield from self.first(d) + fee_faults(d)
            self.waiting[d["depositId"]] = d
        elif type == "DepositApproved":
            until = event.at + DEPOSITOR_TIME if d["purpose"] == "deposit" else None
            yield from found((d["depositorUntilMs"] != until, "gives a depositor status that is not of 30 days"))
            recorded = self.waiting.pop(d["depositId"], None)
            yield from self.at_once(d, event) if recorded is None else self.as_recorded(d, recorded, event)
        elif type == "DepositRejected":
            recorded = self.waiting.pop(d["depositId"], {"paymentId": None})
            yield from found((recorded["paymentId"] != d["paymentId"], "rejects a deposit that is not waiting"))
        elif type == "InvoiceCredited":
            yield from self.first(d) + found(
                (
                    not 1 <= d["quantity"] <= 10_000 or d["amountCents"] == 0 or d["amountCents"] % d["quantity"] != 0,
                    "credits no price of its tokens",
                ),
            )
        elif type == "TokenPurchased":
            is_paid = d["paymentId"] is not None
            yield from found(((d["source"] == "invoice") != is_paid, "is paid by no payment, or by two"))
            yield from self.first(d) if is_paid else []
        elif type == "DepositorStatusSet":
            yield from found(
                (
                    d["untilMs"] not in (None, event.at + DEPOSITOR_TIME),
                    "gives a depositor status that is not of 30 days",
                )
            )

    def first(self, d):
        """A payment, and a deposit, is recorded once."""
        faults = found(
            (d["paymentId"] in self.payments, "records a payment again"),
            (d.get("depositId") in self.ids, "records a deposit again"),
        )
        self.payments.add(d["paymentId"])
        if "depositId" in d:
            self.ids.add(d["depositId"])
        return faults

    def at_once(self, d, event):
        return (
            self.first(d)
            + fee_faults(d)
            + found(
                (event.role != "system" or d["purpose"] != "deposit", "approves a deposit that was never recorded"),
            )
        )

    def as_recorded(self, d, recorded, event):
        same = ("paymentId", "purpose", "amountCents", "feeCents", "cryptoType")
        is_other = recorded["gamerId"] not in (None, d["gamerId"])
        return found(
            (event.role == "system", "approves a recorded deposit without a person"),
            (any(d[name] != recorded[name] for name in same), "approves another deposit than was recorded"),
            (is_other and not d["reassignmentReason"], "takes a payment from its gamer without a reason"),
        )


class Withdrawals:
    def __init__(self):
        self.ids, self.open, self.processing = set(), {}, set()
        self.ordered, self.parked = {}, set()  # Ordered payouts by withdrawal, and withdrawals whose payout may have been made.
        self.waits = False  # After a loss of history, until the gateway was asked what it paid.

    def is_open_for(self, gamer):
        return any(d.get("gamerId") == gamer for d in self.open.values())

    def take(self, event):
        d, type = event.data, event.type
        if type in ("PayoutSettled", "PayoutsReleased"):
            yield from found((not self.waits, "is about a loss, and there was none"))
        if type in ("HistoryLost", "PayoutsReleased"):
            self.waits = type == "HistoryLost"
        if type in ("WithdrawalRequested", "ProfitWithdrawalRequested"):
            yield from self.request(d)
        elif type in ("WithdrawalProcessing", "PayoutOrdered", "PayoutFailed") or type in SETTLES:
            yield from self.go_on(d, event)
            yield from self.gateway(d, event)

    def request(self, d):
        faults = found(
            (d["withdrawalId"] in self.ids, "requests a withdrawal again"),
            (d["amountCents"] < LEAST_WITHDRAWAL, "is of less than $10.00"),
        )
        self.ids.add(d["withdrawalId"])
        self.open[d["withdrawalId"]] = d
        return faults

    def go_on(self, d, event):
        requested = self.open.get(d["withdrawalId"])
        if requested is None:
            return ["is of a withdrawal that is not open"]
        is_cancelled = event.type == "WithdrawalReturned" and event.actor == d["gamerId"]
        was_paid = event.type.endswith("Completed") and d["txid"] is not None
        faults = found(
            (self.waits and not was_paid and event.type != "PayoutFailed", "changes a payout before the gateway was asked"),
            (d.get("gamerId") != requested.get("gamerId"), "is for another than requested it"),
            (
                d.get("amountCents", requested["amountCents"]) != requested["amountCents"],
                "is of another amount than was requested",
            ),
            (is_cancelled and d["withdrawalId"] in self.processing, "was cancelled by its gamer while it was processed"),
            (
                is_cancelled and (d["adminNotes"], d["txid"]) != (None, None),
                "was cancelled by its gamer but has admin notes or a transaction id",
            ),
        )
        if event.type in SETTLES:
            del self.open[d["withdrawalId"]]
        if event.type == "WithdrawalProcessing":
            self.processing.add(d["withdrawalId"])
        return faults

    def gateway(self, d, event):
        id, type = d["withdrawalId"], event.type
        ordered = self.ordered.get(id)
        if type == "PayoutOrdered":
            self.ordered[id] = d["payoutId"]
            return found(
                (id not in self.processing, "orders a payout of a withdrawal that is not processed"),
                (ordered is not None, "orders a payout that is ordered already"),
                (id in self.parked, "orders a payout again after one that may have been paid"),
            )
        if type == "PayoutFailed":
            self.ordered.pop(id, None)
            if d["outcome"] == "uncertain":
                self.parked.add(id)
            return found((ordered != d["payoutId"], "fails a payout that is not ordered"))
        is_system = event.role == "system"
        return found(
            (type in SETTLES and ordered is not None and not is_system, "decides by hand while the payout is ordered"),
            (type in SETTLES and ordered is None and is_system, "completes by itself what was not ordered"),
        )
