import { randomUUID } from 'node:crypto';
import { newId } from '../api/src/ledger/ids.js';
import { Ledger } from '../api/src/ledger/ledger.js';
import { LedgerReplica } from '../api/src/ledger/ledger-replica.js';
import { EventLog } from '../event-log/event-log.js';
import { closedLoop } from './closed-loop.js';
import { bestConnections, compareInTurns } from './comparison.js';
import { printQueue } from './queue.js';
import { heading, whole } from './report.js';
import { type Crowd, playScenario, scenarioOf } from './scenario.js';
import { type SqlPurchases, withSql } from './sql-purchases.js';
import type { Stores } from './stores.js';

export interface Effort {
  buyers: number;
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  sweepMs: number;
}

const ADMIN_ID = 'admin0000000';
const SQL_CONNECTIONS = [1, 2, 4, 8, 16, 32, 64];

export async function benchCommands(stores: Stores, effort: Effort): Promise<void> {
  heading('Purchases at the command level: Ledger.execute against one SQL transaction per purchase');
  const scenario = scenarioOf(ADMIN_ID, effort.buyers);
  const sqlUrl = await stores.createDatabase('bench_sql');
  const store = await stores.startEventStore('bench_command_events');
  const log = new EventLog(store.url);
  const ledger = await openLedger(log, scenario);
  try {
    await withSql(sqlUrl, 1, (sql) => sql.prepare(scenario, Date.now()));
    const connections = await bestConnections(SQL_CONNECTIONS, (buyers) =>
      withSql(sqlUrl, buyers, (sql) =>
        closedLoop({ buyers, warmUpMs: effort.sweepMs / 4, durationMs: effort.sweepMs, buy: bySql(sql, scenario) }),
      ),
    );
    await withSql(sqlUrl, connections, async (sql) => {
      const rates = new Map<number, number>();
      for (const buyers of [scenario.buyers.length, 100, 1]) {
        const load = { buyers, warmUpMs: effort.warmUpMs, durationMs: effort.roundMs };
        const { perSecond } = await compareInTurns(
          `${whole(buyers)} buyer${buyers === 1 ? '' : 's'} at once`,
          buyers === scenario.buyers.length ? effort.rounds : Math.ceil(effort.rounds / 2),
          stores.folder,
          {
            name: 'api: decided in memory, appended in batches',
            measure: () => closedLoop({ ...load, buy: byLedger(ledger, scenario) }),
          },
          {
            name: `SQL: a transaction each, ${connections} connections`,
            measure: () => closedLoop({ ...load, buy: bySql(sql, scenario) }),
          },
        );
        rates.set(buyers, perSecond);
      }
      printQueue(rates);
      await sql.assertBalanced(scenario.buyers.length);
    });
  } finally {
    await ledger.stop();
    await log.close();
    await store.stop();
  }
}

export async function openLedger(log: EventLog, scenario: Crowd, replica = new LedgerReplica()): Promise<Ledger> {
  const sources = { now: Date.now, newEventId: randomUUID, newId };
  const ledger = new Ledger(replica, log, sources, (error) => {
    throw error;
  });
  await ledger.start();
  const by = { actor: { id: scenario.adminId, role: 'admin' }, commandId: 'enrol-admin' } as const;
  await ledger.execute({ type: 'EnrolAdmin', gamerId: scenario.adminId }, by);
  await playScenario(scenario, (command, who) => ledger.execute(command, who));
  return ledger;
}

export const byLedger =
  (ledger: Ledger, { buyers }: Crowd) =>
  (buyer: number) => {
    const buyerId = buyers[buyer] as string;
    const by = { actor: { id: buyerId, role: 'gamer' }, commandId: randomUUID() } as const;
    return ledger.execute({ type: 'BuyTokens', buyerId, quantity: 1 }, by);
  };

const bySql =
  (sql: SqlPurchases, { buyers }: Crowd) =>
  (buyer: number) =>
    sql.buy(buyers[buyer] as string, 1, Date.now());
