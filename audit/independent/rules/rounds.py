"""The chapter "The winner", and the rules "Rounds" and "Purchases" as far as they are about time."""

from datetime import datetime

from rules.tools import DAY, found

FIRST_TIMERS = {
    "pregameDurationSeconds": 180,
    "liveDurationSeconds": 120,
    "downtimeDurationSeconds": 14_400,
    "tokenExtensionSeconds": 30,
}
FORCED_SECONDS = 300
LEAST_AFTER_OUTAGE = 30_000
LONGEST_STALL = 3_000
LONGEST_DECISION = 6_000
YEAR_SECONDS, DAY_SECONDS = 31_536_000, 86_400
FARTHEST_PLAN = 366 * DAY


class Rounds:
    def __init__(self, state):
        self.state, self.winners = state, []
        self.phase, self.ends, self.timers = "idle", 0, FIRST_TIMERS
        self.number, self.terms, self.deciding = 0, None, 0
        self.seconds = 0  # Each token adds so many: fixed when the round is opened.
        self.bought = []  # The round's purchases.
        self.goes_live_at_once = False
        self.plan = None  # The planned start.
        self.repeats = None  # A daily plan that has just ended, whose next day the next event must plan.
        self.last_at = 0
        self.lost = []  # The times whose events were lost: from the last event that is left to the acceptance of the loss.

    @property
    def leader(self):
        """The last buyer of the live round."""
        return self.bought[-1]["buyerId"] if self.phase == "live" and self.bought else None

    def take(self, event):
        if self.goes_live_at_once and not event.data.get("forced"):
            yield "follows a round that was opened to go live at once"
        self.goes_live_at_once = False
        repeats, self.repeats = self.repeats, None
        if event.type == "GameScheduled":
            yield from self.scheduled(event.data, event, repeats)
        elif repeats is not None:
            yield "follows a daily start whose next day was not planned"
        if event.type in RULES:
            yield from RULES[event.type](self, event.data, event)
        self.last_at = event.at

    def is_open(self, d):
        return self.phase in ("pregame", "live") and d["roundId"] == self.number

    def history_lost(self, d, event):
        self.lost.append((d["lastKeptAtMs"], event.at))
        return found((d["lastKeptAtMs"] != self.last_at, "says another time of the event before it"))

    @property
    def lost_since(self):
        """When the lost time began in which the countdown reached zero."""
        return next((since for since, until in reversed(self.lost) if since < self.ends <= until), None)

    def timers_changed(self, d, event):
        self.timers = d
        phases = [d[name] for name in d if name != "tokenExtensionSeconds"]
        return found(
            (
                any(not 1 <= seconds <= YEAR_SECONDS for seconds in phases),
                "sets a phase shorter than a second or longer than a year",
            ),
            (not 1 <= d["tokenExtensionSeconds"] <= DAY_SECONDS, "sets an extension over a day, or none"),
        )

    def scheduled(self, d, event, repeats):
        earlier, self.plan = self.plan, d
        starts = d["startsAtMs"]
        is_next_day = (
            repeats is not None
            and starts <= event.at + 2 * DAY
            and (d["localTime"][10:], d["timeZone"]) == (repeats["localTime"][10:], repeats["timeZone"])
            and d["repeat"] == "daily"
        )
        return found(
            (earlier is not None, "plans a second start"),
            (not event.at < starts <= event.at + FARTHEST_PLAN, "plans a start that is past, or too far ahead"),
            (not is_near(d["localTime"], starts), "plans a start at another time than clocks show"),
            (repeats is not None and not is_next_day, "plans another start than the next day of a daily one"),
            (repeats is None and event.role == "system", "plans a start that nobody wanted"),
        )

    def schedule_cancelled(self, d, event):
        earlier, self.plan = self.plan, None
        return found(
            (earlier is None or earlier["startsAtMs"] != d["startsAtMs"], "cancels a start that was not planned")
        )

    def end_plan(self):
        """By a start at its time, or by a reset after it."""
        self.repeats = self.plan if self.plan is not None and self.plan["repeat"] == "daily" else None
        self.plan = None

    def game_started(self, d, event):
        length = d["pregameEndsAtMs"] - event.at
        is_forced = event.role != "system" and length == 0
        is_over = self.phase == "downtime" and event.at >= self.ends
        planned = d["plannedAtMs"]
        by_plan = planned is not None
        stands = self.phase == "idle" and self.plan is not None and self.plan["startsAtMs"] == planned
        is_due = is_over or by_plan if event.role == "system" else self.phase == "idle" or is_forced and self.phase == "downtime"
        terms = d["terms"]
        shares = [
            terms["jackpotShareCents"],
            terms["houseShareCents"],
            terms["directBonusCents"],
            *terms["levelShareCents"],
        ]
        faults = found(
            (not is_due, "opens a round that is not due"),
            (by_plan and not (stands and event.role == "system"), "starts by a plan that does not stand"),
            (by_plan and event.at < planned, "starts before its planned time"),
            (d["roundId"] != self.number + 1, "opens another round than the next"),
            (d["carriedCents"] != self.state.money.balances["jackpot"], "carries another jackpot than its account has"),
            (d["timers"] != self.timers, "has other timers than those in force"),
            (
                not is_forced and length != 1000 * self.timers["pregameDurationSeconds"],
                "has a pregame of another length",
            ),
            (sum(shares) != terms["tokenPriceCents"], "has terms that do not split the price"),
            (len(terms["levelShareCents"]) > 7, "has terms of more than seven levels"),
        )
        if by_plan:
            self.end_plan()
        self.phase, self.ends, self.number = "pregame", d["pregameEndsAtMs"], d["roundId"]
        self.terms, self.deciding, self.bought = terms, d["decidingMs"], []
        self.seconds, self.goes_live_at_once = d["timers"]["tokenExtensionSeconds"], is_forced
        return faults

    def live_started(self, d, event):
        seconds = FORCED_SECONDS if d["forced"] else self.timers["liveDurationSeconds"]
        faults = found(
            (not self.is_open(d) or self.phase == "live", "goes live without a pregame"),
            (not d["forced"] and event.at < self.ends, "goes live before its time"),
            (d["endsAtEpochMs"] - event.at != 1000 * seconds, "has a countdown of another length"),
        )
        self.phase, self.ends = "live", d["endsAtEpochMs"]
        return faults

    def token_purchased(self, d, event):
        self.bought.append(d)
        received = d["receivedAtEpochMs"]
        return found(
            (not 1 <= d["quantity"] <= 10_000, "is of no tokens, or of too many"),
            (
                not self.is_open(d) or self.phase != "live" or received >= self.ends,
                "is bought when nothing could be bought",
            ),
            (not 0 <= event.at - received <= LONGEST_DECISION, "was not decided right after its arrival"),
        )

    def time_extended(self, d, event):
        last = self.bought[-1] if self.bought else {"purchaseId": None, "buyerId": None, "quantity": 0}
        due = last["quantity"] * self.seconds
        faults = found(
            (not self.is_open(d), "is of another round"),
            (
                (d["purchaseId"], d["buyerId"]) != (last["purchaseId"], last["buyerId"]),
                "extends for another purchase than the last",
            ),
            (
                d["addedSeconds"] != due or d["endsAtEpochMs"] != self.ends + 1000 * due,
                "adds another time than was bought",
            ),
        )
        self.ends = d["endsAtEpochMs"]
        return faults

    def live_resumed(self, d, event):
        began, lost_since = d["lastAliveAtMs"], self.lost_since
        least = self.last_at if lost_since is None else lost_since
        left = max(self.ends - began, LEAST_AFTER_OUTAGE)
        faults = found(
            (
                not self.is_open(d) or self.phase != "live" or event.at < self.ends,
                "resumes a countdown that has not run out",
            ),
            (d["endsAtEpochMs"] < event.at + LEAST_AFTER_OUTAGE, "resumes with less than 30 seconds"),
            (began >= self.ends, "resumes after an outage that began after zero"),
            (lost_since not in (None, began), "resumes after another time than the lost one"),
            (began < least, "resumes after an outage in which an event was appended"),
            (event.at - began <= LONGEST_STALL, "resumes after a stall that was not an outage"),
            (d["outageSeconds"] != -(-(event.at - began) // 1000), "says another length of the outage"),
            (d["endsAtEpochMs"] != event.at + left, "leaves another time than was left"),
        )
        self.ends = d["endsAtEpochMs"]
        return faults

    def round_ended(self, d, event):
        last = self.bought[-1] if self.bought else None
        downtime = d["nextRoundAtMs"] - event.at
        faults = found(
            (not self.is_open(d) or self.phase != "live", "ends a round that is not live"),
            (
                d["winner"] != (last and {"gamerId": last["buyerId"], "purchaseId": last["purchaseId"]}),
                "names a winner who did not buy last",
            ),
            (d["jackpotCents"] != self.state.money.balances["jackpot"], "has another jackpot than its account"),
            (self.lost_since is not None, "ends in a time whose events were lost"),
            (d["endedAtMs"] != self.ends, "ends at another time than its countdown"),
            (event.at < self.ends + self.deciding, "ends before purchases that were on their way could be decided"),
            (d["purchaseCount"] != len(self.bought), "counts other purchases"),
            (downtime != 1000 * self.timers["downtimeDurationSeconds"], "has a downtime of another length"),
        )
        if d["winner"]:
            self.winners.append([d["roundId"], d["winner"]["gamerId"], d["jackpotCents"]])
        self.phase, self.ends, self.bought = "downtime", d["nextRoundAtMs"], []
        return faults

    def game_reset(self, d, event):
        open_round = self.number if self.phase in ("pregame", "live") else None
        bought = len(self.bought)
        faults = found(
            (self.phase == "idle", "resets a game that was idle"),
            (
                self.phase == "live" and bought and event.at >= self.ends,
                "resets a round at zero, when its last buyer had won",
            ),
            (d["roundId"] != open_round, "resets another round"),
            (d["carriedCents"] != self.state.money.balances["jackpot"], "carries another jackpot than its account has"),
            (d["purchaseCount"] != bought, "hides purchases that it makes void"),
            (bought and not d["reason"].strip(), "makes purchases void without a reason"),
        )
        self.phase, self.bought = "idle", []
        if self.plan is not None and self.plan["startsAtMs"] <= event.at:
            self.end_plan()
        return faults


def is_near(local_time, starts):
    """Clocks of every zone are less than a day from UTC."""
    try:
        as_utc = datetime.fromisoformat(local_time + "+00:00").timestamp() * 1000
    except ValueError:
        return False
    return abs(as_utc - starts) < DAY


RULES = {
    "HistoryLost": Rounds.history_lost,
    "TimersChanged": Rounds.timers_changed,
    "GameStarted": Rounds.game_started,
    "LiveStarted": Rounds.live_started,
    "TokenPurchased": Rounds.token_purchased,
    "TimeExtended": Rounds.time_extended,
    "LiveResumed": Rounds.live_resumed,
    "RoundEnded": Rounds.round_ended,
    "GameReset": Rounds.game_reset,
    "ScheduleCancelled": Rounds.schedule_cancelled,
}
