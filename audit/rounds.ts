import type { LedgerEvent, RoundEnded, TimeExtended, TokenPurchased } from '../contracts/events/ledger-events.js';
import type { GamerId, PurchaseId, RoundId } from '../contracts/ids.js';
import { RESUMED_LIVE_MIN_SECONDS } from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';
import { leafOf } from '../domain/leaf.js';
import { addLeaf, emptyTree, type MerkleTree, rootOf } from '../domain/merkle.js';
import { cents } from './finding.js';

/** A round that came to its end. */
export interface EndedRound {
  roundId: RoundId;
  winnerId: GamerId | null;
  jackpotCents: Cents;
  endedAtEpochMs: number;
}

interface OpenRound {
  roundId: RoundId;
  phase: 'pregame' | 'live';
  endsAtEpochMs: number;
  secondsPerToken: number;
  purchases: number;
  last: { gamerId: GamerId; purchaseId: PurchaseId; quantity: number } | null;
  tree: MerkleTree;
}

/** The rounds as the events tell them: who bought last before the end has won, and nobody else. */
export class Rounds {
  readonly ended: EndedRound[] = [];
  private open: OpenRound | null = null;
  private lastRoundId = 0;

  /** Folds an event; says what is wrong with it. `jackpotCents` is the account before it. */
  take(event: LedgerEvent, at: number, jackpotCents: Cents): string[] {
    switch (event.type) {
      case 'GameStarted': {
        const { roundId, carriedCents, timers, pregameEndsAtEpochMs } = event.data;
        const said = wrongs([
          [this.open !== null, `begins while round ${this.open?.roundId} is open`],
          [roundId !== this.lastRoundId + 1, `begins round ${roundId} after round ${this.lastRoundId}`],
          [carriedCents !== jackpotCents, `carries ${cents(carriedCents)} of ${cents(jackpotCents)}`],
        ]);
        this.begin(roundId, pregameEndsAtEpochMs, timers.tokenExtensionSeconds);
        return said;
      }
      case 'GameReset': {
        const { roundId, carriedCents } = event.data;
        const said = wrongs([
          [roundId !== (this.open?.roundId ?? null), `resets round ${roundId}`],
          [carriedCents !== jackpotCents, `carries ${cents(carriedCents)} of ${cents(jackpotCents)}`],
        ]);
        this.open = null;
        return said;
      }
      case 'LiveStarted':
      case 'TokenPurchased':
      case 'TimeExtended':
      case 'LiveResumed':
      case 'RoundEnded': {
        const { open } = this;
        if (open === null) return [`${event.type} while no round is open`];
        const said = wrongs([
          [event.data.roundId !== open.roundId, `is of round ${event.data.roundId}, and ${open.roundId} is open`],
        ]);
        return [...said, ...this.play(open, event, at, jackpotCents)];
      }
      default:
        return [];
    }
  }

  private begin(roundId: RoundId, endsAtEpochMs: number, secondsPerToken: number): void {
    this.lastRoundId = roundId;
    this.open = {
      roundId,
      phase: 'pregame',
      endsAtEpochMs,
      secondsPerToken,
      purchases: 0,
      last: null,
      tree: emptyTree,
    };
  }

  private play(open: OpenRound, event: LedgerEvent, at: number, jackpotCents: Cents): string[] {
    switch (event.type) {
      case 'LiveStarted': {
        const early = !event.data.forced && at < open.endsAtEpochMs;
        const said = wrongs([
          [open.phase === 'live', 'goes live a second time'],
          [early, 'goes live before its time'],
        ]);
        open.phase = 'live';
        open.endsAtEpochMs = event.data.endsAtEpochMs;
        return said;
      }
      case 'TokenPurchased':
        return buy(open, event.data, at);
      case 'TimeExtended':
        return extend(open, event.data);
      case 'LiveResumed': {
        const { endsAtEpochMs } = event.data;
        const said = wrongs([
          [open.phase !== 'live' || at < open.endsAtEpochMs, 'resumes a countdown that has not run out'],
          [endsAtEpochMs < at + RESUMED_LIVE_MIN_SECONDS * 1000, 'resumes with less than 30 seconds'],
        ]);
        open.endsAtEpochMs = endsAtEpochMs;
        return said;
      }
      case 'RoundEnded':
        return this.end(open, event.data, at, jackpotCents);
      default:
        return [];
    }
  }

  private end(open: OpenRound, ended: RoundEnded['data'], at: number, jackpotCents: Cents): string[] {
    const { roundId, winner, endedAtEpochMs } = ended;
    const bought = open.last;
    const named = winner === null ? 'nobody' : `${winner.gamerId} (${winner.purchaseId})`;
    const right = bought === null ? 'nobody' : `${bought.gamerId} (${bought.purchaseId})`;
    this.open = null;
    this.ended.push({ roundId, winnerId: winner?.gamerId ?? null, jackpotCents: ended.jackpotCents, endedAtEpochMs });
    return wrongs([
      [named !== right, `names ${named} as winner, and ${right} bought last`],
      [ended.jackpotCents !== jackpotCents, `ends with ${cents(ended.jackpotCents)} of ${cents(jackpotCents)}`],
      [open.phase !== 'live' || at < open.endsAtEpochMs, 'ends before its countdown'],
      [endedAtEpochMs !== open.endsAtEpochMs, `ended at ${endedAtEpochMs}, its countdown at ${open.endsAtEpochMs}`],
      [ended.purchaseCount !== open.purchases, `counts ${ended.purchaseCount} purchases of ${open.purchases}`],
      [ended.merkleRoot !== rootOf(open.tree), 'has another Merkle root than its purchases'],
    ]);
  }
}

function buy(open: OpenRound, bought: TokenPurchased['data'], at: number): string[] {
  const { purchaseId, buyerId, quantity } = bought;
  open.purchases += 1;
  open.last = { gamerId: buyerId, purchaseId, quantity };
  open.tree = addLeaf(open.tree, leafOf(bought, at));
  return wrongs([[open.phase !== 'live' || at >= open.endsAtEpochMs, 'is bought when nothing could be bought']]);
}

function extend(open: OpenRound, { purchaseId, addedSeconds, endsAtEpochMs }: TimeExtended['data']): string[] {
  const dueSeconds = (open.last?.quantity ?? 0) * open.secondsPerToken;
  const dueEnd = open.endsAtEpochMs + addedSeconds * 1000;
  open.endsAtEpochMs = endsAtEpochMs;
  return wrongs([
    [purchaseId !== open.last?.purchaseId, `extends for ${purchaseId}, which was not bought just before`],
    [addedSeconds !== dueSeconds, `adds ${addedSeconds} s of ${dueSeconds} s`],
    [endsAtEpochMs !== dueEnd, `ends at ${endsAtEpochMs}, not at ${dueEnd}`],
  ]);
}

const wrongs = (checks: [boolean, string][]): string[] => checks.filter(([wrong]) => wrong).map(([, says]) => says);
