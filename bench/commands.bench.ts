import { randomUUID } from 'node:crypto';
import { Ledger } from '../api/src/ledger/ledger.js';
import { LedgerBook } from '../api/src/ledger/ledger-book.js';
import { newId } from '../api/src/ledger/new-id.js';
import { EventLog } from '../event-log/event-log.js';
import { closedLoop, type Measured, medianRound } from './closed-loop.js';
import { diskPaceMs } from './machine.js';
import { heading, say, sayMeasured, sayPaces, sayRatios, whole } from './report.js';
import { playScene, type Scene, sceneOf } from './scene.js';
import { SqlPurchases } from './sql-purchases.js';
import type { Stores } from './stores.js';

export interface Effort {
  buyers: number;
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  sweepMs: number;
}

const HOUSE = 'house0000000';
const SQL_CLIENTS = [1, 2, 4, 8, 16, 32, 64];

/** Durable purchases at the command level. Returns the client count at which the SQL way was fastest. */
export async function benchCommands(stores: Stores, effort: Effort): Promise<number> {
  heading('Purchases at the command level: Ledger.execute against one SQL transaction a purchase');
  const scene = sceneOf(HOUSE, effort.buyers);
  const sqlUrl = await stores.createDatabase('bench_sql');
  const store = await stores.startEventStore('bench_command_events');
  const log = new EventLog(store.url);
  const ledger = await openLedger(log, scene);
  try {
    await prepareSql(sqlUrl, scene);
    const clients = await bestClients(sqlUrl, scene, effort);
    const sql = new SqlPurchases(sqlUrl, clients);
    try {
      await compare(ledger, sql, scene, effort, { clients, folder: stores.folder });
      const { purchases } = await sql.assertBalanced(scene.buyers.length);
      say(`  every cent accounted for after ${whole(purchases)} purchases by SQL`);
    } finally {
      await sql.close();
    }
    await replay(log, ledger);
    return clients;
  } finally {
    await ledger.stop();
    await log.close();
    await store.stop();
  }
}

async function openLedger(log: EventLog, scene: Scene): Promise<Ledger> {
  const sources = { now: Date.now, newEventId: randomUUID, newId };
  const ledger = new Ledger(new LedgerBook(), log, sources, (error) => {
    throw error;
  });
  await ledger.start();
  const by = { actor: { id: 'system', role: 'system' }, commandId: 'house' } as const;
  await ledger.execute({ type: 'EnrolHouse', gamerId: scene.house }, by);
  await playScene(scene, (command, who) => ledger.execute(command, who));
  return ledger;
}

async function prepareSql(url: string, scene: Scene): Promise<void> {
  const sql = new SqlPurchases(url, 1);
  await sql.prepare(scene, Date.now());
  await sql.close();
}

async function bestClients(url: string, scene: Scene, { sweepMs }: Effort): Promise<number> {
  say('  the SQL way by its number of connections:');
  let best = { clients: 1, perSecond: 0 };
  for (const clients of SQL_CLIENTS) {
    const sql = new SqlPurchases(url, clients);
    const measured = await closedLoop({
      buyers: clients,
      warmUpMs: sweepMs / 4,
      durationMs: sweepMs,
      ...sqlBuys(sql, scene),
    });
    await sql.close();
    sayMeasured(`  ${clients} connections, as many buyers`, measured);
    if (measured.perSecond > best.perSecond) best = { clients, perSecond: measured.perSecond };
  }
  return best.clients;
}

async function compare(
  ledger: Ledger,
  sql: SqlPurchases,
  scene: Scene,
  effort: Effort,
  { clients, folder }: { clients: number; folder: string },
): Promise<void> {
  const crowds = [scene.buyers.length, 100, 1];
  for (const buyers of crowds) {
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    const pacesMs: number[] = [];
    const rounds = buyers === scene.buyers.length ? effort.rounds : Math.ceil(effort.rounds / 2);
    const load = { buyers, warmUpMs: effort.warmUpMs, durationMs: effort.roundMs };
    for (let round = 0; round < rounds; round += 1) {
      pacesMs.push(diskPaceMs(folder));
      ours.push(await closedLoop({ ...load, ...ledgerBuys(ledger, scene) }));
      theirs.push(await closedLoop({ ...load, ...sqlBuys(sql, scene) }));
    }
    say(`\n  ${whole(buyers)} buyer${buyers === 1 ? '' : 's'} at once, median of ${rounds} rounds`);
    const [our, their] = [medianRound(ours), medianRound(theirs)];
    sayMeasured('ours: decided in memory, appended in batches', our);
    sayMeasured(`SQL: a transaction each, ${clients} connections`, their);
    sayRatios(our, their);
    sayPaces(pacesMs);
  }
}

const ledgerBuys = (ledger: Ledger, { buyers }: Scene) => ({
  buy: (buyer: number) => {
    const buyerId = buyers[buyer] as string;
    const by = { actor: { id: buyerId, role: 'gamer' }, commandId: randomUUID() } as const;
    return ledger.execute({ type: 'BuyTokens', buyerId, quantity: 1 }, by);
  },
});

const sqlBuys = (sql: SqlPurchases, { buyers }: Scene) => ({
  buy: (buyer: number) => sql.buy(buyers[buyer] as string, 1, Date.now()),
});

/** Reads back what the rounds wrote and folds it, as a node that starts without a snapshot does: each chain checked. */
async function replay(log: EventLog, ledger: Ledger): Promise<void> {
  const book = new LedgerBook();
  const from = performance.now();
  for await (const recorded of log.readStream('ledger')) book.apply(recorded as Parameters<LedgerBook['apply']>[0]);
  const seconds = (performance.now() - from) / 1000;
  if (book.revision !== ledger.revision) throw new Error(`replayed to ${book.revision}, not ${ledger.revision}`);
  const events = book.revision + 1;
  say(`\n  replay from the log, chains checked: ${whole(events)} events at ${whole(events / seconds)}/s`);
}
