import type { Recorded } from '../../../contracts/events/recorded.js';
import type { Posting } from '../../../contracts/ledger-accounts.js';
import type { Session } from '../../../projections/src/database.js';
import { BEGINNING, type Checkpoint } from '../../../projections/src/read-schema.js';
import type { View } from '../../../projections/src/views/view.js';
import type { Machine } from '../virtual-time.js';
import type { World } from './world.js';

const gone = (): Error => Object.assign(new Error('Connection terminated'), { code: '08006' });

/** The committed tables of `schema read`, with two small views instead of the real ones. */
interface TableContents {
  checkpoint: Checkpoint | null;
  views: Map<string, { version: number; position: string }>;
  /** The view `balances`: cents by account. */
  balances: Map<string, number>;
  /** The view `journal`: each event of the ledger. */
  journal: Recorded[];
}

const copyOf = ({ checkpoint, views, balances, journal }: TableContents): TableContents => ({
  checkpoint,
  views: new Map([...views].map(([name, view]) => [name, { ...view }])),
  balances: new Map(balances),
  journal: [...journal],
});

const view = (name: string, apply: View['apply']): View => ({ name, version: 1, tables: [name], ddl: '', apply });

export const SIMULATED_VIEWS = [
  view('balances', async ({ ofLedger }, db) => {
    const all = ofLedger.flatMap(({ postings }) => postings);
    await db.query('ADD balances', all);
  }),
  view('journal', async ({ ofLedger }, db) => void (await db.query('ADD journal', [...ofLedger]))),
];

/**
 * Postgres for the workers: sessions, transactions (one writes at a time), locks and notifications. Its SQL is not simulated: each
 * statement of read-schema.ts is known by its words and done in plain code.
 */
export class SimulatedTables {
  contents: TableContents = { checkpoint: null, views: new Map(), balances: new Map(), journal: [] };
  /** Positions that the api nodes were notified of. */
  readonly notified: string[] = [];
  advisoryLock: SimulatedSession | null = null;
  writer: SimulatedSession | null = null;
  private readonly sessions = new Set<SimulatedSession>();
  private readonly waiting: (() => void)[] = [];

  constructor(readonly world: World) {}

  /** The state that every other session sees while a transaction writes. */
  get committed(): TableContents {
    return this.writer?.before ?? this.contents;
  }

  /** Times of the withdrawals' requests in the tables, epoch ms by id. */
  get withdrawalTimes(): ReadonlyMap<string, number> {
    const times = this.committed.journal.flatMap(({ event, metadata }) =>
      event.type === 'WithdrawalRequested' ? [[event.data.withdrawalId, metadata.at] as const] : [],
    );
    return new Map(times);
  }

  readonly connect = async (): Promise<Session> => {
    const { time } = this.world;
    const { machine } = time;
    await time.sleep(2 + this.world.upTo(10), machine);
    if (this.world.isUnreachable('store')) throw gone();
    const session = new SimulatedSession(this, machine as Machine);
    this.sessions.add(session);
    return session;
  };

  disconnect(machine: Machine): void {
    for (const session of this.sessions) if (session.machine === machine) this.end(session);
  }

  /** The server ends a session: it rolls back and unlocks. */
  end(session: SimulatedSession): void {
    this.sessions.delete(session);
    session.isEnded = true;
    this.rollBack(session);
    if (this.advisoryLock === session) this.advisoryLock = null;
  }

  rollBack(session: SimulatedSession): void {
    if (session.before && this.writer === session) this.contents = session.before;
    this.release(session);
  }

  commit(session: SimulatedSession): void {
    for (const position of session.notices)
      this.notified.push(position ?? (this.contents.checkpoint?.position as string));
    this.release(session);
  }

  private release(session: SimulatedSession): void {
    Object.assign(session, { isInTransaction: false, before: null, notices: [] });
    if (this.writer !== session) return;
    this.writer = null;
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Waits for the transaction that writes. */
  async becomeWriter(session: SimulatedSession): Promise<void> {
    while (this.writer !== null && this.writer !== session) {
      if (session.isEnded) throw gone();
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (session.isEnded) throw gone();
    if (this.writer === session) return;
    this.writer = session;
    session.before = copyOf(this.contents);
  }
}

/** A connection: its statements are executed one after another, whenever they arrive. */
class SimulatedSession implements Session {
  isEnded = false;
  isInTransaction = false;
  before: TableContents | null = null;
  notices: null[] = [];
  private executing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly tables: SimulatedTables,
    readonly machine: Machine,
  ) {}

  async query<Row extends object>(sql: string, parameters: unknown[] = []) {
    const { world } = this.tables;
    const done = this.executing.then(() => this.execute(sql, parameters));
    this.executing = done.catch(() => {});
    const outcome = await done.catch((error: Error) => error);
    await world.time.sleep(1 + world.upTo(4), this.machine);
    if (outcome instanceof Error) throw outcome;
    return outcome as { rows: Row[]; rowCount: number };
  }

  async end(): Promise<void> {
    this.tables.end(this);
  }

  private async execute(sql: string, parameters: unknown[]): Promise<{ rows: object[]; rowCount: number }> {
    const { world } = this.tables;
    const isLost = world.isUnreachable('store') || world.injects('workerSessionLost');
    const isDone = !isLost || (!world.isUnreachable('store') && world.random() < 0.5);
    if (!isDone) this.tables.end(this);
    if (this.isEnded) throw gone();
    const rows = await this.rowsOf(sql, parameters);
    if (!this.isInTransaction) this.tables.commit(this);
    if (!isLost) return { rows, rowCount: rows.length };
    this.tables.end(this);
    throw gone();
  }

  private async rowsOf(sql: string, parameters: unknown[]): Promise<object[]> {
    if (sql.startsWith('BEGIN')) this.isInTransaction = true;
    else if (sql.startsWith('COMMIT')) this.tables.commit(this);
    else if (sql.startsWith('ROLLBACK')) this.tables.rollBack(this);
    else if (sql.includes('pg_try_advisory_lock')) return [{ locked: this.lock() }];
    else if (sql.includes('pg_notify')) this.notices.push(null);
    else {
      await this.tables.becomeWriter(this);
      return this.written(sql, parameters);
    }
    return [];
  }

  private lock(): boolean {
    this.tables.advisoryLock ??= this;
    return this.tables.advisoryLock === this;
  }

  private written(sql: string, parameters: unknown[]): object[] {
    const { contents } = this.tables;
    const { views } = contents;
    const [first, second, third, fourth] = parameters as string[];
    if (sql.includes('CREATE SCHEMA'))
      contents.checkpoint ??= { position: BEGINNING, eventId: null, ledgerChain: null };
    else if (sql.includes('FROM pg_class')) return [...views.keys(), 'views'].map((name) => ({ name }));
    else if (sql.includes('FROM read.views JOIN'))
      return [...views].flatMap(([name, { version, position }]) =>
        position === contents.checkpoint?.position ? [{ name, version }] : [],
      );
    else if (sql.includes('FROM read.checkpoint')) return contents.checkpoint ? [{ ...contents.checkpoint }] : [];
    else if (sql.startsWith('INSERT INTO read.views'))
      views.set(first as string, { version: Number(second), position: third as string });
    else if (sql.startsWith('UPDATE read.checkpoint')) {
      if (sql.includes('WHERE position = $1') && contents.checkpoint?.position !== first) return [];
      contents.checkpoint = { position: second as string, eventId: third ?? null, ledgerChain: fourth ?? null };
      return [{}];
    } else if (sql.startsWith('UPDATE read.views')) {
      const moved = [...views].filter(([, { position }]) => position === first);
      for (const [, one] of moved) one.position = second as string;
      return moved.map(([name]) => ({ name }));
    } else if (sql === 'ADD balances') this.post(parameters as Posting[]);
    else if (sql === 'ADD journal') contents.journal.push(...(parameters as Recorded[]));
    else if (!/^(DROP TABLE|SET LOCAL|$)/.test(sql)) throw new Error(`a statement that is not simulated: ${sql}`);
    return [];
  }

  private post(postings: readonly Posting[]): void {
    const { balances } = this.tables.contents;
    for (const { account, cents } of postings) balances.set(account, (balances.get(account) ?? 0) + cents);
  }
}
