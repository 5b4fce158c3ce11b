import { isEncrypted } from '../../../contracts/encrypted-text.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { RoundId } from '../../../contracts/ids.js';
import { words } from '../../../contracts/words.js';
import { addToTrialBalance, emptyTrialBalance, type TrialBalance } from '../../../domain/ledger/trial-balance.js';
import { createTable, toSafeInteger } from '../columns.js';
import type { Db } from '../database.js';
import { type Columns, insertEntities, insertRows } from '../sql-rows.js';
import { EventByTypeRow, isIndexedType, LedgerRoundRow, ledgerKeyOf, TrialBalanceRow } from './tables.entity.js';
import { oneByOne, type ProjectedLedgerEvent, type View } from './view.js';

/** Search keys of an event. A purchase has few, because each is a row: the journal finds its uplines and buyer. */
export function keysOf({ id, event, metadata }: Pick<RecordedLedgerEvent, 'id' | 'event' | 'metadata'>): string[] {
  const { commandId, chain } = metadata;
  switch (event.type) {
    case 'TimeExtended':
      return keys([chain]);
    case 'TokenPurchased': {
      const { purchaseId, buyerId, paymentId } = event.data;
      return keys([purchaseId, commandId, chain, ...(paymentId === null ? [] : [buyerId, paymentId])]);
    }
    default:
      return keys([...idsIn(event.data), id, commandId, chain]);
  }
}

const keys = (texts: readonly string[]): string[] =>
  texts.map(ledgerKeyOf).filter((key, index, all) => key !== '' && all.indexOf(key) === index);

const ID_FIELDS: ReadonlySet<string> = new Set(
  words('gamerId sponsorId parentId purchaseId depositId paymentId withdrawalId walletAddress txid'),
);

/** Values of fields with these names, also in nested objects such as the winner. Encrypted texts cannot be searched. */
function* idsIn(data: object): Iterable<string> {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'object' && value !== null) yield* idsIn(value);
    else if (typeof value === 'string' && ID_FIELDS.has(name) && !isEncrypted(value)) yield value;
  }
}

/** A trial balance is kept per this many events: computing one as of any event replays fewer events than that. */
export const TRIAL_BALANCE_EVERY = 1_000;

/** Indexes of the ledger for the audit screens. Raise the version when domain/ledger/trial-balance.ts changes. */
export const ledgerIndexView: View = {
  name: 'ledger-index',
  version: 1,
  tables: ['ledger_keys', 'ledger_events_by_type', 'ledger_rounds', 'ledger_trial_balances'],
  ddl: `
    CREATE TABLE ledger_keys (key text COLLATE "C" NOT NULL, revision bigint NOT NULL, PRIMARY KEY (key, revision));
    ${createTable(EventByTypeRow)}
    CREATE INDEX ledger_events_by_type_index ON ledger_events_by_type (type, revision);
    ${createTable(LedgerRoundRow)}
    ${createTable(TrialBalanceRow)}`,

  async apply(batch, db) {
    const events = batch.ofLedger;
    if (events.length === 0) return;
    await insertKeys(events, db);
    const byType = events
      .map(({ revision, event }) => ({ revision, type: event.type }))
      .filter(({ type }) => isIndexedType(type));
    await insertEntities(db, EventByTypeRow, byType);
    await indexRounds(batch, db);
    await keepTrialBalances(events, db);
  },
};

async function insertKeys(events: readonly ProjectedLedgerEvent[], db: Db): Promise<void> {
  const keys: { key: string; revision: number }[] = [];
  for (const one of events) for (const key of keysOf(one)) keys.push({ key, revision: one.revision });
  const columns: Columns<{ key: string; revision: number }> = {
    key: ['text', ({ key }) => key],
    revision: ['bigint', ({ revision }) => revision],
  };
  // Read in index order: one pass through the index costs less than a descent for each key.
  await insertRows(db, 'ledger_keys', keys, columns, 'ORDER BY key COLLATE "C", revision');
}

const indexRounds = oneByOne({
  GameStarted: ({ roundId }, db, { revision }) =>
    insertEntities(db, LedgerRoundRow, [{ roundId, firstRevision: revision }]),
  RoundEnded: ({ roundId, endedAtMs }, db, { revision }) => closeRound(db, roundId, revision, endedAtMs),
  GameReset: async ({ roundId }, db, { revision, atMs }) => {
    if (roundId !== null) await closeRound(db, roundId, revision, atMs);
  },
});

const closeRound = (db: Db, roundId: RoundId, revision: number, endedAtMs: number) =>
  db.query('UPDATE ledger_rounds SET last_revision = $2, ended_at_ms = $3 WHERE round_id = $1', [
    roundId,
    revision,
    endedAtMs,
  ]);

const isKept = (revision: number): boolean =>
  revision === 0 || revision % TRIAL_BALANCE_EVERY === TRIAL_BALANCE_EVERY - 1;

/** Continues from the newest row, and deletes that row unless it is one to keep. */
async function keepTrialBalances(events: readonly ProjectedLedgerEvent[], db: Db): Promise<void> {
  const { rows } = await db.query<{ revision: string; trialBalance: TrialBalance }>(
    'SELECT revision, trial_balance AS "trialBalance" FROM ledger_trial_balances ORDER BY revision DESC LIMIT 1',
  );
  const trialBalance = rows[0]?.trialBalance ?? emptyTrialBalance();
  let before = rows[0] ? toSafeInteger(rows[0].revision) : -1;
  const obsolete = isKept(before) ? null : before;
  const last = events.at(-1)?.revision;
  const kept: TrialBalanceRow[] = [];
  for (const { revision, event, metadata, postings } of events) {
    if (revision !== before + 1)
      throw new Error(`the trial balance stands after event ${before}: ${revision} does not follow`);
    addToTrialBalance(trialBalance, event, postings);
    if (isKept(revision) || revision === last) {
      kept.push({ revision, atMs: metadata.at, trialBalance: structuredClone(trialBalance) });
    }
    before = revision;
  }
  await db.query('DELETE FROM ledger_trial_balances WHERE revision = $1', [obsolete]);
  await insertEntities(db, TrialBalanceRow, kept);
}
