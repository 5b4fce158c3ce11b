import type { ClientBase } from 'pg';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type * as http from '../../contracts/http/audit.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { parseProofFile } from '../../contracts/transparency/proof-file.js';
import { parseSignedHead } from '../../contracts/transparency/signed-head.js';
import { hexOf } from '../../contracts/transparency/signed-note.js';
import type { EventLog } from '../../event-log/event-log.js';
import { LatePurchases } from '../rules/late-purchases.js';
import { Payments } from '../rules/payments.js';
import type { Tables } from '../tables/tables.js';
import { Auditor } from './auditor.js';
import type { Finding } from './finding.js';

/** Reads the ledger, and the streams of payments and late purchases. */
export type LogReader = Pick<EventLog, 'readStream' | 'readAll'>;

/** A signed head to compare with the replay: its log's name, the number of events, and the root of their tree in lower-case hex. */
export interface SavedHead {
  origin: string;
  events: number;
  root: string;
  /** "the signed head in FILE", for example. */
  source: string;
  /** True when the head is from the site's table. Until the site signs again, its newest one may be the head whose loss was accepted. */
  isStored?: boolean;
}

export interface AuditVerdict extends http.AuditVerdict {
  /** Root of the Merkle tree of all events, lower-case hex. */
  root: string;
  accounts: number;
  /** Age of the oldest ledger event that the tables lacked when they were read, ms; 0 when they had all. */
  behindMs: number;
  /** Tables that the worker has not built, or is building anew. */
  notCompared: string[];
  payments: number;
  latePurchases: number;
  /** The losses of history that an operator accepted. They are not findings. */
  losses: Auditor['losses'];
}

/** Replays the ledger; compares payments, tables and signed heads. Throws LogUnavailable. */
export async function verify(
  log: LogReader,
  tables: Tables | null,
  saved: readonly SavedHead[] = [],
): Promise<AuditVerdict> {
  const auditor = new Auditor();
  const payments = new Payments();
  const late = new LatePurchases();
  const findings: Finding[] = [];
  /** Root at the size of each saved head, and the type of the last event, by number of events. */
  const roots = new Map([[0, { type: 'The empty log', root: auditor.tree.root }]]);
  const sizes = new Set(saved.map(({ events }) => events));
  let comparedEvents = null as number | null;
  let behindMs = 0;
  const compareOnce = ({ comparisons }: Tables): void => {
    if (comparedEvents !== null || comparisons.length === 0) return;
    comparedEvents = auditor.revision + 1;
    const messages = comparisons.flatMap((differencesFrom) => differencesFrom(auditor));
    findings.push(...messages.map((message) => ({ revision: null, message })));
  };
  for await (const recorded of ledgerOf(log)) {
    if (tables !== null && BigInt(recorded.position) > tables.position) {
      compareOnce(tables);
      behindMs = Math.max(behindMs, tables.readAtMs - recorded.metadata.at);
    }
    auditor.take(recorded);
    const size = auditor.revision + 1;
    if (sizes.has(size)) roots.set(size, { type: recorded.event.type, root: auditor.tree.root });
    payments.takeLedger(recorded, auditor.openRoundFor(recorded));
  }
  if (tables !== null) compareOnce(tables);
  // After the ledger, so that they have all that it credits.
  for await (const one of log.readAll(['payment-', 'late-'])) {
    payments.takePayment(one);
    late.take(one);
  }
  findings.push(...headFindings(saved, roots, auditor));
  findings.push(...payments.findings());
  const { ended, won, lastRoundId } = auditor.rounds;
  const lossesAtMs = auditor.losses.map(({ atMs }) => atMs);
  findings.push(...late.findings(ended, lastRoundId, lossesAtMs));
  return {
    events: auditor.revision + 1,
    chain: auditor.chain,
    root: auditor.tree.root,
    heads: saved.length,
    roundsEnded: ended.length,
    roundsWon: won.length,
    accounts: auditor.ledgerAccounts.nonZero().length,
    comparedEvents,
    behindMs,
    notCompared: tables?.notCompared ?? [],
    payments: payments.count,
    latePurchases: late.count,
    losses: auditor.losses,
    findings: [...auditor.findings, ...findings],
    findingCount: auditor.findingCount + findings.length,
  };
}

/** Compares signed heads with the replay, after it: only the whole log says which of them are of a history that was lost. */
function headFindings(
  heads: readonly SavedHead[],
  roots: ReadonlyMap<number, { type: string; root: string }>,
  { revision, losses }: Auditor,
): Finding[] {
  return heads.flatMap((head) => {
    const replayed = roots.get(head.events);
    // A log that skips a revision has no root of that size. The skip is a finding itself.
    if (replayed ? replayed.root === head.root : head.events <= revision + 1) return [];
    const loss = losses.find(
      ({ signedOrigin, signedRoot, revision: left }) =>
        signedOrigin === head.origin && (head.events > left || head.root === signedRoot),
    );
    if (loss && head.isStored) return [];
    const history = loss ? `the history that event ${loss.revision + 1} says was lost` : 'another history';
    const message = replayed
      ? `${replayed.type} has another root than ${head.source}`
      : `is the last event, but ${head.source} has ${head.events}`;
    return [{ revision: replayed ? head.events - 1 : revision, message: `${message}: it is of ${history}` }];
  });
}

export const ledgerOf = (log: LogReader): AsyncIterable<RecordedLedgerEvent> =>
  log.readStream(LEDGER_STREAM) as AsyncIterable<RecordedLedgerEvent>;

export async function readSignedHeads(database: ClientBase): Promise<SavedHead[]> {
  const { rows } = await database.query<{ note: string }>('SELECT note FROM ledger.signed_heads');
  return rows.map(({ note }) => ({ ...savedHeadOf(note, 'in the tables'), isStored: true }));
}

/** The head in a file that somebody kept: a signed head, or a proof. Throws InvalidNote. */
export function headInFile(file: string, text: string): SavedHead {
  return savedHeadOf(text.startsWith('c2sp.org/tlog-proof@') ? parseProofFile(text).head.note : text, `in ${file}`);
}

function savedHeadOf(note: string, where: string): SavedHead {
  const { origin, size, root } = parseSignedHead(note);
  const source = `the signed head of ${size} events ${where}`;
  return { origin, events: size, root: hexOf(root), source };
}
