import { Client } from 'pg';
import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import { LEDGER_STREAM } from '../contracts/streams.js';
import { CHAIN_START, chainAfter } from '../domain/chain.js';
import { postings } from '../domain/postings.js';
import { EventLog } from '../event-log/event-log.js';

/** What the log says, and what the tables say: the same cents, or something is wrong. */
export interface Books {
  events: RecordedLedgerEvent[];
  /** Account to cents, recomputed from the log alone. */
  fromLog: Map<LedgerAccount, number>;
  /** Summed up from the journal table. */
  fromJournal: Map<LedgerAccount, number>;
  /** As the balances table has them. */
  fromBalances: Map<LedgerAccount, number>;
  chainHolds: boolean;
}

export async function booksOf({ databaseUrl, eventStoreUrl }: { databaseUrl: string; eventStoreUrl: string }) {
  const events = await ledgerEvents(eventStoreUrl);
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const books: Books = {
      events,
      fromLog: sumsOf(events.flatMap(({ event }) => postings(event))),
      fromJournal: sumsOf(
        await rows(database, 'SELECT account, sum(cents)::int AS cents FROM read.journal GROUP BY 1'),
      ),
      fromBalances: sumsOf(await rows(database, 'SELECT account, cents::int AS cents FROM read.balances')),
      chainHolds: holdsChain(events),
    };
    return books;
  } finally {
    await database.end();
  }
}

async function ledgerEvents(eventStoreUrl: string): Promise<RecordedLedgerEvent[]> {
  const log = new EventLog(eventStoreUrl);
  const events: RecordedLedgerEvent[] = [];
  for await (const recorded of log.readStream(LEDGER_STREAM)) events.push(recorded as RecordedLedgerEvent);
  await log.close();
  return events;
}

async function rows(database: Client, sql: string): Promise<{ account: LedgerAccount; cents: number }[]> {
  return (await database.query(sql)).rows;
}

/** Without accounts at zero: a table may or may not hold those. */
function sumsOf(lines: { account: LedgerAccount; cents: number }[]): Map<LedgerAccount, number> {
  const sums = new Map<LedgerAccount, number>();
  for (const { account, cents } of lines) sums.set(account, (sums.get(account) ?? 0) + cents);
  return new Map([...sums].filter(([, cents]) => cents !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function holdsChain(events: RecordedLedgerEvent[]): boolean {
  let chain = CHAIN_START;
  return events.every(({ id, event, metadata }) => {
    chain = chainAfter(chain, id, event, metadata);
    return chain === metadata.chain;
  });
}
