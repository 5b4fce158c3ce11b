import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { isSignedRefusal } from '../contracts/transparency/signed-refusal.js';
import { EventLog } from '../event-log/event-log.js';
import { databaseUrlSetting, streamPrefixSetting } from '../event-log/settings.js';
import { disableParallelScavenge, runCommand } from '../event-log/startup.js';
import { type AuditCommand, InvalidCommand, parseCommand, USAGE } from './cli/command-line.js';
import * as reports from './cli/reports.js';
import { fsck } from './proof/fsck.js';
import { checkProof, checkRefusal, printVerdict } from './proof/receipt.js';
import { headInFile, readSignedHeads, type SavedHead, verify } from './replay/verify.js';
import { readTables, type Tables } from './tables/tables.js';

/** A cluster elects a leader within seconds. */
const ELECTION_MS = 30_000;

interface Addresses {
  eventStoreUrl: string;
  /** Undefined when there are no tables to compare. */
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

async function readDatabase(databaseUrl: string): Promise<[Tables, SavedHead[]]> {
  const database = new Client({ connectionString: databaseUrlSetting({ DATABASE_URL: databaseUrl }) });
  await database.connect();
  try {
    const heads = await readSignedHeads(database);
    return [await readTables(database), heads];
  } finally {
    await database.end();
  }
}

type LogCommand = Exclude<AuditCommand, { name: 'help' | 'receipt' | 'fsck' }>;

async function carryOut(log: EventLog, command: LogCommand, { databaseUrl }: Addresses): Promise<void> {
  switch (command.name) {
    case 'verify': {
      const headFiles = command.heads.map(async (file) => headInFile(file, await readFile(file, 'utf8')));
      const heads = await Promise.all(headFiles);
      const [tables, signed] = databaseUrl === undefined ? [null, []] : await readDatabase(databaseUrl);
      const verdict = await verify(log, tables, [...heads, ...signed]);
      if (command.asJson) console.log(JSON.stringify(verdict, null, 2));
      else print(reports.describeVerdict(verdict));
      process.exitCode = reports.exitCodeOf(verdict);
      return;
    }
    case 'state':
      return print(reports.describeState(await reports.auditorAsOf(log, command.asOf)));
    case 'trial-balance':
      return print(reports.describeTrialBalance(await reports.auditorAsOf(log, command.asOf)));
    case 'statement':
      for await (const line of reports.statement(log, command.account)) console.log(line);
      return;
    case 'export':
      await pipeline(reports.exportLines(log, command.format), createWriteStream(command.file));
  }
}

function print(lines: Iterable<string>): void {
  for (const line of lines) console.log(line);
}

async function main(command: AuditCommand): Promise<void> {
  if (command.name === 'help') return void process.stdout.write(USAGE);
  if (command.name === 'receipt') {
    const { file, key, policy, round } = command;
    const text = await readFile(file, 'utf8');
    const trust = { key, policy: policy === null ? null : await readFile(policy, 'utf8') };
    const roundEnd = round === null ? null : await readFile(round, 'utf8');
    const verdict = isSignedRefusal(text) ? checkRefusal(text, trust, roundEnd) : checkProof(text, trust);
    const { holds, findings } = await verdict;
    if (!printVerdict(console.log, 'holds', holds, findings)) process.exitCode = 1;
    return;
  }
  if (command.name === 'fsck') {
    if (!(await fsck(command.address, command.key, console.log))) process.exitCode = 1;
    return;
  }
  const stores = await addresses();
  const streamPrefix = streamPrefixSetting(process.env);
  const onWaiting = ({ message }: Error) => process.stderr.write(`The event store does not answer yet: ${message}\n`);
  const log = new EventLog(stores.eventStoreUrl, { streamPrefix, patienceMs: ELECTION_MS, onWaiting });
  await log.checkConnection();
  await carryOut(log, command, stores).finally(() => log.close());
}

disableParallelScavenge();

try {
  const command = parseCommand(process.argv.slice(2));
  await runCommand(() => main(command));
} catch (error) {
  if (!(error instanceof InvalidCommand)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
