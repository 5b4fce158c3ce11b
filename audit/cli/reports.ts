import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { LedgerAccount } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';
import { counted } from '../../contracts/words.js';
import { Auditor } from '../replay/auditor.js';
import { describeLoss, formatCents } from '../replay/finding.js';
import { type AuditVerdict, type LogReader, ledgerOf } from '../replay/verify.js';
import { postingsOf } from '../rules/ledger-accounts.js';
import type { ExportFormat } from './command-line.js';

const timeText = (atMs: number): string => new Date(atMs).toISOString();
/** The number of an event, from 1 on, as on the audit screens. */
const numberText = (revision: number): string => String(revision + 1).padStart(10);

/** The changes of an account as lines, each with the balance after it. Throws for an account without changes. */
export async function* statement(log: LogReader, account: string): AsyncIterable<string> {
  let balance: number | null = null;
  for await (const { revision, event, metadata } of ledgerOf(log)) {
    for (const { cents } of postingsOf(event).filter((posting) => posting.account === account)) {
      balance = (balance ?? 0) + cents;
      const figures = `${formatCents(cents).padStart(14)}${formatCents(balance).padStart(14)}`;
      yield `${numberText(revision)}  ${timeText(metadata.at)}  ${event.type.padEnd(26)}${figures}`;
    }
  }
  if (balance === null) throw new Error(`The ledger has no account ${account}.`);
}

/** The auditor after this event, numbered from 1 on; null is the last one. Throws when the ledger is shorter. */
export async function auditorAsOf(log: LogReader, eventNumber: number | null): Promise<Auditor> {
  const auditor = new Auditor();
  for await (const recorded of ledgerOf(log)) {
    auditor.take(recorded);
    if (auditor.revision + 1 === eventNumber) return auditor;
  }
  if (eventNumber === null) return auditor;
  throw new Error(`The ledger has ${auditor.revision + 1} events, and none of number ${eventNumber}.`);
}

const heading = ({ revision, chain, atMs }: Auditor): string =>
  `As of event ${(revision + 1).toLocaleString('en-US')}, ${timeText(atMs)}, chain ${chain}`;

const lineOf = (name: string, value: string | number): string => `${name.padEnd(24)}${value}`;

export function* describeState(auditor: Auditor): Iterable<string> {
  const { rounds, ledgerAccounts, entitlements, findingCount } = auditor;
  const { phase, endsAtMs, timers } = rounds;
  yield heading(auditor);
  yield lineOf('phase', phase === 'idle' ? 'idle' : `${phase} until ${timeText(endsAtMs)}`);
  yield lineOf('rounds opened', rounds.lastRoundId);
  yield lineOf('rounds ended', rounds.ended.length);
  yield lineOf('leader', rounds.leaderId ?? 'nobody');
  yield lineOf('jackpot', formatCents(ledgerAccounts.of('jackpot')));
  yield lineOf('gamers', Math.max(0, entitlements.matrix.seats.size - 1));
  yield lineOf('timers in force', Object.values(timers).join(', '));
  yield lineOf('findings up to here', findingCount);
}

export function* describeTrialBalance(auditor: Auditor): Iterable<string> {
  const balances = auditor.ledgerAccounts.nonZero();
  const sums = new Map<string, Cents>();
  for (const [account, amount] of balances) sums.set(nameOf(account), (sums.get(nameOf(account)) ?? 0) + amount);
  const total = balances.reduce((sum, [, amount]) => sum + amount, 0);
  yield heading(auditor);
  for (const [name, amount] of sums) yield lineOf(name, formatCents(amount).padStart(16));
  yield lineOf('sum', formatCents(total).padStart(16));
}

const nameOf = (account: LedgerAccount): string => account.replace(/^gamer:.*:(purchase|winnings)$/, 'gamers:$1');

/** A worker that runs is seconds behind at most. */
const TOO_OLD_MS = 60_000;
const areTablesOld = ({ behindMs, notCompared }: AuditVerdict): boolean =>
  behindMs > TOO_OLD_MS || notCompared.length > 0;

export function* describeVerdict(verdict: AuditVerdict): Iterable<string> {
  const { events, chain, root, heads, roundsEnded, roundsWon, accounts, payments, latePurchases } = verdict;
  const { comparedEvents, notCompared, findings, findingCount, losses } = verdict;
  yield `Ledger: ${counted(events, 'event')} replayed, chain ${chain}, root ${root}`;
  yield `        ${counted(roundsEnded, 'round')} ended, ${roundsWon.toLocaleString('en-US')} won; ${counted(accounts, 'account')} hold money; ${counted(payments, 'payment')}, compared with their streams; ${counted(latePurchases, 'purchase')} came too late`;
  if (heads > 0) yield `        ${counted(heads, 'signed head')} compared`;
  for (const loss of losses) yield `LOST:   ${describeLoss(loss.revision + 1, loss.atMs, loss)}`;
  if (comparedEvents !== null)
    yield `Tables: compared as of event ${comparedEvents.toLocaleString('en-US')}: balances, journal, winners, public record, tiles`;
  else if (notCompared.length === 0) yield 'Tables: not compared (DATABASE_URL is not set)';
  if (notCompared.length > 0) yield `        not compared, because no worker has built them: ${notCompared.join(', ')}`;
  for (const { revision, message } of findings)
    yield `  ${revision === null ? 'tables' : `event ${(revision + 1).toLocaleString('en-US')}`}: ${message}`;
  if (findingCount > findings.length) yield `  and ${counted(findingCount - findings.length, 'more finding')}`;
  if (findingCount > 0) yield `${counted(findingCount, 'finding')}.`;
  if (areTablesOld(verdict)) yield 'The tables are too old: no worker projects, or it still builds them.';
  else if (findingCount === 0) yield 'Everything is as it must be.';
}

/** 3: the log is right, and the tables are too old to compare. */
export function exitCodeOf(verdict: AuditVerdict): 0 | 1 | 3 {
  if (verdict.findingCount > 0) return 1;
  return areTablesOld(verdict) ? 3 : 0;
}

/** The ledger as lines: JSONL, an event with all that its chain covers; CSV (RFC 4180), a posting. */
export async function* exportLines(log: LogReader, format: ExportFormat): AsyncIterable<string> {
  if (format === 'csv') yield `${CSV_HEADER.join(',')}\r\n`;
  for await (const recorded of ledgerOf(log)) {
    if (format === 'jsonl') yield jsonLine(recorded);
    else yield* csvLines(recorded);
  }
}

export function jsonLine({ revision, id, event, metadata, position, createdAtMs }: RecordedLedgerEvent): string {
  const { type, data } = event;
  return `${JSON.stringify({ number: revision + 1, id, type, data, metadata, position, createdAtMs })}\n`;
}

const CSV_HEADER = ['number', 'time', 'type', 'commandId', 'actorId', 'actorRole', 'account', 'cents'];

function* csvLines({ revision, event, metadata }: RecordedLedgerEvent): Iterable<string> {
  const { at: atMs, commandId, actor } = metadata;
  const shared = [revision + 1, new Date(atMs).toISOString(), event.type, commandId, actor.id, actor.role];
  for (const { account, cents } of postingsOf(event)) yield `${[...shared, account, cents].map(quoted).join(',')}\r\n`;
}

/** Ids come from the log, where a forged one may hold anything. */
const quoted = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
