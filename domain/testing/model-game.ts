import type { LimitKind, LimitPeriod, PlayLimits, ProtectionProfile, TimerSettings } from '../../contracts/limits.js';
import type { CommandOf, DepositMoney } from '../ledger-commands.js';
import { periodOf } from './model-calendar.js';

interface ModelGamer {
  sponsor: string | null;
  parent: string | null;
  children: (string | null)[];
  depositorUntil: number | null;
  isStaff: boolean;
  purchase: number;
  winnings: number;
}

interface ModelWithdrawal {
  gamer: string | null;
  cents: number;
  status: 'pending' | 'processing' | 'completed' | 'returned';
  /** Digest of the gamer's address. */
  address: string;
  heldUntil: number;
}

interface ModelLimits {
  limits: PlayLimits;
  wanted: PlayLimits | null;
  confirmableFrom: number;
}

/** All purchases, deposits and jackpots of a gamer. */
type Play = { at: number; what: 'spending' | 'deposits' | 'won'; cents: number }[];

/** How long a withdrawal to a new address waits in generated games: short, so that some are paid. */
export const PAYOUT_WAIT_MS = 60_000;
export const THIRTY_DAYS_MS = 2_592_000_000;

/** The state of the model (model.ts), and what happens in it: places, rounds, purchases and credited payments. */
export class ModelGame {
  readonly gamers = new Map<string, ModelGamer>();
  /** Enrolments so far, removed gamers included. */
  enrolled = 0;
  admin: string | null = null;
  phase: 'idle' | 'pregame' | 'live' | 'downtime' = 'idle';
  round = 0;
  endsAt = 0;
  timers: TimerSettings = {
    pregameDurationSeconds: 180,
    liveDurationSeconds: 120,
    downtimeDurationSeconds: 14_400,
    tokenExtensionSeconds: 30,
  };
  /** The end of each gamer's newest exclusion. A `lasting` one holds beyond it. */
  readonly exclusions = new Map<string, { lasting: boolean; end: number }>();
  readonly limits = new Map<string, ModelLimits>();
  readonly play = new Map<string, Play>();
  profile: ProtectionProfile | null = null;
  lastBuyer: string | null = null;
  /** Ledger time of the last event, epoch ms. */
  lastEventAt = 0;
  lastWinner: string | null = null;
  tokensOfRound = 0;
  private extensionOfRound = 30;
  /** Cents of every account but the gamers'. */
  readonly held = {
    jackpot: 0,
    'house:profit': 0,
    'house:unclaimed': 0,
    'house:adjustments': 0,
    'house:forfeited': 0,
    'house:deposit-fees': 0,
    'payouts:pending': 0,
    'world:crypto': 0,
  };
  /** The credited gamer by payment; null while the payment waits, and when it was rejected. */
  readonly payments = new Map<string, string | null>();
  readonly deposits = new Map<
    string,
    { of: CommandOf<'RecordDeposit'>; status: 'pending' | 'approved' | 'rejected' }
  >();
  readonly withdrawals = new Map<string, ModelWithdrawal>();

  gamer(gamerId: string): ModelGamer {
    const gamer = this.gamers.get(gamerId);
    if (!gamer) throw new Error(`the model has no gamer ${gamerId}`);
    return gamer;
  }

  isNobody(gamerId: string): boolean {
    return gamerId === this.admin || !this.gamers.has(gamerId);
  }

  isExcluded(gamerId: string, at: number): boolean {
    const { lasting = false, end = 0 } = this.exclusions.get(gamerId) ?? {};
    return lasting || at < end;
  }

  count(gamerId: string, at: number, what: 'spending' | 'deposits' | 'won', cents: number): void {
    this.play.set(gamerId, [...(this.play.get(gamerId) ?? []), { at, what, cents }]);
  }

  /** True when so many cents more would break a limit of these kinds. */
  breaksLimit(gamerId: string, kinds: readonly LimitKind[], cents: number, at: number): boolean {
    const both = [this.limits.get(gamerId)?.limits, this.profile?.limits];
    const isBroken = (kind: LimitKind, period: LimitPeriod): boolean => {
      const sum = (what: Play[number]['what']): number => this.played(gamerId, what, period, at);
      const used = kind === 'loss' ? sum('spending') - sum('won') : sum(kind);
      return both.some((limits) => cents > Math.max(0, (limits?.[kind][period] ?? Number.POSITIVE_INFINITY) - used));
    };
    return kinds.some((kind) => (['day', 'week', 'month'] as const).some((period) => isBroken(kind, period)));
  }

  played(gamerId: string, what: Play[number]['what'], period: LimitPeriod, at: number): number {
    return (this.play.get(gamerId) ?? [])
      .filter((one) => one.what === what && periodOf(period, one.at) === periodOf(period, at))
      .reduce((total, one) => total + one.cents, 0);
  }

  mustChoose(gamerId: string): boolean {
    return this.profile?.mustChooseLimits === true && !this.limits.has(gamerId);
  }

  /** Balances by account, without those at zero. */
  accounts(): Record<string, number> {
    const all = Object.entries<number>(this.held);
    for (const [id, { purchase, winnings }] of this.gamers) {
      all.push([`gamer:${id}:purchase`, purchase], [`gamer:${id}:winnings`, winnings]);
    }
    return Object.fromEntries(all.filter(([, cents]) => cents !== 0));
  }

  /** @param under the root of the subtree in which the gamer gets a place; null for the admin */
  enrol(gamerId: string, sponsor: string | null, under: string | null): void {
    const children = [null, null, null];
    this.gamers.set(gamerId, {
      sponsor,
      parent: null,
      children,
      depositorUntil: null,
      isStaff: false,
      purchase: 0,
      winnings: 0,
    });
    this.enrolled += 1;
    if (under !== null) this.place(gamerId, under);
  }

  /** Level by level, left to right. */
  private place(gamerId: string, under: string): void {
    const queue = [under];
    for (const parent of queue) {
      const { children } = this.gamer(parent);
      const free = children.indexOf(null);
      if (free >= 0) {
        children[free] = gamerId;
        this.gamer(gamerId).parent = parent;
        return;
      }
      queue.push(...(children as string[]));
    }
  }

  remove(gamerId: string): void {
    const { parent, children, purchase, winnings } = this.gamer(gamerId);
    const above = this.gamer(parent as string);
    const [first = null, ...others] = children.filter((child) => child !== null);
    this.held['house:forfeited'] += purchase + winnings;
    this.gamers.delete(gamerId);
    this.limits.delete(gamerId);
    this.play.delete(gamerId);
    above.children[above.children.indexOf(gamerId)] = first;
    if (first !== null) this.gamer(first).parent = parent;
    for (const child of others) this.place(child, parent as string);
  }

  openRound(at: number): void {
    this.round += 1;
    this.phase = 'pregame';
    this.endsAt = at + this.timers.pregameDurationSeconds * 1000;
    this.extensionOfRound = this.timers.tokenExtensionSeconds;
    this.lastBuyer = null;
    this.tokensOfRound = 0;
  }

  advance(at: number, lastAliveAt: number): void {
    if (this.phase === 'idle' || at < this.endsAt + (this.phase === 'live' ? 300 : 0)) return;
    const outageFrom = Math.max(lastAliveAt, this.lastEventAt);
    if (this.phase === 'downtime') {
      this.openRound(at);
    } else if (this.phase === 'pregame') {
      this.phase = 'live';
      this.endsAt = at + this.timers.liveDurationSeconds * 1000;
    } else if (outageFrom < this.endsAt && at - outageFrom > 3_000) {
      this.endsAt = at + Math.max(30_000, this.endsAt - outageFrom);
    } else {
      this.endRound(at);
    }
  }

  private endRound(at: number): void {
    this.lastWinner = this.lastBuyer;
    if (this.lastBuyer !== null) {
      this.gamer(this.lastBuyer).winnings += this.held.jackpot;
      this.count(this.lastBuyer, at, 'won', this.held.jackpot);
      this.held.jackpot = 0;
    }
    this.phase = 'downtime';
    this.endsAt = at + this.timers.downtimeDurationSeconds * 1000;
  }

  /** Of each token 13 cents to the jackpot, 2 to house:profit, 2 to each of seven uplines, 1 to the sponsor. */
  buy(buyerId: string, quantity: number, at: number): void {
    const pay = (id: string | null, cents: number): void => {
      // The sponsor may have been removed.
      const until = id === null || id === this.admin ? null : this.gamers.get(id)?.depositorUntil;
      const isPaid =
        id !== null && typeof until === 'number' && until >= at && !this.isExcluded(id, at) && !this.gamer(id).isStaff;
      if (isPaid) this.gamer(id).winnings += cents * quantity;
      else this.held['house:unclaimed'] += cents * quantity;
    };
    const buyer = this.gamer(buyerId);
    buyer.purchase -= 30 * quantity;
    this.held.jackpot += 13 * quantity;
    this.held['house:profit'] += 2 * quantity;
    let above = buyer.parent;
    for (let level = 1; level <= 7; level += 1) {
      pay(above, 2);
      above = above === null ? null : this.gamer(above).parent;
    }
    pay(buyer.sponsor, 1);
    this.count(buyerId, at, 'spending', 30 * quantity);
    this.lastBuyer = buyerId;
    this.tokensOfRound += quantity;
    this.endsAt += quantity * this.extensionOfRound * 1000;
  }

  credit(paymentId: string, to: string, { amountCents, feeCents }: Omit<DepositMoney, 'cryptoType'>, at: number): void {
    this.count(to, at, 'deposits', amountCents);
    this.payments.set(paymentId, to);
    this.held['world:crypto'] -= amountCents + feeCents;
    this.held['house:deposit-fees'] += feeCents;
    this.gamer(to).purchase += amountCents;
  }

  /** Takes cents from a gamer's winnings, or without a gamer from the profit. Negative cents are given back. */
  reserve(gamer: string | null, cents: number): void {
    if (gamer === null) this.held['house:profit'] -= cents;
    else this.gamer(gamer).winnings -= cents;
    this.held['payouts:pending'] += cents;
  }
}
