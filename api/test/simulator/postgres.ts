import type { Pool } from 'pg';
import type { Beat, LivenessStore } from '../../src/ledger/liveness.store.js';
import type { SnapshotsStore, StoredSnapshot } from '../../src/ledger/snapshots.store.js';
import type { Machine } from '../virtual-time.js';
import type { World } from './world.js';

const outage = (): Error => Object.assign(new Error('Connection terminated'), { code: '08006' });
const LOCK_TIMEOUT_MS = 1_000;
/** Equals the pool's `query_timeout`. */
const QUERY_TIMEOUT_MS = 2_500;
const MAX_BEAT_DELAY_MS = 1_000;

/** A connection that waits for the advisory lock of the turns, or has it. */
interface Session {
  machine: Machine;
  grant(): void;
}

/** Postgres' data for the nodes, without SQL: its calls are slow, fail before or after their effect, or all fail. */
export class SimulatedPostgres {
  private readonly streaks = new Map<string, { aliveSinceMs: number; lastAliveAtMs: number }>();
  private readonly snapshots: (StoredSnapshot & { chunks: Buffer[] })[] = [];
  private lockHolder: Session | null = null;
  private lockWaiters: Session[] = [];

  constructor(private readonly world: World) {}

  async call<T>(effect: () => T): Promise<T> {
    const { time } = this.world;
    const { machine } = time;
    const slowMs = this.world.injects('storeSlow') ? this.world.upTo(2_000) : 0;
    await time.sleep(1 + this.world.upTo(3) + slowMs, null);
    const fails = this.world.isUnreachable('store') || this.world.injects('storeFailed');
    const isLost = this.world.isUnreachable('store') || (fails && this.world.random() < 0.5);
    const result = isLost ? null : { value: effect() };
    const silentMs = fails ? this.world.timeoutOf('storeSilent', QUERY_TIMEOUT_MS) : 0;
    await time.sleep(1 + this.world.upTo(3) + silentMs, machine);
    if (fails || result === null) throw outage();
    return result.value;
  }

  /** The locks of a dead machine's sessions are free. */
  disconnect(machine: Machine): void {
    for (const session of [...this.lockWaiters, this.lockHolder]) if (session?.machine === machine) this.close(session);
  }

  private close(session: Session): void {
    this.lockWaiters = this.lockWaiters.filter((waiter) => waiter !== session);
    if (this.lockHolder === session) this.unlock();
  }

  readonly liveness = {
    record: ({ nodeId, aliveSinceMs, lastAliveAtMs, othersSinceMs }: Beat) =>
      this.call(() => {
        if (this.world.time.now() - lastAliveAtMs > MAX_BEAT_DELAY_MS) return undefined;
        const id = `${nodeId}@${aliveSinceMs}`;
        const before = this.streaks.get(id)?.lastAliveAtMs ?? 0;
        this.streaks.set(id, { aliveSinceMs, lastAliveAtMs: Math.max(before, lastAliveAtMs) });
        const others = [...this.streaks].filter(([other]) => !other.startsWith(`${nodeId}@`));
        return others.some(([, streak]) => streak.lastAliveAtMs >= othersSinceMs);
      }),
    lastAliveOfStreaksBy: (epochMs: number) =>
      this.call(() => {
        const ends = [...this.streaks.values()].flatMap((one) =>
          one.aliveSinceMs <= epochMs ? [one.lastAliveAtMs] : [],
        );
        return ends.length === 0 ? null : Math.max(...ends);
      }),
    deleteBefore: () => this.call(() => {}),
  } satisfies Pick<LivenessStore, keyof LivenessStore> as unknown as LivenessStore;

  readonly snapshotStore = {
    ofProgram: () => this.call(() => [...this.snapshots].reverse()),
    readChunks: (id: string, take: (bytes: Buffer) => void) =>
      this.call(() => this.snapshots.find((one) => one.id === id)?.chunks.forEach(take)),
    drop: (id: string) => this.call(() => this.forget(id)),
    save: async (_: unknown, chunks: AsyncIterable<Buffer>, authenticated: () => Omit<StoredSnapshot, 'id'>) => {
      const bytes: Buffer[] = [];
      for await (const one of chunks) bytes.push(one);
      this.snapshots.push({ id: this.world.newId('snapshot'), ...authenticated(), chunks: bytes });
      return true;
    },
  } satisfies Pick<SnapshotsStore, keyof SnapshotsStore> as unknown as SnapshotsStore;

  /** Answers the clock's query, and those of the turns' advisory lock. */
  readonly pool = {
    query: () => this.call(() => ({ rows: [{ ms: this.world.time.now() }] })),
    connect: async () => {
      await this.call(() => {});
      return this.client();
    },
  } as unknown as Pool;

  private client() {
    const { time } = this.world;
    const session: Session = { machine: time.machine as Machine, grant: () => {} };
    const granted = new Promise<void>((resolve) => {
      session.grant = () => time.after(1, resolve, session.machine);
    });
    return {
      query: (sql: string) =>
        sql.includes('unlock') ? this.call(() => this.close(session)) : this.lock(session, granted),
      release: (error?: Error) => {
        if (error) this.close(session);
      },
    };
  }

  private async lock(session: Session, granted: Promise<void>): Promise<void> {
    await this.call(() => {
      if (session.machine.isDead) return;
      this.lockWaiters.push(session);
      if (this.lockHolder === null) this.unlock();
    });
    const timeout = this.world.time.sleep(LOCK_TIMEOUT_MS).then(() => {
      if (this.lockWaiters.includes(session)) throw Object.assign(new Error('lock timeout'), { code: '55P03' });
      return granted;
    });
    await Promise.race([granted, timeout]);
  }

  private unlock(): void {
    const next = this.lockWaiters.shift();
    this.lockHolder = next ?? null;
    next?.grant();
  }

  private forget(id: string): void {
    const index = this.snapshots.findIndex((one) => one.id === id);
    if (index >= 0) this.snapshots.splice(index, 1);
  }
}
