import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { EventOf } from '../../contracts/events/metadata.js';
import type { GamerId, PurchaseId, RoundId } from '../../contracts/ids.js';
import { DECIDED_WITHIN_MS, MIN_OUTAGE_MS, RESUMED_LIVE_MIN_SECONDS } from '../../contracts/limits.js';
import type { Cents } from '../../contracts/money.js';
import { cents, faultsOf } from '../replay/finding.js';

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
  tokenPriceCents: Cents;
  decidingMs: number;
  purchases: number;
  last: { gamerId: GamerId; purchaseId: PurchaseId; quantity: number } | null;
}

type RoundEvent = EventOf<
  LedgerEvents,
  'LiveStarted' | 'TokenPurchased' | 'TimeExtended' | 'LiveResumed' | 'RoundEnded'
>;

/** Replays the rounds: the last buyer before the end wins, and nobody else. */
export class Rounds {
  readonly ended: EndedRound[] = [];
  private open: OpenRound | null = null;
  lastRoundId = 0;
  /** Ledger time of the event before, epoch ms. */
  private lastEventAtMs = 0;
  /** The times whose events were lost: from the last event that is left to the acceptance of the loss. */
  private readonly lost: { fromMs: number; toMs: number }[] = [];

  /** The last buyer of the live round: the winner unless somebody buys again. */
  get leaderId(): GamerId | null {
    return this.open?.phase === 'live' ? (this.open.last?.gamerId ?? null) : null;
  }

  /** The round in which a token can be bought at this time; null when there is none. */
  openAt(at: number): { roundId: RoundId; tokenPriceCents: Cents } | null {
    const { open } = this;
    return open?.phase === 'live' && at < open.endsAtEpochMs ? open : null;
  }

  /** Folds an event and returns its faults. @param jackpotCents balance of the jackpot before the event */
  take(event: LedgerEvent, at: number, jackpotCents: Cents): string[] {
    const faults = this.fold(event, at, jackpotCents);
    this.lastEventAtMs = at;
    return faults;
  }

  private fold(event: LedgerEvent, at: number, jackpotCents: Cents): string[] {
    switch (event.type) {
      case 'HistoryLost':
        this.lost.push({ fromMs: event.data.lastKeptAtEpochMs, toMs: at });
        return faultsOf([
          [event.data.lastKeptAtEpochMs !== this.lastEventAtMs, 'says another time of the event before it'],
        ]);
      case 'GameStarted':
        return this.begin(event.data, jackpotCents);
      case 'GameReset': {
        const { roundId, carriedCents, purchaseCount, reason } = event.data;
        const openId = this.open?.roundId ?? null;
        const dueCount = this.open?.purchases ?? 0;
        this.open = null;
        return faultsOf([
          [roundId !== openId, `resets round ${roundId}`],
          [carriedCents !== jackpotCents, `carries ${cents(carriedCents)} of ${cents(jackpotCents)}`],
          [purchaseCount !== dueCount, `voids ${purchaseCount} purchases of ${dueCount}`],
          [dueCount > 0 && reason.trim() === '', `voids ${dueCount} purchases without a reason`],
        ]);
      }
      case 'LiveStarted':
      case 'TokenPurchased':
      case 'TimeExtended':
      case 'LiveResumed':
      case 'RoundEnded': {
        const { open } = this;
        if (open === null) return [`${event.type} while no round is open`];
        const isOther = event.data.roundId !== open.roundId;
        const faults = this.play(open, event, at, jackpotCents);
        return isOther ? [`is of round ${event.data.roundId}, and ${open.roundId} is open`, ...faults] : faults;
      }
      default:
        return [];
    }
  }

  private begin(started: LedgerEvents['GameStarted'], jackpotCents: Cents): string[] {
    const { roundId, carriedCents, timers, terms, decidingMs, pregameEndsAtEpochMs } = started;
    const faults = faultsOf([
      [this.open !== null, `begins while round ${this.open?.roundId} is open`],
      [roundId !== this.lastRoundId + 1, `begins round ${roundId} after round ${this.lastRoundId}`],
      [carriedCents !== jackpotCents, `carries ${cents(carriedCents)} of ${cents(jackpotCents)}`],
    ]);
    this.lastRoundId = roundId;
    this.open = {
      roundId,
      phase: 'pregame',
      endsAtEpochMs: pregameEndsAtEpochMs,
      secondsPerToken: timers.tokenExtensionSeconds,
      tokenPriceCents: terms.tokenPriceCents,
      decidingMs,
      purchases: 0,
      last: null,
    };
    return faults;
  }

  private play(open: OpenRound, { type, data }: RoundEvent, at: number, jackpotCents: Cents): string[] {
    const { phase, endsAtEpochMs } = open;
    switch (type) {
      case 'LiveStarted':
        open.phase = 'live';
        open.endsAtEpochMs = data.endsAtEpochMs;
        return faultsOf([
          [phase === 'live', 'goes live a second time'],
          [!data.forced && at < endsAtEpochMs, 'goes live before its time'],
        ]);
      case 'TokenPurchased':
        open.purchases += 1;
        open.last = { gamerId: data.buyerId, purchaseId: data.purchaseId, quantity: data.quantity };
        return arrivalFaults(open, data.receivedAtEpochMs, at);
      case 'TimeExtended':
        return extend(open, data);
      case 'LiveResumed': {
        const lost = this.lostAround(endsAtEpochMs);
        const outage = outageFaults(data, endsAtEpochMs, at, lost?.fromMs ?? this.lastEventAtMs);
        if (lost && data.lastAliveAtEpochMs !== lost.fromMs)
          outage.push('resumes after another time than the lost one');
        open.endsAtEpochMs = data.endsAtEpochMs;
        return faultsOf([
          [phase !== 'live' || at < endsAtEpochMs, 'resumes a countdown that has not run out'],
          [data.endsAtEpochMs < at + RESUMED_LIVE_MIN_SECONDS * 1000, 'resumes with less than 30 seconds'],
        ]).concat(outage);
      }
      case 'RoundEnded':
        return this.end(open, data, at, jackpotCents);
    }
  }

  private lostAround(endsAtMs: number) {
    return this.lost.findLast(({ fromMs, toMs }) => fromMs < endsAtMs && endsAtMs <= toMs);
  }

  private end(open: OpenRound, ended: LedgerEvents['RoundEnded'], at: number, jackpotCents: Cents): string[] {
    const { roundId, winner, endedAtEpochMs } = ended;
    const [named, right] = [winner, open.last].map((one) => (one ? `${one.gamerId} (${one.purchaseId})` : 'nobody'));
    this.open = null;
    this.ended.push({ roundId, winnerId: winner?.gamerId ?? null, jackpotCents: ended.jackpotCents, endedAtEpochMs });
    return faultsOf([
      [named !== right, `names ${named} as winner, and ${right} bought last`],
      [ended.jackpotCents !== jackpotCents, `ends with ${cents(ended.jackpotCents)} of ${cents(jackpotCents)}`],
      [open.phase !== 'live' || at < open.endsAtEpochMs, 'ends before its countdown'],
      [this.lostAround(open.endsAtEpochMs) !== undefined, 'ends in a time whose events were lost'],
      [at < open.endsAtEpochMs + open.decidingMs, 'ends before purchases that were on their way could be decided'],
      [endedAtEpochMs !== open.endsAtEpochMs, `ended at ${endedAtEpochMs}, its countdown at ${open.endsAtEpochMs}`],
      [ended.purchaseCount !== open.purchases, `counts ${ended.purchaseCount} purchases of ${open.purchases}`],
    ]);
  }
}

function extend(open: OpenRound, extended: LedgerEvents['TimeExtended']): string[] {
  const { purchaseId, buyerId, addedSeconds, endsAtEpochMs } = extended;
  const dueSeconds = (open.last?.quantity ?? 0) * open.secondsPerToken;
  const dueEnd = open.endsAtEpochMs + addedSeconds * 1000;
  open.endsAtEpochMs = endsAtEpochMs;
  return faultsOf([
    [purchaseId !== open.last?.purchaseId, `extends for ${purchaseId}, which was not bought just before`],
    [buyerId !== open.last?.gamerId, `extends for ${buyerId}, who did not buy just before`],
    [addedSeconds !== dueSeconds, `adds ${addedSeconds} s of ${dueSeconds} s`],
    [endsAtEpochMs !== dueEnd, `ends at ${endsAtEpochMs}, not at ${dueEnd}`],
  ]);
}

/** A purchase must arrive before the countdown's end, and be decided soon after its arrival (decision 41). */
function arrivalFaults({ phase, endsAtEpochMs }: OpenRound, receivedAtMs: number, at: number): string[] {
  return faultsOf([
    [phase !== 'live' || receivedAtMs >= endsAtEpochMs, 'is bought when nothing could be bought'],
    [receivedAtMs > at, 'arrived after its decision'],
    [at - receivedAtMs > DECIDED_WITHIN_MS, `was decided ${at - receivedAtMs} ms after its arrival`],
  ]);
}

/**
 * Checks an outage against the log (decision 46): it must contain the countdown's end, be long enough, and begin after the
 * last event, because an event proves a living node. The time left when it began, or 30 seconds, must be given back.
 */
function outageFaults(resumed: LedgerEvents['LiveResumed'], dueEnd: number, at: number, lastEventAtMs: number) {
  const { lastAliveAtEpochMs, outageSeconds, endsAtEpochMs } = resumed;
  const dueSeconds = Math.ceil((at - lastAliveAtEpochMs) / 1000);
  const dueLeftMs = Math.max(dueEnd - lastAliveAtEpochMs, RESUMED_LIVE_MIN_SECONDS * 1000);
  return faultsOf([
    [lastAliveAtEpochMs >= dueEnd, 'resumes after an outage that began after zero'],
    [lastAliveAtEpochMs < lastEventAtMs, 'resumes after an outage in which an event was appended'],
    [at - lastAliveAtEpochMs <= MIN_OUTAGE_MS, 'resumes after a stall that was no outage'],
    [outageSeconds !== dueSeconds, `says ${outageSeconds} s of an outage of ${dueSeconds} s`],
    [endsAtEpochMs !== at + dueLeftMs, `leaves ${endsAtEpochMs - at} ms of ${dueLeftMs} ms`],
  ]);
}
