import { seededRandom } from '../../../api/test/seeded-random.js';
import type { GamerEvent } from '../../../contracts/events/gamer-events.js';
import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { Recorded, RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import { gamerStream, LEDGER_STREAM } from '../../../contracts/streams.js';
import { CHAIN_START } from '../../../domain/ledger/chain.js';
import { decide } from '../../../domain/ledger/decide.js';
import { evolve } from '../../../domain/ledger/evolve.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { emptyLedger } from '../../../domain/ledger/ledger-state.js';
import { directChanges } from '../../../domain/ledger/undo-log.js';
import { phaseChangeDueAtMs } from '../../../domain/rounds.js';
import { actorOf } from '../../../domain/testing/actors.js';
import { MemoryLog } from './memory-log.js';

const START_MS = Date.UTC(2026, 0, 1);
export const ADMIN: GamerId = 'admin';

/** A random game, decided by the domain's deciders. `log` holds its events as the event store would. */
export class RandomGame {
  private readonly memory = new MemoryLog();
  readonly log: readonly Recorded[] = this.memory.events;
  readonly state = emptyLedger();
  readonly gamers: GamerId[] = [];
  private readonly next: () => number;
  private commands = 0;
  private joined = 0;
  nowMs = START_MS;

  constructor(seed: number) {
    this.next = seededRandom(seed);
    this.register(ADMIN, null, 'admin');
    this.submit({ type: 'EnrolAdmin', gamerId: ADMIN });
  }

  /** Decides a command and records its events; none when it is refused. */
  submit(command: LedgerCommand): LedgerEvent[] {
    this.commands += 1;
    const actor = actorOf(command);
    const freshId = `p${String(this.commands).padStart(19, '0')}`;
    const decision = decide(this.state, command, { atMs: this.nowMs, receivedAtMs: this.nowMs, actor, freshId });
    if (decision.refusal) return [];
    const metadata = { commandId: `c${this.commands}`, commandHash: CHAIN_START, actor, at: this.nowMs };
    for (const event of decision.events)
      evolve(this.state, this.memory.record(LEDGER_STREAM, event, metadata) as RecordedLedgerEvent, directChanges);
    return decision.events;
  }

  /** Enrols a gamer under a random sponsor or none, funds them, and makes most of them depositors. */
  join(): GamerId {
    const gamerId = `g${String(this.joined).padStart(11, '0')}`;
    this.joined += 1;
    const sponsorId = this.chance(0.2) ? null : this.randomGamer();
    this.register(gamerId, sponsorId, 'gamer');
    this.submit({ type: 'EnrolGamer', gamerId, sponsorId });
    this.gamers.push(gamerId);
    if (this.chance(0.8)) this.submit({ type: 'SetDepositorStatus', gamerId, isDepositor: true });
    this.submit({ type: 'AdjustBalance', gamerId, purchaseCents: 1_000_000, winningsCents: 0, reason: 'a start' });
    return gamerId;
  }

  step(): void {
    this.nowMs += Math.floor(this.next() * 2_000);
    const gamerId = this.randomGamer();
    const dice = this.next();
    if (gamerId === null || dice < 0.08) this.join();
    else if (dice < 0.7)
      this.submit({ type: 'BuyTokens', buyerId: gamerId, quantity: 1 + Math.floor(this.next() * 9) });
    else if (dice < 0.78)
      this.submit({ type: 'TransferWinnings', gamerId, amountCents: 1 + Math.floor(this.next() * 50) });
    else if (dice < 0.82) this.submit({ type: 'SetDepositorStatus', gamerId, isDepositor: this.chance(0.6) });
    else if (dice < 0.86)
      this.submit({ type: 'AdjustBalance', gamerId, purchaseCents: 500, winningsCents: 70, reason: 'x' });
    else if (dice < 0.88) this.submit({ type: 'ResetGame', reason: 'a test' });
    else if (dice < 0.93) this.skipToDeadline();
    else if (dice < 0.95) this.payOut(gamerId);
    else if (dice < 0.965) this.deposit(gamerId);
    else if (dice < 0.975) this.leave(gamerId);
    else this.submit({ type: 'ForceStartLive' });
  }

  leave(gamerId: GamerId): void {
    if (this.submit({ type: 'RemoveGamer', gamerId }).length === 0) return;
    this.gamers.splice(this.gamers.indexOf(gamerId), 1);
  }

  steps(count: number): this {
    for (let step = 0; step < count; step += 1) this.step();
    return this;
  }

  private payOut(gamerId: GamerId): void {
    this.submit({ type: 'AdjustBalance', gamerId, purchaseCents: 0, winningsCents: 1_500, reason: 'a prize' });
    const request = {
      amountCents: 1_200,
      cryptoType: 'BTC',
      walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    } as const;
    const [requested] = this.submit({ type: 'RequestWithdrawal', gamerId, request });
    if (requested?.type !== 'WithdrawalRequested') throw new Error('an allowed withdrawal was refused');
    const status = this.chance(0.5) ? 'completed' : 'returned';
    const { withdrawalId } = requested.data;
    this.submit({ type: 'UpdateWithdrawal', withdrawalId, update: { status, adminNotes: null, txid: null } });
  }

  private deposit(gamerId: GamerId): void {
    const money = { amountCents: 2_000, feeCents: 100, cryptoType: 'LTC' } as const;
    this.submit({ type: 'CreditDeposit', paymentId: `payment-${this.commands}`, gamerId, money });
  }

  private skipToDeadline(): void {
    if (this.state.game.phase === 'idle') this.submit({ type: 'StartGame' });
    this.nowMs = Math.max(this.nowMs, phaseChangeDueAtMs(this.state.game) ?? 0);
    this.submit({ type: 'AdvanceClock', lastAliveAtMs: this.nowMs });
  }

  private register(gamerId: GamerId, sponsorId: GamerId | null, role: 'gamer' | 'admin'): void {
    const data = { gamerId, gamerTag: `tag-${gamerId}`, email: `${gamerId}@example.com`, refCode: `ref${gamerId}` };
    const event: GamerEvent = { type: 'GamerRegistered', data: { ...data, sponsorId, role } };
    const metadata = { commandId: `r-${gamerId}`, actor: { id: gamerId, role }, at: this.nowMs };
    this.memory.record(gamerStream(gamerId), event, metadata);
  }

  private randomGamer(): GamerId | null {
    return this.gamers[Math.floor(this.next() * this.gamers.length)] ?? null;
  }

  private chance(probability: number): boolean {
    return this.next() < probability;
  }
}
