import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { parseSignedHead, type SignedHead } from '../../../contracts/transparency/signed-head.js';
import { hexOf } from '../../../contracts/transparency/signed-note.js';
import type { CommandOf } from '../../../domain/ledger/ledger-commands.js';
import type { Loss } from '../../../domain/ledger/ledger-state.js';
import type { EventLog } from '../../../event-log/event-log.js';
import { newId } from './ids.js';
import { Ledger } from './ledger.js';
import { LedgerReplica } from './ledger-replica.js';

/** The last head that a node signed, and when; null before the first. */
export async function lastSigned(pool: Pick<Pool, 'query'>): Promise<(SignedHead & { signedAt: Date }) | null> {
  const { rows } = await pool.query<{ note: string; signedAt: Date }>(
    'SELECT note, signed_at AS "signedAt" FROM ledger.signed_heads ORDER BY size DESC LIMIT 1',
  );
  return rows[0] ? { ...parseSignedHead(rows[0].note), signedAt: rows[0].signedAt } : null;
}

/** What is missing in a log that ends before the last signed head; null when it is long enough, or the loss is accepted. */
export async function findLoss(pool: Pick<Pool, 'query'>, ledger: Ledger): Promise<string | null> {
  const signed = await lastSigned(pool);
  // Another node may have appended and signed since this node read the log.
  await ledger.refresh();
  const { size } = ledger.head.tree;
  if (signed === null || signed.size <= size || isAccepted(ledger.decided.losses, signed)) return null;
  const at = signed.signedAt.toISOString();
  return `the log has ${size} events, but a head of ${signed.size} events was signed ${at}: bring the newer log back, or accept the loss (docs/operations.md)`;
}

type Acceptance = Pick<CommandOf<'AcceptLoss'>, 'acceptedBy' | 'reason'> & { signedSize: number };

/**
 * Appends `HistoryLost`, and has the accounts enrolled again whose enrolment is lost. Throws when there is no loss, or the last signed
 * head is another one than the operator names.
 */
export async function acceptLoss(databaseUrl: string, log: EventLog, { signedSize, acceptedBy, reason }: Acceptance) {
  const replica = new LedgerReplica();
  const sources = { now: () => Date.now(), newEventId: randomUUID, newId };
  const ledger = new Ledger(replica, log, sources, (error) => {
    throw error;
  });
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  try {
    await ledger.start();
    const { revision } = ledger;
    const signed = await lastSigned(pool);
    if (signed === null || (await findLoss(pool, ledger)) === null)
      throw new Error('The log has the last signed head, or says that it lost it: there is nothing to accept');
    if (signed.size !== signedSize) throw new Error(`The last signed head has ${signed.size} events`);
    const head = { signedOrigin: signed.origin, signedSize, signedRoot: hexOf(signed.root) };
    const metadata = { actor: { id: 'system', role: 'system' }, commandId: `accept-loss-${head.signedRoot}` } as const;
    // Before the event, after which this cannot be repeated. No node enrols anyone until then.
    const left = [...replica.state.gamers.keys()];
    await pool.query('UPDATE auth.accounts SET enrolled = false WHERE gamer_id <> ALL($1)', [left]);
    await ledger.execute({ type: 'AcceptLoss', signed: head, acceptedBy, reason }, metadata);
    return { left: revision + 1, number: revision + 2 };
  } finally {
    await ledger.stop();
    await pool.end();
  }
}

/** Whether the log itself says that it lost the events of this head. */
export const isAccepted = (losses: readonly Pick<Loss, 'signedSize' | 'signedRoot'>[], { size, root }: SignedHead) =>
  losses.some(({ signedSize, signedRoot }) => signedSize === size && signedRoot === hexOf(root));
