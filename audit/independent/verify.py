"""Replays an export of the ledger (npm run audit -- export ledger.jsonl) and checks that no cent was forged.

    python3 verify.py [--head HEAD]... ledger.jsonl...

Written from docs/for-auditors.md alone, with Python's standard library alone. This file checks what binds the events to
each other: order, chain and commands. Each file in rules/ checks the rules of one chapter of the page. Prints, for
each export, the events, the last chain, the tree's root, balances, winners, accepted losses and findings as a line of
JSON; exits with 1 when it finds anything. HEAD is a signed head that somebody kept, or a proof: the export must have its
root.
"""

import argparse
import json
import sys
from hashlib import sha256

from merkle import Tree
from notes import SignedHead
from rules.fields import faults_of_fields
from rules.limits import Limits
from rules.matrix import Matrix
from rules.money import Money
from rules.payments import Deposits, Withdrawals
from rules.actors import Actors
from rules.rounds import Rounds
from rules.tools import DAY, found

# The only commands with two events.
SECOND_EVENTS = {
    "TokenPurchased": ("TimeExtended",),
    "GameStarted": ("LiveStarted", "GameScheduled"),
    "GameReset": ("GameScheduled",),
    "StaffStatusSet": ("PowersSet",),
    "PowersSet": ("StaffStatusSet",),
    "PayoutOrdered": ("PayoutOrdered",),
}
REMEMBERED_COMMANDS = 500_000
MINUTE = 60_000


def canonical(value):
    """RFC 8785, for values whose names are ASCII and whose numbers are whole."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def hash_of_lines(*lines):
    return sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def chain_of(before, event):
    bound = {name: value for name, value in event["metadata"].items() if name != "chain"}
    content = hash_of_lines(event["id"], canonical(event["data"]), canonical(bound))
    return hash_of_lines(before, event["type"], content)


class Commands:
    """A command has one effect: nobody's command id has a second one within a day, or half a million commands."""

    def __init__(self):
        self.last, self.length = None, 0
        self.newest, self.older, self.since = {}, {}, 0

    def take(self, event):
        last, self.last = self.last, event
        key = (event.actor, event.metadata["commandId"])
        if last and key == (last.actor, last.metadata["commandId"]):
            self.length += 1
            is_too_long = self.length > 2 and event.type != "PayoutOrdered"
            is_second = is_too_long or event.type not in SECOND_EVENTS.get(last.type, ())
            yield from found(
                (is_second, "is a second effect of its command"),
                (event.metadata["commandHash"] != last.metadata["commandHash"], "has another hash than its command"),
                ((event.at, event.role) != (last.at, last.role), "has another time or role than its command"),
            )
            return
        self.length = 1
        before = self.newest.get(key, self.older.get(key))
        yield from found(
            (before is not None and event.at - before <= DAY, "is a second effect of its command"),
            (last and last.type == "TokenPurchased", "follows a purchase that has no extension"),
            (event.type == "TimeExtended", "is of another command than a purchase"),
        )
        # The game forgets older commands than those of the two maps, too.
        if len(self.newest) >= REMEMBERED_COMMANDS or event.at - self.since > DAY:
            self.newest, self.older, self.since = {}, self.newest, event.at
        self.newest[key] = event.at


class Event:
    def __init__(self, exported):
        self.type, self.data, self.metadata = exported["type"], exported["data"], exported["metadata"]
        self.at, self.actor = self.metadata["at"], self.metadata["actor"]["id"]
        self.role = self.metadata["actor"]["role"]
        self.stored_at = exported.get("createdAtMs", self.at)


def once(pairs):
    """A JSON object, whose members must have different names: readers differ in which of two they take."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is there twice")
    return members


class State:
    """What the rules know of the events so far. Each part checks an event against it, and then takes the event in."""

    def __init__(self):
        self.money, self.matrix, self.actors = Money(), Matrix(self), Actors(self)
        self.rounds, self.limits = Rounds(self), Limits()
        self.deposits, self.withdrawals = Deposits(), Withdrawals()
        # Order matters: a part that reads another part runs before it; money runs last, because the others need balances
        # from before the event.
        self.commands = Commands()
        self.parts = [self.commands, self.actors, self.rounds, self.matrix]
        self.parts += [self.limits, self.deposits, self.withdrawals, self.money]


def history_of(head, losses):
    """The lost history to which a head belongs that the log contradicts, if any."""
    for loss in losses:
        is_later = head.size >= loss["number"] or head.root.hex() == loss["signedRoot"]
        if head.origin == loss["signedOrigin"] and is_later:
            return f"the history that event {loss['number']} says was lost"
    return None


def verify(lines, heads=()):
    state, findings, tree = State(), [], Tree()
    losses, differing = [], []  # Losses of history that were accepted; signed heads with another root.
    number, at, chain = 0, 0, "0" * 64
    for exported in (json.loads(line, object_pairs_hook=once) for line in lines):
        faults = []
        if exported["number"] != number + 1:
            faults.append("has a number that does not follow")
        computed = chain_of(chain, exported)
        if computed != exported["metadata"]["chain"]:
            faults.append("has a chain that does not follow")
        number, chain = exported["number"], exported["metadata"]["chain"]
        tree.add(bytes.fromhex(computed))
        differing += [(number, exported["type"], h) for h in heads if h.size == tree.size and h.root != tree.root()]
        malformed = faults_of_fields(exported)
        if not malformed:
            event = Event(exported)
            if event.at < at:
                faults.append("is earlier than the event before it")
            if abs(event.at - event.stored_at) > MINUTE:
                faults.append("has a ledger time that is not the store's")
            at = event.at
            if event.type == "HistoryLost":
                losses.append({"number": number, "at": at, **event.data})
            # Every part takes the event in, whatever the others found.
            faults += [fault for part in state.parts for fault in list(part.take(event))]
        # No rule can read an event whose fields are not those of its type.
        faults += malformed
        findings += [f"event {number}: {exported['type']} {fault}" for fault in faults]
    if state.commands.last and state.commands.last.type == "TokenPurchased":
        findings.append(f"event {number}: TokenPurchased has no extension after it")
    for place, type, head in differing:
        history = history_of(head, losses) or "another history"
        findings.append(f"event {place}: {type} has another root than a signed head: it is of {history}")
    for head in (head for head in heads if head.size > number):
        history = history_of(head, losses) or "a longer history"
        findings.append(f"the signed head of {head.size} events is of {history}")
    balances = {account: cents for account, cents in sorted(state.money.balances.items()) if cents != 0}
    return {
        "events": number,
        "chain": chain,
        "root": tree.root().hex(),
        "balances": balances,
        "winners": state.rounds.winners,
        "losses": losses,
        "findings": findings,
    }


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Checks exports of the ledger.")
    arguments.add_argument("--head", type=argparse.FileType(encoding="utf-8"), action="append", default=[])
    arguments.add_argument("exports", nargs="+")
    given = arguments.parse_args()
    # A proof is its own lines, an empty line, and the head.
    notes = [file.read() for file in given.head]
    heads = [SignedHead(note.split("\n\n", 1)[1] if note.startswith("c2sp.org/tlog-proof@") else note) for note in notes]
    verdicts = []
    for name in given.exports:
        with open(name, encoding="utf-8") as export:
            verdicts.append(verify(export, heads))
        print(json.dumps(verdicts[-1]))
    sys.exit(1 if any(verdict["findings"] for verdict in verdicts) else 0)
