import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { LedgerAccount } from '../contracts/ledger-accounts.js';
import { EventLog } from '../event-log/event-log.js';
import { databaseUrlSetting } from '../event-log/settings.js';
import { runCommand } from '../event-log/startup.js';
import { reportProofFile } from './proof-file.js';
import { roundReport, statement } from './reports.js';
import { readSnapshots } from './snapshots.js';
import { readTables } from './tables.js';
import { type Kept, type Verdict, verify } from './verify.js';

const USAGE = `usage: npm run audit -- <command>

  verify [--json]     replays the whole ledger, proves every event, and compares tables and snapshots with it;
                      exits with 1 when it finds anything wrong
  round <number>      the events of a round, in ledger order
  account <account>   every change of an account, such as jackpot or gamer:<id>:winnings, and the balance after it
  receipt <file> [key]  checks a proof that the page /verify saved, offline; exits with 1 when anything in it is wrong

Events are numbered from 1 on, as on the audit screens.
Reads EVENT_STORE_URL and DATABASE_URL, or the addresses of the application that runs here (DATA_DIR, else .data).
`;

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

async function keptIn(databaseUrl: string): Promise<Kept> {
  const database = new Client({ connectionString: databaseUrlSetting({ DATABASE_URL: databaseUrl }) });
  await database.connect();
  try {
    return { tables: await readTables(database), snapshots: await readSnapshots(database) };
  } finally {
    await database.end();
  }
}

const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

function* describeVerdict(verdict: Verdict): Iterable<string> {
  const { events, chain, roundsEnded, roundsWon, accounts, comparedEvents, snapshots, findings, findingCount } =
    verdict;
  yield `Ledger: ${count(events, 'event')} replayed, chain ${chain}`;
  yield `        ${count(roundsEnded, 'round')} ended, ${roundsWon.toLocaleString('en-US')} won; ${count(accounts, 'account')} hold money`;
  if (comparedEvents === null) yield 'Tables: not compared (DATABASE_URL is not set)';
  else
    yield `Tables: compared as of event ${comparedEvents.toLocaleString('en-US')}: balances, journal, winners; ${count(snapshots, 'snapshot')}`;
  for (const { revision, says } of findings) {
    yield `  ${revision === null ? 'tables' : `event ${(revision + 1).toLocaleString('en-US')}`}: ${says}`;
  }
  if (findingCount > findings.length) yield `  and ${count(findingCount - findings.length, 'more finding')}`;
  yield findingCount === 0 ? 'Everything is as it must be.' : `${count(findingCount, 'finding')}.`;
}

async function carryOut(log: EventLog, command: string, argument: string, { databaseUrl }: Addresses): Promise<void> {
  if (command === 'verify') {
    const verdict = await verify(log, databaseUrl === undefined ? null : await keptIn(databaseUrl));
    if (argument === '--json') console.log(JSON.stringify(verdict, null, 2));
    else for (const line of describeVerdict(verdict)) console.log(line);
    if (verdict.findingCount > 0) process.exitCode = 1;
    return;
  }
  const lines = command === 'round' ? roundReport(log, Number(argument)) : statement(log, argument as LedgerAccount);
  let any = false;
  for await (const line of lines) {
    console.log(line);
    any = true;
  }
  if (!any) throw new Error(`The ledger says nothing about ${command} ${argument}.`);
}

const [command = '', argument = '', key] = process.argv.slice(2);
const isKnown = command === 'verify' || (['round', 'account', 'receipt'].includes(command) && argument !== '');
if (!isKnown) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (command === 'receipt') {
  await runCommand(async () => {
    if (!reportProofFile(await readFile(argument, 'utf8'), key, console.log)) process.exitCode = 1;
  });
} else {
  await runCommand(async () => {
    const where = await addresses();
    const log = new EventLog(where.eventStoreUrl);
    await log.checkConnection();
    await carryOut(log, command, argument, where).finally(() => log.close());
  });
}
