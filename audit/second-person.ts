import type { EventOf } from '../contracts/events/event-of.js';
import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { Actor } from '../contracts/events/metadata.js';
import type { GamerId } from '../contracts/ids.js';
import { cents, faultsOf } from './finding.js';

/** In force until the first SecondPersonLimitSet. */
const FIRST_LIMIT = 50_000;
const DAY = 86_400_000;

/** Checks that money above the limit was requested by another person within a day, where two could act (decision 50). */
export class SecondPerson {
  /** No second person up to this amount; null: never. */
  aboveCents: number | null = FIRST_LIMIT;
  private readonly requests = new Map<string, { by: string; at: number; event: RequestEvent }>();

  get requestCount(): number {
    return this.requests.size;
  }

  /** The request for an act, by the names of the nodes' state; undefined without one. */
  requestOf(key: string): object | undefined {
    return this.requests.get(key);
  }

  /** Folds an event and returns its faults. @param personsFor the number of persons who may move a gamer's money */
  take(event: LedgerEvent, at: number, { id }: Actor, personsFor: (gamerId: GamerId) => number): string[] {
    const { type, data } = event;
    switch (type) {
      case 'SecondPersonLimitSet':
        this.aboveCents = data.aboveCents;
        return [];
      case 'AdjustmentRequested':
        return this.request(event, keyOfAdjustment(data), amountOf(data), at, id, personsFor);
      case 'PayoutRequested':
        return this.request(event, `payout ${data.withdrawalId}`, data.amountCents, at, id, personsFor);
      case 'BalanceAdjusted':
        return this.act(keyOfAdjustment(data), data.gamerId, amountOf(data), at, id, personsFor);
      case 'WithdrawalCompleted':
        return this.act(`payout ${data.withdrawalId}`, data.gamerId, data.amountCents, at, id, personsFor);
      case 'WithdrawalReturned':
        this.requests.delete(`payout ${data.withdrawalId}`);
        return [];
      // A request counts no more once its person lost the power.
      case 'PowersSet':
        if (data.powers.includes('money')) return [];
        for (const [key, { by }] of this.requests) if (by === data.gamerId) this.requests.delete(key);
        return [];
      case 'GamerRemoved':
        for (const [key, request] of this.requests)
          if (request.by === data.gamerId || request.event.data.gamerId === data.gamerId) this.requests.delete(key);
        return [];
      default:
        return [];
    }
  }

  private takesTwo(gamerId: GamerId, amount: number, personsFor: (gamerId: GamerId) => number): boolean {
    return this.aboveCents !== null && amount > this.aboveCents && personsFor(gamerId) >= 2;
  }

  /** The person of a request that still counts; null for none. */
  private requesterOf(key: string, at: number): string | null {
    const request = this.requests.get(key);
    return request !== undefined && at - request.at <= DAY ? request.by : null;
  }

  private request(
    event: RequestEvent,
    key: string,
    amount: number,
    at: number,
    by: string,
    personsFor: (gamerId: GamerId) => number,
  ): string[] {
    const isOpen = this.requesterOf(key, at) !== null;
    this.requests.set(key, { by, at, event });
    return faultsOf([
      [!this.takesTwo(event.data.gamerId, amount, personsFor), 'asks for a second person without need'],
      [isOpen, 'repeats a request that is open'],
    ]);
  }

  private act(
    key: string,
    gamerId: GamerId,
    amount: number,
    at: number,
    by: string,
    personsFor: (gamerId: GamerId) => number,
  ): string[] {
    const requester = this.requesterOf(key, at);
    this.requests.delete(key);
    if (!this.takesTwo(gamerId, amount, personsFor)) return [];
    return faultsOf([
      [requester === null, `moves ${cents(amount)}, which no second person requested within a day`],
      [requester === by, `moves ${cents(amount)}, and ${by} had requested it alone`],
    ]);
  }
}

type RequestEvent = EventOf<LedgerEvents, 'AdjustmentRequested' | 'PayoutRequested'>;

type Adjustment = Pick<LedgerEvents['BalanceAdjusted'], 'gamerId' | 'purchaseCents' | 'winningsCents'>;

const keyOfAdjustment = ({ gamerId, purchaseCents, winningsCents }: Adjustment): string =>
  `adjustment ${gamerId} ${purchaseCents} ${winningsCents}`;

const amountOf = ({ purchaseCents, winningsCents }: Adjustment): number =>
  Math.abs(purchaseCents) + Math.abs(winningsCents);
