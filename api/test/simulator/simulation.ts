import type { Actor } from '../../../contracts/events/metadata.js';
import type { GamerId, Power } from '../../../contracts/ids.js';
import { NO_LIMITS } from '../../../contracts/protection.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { phaseChangeDueAtMs } from '../../../domain/rounds.js';
import { ADMIN, actorOf } from '../../../domain/testing/actors.js';
import { ApiNode } from './api-node.js';
import { Clients } from './clients.js';
import { SimulatedGateway } from './gateway.js';
import { replaceGlobals } from './globals.js';
import { SimulatedMachine, trueClocks } from './machine.js';
import { Payers } from './payers.js';
import { Withdrawers } from './payouts.js';
import { SimulatedPostgres } from './postgres.js';
import { SimulatedTables } from './tables.js';
import { Watcher } from './watchers.js';
import { WorkerNode } from './worker-node.js';
import { World } from './world.js';

const GAMERS = ['alice', 'bob', 'carol', 'dan'];
const OPERATOR: Actor = { id: 'olivia', role: 'operator' };
const PLAY_STEPS = 60;
/** After the last fault the system is live again within this time. */
const HEALED_WITHIN_MS = 20_000;
const PHASES_CHANGE_WITHIN_MS = 12_000;

/** Two api nodes, two workers, their stores, the gateway and users. Not simulated: SQL, HTTP, the event store's wire protocol. */
export class Simulation {
  readonly world: World;
  readonly postgres: SimulatedPostgres;
  readonly clients: Clients;
  readonly gateway: SimulatedGateway;
  readonly payers: Payers;
  private readonly withdrawers: Withdrawers;
  readonly retired: ApiNode[] = [];
  nodes: ApiNode[] = [];
  readonly tables: SimulatedTables;
  workers: WorkerNode[] = [];
  watchers: Watcher[] = [];

  constructor(readonly seed: number) {
    this.world = new World(seed);
    this.postgres = new SimulatedPostgres(this.world);
    this.tables = new SimulatedTables(this.world);
    const nodes = () => this.nodes;
    this.clients = new Clients(this.world, nodes);
    this.gateway = new SimulatedGateway(this.world, nodes);
    this.payers = new Payers(this.world, this.gateway, nodes);
    this.withdrawers = new Withdrawers(this.world, this.clients, nodes);
  }

  async run(): Promise<void> {
    const { world } = this;
    const nobody = trueClocks(world);
    const clocks = () => (world.time.machine instanceof SimulatedMachine ? world.time.machine : nobody);
    const restore = replaceGlobals(world.time, clocks, world.random);
    try {
      await this.setUp();
      world.isCalm = false;
      for (let step = 0; step < PLAY_STEPS; step += 1) await this.step();
      await this.heal();
    } finally {
      restore();
    }
  }

  private async setUp(): Promise<void> {
    this.nodes = [this.startNode(), this.startNode()];
    this.workers = [this.startWorker(), this.startWorker()];
    const watch = (gamerId: string | null) => new Watcher(gamerId, this.world, () => this.nodes, this.tables);
    this.watchers = ['alice', 'bob', null].map(watch);
    // Then each node knows of the other one.
    await this.world.time.pass(2_500);
    const timers = {
      pregameDurationSeconds: 1,
      liveDurationSeconds: 2,
      downtimeDurationSeconds: 1,
      tokenExtensionSeconds: 1,
    };
    const opening: LedgerCommand[] = [
      { type: 'EnrolAdmin', gamerId: 'admin' },
      ...[...GAMERS, OPERATOR.id].map((gamerId): LedgerCommand => ({ type: 'EnrolGamer', gamerId, sponsorId: null })),
      withPowers(['money', 'game']),
      { type: 'SetDepositorStatus', gamerId: 'alice', isDepositor: true },
      { type: 'ChangeTimers', timers },
      ...GAMERS.map((gamerId) => fund(gamerId, 300, 20_000)),
      { type: 'StartGame' },
    ];
    for (const command of opening) {
      await this.world.time.until(this.clients.send(command));
      await this.world.time.pass(100);
    }
  }

  private async step(): Promise<void> {
    const { world } = this;
    await world.time.pass(world.upTo(400, 3));
    if (world.random() < 0.12) await this.passUntilNearTheEnd();
    await this.disturb();
    this.disturbWorkers();
    this.disturbSockets();
    if (world.random() < 0.12) void this.payers.payOnce(world.pick(GAMERS));
    this.withdrawers.step(world.pick(GAMERS));
    const command = this.someCommand();
    const isByOperator = actorOf(command) === ADMIN && world.random() < 0.4;
    void this.clients.send(command, isByOperator ? OPERATOR : actorOf(command));
  }

  private async passUntilNearTheEnd(earlierMs = 150): Promise<void> {
    const { world } = this;
    const endsAtMs = this.nodes.find(({ isReady }) => isReady)?.ledger.committed.game.endsAtEpochMs ?? 0;
    const leftMs = endsAtMs - world.time.now() + world.upTo(earlierMs + 50) - earlierMs;
    await world.time.pass(Math.min(Math.max(0, leftMs), 8_000));
  }

  /** Now and then shortly before zero, where outages are likelier and nobody acts: many of them then contain it. */
  private async disturb(): Promise<void> {
    const { world } = this;
    const times = world.injects('nearZero') ? 8 : 1;
    if (times > 1) await this.passUntilNearTheEnd(4_000);
    if (world.injects('logOutage', times)) this.outage('log', world.upTo(7_000));
    if (world.injects('storeOutage', times)) {
      const ms = world.upTo(9_000);
      this.outage('store', ms);
      world.recordOutage(ms);
    }
    if (this.nodes.length === 0) return;
    if (world.injects('freeze', times)) this.freeze(world.pick(this.nodes), world.upTo(5_000, 2));
    if (world.injects('clockStep')) world.pick(this.nodes).stepWallClock(world.upTo(20_000) - 10_000);
    if (world.injects('crash', times)) this.crash(world.pick(this.nodes), world.upTo(6_000, 2));
    if (world.injects('crashOfAll', times)) {
      const ms = world.upTo(9_000);
      world.recordOutage(ms);
      for (const node of [...this.nodes]) this.crash(node, ms);
    }
    if (times > 1) await world.time.pass(world.upTo(10_000));
  }

  private disturbWorkers(): void {
    const { world, tables } = this;
    const worker = world.pick(this.workers);
    if (world.injects('workerFrozen')) worker?.freezeFor(world.upTo(6_000, 2));
    if (world.injects('workerClockStep')) worker?.stepWallClock(world.upTo(60_000) - 30_000);
    // A pooler between would do this: two workers then write at once.
    if (world.injects('workerLockLost')) tables.advisoryLock = null;
    if (!worker || !world.injects('workerCrash')) return;
    this.workers.splice(this.workers.indexOf(worker), 1);
    void worker.end(world.random() < 0.3);
    world.time.after(world.upTo(4_000, 2), () => void this.workers.push(this.startWorker()), null);
  }

  private disturbSockets(): void {
    const { world } = this;
    const socket = world.pick(this.watchers).socket;
    if (world.injects('socketStalled')) socket?.stallFor(world.upTo(12_000, 2));
    if (world.injects('socketCut')) socket?.cut();
    if (world.injects('socketSilent')) socket?.fallSilent();
  }

  private outage(what: 'log' | 'store', ms: number): void {
    this.world.unreachableUntilMs[what] = Math.max(this.world.unreachableUntilMs[what], this.world.time.now() + ms);
    this.world.disturb(ms);
    this.world.note(`the ${what} is away for ${ms} ms`);
  }

  private freeze(node: ApiNode, ms: number): void {
    node.freezeFor(ms);
    this.world.disturb(ms);
  }

  private crash(node: ApiNode, forMs: number): void {
    node.crash();
    for (const { socket } of this.watchers) if (socket?.node === node) socket.cut();
    this.retired.push(node);
    this.nodes.splice(this.nodes.indexOf(node), 1);
    this.world.disturb(forMs);
    this.world.time.after(forMs, () => void this.nodes.push(this.startNode()), null);
  }

  private startNode(): ApiNode {
    const node = new ApiNode(this.world.newId('node'), this.world, this.postgres, this.gateway.port, this.tables);
    node.start().catch((error: Error) => {
      node.broken ??= error;
    });
    return node;
  }

  private startWorker(): WorkerNode {
    const worker = new WorkerNode(this.world.newId('worker'), this.world, this.tables);
    void worker.start();
    return worker;
  }

  /** All faults stop; then the system must become live by itself. */
  private async heal(): Promise<void> {
    const { world } = this;
    world.note('all faults stop');
    world.isCalm = true;
    for (const span of world.outages) span.toMs = Math.min(span.toMs, world.time.now());
    Object.assign(world.unreachableUntilMs, { log: 0, store: 0 });
    for (const node of this.nodes) {
      node.frozenUntilMs = 0;
      node.correctWallClock();
    }
    for (const worker of this.workers) worker.frozenUntilMs = 0;
    // The packets that get through again are for a connection that one end does not know.
    for (const { socket } of this.watchers) if (socket?.isSilent) socket.cut();
    await world.time.pass(PHASES_CHANGE_WITHIN_MS);
    this.overdueMs = Math.max(...this.nodes.map((node) => this.overdueOf(node)));
    await world.time.pass(HEALED_WITHIN_MS - PHASES_CHANGE_WITHIN_MS);
    const ready = this.nodes.filter(({ isReady }) => isReady);
    this.overdueMs = Math.max(this.overdueMs, ...ready.map((node) => this.overdueOf(node)));
    for (const node of ready) await world.time.until(node.run(() => node.timekeeper.stop()));
    await world.time.pass(1_500);
  }

  /** How long a change of phase was overdue in the healed time, on the node where most. */
  overdueMs = Number.NaN;

  private overdueOf({ ledger, isReady }: ApiNode): number {
    if (!isReady) return 0;
    const dueAtMs = phaseChangeDueAtMs(ledger.committed.game);
    return dueAtMs === null ? 0 : this.world.time.now() - dueAtMs;
  }

  private someCommand(): LedgerCommand {
    const { world } = this;
    const gamerId = world.pick(GAMERS);
    const pick = world.random();
    const amount = 1 + world.upTo(4, 3);
    const isIdle = this.nodes.some(({ isReady, ledger }) => isReady && ledger.committed.game.phase === 'idle');
    if (isIdle && pick < 0.3) return { type: 'StartGame' };
    if (pick < 0.58) return { type: 'BuyTokens', buyerId: gamerId, quantity: amount };
    if (pick < 0.59) return withPowers((['money', 'game'] as const).filter(() => world.random() < 0.6));
    if (pick < 0.62) return this.someProtection(gamerId, 30 * amount);
    if (pick < 0.75) return fund(gamerId, (world.random() < 0.3 ? -30 : 60) * amount);
    if (pick < 0.83) return { type: 'TransferWinnings', gamerId, amountCents: amount };
    if (pick < 0.9) return { type: 'EnrolGamer', gamerId: world.newId('g'), sponsorId: gamerId };
    if (pick < 0.94) return { type: 'SetDepositorStatus', gamerId, isDepositor: world.random() < 0.7 };
    if (pick < 0.97) return { type: 'ForceStartLive' };
    return pick < 0.985 ? { type: 'ResetGame', reason: 'simulated' } : { type: 'StartGame' };
  }

  private someProtection(gamerId: GamerId, cents: number): LedgerCommand {
    const limits = { ...NO_LIMITS, spending: { day: cents, week: null, month: null } };
    const pick = this.world.random();
    if (pick < 0.3) return { type: 'ExcludeGamer', gamerId, kind: 'time-out', days: 1 };
    if (pick < 0.8) return { type: 'SetLimits', gamerId, limits };
    return { type: 'SetProtectionProfile', profile: 'strict', mustChooseLimits: pick < 0.805, limits };
  }
}

const withPowers = (powers: readonly Power[]): LedgerCommand => ({
  type: 'SetStaffStatus',
  gamerId: OPERATOR.id,
  isStaff: true,
  powers,
});

const fund = (gamerId: string, purchaseCents: number, winningsCents = 0): LedgerCommand => ({
  type: 'AdjustBalance',
  gamerId,
  purchaseCents,
  winningsCents,
  reason: 'simulated',
});
