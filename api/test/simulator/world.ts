import { createHash } from 'node:crypto';
import { seededRandom } from '../seeded-random.js';
import { StreamsInMemory } from '../streams-in-memory.js';
import { VirtualTime } from '../virtual-time.js';

export const START_MS = Date.UTC(2026, 0, 1, 12);

export interface Span {
  fromMs: number;
  toMs: number;
}

/** Odds of each kind of fault: per call, or for those at the end per step of the play or per start. */
const WORST = {
  appendLost: 0.1,
  appendWithoutResponse: 0.1,
  appendLate: 0.1,
  readBroken: 0.08,
  logSilent: 0.5,
  storeFailed: 0.05,
  storeSlow: 0.05,
  storeSilent: 0.5,
  responseLost: 0.08,
  requestSlow: 0.2,
  sentTwice: 0.2,
  logOutage: 0.03,
  storeOutage: 0.03,
  gatewayFailed: 0.2,
  callbackLost: 0.5,
  callbackHeld: 0.5,
  callbackRepeated: 0.5,
  callbackForged: 0.5,
  nearZero: 0.05,
  crash: 0.03,
  crashOfAll: 0.02,
  freeze: 0.04,
  clockStep: 0.03,
  clockWrong: 0.9,
  socketStalled: 0.2,
  socketCut: 0.2,
  socketSilent: 0.2,
  workerReadBroken: 0.2,
  workerSessionLost: 0.03,
  workerLockLost: 0.05,
  workerCrash: 0.05,
  workerFrozen: 0.05,
  workerClockStep: 0.05,
};

type Fault = keyof typeof WORST;
export const FAULTS = Object.keys(WORST) as Fault[];
type Odds = Record<Fault, number>;

/** A swarm: every seed draws which kinds of faults exist, and how often each occurs. */
function drawOdds(random: () => number): Odds {
  const shareOfKinds = random();
  const odds = FAULTS.map((kind) => [kind, random() < shareOfKinds ? WORST[kind] * random() : 0] as const);
  return Object.fromEntries(odds) as Odds;
}

/** Faults that delay no other request. */
const WITHOUT_DELAY = /^(responseLost|requestSlow|sentTwice|clockStep|nearZero|gateway|callback|worker|socket)/;
const RECOVERY_MS = 3_000;

/** The shared parts of a simulation: time, chance, faults, the stored events and the history. */
export class World {
  readonly time = new VirtualTime(START_MS);
  readonly memory = new StreamsInMemory();
  /** The store is unreachable until this time, epoch ms. */
  readonly unreachableUntilMs = { log: 0, store: 0 };
  readonly random: () => number;
  readonly odds: Odds;
  readonly counts: Partial<Record<Fault, number>> = {};
  readonly history: string[] = [];
  /** Spans in which something failed, or was still recovering. */
  private readonly disturbances: Span[] = [];
  /** Spans in which no node could take a purchase, and none could record that it was alive. */
  readonly outages: Span[] = [];
  /** True while nothing is made to fail. */
  isCalm = true;
  /** Error of every clock at a boot; the same for all, as from one wrong time server. */
  readonly bootSkewMs: number;
  private lastId = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
    this.odds = drawOdds(this.random);
    this.bootSkewMs = (this.random() * 2 - 1) * 30_000;
  }

  isUnreachable(what: 'log' | 'store'): boolean {
    return this.time.now() < this.unreachableUntilMs[what];
  }

  /** @param times how much likelier than usual */
  injects(fault: Fault, times = 1): boolean {
    if (this.isCalm || this.random() >= this.odds[fault] * times) return false;
    this.counts[fault] = (this.counts[fault] ?? 0) + 1;
    if (!WITHOUT_DELAY.test(fault)) this.disturb(0);
    return true;
  }

  disturb(ms: number): void {
    const fromMs = this.time.now();
    this.disturbances.push({ fromMs, toMs: fromMs + ms + RECOVERY_MS });
  }

  /** Returns how long a caller waits without a response: `ms` if this fault is injected, else 0. */
  timeoutOf(fault: Fault, ms: number): number {
    if (!this.injects(fault)) return 0;
    this.disturb(ms);
    return ms;
  }

  /** Records an outage: from now on, for this long, no node can record that it is alive. */
  recordOutage(ms: number): void {
    this.outages.push({ fromMs: this.time.now(), toMs: this.time.now() + ms });
  }

  wasDisturbed(fromMs: number, toMs: number): boolean {
    return this.disturbances.some((span) => span.fromMs <= toMs && span.toMs >= fromMs);
  }

  /** A whole number from 0 to `limit` - 1; small ones are more likely with a higher `bias`. */
  upTo(limit: number, bias = 1): number {
    return Math.floor(this.random() ** bias * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.upTo(items.length)] as T;
  }

  newId(prefix: string): string {
    this.lastId += 1;
    return `${prefix}${this.lastId}`;
  }

  note(what: string): void {
    this.history.push(`${String(this.time.now() - START_MS).padStart(6)} ${what}`);
  }

  /** SHA-256 of all that happened: equal for two runs of a seed. */
  get hash(): string {
    const events = JSON.stringify([...this.memory.streams]);
    return createHash('sha256').update(this.history.join('\n')).update(events).digest('hex');
  }
}
