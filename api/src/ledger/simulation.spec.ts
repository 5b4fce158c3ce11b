/*
 * Two api nodes on one log, in virtual time, seeded: lost and late appends, failing reads, outages of seconds, a crash,
 * double clicks and retries.
 * A failure names its seed; SEED=… runs that one alone.
 */
import assert from 'node:assert/strict';
import { Auditor } from '../../../audit/replay/auditor.js';
import { SYSTEM } from '../../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { GamerId } from '../../../contracts/ids.js';
import { NO_LIMITS } from '../../../contracts/limits.js';
import { caseCount, givenSeed } from '../../../contracts/testing/case-count.js';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { phaseChangeDueAt } from '../../../domain/rounds.js';
import { actorOf } from '../../../domain/testing/actors.js';
import type { AppendFault, Line } from '../../test/faulty-log.js';
import { type Ended, LedgerNode } from '../../test/ledger-node.js';
import { seededRandom } from '../../test/seeded-random.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { VirtualTime } from '../../test/virtual-time.js';
import { LedgerReplica } from './ledger-replica.js';

const GAMERS = ['alice', 'bob', 'carol', 'dan'];
const START_MS = Date.UTC(2026, 0, 1, 12);
const PLAY_STEPS = 40;

class UnreliableLine implements Line {
  private awayUntilMs = 0;

  constructor(
    private readonly random: () => number,
    private readonly world: { isCalm: boolean },
    private readonly now: () => number,
  ) {}

  latencyMs(): number {
    return 1 + Math.floor(this.random() * 6);
  }

  nextAppendFault(): AppendFault {
    const chance = this.random();
    if (this.isUnavailable()) return chance < 0.5 ? 'is lost' : 'arrives unanswered';
    if (this.world.isCalm || chance < 0.85) return 'arrives';
    if (chance < 0.9) return 'is lost';
    return chance < 0.95 ? 'arrives unanswered' : { unansweredArrivesAfterMs: Math.floor(this.random() * 1_200) };
  }

  readBreaksAfter(): number | null {
    return this.isUnavailable() || (!this.world.isCalm && this.random() < 0.05) ? Math.floor(this.random() * 3) : null;
  }

  private isUnavailable(): boolean {
    if (this.world.isCalm) return false;
    if (this.now() >= this.awayUntilMs && this.random() < 0.002) this.awayUntilMs = this.now() + this.random() * 7_000;
    return this.now() < this.awayUntilMs;
  }
}

/** A command and the outcome of each attempt; null while unknown, and for ever when its node crashed. */
interface Sent {
  command: LedgerCommand;
  commandId: string;
  attempts: { ended: Ended | null }[];
}

class Simulation {
  readonly time = new VirtualTime(START_MS);
  readonly memory = new StreamsInMemory();
  readonly sent: Sent[] = [];
  readonly retired: LedgerNode[] = [];
  nodes: LedgerNode[] = [];
  private readonly random: () => number;
  private readonly world = { isCalm: true };

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  async run(): Promise<void> {
    this.nodes = [await this.newNode(), await this.newNode()];
    await this.setUp();
    this.world.isCalm = false;
    const crashAtStep = Math.floor(this.random() * PLAY_STEPS * 2);
    for (let step = 0; step < PLAY_STEPS; step += 1) {
      await this.time.pass(Math.floor(this.random() ** 4 * 200));
      if (step === crashAtStep) await this.crashOne();
      if (this.random() < 0.04) this.sleepUntilNearTheEnd();
      this.keepTime();
      this.send(this.someCommand(), `c${this.sent.length}`);
    }
    this.world.isCalm = true;
    await this.time.pass(1_300);
    for (const node of this.nodes) await this.time.until(node.ledger.stop());
    // The node that stopped first has not read the last events of the other.
    for (const node of this.nodes) await this.time.until(node.catchUp());
  }

  private async setUp(): Promise<void> {
    const [node] = this.nodes;
    const opening: LedgerCommand[] = [
      { type: 'EnrolAdmin', gamerId: 'admin' },
      ...GAMERS.map((gamerId): LedgerCommand => ({ type: 'EnrolGamer', gamerId, sponsorId: null })),
      { type: 'SetDepositorStatus', gamerId: 'alice', isDepositor: true },
      {
        type: 'ChangeTimers',
        timers: {
          pregameDurationSeconds: 1,
          liveDurationSeconds: 2,
          downtimeDurationSeconds: 1,
          tokenExtensionSeconds: 1,
        },
      },
      ...GAMERS.map((gamerId) => fund(gamerId, 300)),
      { type: 'StartGame' },
    ];
    for (const command of opening) await node?.do(command);
  }

  /** Sends to one node, or with a double click to two; retries with the same id after an unknown outcome. */
  private send(command: LedgerCommand, commandId: string): void {
    const sent: Sent = { command, commandId, attempts: [] };
    this.sent.push(sent);
    void this.attempt(sent, 3);
    if (this.random() < 0.1) void this.attempt(sent, 1);
  }

  private async attempt(sent: Sent, triesLeft: number): Promise<void> {
    const node = this.nodes[Math.floor(this.random() * this.nodes.length)];
    if (!node) return;
    const attempt: Sent['attempts'][number] = { ended: null };
    sent.attempts.push(attempt);
    const ended = await Promise.race([node.send(sent.command, sent.commandId), node.crashed]);
    attempt.ended = ended;
    if ((ended === null || 'unavailable' in ended) && triesLeft > 1) {
      await this.time.sleep(Math.floor(this.random() * 1_000));
      if (!this.world.isCalm) await this.attempt(sent, triesLeft - 1);
    }
  }

  private sleepUntilNearTheEnd(): void {
    const leftMs = (this.nodes[0]?.ledger.committed.game.endsAtEpochMs ?? 0) - this.time.now();
    this.time.skip(Math.max(0, leftMs + Math.floor(this.random() * 200) - 150));
  }

  private keepTime(): void {
    for (const { ledger } of this.nodes) {
      const dueAtMs = phaseChangeDueAt(ledger.committed.game);
      if (dueAtMs === null || dueAtMs > this.time.now()) continue;
      this.send({ type: 'AdvanceClock', lastAliveAtEpochMs: this.time.now() }, `tick${this.sent.length}`);
    }
  }

  private async crashOne(): Promise<void> {
    const index = Math.floor(this.random() * this.nodes.length);
    const [crashed] = this.nodes.splice(index, 1);
    if (!crashed) return;
    crashed.crash();
    this.retired.push(crashed);
    this.world.isCalm = true;
    this.nodes.push(await this.newNode());
    this.world.isCalm = false;
  }

  private newNode(): Promise<LedgerNode> {
    return new LedgerNode(this.memory, new UnreliableLine(this.random, this.world, this.time.now), this.time).start();
  }

  private someCommand(): LedgerCommand {
    const gamerId = GAMERS[Math.floor(this.random() * GAMERS.length)] as string;
    const pick = this.random();
    const amount = 1 + Math.floor(this.random() * 4);
    if (pick < 0.58) return { type: 'BuyTokens', buyerId: gamerId, quantity: amount };
    if (pick < 0.62) return this.someProtection(gamerId, 30 * amount);
    if (pick < 0.75) return fund(gamerId, (this.random() < 0.3 ? -30 : 60) * amount);
    if (pick < 0.83) return { type: 'TransferWinnings', gamerId, amountCents: amount };
    if (pick < 0.9) return { type: 'EnrolGamer', gamerId: `g${this.sent.length}`, sponsorId: gamerId };
    if (pick < 0.94) return { type: 'SetDepositorStatus', gamerId, isDepositor: this.random() < 0.7 };
    if (pick < 0.97) return { type: 'ForceStartLive' };
    return pick < 0.985 ? { type: 'ResetGame', reason: 'simulated' } : { type: 'StartGame' };
  }

  private someProtection(gamerId: GamerId, cents: number): LedgerCommand {
    const limits = { ...NO_LIMITS, spending: { day: cents, week: null, month: null } };
    const pick = this.random();
    if (pick < 0.3) return { type: 'ExcludeGamer', gamerId, kind: 'time-out', days: 1 };
    if (pick < 0.8) return { type: 'SetLimits', gamerId, limits };
    return { type: 'SetProtectionProfile', profile: 'strict', mustChooseLimits: pick < 0.82, limits };
  }
}

const fund = (gamerId: string, purchaseCents: number): LedgerCommand => ({
  type: 'AdjustBalance',
  gamerId,
  purchaseCents,
  winningsCents: 0,
  reason: 'simulated',
});

const SEEDS = givenSeed === undefined ? [...Array(caseCount(200, 10_000)).keys()] : [givenSeed];

/** Every node announced the whole log, once and in order, and its state equals a replay of the log. */
function checkNodes({ memory, nodes, retired }: Simulation): void {
  const replayed = new LedgerReplica();
  for (const recorded of memory.ledger) replayed.apply(recorded);
  const ids = memory.ledger.map(({ id }) => id);
  for (const { replica, announced, broken } of nodes) {
    assert.equal(broken, null);
    assert.deepEqual(
      announced.map(({ recorded }) => recorded.id),
      ids,
    );
    assert.deepEqual(replica.state, replayed.state);
    assert.equal(replica.chain, replayed.chain);
  }
  for (const { announced, broken } of retired) {
    assert.equal(broken, null);
    assert.deepEqual(
      announced.map(({ recorded }) => recorded.id),
      ids.slice(0, announced.length),
    );
  }
}

/** Every acknowledged command is in the log once, with the acknowledged events; a command only refused is not. */
function checkAnswers(sent: readonly Sent[], events: readonly RecordedLedgerEvent[]): void {
  const effects = new Map<string, RecordedLedgerEvent[]>();
  for (const recorded of events) {
    const { commandId } = recorded.metadata;
    const before = effects.get(commandId)?.at(-1);
    assert.ok(!before || before.revision === recorded.revision - 1, `${commandId} took effect twice`);
    effects.set(commandId, [...(effects.get(commandId) ?? []), recorded]);
  }
  for (const { command, commandId, attempts } of sent) {
    const effect = effects.get(commandId) ?? [];
    const types = effect.map(({ event }) => event.type);
    assert.equal(new Set(types).size, types.length, `${commandId} took effect twice`);
    for (const { ended } of attempts) {
      if (ended === null || !('done' in ended)) continue;
      if (ended.done.events.length === 0) assert.equal(actorOf(command), SYSTEM);
      else assert.deepEqual(idsOf(ended.done.events), idsOf(effect), `${commandId} was acknowledged otherwise`);
    }
    const isOnlyRefused = attempts.every(({ ended }) => ended !== null && 'refused' in ended);
    if (isOnlyRefused) assert.deepEqual(types, [], `${commandId} was refused and took effect`);
    assert.ok(!attempts.some(({ ended }) => ended !== null && 'failed' in ended), `${commandId} failed`);
  }
}

const idsOf = (events: readonly RecordedLedgerEvent[]): string[] => events.map(({ id }) => id);

/** By the auditor's rules: also that nobody bought what a gamer or the operator had forbidden on the other node. */
function checkRules(events: readonly RecordedLedgerEvent[]): void {
  const auditor = new Auditor();
  for (const recorded of events) auditor.take(recorded);
  assert.deepEqual(auditor.findings, []);
}

it(`loses, duplicates and misreports no command over ${SEEDS.length} seeds`, async () => {
  const seen = { done: 0, refused: 0, forbidden: 0, unavailable: 0, crashed: 0, won: 0, retried: 0 };
  for (const seed of SEEDS) {
    const simulation = new Simulation(seed);
    try {
      await simulation.run();
      const { ledger } = simulation.memory;
      checkNodes(simulation);
      checkRules(ledger);
      checkAnswers(simulation.sent, ledger);
      seen.won += ledger.filter(({ event }) => event.type === 'RoundEnded' && event.data.winner !== null).length;
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
    for (const { attempts } of simulation.sent) {
      if (attempts.length > 1) seen.retried += 1;
      for (const { ended } of attempts) {
        if (ended === null) seen.crashed += 1;
        else if ('done' in ended) seen.done += 1;
        else if ('unavailable' in ended) seen.unavailable += 1;
        else if ('refused' in ended) {
          seen.refused += 1;
          if (/limit|time-out/.test(ended.refused)) seen.forbidden += 1;
        }
      }
    }
  }
  // Each outcome must have occurred, or the simulation proved nothing about it.
  if (SEEDS.length >= 200) for (const count of Object.values(seen)) expect(count).toBeGreaterThan(SEEDS.length / 10);
}, 3_600_000);
