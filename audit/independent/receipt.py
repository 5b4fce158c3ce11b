"""Checks proofs of purchases and of rounds' ends (docs/receipts.md), offline, with Python's standard library alone.

    python3 receipt.py --key VKEY [--policy FILE] PROOF...

VKEY is the log's public key ("name+id+base64"); the policy (c2sp.org/tlog-policy) says whose cosignatures are required.
Prints for each proof what it shows, and what is wrong, as a line of JSON; exits with 1 when anything is wrong.
"""

import argparse
import json
import re
import sys

from merkle import leaf_of, root_of_inclusion
from notes import LOG, Key, Policy, SignedHead, decoded, require
from verify import canonical, hash_of_lines, once

BOUND = ("commandId", "commandHash", "actor", "at", "schema")


def chain_of_events(extra):
    chain = extra["chainBefore"]
    for event in extra["events"]:
        content = event.get("contentHash")
        if "id" in event:
            require(set(event["metadata"]) == set(BOUND), f"{event['type']} has metadata that no event may have")
            content = hash_of_lines(event["id"], canonical(event["data"]), canonical(event["metadata"]))
        chain = hash_of_lines(chain, event["type"], content)
    return bytes.fromhex(chain)


def shown_by(events):
    """What the events mean: the last one is of a purchase, or the end of a round, which needs its last purchase, too."""
    *before, last = events
    data = last["data"]
    if last["type"] != "RoundEnded":
        require(before == [], "other events stand before it")
        return f"{last['type']} {canonical(data)}"
    winner = data["winner"]
    if winner is None:
        require(before == [], "events stand before the end of a round without a winner")
        return f"round {data['roundId']} ended without a winner"
    purchase, extension, *between = before
    extended = (extension["type"], *(extension.get("data", {}).get(name) for name in ("roundId", "purchaseId", "buyerId")))
    is_last = all(event["type"] != "TokenPurchased" for event in between) and purchase["type"] == "TokenPurchased"
    is_winner = extended == ("TimeExtended", data["roundId"], winner["purchaseId"], winner["gamerId"])
    require(is_last and is_winner, "it does not show that the winner bought last")
    return f"{winner['gamerId']} won round {data['roundId']} with purchase {winner['purchaseId']}"


def check(text, key, policy):
    """Returns what a proof shows. Raises ValueError, KeyError or TypeError when it is wrong."""
    proof, note = text.split("\n\n", 1)
    first, extra, index, *hashes = proof.split("\n")
    require(first == "c2sp.org/tlog-proof@v1" and extra.startswith("extra "), "this is not a proof")
    require(re.fullmatch("index (0|[1-9][0-9]*)", index), "the proof has no index")
    extra = json.loads(decoded(extra[len("extra ") :]), object_pairs_hook=once)
    require(extra["format"] == "omni-jackpot proof 2", "this is a proof of another kind")
    head, number = SignedHead(note), int(index[len("index ") :])
    leaf = leaf_of(chain_of_events(extra))
    root = root_of_inclusion(number, head.size, leaf, [decoded(line) for line in hashes])
    require(root == head.root, f"its events are not at {number} in the log")
    require(key.type == LOG and head.origin == key.name and key.signed(head), "the log has not signed the head")
    cosigners = {name for name, witness in policy.witnesses.items() if witness.signed(head)}
    require(policy.suffices(policy.quorum, cosigners), "too few witnesses cosigned the head")
    cosigned = f", cosigned by {', '.join(sorted(cosigners))}" if cosigners else ""
    return f"event {number + 1} of {head.size} in {head.origin}{cosigned}: {shown_by(extra['events'])}"


def main():
    arguments = argparse.ArgumentParser(description="Checks proofs of the ledger, offline.")
    arguments.add_argument("--key", type=Key, required=True)
    arguments.add_argument("--policy", type=argparse.FileType(encoding="utf-8"))
    arguments.add_argument("proofs", nargs="+")
    given = arguments.parse_args()
    policy = Policy(given.policy.read() if given.policy else "")
    wrong = 0
    for file in given.proofs:
        shows, finding = None, None
        try:
            with open(file, encoding="utf-8", newline="") as proof:
                shows = check(proof.read(), given.key, policy)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            finding, wrong = f"{type(error).__name__}: {error}", 1
        print(json.dumps({"file": file, "shows": shows, "finding": finding}))
    sys.exit(wrong)


if __name__ == "__main__":
    main()
