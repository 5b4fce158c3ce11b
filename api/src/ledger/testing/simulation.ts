import type { LedgerCommand } from '../../../../domain/ledger-commands.js';
import { phaseChangeDueAt } from '../../../../domain/rounds.js';
import type { AppendFate, Line } from './faulty-log.js';
import { type Ended, LedgerNode } from './node.js';
import { seededRandom } from './seeded-random.js';
import { StreamsInMemory } from './streams-in-memory.js';
import { VirtualTime } from './virtual-time.js';

const GAMERS = ['alice', 'bob', 'carol', 'dan'];
const START_MS = Date.UTC(2026, 0, 1, 12);
const PLAY_STEPS = 40;

/** A line with random faults: latency, lost messages, outages of seconds; cut for ever when its node crashes. */
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

  appendFate(): AppendFate {
    const fate = this.random();
    if (this.isAway()) return fate < 0.5 ? 'is lost' : 'arrives unanswered';
    if (this.world.isCalm || fate < 0.85) return 'arrives';
    if (fate < 0.9) return 'is lost';
    return fate < 0.95 ? 'arrives unanswered' : { unansweredArrivesAfterMs: Math.floor(this.random() * 1_200) };
  }

  readBreaksAfter(): number | null {
    return this.isAway() || (!this.world.isCalm && this.random() < 0.05) ? Math.floor(this.random() * 3) : null;
  }

  private isAway(): boolean {
    if (this.world.isCalm) return false;
    if (this.now() >= this.awayUntilMs && this.random() < 0.002) this.awayUntilMs = this.now() + this.random() * 7_000;
    return this.now() < this.awayUntilMs;
  }
}

/** A command and the outcome of each attempt; null while unknown, and for ever when its node crashed. */
export interface Sent {
  command: LedgerCommand;
  commandId: string;
  attempts: { ended: Ended | null }[];
}

/** Two api nodes on one log, gamers who click twice and retry, and faults everywhere in between. */
export class Simulation {
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
      { type: 'EnrolAdmin', gamerId: 'house' },
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
    const ended = await Promise.race([node.send(sent.command, 'someone', sent.commandId), node.crashed]);
    attempt.ended = ended;
    if ((ended === null || 'unavailable' in ended) && triesLeft > 1) {
      await this.time.sleep(this.random() * 1_000);
      if (!this.world.isCalm) await this.attempt(sent, triesLeft - 1);
    }
  }

  /** Both nodes sleep, and wake shortly before or after the end of the countdown. */
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
    if (pick < 0.62) return { type: 'BuyTokens', buyerId: gamerId, quantity: amount };
    if (pick < 0.75) return fund(gamerId, (this.random() < 0.3 ? -30 : 60) * amount);
    if (pick < 0.83) return { type: 'TransferWinnings', gamerId, amountCents: amount };
    if (pick < 0.9) return { type: 'EnrolGamer', gamerId: `g${this.sent.length}`, sponsorId: gamerId };
    if (pick < 0.94) return { type: 'SetDepositorStatus', gamerId, isDepositor: this.random() < 0.7 };
    if (pick < 0.97) return { type: 'ForceStartLive' };
    return pick < 0.985 ? { type: 'ResetGame', reason: 'simulated' } : { type: 'StartGame' };
  }
}

const fund = (gamerId: string, purchaseCents: number): LedgerCommand => ({
  type: 'AdjustBalance',
  gamerId,
  purchaseCents,
  winningsCents: 0,
  reason: 'simulated',
});
