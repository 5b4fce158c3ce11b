import type { EventOf } from '../contracts/events/event-of.js';
import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { Actor } from '../contracts/events/metadata.js';
import type { GamerId } from '../contracts/ids.js';
import { dayOf } from './day.js';
import { cents, faultsOf } from './finding.js';

/** In force until the first SecondPersonLimitSet, and until the first one with a limit per day. */
const FIRST_LIMIT = 50_000;
const FIRST_LIMIT_PER_DAY = 200_000;
const DAY = 86_400_000;

type PersonCount = (gamerId: GamerId) => number;

/**
 * Checks that money above a limit was requested by another person within a day, where two could act (decision 50). One limit is
 * of an act, the other one of what its person moved alone in the day.
 */
export class SecondPerson {
  /** No second person up to this amount; null: never. */
  aboveCents: number | null = FIRST_LIMIT;
  /** No second person up to this sum of what a person moved alone in the day; null: never. */
  aboveCentsPerDay: number | null = FIRST_LIMIT_PER_DAY;
  private readonly requests = new Map<string, { by: string; at: number; event: RequestEvent }>();
  private readonly alone = new Map<string, { day: string; cents: number }>();
  /**
   * The limit per day holds from the first event on that a program which knows the limit wrote. It holds for events of older
   * versions too: no node can append after that event without reading it.
   */
  private holdsPerDay = false;

  get requestCount(): number {
    return this.requests.size;
  }

  /** The request for an act, by the names of the nodes' state; undefined without one. */
  requestOf(key: string): object | undefined {
    return this.requests.get(key);
  }

  /** The number of persons who ever moved money alone, and are not removed. */
  get personCount(): number {
    return this.alone.size;
  }

  /** The day on which a person last moved money alone, and its sum; undefined without one. */
  movedAloneBy(id: string): object | undefined {
    return this.alone.get(id);
  }

  /** Folds an event and returns its faults. @param countPersonsWithMoneyPower the number of persons who may move a gamer's money */
  take(event: LedgerEvent, at: number, { id }: Actor, countPersonsWithMoneyPower: PersonCount): string[] {
    const { type, data } = event;
    if ('requestedBy' in data || 'aboveCentsPerDay' in data) this.holdsPerDay = true;
    switch (type) {
      case 'SecondPersonLimitSet':
        this.aboveCents = data.aboveCents;
        // Version 1 leaves the limit per day as it was.
        if (data.aboveCentsPerDay !== undefined) this.aboveCentsPerDay = data.aboveCentsPerDay;
        return [];
      case 'AdjustmentRequested':
        return this.request(event, keyOfAdjustment(data), amountOf(data), at, id, countPersonsWithMoneyPower);
      case 'PayoutRequested':
        return this.request(event, `payout ${data.withdrawalId}`, data.amountCents, at, id, countPersonsWithMoneyPower);
      case 'BalanceAdjusted':
        return this.act(keyOfAdjustment(data), data, amountOf(data), at, id, countPersonsWithMoneyPower);
      case 'WithdrawalCompleted':
        return this.act(`payout ${data.withdrawalId}`, data, data.amountCents, at, id, countPersonsWithMoneyPower);
      case 'WithdrawalReturned':
        this.requests.delete(`payout ${data.withdrawalId}`);
        return [];
      // A request counts no more once its person lost the power.
      case 'PowersSet':
        if (data.powers.includes('money')) return [];
        for (const [key, { by }] of this.requests) if (by === data.gamerId) this.requests.delete(key);
        return [];
      case 'GamerRemoved':
        this.alone.delete(data.gamerId);
        for (const [key, request] of this.requests)
          if (request.by === data.gamerId || request.event.data.gamerId === data.gamerId) this.requests.delete(key);
        return [];
      default:
        return [];
    }
  }

  private isLarge(amount: number): boolean {
    return this.aboveCents !== null && amount > this.aboveCents;
  }

  private isBeyondDay(sum: number): boolean {
    return this.aboveCentsPerDay !== null && sum > this.aboveCentsPerDay;
  }

  /** The sum that the person moved alone in the day of this time, with this amount. */
  private sumOf(id: string, amount: number, at: number): number {
    const moved = this.alone.get(id);
    return moved?.day === dayOf(at) ? moved.cents + amount : amount;
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
    countPersonsWithMoneyPower: PersonCount,
  ): string[] {
    const isOpen = this.requesterOf(key, at) !== null;
    const isAbove = this.isLarge(amount) || this.isBeyondDay(this.sumOf(by, amount, at));
    this.requests.set(key, { by, at, event });
    return faultsOf([
      [!isAbove || countPersonsWithMoneyPower(event.data.gamerId) < 2, 'asks for a second person without need'],
      [isOpen, 'repeats a request that is open'],
    ]);
  }

  private act(
    key: string,
    { gamerId, requestedBy }: { gamerId: GamerId; requestedBy?: string | null },
    amount: number,
    at: number,
    by: string,
    countPersonsWithMoneyPower: PersonCount,
  ): string[] {
    const requester = this.requesterOf(key, at);
    const other = requester === by ? null : requester;
    const sum = this.sumOf(by, amount, at);
    this.requests.delete(key);
    if (other === null) this.alone.set(by, { day: dayOf(at), cents: sum });
    const faults = faultsOf([
      [
        requestedBy !== undefined && requestedBy !== other,
        `says that ${requestedBy ?? 'nobody else'} requested it, and ${other ?? 'nobody else'} did`,
      ],
    ]);
    if (other !== null || countPersonsWithMoneyPower(gamerId) < 2) return faults;
    const isLarge = this.isLarge(amount);
    return [
      ...faults,
      ...faultsOf([
        [isLarge && requester === null, `moves ${cents(amount)}, which no second person requested within a day`],
        [isLarge && requester === by, `moves ${cents(amount)}, and ${by} had requested it alone`],
        [
          this.holdsPerDay && this.isBeyondDay(sum),
          `moves ${cents(amount)}, which makes ${cents(sum)} that ${by} moved alone in the day, and ${cents(this.aboveCentsPerDay ?? 0)} are the most`,
        ],
      ]),
    ];
  }
}

type RequestEvent = EventOf<LedgerEvents, 'AdjustmentRequested' | 'PayoutRequested'>;

type Adjustment = Pick<LedgerEvents['BalanceAdjusted'], 'gamerId' | 'purchaseCents' | 'winningsCents'>;

const keyOfAdjustment = ({ gamerId, purchaseCents, winningsCents }: Adjustment): string =>
  `adjustment ${gamerId} ${purchaseCents} ${winningsCents}`;

const amountOf = ({ purchaseCents, winningsCents }: Adjustment): number =>
  Math.abs(purchaseCents) + Math.abs(winningsCents);
