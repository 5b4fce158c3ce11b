import { parseArgs } from 'node:util';

export const USAGE = `usage: npm run audit -- <command>

  verify [--json] [--head FILE …]
                        replays the whole ledger, proves every event, and compares tables and signed heads with it;
                        with --head also that it has the root of a signed head, or of a proof, that somebody kept
  state [--at N]        the game, the gamers and the findings as of event N; without --at, as of the last event
  trial-balance [--at N]
                        the balances of all accounts as of event N, and their sum, which is zero
  statement <account>   every change of an account, such as jackpot or gamer:<id>:winnings, and the balance after it
  export <file>         writes the ledger to a file: every event to FILE.jsonl, every posting to FILE.csv
  receipt <file> [--key KEY] [--policy FILE] [--round FILE]
                        checks a proof of a purchase or of a round's end (.tlog-proof), offline: the events, the log's
                        signature by its public KEY, and the witnesses that a policy (c2sp.org/tlog-policy) requires;
                        or the signed refusal of a purchase that came too late (.refusal): that it did come after the
                        round's end, as the refusal has it and, with --round, as a proof of the round's end has it
  fsck <address> [--key KEY]
                        checks a site's log from outside: its signed head, every tile and every bundle of entries
  --help                this text

Events are numbered from 1 on, as on the audit screens. docs/for-auditors.md explains events, accounts and the export.
Reads EVENT_STORE_URL and DATABASE_URL, or the addresses of the application that runs here (DATA_DIR, else .data).
Exits with 0; with 1 when anything is wrong in the log, the tables, a proof or a site, or when the command failed; with 2
when the command is not one of these; with 3 when only the tables are more than a minute old, or not all built. Waits 30 s for
a cluster's leader.
`;

const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class InvalidCommand extends Error {}

export type AuditCommand =
  | { name: 'help' }
  | { name: 'verify'; asJson: boolean; heads: string[] }
  | { name: 'state' | 'trial-balance'; asOf: number | null }
  | { name: 'statement'; account: string }
  | { name: 'export'; file: string; format: ExportFormat }
  | ({ name: 'receipt'; file: string } & Record<'key' | 'policy' | 'round', string | null>)
  | { name: 'fsck'; address: string; key: string | null };

export function parseCommand(args: string[]): AuditCommand {
  const { values, positionals } = parseOptions(args);
  const { at, json, head = [], key = null, policy = null, round = null, help } = values;
  const [name = '', argument = ''] = positionals;
  if (help || name === 'help') return { name: 'help' };
  const usage = ARGUMENTS.get(name);
  if (usage === undefined) throw new InvalidCommand(name === '' ? 'No command was given.' : `Unknown command ${name}.`);
  const [count, description, ...options] = usage;
  const unknownOption = Object.keys(values).find((option) => !options.includes(option));
  if (unknownOption !== undefined) throw new InvalidCommand(`${name} has no option --${unknownOption}.`);
  if (positionals.length - 1 !== count) throw new InvalidCommand(`${name} takes ${description}.`);
  switch (name) {
    case 'state':
    case 'trial-balance':
      return { name, asOf: at === undefined ? null : eventNumber(at) };
    case 'statement':
      return { name, account: argument };
    case 'export': {
      const format = EXPORT_FORMATS.find((one) => argument.endsWith(`.${one}`));
      if (format === undefined) throw new InvalidCommand('export takes a file whose name ends in .jsonl or .csv.');
      return { name, file: argument, format };
    }
    case 'receipt':
      return { name, file: argument, key, policy, round };
    case 'fsck':
      if (!/^https?:/.test(argument) || !URL.canParse(argument))
        throw new InvalidCommand('fsck takes the address of a site, such as https://play.example.');
      return { name, address: argument, key };
    default:
      return { name: 'verify', asJson: json === true, heads: head };
  }
}

/** For each command the number of arguments, their description, and the options. */
const ARGUMENTS = new Map<string, [count: number, description: string, ...options: string[]]>([
  ['verify', [0, 'no argument', 'json', 'head']],
  ['state', [0, 'no argument', 'at']],
  ['trial-balance', [0, 'no argument', 'at']],
  ['statement', [1, 'one account']],
  ['export', [1, 'one file']],
  ['receipt', [1, 'one file', 'key', 'policy', 'round']],
  ['fsck', [1, 'the address of a site', 'key']],
]);

function parseOptions(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const ofVerify = { json: flag, head: { ...text, multiple: true } } as const;
  const ofProofs = { key: text, policy: text, round: text };
  const options = { at: text, ...ofVerify, ...ofProofs, help: { ...flag, short: 'h' } } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new InvalidCommand((error as Error).message);
  }
}

function eventNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidCommand('--at is the number of an event, from 1 on.');
  return number;
}
