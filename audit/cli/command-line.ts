import { parseArgs } from 'node:util';
import { DAY_MS } from '../replay/finding.js';
import type { SeenHead } from '../replay/verify.js';

export const USAGE = `usage: npm run audit -- <command>

  verify [--json] [--head FILE] [--since EVENTS:CHAIN …]
                        replays the whole ledger, proves every event, and compares tables and snapshots with it; with
                        --head also that the ledger begins with the history of the last run, whose head is in FILE; with
                        --since also that its first EVENTS events end with CHAIN
  state [--at N]        the game, the gamers and the findings as of event N; without --at, as of the last event
  trial-balance [--at N]
                        the balances of all accounts as of event N, and their sum, which is zero
  statement <account> [--from DAY] [--to DAY]
                        every change of an account, such as jackpot or gamer:<id>:winnings, and the balance after it;
                        days are as 2026-01-31, in UTC, both inclusive
  round <number>        the events of a round, in ledger order
  export <file>         writes the ledger to a file: every event to FILE.jsonl, every posting to FILE.csv
  receipt <file> [key]  checks a proof that the page /verify saved, offline
  --help                this text

Events are numbered from 1 on, as on the audit screens. docs/for-auditors.md explains events, accounts and the export.
Reads EVENT_STORE_URL and DATABASE_URL, or the addresses of the application that runs here (DATA_DIR, else .data).
Exits with 0; with 1 when anything is wrong in the log, the tables or a proof, or the command failed; with 2 when the
command is not one of these; with 3 when only the tables are more than a minute old. Waits 30 s for a cluster's leader.
`;

const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class InvalidCommand extends Error {}

export type AuditCommand =
  | { name: 'help' }
  | { name: 'verify'; asJson: boolean; head: string | null; since: SeenHead[] }
  | { name: 'state' | 'trial-balance'; at: number | null }
  | { name: 'statement'; account: string; fromMs: number; toMs: number }
  | { name: 'round'; roundId: number }
  | { name: 'export'; file: string; format: ExportFormat }
  | { name: 'receipt'; file: string; key: string | undefined };

export function parseCommand(args: string[]): AuditCommand {
  const { values, positionals } = parsed(args);
  const { at, from, to, json, head, since = [], help } = values;
  const [name = '', argument, key, ...more] = positionals;
  if (help || name === 'help') return { name: 'help' };
  const takes = ARGUMENTS.get(name);
  if (takes === undefined) throw new InvalidCommand(name === '' ? 'No command was given.' : `Unknown command ${name}.`);
  const foreign = Object.keys(values).find((option) => !takes.options.includes(option));
  if (foreign !== undefined) throw new InvalidCommand(`${name} has no option --${foreign}.`);
  const given = [argument, key, ...more].filter((one) => one !== undefined).length;
  if (given < takes.least || given > takes.most) throw new InvalidCommand(`${name} takes ${takes.says}.`);
  switch (name) {
    case 'state':
    case 'trial-balance':
      return { name, at: at === undefined ? null : numberOf(at, '--at is the number of an event') };
    case 'statement': {
      const [fromMs, toMs] = [dayMs(from, '--from') ?? 0, dayMs(to, '--to')];
      return { name, account: argument ?? '', fromMs, toMs: toMs === null ? Number.POSITIVE_INFINITY : toMs + DAY_MS };
    }
    case 'round':
      return { name, roundId: numberOf(argument, 'round takes the number of a round') };
    case 'export': {
      const format = EXPORT_FORMATS.find((one) => argument?.endsWith(`.${one}`));
      if (format === undefined) throw new InvalidCommand('export takes a file whose name ends in .jsonl or .csv.');
      return { name, file: argument ?? '', format };
    }
    case 'receipt':
      return { name, file: argument ?? '', key };
    default:
      return { name: 'verify', asJson: json === true, head: head ?? null, since: since.map(headOf) };
  }
}

interface CommandArguments {
  least: number;
  most: number;
  options: string[];
  says: string;
}

const none = { least: 0, most: 0, says: 'no argument' };
const ARGUMENTS = new Map<string, CommandArguments>(
  Object.entries({
    verify: { ...none, options: ['json', 'head', 'since'] },
    state: { ...none, options: ['at'] },
    'trial-balance': { ...none, options: ['at'] },
    statement: { least: 1, most: 1, options: ['from', 'to'], says: 'one account' },
    round: { least: 1, most: 1, options: [], says: 'the number of a round' },
    export: { least: 1, most: 1, options: [], says: 'one file' },
    receipt: { least: 1, most: 2, options: [], says: 'a file and, if you know it, the public key' },
  }),
);

function parsed(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const since = { type: 'string', multiple: true } as const;
  const options = { at: text, from: text, to: text, json: flag, head: text, since, help: { ...flag, short: 'h' } };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new InvalidCommand((error as Error).message);
  }
}

function headOf(text: string): SeenHead {
  const [, events, chain] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (chain === undefined)
    throw new InvalidCommand('--since takes a number of events, a colon and the chain of the last.');
  return { events: Number(events), chain };
}

function numberOf(text: string | undefined, otherwise: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text ?? '') || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidCommand(`${otherwise}, from 1 on.`);
  return number;
}

function dayMs(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) throw new InvalidCommand(`${option} takes a day such as 2026-01-31.`);
  return atMs;
}
