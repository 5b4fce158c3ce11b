import type { Pool } from 'pg';
import type { Beat, LivenessStore } from '../../src/ledger/liveness.store.js';
import type { SnapshotsStore, StoredSnapshot } from '../../src/ledger/snapshots.store.js';
import type { Machine } from '../virtual-time.js';
import type { World } from './world.js';

const outage = (): Error => Object.assign(new Error('Connection terminated'), { code: '08006' });
const LOCK_TIMEOUT_MS = 1_000;
const MAX_BEAT_DELAY_MS = 1_000;

/** What Postgres holds for the nodes, without SQL: its calls are slow, fail before or after their effect, or all fail. */
export class SimulatedPostgres {
  private readonly streaks = new Map<string, { aliveSinceMs: number; lastAliveAtMs: number }>();
  private readonly snapshots: (StoredSnapshot & { chunks: Buffer[] })[] = [];
  private lockHolder: Machine | null = null;
  private lockWaiters: { machine: Machine; grant(): void }[] = [];

  constructor(private readonly world: World) {}

  async call<T>(effect: () => T): Promise<T> {
    const { time, store } = this.world;
    const { machine } = time;
    const slowMs = this.world.happens('storeSlow') ? this.world.upTo(2_000) : 0;
    await time.sleep(1 + this.world.upTo(3) + slowMs, null);
    const fails = store.isAway || this.world.happens('storeFailed');
    const isLost = store.isAway || (fails && this.world.random() < 0.5);
    const result = isLost ? null : { value: effect() };
    await time.sleep(1 + this.world.upTo(3), machine);
    if (fails || result === null) throw outage();
    return result.value;
  }

  /** The session's locks of a dead machine are free. */
  disconnect(machine: Machine): void {
    this.lockWaiters = this.lockWaiters.filter((waiter) => waiter.machine !== machine);
    if (this.lockHolder === machine) this.unlock();
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
    ofFold: () => this.call(() => [...this.snapshots].reverse()),
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
    connect: () => this.call(() => this.client()),
  } as unknown as Pool;

  private client() {
    const session = { machine: null as Machine | null };
    return {
      query: (sql: string) => {
        session.machine = this.world.time.machine;
        return sql.includes('unlock') ? this.call(() => this.unlock()) : this.lock(session.machine as Machine);
      },
      release: (error?: Error) => {
        if (error && session.machine) this.disconnect(session.machine);
      },
    };
  }

  private async lock(machine: Machine): Promise<void> {
    const { time } = this.world;
    let grant = (): void => {};
    const granted = new Promise<void>((resolve) => {
      grant = () => time.after(1, resolve, machine);
    });
    const waiter = { machine, grant };
    await this.call(() => {
      if (machine.isDead) return;
      this.lockWaiters.push(waiter);
      if (this.lockHolder === null) this.unlock();
    });
    const timeout = new Promise<void>((_, reject) => {
      const giveUp = (): void => {
        const index = this.lockWaiters.indexOf(waiter);
        if (index < 0) return;
        this.lockWaiters.splice(index, 1);
        reject(Object.assign(new Error('lock timeout'), { code: '55P03' }));
      };
      time.after(LOCK_TIMEOUT_MS, giveUp, machine);
    });
    await Promise.race([granted, timeout]);
  }

  private unlock(): void {
    const next = this.lockWaiters.shift();
    this.lockHolder = next?.machine ?? null;
    next?.grant();
  }

  private forget(id: string): void {
    const index = this.snapshots.findIndex((one) => one.id === id);
    if (index >= 0) this.snapshots.splice(index, 1);
  }
}
