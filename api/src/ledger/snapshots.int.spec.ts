import { gunzipSync, gzipSync } from 'node:zlib';
import { Pool } from 'pg';
import type { LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import type { GamerPlace } from '../../../domain/ledger/ledger-state.js';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { StreamsInMemory } from '../../test/streams-in-memory.js';
import { migrate } from '../platform/migrations.js';
import { Draft } from './draft.js';
import { LedgerReplica } from './ledger-replica.js';
import { EVENTS_BETWEEN, Snapshots, SnapshotsStore } from './snapshots.store.js';

const PROGRAM = 'this program';
const UPDATE = 'UPDATE ledger.snapshot_chunks SET';
/** Moves them in two steps, because a primary key is checked row by row. */
const REVERSED = `${UPDATE} number = -1 - number;
  ${UPDATE} number = number - (SELECT min(number) FROM ledger.snapshot_chunks)`;
const ONE_MORE = `INSERT INTO ledger.snapshot_chunks
  SELECT snapshot_id, max(number) + 1, 'one more' FROM ledger.snapshot_chunks GROUP BY 1`;
const WITHOUT_LAST = `DELETE FROM ledger.snapshot_chunks
  WHERE number = (SELECT max(number) FROM ledger.snapshot_chunks)`;
const NOW = Date.UTC(2026, 0, 1, 12);
const actor = { id: 'admin', role: 'admin' } as const;

let database: TestDatabase;
let pool: Pool;
let snapshots: Snapshots;
let node: TestNode;

const snapshotsOf = (program = PROGRAM, secrets = ['a secret of the nodes']) =>
  new Snapshots(new SnapshotsStore(pool), secrets, program);

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  // A connection that was not returned would be missed.
  pool = new Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 5_000 });
  snapshots = snapshotsOf();
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

class TestNode {
  readonly replica = new LedgerReplica();
  readonly memory = new StreamsInMemory();
  private commands = 0;

  constructor(private readonly name = 'node') {}

  do(command: LedgerCommand): void {
    this.commands += 1;
    const draft = new Draft(this.replica, () => `${this.name} ${this.commands}`, NOW + this.commands);
    draft.add({ command, commandId: `c${this.commands}`, actor, receivedAtMs: NOW, freshId: `f${this.commands}` });
    draft.commit(this.memory.append('ledger', draft.newEvents, this.replica.revision).position);
  }

  /** The admin, Bob with a dollar, and Carol. */
  begin(): this {
    this.do({ type: 'EnrolAdmin', gamerId: 'admin' });
    this.do({ type: 'EnrolGamer', gamerId: 'bob', sponsorId: null });
    this.give(100);
    this.do({ type: 'EnrolGamer', gamerId: 'carol', sponsorId: 'bob' });
    return this;
  }

  give(purchaseCents: number): void {
    this.do({ type: 'AdjustBalance', gamerId: 'bob', purchaseCents, winningsCents: 0, reason: 'a gift' });
  }
}

/** Starts a node: returns its replica, the revision from which it replayed, and its warnings. */
async function start({ memory }: TestNode, given = snapshots) {
  const warnings: string[] = [];
  const log = {
    append: async () => Promise.reject(new Error('a starting node appends nothing')),
    async *readStream(stream: string, options?: object) {
      yield* memory.read(stream, options);
    },
  };
  const replica = await given.newestReplica(log, (warning) => warnings.push(warning));
  const from = replica.revision;
  for (const recorded of memory.ledger.slice(from + 1)) replica.evolve(recorded);
  return { from, warnings, replica };
}

async function expectDropped(other: TestNode, warning: string): Promise<void> {
  const { from, warnings, replica } = await start(other);
  expect(warnings).toEqual([expect.stringContaining(warning)]);
  expect(from).toBe(-1);
  expect(replica).toEqual(other.replica);
  expect(await kept()).toEqual([]);
}

const kept = async (): Promise<number[]> =>
  (await pool.query('SELECT revision::int FROM ledger.snapshots ORDER BY revision')).rows.map(
    ({ revision }) => revision,
  );
const leftChunks = async (): Promise<number> =>
  (await pool.query('SELECT count(*)::int AS number FROM ledger.snapshot_chunks')).rows[0].number;

beforeEach(async () => {
  await pool.query('DELETE FROM ledger.snapshots');
  node = new TestNode().begin();
});

it('starts from the beginning without a snapshot', async () => {
  expect(await start(node)).toMatchObject({ from: -1, warnings: [] });
});

describe('a writer to Postgres', () => {
  beforeEach(() => snapshots.save(node.replica));

  async function forgeMoney(): Promise<void> {
    const { rows } = await pool.query<{ number: number; bytes: Buffer }>(
      'SELECT number, bytes FROM ledger.snapshot_chunks ORDER BY number',
    );
    const [row] = rows.filter(({ bytes }) => gunzipSync(bytes).includes('["gamer:bob:purchase",100]'));
    if (!row) throw new Error('no chunk has the balance');
    const text = gunzipSync(row.bytes).toString().replace('purchase",100]', 'purchase",500000000]');
    await pool.query('UPDATE ledger.snapshot_chunks SET bytes = $1 WHERE number = $2', [gzipSync(text), row.number]);
  }

  const change = (column: string, value: unknown) => pool.query(`UPDATE ledger.snapshots SET ${column} = $1`, [value]);

  it('cannot make money by altering the state', async () => {
    await forgeMoney();
    await expectDropped(node, 'the snapshot at ledger@3 was altered, and is deleted');
  });

  it.each<[string, string, string]>([
    ['less than half of a chunk', `${UPDATE} bytes = substring(bytes FOR 10) WHERE number = 1`, 'was altered'],
    ['an empty chunk', `${UPDATE} bytes = '' WHERE number = 0`, 'was altered'],
    ['chunks in another order', REVERSED, 'was altered'],
    ['one chunk more', ONE_MORE, 'was altered'],
    ['the last chunk less', WITHOUT_LAST, 'was cut short'],
    ['no chunk', 'DELETE FROM ledger.snapshot_chunks', 'was cut short'],
  ])('cannot keep a node from starting by %s', async (_what, sql, warning) => {
    await pool.query(sql);
    await expectDropped(node, warning);
  });

  it.each<[string, unknown]>([
    ['revision', 2],
    ['chain', 'f'.repeat(64)],
    ['tree', 'f'.repeat(64)],
    ['digests', Buffer.alloc(0)],
    ['mac', Buffer.alloc(0)],
  ])('cannot change %s to %p unnoticed', async (column, value) => {
    await change(column, value);
    await expectDropped(node, 'is not authenticated under a key of this node');
  });

  it('cannot relabel the snapshot of another program', async () => {
    await pool.query('DELETE FROM ledger.snapshots');
    await snapshotsOf('another program').save(node.replica);
    await change('program', PROGRAM);
    await expectDropped(node, 'is not authenticated under a key of this node');
  });

  it('cannot relabel the snapshot of another log, authenticated under the same key', async () => {
    const other = new TestNode('another').begin();
    await expectDropped(other, 'is not from this log');
  });

  it('cannot pass a snapshot of a longer log', async () => {
    const shorter = new TestNode();
    shorter.do({ type: 'EnrolAdmin', gamerId: 'admin' });
    await expectDropped(shorter, 'is not from this log');
  });

  it('makes a node start from the snapshot before, at most', async () => {
    for (let event = 0; event < 5; event += 1) node.give(1);
    await pool.query(
      `INSERT INTO ledger.snapshots (id, program, revision, chain, tree, digests, mac)
       SELECT gen_random_uuid(), program, 8, chain, tree, digests, mac FROM ledger.snapshots`,
    );
    const { replica, from, warnings } = await start(node);
    expect([from, warnings.length]).toEqual([3, 1]);
    expect(replica).toEqual(node.replica);
  });
});

it('leaves the snapshot of another program alone, which nodes of that version use', async () => {
  const other = snapshotsOf('another program');
  await other.save(node.replica);
  expect(await start(node)).toMatchObject({ from: -1, warnings: [] });
  expect(await start(node, other)).toMatchObject({ from: 3, warnings: [] });
});

it('starts from a snapshot that was authenticated under the secret before', async () => {
  await snapshots.save(node.replica);
  const renewed = snapshotsOf(PROGRAM, ['a new secret', 'a secret of the nodes']);
  expect(await start(node, renewed)).toMatchObject({ from: 3, warnings: [] });
  const withoutIt = snapshotsOf(PROGRAM, ['a new secret']);
  expect((await start(node, withoutIt)).from).toBe(-1);
});

it('saves nothing of a snapshot when the node stops before it is authenticated', async () => {
  jest.spyOn(snapshots, 'macOf').mockImplementationOnce(() => {
    throw new Error('the node stops here');
  });
  await expect(snapshots.save(node.replica)).rejects.toThrow('the node stops here');
  expect([await kept(), await leftChunks()]).toEqual([[], 0]);
});

it('saves one snapshot when it is due for several nodes at the same time', async () => {
  const replicas = [node.replica, (await start(node)).replica, (await start(node)).replica];
  const saved = await Promise.all(replicas.map((replica) => snapshots.save(replica)));
  expect(saved.filter(Boolean)).toHaveLength(1);
  expect(await kept()).toEqual([3]);
  // Each copies its state again after one that was not saved.
  for (const replica of replicas) expect(await snapshots.save(replica)).toBe(false);
});

it('saves and restores 150,000 gamers in small chunks, and lets commands go on in between', async () => {
  const { state } = node.replica;
  for (let number = 0; number < 150_000; number += 1) {
    const gamerId = `gamer${number}`;
    state.gamers.set(gamerId, { ...(state.gamers.get('carol') as GamerPlace) });
    state.balances.set(`gamer:${gamerId}:purchase`, number);
  }
  let saving = true;
  const saved = snapshots.save(node.replica).finally(() => {
    saving = false;
  });
  let commands = 0;
  for (; saving; commands += 1) {
    node.give(1);
    await new Promise(setImmediate);
  }
  expect(await saved).toBe(true);
  const chunks = await leftChunks();
  expect(chunks).toBeGreaterThan(150);
  expect(commands).toBeGreaterThan(chunks);
  const { rows } = await pool.query('SELECT max(octet_length(bytes)) AS largest FROM ledger.snapshot_chunks');
  expect(rows[0].largest).toBeLessThan(1_000_000);
  const { from, replica } = await start(node);
  expect(from).toBe(3);
  for (const part of ['gamers', 'balances'] as const) expect(replica.state[part].size).toBe(state[part].size);
  expect(replica.state.balances.get('gamer:bob:purchase')).toBe(100 + commands);
});

it('keeps the last two snapshots of each program with their chunks', async () => {
  const at = (revision: number) => Object.assign(Object.create(node.replica), { revision }) as LedgerReplica;
  for (const revision of [1, 2, 3]) await snapshots.save(at(revision * EVENTS_BETWEEN));
  expect(await kept()).toEqual([2 * EVENTS_BETWEEN, 3 * EVENTS_BETWEEN]);
  const chunks = await leftChunks();
  await snapshotsOf('another program').save(at(7));
  expect(await kept()).toEqual([7, 2 * EVENTS_BETWEEN, 3 * EVENTS_BETWEEN]);
  expect(await leftChunks()).toBe((chunks * 3) / 2);
  await pool.query("UPDATE ledger.snapshots SET taken_at = now() - interval '2 days' WHERE program <> $1", [PROGRAM]);
  await snapshots.save(at(4 * EVENTS_BETWEEN));
  expect(await kept()).toEqual([3 * EVENTS_BETWEEN, 4 * EVENTS_BETWEEN]);
  expect(await leftChunks()).toBe(chunks);
});

it('counts the events replayed since the snapshot, so that a node that restarts often still takes snapshots', async () => {
  const replica = new LedgerReplica();
  const ledger = { onCommitted: () => undefined };
  const taken: number[] = [];
  const take = (since: number) =>
    new Promise<void>((resolve, reject) => {
      const save = async () => {
        taken.push(since);
        resolve();
        return true;
      };
      const store = { save } as unknown as SnapshotsStore;
      new Snapshots(store, ['a secret of the nodes'], '').takeFrom(ledger, replica, since, reject);
    });
  void take(replica.revision - 49_999);
  await take(replica.revision - 50_000);
  expect(taken).toEqual([replica.revision - 50_000]);
});
