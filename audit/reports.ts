import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { RoundId } from '../contracts/ids.js';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import { postings } from '../domain/postings.js';
import { cents } from './finding.js';
import { type LedgerReader, ledgerOf } from './verify.js';

const time = (atEpochMs: number): string => new Date(atEpochMs).toISOString();
/** As the audit screens number events, from 1 on. */
const numbered = (revision: number): string => String(revision + 1).padStart(10);
const tokens = (quantity: number): string => (quantity === 1 ? '1 token' : `${quantity} tokens`);

/** Everything that happened in a round, a line each, in the order that decided it. */
export async function* roundReport(log: LedgerReader, roundId: RoundId): AsyncIterable<string> {
  for await (const { revision, event, metadata } of ledgerOf(log)) {
    const said = saysOfRound(event, roundId);
    if (said !== null) yield `${numbered(revision)}  ${time(metadata.at)}  ${said}`;
  }
}

function saysOfRound(event: LedgerEvent, roundId: RoundId): string | null {
  if (!('roundId' in event.data) || event.data.roundId !== roundId) return null;
  switch (event.type) {
    case 'GameStarted':
      return `opened, carrying ${cents(event.data.carriedCents)}; each token adds ${event.data.timers.tokenExtensionSeconds} s`;
    case 'LiveStarted':
      return `live until ${time(event.data.endsAtEpochMs)}`;
    case 'TokenPurchased': {
      const { buyerId, quantity, purchaseId, jackpotCents } = event.data;
      return `${buyerId} buys ${tokens(quantity)} (${purchaseId}); jackpot ${cents(jackpotCents)}`;
    }
    case 'TimeExtended':
      return `+${event.data.addedSeconds} s, ends ${time(event.data.endsAtEpochMs)}`;
    case 'LiveResumed':
      return `resumed after ${event.data.outageSeconds} s without a node, ends ${time(event.data.endsAtEpochMs)}`;
    case 'RoundEnded': {
      const { winner, jackpotCents, merkleRoot } = event.data;
      const outcome = winner
        ? `${winner.gamerId} wins ${cents(jackpotCents)} with ${winner.purchaseId}`
        : 'nobody wins';
      return `${outcome}; Merkle root ${merkleRoot}`;
    }
    case 'GameReset':
      return `void, carrying ${cents(event.data.carriedCents)}: ${event.data.reason}`;
    default:
      return null;
  }
}

/** Every change of an account with the balance after it, a line each. */
export async function* statement(log: LedgerReader, account: LedgerAccount): AsyncIterable<string> {
  let balance = 0;
  for await (const { revision, event, metadata } of ledgerOf(log)) {
    for (const posting of postings(event)) {
      if (posting.account !== account) continue;
      balance += posting.cents;
      const figures = `${cents(posting.cents).padStart(14)}${cents(balance).padStart(14)}`;
      yield `${numbered(revision)}  ${time(metadata.at)}  ${event.type.padEnd(26)}${figures}`;
    }
  }
}
