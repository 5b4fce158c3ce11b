import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { SYSTEM } from '../../../contracts/events/metadata.js';
import { nameAfterLoss, parseSignedHead, type SignedHead } from '../../../contracts/transparency/signed-head.js';
import { hexOf } from '../../../contracts/transparency/signed-note.js';
import { acceptedLosses, isLossAccepted } from '../../../domain/history-loss.js';
import type { CommandOf } from '../../../domain/ledger/ledger-commands.js';
import type { EventLog } from '../../../event-log/event-log.js';
import { newId } from './ids.js';
import { Ledger } from './ledger.js';
import { LedgerReplica } from './ledger-replica.js';

/** The last head that a node signed, and when; null before the first. */
export async function lastSignedHead(pool: Pick<Pool, 'query'>): Promise<(SignedHead & { signedAt: Date }) | null> {
  const { rows } = await pool.query<{ note: string; signedAt: Date }>(
    'SELECT note, signed_at AS "signedAt" FROM ledger.signed_heads ORDER BY size DESC LIMIT 1',
  );
  return rows[0] ? { ...parseSignedHead(rows[0].note), signedAt: rows[0].signedAt } : null;
}

/** Describes the loss when the log ends before the last signed head; null when the log is long enough, or the loss is accepted. */
export async function findLoss(pool: Pick<Pool, 'query'>, ledger: Ledger, ledgerName: string): Promise<string | null> {
  const signed = await lastSignedHead(pool);
  // Another node may have appended and signed since this node read the log.
  await ledger.refresh();
  const { size } = ledger.head.tree;
  if (signed === null || ledger.ask(isLossAccepted, signed.size, hexOf(signed.root))) return null;
  const at = signed.signedAt.toISOString();
  if (signed.size > size)
    return `the log has ${size} events, but a head of ${signed.size} events was signed ${at}: bring the newer log back, or accept the loss (docs/operations.md)`;
  // The log may also be one from before an accepted loss, and longer than the one that went on.
  const isOfALoss = /^[0-9a-f]{8}$/.test(signed.origin.replace(`${ledgerName}-`, ''));
  const names = ledger.ask(acceptedLosses).map(({ signedRoot }) => nameAfterLoss(ledgerName, signedRoot));
  if (!isOfALoss || names.includes(signed.origin)) return null;
  return `a head was signed ${at} for ${signed.origin}, as the log is called after a loss: bring the log back that has this loss`;
}

type Acceptance = Pick<CommandOf<'AcceptLoss'>, 'acceptedBy' | 'reason'> & {
  signedSize: number;
  logSize: number;
  /** A signed head that somebody kept, when Postgres has an older one; null takes the last one in Postgres. */
  note: string | null;
};

/** Appends `HistoryLost`, and returns its number. Throws without a loss, or when the signed head or the log has another size than the named one. */
export async function acceptLoss(databaseUrl: string, log: EventLog, { acceptedBy, reason, ...named }: Acceptance) {
  const replica = new LedgerReplica();
  const sources = { now: () => Date.now(), newEventId: randomUUID, newId };
  const ledger = new Ledger(replica, log, sources, (error) => {
    throw error;
  });
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  try {
    await ledger.start();
    const { size } = ledger.head.tree;
    const signed = named.note === null ? await lastSignedHead(pool) : parseSignedHead(named.note);
    if (signed === null || signed.size <= size || ledger.ask(isLossAccepted, signed.size, hexOf(signed.root)))
      throw new Error('The log has the last signed head, or says that it lost it: there is nothing to accept');
    if (signed.size !== named.signedSize) throw new Error(`The last signed head has ${signed.size} events`);
    if (size !== named.logSize) throw new Error(`The log has ${size} events: is it the right one?`);
    const head = { signedOrigin: signed.origin, signedSize: signed.size, signedRoot: hexOf(signed.root) };
    const metadata = { actor: SYSTEM, commandId: `accept-loss-${head.signedRoot}` } as const;
    // Before the event: this command refuses to run again for an accepted loss. No node enrols anyone before it is accepted.
    const enrolled = [...replica.state.gamers.keys()];
    await pool.query('UPDATE auth.accounts SET enrolled = false WHERE gamer_id <> ALL($1)', [enrolled]);
    await ledger.execute({ type: 'AcceptLoss', signed: head, acceptedBy, reason }, metadata);
    return size + 1;
  } finally {
    await ledger.stop();
    await pool.end();
  }
}
