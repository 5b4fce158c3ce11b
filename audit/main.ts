import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { EventLog } from '../event-log/event-log.js';
import { databaseUrlSetting, streamPrefixSetting } from '../event-log/settings.js';
import { collectWithOneThread, runCommand } from '../event-log/startup.js';
import { type AuditCommand, InvalidCommand, parseCommand, USAGE } from './cli/command-line.js';
import { exportLines } from './cli/export.js';
import { auditorAsOf, describeState, describeTrialBalance, roundReport, statement } from './cli/reports.js';
import { reportProofFile } from './proof/proof-file.js';
import { type SeenHead, type StoredState, type Verdict, verify } from './replay/verify.js';
import { readSnapshots } from './tables/snapshots.js';
import { readTables } from './tables/tables.js';

interface Addresses {
  eventStoreUrl: string;
  /** Undefined: there are no tables to compare. */
  databaseUrl: string | undefined;
}

async function addresses(): Promise<Addresses> {
  const { EVENT_STORE_URL, DATABASE_URL, DATA_DIR = '.data' } = process.env;
  if (EVENT_STORE_URL) return { eventStoreUrl: EVENT_STORE_URL, databaseUrl: DATABASE_URL };
  const path = join(DATA_DIR, 'running.json');
  const running = await readFile(path, 'utf8').catch(() => {
    throw new Error(`No application runs here (there is no ${path}), and EVENT_STORE_URL is not set.`);
  });
  return JSON.parse(running) as Addresses;
}

async function storedIn(databaseUrl: string): Promise<StoredState> {
  const database = new Client({ connectionString: databaseUrlSetting({ DATABASE_URL: databaseUrl }) });
  await database.connect();
  try {
    const snapshots = await readSnapshots(database);
    const tables = await readTables(database);
    void tables.contents.finally(() => database.end());
    return { tables, snapshots };
  } catch (error) {
    await database.end();
    throw error;
  }
}

/** The head that an earlier verification wrote to this file; null when there is no such file yet. */
async function readSeenHead(file: string): Promise<SeenHead | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const { events, chain } = JSON.parse(text) as SeenHead;
  if (!Number.isSafeInteger(events) || !/^[0-9a-f]{64}$/.test(chain))
    throw new Error(`${file} holds no verified head.`);
  return { events, chain };
}

/** Writes the head of a verification without findings, for the next one. */
async function writeSeenHead(file: string, { events, chain, findingCount }: Verdict): Promise<void> {
  if (findingCount === 0) await writeFile(file, `${JSON.stringify({ events, chain })}\n`);
}

const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

function* describeVerdict(verdict: Verdict): Iterable<string> {
  const { events, chain, roundsEnded, roundsWon, accounts, comparedEvents, notBuilt, snapshots, payments } = verdict;
  const { findings, findingCount } = verdict;
  yield `Ledger: ${count(events, 'event')} replayed, chain ${chain}`;
  yield `        ${count(roundsEnded, 'round')} ended, ${roundsWon.toLocaleString('en-US')} won; ${count(accounts, 'account')} hold money; ${count(payments, 'payment')}, compared with their streams`;
  if (comparedEvents === null && notBuilt.length === 0) yield 'Tables: not compared (DATABASE_URL is not set)';
  else if (comparedEvents === null) yield 'Tables: not compared (no worker has built them yet)';
  else
    yield `Tables: compared as of event ${comparedEvents.toLocaleString('en-US')}: balances, journal, winners, public record; ${count(snapshots, 'snapshot')}`;
  if (comparedEvents !== null && notBuilt.length > 0) yield `        not built yet: ${notBuilt.join(', ')}`;
  for (const { revision, says } of findings) {
    yield `  ${revision === null ? 'tables' : `event ${(revision + 1).toLocaleString('en-US')}`}: ${says}`;
  }
  if (findingCount > findings.length) yield `  and ${count(findingCount - findings.length, 'more finding')}`;
  yield findingCount === 0 ? 'Everything is as it must be.' : `${count(findingCount, 'finding')}.`;
}

type LogCommand = Exclude<AuditCommand, { name: 'help' | 'receipt' }>;

async function carryOut(log: EventLog, command: LogCommand, { databaseUrl }: Addresses): Promise<void> {
  switch (command.name) {
    case 'verify': {
      const { head } = command;
      const before = head === null ? null : await readSeenHead(head);
      const seen = [...command.since, ...(before === null ? [] : [before])];
      const verdict = await verify(log, databaseUrl === undefined ? null : await storedIn(databaseUrl), seen);
      if (head !== null) await writeSeenHead(head, verdict);
      if (command.asJson) console.log(JSON.stringify(verdict, null, 2));
      else print(describeVerdict(verdict));
      if (verdict.findingCount > 0) process.exitCode = 1;
      return;
    }
    case 'state':
      return print(describeState(await auditorAsOf(log, command.at)));
    case 'trial-balance':
      return print(describeTrialBalance(await auditorAsOf(log, command.at)));
    case 'statement':
      return printAll(statement(log, command), `The ledger has no account ${command.account}.`);
    case 'round':
      return printAll(roundReport(log, command.roundId), `The ledger has no round ${command.roundId}.`);
    case 'export':
      await pipeline(exportLines(log, command.format), createWriteStream(command.file));
  }
}

function print(lines: Iterable<string>): void {
  for (const line of lines) console.log(line);
}

/** Throws with this text when there is no line. */
async function printAll(lines: AsyncIterable<string>, otherwise: string): Promise<void> {
  let any = false;
  for await (const line of lines) {
    console.log(line);
    any = true;
  }
  if (!any) throw new Error(otherwise);
}

async function main(command: AuditCommand): Promise<void> {
  if (command.name === 'help') return void process.stdout.write(USAGE);
  if (command.name === 'receipt') {
    const { file, key } = command;
    if (!reportProofFile(await readFile(file, 'utf8'), key, console.log)) process.exitCode = 1;
    return;
  }
  const where = await addresses();
  const streamPrefix = streamPrefixSetting(process.env);
  const log = new EventLog(where.eventStoreUrl, { streamPrefix });
  await log.checkConnection();
  await carryOut(log, command, where).finally(() => log.close());
}

collectWithOneThread();

let command: AuditCommand | undefined;
try {
  command = parseCommand(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof InvalidCommand)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
if (command !== undefined) {
  const given = command;
  await runCommand(() => main(given));
}
