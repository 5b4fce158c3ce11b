import type { GamerEvent } from '../../../contracts/events/gamer-events.js';
import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { EventMetadata } from '../../../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import { gamerStream, LEDGER_STREAM } from '../../../contracts/streams.js';
import { decide } from '../../../domain/decide.js';
import { evolve } from '../../../domain/evolve.js';
import type { LedgerCommand } from '../../../domain/ledger-commands.js';
import { emptyLedger } from '../../../domain/ledger-state.js';
import { directly } from '../../../domain/undo-journal.js';

const START_MS = Date.UTC(2026, 0, 1);
export const HOUSE: GamerId = 'house';

/** A pseudo-random sequence of [0, 1): the same seed tells the same story (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Plays the game by its own rules into a log as the event store would hold it. */
export class Story {
  readonly log: Recorded[] = [];
  readonly state = emptyLedger();
  readonly gamers: GamerId[] = [];
  private readonly next: () => number;
  private readonly revisions = new Map<string, number>();
  private commands = 0;
  private joined = 0;
  nowMs = START_MS;

  constructor(seed: number) {
    this.next = random(seed);
    this.register(HOUSE, null, 'admin');
    this.tell({ type: 'EnrolHouse', gamerId: HOUSE });
  }

  /** Carries a command out if the rules allow it; the events it led to. */
  tell(command: LedgerCommand): LedgerEvent[] {
    this.commands += 1;
    const actor = { id: 'system', role: 'system' } as const;
    const freshId = `p${String(this.commands).padStart(19, '0')}`;
    const decision = decide(this.state, command, { at: this.nowMs, actor, freshId });
    if (decision.refusal) return [];
    const metadata = { commandId: `c${this.commands}`, commandHash: '', chain: '', actor, at: this.nowMs, schema: 1 };
    for (const event of decision.events) {
      const { revision } = this.record(LEDGER_STREAM, event, metadata);
      evolve(this.state, { revision, event, metadata }, directly);
    }
    return decision.events;
  }

  /** Someone joins under a random sponsor, or none; some are made depositors. */
  join(): GamerId {
    const gamerId = `g${String(this.joined).padStart(11, '0')}`;
    this.joined += 1;
    const sponsorId = this.chance(0.2) ? null : this.anyone();
    this.register(gamerId, sponsorId, 'gamer');
    this.tell({ type: 'EnrolGamer', gamerId, sponsorId });
    this.gamers.push(gamerId);
    if (this.chance(0.8)) this.tell({ type: 'SetDepositorStatus', gamerId, isDepositor: true });
    this.tell({ type: 'AdjustBalance', gamerId, purchaseCents: 1_000_000, winningsCents: 0, reason: 'a start' });
    return gamerId;
  }

  /** One thing that may happen: a join, purchases, a transfer, a switch, time going by. */
  step(): void {
    this.nowMs += Math.floor(this.next() * 2_000);
    const gamerId = this.anyone();
    const dice = this.next();
    if (gamerId === null || dice < 0.08) this.join();
    else if (dice < 0.7) this.tell({ type: 'BuyTokens', buyerId: gamerId, quantity: 1 + Math.floor(this.next() * 9) });
    else if (dice < 0.78)
      this.tell({ type: 'TransferWinnings', gamerId, amountCents: 1 + Math.floor(this.next() * 50) });
    else if (dice < 0.82) this.tell({ type: 'SetDepositorStatus', gamerId, isDepositor: this.chance(0.6) });
    else if (dice < 0.86)
      this.tell({ type: 'AdjustBalance', gamerId, purchaseCents: 500, winningsCents: 70, reason: 'x' });
    else if (dice < 0.88) this.tell({ type: 'ResetGame', reason: 'a test' });
    else if (dice < 0.93) this.skipToDeadline();
    else if (dice < 0.95) this.payOut(gamerId);
    else if (dice < 0.965) this.deposit(gamerId);
    else if (dice < 0.975) this.leave(gamerId);
    else this.tell({ type: 'ForceStartLive' });
  }

  /** The admin removes a gamer, if the rules allow it. */
  leave(gamerId: GamerId): void {
    if (this.tell({ type: 'RemoveGamer', gamerId }).length === 0) return;
    this.gamers.splice(this.gamers.indexOf(gamerId), 1);
  }

  steps(count: number): this {
    for (let step = 0; step < count; step += 1) this.step();
    return this;
  }

  /** Winnings are asked for, and paid or given back. */
  private payOut(gamerId: GamerId): void {
    this.tell({ type: 'AdjustBalance', gamerId, purchaseCents: 0, winningsCents: 1_500, reason: 'a prize' });
    const payout = {
      amountCents: 1_200,
      cryptoType: 'BTC',
      walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    } as const;
    const [requested] = this.tell({ type: 'RequestWithdrawal', gamerId, payout });
    if (requested?.type !== 'WithdrawalRequested') throw new Error('a withdrawal within the rules was refused');
    const status = this.chance(0.5) ? 'completed' : 'returned';
    const { withdrawalId } = requested.data;
    this.tell({ type: 'UpdateWithdrawal', withdrawalId, update: { status, adminNotes: null, txid: null } });
  }

  private deposit(gamerId: GamerId): void {
    const money = { amountCents: 2_000, feeCents: 100, cryptoType: 'LTC' } as const;
    this.tell({ type: 'CreditDeposit', paymentId: `payment-${this.commands}`, gamerId, money });
  }

  private skipToDeadline(): void {
    const { endsAtEpochMs, phase } = this.state.game;
    if (phase === 'idle') this.tell({ type: 'StartGame' });
    this.nowMs = Math.max(this.nowMs, endsAtEpochMs ?? 0);
    this.tell({ type: 'AdvanceClock', lastAliveAtEpochMs: this.nowMs });
  }

  private register(gamerId: GamerId, sponsorId: GamerId | null, role: 'gamer' | 'admin'): void {
    const data = { gamerId, gamerTag: `tag-${gamerId}`, email: `${gamerId}@example.com`, refCode: `ref${gamerId}` };
    const event: GamerEvent = { type: 'GamerRegistered', data: { ...data, sponsorId, role } };
    this.record(gamerStream(gamerId), event, {
      commandId: `r-${gamerId}`,
      actor: { id: gamerId, role },
      at: this.nowMs,
      schema: 1,
    });
  }

  private record(stream: string, event: OurEvent, metadata: EventMetadata): Recorded {
    const revision = (this.revisions.get(stream) ?? -1) + 1;
    this.revisions.set(stream, revision);
    const index = this.log.length;
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const recorded = { id, stream, revision, position: String(index * 7 + 3), event, metadata };
    this.log.push(recorded);
    return recorded;
  }

  private anyone(): GamerId | null {
    return this.gamers[Math.floor(this.next() * this.gamers.length)] ?? null;
  }

  private chance(probability: number): boolean {
    return this.next() < probability;
  }
}
