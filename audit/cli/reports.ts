import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { RoundId } from '../../contracts/ids.js';
import { cents } from '../replay/finding.js';
import { postingsOf } from '../replay/postings.js';
import { type LedgerReader, ledgerOf } from '../replay/verify.js';

const time = (atEpochMs: number): string => new Date(atEpochMs).toISOString();
/** The number of an event, from 1 on, as on the audit screens. */
const numbered = (revision: number): string => String(revision + 1).padStart(10);
const tokens = (quantity: number): string => (quantity === 1 ? '1 token' : `${quantity} tokens`);

/** The events of a round as lines, in ledger order. */
export async function* roundReport(log: LedgerReader, roundId: RoundId): AsyncIterable<string> {
  for await (const { revision, event, metadata } of ledgerOf(log)) {
    const description = describeInRound(event, roundId);
    if (description !== null) yield `${numbered(revision)}  ${time(metadata.at)}  ${description}`;
  }
}

function describeInRound({ type, data }: LedgerEvent, roundId: RoundId): string | null {
  if (!('roundId' in data) || data.roundId !== roundId) return null;
  switch (type) {
    case 'GameStarted':
      return `opened, carrying ${cents(data.carriedCents)}; each token adds ${data.timers.tokenExtensionSeconds} s`;
    case 'LiveStarted':
      return `live until ${time(data.endsAtEpochMs)}`;
    case 'TokenPurchased':
      return `${data.buyerId} buys ${tokens(data.quantity)} (${data.purchaseId}); jackpot ${cents(data.jackpotCents)}`;
    case 'TimeExtended':
      return `+${data.addedSeconds} s, ends ${time(data.endsAtEpochMs)}`;
    case 'LiveResumed':
      return `resumed after ${data.outageSeconds} s without a node, ends ${time(data.endsAtEpochMs)}`;
    case 'RoundEnded': {
      const { winner, jackpotCents, merkleRoot } = data;
      const outcome = winner
        ? `${winner.gamerId} wins ${cents(jackpotCents)} with ${winner.purchaseId}`
        : 'nobody wins';
      return `${outcome}; Merkle root ${merkleRoot}`;
    }
    case 'GameReset':
      return `void, carrying ${cents(data.carriedCents)}: ${data.reason}`;
    default:
      return null;
  }
}

interface StatementRange {
  account: string;
  /** Ledger times: from this one, inclusive… */
  fromMs: number;
  /** …to this one, exclusive. */
  toMs: number;
}

/** The changes of an account as lines, each with the balance after it; before a later `fromMs`, the opening balance. */
export async function* statement(log: LedgerReader, { account, fromMs, toMs }: StatementRange): AsyncIterable<string> {
  let balance = 0;
  let isOpened = fromMs === 0;
  let isKnown = false;
  const opening = (): string => `opening balance${cents(balance).padStart(77)}`;
  for await (const { revision, event, metadata } of ledgerOf(log)) {
    if (metadata.at >= toMs) break;
    for (const posting of postingsOf(event)) {
      if (posting.account !== account) continue;
      isKnown = true;
      if (!isOpened && metadata.at >= fromMs) {
        isOpened = true;
        yield opening();
      }
      balance += posting.cents;
      const figures = `${cents(posting.cents).padStart(14)}${cents(balance).padStart(14)}`;
      if (isOpened) yield `${numbered(revision)}  ${time(metadata.at)}  ${event.type.padEnd(26)}${figures}`;
    }
  }
  if (isKnown && !isOpened) yield opening();
}
