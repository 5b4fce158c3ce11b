"""The chapter "Events": every type with its fields, all of version 1. A field that is not listed is a fault."""

import re


def whole(value):
    return type(value) is int and 0 <= value < 2**53


def signed(value):
    return type(value) is int and abs(value) < 2**53


def text(value):
    return type(value) is str


def name(value):
    return type(value) is str and value != ""


def flag(value):
    return type(value) is bool


def digest(value):
    return type(value) is str and re.fullmatch("[0-9a-f]{64}", value) is not None


def or_null(check):
    return lambda value: value is None or check(value)


def one_of(*values):
    return lambda value: type(value) is str and value in values


def list_of(check):
    return lambda value: type(value) is list and all(map(check, value))


def members(**checks):
    return (
        lambda value: type(value) is dict
        and value.keys() == checks.keys()
        and all(check(value[one]) for one, check in checks.items())
    )


TIMERS = {f"{phase}DurationSeconds": whole for phase in ("pregame", "live", "downtime")} | {
    "tokenExtensionSeconds": whole
}
AMOUNTS = {f"{one}Cents": whole for one in ("tokenPrice", "jackpotShare", "houseShare", "directBonus")}
TERMS = members(**AMOUNTS, levelShareCents=list_of(whole), matrixWidth=whole)
COIN = one_of("BTC", "LTC", "TRX", "DOGE")
DEPOSIT = {
    "depositId": name,
    "paymentId": name,
    "purpose": one_of("deposit", "tokens"),
    "amountCents": whole,
    "feeCents": whole,
    "cryptoType": COIN,
}
REASON = one_of(
    "underpaid", "overpaid", "wrong-coin", "repeated", "late", "failed", "unknown-order", "no-gamer", "over-limit"
)
PAYOUT = {"withdrawalId": name, "amountCents": whole, "cryptoType": COIN, "walletAddress": name}
SETTLEMENT = {"withdrawalId": name, "amountCents": whole, "adminNotes": or_null(text), "txid": or_null(text)}
OF_PERIODS = members(day=or_null(whole), week=or_null(whole), month=or_null(whole))
LIMITS = members(spending=OF_PERIODS, deposits=OF_PERIODS, loss=OF_PERIODS)
SUM = members(day=whole, week=whole, month=whole)
WINNER = members(gamerId=name, purchaseId=name)
ALLOCATION = members(gamerId=name, level=or_null(whole), direct=flag, cents=whole)
ADJUSTMENT = {"gamerId": name, "purchaseCents": signed, "winningsCents": signed, "reason": text}
TRANSFER = {"gamerId": name, "amountCents": whole, "purchaseBalanceCents": whole}

FIELDS = {
    "GamerEnrolled": {"gamerId": name, "sponsorId": or_null(name), "parentId": or_null(name), "slot": or_null(whole)},
    "GamerRemoved": {
        "gamerId": name,
        "moved": list_of(members(gamerId=name, parentId=name, slot=whole)),
        "forfeitedPurchaseCents": whole,
        "forfeitedWinningsCents": whole,
    },
    "GameStarted": {
        "roundId": whole,
        "pregameEndsAtMs": whole,
        "timers": members(**TIMERS),
        "carriedCents": whole,
        "terms": TERMS,
        "decidingMs": whole,
        "plannedAtMs": or_null(whole),
    },
    "LiveStarted": {"roundId": whole, "endsAtEpochMs": whole, "forced": flag},
    "LiveResumed": {
        "roundId": whole,
        "outageSeconds": whole,
        "endsAtEpochMs": whole,
        "lastAliveAtMs": whole,
    },
    "TokenPurchased": {
        "purchaseId": name,
        "roundId": whole,
        "buyerId": name,
        "quantity": whole,
        "costCents": whole,
        "source": one_of("balance", "invoice"),
        "paymentId": or_null(name),
        "jackpotShareCents": whole,
        "houseShareCents": whole,
        "allocations": list_of(ALLOCATION),
        "unclaimedCents": whole,
        "jackpotCents": whole,
        "purchaseBalanceCents": whole,
        "receivedAtEpochMs": whole,
    },
    "TimeExtended": {
        "roundId": whole,
        "purchaseId": name,
        "buyerId": name,
        "addedSeconds": whole,
        "endsAtEpochMs": whole,
    },
    "RoundEnded": {
        "roundId": whole,
        "winner": or_null(WINNER),
        "jackpotCents": whole,
        "endedAtMs": whole,
        "nextRoundAtMs": whole,
        "purchaseCount": whole,
    },
    "GameReset": {"roundId": or_null(whole), "carriedCents": whole, "reason": text, "purchaseCount": whole},
    "TimersChanged": TIMERS,
    "GameScheduled": {
        "startsAtMs": whole,
        "localTime": name,
        "timeZone": name,
        "repeat": one_of("once", "daily"),
    },
    "ScheduleCancelled": {"startsAtMs": whole},
    "DepositorStatusSet": {"gamerId": name, "untilMs": or_null(whole)},
    "StaffStatusSet": {"gamerId": name, "isStaff": flag},
    "HistoryLost": {
        "signedOrigin": name,
        "signedSize": whole,
        "signedRoot": digest,
        "lastKeptAtMs": whole,
        "acceptedBy": name,
        "reason": name,
    },
    "PayoutSettled": {"payoutId": name, "adminNotes": name},
    "PayoutsReleased": {"paymentCount": whole, "payoutCount": whole, "reason": or_null(name)},
    "PowersSet": {"gamerId": name, "powers": list_of(one_of("money", "game", "support", "community"))},
    "WinningsTransferred": TRANSFER,
    "BalanceReleased": TRANSFER,
    "BalanceAdjusted": ADJUSTMENT | {"purchaseBalanceCents": whole, "winningsBalanceCents": whole},
    "DepositRecorded": DEPOSIT | {"gamerId": or_null(name), "reason": REASON},
    "DepositApproved": DEPOSIT
    | {
        "gamerId": name,
        "depositorUntilMs": or_null(whole),
        "purchaseBalanceCents": whole,
        "reassignmentReason": or_null(text),
    },
    "DepositRejected": {"depositId": name, "paymentId": name, "adminNotes": or_null(text)},
    "InvoiceCredited": TRANSFER | {"paymentId": name, "quantity": whole, "cryptoType": COIN},
    "WithdrawalRequested": PAYOUT
    | {"gamerId": name},
    "WithdrawalProcessing": {"withdrawalId": name, "gamerId": name, "adminNotes": or_null(text)},
    "PayoutOrdered": {"withdrawalId": name, "gamerId": name, "batchId": name, "payoutId": name, "amount": name},
    "PayoutFailed": {
        "withdrawalId": name,
        "gamerId": name,
        "payoutId": name,
        "outcome": one_of("failed", "rejected", "uncertain"),
        "paidAmount": or_null(name),
        "txid": or_null(text),
    },
    "WithdrawalCompleted": SETTLEMENT | {"gamerId": name},
    "WithdrawalReturned": SETTLEMENT | {"gamerId": name},
    "ProfitWithdrawalRequested": PAYOUT,
    "ProfitWithdrawalCompleted": SETTLEMENT,
    "ProfitWithdrawalReturned": SETTLEMENT,
    "LimitsSet": {
        "gamerId": name,
        "limits": LIMITS,
        "higher": or_null(members(limits=LIMITS, confirmableFromMs=whole)),
        "used": members(spending=SUM, deposits=SUM, won=SUM),
    },
    "LimitsConfirmed": {"gamerId": name, "limits": LIMITS},
    "ProtectionProfileSet": {
        "profile": one_of("none", "standard", "strict"),
        "limits": LIMITS,
        "mustChooseLimits": flag,
    },
    "GamerExcluded": {"gamerId": name, "kind": one_of("time-out", "self-exclusion"), "untilMs": whole},
    "ExclusionLifted": {"gamerId": name, "playsFromMs": whole},
}
ROLES = one_of("gamer", "auditor", "operator", "admin", "system")
METADATA = members(
    commandId=name, commandHash=digest, actor=members(id=name, role=ROLES), at=whole, schema=whole, chain=digest
)


MEMBERS = {"number", "id", "type", "data", "metadata", "position", "createdAtMs"}


def faults_of_fields(exported):
    type, data, metadata = exported["type"], exported["data"], exported["metadata"]
    if not exported.keys() <= MEMBERS:
        return ["has a member that no line of an export has"]
    if type not in FIELDS:
        return ["is of an unknown type"]
    if not METADATA(metadata) or metadata["schema"] != 1:
        return ["has metadata, or a version, that no event of this type has"]
    return [] if members(**FIELDS[type])(data) else ["has other fields than events of its type"]
